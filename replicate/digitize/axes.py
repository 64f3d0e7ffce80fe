"""From tick labels and tick marks to a calibrated axis.

Every label may mean several things, and the axis may be linear or logarithmic. Each pair of labels, with each
pair of their readings, proposes a line u = intercept + slope * pixel (u: the value or its log10). Each proposal
is scored by the log-likelihood of all labels (a mixture of "one of its readings, near the line" and "outlier")
and of the tick marks (log axes put them at log10 of 2..9, linear ones at equal steps). The best proposal is
refined by least squares on the marks, and the weight of the others becomes its doubt.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from replicate.digitize.model import (
    AxisEvidence,
    AxisFit,
    FittedTick,
    FloatArray,
    LabelReading,
    Scale,
    TickMark,
)
from replicate.errors import InputError

ForcedScale = Literal["linear", "log", "auto"]


@dataclass(frozen=True)
class AxisSettings:
    """Tolerances and prior odds of the axis fit.

    Attributes:
        centre_error: Standard error of a label's centre as a tick's place, pixels.
        mark_error: Standard error of a tick mark's place, pixels.
        reach: How far a mark may be from a label's centre to be its mark, pixels.
        outlier: Chance that a label is misread beyond all its readings, or is no label of this axis.
        log_prior: Prior log odds of a logarithmic axis whose labels are plain decimals.
        reversed_prior: Prior log odds of an axis that runs backwards.
        mixed_prior: Log odds of an axis whose used labels are written in forms that do not go together.
        powers_prior: Log odds of a linear axis whose labels could all be powers of ten (102, 103, 104).
        stray_mark: Share of tick marks that belong to no tick.
        refined: How many proposals are refined and compared.
        same: Largest difference, in spans of the axis, at which two fits are the same axis.
    """

    centre_error: float = 1.2
    mark_error: float = 0.5
    reach: float = 5.0
    outlier: float = 0.01
    log_prior: float = -2.0
    reversed_prior: float = -1.5
    mixed_prior: float = -3.0
    powers_prior: float = -5.0
    stray_mark: float = 0.15
    refined: int = 40
    same: float = 0.01


@dataclass(frozen=True, eq=False)
class _Ticks:
    """The labels' places and readings as flat arrays; reading k belongs to label owner[k].

    Attributes:
        pixel: (n,) place of each label's tick.
        error: (n,) standard error of each place.
        owner: (m,) label of each reading, ascending.
        value: (m,) value of each reading.
        weight: (m,) log weight of each reading.
        form: (m,) how it was written.
    """

    pixel: FloatArray
    error: FloatArray
    owner: NDArray[np.intp]
    value: FloatArray
    weight: FloatArray
    form: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class _Proposal:
    """A line with its score and the reading it uses of each label (-1: none)."""

    scale: Scale
    intercept: float
    slope: float
    score: float
    used: NDArray[np.intp]


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
    ticks = _ticks(evidence, settings)
    proposals = [p for scale in _scales(forced_scale) for p in _propose(ticks, scale, evidence, settings)]
    if forced_scale != "linear":
        proposals += _propose_from_minor_ticks(ticks, evidence, settings)
    proposals = [_refine(p, ticks, evidence, settings) for p in _best(proposals, evidence, settings)]
    proposals = [p for p in proposals if np.count_nonzero(p.used >= 0) >= 1]
    if not proposals:
        return None if forced_scale == "log" else _fit_categories(evidence, ticks)
    proposals.sort(key=lambda p: -p.score)
    best = proposals[0]
    fit = _with_offset(_to_fit(best, ticks, evidence), evidence.offset, best, ticks)
    rivals = [p.score for p in proposals[1:] if not _same(p, best, evidence, settings)]
    return replace(fit, doubt=_doubt(best, rivals, ticks, fit.residual_px))


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
    fits = {"linear": _line(pixels, values)} if scale != "log" else {}
    if scale == "log" or (scale == "auto" and len(pixels) > 2 and positive):
        fits["log"] = _line(pixels, np.log10(values))
    chosen: Scale = (
        "log" if fits.get("log", (0, 0, math.inf))[2] < fits.get("linear", (0, 0, math.inf))[2] else "linear"
    )
    intercept, slope, residual = fits[chosen]
    fitted = tuple(
        FittedTick(float(p), f"{v:g}", float(v), True) for p, v in zip(pixels, values, strict=True)
    )
    return AxisFit(chosen, intercept, slope, fitted, residual, source="person")


def _line(pixels: FloatArray, u: FloatArray, error: FloatArray | None = None) -> tuple[float, float, float]:
    """Return (intercept, slope, root mean square residual in pixels) of the weighted least-squares line."""
    weight = np.ones_like(pixels) if error is None else 1 / error**2
    centre = float(np.average(pixels, weights=weight))
    mean = float(np.average(u, weights=weight))
    spread = float(np.sum(weight * (pixels - centre) ** 2))
    slope = float(np.sum(weight * (pixels - centre) * (u - mean)) / spread) if spread > 0 else 0.0
    intercept = float(mean - slope * centre)
    if slope == 0:
        return intercept, slope, math.inf
    distance = (u - intercept) / slope - pixels
    return intercept, slope, float(np.sqrt(np.mean(distance**2)))


def _scales(forced: ForcedScale) -> tuple[Scale, ...]:
    """Return the scales to try."""
    return ("linear", "log") if forced == "auto" else (forced,)


# --- places -----------------------------------------------------------------------------------------------


def _ticks(evidence: AxisEvidence, settings: AxisSettings) -> _Ticks:
    """Place each label on its mark where it has one, and lay out its readings."""
    centres = np.array([label.pixel for label in evidence.labels], dtype=np.float64)
    pixel, marked = _on_marks(centres, _extents(evidence), evidence.marks, settings)
    error = np.where(marked, settings.mark_error, settings.centre_error)
    flat = [
        (i, r) for i, label in enumerate(evidence.labels) for r in label.readings if math.isfinite(r.value)
    ]
    return _Ticks(
        pixel,
        error,
        np.array([i for i, _ in flat], dtype=np.intp),
        np.array([r.value for _, r in flat], dtype=np.float64),
        np.log(np.array([r.weight for _, r in flat], dtype=np.float64)),
        tuple(r.form for _, r in flat),
    )


def _extents(evidence: AxisEvidence) -> FloatArray:
    """Return each label's extent along the axis, pixels."""
    along = [b.width if evidence.direction == "x" else b.height for b in (x.box for x in evidence.labels)]
    return np.array(along, dtype=np.float64)


def _on_marks(
    centres: FloatArray, extents: FloatArray, marks: Sequence[TickMark], settings: AxisSettings
) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Move labels to their marks: all by one shift, which is zero but for rotated labels.

    Args:
        centres: (n,) middles of the labels.
        extents: (n,) their extents along the axis.
        marks: The marks.
        settings: Tolerances.

    Returns:
        (n,) places, and (n,) whether each is that of a mark.
    """
    places = np.array([m.pixel for m in marks if m.major] or [m.pixel for m in marks], dtype=np.float64)
    if not len(places) or not len(centres):
        return centres, np.zeros(len(centres), bool)
    distance = places[None, :] - centres[:, None]
    tried = [0.0]
    if len(centres) >= 3:
        near = np.abs(distance) <= np.maximum(extents, settings.reach)[:, None]
        tried += sorted(distance[near].tolist(), key=abs)[:200]
    counts = [(np.abs(distance - s).min(axis=1) <= (settings.reach if s == 0 else 2.0)).sum() for s in tried]
    most = max(counts)
    enough = counts[0] >= max(0.6 * len(centres), most - 1)
    shift = 0.0 if enough or most < max(3, 0.8 * len(centres)) else tried[int(np.argmax(counts))]
    nearest = np.abs(distance - shift).argmin(axis=1)
    offset = distance[np.arange(len(centres)), nearest]
    usual = float(np.median(offset[np.abs(offset - shift) <= settings.reach])) if counts[0] or shift else 0.0
    marked = np.abs(offset - usual) <= (settings.reach if shift == 0 else 2.5)
    return np.where(marked, places[nearest], centres + usual), marked


# --- proposals --------------------------------------------------------------------------------------------


def _propose(ticks: _Ticks, scale: Scale, evidence: AxisEvidence, settings: AxisSettings) -> list[_Proposal]:
    """Score the lines through every pair of readings of two labels; the most likely first."""
    usable = _usable(ticks, scale)
    chosen = np.flatnonzero(usable)
    if len(chosen) < 2:
        return []
    u = _transformed(ticks.value, usable, scale)
    first, second = (chosen[i] for i in np.triu_indices(len(chosen), 1))
    apart = ticks.pixel[ticks.owner[second]] - ticks.pixel[ticks.owner[first]]
    keep = (np.abs(apart) > 4) & (u[first] != u[second])
    first, second, apart = first[keep], second[keep], apart[keep]
    slope = (u[second] - u[first]) / apart
    intercept = u[first] - slope * ticks.pixel[ticks.owner[first]]
    gains = _gains(ticks, u, usable, intercept, slope, settings)
    order = np.argsort(-gains.sum(axis=1), kind="stable")[: settings.refined * 4]
    return [
        _Proposal(scale, float(intercept[k]), float(slope[k]), float(gains[k].sum()), np.empty(0, np.intp))
        for k in order
    ]


def _usable(ticks: _Ticks, scale: Scale) -> NDArray[np.bool_]:
    """Return which readings can stand on an axis of the scale."""
    finite = np.isfinite(ticks.value)
    return finite & (ticks.value > 0) if scale == "log" else finite


def _transformed(value: FloatArray, usable: NDArray[np.bool_], scale: Scale) -> FloatArray:
    """Return u of each value; 0 where the reading is not usable."""
    safe = np.where(usable, value, 1.0)
    return np.log10(safe) if scale == "log" else np.where(usable, value, 0.0)


def _gains(
    ticks: _Ticks,
    u: FloatArray,
    usable: NDArray[np.bool_],
    intercept: FloatArray,
    slope: FloatArray,
    settings: AxisSettings,
) -> FloatArray:
    """Return, for each line and label, the log odds that it is on the line and no outlier.

    Args:
        ticks: The labels.
        u: (m,) transformed values.
        usable: (m,) which readings count.
        intercept: (h,) of the lines.
        slope: (h,) of the lines.
        settings: Tolerances.

    Returns:
        (h, n) log odds, at least 0, for n labels.
    """
    distance = (u[None, :] - intercept[:, None]) / slope[:, None] - ticks.pixel[ticks.owner][None, :]
    spread = 2.0 * ticks.error[ticks.owner][None, :]
    gain = ticks.weight[None, :] - 0.5 * (distance / spread) ** 2 - math.log(settings.outlier)
    gain = np.where(usable[None, :], gain, 0.0)
    all_labels = np.zeros((len(slope), len(ticks.pixel)))
    starts = np.flatnonzero(np.diff(ticks.owner, prepend=-1))
    all_labels[:, ticks.owner[starts]] = np.maximum(np.maximum.reduceat(gain, starts, axis=1), 0.0)
    return all_labels


def _propose_from_minor_ticks(
    ticks: _Ticks, evidence: AxisEvidence, settings: AxisSettings
) -> list[_Proposal]:
    """Propose log axes from one labelled power and the marks around it, which give the decade's length."""
    marks = np.array([m.pixel for m in evidence.marks])
    if len(marks) < 5:
        return []
    shares = np.log10(np.arange(2, 11))
    found = []
    for k in np.flatnonzero(
        np.array([f == "power" for f in ticks.form], bool) & (ticks.weight > math.log(0.3))
    ):
        place = ticks.pixel[ticks.owner[k]]
        if ticks.value[k] <= 0:
            continue
        away = marks - place
        decades = np.concatenate(
            [(away[:, None] / shares).ravel(), (-away[:, None] / (1 - shares[:-1])).ravel()]
        )
        span = evidence.span[1] - evidence.span[0]
        for decade in np.unique(np.round(decades[(np.abs(decades) > 20) & (np.abs(decades) < 3 * span)], 1)):
            slope = 1 / decade
            found.append(
                _Proposal("log", math.log10(ticks.value[k]) - slope * place, slope, 0.0, np.empty(0, np.intp))
            )
    scored = [replace(p, score=_marks_score(p, evidence, settings)) for p in found]
    return sorted(scored, key=lambda p: -p.score)[: settings.refined]


def _best(proposals: list[_Proposal], evidence: AxisEvidence, settings: AxisSettings) -> list[_Proposal]:
    """Return the most likely proposals of each scale, without repeats of one axis."""
    kept: list[_Proposal] = []
    for p in sorted(proposals, key=lambda p: -p.score):
        same = [q for q in kept if q.scale == p.scale]
        if len(same) < settings.refined and not any(_same(p, q, evidence, settings) for q in same):
            kept.append(p)
    return kept


def _same(a: _Proposal, b: _Proposal, evidence: AxisEvidence, settings: AxisSettings) -> bool:
    """Whether two proposals put the same values at the ends of the axis."""
    if a.scale != b.scale:
        return False
    ends = np.array(evidence.span)
    difference = (a.intercept - b.intercept) + (a.slope - b.slope) * ends
    width = abs(b.slope) * (evidence.span[1] - evidence.span[0])
    return bool(np.abs(difference).max() <= settings.same * width)


# --- scoring ----------------------------------------------------------------------------------------------


def _refine(p: _Proposal, ticks: _Ticks, evidence: AxisEvidence, settings: AxisSettings) -> _Proposal:
    """Fit the line to the labels that agree with it, and score it with the marks and the prior odds."""
    usable = _usable(ticks, p.scale)
    u = _transformed(ticks.value, usable, p.scale)
    intercept, slope = p.intercept, p.slope
    used = _assign(ticks, u, usable, intercept, slope, settings)
    for _ in range(3):
        on = used >= 0
        if np.count_nonzero(on) < 2:
            break
        intercept, slope, _ = _line(ticks.pixel[on], u[used[on]], ticks.error[on])
        if slope == 0:
            return replace(p, used=np.full(len(ticks.pixel), -1), score=-math.inf)
        used = _assign(ticks, u, usable, intercept, slope, settings)
    fitted = replace(p, intercept=intercept, slope=slope, used=used)
    gains = _gains(ticks, u, usable, np.array([intercept]), np.array([slope]), settings)
    score = (
        float(gains.sum())
        + _prior(fitted, ticks, evidence, settings)
        + _marks_score(fitted, evidence, settings)
    )
    return replace(fitted, score=score)


def _assign(
    ticks: _Ticks,
    u: FloatArray,
    usable: NDArray[np.bool_],
    intercept: float,
    slope: float,
    settings: AxisSettings,
) -> NDArray[np.intp]:
    """Return the reading of each label that lies on the line, -1 where none does."""
    used = np.full(len(ticks.pixel), -1, dtype=np.intp)
    if slope == 0:
        return used
    distance = np.abs((u - intercept) / slope - ticks.pixel[ticks.owner])
    near = usable & (distance <= 3 * ticks.error[ticks.owner])
    for k in np.flatnonzero(near):
        i = ticks.owner[k]
        if used[i] < 0 or ticks.weight[k] > ticks.weight[used[i]]:
            used[i] = k
    return used


_TOGETHER = (
    frozenset({"plain", "thousands", "si", "exponent"}),
    frozenset({"plain", "exponent", "power"}),
    frozenset({"percent"}),
    frozenset({"date", "plain"}),
)


def _prior(p: _Proposal, ticks: _Ticks, evidence: AxisEvidence, settings: AxisSettings) -> float:
    """Return the prior log odds of a proposal: scale, direction, and whether its labels go together."""
    used = p.used[p.used >= 0]
    forms = {ticks.form[k] for k in used}
    score = 0.0
    if p.scale == "log" and not forms & {"power", "exponent"}:
        score += settings.log_prior
    if p.scale == "linear" and len(used) and _all_powers(ticks, p.used):
        score += settings.powers_prior
    upward = p.slope < 0 if evidence.direction == "y" else p.slope > 0
    score += 0.0 if upward else settings.reversed_prior
    score += 0.0 if any(forms <= group for group in _TOGETHER) else settings.mixed_prior
    return score


def _all_powers(ticks: _Ticks, used: NDArray[np.intp]) -> bool:
    """Whether every used label could as well be a whole power of ten written flat (102 for 10²)."""
    powers = {int(ticks.owner[k]) for k, form in enumerate(ticks.form) if form == "power"}
    labels = np.flatnonzero(used >= 0).tolist()
    return all(i in powers and ticks.form[used[i]] != "power" for i in labels)


def _marks_score(p: _Proposal, evidence: AxisEvidence, settings: AxisSettings) -> float:
    """Return how much better the marks fit the ticks that the axis would have than marks put at random.

    Each mark is drawn from a mixture: at one of the expected ticks (with the marks' error), or anywhere.
    A denser set of expected ticks spreads its probability over more places, so it gains nothing by hitting
    more marks by chance. Half of the log-likelihood counts, as marks share their mistakes.
    """
    span = evidence.span[1] - evidence.span[0]
    marks = np.array([m.pixel for m in evidence.marks])
    if p.slope == 0 or len(marks) < 3 or span <= 0:
        return 0.0
    sets = _expected_log(p, evidence.span) if p.scale == "log" else _expected_linear(p, evidence.span)
    best = 0.0
    for expected in sets:
        if not 2 <= len(expected) <= span / 3:
            continue
        nearest = np.abs(marks[:, None] - expected[None, :]).min(axis=1)
        error = settings.mark_error
        density = np.exp(-0.5 * (nearest / error) ** 2) / (error * math.sqrt(2 * math.pi)) / len(expected)
        chance = (1 - settings.stray_mark) * density * span + settings.stray_mark
        best = max(best, 0.5 * float(np.log(chance).sum()))
    return best


def _expected_log(p: _Proposal, span: tuple[float, float]) -> list[FloatArray]:
    """Return the pixels of ticks that a log axis may have: decades alone, and with 2..9 between."""
    ends = sorted(p.intercept + p.slope * s for s in span)
    decades = np.arange(math.floor(ends[0]), math.ceil(ends[1]) + 1)
    if len(decades) > 60:
        return []
    with_minor = (decades[:, None] + np.log10(np.arange(1, 10))[None, :]).ravel()
    pixels = [(u - p.intercept) / p.slope for u in (decades.astype(np.float64), with_minor)]
    return [x[(x >= span[0] - 1) & (x <= span[1] + 1)] for x in pixels]


def _expected_linear(p: _Proposal, span: tuple[float, float]) -> list[FloatArray]:
    """Return the pixels of ticks that a linear axis may have: every round step that gives 3 to 60 ticks."""
    ends = sorted(p.intercept + p.slope * s for s in span)
    width = float(ends[1] - ends[0])
    found = []
    for exponent in range(math.floor(math.log10(width)) - 2, math.floor(math.log10(width)) + 1):
        for factor in (1, 2, 2.5, 5):
            step = factor * 10.0**exponent
            if 2 <= width / step <= 60:
                values = np.arange(math.ceil(ends[0] / step), math.floor(ends[1] / step) + 1) * step
                found.append((values - p.intercept) / p.slope)
    return found


def _doubt(best: _Proposal, rivals: Sequence[float], ticks: _Ticks, residual: float) -> float:
    """Return how likely something is wrong: rival fits, few labels, unused labels, a large residual."""
    rival = sum(math.exp(min(0.0, score - best.score)) for score in rivals)
    wrong = [rival / (1 + rival)]
    labels = np.unique(ticks.owner)
    used = np.count_nonzero(best.used >= 0)
    wrong.append({1: 0.5, 2: 0.25, 3: 0.03}.get(used, 0.0))
    unused = 1 - used / max(len(labels), used)
    wrong.append(unused**2)
    wrong.append(min(1.0, max(0.0, (residual - 1.0) / 4)))
    return 1 - math.prod(1 - w for w in wrong)


# --- results ----------------------------------------------------------------------------------------------


def _to_fit(p: _Proposal, ticks: _Ticks, evidence: AxisEvidence) -> AxisFit:
    """Turn a proposal into the calibrated axis."""
    fitted = []
    for i, label in enumerate(evidence.labels):
        k = p.used[i]
        shown = ticks.value[k] if k >= 0 else next((r.value for r in label.readings), math.nan)
        fitted.append(FittedTick(float(ticks.pixel[i]), label.text, float(shown), bool(k >= 0)))
    on = np.flatnonzero(p.used >= 0)
    value = ticks.value[p.used[on]]
    u = np.log10(value) if p.scale == "log" else value
    distance = (u - p.intercept) / p.slope - ticks.pixel[on]
    dated = any(ticks.form[k] == "date" for k in p.used[on])
    scale: Scale = "date" if dated and p.scale == "linear" else p.scale
    residual = float(np.sqrt(np.mean(distance**2))) if len(on) else 0.0
    return AxisFit(scale, p.intercept, p.slope, tuple(fitted), residual, label=evidence.label)


def _with_offset(fit: AxisFit, offset: Sequence[LabelReading], p: _Proposal, ticks: _Ticks) -> AxisFit:
    """Apply the text at the axis' end to a linear axis of plain numbers."""
    plain = all(ticks.form[k] in ("plain", "thousands") for k in p.used[p.used >= 0])
    if fit.scale != "linear" or not offset or not plain:
        return fit
    factor = next((r.value for r in offset if r.form != "addend"), 1.0)
    addend = next((r.value for r in offset if r.form == "addend"), 0.0)
    moved = tuple(replace(t, value=t.value * factor + addend) for t in fit.ticks)
    return replace(fit, intercept=fit.intercept * factor + addend, slope=fit.slope * factor, ticks=moved)


def _fit_categories(evidence: AxisEvidence, ticks: _Ticks) -> AxisFit | None:
    """Number equidistant labels without numeric meaning from 0."""
    order = np.argsort(ticks.pixel, kind="stable")
    worded = [int(i) for i in order if any(r.form == "category" for r in evidence.labels[i].readings)]
    if len(worded) < 3:
        return None
    pixels = ticks.pixel[worded]
    gaps = np.diff(pixels)
    numbers = np.concatenate([[0.0], np.cumsum(np.maximum(1, np.round(gaps / float(np.median(gaps)))))])
    intercept, slope, residual = _line(pixels, numbers)
    if residual > 2.5:
        return None
    number = dict(zip(worded, numbers.tolist(), strict=True))
    fitted = tuple(
        FittedTick(float(ticks.pixel[i]), label.text, number.get(i, math.nan), i in number)
        for i, label in enumerate(evidence.labels)
    )
    return AxisFit("category", intercept, slope, fitted, residual, doubt=0.3, label=evidence.label)
