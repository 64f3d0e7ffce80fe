"""A plan becomes a picture, and the truth of what it shows."""

from __future__ import annotations

import io
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from numpy.typing import NDArray

from generator import axes as ticking
from generator.axes import AxisPlan
from generator.plan import CurvePlan, FigurePlan, LegendPlan, PanelPlan, VectorPlan
from generator.shapes import FloatArray, branch, sample
from generator.styles import STYLES

DENSE = 1 / 800  # widest step between two rows of the truth, as a share of the x axis
OUTSIDE = {"right": "outside right upper", "above": "outside upper center", "below": "outside lower center"}
MIN_OPAQUE = 0.97  # a legend this opaque hides what is under it


@dataclass(frozen=True)
class Series:
    """The truth of one drawn series: data values, and 1 where the drawing does not show them."""

    name: str
    x: FloatArray
    y: FloatArray
    hidden: NDArray[np.bool_]
    second: bool = False


@dataclass(frozen=True)
class Panel:
    """The truth of one panel; the box is (x0, y0, x1, y1) in pixels, origin at the top left."""

    plan: PanelPlan
    box: tuple[float, float, float, float]
    series: tuple[Series, ...]
    unnamed_extra: bool


@dataclass(frozen=True)
class Drawing:
    """A drawn figure: (height, width, 4) uint8 RGBA, its panels in reading order, and its vector file."""

    pixels: NDArray[np.uint8]
    panels: tuple[Panel, ...]
    data: bytes = b""


def draw(plan: FigurePlan) -> Drawing:
    """Draw the figure and return it with its truth; x tick labels that touch are made fewer or turned."""
    for x_changes in ({}, {"ticks": 4}, {"ticks": 3}, {"ticks": 3, "rotation": 90.0}):
        panels = tuple(replace(p, x=replace(p.x, **x_changes)) for p in plan.panels)
        drawing, crowded = _draw(replace(plan, panels=panels))
        if not crowded:
            break
    return drawing


def _draw(plan: FigurePlan) -> tuple[Drawing, bool]:
    """Draw the figure as it is planned; also return whether tick labels of an x axis run into one another."""
    sheets, settings = STYLES[plan.look.style]
    with mpl.rc_context(), style.context(["default", *sheets, {**settings, **_look(plan)}]):
        figure = Figure(
            figsize=(plan.width / plan.dpi, plan.height / plan.dpi), dpi=plan.dpi, layout="constrained"
        )
        canvas = FigureCanvasAgg(figure)
        figure.get_layout_engine().set(w_pad=plan.pad, h_pad=plan.pad)
        grid = figure.subplots(
            plan.rows, plan.columns, squeeze=False, sharey=plan.share_y, sharex=plan.share_x
        ).ravel()
        for spare in grid[len(plan.panels) :]:
            spare.set_axis_off()
        drawn = [_draw_panel(ax, panel, plan) for ax, panel in zip(grid, plan.panels, strict=False)]
        legends = _legends(figure, drawn, plan)
        canvas.draw()
        opaque = [_opaque_box(legend) for legend in legends if legend.get_frame().get_visible()]
        boxes = [box for box in opaque if box is not None]
        height = canvas.get_width_height()[1]
        panels = tuple(_truth(ax, p, d, boxes, height) for (ax, d), p in zip(drawn, plan.panels, strict=True))
        crowded = any(_crowded(ax) for ax, _ in drawn)
        data = b"" if crowded or plan.vector is None else _save(figure, plan.vector)
        return Drawing(np.array(canvas.buffer_rgba()), panels, data), crowded


def _save(figure: Figure, vector: VectorPlan) -> bytes:
    """Return the figure as a PDF or SVG that is the same each time."""
    out = io.BytesIO()
    date = {"pdf": "CreationDate", "svg": "Date"}[vector.suffix]
    figure.savefig(out, format=vector.suffix, metadata={date: None})
    return out.getvalue()


def _crowded(ax: Axes) -> bool:
    """Return whether tick labels of the x axis touch."""
    labels = [t for t in ax.get_xticklabels(which="both") if t.get_text() and t.get_visible()]
    boxes = sorted((b.x0, b.x1) for b in (t.get_window_extent() for t in labels))
    return any(right > left - 2 for (_, right), (left, _) in pairwise(boxes))


def _look(plan: FigurePlan) -> dict[str, Any]:
    """Return the settings that the plan puts on top of the style."""
    look = plan.look
    settings: dict[str, Any] = {"axes.unicode_minus": not look.hyphen_minus, "font.size": 10.0}
    if look.style != "science":
        settings["font.family"] = look.font
    if look.ticks == "none":
        settings |= {f"{a}tick.{k}.size": 0 for a in "xy" for k in ("major", "minor")}
    elif look.ticks:
        settings |= {f"{a}tick.direction": look.ticks for a in "xy"}
    if look.spines in ("open", "bottom", "offset"):
        settings |= {"axes.spines.top": False, "axes.spines.right": False}
        settings |= {"axes.spines.left": look.spines != "bottom"}
    if look.grid:
        settings |= {
            "axes.grid": look.grid != "none",
            "axes.grid.which": "both" if look.grid == "both" else "major",
        }
        settings |= {"axes.grid.axis": "y" if look.grid == "y" else "both"}
        settings |= {"grid.linestyle": "--"} if look.grid == "dashed" else {}
    if plan.vector:
        fonts = int(plan.vector.fonts) if plan.vector.suffix == "pdf" else plan.vector.fonts
        settings |= {f"{plan.vector.suffix}.fonttype": fonts, "path.simplify": plan.vector.simplified}
        settings |= {"svg.hashsalt": "bench"}
    return settings


Drawn = tuple[Axes, list[tuple[CurvePlan, str, FloatArray, FloatArray, Any, Axes]]]


def _draw_panel(ax: Axes, panel: PanelPlan, plan: FigurePlan) -> Drawn:
    """Set up one panel's axes and draw its curves; return a row for each series."""
    ticking.apply(ax, "x", panel.x)
    ticking.apply(ax, "y", panel.y)
    place = ax.get_subplotspec()
    if plan.share_y and place and not place.is_first_col():
        ax.tick_params(axis="y", which="both", labelleft=False)
        ax.set_ylabel("")
    if plan.share_x and place and not place.is_last_row():
        ax.tick_params(axis="x", which="both", labelbottom=False)
        ax.set_xlabel("")
    if plan.look.spines == "offset":
        for side in ("left", "bottom"):
            ax.spines[side].set_position(("outward", 8))
    if panel.title:
        ax.set_title(panel.title)
    twin = ax.twinx() if panel.y2 else None
    if twin is not None and panel.y2:
        ticking.apply(twin, "y", panel.y2)
        twin.grid(visible=False)
    if panel.top_x:
        top = ax.twiny()
        ticking.apply(top, "x", panel.top_x)
        top.grid(visible=False)
    drawn = []
    for curve, (x, y) in zip(panel.curves, _values(panel), strict=True):
        on = twin if curve.second and twin is not None else ax
        drawn += _draw_curve(on, curve, x, y)
    return ax, drawn


def _values(panel: PanelPlan) -> list[tuple[FloatArray, FloatArray]]:
    """Return x and y of each curve in data units."""
    curves = [sample(c.shape) for c in panel.curves]
    if panel.branch_at:
        curves = branch(curves, panel.branch_at)
    out = []
    for plan, (x, y) in zip(panel.curves, curves, strict=True):
        axis = panel.y2 if plan.second and panel.y2 else panel.y
        out.append((panel.x.value(x), axis.value(y)))
    return out


def _draw_curve(ax: Axes, curve: CurvePlan, x: FloatArray, y: FloatArray) -> list[Any]:
    """Draw one curve, and what belongs to it; return a row for each series that it makes."""
    style_ = {"color": curve.color, "linewidth": curve.width, "linestyle": curve.dash or "none"}
    style_ |= {"drawstyle": "steps-post" if curve.stairs else "default"}
    if curve.marker:
        style_ |= {"marker": curve.marker, "markevery": curve.markevery}
    if curve.smoothed:
        (raw,) = ax.plot(x, y, alpha=0.3, **style_)
        smooth = _moving_average(y)
        (line,) = ax.plot(x, smooth, **style_)
        rows = [(curve, f"{curve.name} (raw)", x, y, raw, ax)] if curve.smoothed == "named" else []
        return [*rows, (curve, curve.name, x, smooth, line, ax)]
    if curve.bounds == "bars":
        bars = ax.errorbar(x, y, yerr=_spread(ax, x), capsize=3, alpha=curve.opacity, **style_)
        return [(curve, curve.name, x, y, bars, ax)]
    (line,) = ax.plot(x, y, alpha=curve.opacity, **style_)
    if curve.bounds == "band":
        spread = _spread(ax, x)
        ax.fill_between(x, y - spread, y + spread, color=curve.color, alpha=0.2, linewidth=0)
    return [(curve, curve.name, x, y, line, ax)]


def _spread(ax: Axes, x: FloatArray) -> FloatArray:
    """Return half widths of a band or of error bars, data units: a few hundredths of the axis."""
    low, high = sorted(ax.get_ylim())
    base = low if ax.get_yscale() == "log" else high - low
    ripple = 1 + 0.5 * np.sin(np.linspace(0, 9, len(x)))
    return np.asarray(0.03 * abs(base) * ripple)


def _moving_average(y: FloatArray, keep: float = 0.95) -> FloatArray:
    """Return the exponential moving average that dashboards draw over a noisy curve."""
    out, last = np.empty_like(y), y[0]
    for i, value in enumerate(y):
        last = keep * last + (1 - keep) * value
        out[i] = last
    return out


def _legends(figure: Figure, drawn: list[Drawn], plan: FigurePlan) -> list[Legend]:
    """Put the names where the plan wants them; return the legends."""
    legend = plan.legend
    if legend.where == "none":
        return []
    if legend.where == "labels":
        for _, rows in drawn:
            _label_ends(rows)
        return []
    style_ = _legend_style(legend)
    if legend.where in OUTSIDE:
        return [figure.legend(*_entries(drawn[0][1]), loc=OUTSIDE[legend.where], **style_)]
    # the legend of a twin goes over both axes' curves
    tops = [rows[-1][5] for _, rows in drawn]
    return [
        top.legend(*_entries(rows), loc=legend.where, **style_)
        for top, (_, rows) in zip(tops, drawn, strict=True)
    ]


def _entries(rows: list[Any]) -> tuple[list[Any], list[str]]:
    """Return the handles and names of a legend."""
    return [r[4] for r in rows], [r[1] for r in rows]


def _legend_style(plan: LegendPlan) -> dict[str, Any]:
    """Return the legend's arguments that do not depend on its place."""
    style_: dict[str, Any] = {"ncols": plan.columns, "framealpha": plan.opacity, "title": plan.title or None}
    style_ |= {} if plan.frame is None else {"frameon": plan.frame}
    return style_ | ({"fontsize": plan.size} if plan.size else {})


def _label_ends(rows: list[Any]) -> None:
    """Write each name at its curve's right end, in the curve's colour, far enough apart to be read."""
    heights = [
        r[5].transAxes.inverted().transform(r[5].transData.transform((r[2][-1], r[3][-1])))[1] for r in rows
    ]
    order = np.argsort(heights)
    least = -1.0
    for i in order:
        curve, name, _, _, _, ax = rows[i]
        least = max(heights[i], least + 0.055)
        ax.annotate(
            name, (1.0, least), xycoords="axes fraction", xytext=(5, 0), textcoords="offset points",
            color=curve.color, va="center", annotation_clip=False,
        )  # fmt: skip


def _opaque_box(legend: Legend) -> tuple[float, float, float, float] | None:
    """Return the legend's box in display coordinates if it hides what is under it."""
    if (legend.get_frame().get_alpha() or 1.0) < MIN_OPAQUE:
        return None
    return legend.get_frame().get_window_extent().extents


def _truth(ax: Axes, plan: PanelPlan, drawn: list[Any], boxes: list[Any], height: int) -> Panel:
    """Return the panel's truth: dense data, and where the drawing does not show it."""
    extent = ax.get_window_extent()
    box = (extent.x0 - 0.5, height - extent.y1 - 0.5, extent.x1 - 0.5, height - extent.y0 - 0.5)
    series = []
    for curve, name, x, y, _, on in drawn:
        y_axis = plan.y2 if curve.second and plan.y2 else plan.y
        dense = bool(curve.dash) and plan.x.kind != "category"
        if dense:
            x, y = _densify(plan.x, y_axis, *(_stairs(x, y) if curve.stairs else (x, y)))
        at = on.transData.transform(np.column_stack([x, y]))
        hidden = ~(_reaches_inside(at, extent) if dense else _is_inside(at, extent))
        for x0, y0, x1, y1 in boxes:
            hidden |= (at[:, 0] > x0) & (at[:, 0] < x1) & (at[:, 1] > y0) & (at[:, 1] < y1)
        series.append(Series(name, x, y, hidden, curve.second))
    return Panel(plan, box, tuple(series), any(c.smoothed == "unnamed" for c in plan.curves))


def _is_inside(at: FloatArray, extent: Any) -> NDArray[np.bool_]:
    """Return which points are inside the frame."""
    x, y = at.T
    return np.asarray((y >= extent.y0) & (y <= extent.y1) & (x >= extent.x0) & (x <= extent.x1))


def _reaches_inside(at: FloatArray, extent: Any) -> NDArray[np.bool_]:
    """Return which points are inside the frame or next to one that is, so that lines to the frame count."""
    inside = _is_inside(at, extent)
    near = inside.copy()
    near[1:] |= inside[:-1]
    near[:-1] |= inside[1:]
    return np.asarray(near)


def _stairs(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the corners of the steps that go through the points."""
    return np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]


def _densify(
    x_axis: AxisPlan, y_axis: AxisPlan, x: FloatArray, y: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the polyline with rows no further apart than `DENSE`; lines are straight on the drawn axes."""
    u, v = x_axis.share(x), y_axis.share(y)
    at = np.arange(len(u), dtype=float)
    counts = np.maximum(np.ceil(np.abs(np.diff(u)) / DENSE).astype(int), 1)
    where = np.concatenate([i + np.arange(n) / n for i, n in enumerate(counts)] + [at[-1:]])
    return x_axis.value(np.interp(where, at, u)), y_axis.value(np.interp(where, at, v))
