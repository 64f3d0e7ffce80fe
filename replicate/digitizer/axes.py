"""From tick labels and tick marks to a calibrated axis, with an honest doubt.

Every label may mean several things, and the axis may be linear or logarithmic; `axis_search` scores all of
that together. Here the best line becomes the axis, and the weight of all others, few or unused labels, and a
large residual become its doubt.
"""

from __future__ import annotations

import calendar
import datetime as dt
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from replicate.digitizer import axis_search
from replicate.digitizer.axis_search import AxisSettings, Proposal, Ticks
from replicate.digitizer.decades import with_decades
from replicate.digitizer.model import (
    AxisEvidence,
    AxisFit,
    FittedTick,
    FloatArray,
    LabelReading,
    Scale,
    TickLabel,
)
from replicate.digitizer.snapping import fit_rounded
from replicate.digitizer.ticklabels import decimal_year
from replicate.errors import InputError

ForcedScale = Literal["linear", "log", "auto"]


def fit_axis(
    evidence: AxisEvidence, forced_scale: ForcedScale = "auto", settings: AxisSettings | None = None
) -> AxisFit | None:
    """Calibrate an axis from its labels and marks.

    Args:
        evidence: What is known of the axis.
        forced_scale: "linear" or "log" where a person has said so.
        settings: Tolerances and prior odds.

    Returns:
        The most likely fit; its doubt is the weight of all others together and what else speaks against it.
        None where no two labels agree on an axis.
    """
    settings = settings or AxisSettings()
    evidence = with_decades(_with_years(evidence))
    ticks = axis_search.lay_out(evidence, settings)
    proposals = _proposals(ticks, evidence, forced_scale, settings)
    categories = None if forced_scale == "log" else _fit_categories(evidence, ticks)
    if not proposals:
        return categories
    best = proposals[0]
    if categories and np.count_nonzero(best.used >= 0) < 0.6 * len(evidence.labels):
        return categories
    if categories and _is_yearless(best, ticks) and categories.residual_px < 0.5 * _misfit(best, ticks):
        return categories  # months at equal distances, whatever their lengths
    rivals = [p.score for p in proposals[1:] if not p.same_as(best, evidence.span, settings)]
    fit = _with_offset(_to_fit(best, ticks, evidence), evidence.offset, best, ticks)
    return replace(fit, doubt=_doubt(best, rivals, ticks, fit, evidence))


def fit_person(ticks: Mapping[float, float], scale: ForcedScale = "auto") -> AxisFit:
    """Calibrate an axis from the ticks that a person gave.

    Args:
        ticks: Value of each pixel; at least two.
        scale: "auto" takes the scale that fits three or more ticks better, linear for two.

    Returns:
        The least-squares line, without doubt.

    Raises:
        InputError: Fewer than two different ticks, or a value that a logarithmic axis cannot have.
    """
    pixels = np.array(sorted(ticks), dtype=np.float64)
    values = np.array([ticks[p] for p in sorted(ticks)], dtype=np.float64)
    if len(set(values.tolist())) < 2 or not np.isfinite(values).all():
        raise InputError(
            "a calibration needs two ticks with different values", 'give "PIXEL=VALUE,PIXEL=VALUE"'
        )
    positive = bool((values > 0).all())
    if scale == "log" and not positive:
        raise InputError("a logarithmic axis has positive values only", "correct the values or the scale")
    tried: list[Scale] = ["linear"] if scale != "log" else []
    if scale == "log" or (scale == "auto" and len(pixels) > 2 and positive):
        tried.append("log")
    fitted = tuple(
        FittedTick(float(p), f"{v:g}", float(v), True) for p, v in zip(pixels, values, strict=True)
    )
    fits = []
    for chosen in tried:
        u = np.log10(values) if chosen == "log" else values
        intercept, slope = axis_search.line(pixels, u, np.ones_like(pixels))
        residual = _residual(pixels, u, intercept, slope)
        fits.append(AxisFit(chosen, intercept, slope, fitted, residual, source="person"))
    return min(fits, key=lambda f: f.residual_px)


def _is_yearless(p: Proposal, ticks: Ticks) -> bool:
    """Whether a proposal rests on months and days whose year nothing says."""
    used = p.used[p.used >= 0].tolist()
    return all(ticks.form[k] == "date" and ticks.value[k] < 1 for k in used)


def _misfit(p: Proposal, ticks: Ticks) -> float:
    """Return the largest distance of a label from its place under a proposal, pixels, whichever it uses."""
    off = np.abs((ticks.value - p.intercept) / p.slope - ticks.pixel[ticks.owner])
    return float(off.max())


def _residual(pixels: FloatArray, u: FloatArray, intercept: float, slope: float) -> float:
    """Return the root mean square distance of ticks from a line, pixels."""
    if slope == 0:
        return math.inf
    return float(np.sqrt(np.mean(((u - intercept) / slope - pixels) ** 2)))


def _proposals(
    ticks: Ticks, evidence: AxisEvidence, forced: ForcedScale, settings: AxisSettings
) -> list[Proposal]:
    """Return the refined proposals, the most likely first."""
    tried: dict[Scale, list[Proposal]] = {}
    for scale in ("linear", "log"):
        if forced in ("auto", scale):
            tried[scale] = axis_search.propose(ticks, scale, settings)
    if forced != "linear":
        from_minor = axis_search.propose_from_minor_ticks(ticks, evidence.marks, settings)
        tried["category"] = from_minor  # kept apart: their scores are not comparable before refinement
    few = [p for found in tried.values() for p in axis_search.distinct(found, evidence.span, settings)]
    refined = [axis_search.refine(p, ticks, evidence, settings) for p in few]
    sound = [p for p in refined if _is_sound(p)]
    return sorted(sound, key=lambda p: -p.score)


def _is_sound(p: Proposal) -> bool:
    """Whether a proposal rests on two labels, or on one and minor ticks that leave no choice."""
    labels = np.count_nonzero(p.used >= 0)
    return math.isfinite(p.score) and bool(labels >= 2 or (labels == 1 and p.support > 6))


def _doubt(
    best: Proposal, rivals: Sequence[float], ticks: Ticks, fit: AxisFit, evidence: AxisEvidence
) -> float:
    """Return how likely something is wrong: rival fits, few labels, unused labels, a large residual."""
    rival = math.fsum(math.exp(min(0.0, score - best.score)) for score in rivals)
    used = int(np.count_nonzero(best.used >= 0))
    marked = best.support > 3
    unused = 1 - used / max(len(np.unique(ticks.owner)), used)
    yearless = fit.scale == "date" and all(t.value < 1 for t in fit.ticks if t.used)
    undated = fit.scale != "date" and any(r.form == "date" and r.weight >= 0.9 for r in evidence.offset)
    loose = 0.6 if (ticks.mark >= 0).any() else 1.0
    unlikely = float(np.exp(np.median(ticks.weight[best.used[best.used >= 0]])))
    wrong = (
        rival / (1 + rival),
        {1: 0.15, 2: 0.08 if marked else 0.25, 3: 0.02 if marked else 0.04}.get(used, 0.0),
        unused**2,
        min(1.0, max(0.0, (fit.residual_px - loose) / 4)),
        0.4 if ticks.displaced else 0.0,
        max(0.0, 0.35 - unlikely),
        0.5 if yearless or undated else 0.0,
    )
    return 1 - math.prod(1 - w for w in wrong)


# --- results ----------------------------------------------------------------------------------------------


def _to_fit(p: Proposal, ticks: Ticks, evidence: AxisEvidence) -> AxisFit:
    """Turn a proposal into the calibrated axis."""
    fitted = []
    for i, label in enumerate(evidence.labels):
        k = p.used[i]
        shown = ticks.value[k] if k >= 0 else next((r.value for r in label.readings), math.nan)
        fitted.append(FittedTick(float(ticks.pixel[i]), label.text, float(shown), bool(k >= 0)))
    on = np.flatnonzero(p.used >= 0)
    u = ticks.transformed(p.scale)[p.used[on]]
    intercept, slope = _with_rounding(p, ticks, evidence, on, u)
    dated = any(ticks.form[k] == "date" for k in p.used[on])
    scale: Scale = "date" if dated and p.scale == "linear" else p.scale
    residual = _residual(ticks.pixel[on], u, intercept, slope)
    return AxisFit(scale, intercept, slope, tuple(fitted), residual, label=evidence.label)


def _with_rounding(
    p: Proposal, ticks: Ticks, evidence: AxisEvidence, on: axis_search.IntArray, u: FloatArray
) -> tuple[float, float]:
    """Return (intercept, slope), from the marks' bounds where they were rounded to whole pixels."""
    marks = [evidence.marks[k] for k in ticks.mark[on] if k >= 0]
    if len(on) < 3 or len(marks) < len(on) or not all(m.snapped for m in marks):
        return p.intercept, p.slope
    fitted = fit_rounded(u, ticks.pixel[on])
    if fitted is None or fitted[1] == 0:
        return p.intercept, p.slope
    return -fitted[0] / fitted[1], 1 / fitted[1]


def _with_offset(fit: AxisFit, offset: Sequence[LabelReading], p: Proposal, ticks: Ticks) -> AxisFit:
    """Apply the text at the axis' end to a linear axis of plain numbers."""
    plain = all(ticks.form[k] in ("plain", "thousands") for k in p.used[p.used >= 0])
    factor = next((r.value for r in offset if r.form == "factor"), 1.0)
    addend = next((r.value for r in offset if r.form == "addend"), 0.0)
    if fit.scale != "linear" or not plain or (factor, addend) == (1.0, 0.0):
        return fit
    moved = tuple(replace(t, value=t.value * factor + addend) for t in fit.ticks)
    return replace(fit, intercept=fit.intercept * factor + addend, slope=fit.slope * factor, ticks=moved)


def _with_years(evidence: AxisEvidence) -> AxisEvidence:
    """Complete dates from what other labels or the text at the axis' end say.

    Months get every year near those that are named; days get the months up to the one at the axis' end.
    """
    named = [r for r in evidence.offset if r.form == "date"]
    readings = [r for found in (*(x.readings for x in evidence.labels), named) for r in found]
    dated = [r.value for r in readings if r.form == "date" and r.value >= 1]
    if not dated or not any(r.form == "date" and r.value < 1 for r in readings):
        return evidence
    years = range(int(min(dated)) - 1, int(max(dated)) + 2)

    def completed(label: TickLabel) -> TickLabel:
        known = [r for r in label.readings if r.form != "date" or r.value >= 1]
        loose = [r for r in label.readings if r.form == "date" and r.value < 1]
        added = [replace(r, value=_in_year(r.value, year)) for r in loose for year in years]
        days = [int(r.value) for r in known if r.form == "plain" and r.value in range(1, 32)]
        dates = _days(days[0], named[0].value) if days and named else []
        added += [LabelReading(value, "date", 0.7) for value in dates]
        return replace(label, readings=(*known, *added))

    return replace(evidence, labels=tuple(completed(label) for label in evidence.labels))


def _in_year(fraction: float, year: int) -> float:
    """Return a day of a common year, given as a fraction of it, as the same date of another year."""
    day = dt.date(2001, 1, 1) + dt.timedelta(days=round(fraction * 365))
    return decimal_year(year, day.month, day.day)


def _days(day: int, month: float) -> list[float]:
    """Return a day of the month as decimal years, in the three months up to a month and in the one after."""
    year, number = int(month), round(12 * (month % 1)) + 1
    months = [divmod(12 * year + number - 1 + k, 12) for k in (-3, -2, -1, 0, 1)]
    return [decimal_year(y, m + 1, day) for y, m in months if day <= calendar.monthrange(y, m + 1)[1]]


def _fit_categories(evidence: AxisEvidence, ticks: Ticks) -> AxisFit | None:
    """Number equidistant labels without numeric meaning from 0; a month without a year may be one, too."""
    along = ticks.pixel if evidence.direction == "x" else -ticks.pixel  # the first word stands at the origin
    worded = [
        i for i in np.argsort(along, kind="stable").tolist()
        if any(r.form == "category" or (r.form == "date" and r.value < 1) for r in evidence.labels[i].readings)
    ]  # fmt: skip
    if len(worded) < 3:
        return None
    pixels = ticks.pixel[worded]
    gaps = np.abs(np.diff(pixels))
    steps = np.maximum(1, np.round(gaps / max(float(np.median(gaps)), 1.0)))
    numbers = np.concatenate([[0.0], np.cumsum(steps)])
    intercept, slope = axis_search.line(pixels, numbers, ticks.error[worded])
    residual = _residual(pixels, numbers, intercept, slope)
    if residual > 2.5:
        return None
    number = dict(zip(worded, numbers.tolist(), strict=True))
    fitted = tuple(
        FittedTick(float(ticks.pixel[i]), label.text, number.get(i, math.nan), i in number)
        for i, label in enumerate(evidence.labels)
    )
    even = bool((steps == 1).all()) and len(worded) == len(evidence.labels)
    return AxisFit("category", intercept, slope, fitted, residual, 0.1 if even else 0.4, label=evidence.label)
