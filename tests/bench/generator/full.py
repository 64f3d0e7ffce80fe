"""Figures of every kind, all features drawn at random: what the digitizer is measured with."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from generator.axes import AxisPlan, Kind, draw_axis
from generator.lines import draw_curves, weighted
from generator.names import LOSS_LABELS, SCORE_LABELS, STEP_LABELS, TITLES, TOKEN_LABELS, pick, series_names
from generator.plan import CurvePlan, FigurePlan, LegendPlan, LookPlan, PanelPlan, PicturePlan
from generator.styles import DARK_STYLES, FONTS, STYLES

X_KINDS: dict[str, float] = {
    "plain": 30, "thousands": 10, "si": 11, "offset": 8, "exponent": 3, "date": 6, "category": 5, "negative": 3,
    "log": 9, "log-exponent": 2, "log-plain": 3, "log2": 5, "log-one-decade": 2,
}  # fmt: skip
Y_KINDS: dict[str, float] = {
    "plain": 34, "thousands": 4, "si": 4, "offset": 5, "exponent": 4, "percent": 8, "negative": 6,
    "log": 12, "log-exponent": 3, "log-plain": 6, "log-one-decade": 5, "log-mantissa": 4, "log2": 3,
}  # fmt: skip
INSIDE = ("best", "best", "best", "upper right", "upper left", "lower left", "lower right", "center right")
MIN_TEXT = 8.5  # least height of the text's em in the finished picture, pixels


def plan_full(rng: np.random.Generator) -> FigurePlan:
    """Draw a figure."""
    look = _look(rng)
    many = rng.random() < 0.14
    base = _panel(rng, look.style)
    plan = FigurePlan(*_size(rng), (base,), LegendPlan(), look, pad=float(rng.uniform(0.04, 0.25)))
    if many:
        plan = _panels(rng, plan)
    else:
        plan = replace(plan, panels=(_second_axis(rng, base),))
        plan = replace(plan, legend=_legend(rng, max(len(base.curves), 1), many=False))
    first = plan.panels[0]
    if (plan.legend.where == "labels" and (first.y2 or first.top_x)) or (
        plan.legend.where == "none" and first.y2
    ):
        plan = replace(plan, legend=LegendPlan())
    return replace(plan, picture=_picture(rng, plan))


def _look(rng: np.random.Generator) -> LookPlan:
    """Draw what a style sheet leaves open."""
    some = rng.random(5)
    return LookPlan(
        style=pick(rng, tuple(STYLES)),
        font=pick(rng, FONTS),
        ticks=str(rng.choice(["in", "out", "inout", "none"])) if some[0] < 0.3 else None,
        grid=str(rng.choice(["none", "major", "both", "y", "dashed"])) if some[1] < 0.35 else None,
        spines=str(rng.choice(["open", "bottom", "offset"])) if some[2] < 0.15 else None,
        hyphen_minus=bool(some[3] < 0.2),
    )


def _size(rng: np.random.Generator) -> tuple[int, int, float]:
    """Draw width and height in pixels and the pixels an inch."""
    low, high = ((320, 450), (450, 900), (900, 1500), (1500, 3200))[
        int(rng.choice(4, p=[0.12, 0.48, 0.25, 0.15]))
    ]
    width = float(rng.uniform(low, high))
    dpi = max(width / float(rng.uniform(4.2, 8.5)), 72.0)
    return round(width), round(width * float(rng.uniform(0.55, 0.85))), dpi


def _axis(rng: np.random.Generator, which: str, kinds: dict[str, float]) -> AxisPlan:
    """Draw an axis with its title."""
    kind: Kind = weighted(rng, kinds)  # type: ignore[assignment]
    labels = TOKEN_LABELS if kind in ("si", "offset") else STEP_LABELS
    if which == "y":
        labels = SCORE_LABELS if kind == "percent" else LOSS_LABELS
    axis = draw_axis(rng, kind, which)
    rotation = float(rng.choice([30, 45, 90])) if which == "x" and rng.random() < 0.07 else 0.0
    return replace(
        axis,
        label="" if kind in ("date", "category") else pick(rng, labels),
        reverse=bool(rng.random() < 0.03),
        margin=float(rng.choice([0.0, 0.02, 0.05, 0.05])),
        cut=float(rng.uniform(0.1, 0.35)) if which == "y" and rng.random() < 0.07 else 0.0,
        rotation=rotation,
    )


def _panel(rng: np.random.Generator, style: str) -> PanelPlan:
    """Draw a panel with its axes and curves."""
    x, y = _axis(rng, "x", X_KINDS), _axis(rng, "y", Y_KINDS)
    if x.kind == "category":
        x = replace(x, margin=0.05, reverse=False)
    curves, branch_at = draw_curves(rng, style, x)
    if (
        curves[0].shape.start < curves[0].shape.end
    ):  # the frame may cut off where a curve starts, not where it ends
        y = replace(y, cut=0.0)
    return PanelPlan(x, y, curves, branch_at=branch_at, title=pick(rng, TITLES) if rng.random() < 0.3 else "")


def _second_axis(rng: np.random.Generator, panel: PanelPlan) -> PanelPlan:
    """Give a panel a second y axis or a second x axis, seldom."""
    chance = rng.random()
    if chance < 0.08 and 2 <= len(panel.curves) <= 6 and not panel.branch_at:
        return _twin(rng, panel)
    if 0.08 < chance < 0.14:
        top = _axis(rng, "x", {"si": 3, "plain": 2, "thousands": 1})
        # both axes run over the same width of the data
        top = replace(top, label=pick(rng, TOKEN_LABELS), margin=panel.x.margin, rotation=0.0, reverse=False)
        return replace(panel, top_x=top, title="")
    return panel


def _twin(rng: np.random.Generator, panel: PanelPlan) -> PanelPlan:
    """Give half of the curves a y axis at the right; colours or names say which curve is on which axis."""
    other = replace(
        _axis(rng, "y", {"plain": 4, "percent": 3, "si": 1, "log": 2}), cut=0.0, label=pick(rng, SCORE_LABELS)
    )
    half = len(panel.curves) // 2
    curves = tuple(replace(c, second=i >= half) for i, c in enumerate(panel.curves))
    if len(curves) == 2 and curves[0].color != curves[1].color:
        y, y2 = replace(panel.y, color=curves[0].color), replace(other, color=curves[1].color)
        return replace(panel, curves=curves, y=y, y2=y2)
    curves = tuple(replace(c, name=f"{c.name} ({'right' if c.second else 'left'})") for c in curves)
    return replace(panel, curves=curves, y2=other)


def _panels(rng: np.random.Generator, plan: FigurePlan) -> FigurePlan:
    """Turn a figure of one panel into one of two to four."""
    first = plan.panels[0]
    count = int(rng.choice([2, 2, 3, 4]))
    columns = 2 if count == 4 else count if rng.random() < 0.8 else 1
    share_y, share_x = columns > 1 and rng.random() < 0.4, count > columns and rng.random() < 0.5
    shared_names = rng.random() < 0.5
    panels = []
    for number in range(count):
        x = (
            first.x
            if share_x
            else replace(_axis(rng, "x", {"plain": 4, "thousands": 2, "si": 2, "log": 2}), rotation=0.0)
        )
        x = replace(first.x, rotation=0.0) if first.x.kind == "category" else x
        x = replace(x, ticks=4)
        y = first.y if share_y else replace(_axis(rng, "y", Y_KINDS), cut=0.0)
        title = f"({'abcd'[number]}) {pick(rng, TITLES[:6])}" if rng.random() < 0.8 else ""
        curves = _reseed(rng, first.curves, shared_names)
        panels.append(PanelPlan(x, y, curves, branch_at=first.branch_at, title=title))
    scale = 1.0 + 0.75 * (columns - 1)
    rows = -(-count // columns)
    return replace(
        plan,
        panels=tuple(panels),
        columns=columns,
        share_y=share_y,
        share_x=share_x,
        width=round(plan.width * scale),
        height=round(plan.height * (1.0 + 0.7 * (rows - 1))),
        legend=_legend(rng, len(first.curves), many=True, shared=shared_names),
    )


def _reseed(
    rng: np.random.Generator, curves: tuple[CurvePlan, ...], same_names: bool
) -> tuple[CurvePlan, ...]:
    """Return the curves with other values, and with other names unless one legend serves all panels."""
    names = [c.name for c in curves] if same_names else series_names(rng, len(curves))
    shift = float(rng.uniform(-0.04, 0.1))
    shapes = [
        replace(c.shape, end=min(max(c.shape.end + shift, 0.02), 0.95), seed=int(rng.integers(2**31)))
        for c in curves
    ]
    return tuple(replace(c, name=n, shape=s) for c, n, s in zip(curves, names, shapes, strict=True))


def _legend(rng: np.random.Generator, count: int, *, many: bool, shared: bool = False) -> LegendPlan:
    """Draw where the names stand."""
    if many:
        where = str(rng.choice(["below", "above", "right"])) if shared else "best"
    else:
        where = weighted(rng, {"inside": 62, "right": 8, "above": 7, "below": 7, "labels": 6, "none": 10})
        where = pick(rng, INSIDE) if where == "inside" else where
        where = "best" if where == "labels" and count > 6 else where
    columns = 1
    if where in ("above", "below"):
        columns = min(count, int(rng.integers(2, 5)))
    elif where != "right" and count >= 4 and rng.random() < 0.25:
        columns = 2
    frame = (False, True, None, None)[int(rng.integers(4))]
    over_data = where in INSIDE and (
        where != "best" or count > 4
    )  # names stay readable on a ground of their own
    return LegendPlan(
        where,
        columns,
        frame=True if over_data else frame,
        opacity=float(rng.choice([0.8, 0.8, 1.0, 0.5])),
        title=str(rng.choice(["Model", "Method", "Runs"])) if rng.random() < 0.1 else "",
        size=float(rng.choice([0, 0, 8, 9])),
    )


def _picture(rng: np.random.Generator, plan: FigurePlan) -> PicturePlan:
    """Draw what happens to the picture; only what leaves it readable for a person."""
    forms = {"rgb": 58, "jpeg": 20, "palette": 5, "rgb16": 3}
    curves = [c for p in plan.panels for c in p.curves]
    if len({(c.dash, c.marker) for c in plan.panels[0].curves}) == len(plan.panels[0].curves):
        forms |= {"grey": 6, "grey16": 3}  # told apart without colour
    if plan.look.style not in DARK_STYLES and plan.look.style in ("default", "open", "science", "tableau"):
        forms["rgba"] = 12
    form = weighted(rng, forms)
    text = plan.dpi * 10 / 72
    quality = int(rng.integers(30, 96)) if text > 11 else int(rng.integers(60, 96))
    chance = rng.random(4)
    plain = form == "rgba" or len(plan.panels) > 1
    fine = any(c.smoothed or c.shape.noise > 0.02 for c in curves)
    return PicturePlan(
        form,
        quality,
        rotation=float(rng.uniform(-2, 2)) if chance[0] < 0.05 and not plain else 0.0,
        noise=float(rng.uniform(2, 8)) if chance[1] < 0.05 and not plain and not fine else 0.0,
        surroundings=str(rng.choice(["browser", "card", "page"])) if chance[2] < 0.08 and not plain else "",
        shrink=max(float(rng.uniform(0.6, 0.95)), min(MIN_TEXT / text, 1.0)) if chance[3] < 0.08 else 1.0,
    )
