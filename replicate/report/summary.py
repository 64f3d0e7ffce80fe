"""The audit as Markdown that pastes into an issue or a pull request."""

from __future__ import annotations

import re

from replicate.audit.findings import Evidence, Verdict
from replicate.report.page import ClaimView, EvidenceView, Page

ICONS = {
    Verdict.REPLICATED: "\N{WHITE HEAVY CHECK MARK}",
    Verdict.PARTLY: "\N{CIRCLE WITH LEFT HALF BLACK}",
    Verdict.NOT_REPLICATED: "\N{CROSS MARK}",
    Verdict.INCONCLUSIVE: "\N{BLACK QUESTION MARK ORNAMENT}",
    Verdict.NOT_RUN: "\N{EN DASH}",
}
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~@!&])")


def summarise(page: Page) -> str:
    """Return the claims with their verdicts and numbers, and what does not add up, as Markdown."""
    lines = [f"### Audit: {escape(page.title)}", "", escape(page.citation), "", escape(page.lead), ""]
    lines += ["| # | Claim | Text | Figure | Rerun | Effect |", "|---|---|---|---|---|---|"]
    lines += [_row(claim) for claim in page.claims]
    if page.objections:
        lines += ["", "**What does not add up**", ""]
        lines += [f"- {escape(o.kind)}: {escape(o.message)}" for o in page.objections]
    lines += ["", escape(page.rerun.statement), "", f"<sub>replicate {escape(page.version)}</sub>", ""]
    return "\n".join(lines)


def escape(text: str) -> str:
    """Return text that Markdown shows as it stands, on one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def _row(claim: ClaimView) -> str:
    """Return a claim as a table row."""
    by_evidence: dict[Evidence, EvidenceView] = {view.evidence: view for view in claim.evidences}
    verdicts = [f"{ICONS[by_evidence[e].verdict]} {by_evidence[e].verdict}" for e in Evidence]
    effects = "<br>".join(escape(f"{e.evidence}: {e.text} {e.bounds}".rstrip()) for e in claim.effects)
    return f"| {claim.number} | {escape(claim.sentence)} | {' | '.join(verdicts)} | {effects} |"
