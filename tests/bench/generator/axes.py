"""Axes of every kind: which numbers they carry, how their tick labels are written, and how to set them up."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import (
    FixedLocator,
    FuncFormatter,
    LogFormatterSciNotation,
    LogLocator,
    MaxNLocator,
    NullFormatter,
    NullLocator,
    ScalarFormatter,
)

from generator.shapes import FloatArray

Kind = Literal[
    "plain", "thousands", "si", "exponent", "offset", "negative", "percent", "date", "category",
    "log", "log-exponent", "log-plain", "log-one-decade", "log-mantissa", "log2",
]  # fmt: skip
LOG_KINDS = {"log", "log-exponent", "log-plain", "log-one-decade", "log-mantissa", "log2"}
CATEGORIES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass(frozen=True)
class AxisPlan:
    """One axis.

    Attributes:
        kind: How its tick labels are written.
        low: The least value of the data.
        high: The greatest value of the data.
        label: The axis' title.
        reverse: Whether values descend to the right (or upwards).
        variant: Picks among the ways to write the kind (suffix letters, date formats, offset styles).
        margin: Room between the data and the frame, as a share of the data's range.
        cut: Share of the data's range, at its high end, that the frame cuts off.
        ticks: About how many ticks a linear axis has.
        rotation: Of the tick labels, degrees.
        color: Of the title and the tick labels, or empty for the style's.
    """

    kind: Kind
    low: float
    high: float
    label: str = ""
    reverse: bool = False
    variant: int = 0
    margin: float = 0.05
    cut: float = 0.0
    ticks: int = 7
    rotation: float = 0.0
    color: str = ""

    @property
    def log(self) -> bool:
        """Whether the axis is logarithmic."""
        return self.kind in LOG_KINDS

    @property
    def limits(self) -> tuple[float, float]:
        """The values at the left (bottom) and the right (top) end of the axis."""
        a, b = self.value(np.array([-self.margin, 1 + self.margin - self.cut])).tolist()
        return (b, a) if self.reverse else (a, b)

    def value(self, share: FloatArray) -> FloatArray:
        """Return the values at shares of the data's range, 0 at `low` and 1 at `high`."""
        if self.log:
            return np.asarray(self.low * (self.high / self.low) ** share)
        return self.low + (self.high - self.low) * share

    def share(self, value: FloatArray) -> FloatArray:
        """Return the inverse of `value`."""
        if self.log:
            return np.log(value / self.low) / np.log(self.high / self.low)
        return np.asarray((value - self.low) / (self.high - self.low))


def draw_axis(rng: np.random.Generator, kind: Kind, which: str) -> AxisPlan:
    """Draw the range and the variant of an axis; `which` is "x" or "y"."""
    low, high = _range(rng, kind, which)
    return AxisPlan(kind, low, high, variant=int(rng.integers(6)), ticks=int(rng.integers(5, 9)))


def _range(rng: np.random.Generator, kind: Kind, which: str) -> tuple[float, float]:
    """Return the least and the greatest value of the data."""
    u = rng.uniform
    step_like = which == "x"
    if kind == "plain":
        high = 10 ** u(1.2, 4.9) if step_like else u(3, 12)
        return (0.0, _round(high)) if step_like else (_round(high * u(0.0, 0.6)), _round(high))
    if kind == "negative":
        return (-_round(u(8, 30)), _round(u(-6, 6)))
    if kind == "date":
        start = u(2004, 2022)
        return (start, start + u(0.15, 9))
    if kind == "category":
        return (0.0, float(rng.integers(5, 12)))
    if kind == "percent":
        return (_round(u(0, 30)), _round(u(40, 100)))
    if kind in ("thousands", "si", "offset", "exponent"):
        exponent = {"thousands": u(3.6, 5.6), "si": u(4, 12), "offset": u(4, 10), "exponent": u(-5, -1.5)}[
            kind
        ]
        high = _round(10**exponent)
        return (0.0, high) if step_like else (_round(high * u(0, 0.4)), high)
    if kind == "log2":
        first = int(rng.integers(-4, 4))
        return (2.0**first * 1.02, 2.0 ** (first + int(rng.integers(4, 9))) * 0.98)
    decades = {"log": (2.1, 5), "log-exponent": (2.1, 5), "log-plain": (0.75, 3.2)}
    low = 10 ** (u(0, 3) if step_like and kind != "log-plain" else u(-4, 1))
    if kind in decades:
        low = max(low, 1e-3) if kind == "log-plain" else low
        return (low, low * 10 ** u(*decades[kind]))
    decade = 10.0 ** rng.integers(-3, 3)
    if kind == "log-one-decade":
        return (decade * u(0.2, 0.7), decade * u(2.5, 8))
    low = u(1.2, 4.5)
    return (decade * low, decade * low * u(1.35, 2.1))  # log-mantissa


def _round(value: float) -> float:
    """Return the value with two significant digits."""
    return float(f"{value:.2g}")


def apply(ax: Axes, which: str, plan: AxisPlan) -> None:
    """Give the axes' x or y axis its scale, limits, ticks, labels and title."""
    axis = ax.xaxis if which == "x" else ax.yaxis
    set_lim = ax.set_xlim if which == "x" else ax.set_ylim
    set_scale = ax.set_xscale if which == "x" else ax.set_yscale
    if plan.log:
        set_scale("log", base=2 if plan.kind == "log2" else 10)
    set_lim(*plan.limits)
    axis.set_label_text(plan.label)
    (_log_labels if plan.log else _linear_labels)(axis, plan)
    if plan.kind in ("log-one-decade", "log-mantissa"):  # minor ticks are what tells the scale
        ax.tick_params(axis=which, which="minor", length=3, width=0.6)
    if plan.color:
        axis.label.set_color(plan.color)
        ax.tick_params(axis=which, colors=plan.color)
    if plan.rotation:
        ax.tick_params(axis=which, labelrotation=plan.rotation)


def _linear_labels(axis, plan: AxisPlan) -> None:
    """Set the ticks of a linear axis."""
    if plan.kind == "date":
        return _date_labels(axis, plan)
    if plan.kind == "category":
        names = CATEGORIES if plan.variant % 2 else tuple("ABCDEFGHIJKL")
        at = np.arange(int(plan.high) + 1)
        axis.set_major_locator(FixedLocator(at))
        return axis.set_major_formatter(FuncFormatter(lambda v, _: names[round(v)]))
    axis.set_major_locator(MaxNLocator(nbins=plan.ticks, steps=[1, 2, 2.5, 5, 10]))
    if plan.kind == "offset":
        formatter = ScalarFormatter(useMathText=plan.variant % 2 == 1, useOffset=False)
        formatter.set_powerlimits((0, 0))
        return axis.set_major_formatter(formatter)
    writer = {
        "thousands": lambda v, _: f"{v:,.0f}",
        "percent": _percent(plan),
        "si": _si(plan),
        "exponent": _exponent,
    }
    if plan.kind in writer:
        return axis.set_major_formatter(FuncFormatter(writer[plan.kind]))
    formatter = ScalarFormatter(useOffset=False)
    formatter.set_scientific(False)
    return axis.set_major_formatter(formatter)


def _log_labels(axis, plan: AxisPlan) -> None:
    """Set the ticks of a logarithmic axis."""
    decades = np.log10(plan.high / plan.low)
    if plan.kind == "log2":
        if plan.variant % 2:
            axis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g}"))
        return axis.set_minor_locator(NullLocator())
    if plan.kind == "log-plain":
        subs = (
            (1.0,) if decades > 2 else (1.0, 2.0, 5.0) if decades > 1 else (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0)
        )
        axis.set_major_locator(LogLocator(subs=subs, numticks=40))
        axis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g}"))
        return axis.set_minor_formatter(NullFormatter())
    axis.set_major_locator(LogLocator(numticks=12))
    if plan.kind == "log-exponent":
        axis.set_major_formatter(FuncFormatter(lambda v, _: _exponent(v, 0)))
    if plan.kind == "log-mantissa":
        return axis.set_minor_formatter(LogFormatterSciNotation(minor_thresholds=(2, 2)))
    return axis.set_minor_formatter(NullFormatter())


def _date_labels(axis, plan: AxisPlan) -> None:
    """Set the ticks of an axis whose values are decimal years, at the starts of years, months or days."""
    first, last = (_from_decimal_year(v) for v in sorted(plan.limits))
    at, form = _date_ticks(first, last, plan.ticks, ("%Y-%m", "%b %Y")[plan.variant % 2])
    axis.set_major_locator(FixedLocator([decimal_year(d) for d in at]))
    axis.set_major_formatter(FuncFormatter(lambda v, i: at[i].strftime(form)))
    axis.set_minor_locator(NullLocator())


def _date_ticks(
    first: datetime.datetime, last: datetime.datetime, most: int, month_form: str
) -> tuple[list[datetime.datetime], str]:
    """Return at most `most` + 1 round dates between two dates, and how they are written."""
    days = (last - first).days
    if days < 120:
        step = datetime.timedelta(days=-(-days // most))
        start = datetime.datetime(first.year, first.month, first.day) + datetime.timedelta(days=1)
        return [start + i * step for i in range(most) if start + i * step <= last], "%Y-%m-%d"
    every = next(m for m in (1, 2, 3, 6, 12, 24, 60) if days / 30.4 / m <= most)
    count = range(first.year * 12 + first.month, last.year * 12 + last.month)
    at = [datetime.datetime(m // 12, m % 12 + 1, 1) for m in count if m % every == 0]
    return at, "%Y" if every >= 12 else month_form


def decimal_year(date: datetime.datetime) -> float:
    """Return the date as a decimal year: the year and the share of it that has passed."""
    start, end = datetime.datetime(date.year, 1, 1), datetime.datetime(date.year + 1, 1, 1)
    return date.year + (date - start) / (end - start)


def _from_decimal_year(value: float) -> datetime.datetime:
    """Return the inverse of `decimal_year`."""
    year = int(value)
    start, end = datetime.datetime(year, 1, 1), datetime.datetime(year + 1, 1, 1)
    return start + (value - year) * (end - start)


def _percent(plan: AxisPlan):
    """Return a writer of percentages, with or without a space."""
    gap = " " if plan.variant % 3 == 0 else ""
    return lambda v, _: f"{v:g}{gap}%"


def _si(plan: AxisPlan):
    """Return a writer of numbers with an SI suffix (k, M, G, T), or B for 10⁹ as in tokens."""
    kilo, giga = ("k", "K")[plan.variant % 2], ("G", "B")[plan.variant // 2 % 2]
    suffixes = ((1e12, "T"), (1e9, giga), (1e6, "M"), (1e3, kilo))

    def write(value: float, _: int | None = None) -> str:
        for factor, suffix in suffixes:
            if abs(value) >= factor * 0.9999:
                return f"{value / factor:.6g}{suffix}"
        return f"{value:.6g}"

    return write


def _exponent(value: float, _: int | None = None) -> str:
    """Write a number as 1e-3, 2.5e4 or 0."""
    if value == 0:
        return "0"
    exponent = int(np.floor(np.log10(abs(value)) + 1e-9))
    return f"{value / 10.0**exponent:.4g}e{exponent}"
