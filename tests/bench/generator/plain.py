"""Plain figures: one to four curves in different colours, one panel, a legend, the usual tick labels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from generator.axes import AxisPlan, Kind, draw_axis
from generator.names import LOSS_LABELS, STEP_LABELS, TITLES, TOKEN_LABELS, pick, series_names
from generator.plan import CurvePlan, FigurePlan, LegendPlan, LookPlan, PanelPlan
from generator.shapes import family
from generator.styles import PLAIN_STYLES, style_colors

X_KINDS: tuple[Kind, ...] = ("plain", "plain", "plain", "thousands", "si", "offset", "exponent", "log")
Y_KINDS: tuple[Kind, ...] = (
    "plain",
    "plain",
    "plain",
    "log",
    "log",
    "log-exponent",
    "si",
    "offset",
    "exponent",
)


def plan_plain(rng: np.random.Generator) -> FigurePlan:
    """Draw a plain figure."""
    look = LookPlan(style=pick(rng, PLAIN_STYLES))
    panel = PanelPlan(_axis(rng, "x"), _axis(rng, "y"), _curves(rng, look.style))
    if rng.random() < 0.3:
        panel = replace(panel, title=pick(rng, TITLES))
    dpi = float(rng.choice([80, 100, 100, 120, 150]))
    width, height = (round(dpi * inches) for inches in (rng.uniform(5.5, 8), rng.uniform(3.8, 5.5)))
    return FigurePlan(width, height, dpi, (panel,), LegendPlan(where="best"), look)


def _axis(rng: np.random.Generator, which: str) -> AxisPlan:
    """Draw an axis with its title."""
    kind = (X_KINDS if which == "x" else Y_KINDS)[
        int(rng.integers(len(X_KINDS if which == "x" else Y_KINDS)))
    ]
    labels = LOSS_LABELS if which == "y" else TOKEN_LABELS if kind in ("si", "offset") else STEP_LABELS
    margin = float(rng.choice([0.05, 0.05, 0.02]))
    return replace(draw_axis(rng, kind, which), label=pick(rng, labels), margin=margin)


def _curves(rng: np.random.Generator, style: str) -> tuple[CurvePlan, ...]:
    """Draw one to four curves in the colours of the style."""
    count = int(rng.integers(1, 5))
    names, colors = series_names(rng, count), style_colors(style)
    noise, points = float(rng.choice([0, 0.003, 0.006, 0.012])), int(rng.integers(80, 500))
    shapes = family(rng, count, "crossing" if rng.random() < 0.3 else "apart")
    return tuple(
        CurvePlan(
            name, replace(shape, noise=noise, memory=0.5, points=points, seed=int(rng.integers(2**31))), color
        )
        for name, shape, color in zip(names, shapes, colors, strict=False)
    )
