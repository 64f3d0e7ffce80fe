"""Predicates on where curves end up, and on the frame that holds them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from replicate.claims import sampling
from replicate.claims.registry import NOTHING, Interval, Line, Outcome, Scale, predicate


@predicate("% of the drop", (2, 2), relations={"similar": (-5.0, 5.0)}, strict=False)
def similar_end(lines: Sequence[Line], window: Interval, scale: Scale) -> Outcome:
    """The first arm's end minus the second's, relative to the smaller of their drops over the window.

    Similar means within 5 % either way: an equivalence that is shown by an interval inside these bounds, never by
    a difference that is missing. An end is the mean over the last 2 % of the window. Unit: % of the drop. Source:
    equivalence testing (Schuirmann 1987).
    """
    starts, ends = [], []
    for line in lines:
        _, y = sampling.inside(line, window)
        if not len(y):
            return NOTHING
        starts.append(float(sampling.scaled(y[:1], scale)[0]))
        ends.append(float(sampling.scaled(np.array([sampling.end_value(line, window)]), scale)[0]))
    drop = min(start - end for start, end in zip(starts, ends, strict=True))
    if not drop > 0:
        return NOTHING
    return Outcome.exact(100 * (ends[0] - ends[1]) / drop)


def _beyond(low: float, high: float, window: Interval) -> float:
    """Return the largest distance by which [low, high] leaves the window, in % of the window's length."""
    return 100 * max(window[0] - low, high - window[1], 0.0) / (window[1] - window[0])


RANGE = {"inside": (0.0, 2.0)}


@predicate(
    "% of the axis", (1, 9), relations=RANGE, natural=(0.0, np.inf), published_scale=True, strict=False
)
def domain_contains(lines: Sequence[Line], window: Interval, scale: Scale) -> Outcome:
    """How far the curves' x leave the described axis range.

    The largest distance beyond either end. Unit: % of the axis' length. Source: this project.
    """
    low, high = min(line.x[0] for line in lines), max(line.x[-1] for line in lines)
    return Outcome.exact(_beyond(low, high, window))


@predicate(
    "% of the axis", (1, 9), relations=RANGE, natural=(0.0, np.inf), published_scale=True, strict=False
)
def range_contains(lines: Sequence[Line], window: Interval, scale: Scale) -> Outcome:
    """How far the curves' values leave the described axis range.

    The largest distance beyond either end, in decades of the axis where it is logarithmic. Unit: % of the axis'
    length. Source: this project.
    """
    low, high = sampling.scaled(
        np.array([min(line.y.min() for line in lines), max(line.y.max() for line in lines)]), scale
    )
    ends = sampling.scaled(np.array(window, np.float64), scale)
    return Outcome.exact(_beyond(float(low), float(high), (float(ends[0]), float(ends[1]))))
