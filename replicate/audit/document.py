"""The audit as JSON: its part of ``reports/<name>.json``, whose schema is in ``replicate/report/schema.json``.

Infinite ends of intervals are null, and so is a number that could not be computed.
"""

from __future__ import annotations

import math
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from replicate.audit.findings import Audit, Consistency, Estimate, Evidence, Finding, Likeness, Verdict

Bounds = tuple[float | None, float | None]


class _Part(BaseModel):
    """Frozen, and an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class EstimateDocument(_Part):
    """One number behind a verdict; see `replicate.audit.findings.Estimate`."""

    definition: str
    value: float | None
    interval: Bounds | None
    unit: str
    expected: Bounds | None
    supports: bool | None
    seeds: int | None
    p_value: float | None
    p_holm: float | None
    seeds_needed: float | None


class FindingDocument(_Part):
    """A claim judged against one kind of evidence; see `replicate.audit.findings.Finding`."""

    claim: str
    evidence: Evidence
    predicate: str
    verdict: Verdict
    reason: str
    estimates: list[EstimateDocument]
    window: tuple[float, float] | None
    series: list[str]
    best: int | None
    apart: list[EstimateDocument]


class ConsistencyDocument(_Part):
    """Something that does not add up; see `replicate.audit.findings.Consistency`."""

    kind: Literal["text-text", "text-figure", "description-source", "figure-rerun", "not-testable", "set-up"]
    message: str
    claims: list[str]


class LikenessDocument(_Part):
    """Figure against rerun in one respect; see `replicate.audit.findings.Likeness`."""

    respect: Literal["shape", "ordering", "speed-up", "end"]
    series: list[str]
    figure: EstimateDocument
    rerun: EstimateDocument
    agree: bool | None


class AuditDocument(_Part):
    """All that was found about one figure; a report adds keys of its own."""

    model_config = ConfigDict(extra="allow", frozen=True)

    rule: str
    findings: list[FindingDocument]
    consistency: list[ConsistencyDocument]
    likeness: list[LikenessDocument]


def audit_to_json(audit: Audit) -> dict[str, Any]:
    """Return an audit as plain values that JSON can hold."""
    document = AuditDocument(
        rule=audit.rule,
        findings=[_finding(f) for f in audit.findings],
        consistency=[_consistency(c) for c in audit.consistency],
        likeness=[_likeness(item) for item in audit.likeness],
    )
    return document.model_dump(mode="json")


def _finding(finding: Finding) -> FindingDocument:
    """Return a finding's part of the document."""
    return FindingDocument(
        claim=finding.claim,
        evidence=finding.evidence,
        predicate=finding.predicate,
        verdict=finding.verdict,
        reason=finding.reason,
        estimates=[_estimate(e) for e in finding.estimates],
        window=finding.window,
        series=list(finding.series),
        best=finding.best,
        apart=[_estimate(e) for e in finding.apart],
    )


def _estimate(estimate: Estimate) -> EstimateDocument:
    """Return an estimate's part of the document."""
    return EstimateDocument(
        definition=estimate.definition,
        value=_finite(estimate.value),
        interval=_bounds(estimate.interval),
        unit=estimate.unit,
        expected=_bounds(estimate.expected),
        supports=estimate.supports,
        seeds=estimate.seeds,
        p_value=estimate.p_value,
        p_holm=estimate.p_holm,
        seeds_needed=_finite(estimate.seeds_needed),
    )


def _consistency(item: Consistency) -> ConsistencyDocument:
    """Return a consistency's part of the document."""
    return ConsistencyDocument.model_validate(
        {"kind": item.kind, "message": item.message, "claims": list(item.claims)}
    )


def _likeness(item: Likeness) -> LikenessDocument:
    """Return a likeness' part of the document."""
    return LikenessDocument.model_validate(
        {
            "respect": item.respect,
            "series": list(item.series),
            "figure": _estimate(item.figure),
            "rerun": _estimate(item.rerun),
            "agree": item.agree,
        }
    )


def _bounds(interval: tuple[float, float] | None) -> Bounds | None:
    """Return an interval with null for an infinite end."""
    return None if interval is None else (_finite(interval[0]), _finite(interval[1]))


def _finite(value: float | None) -> float | None:
    """Return a number that JSON can hold, else None."""
    return value if value is not None and math.isfinite(value) else None
