"""A claim against one evidence: its verdict, by one rule for all."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from replicate.audit import reasons, words
from replicate.audit.estimate import estimate, resolve
from replicate.audit.evidence import Material
from replicate.audit.findings import Estimate, Evidence, Finding, Verdict
from replicate.audit.settings import AuditSettings
from replicate.claims import PREDICATES, Line
from replicate.sheets import Claim, Condition, Definition, Expected, FigureSheet, Window

RULE = (
    "A number supports a claim where its whole 95 % interval lies inside what the claim asks for, contradicts it "
    "where the interval lies wholly outside, and decides nothing otherwise. A claim with one definition is "
    "replicated, not replicated or inconclusive accordingly. A claim that leaves its definition open is judged by "
    "all of its definitions: replicated where all support it, partly replicated where some do, not replicated "
    "where none does and most contradict it, inconclusive otherwise. Of conditions that all have to hold the weakest "
    "verdict counts, of conditions of which any has to hold the strongest. One seed decides nothing."
)
WEAKEST_FIRST = (
    Verdict.NOT_REPLICATED,
    Verdict.NOT_RUN,
    Verdict.INCONCLUSIVE,
    Verdict.PARTLY,
    Verdict.REPLICATED,
)
ABSENT = {
    Evidence.TEXT: "The text gives no values",
    Evidence.FIGURE: "The figure has not been digitized",
    Evidence.RERUN: "The experiment has not been rerun",
}


def verdict_of(supports: Sequence[bool | None]) -> Verdict:
    """Return the verdict over the definitions of a claim; see `RULE`."""
    votes = list(supports)
    if votes and all(votes):
        return Verdict.REPLICATED
    if any(votes):
        return Verdict.PARTLY
    if 2 * votes.count(False) > len(votes):
        return Verdict.NOT_REPLICATED
    return Verdict.INCONCLUSIVE


def judge(
    claim: Claim, evidence: Evidence, material: Material | None, sheet: FigureSheet, settings: AuditSettings
) -> Finding:
    """Return what was found for a claim on one evidence."""
    blank = Finding(claim.id, evidence, claim.kind or "", Verdict.NOT_RUN, "")
    blank = replace(blank, series=_series(claim, sheet))
    if not claim.testable:
        return replace(blank, reason=f"Not testable by curves: {claim.reason}")
    if material is None:
        return replace(blank, reason=f"{ABSENT[evidence]}.")
    return _met(blank, claim, material, sheet, settings)


def _met(
    blank: Finding, condition: Condition, material: Material, sheet: FigureSheet, settings: AuditSettings
) -> Finding:
    """Return the finding on a condition, whatever it is made of."""
    if condition.parts:
        return _combined(blank, condition, material, sheet, settings)
    for arm in condition.arms:
        if arm in material.missing:
            return replace(blank, reason=words.sentence(material.missing[arm]))
    if not material.of(condition.arms):
        return replace(blank, reason="No seed has been run for all of the arms.")
    definitions = _definitions(condition, material, sheet)
    if isinstance(definitions, str):
        return replace(blank, reason=definitions)
    return _judged(blank, condition, definitions, material, sheet, settings)


def _combined(
    blank: Finding, condition: Condition, material: Material, sheet: FigureSheet, settings: AuditSettings
) -> Finding:
    """Return the finding on several conditions: the weakest verdict of all, the strongest of any."""
    found = []
    for part in condition.parts:
        start = replace(blank, predicate=part.kind or "", series=_series(part, sheet))
        found.append(_met(start, part, material, sheet, settings))
    choose = min if condition.all else max
    names = ", ".join(dict.fromkeys(f.predicate for f in found))
    return replace(
        blank,
        predicate=f"{'all' if condition.all else 'any'} of {names}",
        verdict=choose((f.verdict for f in found), key=WEAKEST_FIRST.index),
        reason=" ".join(f"{' and '.join(f.series)}, {f.verdict}: {f.reason}" for f in found),
        estimates=tuple(_named(e, f) for f in found for e in f.estimates),
        window=next((f.window for f in found if f.window), None),
        apart=tuple(_named(e, f) for f in found for e in f.apart),
    )


def _named(estimate: Estimate, finding: Finding) -> Estimate:
    """Return an estimate whose definition names its curves."""
    return replace(estimate, definition=f"{' and '.join(finding.series)}: {estimate.definition}")


def _series(condition: Condition, sheet: FigureSheet) -> tuple[str, ...]:
    """Return the legend names of a condition's arms."""
    return tuple(sheet.arms[arm].series for arm in condition.every_arm)


def _definitions(
    condition: Condition, material: Material, sheet: FigureSheet
) -> tuple[Definition, ...] | str:
    """Return the definitions that this evidence can speak to, or why there is none."""
    readings, evidence = condition.readings(), material.evidence
    if evidence is Evidence.FIGURE:
        return readings
    if evidence is Evidence.RERUN:
        if material.scale == "paper":
            return readings
        fitting = tuple(d for d in readings if not _published_terms(d))
        return fitting or (
            f"{reasons.at(material)} published losses and steps do not apply: the claim is stated in them, and a "
            "rerun of another size cannot be held against it."
        )
    if condition.kind == "value_at":
        return (_within_axis(condition, sheet),)
    fitting = tuple(d for d in readings if d.predicate.sparse != "nothing")
    return fitting or "The described values are too few to say anything of this."


def _published_terms(definition: Definition) -> bool:
    """Return whether a definition is stated in the published run's own losses or steps."""
    window = definition.window
    return definition.predicate.published_scale or (window is not None and window.share is None)


def _within_axis(condition: Condition, sheet: FigureSheet) -> Definition:
    """Return what the rest of the text says of a described value: that the axis holds it."""
    axis, kind = sheet.described.y_axis, PREDICATES["range_contains"]
    expected = Expected(*kind.relations["inside"])
    return Definition(kind, condition.arms, Window(values=axis.range), axis.scale, expected, "inside")


def _judged(
    blank: Finding,
    condition: Condition,
    definitions: tuple[Definition, ...],
    material: Material,
    sheet: FigureSheet,
    settings: AuditSettings,
) -> Finding:
    """Return the finding on a predicate with its numbers."""
    if blank.evidence is Evidence.TEXT and condition.kind == "value_at":
        material = _only_at(material, condition)
    found = [(d, estimate(d, material, settings)) for d in definitions]
    if blank.evidence is Evidence.TEXT:  # what the few values do not give is no reading of them
        found = [(d, e) for d, e in found if e.value is not None]
        if not found:
            return replace(blank, reason="The described values do not give this number.")
    estimates = tuple(e for _, e in found)
    best = _best(estimates)
    apart = _apart(definitions[0], material, settings)
    parts = [
        *reasons.grounds(estimates, material, condition, sheet),
        *reasons.beside(found, best),
        *reasons.phases(apart),
    ]
    return replace(
        blank,
        predicate=definitions[0].predicate.name,
        verdict=verdict_of([e.supports for e in estimates]),
        reason="; ".join(parts) + ".",
        estimates=estimates,
        window=_window(definitions[0].window, material.of(condition.arms)[0]),
        best=best,
        apart=tuple(apart.values()),
    )


def _window(window: Window | None, lines: Sequence[Line]) -> tuple[float, float] | None:
    """Return the stretch of x that a verdict rests on; None for the whole run, and where there is none."""
    if window is None or window.values is not None:
        return None
    found = resolve(window, lines)
    return None if any(math.isnan(end) for end in found) else found


def _best(estimates: Sequence[Estimate]) -> int | None:
    """Return which of several definitions supports a claim best: by its distance from the nearest bound."""
    margins = {i: _margin(e) for i, e in enumerate(estimates) if e.value is not None}
    return max(margins, key=lambda i: margins[i]) if len(estimates) > 1 and margins else None


def _margin(found: Estimate) -> tuple[bool, float]:
    """Return whether a number supports the claim, and how far inside it lies, in units of its uncertainty."""
    low, high = found.expected or (-math.inf, math.inf)
    value = found.value or 0.0
    inside = min(value - low, high - value)
    ends = found.interval or (-math.inf, math.inf)
    width = (ends[1] - ends[0]) / 2
    return found.supports is True, inside / width if width > 0 else math.copysign(math.inf, inside)


def _apart(definition: Definition, material: Material, settings: AuditSettings) -> dict[str, Estimate]:
    """Return a speed-up over all losses, early and persistent; nothing for other claims and for a text."""
    if not definition.predicate.contextual or material.evidence is Evidence.TEXT:
        return {}
    early, late = Window(share=(0.0, settings.early)), Window(share=(settings.persistent, 1.0))
    windows = {"over all losses": None, "early": early, "persistent": late}
    return {name: estimate(replace(definition, window=w), material, settings) for name, w in windows.items()}


def _only_at(material: Material, condition: Condition) -> Material:
    """Return the described value that a claim is about, alone."""
    arm, step = condition.arms[0], condition.window.span[1] if condition.window else 0.0
    line = material.samples[0][arm]
    at = line.x == step
    return replace(material, samples=({arm: Line(*(column[at] for column in line))},), redrawn=())
