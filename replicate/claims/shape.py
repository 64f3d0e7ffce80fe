"""Predicates on the shape of a curve: does it fall, does it fluctuate."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from replicate.claims import sampling
from replicate.claims.registry import INF, NOTHING, Interval, Line, Outcome, Scale, predicate
from replicate.curves import FloatArray

EVEN = 1e-9  # % of the drop below which a fluctuation is rounding
GRID = 101  # points at which roughness is judged
NORMAL_MAD = 1.4826  # standard deviation of a normal variable over its median absolute deviation


def _largest_rise(before: FloatArray, after: FloatArray) -> float:
    """Return the largest rise from any value of `before` to a later value of `after`, at least 0."""
    lowest = np.minimum.accumulate(before)[:-1]
    return max(0.0, float((after[1:] - lowest).max())) if len(lowest) else 0.0


@predicate(
    "% of the drop",
    (1, 1),
    relations={"falls": (0.0, 1.0), "fluctuates": (1.0, INF)},
    natural=(0.0, INF),
    sparse="least",
    strict=False,
)
def monotone(lines: Sequence[Line], window: Interval, scale: Scale) -> Outcome:
    """The largest rise of the curve above an earlier value of its own, relative to its drop over the whole run.

    Zero for a curve that never rises; up to 1 % passes as falling. Where readings have bounds the rise is at
    least that from an upper bound to a later lower bound, and at most that from a lower to a later upper bound.
    Unit: % of the drop. Source: definition of monotone; the tolerance is this project's.
    """
    line = lines[0]
    within = (line.x >= window[0]) & (line.x <= window[1])
    y, lo, hi = (sampling.scaled(v, scale) for v in (line.y, line.lo, line.hi))
    drop = float(y[0] - y[-1])
    if within.sum() < 2 or not drop > 0:
        return NOTHING
    y, lo, hi = y[within], lo[within], hi[within]
    rises = _largest_rise(y, y), _largest_rise(hi, lo), _largest_rise(lo, hi)
    return Outcome(*(100 * rise / drop for rise in rises))


def _roughness(line: Line, window: Interval, scale: Scale) -> float:
    """Return the standard deviation of a line's fluctuations over its drop in the window, in %."""
    x, y = sampling.inside(line, window)
    y = sampling.scaled(y, scale)
    if len(x) < 4 or not y[-1] < y[0]:
        return math.nan
    even = np.interp(np.linspace(x[0], x[-1], min(GRID, len(x))), x, y)
    residuals = (even[:-2] + even[2:]) / 2 - even[1:-1]
    spread = NORMAL_MAD * float(np.median(np.abs(residuals - np.median(residuals))))
    return 100 * math.sqrt(2 / 3) * spread / float(y[0] - y[-1])


@predicate("% of the drop", (1, 1), natural=(0.0, INF), sparse="nothing")
def roughness(lines: Sequence[Line], window: Interval, scale: Scale) -> Outcome:
    """The standard deviation of the curve's fluctuations about its own local trend, relative to its drop.

    From residuals against the mean of both neighbours on at most 101 even points, which removes any trend that is
    locally straight; their median absolute deviation keeps the steep start out. Unit: % of the drop. Source:
    Gasser, Sroka, Jennen-Steinmetz 1986, Biometrika 73, with the median in place of the mean.
    """
    return Outcome.exact(_roughness(lines[0], window, scale))


@predicate("times", (2, 9), relations={"smoother": (0.0, 1.0)}, natural=(0.0, INF), sparse="nothing")
def smoothest(lines: Sequence[Line], window: Interval, scale: Scale) -> Outcome:
    """The first arm's roughness over that of the smoothest of the others.

    Roughness as in `roughness`; below 1 the first arm is the smoothest. Unit: times. Source: as `roughness`.
    """
    first, *others = (_roughness(line, window, scale) for line in lines)
    least = min(others)
    return Outcome.exact(first / least) if least > EVEN else NOTHING
