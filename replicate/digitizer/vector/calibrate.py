"""Panels and their axes: candidates are fitted, the best supported are kept, and axes are shared."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from replicate.digitizer import axes, axis_search
from replicate.digitizer.model import AxisFit, Box, FloatArray, TickMark
from replicate.digitizer.settings import AxisScale, Settings
from replicate.digitizer.snapping import fit_rounded
from replicate.digitizer.vector.lettering import Lettering
from replicate.digitizer.vector.segments import Strokes
from replicate.digitizer.vector.sides import SideReading, read_side


@dataclass(frozen=True)
class CalibrationSettings:
    """Thresholds of the calibration, in units in which text is 20 high.

    Attributes:
        exact: Largest root mean square distance of ticks from an axis that was not rounded.
        labels: Fewest labels that a panel must rest on.
        overlap: How far two panels may reach into one another.
        aligned: How far the edges of panels that share an axis may be out of line.
        unusual: Fewest labels of an axis at the right or top.
        doubt: Largest doubt of such an axis.
    """

    exact: float = 0.03
    labels: int = 1
    overlap: float = 4.0
    aligned: float = 2.0
    unusual: int = 3
    doubt: float = 0.3


@dataclass(frozen=True, eq=False)
class CalibratedPanel:
    """A panel with what its sides say.

    Attributes:
        box: The area of its curves.
        sides: What stands beside its edges, those that are axes.
        x: The x axis, or None.
        y: The y axis at the left (or the only one), or None.
        y2: A second y axis at the right, or None.
        borrowed: Whether an axis is another panel's.
    """

    box: Box
    sides: Mapping[str, SideReading]
    x: AxisFit | None
    y: AxisFit | None
    y2: AxisFit | None = None
    borrowed: bool = False

    @property
    def support(self) -> float:
        """How well the calibration is supported: its labels in use, less its doubts."""
        fits = [axis for axis in (self.x, self.y, self.y2) if axis]
        return sum(sum(t.used for t in axis.ticks) - 2 * axis.doubt for axis in fits)

    def is_marked(self, axis: AxisFit) -> bool:
        """Whether the labels of an axis stand at ticks or grid lines; without, its place rests on the letters'."""
        evidence = [s.evidence for s in self.sides.values()]
        own = [e for e in evidence if {x.text for x in e.labels} >= {t.text for t in axis.ticks}]
        places = {m.pixel for e in own for m in e.marks}
        return not own or axis.scale == "category" or any(t.pixel in places for t in axis.ticks if t.used)


def calibrate(
    boxes: Sequence[Box],
    texts: Sequence[Lettering],
    strokes: tuple[Strokes, Strokes],
    wishes: Settings,
    settings: CalibrationSettings | None = None,
) -> list[CalibratedPanel]:
    """Calibrate candidates, and keep the best supported of those that overlap.

    Args:
        boxes: Candidates.
        texts: The page's texts.
        strokes: Its level and its upright strokes.
        wishes: A person's scales and calibrations.
        settings: Thresholds.

    Returns:
        Panels in reading order, each with at least one axis.
    """
    settings = settings or CalibrationSettings()
    read = [_calibrate_one(b, boxes, texts, strokes, wishes, settings) for b in boxes]
    kept: list[CalibratedPanel] = []
    for c in sorted(read, key=lambda c: (-c.support, -c.box.width * c.box.height)):
        alone = not any(_overlap(c.box, k.box, settings.overlap) for k in kept)
        if (c.x or c.y) and c.support >= settings.labels - 0.5 and alone:
            kept.append(c)
    bare = [c for c in read if not c.x and not c.y]
    for c in bare:  # an inner panel of a grid, labelled by its neighbours alone
        row = any(_same(c.box[1::2], k.box[1::2], settings.aligned) for k in kept)
        column = any(_same(c.box[::2], k.box[::2], settings.aligned) for k in kept)
        if row and column and not any(_overlap(c.box, k.box, settings.overlap) for k in kept):
            kept.append(c)
    return _in_reading_order(_share_axes(kept, settings))


def _calibrate_one(
    box: Box,
    boxes: Sequence[Box],
    texts: Sequence[Lettering],
    strokes: tuple[Strokes, Strokes],
    wishes: Settings,
    settings: CalibrationSettings,
) -> CalibratedPanel:
    """Read the sides of a candidate and fit its axes."""
    others = [b for b in boxes if not _overlap(b, box, settings.overlap)]
    sides: dict[str, SideReading] = {}
    fits: dict[str, AxisFit | None] = {}
    for side in ("left", "bottom", "right", "top"):
        across = strokes[1] if side in ("bottom", "top") else strokes[0]
        taken = [t.text.box for s in sides.values() for t in (*s.used, *((s.title,) if s.title else ()))]
        gutters = [g for o in others if (g := _gutter(box, o))] if side == "right" else []
        sides[side] = read_side(box, side, texts, across, [*others, *gutters, *taken])
        fits[side] = fit(
            sides[side], wishes.x_scale if side in ("bottom", "top") else wishes.y_scale, settings
        )
        if side in ("right", "top") and not _trusted(fits[side], settings):
            fits[side] = None
        if fits[side] is None:
            del sides[side]
    y, y2 = (fits["left"], fits["right"]) if fits["left"] else (fits["right"], None)
    if y and y2 and _one_axis(y, y2, box):
        y2 = None
    x = fits["bottom"]
    if x is None or (x.scale == "category" and not _on_ticks(x, sides["bottom"])):
        x = fits["top"] or x
    x = axes.fit_person(wishes.x_ticks, wishes.x_scale) if wishes.x_ticks else x
    y = axes.fit_person(wishes.y_ticks, wishes.y_scale) if wishes.y_ticks else y
    return CalibratedPanel(box, sides, x, y, y2)


def _on_ticks(axis: AxisFit, side: SideReading) -> bool:
    """Whether all labels of an axis stand at ticks."""
    places = {m.pixel for m in side.evidence.marks}
    return all(t.pixel in places for t in axis.ticks)


def fit(side: SideReading, scale: AxisScale, settings: CalibrationSettings) -> AxisFit | None:
    """Fit the axis of a side, exactly through its ticks."""
    found = axes.fit_axis(side.evidence, scale)
    if found is None or not np.isfinite(found.to_value(np.array(side.evidence.span))).all():
        return None
    found = sharpen(found, side.evidence.marks, settings)
    zero = found.scale == "log" and any(t.value == 0 for t in found.ticks)  # speaks of another scale (symlog)
    return replace(found, doubt=max(found.doubt, 0.6)) if zero else found


def sharpen(
    found: AxisFit, marks: Sequence[TickMark], settings: CalibrationSettings | None = None
) -> AxisFit:
    """Refit an axis to the labels that stand on marks, which are exact to the digits of the file.

    Where the marks turn out to have been rounded to whole or half units, the axis is the centroid of those that
    agree with all of them.

    Args:
        found: The axis as fitted to labels and marks.
        marks: Its marks.
        settings: Thresholds.

    Returns:
        The axis, its residual that of its ticks; the same axis where there are fewer than two.
    """
    settings = settings or CalibrationSettings()
    places = {m.pixel for m in marks}
    used = [t for t in found.ticks if t.used and t.pixel in places]
    values = np.array([t.value for t in used], dtype=np.float64)
    pixel = np.array([t.pixel for t in used], dtype=np.float64)
    if not used or found.scale == "category":
        return found
    u = np.log10(values) if found.scale == "log" else values
    if found.scale == "log":
        u, pixel = _with_minor_ticks(found, u, pixel, np.array(sorted(places)))
    if len(u) < 2:
        return found
    intercept, slope = axis_search.line(pixel, u, np.ones_like(pixel))
    if slope == 0:
        return found
    residual = _residual(pixel, u, intercept, slope)
    if residual > settings.exact and len(u) >= 3:
        rounded = fit_rounded(u, pixel)
        if rounded and rounded[1] != 0:
            intercept, slope = -rounded[0] / rounded[1], 1 / rounded[1]
    return replace(found, intercept=intercept, slope=slope, residual_px=residual)


def _with_minor_ticks(
    found: AxisFit, u: FloatArray, pixel: FloatArray, marks: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Add the unlabelled ticks of a log axis at 2 to 9 times the powers of ten, those nearest to the labels first."""
    extra = marks[np.abs(marks[:, None] - pixel[None, :]).min(axis=1) > 0.5]
    fit = (found.intercept, found.slope)
    for mark in extra[np.argsort(np.abs(extra[:, None] - pixel[None, :]).min(axis=1))].tolist():
        at = fit[0] + fit[1] * mark
        decade = math.floor(at)
        expected = decade + math.log10(max(round(10 ** (at - decade)), 1))
        gap = (1 - math.log10(9)) / abs(fit[1])  # from 9 to 10, the closest ticks
        if abs(expected - at) / abs(fit[1]) < min(0.6, 0.3 * gap):
            u, pixel = np.append(u, expected), np.append(pixel, mark)
            fit = axis_search.line(pixel, u, np.ones_like(pixel))
    return u, pixel


def _residual(pixel: FloatArray, u: FloatArray, intercept: float, slope: float) -> float:
    """Return the root mean square distance of ticks from an axis."""
    return float(np.sqrt(np.mean(((u - intercept) / slope - pixel) ** 2)))


def _trusted(found: AxisFit | None, settings: CalibrationSettings) -> bool:
    """Whether labels on an unusual side are an axis: several fit, and nothing else fits as well."""
    if found is None or found.scale == "category":
        return False
    return sum(t.used for t in found.ticks) >= settings.unusual and found.doubt < settings.doubt


def _one_axis(a: AxisFit, b: AxisFit, box: Box) -> bool:
    """Whether the labels at the right repeat those at the left."""
    ends = np.array([box.y0, box.y1])
    return a.scale == b.scale and bool(np.allclose(a.to_value(ends), b.to_value(ends), rtol=1e-3, atol=0))


def _gutter(box: Box, other: Box) -> Box | None:
    """Return the half of the gap to a panel on the right that belongs to that panel's own labels."""
    level = min(box.y1, other.y1) > max(box.y0, other.y0)
    if not level or other.x0 <= box.x1:
        return None
    return Box(box.x1 + 0.35 * (other.x0 - box.x1), other.y0 - 20, other.x0, other.y1 + 20)


def _overlap(a: Box, b: Box, slack: float) -> bool:
    """Whether two boxes share more than a rim."""
    width, height = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
    return width > slack and height > slack


def _share_axes(panels: list[CalibratedPanel], settings: CalibrationSettings) -> list[CalibratedPanel]:
    """Give panels without labels the axis of a neighbour in the same row (y) or column (x); drop the rest."""
    shared = []
    for p in panels:
        x, y = p.x, p.y
        if y is None:
            row = [q for q in panels if q.y and _same(q.box[1::2], p.box[1::2], settings.aligned)]
            nearest = min(row, key=lambda q: abs(q.box.x0 - p.box.x0), default=None)
            y = nearest.y if nearest else None
        if x is None:
            column = [q for q in panels if q.x and _same(q.box[::2], p.box[::2], settings.aligned)]
            below = min(column, key=lambda q: abs(q.box.y0 - p.box.y0), default=None)
            x = below.x if below else None
        if x and y:
            shared.append(replace(p, x=x, y=y, borrowed=x is not p.x or y is not p.y))
    return shared


def _same(a: Sequence[float], b: Sequence[float], slack: float) -> bool:
    """Whether two ranges are one, to some slack."""
    return all(abs(p - q) <= slack for p, q in zip(a, b, strict=True))


def _in_reading_order(panels: Sequence[CalibratedPanel]) -> list[CalibratedPanel]:
    """Sort panels by rows from the top, then from the left."""
    rows: list[list[CalibratedPanel]] = []
    for p in sorted(panels, key=lambda p: p.box.centre[1]):
        if rows and abs(rows[-1][0].box.centre[1] - p.box.centre[1]) < 0.4 * p.box.height:
            rows[-1].append(p)
        else:
            rows.append([p])
    return [p for row in rows for p in sorted(row, key=lambda p: p.box.x0)]
