"""Groups of curves: how they stand to one another, how noisy they are, and how they are told apart."""

from __future__ import annotations

from dataclasses import replace

import matplotlib as mpl
import numpy as np
from matplotlib.colors import to_hex

from generator.axes import AxisPlan
from generator.names import pick, series_names
from generator.plan import CurvePlan
from generator.shapes import Relation, Shape, family
from generator.styles import PALETTES, SEQUENTIAL, axes_ground, contrast, style_colors

MARKERS = ("o", "s", "^", "D", "v", "x", "+", "*", "P", "p")
DASHES = ("-", "--", ":", "-.")
MIN_CONTRAST = 0.38  # least distance between a curve's colour and its ground, in unit RGB
SPARSE = ("markers", "markers-only", "bars")  # modes of few points


def weighted(rng: np.random.Generator, options: dict[str, float]) -> str:
    """Return one of the options by its weight."""
    weights = np.array(list(options.values()))
    return str(rng.choice(list(options), p=weights / weights.sum()))


def draw_curves(rng: np.random.Generator, style: str, x: AxisPlan) -> tuple[tuple[CurvePlan, ...], float]:
    """Draw one to ten curves for a panel.

    Returns:
        The curves, and where they part if they coincide left of it, else 0.
    """
    mode = _mode(rng, x)
    count = _count(rng, mode)
    relation = _relation(rng, mode, count)
    shapes = family(rng, count, relation)
    if rng.random() < 0.2 and relation != "branching":
        shapes = [replace(s, start=1 - s.start, end=1 - s.end) for s in shapes]
    shapes = _roughen(rng, shapes, mode, relation, x)
    colors, names = _colors(rng, style, count), series_names(rng, count)
    width = float(rng.choice([0.8, 1.2, 1.5, 1.5, 2.0, 2.5]))
    curves = [CurvePlan(n, s, c, width=width) for n, s, c in zip(names, shapes, colors, strict=False)]
    at = float(rng.uniform(0.15, 0.5)) if relation == "branching" else 0.0
    return tuple(_dress(rng, curves, mode)), at


def _mode(rng: np.random.Generator, x: AxisPlan) -> str:
    """Return how the curves are drawn and told apart."""
    if x.kind == "category":
        return weighted(rng, {"markers": 4, "solid": 1, "markers-only": 1, "bars": 1})
    return weighted(
        rng,
        {
            "solid": 42, "dashes": 16, "same-dash": 4, "same-marker": 3, "markers": 10, "markers-only": 4,
            "smoothed": 9, "band": 7, "bars": 5, "stairs": 4, "very-noisy": 7, "translucent": 4,
        },
    )  # fmt: skip


def _count(rng: np.random.Generator, mode: str) -> int:
    """Return the number of curves, few where each of them is hard to follow."""
    if mode in ("same-dash", "same-marker"):
        return int(rng.integers(2, 4))
    if mode in ("smoothed", "very-noisy", "bars", "markers-only"):
        return int(rng.integers(1, 4))
    return int(weighted(rng, {"1": 14, "2": 24, "3": 20, "4": 16, "5": 9, "6": 7, "8": 6, "10": 4}))


def _relation(rng: np.random.Generator, mode: str, count: int) -> Relation:
    """Return how the curves stand to one another."""
    if mode in SPARSE or mode in ("same-dash", "same-marker", "very-noisy"):
        return "apart"
    options = {
        "apart": 45,
        "crossing": 25,
        "parallel": 15 if count <= 6 else 0,
        "branching": 12 if count > 1 else 0,
    }
    return weighted(rng, options)  # type: ignore[return-value]


def _roughen(
    rng: np.random.Generator, shapes: list[Shape], mode: str, relation: Relation, x: AxisPlan
) -> list[Shape]:
    """Give the shapes points, fluctuations, spikes, drops and spans."""
    noise = float(rng.choice([0, 0.002, 0.005, 0.01, 0.02]))
    noise = min(noise, 0.004) if relation == "parallel" or mode.startswith("same") else noise
    points = int(rng.integers(60, 800))
    if mode in SPARSE:
        points, noise = int(rng.integers(6, 30)), min(noise, 0.01)
    elif mode in ("smoothed", "very-noisy"):
        points, noise = int(rng.integers(500, 4000)), float(rng.uniform(0.02, 0.07))
    elif mode == "stairs":
        points = int(rng.integers(8, 60))
    if x.kind == "category":
        points = int(x.high) + 1
    rich = mode not in SPARSE and x.kind != "category" and relation != "branching"
    memory = float(rng.choice([0.0, 0.5, 0.9])) if mode not in ("smoothed", "very-noisy") else 0.0
    crowding = x.high / x.low if x.log and rng.random() < 0.5 else 0.0
    drops = (
        tuple(sorted(rng.uniform(0.25, 0.85, int(rng.integers(1, 3))).tolist()))
        if rng.random() < 0.08
        else ()
    )
    spiky = rich and rng.random() < 0.1
    partial = rich and rng.random() < 0.12
    return [
        replace(
            shape,
            start=_inside(shape.start, noise),
            end=_inside(shape.end, noise),
            noise=noise,
            memory=memory,
            points=points,
            crowding=crowding,
            drops=drops if rich else (),
            spikes=int(rng.integers(1, 4)) if spiky else 0,
            span=_span(rng) if partial and rng.random() < 0.6 else (0.0, 1.0),
            seed=int(rng.integers(2**31)),
        )
        for shape in shapes
    ]


def _inside(y: float, noise: float) -> float:
    """Return y moved so far from the ends of the data's range that fluctuations do not reach them."""
    return min(max(y, 3 * noise), 1 - 2 * noise)


def _span(rng: np.random.Generator) -> tuple[float, float]:
    """Return the part of the axis covered by a curve that starts late or ends early."""
    return (float(rng.uniform(0.1, 0.4)), 1.0) if rng.random() < 0.3 else (0.0, float(rng.uniform(0.5, 0.9)))


def _colors(rng: np.random.Generator, style: str, count: int) -> list[str]:
    """Return colours: the style's own cycle, another palette, or a sequential map."""
    ground = axes_ground(style)
    own = [c for c in dict.fromkeys(style_colors(style)) if contrast(c, ground) > MIN_CONTRAST]
    kind = weighted(rng, {"style": 6, "palette": 3, "sequential": 1.2 if 2 <= count <= 6 else 0})
    if style in ("grayscale", "dark_background", "night", "dashboard") or (
        kind == "style" and count <= len(own)
    ):
        extra = ["#ff9da7", "#76b7b2", "#edc948", "#b07aa1", "#9c755f", "#59a14f", "#e15759", "#4e79a7"]
        return (own + [c for c in extra if contrast(c, ground) > MIN_CONTRAST])[:count]
    if kind == "sequential":
        colors = mpl.colormaps[pick(rng, SEQUENTIAL)](np.linspace(0.3, 0.95, 40))
        seen = [to_hex(c) for c in colors if contrast(to_hex(c), ground) > MIN_CONTRAST]
        return [seen[i] for i in np.linspace(0, len(seen) - 1, count).astype(int)]
    palette = [c for c in PALETTES[pick(rng, tuple(PALETTES))] if contrast(c, ground) > MIN_CONTRAST]
    return (palette + own)[:count]


def _dress(rng: np.random.Generator, curves: list[CurvePlan], mode: str) -> list[CurvePlan]:
    """Give the curves dashes, markers, bounds and the like."""
    first = curves[0].color
    every = max(curves[0].shape.points // int(rng.integers(8, 16)), 1)
    marks = list(rng.permutation(len(MARKERS)))
    if mode == "same-dash":
        return [replace(c, color=first, dash=DASHES[i]) for i, c in enumerate(curves)]
    if mode == "same-marker":
        return [
            replace(c, color=first, marker=MARKERS[marks[i]], markevery=every) for i, c in enumerate(curves)
        ]
    if mode == "dashes":
        return [replace(c, dash=pick(rng, DASHES)) for c in curves]
    if mode in ("markers", "markers-only"):
        one = rng.random() < 0.4
        dash = "" if mode == "markers-only" else "-"
        return [replace(c, dash=dash, marker=MARKERS[marks[0 if one else i]]) for i, c in enumerate(curves)]
    if mode == "smoothed":
        kind = str(rng.choice(["named", "unnamed"]))
        return [replace(c, smoothed=kind) for c in curves]
    if mode == "bars":
        return [replace(c, bounds="bars", marker="o" if rng.random() < 0.6 else "") for c in curves]
    changes = {"band": {"bounds": "band"}, "stairs": {"stairs": True}, "translucent": {"opacity": 0.6}}
    return [replace(c, **changes.get(mode, {})) for c in curves]
