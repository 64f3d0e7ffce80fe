"""Predicates on how much faster the first arm is than the second: one claim, several honest answers.

Each takes (method, baseline) and returns how many per cent faster the method is; 0 is equally fast.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import numpy as np

from replicate.claims import sampling
from replicate.claims.registry import INF, NOTHING, Interval, Line, Outcome, Scale, predicate
from replicate.curves import FloatArray

FASTER = {"faster": (0.0, INF), "slower": (-INF, 0.0)}
PERSISTS = {"persists": (0.0, INF)}
LEVELS = 9  # losses at which steps are compared
START = 0.1  # from the start of the run the first level lies this share of the way down: the first steps say little


@predicate("%", (2, 2), relations=FASTER)
def reduction_ratio(lines: Sequence[Line], window: Interval, scale: Scale) -> Outcome:
    """By how much the method's drop over the window exceeds the baseline's, at the same step.

    100 * (drop of the method / drop of the baseline - 1), each drop from the arm's own value at the start of the
    window to its value at the end. Unit: %. Source: the plainest reading of "faster loss reduction".
    """
    drops = []
    for line in lines:
        first, last = (sampling.value_at(line, x) for x in window)
        drops.append(float(np.diff(sampling.scaled(np.array([last, first]), scale))[0]))
    if not drops[1] > 0:
        return NOTHING
    return Outcome.exact(100 * (drops[0] / drops[1] - 1))


def _speedups(lines: Sequence[Line], window: Interval, scale: Scale) -> tuple[float, float, float] | None:
    """Return the median of S(L) over the levels: as read, at least, at most; None where nothing is comparable."""
    method, baseline = (Line.of(line.x, sampling.scaled(line.y, scale)) for line in lines)
    levels = _levels(baseline, window)
    if levels is None:
        return None
    origin = min(method.x[0], baseline.x[0])
    (fast_lo, fast_hi), (slow_lo, slow_hi) = (_steps(line, levels, origin) for line in (method, baseline))
    if not slow_lo.min() > 0 or not fast_hi.min() > 0:
        return None
    least = slow_lo / fast_hi
    most = np.where(fast_lo > 0, slow_hi / np.where(fast_lo > 0, fast_lo, 1.0), np.inf)
    read = np.where(np.isfinite(most), most, least)
    return median(read.tolist()), median(least.tolist()), median(most.tolist())


def _levels(baseline: Line, window: Interval) -> FloatArray | None:
    """Return the losses at which steps are compared: one for a window of a single point; None where there is none."""
    _, y = sampling.inside(baseline, window)
    if len(y) == 1 and y[0] < baseline.y[0]:
        return y
    if len(y) < 2 or not y.min() < y[0]:
        return None
    skipped = START * (y[0] - y.min()) if window[0] <= baseline.x[0] else 0.0
    return np.linspace(y[0] - skipped, y.min(), LEVELS)


def _steps(line: Line, levels: FloatArray, origin: float) -> tuple[FloatArray, FloatArray]:
    """Return the least and the most steps that a line may take to each level; the same where it was seen to.

    A level that it never reaches takes more steps than it ran; one that it starts below takes at most its first.
    """
    steps = sampling.first_reached(line, levels) - origin
    first = line.x[min(1, len(line.x) - 1)] - origin
    return np.minimum(steps, line.x[-1] - origin), np.where(steps > 0, steps, first)


@predicate("%", (2, 2), relations=FASTER | PERSISTS, natural=(-100.0, INF), sparse="nothing", contextual=True)
def speedup(lines: Sequence[Line], window: Interval, scale: Scale) -> Outcome:
    """How many per cent more steps the baseline takes to reach the same loss.

    100 * (S - 1), with S(L) = steps of the baseline / steps of the method to first reach loss L, steps
    interpolated in log steps; S is the median over nine losses that the baseline passes in the window, evenly
    spaced from its value at the window's start (a tenth of its drop below that, where the window starts with the
    run) to its lowest; a window of one point asks for the loss there alone. In an audit the window starts where
    the baseline reaches the unigram entropy of the data, where that is known: before it a model knows no context.
    A loss that one arm never reaches, or that the method starts below, bounds S (censored), and is not dropped.
    Unit: %. Source: time-to-target, as in Dahl et al. 2023 (AlgoPerf), arXiv:2306.07179.
    """
    found = _speedups(lines, window, scale)
    if found is None:
        return NOTHING
    return Outcome(*(100 * (s - 1) for s in found))


@predicate("%", (2, 2), relations=FASTER | PERSISTS, natural=(-INF, 100.0), sparse="nothing", contextual=True)
def steps_saved(lines: Sequence[Line], window: Interval, scale: Scale) -> Outcome:
    """How many per cent of the baseline's steps the method saves to reach the same loss.

    100 * (1 - 1 / S), with S as in `speedup`: a speed-up of 25 % saves 20 % of the steps. Unit: %. Source:
    time-to-target, as in Dahl et al. 2023 (AlgoPerf), arXiv:2306.07179.
    """
    found = _speedups(lines, window, scale)
    if found is None:
        return NOTHING
    return Outcome(*(100 * (1 - 1 / s) if s > 0 else -INF for s in found))


@predicate("%", (2, 2), relations=FASTER, sparse="nothing")
def speedup_auc(lines: Sequence[Line], window: Interval, scale: Scale) -> Outcome:
    """By how much the method's mean drop over the window exceeds the baseline's.

    100 * (A(method) / A(baseline) - 1), A the area between an arm's value at the start of the window and its
    curve. Unit: %. Source: area under the learning curve.
    """
    x, y = sampling.shared(lines, window, scale)
    if len(x) < 2:
        return NOTHING
    areas = (y[:, 0] - y @ sampling.span_weights(x)).tolist()
    if not areas[1] > 0:
        return NOTHING
    return Outcome.exact(100 * (areas[0] / areas[1] - 1))


@predicate("%", (2, 2), relations=FASTER, sparse="nothing")
def initial_slope_ratio(lines: Sequence[Line], window: Interval, scale: Scale) -> Outcome:
    """By how much the method's mean slope over the window exceeds the baseline's.

    100 * (slope of the method / slope of the baseline - 1), slopes of straight lines fitted by least squares,
    each point weighted by the stretch of x that it stands for. Unit: %. Source: ordinary least squares.
    """
    x, y = sampling.shared(lines, window, scale)
    if len(x) < 2:
        return NOTHING
    weights = sampling.span_weights(x)
    centred = x - weights @ x
    slopes = (y @ (weights * centred) / (weights @ centred**2)).tolist()
    if not slopes[1] < 0:
        return NOTHING
    return Outcome.exact(100 * (slopes[0] / slopes[1] - 1))
