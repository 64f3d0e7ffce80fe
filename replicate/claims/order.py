"""Predicates on which of several curves is below, by how much, and for how long."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from replicate.claims import sampling
from replicate.claims.registry import INF, NOTHING, Interval, Line, Outcome, Scale, predicate
from replicate.curves import FloatArray

END_SHARE = 0.1  # the end of a gap is its mean over the last tenth of the window
CROSSING_SHARE = 0.02  # a gap has changed sides once it exceeds this share of its largest size


@predicate(
    "% of the window",
    (2, 9),
    relations={"holds": (95.0, INF)},
    natural=(0.0, 100.0),
    sparse="nothing",
    strict=False,
)
def ordering(lines: Sequence[Line], window: Interval, scale: Scale) -> Outcome:
    """The share of the window in which the arms lie in the order in which they are listed, the lowest first.

    A tie is no order. Unit: % of the window. Source: this project.
    """
    x, y = sampling.shared(lines, window, "linear")
    if not len(x):
        return NOTHING
    ordered = (np.diff(y, axis=0) > 0).all(axis=0)
    return Outcome.exact(100 * float(sampling.span_weights(x) @ ordered))


@predicate("loss", (2, 9), relations={"lower": (0.0, INF)}, sparse="most", log_unit="decades")
def lower_everywhere(lines: Sequence[Line], window: Interval, scale: Scale) -> Outcome:
    """The least distance, anywhere in the window, by which the first arm lies below the lowest of the others.

    Negative where the first arm is above one of them at any point. Unit: that of y, decades on a log scale.
    Source: this project.
    """
    x, y = sampling.shared(lines, window, scale)
    if not len(x):
        return NOTHING
    return Outcome.exact(float((y[1:].min(axis=0) - y[0]).min()))


@predicate("loss", (2, 9), relations={"higher": (0.0, INF)}, sparse="most", log_unit="decades")
def higher_everywhere(lines: Sequence[Line], window: Interval, scale: Scale) -> Outcome:
    """The least distance, anywhere in the window, by which the first arm lies above the highest of the others.

    Negative where the first arm is below one of them at any point. Unit: that of y, decades on a log scale.
    Source: this project.
    """
    x, y = sampling.shared(lines, window, scale)
    if not len(x):
        return NOTHING
    return Outcome.exact(float((y[0] - y[1:].max(axis=0)).min()))


@predicate(
    "loss",
    (2, 2),
    relations={"below": (-INF, 0.0), "above": (0.0, INF), "persists": (-INF, 0.0)},
    log_unit="decades",
)
def gap_at(lines: Sequence[Line], window: Interval, scale: Scale) -> Outcome:
    """The first arm's value minus the second's at the end of the window.

    Unit: that of y, or decades on a log scale. Source: difference of interpolated values.
    """
    values = sampling.scaled(np.array([sampling.value_at(line, window[1]) for line in lines]), scale)
    return Outcome.exact(float(values[0] - values[1]))


@predicate(
    "loss",
    (2, 2),
    relations={"faster": (-INF, 0.0), "slower": (0.0, INF), "below": (-INF, 0.0), "above": (0.0, INF)},
    sparse="nothing",
    log_unit="decades",
)
def mean_gap(lines: Sequence[Line], window: Interval, scale: Scale) -> Outcome:
    """The mean over the window of the first arm's value minus the second's.

    Negative where the first arm is lower on average. Unit: that of y, or decades on a log scale. Source: area
    between learning curves, over the window's length.
    """
    x, y = sampling.shared(lines, window, scale)
    if not len(x):
        return NOTHING
    return Outcome.exact(float(sampling.span_weights(x) @ (y[0] - y[1])))


def _gap(lines: Sequence[Line], window: Interval, scale: Scale) -> tuple[FloatArray, FloatArray]:
    """Return x and the distance between the highest and the lowest arm."""
    x, y = sampling.shared(lines, window, scale)
    return x, np.ptp(y, axis=0) if len(x) else x


@predicate(
    "% of the mean gap",
    (2, 9),
    relations={"narrows": (-INF, 0.0), "widens": (0.0, INF), "constant": (-20.0, 20.0)},
)
def gap_trend(lines: Sequence[Line], window: Interval, scale: Scale) -> Outcome:
    """By how much the distance between the highest and the lowest arm changes over the window, fitted by a line.

    The slope (least squares, weighted by the stretch of x of each point) times the window's length, over the mean
    distance; negative where the gap narrows. On a log scale distances are in decades. Unit: % of the mean gap.
    Source: ordinary least squares.
    """
    x, gap = _gap(lines, window, scale)
    if len(x) < 2:
        return NOTHING
    weights = sampling.span_weights(x)
    mean = float(weights @ gap)
    if not mean > 0:
        return NOTHING
    centred = x - weights @ x
    slope = float(gap @ (weights * centred) / (weights @ centred**2))
    return Outcome.exact(100 * slope * (x[-1] - x[0]) / mean)


@predicate(
    "% of the largest gap",
    (2, 2),
    relations={"persists": (50.0, INF), "closes": (-INF, 25.0)},
    natural=(-100.0, 100.0),
    sparse="most",
    strict=False,
)
def gap_retained(lines: Sequence[Line], window: Interval, scale: Scale) -> Outcome:
    """What is left at the end of the window of the largest lead that the first arm has in it.

    100 * mean lead over the last tenth of the window / largest lead, the lead being the second arm's value minus
    the first's; negative where the first arm ends above. Unit: % of the largest lead. Source: this project.
    """
    x, y = sampling.shared(lines, window, scale)
    if len(x) < 2:
        return NOTHING
    lead = y[1] - y[0]
    if not lead.max() > 0:
        return NOTHING
    left = sampling.tail_mean(x, lead, END_SHARE)
    return Outcome.exact(100 * float(np.clip(left / lead.max(), -1.0, 1.0)))


@predicate(
    "crossings", (2, 2), relations={"never": (0.0, 0.0)}, natural=(0.0, INF), sparse="least", strict=False
)
def crossing(lines: Sequence[Line], window: Interval, scale: Scale) -> Outcome:
    """How often the two arms change places in the window.

    A change counts once the gap on the other side exceeds 2 % of the largest gap, so that two curves that lie on
    one another do not cross at every wiggle. Unit: crossings. Source: zero crossings with hysteresis.
    """
    x, y = sampling.shared(lines, window, scale)
    if not len(x):
        return NOTHING
    gap = y[0] - y[1]
    sides = np.sign(gap[np.abs(gap) > CROSSING_SHARE * np.abs(gap).max()])
    return Outcome.exact(int((np.diff(sides) != 0).sum()))
