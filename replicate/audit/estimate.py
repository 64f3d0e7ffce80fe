"""From a definition and an evidence's curves to one number with its interval."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from replicate.audit.evidence import Lines, Material
from replicate.audit.findings import Estimate, Evidence
from replicate.audit.settings import AuditSettings
from replicate.audit.statistics import seeds_interval, seeds_to_decide, sign_flip
from replicate.audit.words import where
from replicate.claims import Line, Outcome, Predicate
from replicate.claims.registry import NOTHING, Interval
from replicate.claims.sampling import first_reached
from replicate.curves import BoolArray
from replicate.sheets import Definition, Expected, Window

AT_ANCHOR = 0.02  # share of the run within which a window's end counts as a described step
RANGES = ("domain_contains", "range_contains")


def resolve(window: Window | None, lines: Sequence[Line]) -> Interval:
    """Return a window in x units; shares are of the run that all lines share, losses those of the last line.

    An end is NaN where the last line never reaches its loss.
    """
    lo, hi = max(line.x[0] for line in lines), min(line.x[-1] for line in lines)
    if window is None:
        return float(lo), float(hi)
    start, end = window.span
    if window.share is not None:
        return float(lo + start * (hi - lo)), float(lo + end * (hi - lo))
    return _reached(lines[-1], (start, end)) if window.loss is not None else (start, end)


def _reached(line: Line, losses: Sequence[float]) -> Interval:
    """Return where a line first reaches the first and the last of these losses; NaN where it never does."""
    steps = first_reached(line, np.array([losses[0], losses[-1]], np.float64), log_steps=False)
    first, last = np.where(np.isfinite(steps), steps, np.nan).tolist()
    return first, last


def _stretch(definition: Definition, lines: Sequence[Line], entropy: float | None) -> Interval:
    """Return a definition's window in x units, begun at the unigram entropy where it is to be."""
    start, end = resolve(definition.window, lines)
    if definition.predicate.contextual and entropy is not None:
        below, _ = _reached(lines[-1], [entropy])
        if start < below < end:
            return below, end
    return start, end


def decide(interval: Interval | None, expected: Expected) -> bool | None:
    """Return whether an interval lies inside what is expected (True), outside (False), or neither (None)."""
    if interval is None or any(math.isnan(v) for v in interval):
        return None
    lo, hi = interval
    if expected.strict:
        inside = (lo > expected.low or expected.low == -math.inf) and (
            hi < expected.high or expected.high == math.inf
        )
        outside = (hi <= expected.low) or (lo >= expected.high)
    else:
        inside, outside = expected.low <= lo and hi <= expected.high, hi < expected.low or lo > expected.high
    return True if inside else False if outside else None


def estimate(definition: Definition, material: Material, settings: AuditSettings) -> Estimate:
    """Return a definition's number on an evidence, with its 95 % interval and whether it supports the claim.

    A text's and a figure's interval comes from redrawing the readings within their bounds, a rerun's from its
    seeds.
    """
    samples = material.of(definition.arms)
    unit = definition.predicate.unit_on(definition.scale)
    expected = (definition.expected.low, definition.expected.high)
    seeds = len(samples) if material.evidence is Evidence.RERUN else None
    told = where(definition, material.entropy)
    values: list[float] = []
    if material.evidence is Evidence.RERUN:
        value, interval, values = _over_seeds(definition, samples, material.entropy, settings)
    else:
        value, interval = _over_readings(definition, material, settings)
    if math.isnan(value):
        return Estimate(told, None, None, unit, expected, None, seeds)
    interval = _clip(interval, definition.predicate)
    supports = decide(interval, definition.expected)
    p_value = needed = None
    if len(values) > 1:
        p_value = _p_value(values, definition, settings)
        needed = seeds_to_decide(values, definition.expected, settings) if supports is None else None
    return Estimate(told, value, interval, unit, expected, supports, seeds, p_value, None, needed)


def _over_seeds(
    definition: Definition, samples: Sequence[Sequence[Line]], entropy: float | None, settings: AuditSettings
) -> tuple[float, Interval | None, list[float]]:
    """Return mean and interval over the seeds, and the value of every seed where all are known exactly.

    The mean is NaN where a seed gives no number.
    """
    outcomes = [_apply(definition, lines, _stretch(definition, lines, entropy)) for lines in samples]
    if not outcomes or any(math.isnan(o.value) for o in outcomes):
        return math.nan, None, []
    values, least, most = (list(column) for column in zip(*outcomes, strict=True))
    low, high = seeds_interval(least, settings), seeds_interval(most, settings)
    if low is None or high is None:
        return values[0], None, []
    exact = least == most and bool(np.isfinite(values).all())
    return float(np.mean(values)), (low[0], high[1]), values if exact else []


def _p_value(values: Sequence[float], definition: Definition, settings: AuditSettings) -> float | None:
    """Return the p value of the exact sign-flip test against what is expected; None where anything possible is.

    Of two finite bounds both are tested and the larger p value counts: an equivalence is shown by two one-sided tests
    (Schuirmann 1987), not by a difference that is missing.
    """
    (least, most), expected = definition.predicate.natural, definition.expected
    margins = []
    if expected.low > least:
        margins.append([v - expected.low for v in values])
    if expected.high < most:
        margins.append([expected.high - v for v in values])
    return max((sign_flip(m, settings) for m in margins), default=None)


def _over_readings(
    definition: Definition, material: Material, settings: AuditSettings
) -> tuple[float, Interval]:
    """Return the number of a text or a figure, and its interval over redrawn readings."""
    is_range, is_text = definition.predicate.name in RANGES, material.evidence is Evidence.TEXT
    nothing = math.nan, (math.nan, math.nan)

    first = [material.samples[0][arm] for arm in definition.arms]
    kept = (
        _common_points(first) if is_text and not is_range else [np.ones(len(line.x), bool) for line in first]
    )

    def take(sample: Lines) -> list[Line]:
        named = zip(definition.arms, kept, strict=True)
        return [Line(*(column[keep] for column in sample[arm])) for arm, keep in named]

    lines = take(material.samples[0])
    if not len(lines[0].x):
        return nothing
    window = _stretch(definition, lines, material.entropy)
    if is_text and not is_range and not _at_points(lines[0], window):
        return nothing
    read = _apply(definition, lines, window)
    if math.isnan(read.value):
        return nothing
    samples = () if is_text and is_range else material.redrawn  # "about" does not move a value off its axis
    again = (take(sample) for sample in samples)
    redrawn = [_apply(definition, lines, _stretch(definition, lines, material.entropy)) for lines in again]
    known = [read, *(o for o in redrawn if not math.isnan(o.value))]
    return read.value, _sparse(_quantiles(read, known, settings), definition.predicate, material.evidence)


def _quantiles(read: Outcome, known: Sequence[Outcome], settings: AuditSettings) -> Interval:
    """Return the interval over redrawn readings, which holds the number that was read itself."""
    tail = (1 - settings.level) / 2
    # "inverted_cdf" keeps infinite bounds infinite, where interpolation would make them NaN.
    low = float(np.quantile([o.lo for o in known], tail, method="inverted_cdf"))
    high = float(np.quantile([o.hi for o in known], 1 - tail, method="inverted_cdf"))
    return min(low, read.lo), max(high, read.hi)


def _apply(definition: Definition, lines: Sequence[Line], window: Interval) -> Outcome:
    """Return the predicate's outcome; nothing where a line has no points or the window has no end."""
    if any(not len(line.x) for line in lines) or any(math.isnan(end) for end in window):
        return NOTHING
    return definition.predicate.rule(lines, window, definition.scale)


def _sparse(interval: Interval, kind: Predicate, evidence: Evidence) -> Interval:
    """Open the side of an interval that a few described values cannot bound."""
    if evidence is not Evidence.TEXT:
        return interval
    return (
        -math.inf if kind.sparse == "most" else interval[0],
        math.inf if kind.sparse == "least" else interval[1],
    )


def _clip(interval: Interval | None, kind: Predicate) -> Interval | None:
    """Keep an interval within the values that the number can take at all."""
    if interval is None:
        return None
    low, high = kind.natural
    return min(max(interval[0], low), high), max(min(interval[1], high), low)


def _common_points(lines: Sequence[Line]) -> list[BoolArray]:
    """Return which points of each line lie at an x that all have: between described values nothing is known."""
    common = lines[0].x
    for line in lines[1:]:
        common = np.intersect1d(common, line.x)
    return [np.isin(line.x, common) for line in lines]


def _at_points(line: Line, window: Interval) -> bool:
    """Return whether both ends of a window are (close to) described steps."""
    slack = AT_ANCHOR * (line.x[-1] - line.x[0])
    return all(float(np.abs(line.x - end).min()) <= slack for end in window)
