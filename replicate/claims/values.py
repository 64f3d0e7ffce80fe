"""Predicates on the values of one curve."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from replicate.claims import sampling
from replicate.claims.registry import INF, NOTHING, Interval, Line, Outcome, Scale, predicate


@predicate("loss", (1, 1), published_scale=True)
def value_at(lines: Sequence[Line], window: Interval, scale: Scale) -> Outcome:
    """The curve's value at the end of the window, interpolated between the readings beside it.

    Unit: that of y. Source: linear interpolation.
    """
    return Outcome.exact(sampling.value_at(lines[0], window[1]))


@predicate("loss", (1, 1), published_scale=True)
def final_value(lines: Sequence[Line], window: Interval, scale: Scale) -> Outcome:
    """The mean of the curve over the last 2 % of the window.

    Unit: that of y. Source: this project; a single last value of a noisy curve says little.
    """
    return Outcome.exact(sampling.end_value(lines[0], window))


@predicate("decades", (1, 1), published_scale=True)
def decades_dropped(lines: Sequence[Line], window: Interval, scale: Scale) -> Outcome:
    """The decimal logarithm of the curve's value at the start of the window over its value at the end.

    Unit: decades (1 is a factor of ten). Source: definition of the decade.
    """
    _, y = sampling.inside(lines[0], window)
    if not len(y) or y[0] <= 0 or y[-1] <= 0:
        return NOTHING
    return Outcome.exact(np.log10(y[0] / y[-1]))


@predicate("% of the run", (1, 1), natural=(0.0, 100.0), sparse="nothing")
def converges_by(lines: Sequence[Line], window: Interval, scale: Scale) -> Outcome:
    """The share of the window after which 90 % of the curve's drop in it are done.

    Steps are interpolated in log steps. Unit: % of the window's length. Source: this project, after the rise time
    of control engineering.
    """
    x, y = sampling.inside(lines[0], window)
    y = sampling.scaled(y, scale)
    if len(x) < 2 or not y[-1] < y[0]:
        return NOTHING
    level = np.array([y[0] - 0.9 * (y[0] - y[-1])])
    at = float(sampling.first_reached(Line.of(x, y), level)[0])
    return Outcome.exact(100 * (at - x[0]) / (x[-1] - x[0]))


@predicate("% of the drop", (1, 1), relations={"diminishing": (50.0, INF)}, sparse="nothing")
def early_share(lines: Sequence[Line], window: Interval, scale: Scale) -> Outcome:
    """The share of the curve's drop in the window that happens in the window's first half.

    More than 50 % means that later progress is slower. Unit: % of the drop. Source: this project.
    """
    x, y = sampling.inside(lines[0], window)
    y = sampling.scaled(y, scale)
    if len(x) < 2 or not y[-1] < y[0]:
        return NOTHING
    middle = float(np.interp((x[0] + x[-1]) / 2, x, y))
    return Outcome.exact(100 * (y[0] - middle) / (y[0] - y[-1]))
