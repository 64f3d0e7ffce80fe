"""Effects on a small scale: the number with its interval against what the claim expects."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from markupsafe import Markup

from replicate.report.scales import Scale, interval, number, spanning
from replicate.report.svg import coordinate, element

WIDTH = 168.0
WIDE = 460.0
INSET = 5.0
ROW = 18.0
LOW_ROW = 11.0
TICK_ROW = 15.0

Support = Literal["yes", "no", "open"]


@dataclass(frozen=True)
class Mark:
    """One number on a scale.

    Attributes:
        value: Where its point stands.
        bounds: Its interval, or None.
        support: Whether it supports the claim; decides the point's shape and colour.
        name: What it is, for a screen reader.
    """

    value: float
    bounds: tuple[float, float] | None
    support: Support
    name: str = ""


@dataclass(frozen=True)
class Gauge:
    """Numbers of one unit on one scale, each on a row of its own.

    Attributes:
        marks: The numbers.
        scale: The scale.
        expected: What the claim expects, (low, high), either may be infinite; or None.
        unit: Their unit.
        width: Its width, drawing units.
        row: The height of a row, drawing units.
    """

    marks: tuple[Mark, ...]
    scale: Scale
    expected: tuple[float, float] | None
    unit: str
    width: float = WIDTH
    row: float = ROW


def common_scale(marks: Sequence[Mark], expected: tuple[float, float] | None) -> Scale:
    """Return the linear scale that holds the numbers, their bounds and the finite expected ends."""
    ends = [e for e in expected or () if math.isfinite(e)]
    values = [m.value for m in marks] + [b for m in marks for b in m.bounds or () if math.isfinite(b)]
    zero = 0.0 if expected and not ends else None
    return spanning(values + ends, floor=zero)


def specification(marks: Sequence[Mark], expected: tuple[float, float] | None, unit: str) -> Gauge:
    """Return a specification chart: the same quantity by every definition, in ascending order."""
    ordered = tuple(sorted(marks, key=lambda m: m.value))
    return Gauge(ordered, common_scale(marks, expected), expected, unit, WIDE, LOW_ROW)


def draw_gauge(gauge: Gauge) -> Markup:
    """Return the numbers as an SVG element, one row each, with what is expected shaded behind them."""
    height = gauge.row * len(gauge.marks)
    middles = [gauge.row * (i + 0.5) for i in range(len(gauge.marks))]
    rails = "".join(f"M{INSET:g} {y:g}H{gauge.width - INSET:g}" for y in middles)
    marks = [_mark(mark, gauge, y) for mark, y in zip(gauge.marks, middles, strict=True)]
    picture = (_expected(gauge, height), element("path", d=rails, class_="rail"), *marks)
    return _svg(gauge, height, "gauge", picture, role="img", aria_label=describe(gauge))


def draw_ruler(gauge: Gauge) -> Markup:
    """Return the scale's ticks as an SVG element as wide as the gauge, to stand below its rows."""
    rail, parts = f"M{INSET:g} .5H{gauge.width - INSET:g}", []
    for tick in gauge.scale.ticks(3 if gauge.width == WIDTH else 6):
        at = _at(gauge, tick.value)
        anchor = "start" if at < 3 * INSET else "end" if at > gauge.width - 3 * INSET else "middle"
        rail += f"M{coordinate(at)} 0v4"
        parts.append(element("text", tick.text, x=at, y=TICK_ROW - 1, text_anchor=anchor))
    return _svg(
        gauge, TICK_ROW, "gauge ruler", [element("path", d=rail, class_="rail"), *parts], aria_hidden="true"
    )


def describe(gauge: Gauge) -> str:
    """Return the numbers in words."""
    lines = [
        " ".join(filter(None, (m.name, number(m.value), gauge.unit, interval(m.bounds)))) for m in gauge.marks
    ]
    tail = f"; expected {interval(gauge.expected)}" if gauge.expected else ""
    return "; ".join(lines) + tail


def _svg(gauge: Gauge, height: float, name: str, children: Iterable[Markup], **attributes: str) -> Markup:
    """Return the outer element, as many CSS pixels wide as drawing units."""
    view = f"0 0 {gauge.width:g} {height:g}"
    size = {"width": gauge.width, "height": height}
    return element("svg", *children, class_=name, viewBox=view, **size, **attributes)


def _at(gauge: Gauge, value: float) -> float:
    """Return the horizontal drawing coordinate of a value, held inside the scale."""
    share = float(gauge.scale.share(value)) if math.isfinite(value) else (1.0 if value > 0 else 0.0)
    return INSET + min(max(share, 0.0), 1.0) * (gauge.width - 2 * INSET)


def _expected(gauge: Gauge, height: float) -> Markup:
    """Return the shaded stretch that the claim expects; open ends run to the edge of the drawing."""
    if gauge.expected is None:
        return Markup("")
    low, high = gauge.expected
    x0 = 0.0 if math.isinf(low) else _at(gauge, low)
    x1 = gauge.width if math.isinf(high) else _at(gauge, high)
    return element("rect", x=x0, y=0.0, width=max(x1 - x0, 1.5), height=height, class_="expected")


def _end(bound: float, x: float, y: float, inward: int) -> str:
    """Return the path data of an interval's end: a bar, or an arrow's head where it has no end."""
    start = coordinate(y - 3)
    if math.isfinite(bound):
        return f"M{coordinate(x)} {start}v6"
    return f"M{coordinate(x + 4 * inward)} {start}L{coordinate(x)} {coordinate(y)}l{4 * inward} 3"


def _mark(mark: Mark, gauge: Gauge, y: float) -> Markup:
    """Return a number's interval and its point: a disc supports, a cross does not, a ring is open."""
    x = _at(gauge, mark.value)
    size = 4.0 if gauge.row == ROW else 3.2
    parts = []
    if mark.bounds is not None:
        low, high = mark.bounds
        x0, x1 = (_at(gauge, b) for b in mark.bounds)
        line = f"M{coordinate(x0)} {coordinate(y)}H{coordinate(x1)}"
        parts.append(element("path", d=line + _end(low, x0, y, 1) + _end(high, x1, y, -1)))
    if mark.support == "no":
        d = f"M{x - size:.1f} {y - size:.1f}l{2 * size:g} {2 * size:g}m0 {-2 * size:g}l{-2 * size:g} {2 * size:g}"
        parts.append(element("path", d=d, class_="cross"))
    else:
        parts.append(element("circle", cx=x, cy=y, r=size))
    return element("g", *parts, class_=f"mark {mark.support}")
