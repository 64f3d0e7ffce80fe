"""The search for the line that explains an axis' labels and marks best.

Each pair of labels, with each pair of their readings, proposes a line u = intercept + slope * pixel (u: the
value, or log10 of it). A proposal is scored by the log odds of every label (on the line with one of its readings,
or an outlier), of the tick marks (log axes have them at log10 of 2..9, linear ones at equal steps), and by prior
odds of its scale and of its labels' forms.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from replicate.digitizer.model import AxisEvidence, FloatArray, LabelReading, Scale, TickMark
from replicate.digitizer.ticklabels import LEAST_WEIGHT

BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.intp]

_LEAST = math.log(LEAST_WEIGHT)


@dataclass(frozen=True)
class AxisSettings:
    """Tolerances and prior odds of the axis fit.

    Attributes:
        centre_error: Standard error of a label's centre as a tick's place, pixels; at least
        centre_share: this share of the text's height.
        mark_error: Standard error of a tick mark's place, pixels.
        reach: How far a mark may be from a label's place to be its mark, pixels; at least
        reach_share: this share of the text's height.
        spread: How far those distances may differ from their median, pixels; at least half of the reach.
        marked: Least share of the labels that must have marks for any to be used.
        outlier: Chance that a label is misread beyond all its readings, or is no label of this axis.
        log_prior: Prior log odds of a logarithmic axis whose labels are plain decimals.
        decade_prior: The same where they are successive powers of ten.
        rough_prior: Log odds of a linear axis whose labels are no round step apart.
        reversed_prior: Prior log odds of an axis that runs backwards.
        mixed_prior: Log odds of an axis whose used labels are written in forms that do not go together.
        flat_prior: Log odds of an axis whose labels are 102, 103, 104 and yet no powers of ten.
        power_on_linear: Log odds of a linear axis labelled with powers.
        alike: Share of labels with a raised exponent from which all flat ones may have lost theirs.
        stray_mark: Share of tick marks that belong to no tick.
        kept: How many proposals of each scale are refined and compared.
        same: Largest difference, in spans of the axis, at which two fits are the same axis.
        same_curve: The same for two fits of different scales.
    """

    centre_error: float = 1.2
    centre_share: float = 0.08
    mark_error: float = 0.5
    reach: float = 2.5
    reach_share: float = 0.25
    spread: float = 1.3
    marked: float = 0.6
    outlier: float = 0.01
    log_prior: float = -2.0
    decade_prior: float = -0.5
    rough_prior: float = -2.0
    reversed_prior: float = -1.5
    mixed_prior: float = -3.0
    flat_prior: float = -5.0
    power_on_linear: float = -3.0
    alike: float = 0.2
    stray_mark: float = 0.15
    kept: int = 12
    same: float = 0.01
    same_curve: float = 0.003


@dataclass(frozen=True, eq=False)
class Ticks:
    """The labels' places and readings as flat arrays; reading k belongs to label owner[k].

    Attributes:
        pixel: (n,) place of each label's tick.
        error: (n,) standard error of each place.
        mark: (n,) index of the mark it stands on, -1 where there is none.
        owner: (m,) label of each reading, ascending.
        value: (m,) value of each reading.
        weight: (m,) log weight of each reading.
        form: (m,) how it was written.
        displaced: Whether the labels are slanted and no marks say where their ticks are.
    """

    pixel: FloatArray
    error: FloatArray
    mark: IntArray
    owner: IntArray
    value: FloatArray
    weight: FloatArray
    form: tuple[str, ...]
    displaced: bool

    def usable(self, scale: Scale) -> BoolArray:
        """Return which readings can stand on an axis of the scale; (m,)."""
        if scale != "log":
            return np.isfinite(self.value)
        dated = np.array([f == "date" for f in self.form], dtype=bool)
        return np.asarray(np.isfinite(self.value) & (self.value > 0) & ~dated)

    def transformed(self, scale: Scale) -> FloatArray:
        """Return u of each reading; 0 where it is not usable; (m,)."""
        usable = self.usable(scale)
        return (
            np.log10(np.where(usable, self.value, 1.0))
            if scale == "log"
            else np.where(usable, self.value, 0.0)
        )


@dataclass(frozen=True, eq=False)
class Proposal:
    """A line with its score and the reading it uses of each label.

    Attributes:
        scale: "linear" or "log".
        intercept: u at pixel 0.
        slope: Change of u a pixel.
        score: Log odds.
        used: (n,) index of the reading that is used of each label, -1 where the label is an outlier.
        support: Log odds of the marks alone.
    """

    scale: Scale
    intercept: float
    slope: float
    score: float = 0.0
    used: IntArray = field(default_factory=lambda: np.empty(0, np.intp))
    support: float = 0.0

    def same_as(self, other: Proposal, span: tuple[float, float], settings: AxisSettings) -> bool:
        """Whether two proposals give the same values along the axis."""
        ends = [other.intercept + other.slope * p for p in span]
        if self.scale == other.scale:
            off = [abs(self.intercept + self.slope * p - u) for p, u in zip(span, ends, strict=True)]
            return max(off) <= settings.same * abs(ends[1] - ends[0])
        at = np.linspace(*span, 5)
        mine, others = self.value(at), other.value(at)
        return bool(np.abs(mine - others).max() <= settings.same_curve * abs(others[-1] - others[0]))

    def value(self, pixel: FloatArray) -> FloatArray:
        """Return the values at pixels."""
        u = self.intercept + self.slope * pixel
        return np.power(10.0, np.clip(u, -300, 300)) if self.scale == "log" else u


def line(pixels: FloatArray, u: FloatArray, error: FloatArray) -> tuple[float, float]:
    """Return (intercept, slope) of the least-squares line, weighted by the standard errors of the places."""
    weight = 1 / error**2
    total = float(weight.sum())
    centre, mean = float(weight @ pixels) / total, float(weight @ u) / total
    spread = float(weight @ (pixels - centre) ** 2)
    slope = float(weight @ ((pixels - centre) * (u - mean))) / spread if spread > 0 else 0.0
    return mean - slope * centre, slope


def lay_out(evidence: AxisEvidence, settings: AxisSettings) -> Ticks:
    """Place each label on its mark where it has one, and lay out its readings as arrays."""
    labels = evidence.labels
    centres = np.array([label.pixel for label in labels], dtype=np.float64)
    heights = np.array([min(label.box.height, label.box.width) for label in labels], dtype=np.float64)
    pixel, mark = _on_marks(evidence, centres, heights, settings)
    loose = np.maximum(settings.centre_error, settings.centre_share * heights)
    readings = _written_alike([label.readings for label in labels], settings)
    flat = [(i, r) for i, found in enumerate(readings) for r in found if math.isfinite(r.value)]
    return Ticks(
        pixel,
        np.where(mark >= 0, settings.mark_error, loose),
        mark,
        np.array([i for i, _ in flat], dtype=np.intp),
        np.array([r.value for _, r in flat], dtype=np.float64),
        np.log(np.array([r.weight for _, r in flat], dtype=np.float64)),
        tuple(r.form for _, r in flat),
        _are_slanted(evidence) and not (mark >= 0).any(),
    )


def _written_alike(
    labels: Sequence[tuple[LabelReading, ...]], settings: AxisSettings
) -> list[tuple[LabelReading, ...]]:
    """Raise the weight of flat powers (102 as 10²) where other labels of the axis show a raised exponent."""
    raised = sum(any(r.form == "power" and r.weight >= 0.95 for r in found) for found in labels)
    if raised < max(1.0, settings.alike * len(labels)):
        return list(labels)

    def lifted(found: tuple[LabelReading, ...]) -> tuple[LabelReading, ...]:
        flat = [r for r in found if r.form == "power"]
        if not flat or max(r.weight for r in flat) >= 0.95:
            return found
        best = max(r.weight for r in flat)
        return tuple(replace(r, weight=r.weight * (0.6 / best if r.form == "power" else 0.3)) for r in found)

    return [lifted(found) for found in labels]


def _are_slanted(evidence: AxisEvidence) -> bool:
    """Whether labels are turned: their boxes are too narrow for level text with so many letters and digits."""
    shapes = [(x.box.width / max(x.box.height, 1.0), sum(map(str.isalnum, x.text))) for x in evidence.labels]
    wide = [shape / count for shape, count in shapes if count >= 2]
    return len(wide) >= 2 and float(np.median(wide)) < 0.58


def _on_marks(
    evidence: AxisEvidence, centres: FloatArray, heights: FloatArray, settings: AxisSettings
) -> tuple[FloatArray, IntArray]:
    """Move labels to their marks; level labels stand centred on them, slanted ones all at one distance.

    Args:
        evidence: The axis.
        centres: (n,) middles of the labels.
        heights: (n,) heights of their text.
        settings: Tolerances.

    Returns:
        (n,) places, and (n,) the index of each one's mark or -1; no marks are used where most labels have none.
    """
    none = np.full(len(centres), -1, dtype=np.intp)
    reach = np.maximum(settings.reach, settings.reach_share * heights)
    for majors in (True, False):
        chosen = np.array([k for k, m in enumerate(evidence.marks) if m.major or not majors], dtype=np.intp)
        if not len(chosen) or not len(centres):
            continue
        places = np.array([evidence.marks[k].pixel for k in chosen], dtype=np.float64)
        distance = places[None, :] - centres[:, None]
        shift = _common_shift(distance, 2.0 * heights) if _are_slanted(evidence) else 0.0
        nearest = np.abs(distance - shift).argmin(axis=1)
        offset = distance[np.arange(len(centres)), nearest]
        on = np.abs(offset - shift) <= reach
        usual = float(np.median(offset[on])) if on.any() else 0.0
        on &= np.abs(offset - usual) <= np.maximum(settings.spread, 0.5 * reach)
        if on.sum() >= max(1.0, settings.marked * len(centres)):
            return np.where(on, places[nearest], centres + usual), np.where(on, chosen[nearest], none)
    return centres, none


def _common_shift(distance: FloatArray, farthest: FloatArray) -> float:
    """Return the shift from slanted labels to marks that most of them share; of several, the smallest.

    Args:
        distance: (n, k) from each label's centre to each mark.
        farthest: (n,) how far a label's mark may be from its centre.
    """
    tried = sorted(distance[np.abs(distance) <= farthest[:, None]].tolist(), key=abs)[:200]
    counts = [int((np.abs(distance - s).min(axis=1) <= 1.5).sum()) for s in tried]
    return tried[counts.index(max(counts))] if counts else 0.0


# --- proposals --------------------------------------------------------------------------------------------


def propose(ticks: Ticks, scale: Scale, settings: AxisSettings) -> list[Proposal]:
    """Return the lines through every pair of readings of two labels, the most likely first."""
    usable, u = ticks.usable(scale), ticks.transformed(scale)
    chosen = np.flatnonzero(usable)
    if len(chosen) < 2:
        return []
    first, second = (chosen[i] for i in np.triu_indices(len(chosen), 1))
    apart = ticks.pixel[ticks.owner[second]] - ticks.pixel[ticks.owner[first]]
    keep = (np.abs(apart) > 4) & (u[first] != u[second])
    first, second, apart = first[keep], second[keep], apart[keep]
    slope = (u[second] - u[first]) / apart
    intercept = u[first] - slope * ticks.pixel[ticks.owner[first]]
    score = _gains(ticks, scale, intercept, slope, settings).sum(axis=1)
    order = np.argsort(-score, kind="stable")[: settings.kept * 20]
    return [Proposal(scale, float(intercept[k]), float(slope[k]), float(score[k])) for k in order]


def propose_from_minor_ticks(
    ticks: Ticks, marks: Sequence[TickMark], settings: AxisSettings
) -> list[Proposal]:
    """Return log axes from one labelled power and the marks around it, which give the decade's length."""
    places = np.array([m.pixel for m in marks])
    if len(places) < 6:
        return []
    shares = np.log10(np.arange(2, 11))
    found = []
    labelled: dict[int, int] = {}
    for k, form in enumerate(ticks.form):
        if form == "power" and ticks.value[k] > 0:
            i = int(ticks.owner[k])
            labelled[i] = max(labelled.get(i, k), k, key=lambda j: ticks.weight[j])
    for k in labelled.values():
        place = ticks.pixel[ticks.owner[k]]
        away = places - place
        decades = np.concatenate(
            [(away[:, None] / shares).ravel(), (-away[:, None] / (1 - shares[:-1])).ravel()]
        )
        decades = np.unique(np.round(decades[np.abs(decades) > 30], 1))
        u = away[None, :] / decades[:, None] % 1.0
        nearest = np.abs(u[..., None] - np.log10(np.arange(1, 11))).min(axis=2) * np.abs(decades)[:, None]
        hits = np.exp(-0.5 * (nearest / settings.mark_error) ** 2).sum(axis=1)
        for j in np.argsort(-hits, kind="stable")[: settings.kept]:
            slope = 1 / float(decades[j])
            found.append(
                Proposal("log", math.log10(ticks.value[k]) - slope * float(place), slope, float(hits[j]))
            )
    return found


def distinct(
    proposals: Sequence[Proposal], span: tuple[float, float], settings: AxisSettings
) -> list[Proposal]:
    """Return the most likely proposals, without repeats of one axis."""
    kept: list[Proposal] = []
    for p in sorted(proposals, key=lambda p: -p.score):
        if not any(p.same_as(q, span, settings) for q in kept):
            kept.append(p)
        if len(kept) == settings.kept:
            break
    return kept


# --- scoring ----------------------------------------------------------------------------------------------


def refine(p: Proposal, ticks: Ticks, evidence: AxisEvidence, settings: AxisSettings) -> Proposal:
    """Fit a proposal to the labels that agree with it, and score it with the marks and the prior odds."""
    u = ticks.transformed(p.scale)
    used = _assign(p, ticks, u)
    for _ in range(3):
        on = np.flatnonzero(used >= 0)
        if len(on) < 2:
            break
        intercept, slope = line(ticks.pixel[on], u[used[on]], ticks.error[on])
        if slope == 0:
            return replace(p, used=np.full(len(ticks.pixel), -1), score=-math.inf)
        p = replace(p, intercept=intercept, slope=slope)
        previous, used = used, _assign(p, ticks, u)
        if np.array_equal(previous, used):
            break
    p = replace(p, used=used)
    gains = _gains(ticks, p.scale, np.array([p.intercept]), np.array([p.slope]), settings)
    support = marks_odds(p, evidence, settings)
    return replace(
        p, score=float(gains.sum()) + _prior(p, ticks, evidence, settings) + support, support=support
    )


def _gains(
    ticks: Ticks, scale: Scale, intercept: FloatArray, slope: FloatArray, settings: AxisSettings
) -> FloatArray:
    """Return the log odds, at least 0, that each label is on each line; (h, n) for h lines."""
    usable, u = ticks.usable(scale), ticks.transformed(scale)
    all_labels = np.zeros((len(slope), len(ticks.pixel)))
    if not len(ticks.owner):
        return all_labels
    distance = (u[None, :] - intercept[:, None]) / slope[:, None] - ticks.pixel[ticks.owner][None, :]
    spread = 2.0 * ticks.error[ticks.owner][None, :]
    gain = ticks.weight[None, :] - 0.5 * (distance / spread) ** 2 - math.log(settings.outlier)
    gain[:, ~usable] = 0.0
    starts = np.flatnonzero(np.diff(ticks.owner, prepend=-1))
    all_labels[:, ticks.owner[starts]] = np.maximum(np.maximum.reduceat(gain, starts, axis=1), 0.0)
    return all_labels


def _assign(p: Proposal, ticks: Ticks, u: FloatArray) -> IntArray:
    """Return the reading of each label that lies on the line, -1 where none does.

    Of several, the one in the form that suits the labels together best is taken (102 lies near 10² on a log
    axis), then the likeliest.
    """
    used = np.full(len(ticks.pixel), -1, dtype=np.intp)
    distance = np.abs((u - p.intercept) / p.slope - ticks.pixel[ticks.owner])
    near = np.flatnonzero(ticks.usable(p.scale) & (distance <= 3 * ticks.error[ticks.owner]))
    likeliest = sorted(near.tolist(), key=lambda k: ticks.weight[k])
    by_form: dict[str, dict[int, float]] = {}
    for k in likeliest:
        by_form.setdefault(ticks.form[k], {})[int(ticks.owner[k])] = float(ticks.weight[k]) - _LEAST
    suits = {form: math.fsum(labels.values()) for form, labels in by_form.items()}
    for k in sorted(likeliest, key=lambda k: suits[ticks.form[k]]):
        used[ticks.owner[k]] = k  # the last of a label stays
    return used


_TOGETHER = (
    frozenset({"plain", "thousands", "si", "exponent"}),
    frozenset({"plain", "exponent", "power"}),
    frozenset({"percent"}),
    frozenset({"date", "plain"}),
)


def _prior(p: Proposal, ticks: Ticks, evidence: AxisEvidence, settings: AxisSettings) -> float:
    """Return the prior log odds of a proposal: scale, direction, and whether its labels go together."""
    forms = {ticks.form[k] for k in p.used if k >= 0}
    score = 0.0
    values = np.sort(ticks.value[p.used[p.used >= 0]])
    if p.scale == "log" and not forms & {"power", "exponent"}:
        score += settings.decade_prior if _are_decades(values) else settings.log_prior
    if p.scale == "linear" and "date" not in forms and not _is_round_step(values):
        score += settings.rough_prior
    if p.scale == "linear" and "power" in forms:
        score += settings.power_on_linear
    if _looks_like_powers(ticks, p.used):
        score += settings.flat_prior
    upward = p.slope < 0 if evidence.direction == "y" else p.slope > 0
    score += 0.0 if upward else settings.reversed_prior
    score += 0.0 if any(forms <= group for group in _TOGETHER) else settings.mixed_prior
    return score


def _are_decades(values: FloatArray) -> bool:
    """Whether values are successive powers of ten."""
    u = np.log10(values)
    return len(values) >= 2 and bool(
        np.allclose(u, np.round(u), atol=1e-6) and np.allclose(np.diff(u), 1, atol=1e-6)
    )


def _is_round_step(values: FloatArray) -> bool:
    """Whether the smallest step between values is one that people label linear axes with."""
    steps = np.diff(values)
    least = float(steps.min(initial=np.inf))
    if not (math.isfinite(least) and least > 0):
        return True
    mantissa = least / 10.0 ** math.floor(math.log10(least) + 1e-9)
    return any(abs(mantissa - m) < 0.02 * m for m in (1, 1.5, 2, 2.5, 3, 4, 5, 6, 7.5, 8))


def _looks_like_powers(ticks: Ticks, used: IntArray) -> bool:
    """Whether every used label is taken for a number such as 102 that could as well be a flat 10²."""
    powers = {int(ticks.owner[k]) for k, form in enumerate(ticks.form) if form == "power"}
    labels = np.flatnonzero(used >= 0).tolist()
    return bool(labels) and all(i in powers and ticks.form[used[i]] != "power" for i in labels)


def marks_odds(p: Proposal, evidence: AxisEvidence, settings: AxisSettings) -> float:
    """Return how much better the marks fit the axis' expected ticks than marks put at random would.

    Each mark is drawn from a mixture: at one of the expected ticks (with the marks' error), or anywhere. A
    denser set of expected ticks spreads its probability over more places, so it gains nothing by hitting more
    marks by chance. Half of the log odds counts, as marks share their mistakes.
    """
    span = evidence.span[1] - evidence.span[0]
    marks = np.array([m.pixel for m in evidence.marks])
    if p.slope == 0 or len(marks) < 3 or span <= 0:
        return 0.0
    sets = _expected_log(p, evidence.span) if p.scale == "log" else _expected_linear(p, evidence.span)
    best = 0.0
    error = settings.mark_error
    for expected in sets:
        if not 2 <= len(expected) <= span / 3:
            continue
        at = np.clip(np.searchsorted(expected, marks), 1, len(expected) - 1)
        nearest = np.minimum(np.abs(marks - expected[at - 1]), np.abs(marks - expected[at]))
        density = np.exp(-0.5 * (nearest / error) ** 2) / (error * math.sqrt(2 * math.pi)) / len(expected)
        odds = (1 - settings.stray_mark) * density * span + settings.stray_mark
        best = max(best, 0.5 * float(np.log(odds).sum()))
    return best


def _expected_log(p: Proposal, span: tuple[float, float]) -> list[FloatArray]:
    """Return the ascending pixels of ticks that a log axis may have: decades alone, and with 2..9 between."""
    ends = sorted(p.intercept + p.slope * s for s in span)
    if not ends[1] - ends[0] < 60:
        return []
    decades = np.arange(math.floor(ends[0]), math.ceil(ends[1]) + 1, dtype=np.float64)
    minor = (decades[:, None] + np.log10(np.arange(1, 10))[None, :]).ravel()
    pixels = [np.sort((u - p.intercept) / p.slope) for u in (decades, minor)]
    return [x[(x >= span[0] - 1) & (x <= span[1] + 1)] for x in pixels]


def _expected_linear(p: Proposal, span: tuple[float, float]) -> list[FloatArray]:
    """Return the ascending pixels of ticks that a linear axis may have, for round steps that give 2 to 60."""
    low, high = sorted(p.intercept + p.slope * s for s in span)
    width = float(high - low)
    if not (math.isfinite(width) and width > 0):
        return []
    found = []
    top = math.floor(math.log10(width))
    for exponent in range(top - 2, top + 1):
        for factor in (1, 2, 2.5, 5):
            step = factor * 10.0**exponent
            if 2 <= width / step <= 60:
                values = (
                    np.arange(math.ceil(low / step), math.floor(high / step) + 1, dtype=np.float64) * step
                )
                found.append(np.sort((values - p.intercept) / p.slope))
    return found
