"""Taking numbers off lines: windows, interpolation, first crossings, shared grids."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from replicate.claims.registry import Interval, Line, Scale
from replicate.curves import FloatArray

END_SHARE = 0.02  # the end of a run is its last 2 %, since single values of a noisy curve say little
REACH = 0.02  # a curve that stops this share of its run short of x still gives its value at x


def scaled(y: FloatArray, scale: Scale) -> FloatArray:
    """Return y, or its decimal logarithm on a log scale (NaN where it is not positive)."""
    if scale == "linear":
        return y
    return np.log10(np.where(y > 0, y, np.nan))


def inside(line: Line, window: Interval) -> tuple[FloatArray, FloatArray]:
    """Return the points of a line in a window, with interpolated points at the window's ends."""
    lo, hi = max(window[0], line.x[0]), min(window[1], line.x[-1])
    if lo > hi:
        return np.empty(0), np.empty(0)
    x = _between(line.x, float(lo), float(hi))
    return x, np.interp(x, line.x, line.y)


def _between(x: FloatArray, lo: float, hi: float) -> FloatArray:
    """Return lo, the x between, and hi."""
    inner = x[np.searchsorted(x, lo, side="right") : np.searchsorted(x, hi, side="left")]
    return np.concatenate([[lo], inner, [hi]]) if lo < hi else np.array([lo])


def value_at(line: Line, x: float) -> float:
    """Return the interpolated value at x; the end value just beyond an end, NaN farther out."""
    slack = REACH * (line.x[-1] - line.x[0])
    if not line.x[0] - slack <= x <= line.x[-1] + slack:
        return math.nan
    return float(np.interp(x, line.x, line.y))


def end_value(line: Line, window: Interval, share: float = END_SHARE) -> float:
    """Return the mean over the last part of the window, by x; NaN where the line has none of it."""
    x, y = inside(line, window)
    if not len(x):
        return math.nan
    return tail_mean(x, y, share)


def tail_mean(x: FloatArray, y: FloatArray, share: float) -> float:
    """Return the mean of y over the last part of x, exact for straight pieces."""
    start = x[-1] - share * (x[-1] - x[0])
    x, y = inside(Line.of(x, y), (float(start), float(x[-1])))
    return float(span_weights(x) @ y)


def shared(lines: Sequence[Line], window: Interval, scale: Scale) -> tuple[FloatArray, FloatArray]:
    """Return all lines on the union of their x in the part of the window that they share.

    Returns:
        x of shape (n,) and y of shape (lines, n); n is 0 where they share nothing.
    """
    lo = max(window[0], *(line.x[0] for line in lines))
    hi = min(window[1], *(line.x[-1] for line in lines))
    if lo > hi:
        return np.empty(0), np.empty((len(lines), 0))
    first = lines[0].x
    alike = all(np.array_equal(first, line.x) for line in lines[1:])
    x = _between(
        first if alike else np.unique(np.concatenate([line.x for line in lines])), float(lo), float(hi)
    )
    return x, np.stack([scaled(np.interp(x, line.x, line.y), scale) for line in lines])


def span_weights(x: FloatArray) -> FloatArray:
    """Return the share of the run that each point stands for (trapezoid weights, summing to 1)."""
    if len(x) < 2:
        return np.ones(len(x))
    widths = np.diff(x)
    weights = np.concatenate([[0.0], widths]) + np.concatenate([widths, [0.0]])
    shares: FloatArray = weights / weights.sum()
    return shares


def first_reached(line: Line, levels: FloatArray, *, log_steps: bool = True) -> FloatArray:
    """Return the x at which a falling line first reaches each level; infinite where it never does.

    Args:
        line: The line.
        levels: Values of y, shape (n,).
        log_steps: Interpolate between two points in log x (in x itself where the first of them is at 0); else in x.
    """
    lowest = np.minimum.accumulate(line.y)
    index = np.searchsorted(-lowest, -levels, side="left")
    reached = index < len(lowest)
    at = np.clip(index, 1, len(lowest) - 1) if len(lowest) > 1 else np.zeros_like(index)
    before = np.maximum(at - 1, 0)
    drop = line.y[before] - line.y[at]
    share = np.where(drop > 0, (line.y[before] - levels) / np.where(drop > 0, drop, 1.0), 1.0)
    share = np.clip(share, 0.0, 1.0)
    x0, x1 = line.x[before], line.x[at]
    positive = (x0 > 0) & log_steps
    ratio = np.where(positive, x1 / np.where(positive, x0, 1.0), 1.0)
    steps = np.where(positive, x0 * ratio**share, x0 + share * (x1 - x0))
    return np.where(reached, np.where(index == 0, line.x[0], steps), np.inf)
