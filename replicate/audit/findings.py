"""What an audit finds: one value a claim and evidence."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """The verdict words, the same in every report."""

    REPLICATED = "replicated"
    PARTLY = "partly replicated"
    NOT_REPLICATED = "not replicated"
    INCONCLUSIVE = "inconclusive"
    NOT_RUN = "not run"


class Evidence(StrEnum):
    """What a claim is held against."""

    TEXT = "text"
    FIGURE = "figure"
    RERUN = "rerun"


@dataclass(frozen=True)
class Estimate:
    """One number behind a verdict.

    Attributes:
        definition: How the number is defined, one sentence that stands alone.
        value: The number, or None where it could not be computed.
        interval: Its 95 % interval (reading bounds for a figure, seeds for a rerun), or None.
        unit: "loss", "steps", "ratio", "%", ... or "".
        expected: What the claim expects, in the same unit: (low, high), either may be infinite; or None.
        supports: Whether this number, with its interval, supports the claim; None where undecided.
        seeds: How many seeds it rests on; None where it rests on no runs.
        p_value: Of the exact one-sided sign-flip test over seeds against the claim's bound, or None.
        p_holm: The same, corrected for all primary numbers of the audit (Holm), or None.
        seeds_needed: Of an undecided number over seeds: how many seeds would decide it, were mean and spread as
            they are; infinite where more than are thinkable; else None.
    """

    definition: str
    value: float | None
    interval: tuple[float, float] | None
    unit: str
    expected: tuple[float, float] | None = None
    supports: bool | None = None
    seeds: int | None = None
    p_value: float | None = None
    p_holm: float | None = None
    seeds_needed: float | None = None


@dataclass(frozen=True)
class Finding:
    """A claim judged against one kind of evidence.

    Attributes:
        claim: The claim's id in the sheet.
        evidence: What it was judged against.
        predicate: The predicate that judged it.
        verdict: The verdict word.
        reason: One sentence that says why.
        estimates: The numbers behind it, the primary definition first; empty where nothing was computed.
        window: The stretch of x the verdict rests on, in data units, or None for the whole run.
        series: The curves involved.
        best: Which of several definitions supports the claim best, an index into `estimates`; else None.
        apart: Of a speed-up: over all losses, early and persistent, judged apart.
    """

    claim: str
    evidence: Evidence
    predicate: str
    verdict: Verdict
    reason: str
    estimates: tuple[Estimate, ...] = ()
    window: tuple[float, float] | None = None
    series: tuple[str, ...] = ()
    best: int | None = None
    apart: tuple[Estimate, ...] = ()


@dataclass(frozen=True)
class Consistency:
    """Something that does not add up, or cannot be tested by curves, found without any run.

    Attributes:
        kind: "text-text", "text-figure", "description-source", "figure-rerun", "not-testable", "set-up".
        message: What disagrees, in one or two sentences with the numbers.
        claims: The ids of the claims concerned.
    """

    kind: str
    message: str
    claims: tuple[str, ...] = ()


@dataclass(frozen=True)
class Likeness:
    """One respect in which the figure's curves are held against the rerun's, at the scale of the rerun.

    Attributes:
        respect: "shape", "ordering", "speed-up" or "end".
        series: The curves compared.
        figure: The number on the figure.
        rerun: The same number on the rerun.
        agree: Whether their intervals meet, within a leeway; None where a number or the rerun's spread is missing.
    """

    respect: str
    series: tuple[str, ...]
    figure: Estimate
    rerun: Estimate
    agree: bool | None


@dataclass(frozen=True)
class Audit:
    """All that was found about one figure.

    Attributes:
        findings: One a claim and evidence, in the sheet's order, evidence in the order of `Evidence`.
        consistency: What does not add up, or cannot be tested by curves.
        rule: How a verdict follows from the numbers, in words; the same for every claim.
        likeness: The figure held against the rerun, curve by curve; empty where one of them is missing.
    """

    findings: tuple[Finding, ...]
    consistency: tuple[Consistency, ...]
    rule: str = ""
    likeness: tuple[Likeness, ...] = ()
