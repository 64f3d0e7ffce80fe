"""What does not add up: checks that hold text, source, figure, rerun and set-up against one another.

Every check is general: it looks at the predicates, values and relations of a sheet, never at which figure it is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from replicate.audit import words
from replicate.audit.evidence import Material
from replicate.audit.exclusion import Statement, any_clash, statements_of
from replicate.audit.findings import Consistency, Evidence, Finding, Verdict
from replicate.audit.settings import AuditSettings
from replicate.sheets import Claim, FigureSheet

DECIDED = (Verdict.REPLICATED, Verdict.NOT_REPLICATED)
Materials = Mapping[Evidence, Material | None]


def inconsistencies(
    sheet: FigureSheet,
    findings: Sequence[Finding],
    materials: Materials,
    record: Mapping[str, Any],
    settings: AuditSettings,
) -> list[Consistency]:
    """Return everything that does not add up, text first, then source, figure, rerun, set-up."""
    return [
        *_outside_axes(sheet),
        *_against_values(sheet, findings),
        *_claims_apart(sheet),
        *_against_source(sheet),
        *_sources_apart(sheet),
        *_text_and_figure(sheet, findings),
        *_figure_and_rerun(sheet, findings),
        *_factors(sheet),
        *_initial_loss(sheet, materials, record, settings),
        *_units(sheet),
        *_tokens(sheet, settings),
        *_evidence_limits(sheet, materials),
        *_not_testable(sheet),
    ]


def _outside_axes(sheet: FigureSheet) -> Iterator[Consistency]:
    """Yield described values that lie outside the described axes."""
    x_axis, y_axis = sheet.described.x_axis, sheet.described.y_axis
    for series, said in sheet.described.series.items():
        arm = sheet.arm_of(series)
        for anchor in said.anchors:
            for name, axis, value in (("x", x_axis, anchor.x), ("y", y_axis, anchor.y)):
                low, high = axis.range
                reach = anchor.bounds(axis) if name == "y" else (value, value)
                if low <= reach[1] and reach[0] <= high:
                    continue
                message = (
                    f"{series} is said to be at about {words.number(anchor.y)} at step {words.number(anchor.x)}, "
                    f"but the {name} axis is said to run from {words.number(low)} to {words.number(high)} only."
                )
                yield Consistency("text-text", message, (f"value-{arm}-{anchor.x:g}", f"axis-{name}"))


def _against_values(sheet: FigureSheet, findings: Sequence[Finding]) -> Iterator[Consistency]:
    """Yield claims that the described values contradict."""
    for claim, found in _paired(sheet, findings, Evidence.TEXT):
        described = claim.kind == "value_at" or claim.id.startswith("axis-")  # told by `_outside_axes`
        if found.verdict is Verdict.NOT_REPLICATED and not described:
            message = f"“{claim.text}” does not fit the values that the same text gives: {_number(found)}."
            yield Consistency("text-text", message, (claim.id,))


def _claims_apart(sheet: FigureSheet) -> Iterator[Consistency]:
    """Yield pairs of claims that cannot both hold, or hardly."""
    testable = [c for c in sheet.claims if c.testable]
    for one, other in combinations(testable, 2):
        reason = any_clash(statements_of(one), statements_of(other), sheet)
        if reason:
            message = f"“{one.text}” and “{other.text}” do not go together: {reason}."
            yield Consistency("text-text", message, (one.id, other.id))


def _against_source(sheet: FigureSheet) -> Iterator[Consistency]:
    """Yield claims of the description that the publication itself denies."""
    for said in sheet.source_statements:
        if said.kind is None:
            continue
        theirs = Statement(
            said.kind, said.arms, said.window, said.expect if isinstance(said.expect, str) else ""
        )
        testable = (c for c in sheet.claims if c.testable)
        against = [c for c in testable if any_clash(statements_of(c), [theirs], sheet)]
        if against:
            claims = "; ".join(f"“{c.text}”" for c in against)
            message = (
                f"The source says: “{said.text}” ({said.where}). The description says otherwise: {claims}."
            )
            yield Consistency("description-source", message, tuple(c.id for c in against))


def _sources_apart(sheet: FigureSheet) -> Iterator[Consistency]:
    """Yield statements of the source that give different values for the same thing."""
    for one, other in combinations([s for s in sheet.source_statements if s.about], 2):
        if one.about == other.about and one.value != other.value:
            message = (
                f"The source is not at one ({one.about}): {one.value} by {one.where}, "
                f"{other.value} by {other.where}."
            )
            yield Consistency("set-up", message)


def _text_and_figure(sheet: FigureSheet, findings: Sequence[Finding]) -> Iterator[Consistency]:
    """Yield sentences and values that the digitized figure contradicts."""
    for claim, found in _paired(sheet, findings, Evidence.FIGURE):
        if found.verdict is Verdict.NOT_REPLICATED:
            message = f"“{claim.text}” is not what the figure shows: {_number(found)}."
            yield Consistency("text-figure", message, (claim.id,))


def _figure_and_rerun(sheet: FigureSheet, findings: Sequence[Finding]) -> Iterator[Consistency]:
    """Yield claims on which figure and rerun decide differently."""
    reruns = {c.id: f for c, f in _paired(sheet, findings, Evidence.RERUN)}
    for claim, figure in _paired(sheet, findings, Evidence.FIGURE):
        rerun = reruns[claim.id]
        if {figure.verdict, rerun.verdict} == set(DECIDED):
            message = (
                f"“{claim.text}” is {figure.verdict} on the figure ({_number(figure)}) and {rerun.verdict} by the "
                f"rerun, at its scale ({_number(rerun)})."
            )
            yield Consistency("figure-rerun", message, (claim.id,))


def _factors(sheet: FigureSheet) -> Iterator[Consistency]:
    """Yield pairs of arms that differ in more than one factor: a difference then has no single cause."""
    for one, other in combinations(sheet.arms.values(), 2):
        apart = [f for f in one.factors if f in other.factors and one.factors[f] != other.factors[f]]
        if len(apart) > 1:
            told = "; ".join(f"{f}: {one.factors[f]} and {other.factors[f]}" for f in apart)
            message = (
                f"{one.series} and {other.series} differ in {len(apart)} factors at once ({told}); "
                "their curves cannot tell which of them makes the difference."
            )
            yield Consistency("set-up", message)


def _initial_loss(
    sheet: FigureSheet, materials: Materials, record: Mapping[str, Any], settings: AuditSettings
) -> Iterator[Consistency]:
    """Yield curves that do not start at the loss of an untrained model, ln(vocabulary)."""
    if sheet.set_up.vocabulary is None:  # not a cross-entropy over a vocabulary, or its size is unknown
        return
    facts = record.get("facts")
    rerun = facts.get("vocabulary") if isinstance(facts, Mapping) else None
    sizes = {evidence: sheet.set_up.vocabulary for evidence in (Evidence.TEXT, Evidence.FIGURE)}
    sizes |= {Evidence.RERUN: int(rerun)} if rerun else {}
    for evidence, size in sizes.items():
        material = materials.get(evidence)
        for arm, line in (material.samples[0] if material and material.samples else {}).items():
            expected, first = math.log(size), float(line.y[0])
            reach = (float(line.lo[0]), float(line.hi[0]))
            slack = settings.initial_loss * expected
            if line.x[0] == 0 and not reach[0] - slack <= expected <= reach[1] + slack:
                message = (
                    f"{sheet.arms[arm].series} starts at {words.number(first)} in the {evidence}; an untrained "
                    f"model over {size:,} tokens starts at ln({size:,}) = {words.number(expected)}."
                )
                yield Consistency("set-up", message)


def _units(sheet: FigureSheet) -> Iterator[Consistency]:
    """Yield what the axes may count other than they say."""
    last = sheet.described.x_axis.range[1]
    for counted, a_step in sheet.set_up.x_a_step.items():
        message = (
            f"The x axis is labelled “{sheet.described.x_axis.label}” but may count {counted}: "
            f"{words.number(last)} would then be {words.number(last / a_step)} optimiser steps."
        )
        yield Consistency("set-up", message)
    tokens = sheet.set_up.y_sums
    values = sorted({a.y for s in sheet.described.series.values() for a in s.anchors}, reverse=True)
    if tokens and values:
        told = ", ".join(f"{words.number(y)} is {words.number(y / tokens)}" for y in values)
        message = f"The published loss is summed over {tokens:,} tokens; for each token {told}."
        yield Consistency("set-up", message)


def _tokens(sheet: FigureSheet, settings: AuditSettings) -> Iterator[Consistency]:
    """Yield where the tokens trained on are not steps x batch x context; what these come to where none are told."""
    run = sheet.set_up
    if run.steps is None or run.batch is None or run.context is None:
        return
    counted = run.steps * run.batch * run.context
    steps, batch, context, product = map(words.number, (run.steps, run.batch, run.context, counted))
    message = f"{steps} steps of {batch} sequences of {context} tokens are {product} tokens"
    if run.tokens is None:
        yield Consistency("set-up", f"{message}; how many were trained on is not stated.")
    elif abs(counted / run.tokens - 1) > settings.tokens:
        told = f", but the publication counts {words.number(run.tokens)}"
        yield Consistency("set-up", f"{message}{told}: one of the four numbers means something else.")


def _evidence_limits(sheet: FigureSheet, materials: Materials) -> Iterator[Consistency]:
    """Yield what the evidence cannot carry: single runs, a picture built from the description."""
    if sheet.set_up.seeds is None or sheet.set_up.seeds < 2:
        said = (
            "The number of seeds is not stated" if sheet.set_up.seeds is None else "There is one seed an arm"
        )
        yield Consistency("set-up", f"{said}, and the figure shows one curve an arm without error bars.")
    if sheet.source.redrawn_from == "description" and materials.get(Evidence.FIGURE):
        message = (
            "The picture was built from the description, since the original is not at hand: where figure and "
            "description agree, that is no evidence for either."
        )
        yield Consistency("set-up", message)


def _not_testable(sheet: FigureSheet) -> Iterator[Consistency]:
    """Yield the sentences that no curve can show."""
    for claim in sheet.claims:
        if not claim.testable:
            yield Consistency("not-testable", f"“{claim.text}” {claim.reason}", (claim.id,))


def _paired(
    sheet: FigureSheet, findings: Sequence[Finding], evidence: Evidence
) -> Iterator[tuple[Claim, Finding]]:
    """Yield every claim with its finding on an evidence."""
    found = {f.claim: f for f in findings if f.evidence is evidence}
    for claim in sheet.claims:
        yield claim, found[claim.id]


def _number(finding: Finding) -> str:
    """Return a number that stands for the verdict, as part of a sentence."""
    wanted = finding.verdict is not Verdict.NOT_REPLICATED
    telling = (e for e in finding.estimates if e.supports is wanted)
    text = words.finding(next(telling, finding.estimates[0]))
    return text[:1].lower() + text[1:]
