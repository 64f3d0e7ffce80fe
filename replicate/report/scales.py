"""Axes of the report's charts: values to the drawing, round ticks, numbers that always read the same."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]

MINUS = "\N{MINUS SIGN}"
YEARS = (
    1000,
    9999,
)  # what a date axis' values are taken for: others are fractions of a year that is not named
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True)
class Tick:
    """A tick of an axis.

    Attributes:
        value: Where it stands, in data units.
        text: Its label; empty for a minor tick.
        power: The exponent where the label is a power of ten (drawn raised after a 10), else None.
    """

    value: float
    text: str
    power: int | None = None


@dataclass(frozen=True)
class Scale:
    """A linear or logarithmic axis between two values.

    Attributes:
        low: The value at the start of the axis.
        high: The value at its end; not equal to low.
        log: Whether equal ratios have equal lengths; both ends are then positive.
        label: The axis' title.
        marks: Ticks to be used instead of round ones, as pairs of value and label: dates and categories have such.
        dates: Whether the values are decimal years.
    """

    low: float
    high: float
    log: bool = False
    label: str = ""
    marks: tuple[tuple[float, str], ...] = ()
    dates: bool = False

    @cached_property
    def _ends(self) -> tuple[float, float]:
        """Return the two ends as they are spaced on paper."""
        return (math.log10(self.low), math.log10(self.high)) if self.log else (self.low, self.high)

    def share(self, values: ArrayLike) -> FloatArray:
        """Return how far along the axis the values lie, 0 to 1 inside it; NaN where a log axis has none."""
        u = np.asarray(values, dtype=np.float64)
        if self.log:
            u = np.log10(u, where=u > 0, out=np.full_like(u, np.nan))
        start, end = self._ends
        return np.asarray((u - start) / (end - start), dtype=np.float64)

    def ticks(self, count: int = 5) -> tuple[Tick, ...]:
        """Return ticks at round values, about as many as asked for; where the axis has marks, those inside it."""
        if self.marks:
            low, high = sorted((self.low, self.high))
            inside = tuple(Tick(v, text) for v, text in self.marks if low <= v <= high)
            return inside[:: max(1, math.ceil(len(inside) / (count + 1)))]
        return _log_ticks(self, count) if self.log else _linear_ticks(self, count)

    def text(self, value: float) -> str:
        """Return a value of this axis for people: a day, the name of a category, or a number."""
        if self.dates and YEARS[0] <= value < YEARS[1]:
            return day(value)
        return next((text for v, text in self.marks if not self.dates and v == value), None) or number(value)


def spanning(values: ArrayLike, *, log: bool = False, label: str = "", floor: float | None = None) -> Scale:
    """Return the axis that holds all finite values (all positive ones on a log axis), ending on round values.

    Args:
        values: Any numbers.
        log: Whether the axis is logarithmic.
        label: Its title.
        floor: A value that the axis also has to hold, or None.
    """
    u = np.asarray(values, dtype=np.float64).ravel()
    u = u[np.isfinite(u) & (u > 0 if log else True)]
    if floor is not None:
        u = np.append(u, floor)
    if not u.size:
        return Scale(0.1 if log else 0.0, 1.0, log, label)
    low, high = float(u.min()), float(u.max())
    if log:
        return Scale(*_log_ends(low, high), log=True, label=label)
    if low == high:
        low, high = low - (abs(low) or 1.0) / 2, high + (abs(high) or 1.0) / 2
    step = _round_step((high - low) / 4) / 2
    return Scale(math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step, False, label)


def _log_ends(low: float, high: float) -> tuple[float, float]:
    """Return the ends of a log axis around the values: 1, 2 or 5 times a power of ten."""
    exponents = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 2)
    grid = [float(f"{m}e{k}") for k in exponents for m in (1, 2, 5)]
    below = max(g for g in grid if g <= low * (1 + 1e-9))
    return below, min(g for g in grid if g > below and g >= high * (1 - 1e-9))


def _round_step(raw: float) -> float:
    """Return the smallest of 1, 2, 2.5, 5 times a power of ten that is at least ``raw``."""
    unit = 10.0 ** math.floor(math.log10(raw))
    return unit * next(s for s in _STEPS if s * unit >= raw * (1 - 1e-9))


def _linear_ticks(scale: Scale, count: int) -> tuple[Tick, ...]:
    """Return the multiples of a round step inside a linear axis."""
    low, high = sorted((scale.low, scale.high))
    step = _round_step((high - low) / count)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    decimals += round(step * 10**decimals, 6) != round(step * 10**decimals)  # a step of 2.5, 0.25, ...
    values = [round(k * step, 12) + 0.0 for k in range(first, last + 1)]
    return tuple(Tick(v, _grouped(v, decimals)) for v in values)


def _log_ticks(scale: Scale, count: int) -> tuple[Tick, ...]:
    """Return the decades inside a log axis, with 1, 2, 5 labelled where there are few of them."""
    low, high = sorted((scale.low, scale.high))
    first, last = math.floor(math.log10(low) + 1e-9), math.ceil(math.log10(high) - 1e-9)
    every = max(1, math.ceil((last - first) / (count + 1)))
    short = high / low < 100
    ticks = []
    for k in range(first, last + 1):
        for m in range(1, 10):
            value = float(f"{m}e{k}")
            if not low * (1 - 1e-9) <= value <= high * (1 + 1e-9):
                continue
            if short and m in (1, 2, 5):
                ticks.append(Tick(value, number(value)))
            elif m == 1 and (k - first) % every == 0:
                ticks.append(Tick(value, f"1e{k}", k))
            elif every == 1:
                ticks.append(Tick(value, ""))
    return tuple(ticks)


def _grouped(value: float, decimals: int) -> str:
    """Return a number with a fixed number of decimals, thousands apart, and a true minus sign."""
    if value and (abs(value) >= 1e7 or abs(value) < 1e-5):
        return _scientific(value, 2)
    return f"{value:,.{decimals}f}".replace("-", MINUS)


def number(value: float | None, digits: int = 3) -> str:
    """Return a number for people: so many significant digits, thousands apart, a true minus sign.

    Args:
        value: Any number, or None.
        digits: Significant digits; whole numbers below ten million keep all of theirs.

    Returns:
        Text such as ``17,500``, ``4.72``, ``1.3e−5``, ``∞``; a dash for None and NaN.
    """
    if value is None or math.isnan(value):
        return "\N{EN DASH}"
    if math.isinf(value):
        return "\N{INFINITY}" if value > 0 else f"{MINUS}\N{INFINITY}"
    if value == 0:
        return "0"
    if abs(value) >= 1e7 or abs(value) < 1e-4:
        return _scientific(value, digits)
    if value == round(value):
        return _grouped(value, 0)
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    text = _grouped(value, decimals)
    return text.rstrip("0").rstrip(".") if "." in text else text


def _scientific(value: float, digits: int) -> str:
    """Return a number as mantissa and exponent, without digits that say nothing: 1e9, 2.5e−6."""
    mantissa, _, exponent = f"{value:.{digits - 1}e}".partition("e")
    short = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
    return f"{short}e{int(exponent)}".replace("-", MINUS)


def day(year: float) -> str:
    """Return a decimal year as a day, ISO 8601: 2021.5 is 2021-07-02."""
    whole = math.floor(year)
    first = date(whole, 1, 1)
    days = round((year - whole) * ((date(whole + 1, 1, 1) - first).days))
    return (first + timedelta(days=days)).isoformat()


def interval(bounds: tuple[float, float] | None, digits: int = 3) -> str:
    """Return an interval as ``[low, high]``; empty for None."""
    return "" if bounds is None else f"[{number(bounds[0], digits)}, {number(bounds[1], digits)}]"
