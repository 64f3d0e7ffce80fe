"""The audit of one figure: every claim against every evidence, and what does not add up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from replicate.audit import evidence as material
from replicate.audit.consistency import inconsistencies
from replicate.audit.findings import Audit, Evidence, Finding
from replicate.audit.judge import RULE, judge
from replicate.audit.likeness import likenesses, unlike
from replicate.audit.rates import rate_dependence
from replicate.audit.settings import DEFAULT, AuditSettings
from replicate.audit.statistics import holm
from replicate.curves import CurveSet
from replicate.sheets import FigureSheet


def audit_figure(
    sheet: FigureSheet,
    figure_curves: CurveSet | None,
    rerun_curves: CurveSet | None,
    rerun_record: Mapping[str, Any] | None = None,
    settings: AuditSettings = DEFAULT,
) -> Audit:
    """Judge every claim of a sheet against the text, the digitized figure and the rerun.

    Args:
        sheet: What was published and claimed.
        figure_curves: The digitized curves, or None where the figure has not been digitized.
        rerun_curves: The rerun's curves by arm and seed, or None where nothing was run.
        rerun_record: The rerun's record (its scale, its arms), or None.
        settings: How to decide.

    Returns:
        One finding a claim and evidence, what does not add up, and the figure held against the rerun. The same
        arguments give the same audit.
    """
    record = rerun_record or {}
    figure = None if figure_curves is None else material.from_figure(sheet, figure_curves, settings)
    rerun = None if rerun_curves is None else material.from_rerun(sheet, rerun_curves, record, settings)
    text = material.from_text(sheet, settings)
    materials = {Evidence.TEXT: text, Evidence.FIGURE: figure, Evidence.RERUN: rerun}
    findings = [judge(c, e, m, sheet, settings) for c in sheet.claims for e, m in materials.items()]
    findings = _corrected(findings)
    alike = likenesses(sheet, figure, rerun, settings)
    found = [*inconsistencies(sheet, findings, materials, record, settings), *unlike(alike, record)]
    if rerun_curves is not None:
        found += rate_dependence(sheet, rerun_curves, record, settings)
    return Audit(tuple(findings), tuple(found), RULE, alike)


def _corrected(findings: list[Finding]) -> list[Finding]:
    """Return the findings with the p values of their primary numbers corrected for their number."""
    tested = [i for i, f in enumerate(findings) if f.estimates and f.estimates[0].p_value is not None]
    corrected = holm([findings[i].estimates[0].p_value or 0.0 for i in tested])
    result = list(findings)
    for i, p_holm in zip(tested, corrected, strict=True):
        first, *rest = findings[i].estimates
        result[i] = replace(findings[i], estimates=(replace(first, p_holm=p_holm), *rest))
    return result
