"""Claims with what was found about them, as the page shows them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from replicate.audit.findings import Estimate, Evidence, Finding, Verdict
from replicate.report import figures, words
from replicate.report.charts import LineChart, WindowChart
from replicate.report.gauges import Gauge, Mark, Support, common_scale, specification
from replicate.report.material import ClaimText, Material
from replicate.report.page import ClaimView, Effect, EstimateGroup, EstimateRow, EvidenceView
from replicate.report.scales import interval

FEW = 4  # with more definitions than this, a specification chart shows them together
SUPPORT: dict[bool | None, Support] = {True: "yes", False: "no", None: "open"}


def claim_views(
    material: Material, published: Sequence[LineChart], rerun: Sequence[LineChart]
) -> tuple[ClaimView, ...]:
    """Return the claims with everything found about them, in the sheet's order.

    Args:
        material: Everything about the figure.
        published: The published charts.
        rerun: The charts of the rerun.
    """
    views = [_claim_view(material, c, i, published, rerun) for i, c in enumerate(material.subject.claims, 1)]
    return _drawn_once(views)


def _drawn_once(views: Sequence[ClaimView]) -> tuple[ClaimView, ...]:
    """Return the claims with each short window drawn where it first occurs and referred to after that."""
    first: dict[tuple[str, tuple[float, float] | None], LineChart] = {}

    def refer(view: EvidenceView) -> EvidenceView:
        chart = view.chart
        if chart is None or chart.in_page:
            return view
        base = first.setdefault((chart.base.title, chart.window), chart.base)
        return view if base is chart.base else replace(view, chart=replace(chart, base=base, in_page=True))

    return tuple(replace(c, evidences=tuple(map(refer, c.evidences))) for c in views)


def _claim_view(
    material: Material,
    claim: ClaimText,
    position: int,
    published: Sequence[LineChart],
    rerun: Sequence[LineChart],
) -> ClaimView:
    """Return a claim with everything found about it."""
    anchor = f"claim-{position}"
    bases = {Evidence.TEXT: (), Evidence.FIGURE: tuple(published), Evidence.RERUN: tuple(rerun)}
    found = {evidence: material.finding(claim.id, evidence) for evidence in Evidence}
    views = [_evidence(anchor, e, found[e], bases[e]) for e in Evidence]
    if claim.described:  # one reading off an axis: its number says it all
        views = [replace(view, chart=None, table=None, window="") for view in views]
    about = [c for c in material.consistency if claim.id in c.claims]
    objections = tuple(c.message for c in about if c.kind in words.BEYOND_VERDICTS)
    return ClaimView(
        id=claim.id,
        anchor=anchor,
        number=position,
        sentence=claim.text,
        described=claim.described,
        note=claim.note,
        evidences=tuple(views),
        effects=_effects([f for e, f in found.items() if not (claim.described and e is Evidence.TEXT)]),
        objections=objections,
        untestable=any(c.kind == "not-testable" for c in about),
    )


def _evidence(
    anchor: str, evidence: Evidence, finding: Finding | None, bases: Sequence[LineChart]
) -> EvidenceView:
    """Return a claim against one evidence."""
    name = f"{anchor}-{evidence}"
    if finding is None:
        reason = (words.NOT_JUDGED if bases else words.NO_EVIDENCE)[evidence]
        return EvidenceView(evidence, name, Verdict.NOT_RUN, reason, "", "", None, ())
    chart = _window_chart(name, finding, bases)
    return EvidenceView(
        evidence,
        name,
        finding.verdict,
        finding.reason,
        finding.predicate,
        _window_text(chart),
        chart,
        _groups(finding),
        figures.readings_in(chart) if chart else None,
    )


def _window_chart(name: str, finding: Finding, bases: Sequence[LineChart]) -> WindowChart | None:
    """Return a finding's curves with its window marked, drawn larger where the window is short."""
    base = _base(bases, finding.series)
    if base is None or finding.verdict is Verdict.NOT_RUN:
        return None
    names = tuple(s.name for s in base.series if s.name in finding.series)
    title = f"{base.title}: what the verdict rests on"
    near = figures.zoomed(base, f"{name}-near", finding.window) if finding.window else None
    return WindowChart(f"{name}-chart", title, near or base, names, finding.window, in_page=near is None)


def _window_text(chart: WindowChart | None) -> str:
    """Return which stretch is marked, in words, and that the chart is a part where it is one."""
    if chart is None or chart.window is None:
        return ""
    axis = chart.base.x
    start, end = map(axis.text, chart.window)
    marked = f"{axis.label} {start}" if start == end else f"{axis.label} {start} to {end}"
    return (
        marked if chart.in_page else f"{marked}; drawn from {axis.text(axis.low)} to {axis.text(axis.high)}"
    )


def _base(bases: Sequence[LineChart], names: Sequence[str]) -> LineChart | None:
    """Return the chart that holds the finding's series, the first one where none is named."""
    holding = [b for b in bases if {s.name for s in b.series} & set(names)]
    return next(iter(holding or bases), None)


def _groups(finding: Finding) -> tuple[EstimateGroup, ...]:
    """Return the numbers grouped by unit, each group on one scale; then those that were judged apart."""
    estimates = finding.estimates
    best = estimates[finding.best] if finding.best is not None else None
    units = list(dict.fromkeys(e.unit for e in estimates))
    groups = [_group(unit, [e for e in estimates if e.unit == unit], best) for unit in units]
    if finding.apart:
        groups.append(replace(_group(finding.apart[0].unit, finding.apart, None), title=words.APART))
    return tuple(groups)


def _group(unit: str, estimates: Sequence[Estimate], best: Estimate | None) -> EstimateGroup:
    """Return the numbers of one unit; a scale is drawn where there is a number to put on it."""
    marks = [_mark(e) for e in estimates]
    known = [m for m in marks if m is not None]
    ends = [e.expected for e in estimates if e.expected]
    bounds = [b for pair in ends for b in pair if math.isfinite(b)]
    reach = (min(bounds), max(bounds)) if bounds else None
    scale = common_scale(known, reach) if known else None
    rows = []
    for e, mark in zip(estimates, marks, strict=True):
        row = EstimateRow(
            definition=e.definition,
            text=words.measure(e),
            bounds=interval(e.interval),
            expected=words.expected(e.expected),
            support=words.SUPPORT[e.supports],
            basis=words.basis(e),
            gauge=Gauge((mark,), scale, e.expected, unit) if mark and scale else None,
            best=e is best,
        )
        rows.append(row)
    ruler = Gauge((), scale, None, unit) if scale else None
    if len(known) <= FEW:
        return EstimateGroup(unit, tuple(rows), ruler)
    alike = estimates[0].expected if len({e.expected for e in estimates}) == 1 else None
    chart = specification(known, alike, unit)
    return EstimateGroup(unit, tuple(rows), ruler, chart, words.agreement(estimates))


def _mark(estimate: Estimate, name: str = "") -> Mark | None:
    """Return a number as a mark on a scale; None where it could not be computed."""
    if estimate.value is None or not math.isfinite(estimate.value):
        return None
    return Mark(estimate.value, estimate.interval, SUPPORT[estimate.supports], name)


def _effects(found: Sequence[Finding | None]) -> tuple[Effect, ...]:
    """Return the primary numbers of a claim, on one scale where they share a unit."""
    primary = [
        (f.evidence, f.estimates[0])
        for f in found
        if f and f.estimates and f.estimates[0].value is not None and f.verdict is not Verdict.NOT_RUN
    ]
    result = []
    for evidence, estimate in primary:
        alike = [e for _, e in primary if e.unit == estimate.unit]
        marks = [m for m in map(_mark, alike) if m]
        bounds = [b for e in alike for b in e.expected or () if math.isfinite(b)]
        mark = _mark(estimate, str(evidence))
        gauge = None
        if mark:
            scale = common_scale(marks, (min(bounds), max(bounds)) if bounds else None)
            gauge = Gauge((mark,), scale, estimate.expected, estimate.unit)
        result.append(
            Effect(evidence, words.measure(estimate, short=True), interval(estimate.interval), gauge)
        )
    return tuple(result)
