"""A claim against one evidence: its verdict, by one rule for all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from replicate.audit import words
from replicate.audit.estimate import estimate, resolve
from replicate.audit.evidence import Material
from replicate.audit.findings import Estimate, Evidence, Finding, Verdict
from replicate.audit.settings import AuditSettings
from replicate.claims import PREDICATES, Line
from replicate.sheets import Claim, Definition, Expected, FigureSheet, Window

RULE = (
    "A number supports a claim where its whole 95 % interval lies inside what the claim asks for, contradicts it "
    "where the interval lies wholly outside, and decides nothing otherwise. A claim with one definition is "
    "replicated, not replicated or inconclusive accordingly. A claim that leaves its definition open is judged by "
    "all of its definitions: replicated where all support it, partly replicated where some do, not replicated "
    "where none does and most contradict it, inconclusive otherwise. One seed decides nothing."
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
    series = tuple(sheet.arms[arm].series for arm in claim.arms)
    blank = Finding(claim.id, evidence, claim.kind or "", Verdict.NOT_RUN, "", series=series)
    if not claim.testable:
        return replace(blank, reason=f"Not testable by curves: {claim.reason}")
    if material is None:
        return replace(blank, reason=f"{ABSENT[evidence]}.")
    for arm in claim.arms:
        if arm in material.missing:
            return replace(blank, reason=_sentence(f"{material.missing[arm]}"))
    if not material.of(claim.arms):
        return replace(blank, reason="No seed has been run for all of the arms.")
    definitions = _definitions(claim, evidence, material, sheet)
    if isinstance(definitions, str):
        return replace(blank, reason=definitions)
    return _judged(blank, claim, definitions, material, sheet, settings)


def _definitions(
    claim: Claim, evidence: Evidence, material: Material, sheet: FigureSheet
) -> tuple[Definition, ...] | str:
    """Return the definitions that this evidence can speak to, or why there is none."""
    readings = claim.readings()
    if evidence is Evidence.FIGURE:
        return readings
    if evidence is Evidence.RERUN:
        if material.scale == "paper":
            return readings
        fitting = tuple(d for d in readings if not _published_terms(d))
        return fitting or (
            f"{_at(material)} published losses and steps do not apply: the claim is stated in them, and a rerun "
            "of another size cannot be held against it."
        )
    if claim.kind == "value_at":
        return (_within_axis(claim, sheet),)
    fitting = tuple(d for d in readings if d.predicate.sparse != "nothing")
    return fitting or "The described values are too few to say anything of this."


def _published_terms(definition: Definition) -> bool:
    """Return whether a definition is stated in the published run's own losses or steps."""
    window = definition.window
    return definition.predicate.published_scale or (window is not None and window.share is None)


def _within_axis(claim: Claim, sheet: FigureSheet) -> Definition:
    """Return what the rest of the text says of a described value: that the axis holds it."""
    axis, kind = sheet.described.y_axis, PREDICATES["range_contains_y"]
    expected = Expected(*kind.relations["inside"])
    return Definition(kind, claim.arms, Window(values=axis.range), axis.scale, expected, "inside")


def _judged(
    blank: Finding,
    claim: Claim,
    definitions: tuple[Definition, ...],
    material: Material,
    sheet: FigureSheet,
    settings: AuditSettings,
) -> Finding:
    """Return the finding with its numbers."""
    if blank.evidence is Evidence.TEXT and claim.kind == "value_at":
        material = _only_at(material, claim)
    estimates = tuple(estimate(d, material, settings) for d in definitions)
    if blank.evidence is Evidence.TEXT:  # what the few values do not give is no reading of them
        estimates = tuple(e for e in estimates if e.value is not None)
        if not estimates:
            return replace(blank, reason="The described values do not give this number.")
    verdict = verdict_of([e.supports for e in estimates])
    window = definitions[0].window
    lines = material.of(claim.arms)[0]
    return replace(
        blank,
        predicate=definitions[0].predicate.name,
        verdict=verdict,
        reason=_reason(estimates, material, claim, sheet),
        estimates=estimates,
        window=resolve(window, lines) if window and window.values is None else None,
    )


def _only_at(material: Material, claim: Claim) -> Material:
    """Return the described value that a claim is about, alone."""
    arm, step = claim.arms[0], claim.window.span[1] if claim.window else 0.0
    line = material.samples[0][arm]
    at = line.x == step
    return replace(material, samples=({arm: Line(*(column[at] for column in line))},), redrawn=())


def _reason(estimates: tuple[Estimate, ...], material: Material, claim: Claim, sheet: FigureSheet) -> str:
    """Return why the verdict is what it is."""
    first = words.finding(estimates[0])
    rerun = material.evidence is Evidence.RERUN
    parts = [f"{_at(material)} {first[:1].lower()}{first[1:]}" if rerun else _sentence(first, "")]
    seeds = estimates[0].seeds
    if seeds == 1:
        parts.append("one seed, which decides nothing")
    elif seeds:
        parts.append(f"{seeds} seeds paired by seed")
        if estimates[0].p_value is not None:
            parts.append(f"exact sign-flip p = {estimates[0].p_value:.3g} (its floor: {0.5**seeds:.3g})")
    if len(estimates) > 1:
        parts.append(_grid(estimates))
    diverged = [sheet.arms[arm].series for arm in claim.arms if arm in material.diverged]
    if diverged:
        parts.append(f"{' and '.join(diverged)} diverged")
    if material.evidence is Evidence.FIGURE and sheet.source.redrawn_from == "description":
        parts.append("the picture was built from the description, so this shows no more than that")
    return "; ".join(parts) + "."


def _grid(estimates: Sequence[Estimate]) -> str:
    """Return how many definitions support the claim, contradict it, or leave it open."""
    votes = [e.supports for e in estimates]
    counts = f"{votes.count(True)} support it, {votes.count(False)} contradict it, {votes.count(None)} decide nothing"
    values = [e.value for e in estimates if e.value is not None and e.unit == estimates[0].unit]
    reach = (
        f", their numbers run from {words.number(min(values))} to {words.number(max(values))}"
        if values
        else ""
    )
    return f"of {len(votes)} definitions {counts}{reach}"


def _at(material: Material) -> str:
    """Return the scale that a rerun's verdict holds at."""
    return f"At the {material.scale} scale:" if material.scale else "At the scale of this rerun:"


def _sentence(text: str, stop: str = ".") -> str:
    """Return text that begins with a capital."""
    return text[:1].upper() + text[1:] + stop
