"""Everything about a figure to its page: what is said, in what words and order. It computes no number."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from replicate.audit.findings import Consistency, Evidence, Finding, Verdict
from replicate.report import figures, tables, words
from replicate.report.charts import LineChart
from replicate.report.claims import claim_views
from replicate.report.material import FileHash, Material, Tool
from replicate.report.page import (
    ClaimView,
    Link,
    Objection,
    Page,
    PublishedView,
    RerunView,
    Tally,
)
from replicate.report.palette import Ink
from replicate.report.picture import Picture
from replicate.report.scales import number


def build_page(
    material: Material,
    tool: Tool,
    ink: dict[str, Ink],
    picture: Picture | None,
    written: Sequence[FileHash] = (),
) -> Page:
    """Return the page of a figure.

    Args:
        material: Everything about the figure.
        tool: What writes the report.
        ink: The ink of every series.
        picture: The published picture with the curves over it, or None.
        written: The files written beside the page, as far as they are written before it.
    """
    published = figures.published_charts(material, ink)
    rerun = figures.rerun_charts(material, ink, log=bool(published) and published[0].y.log)
    claims = claim_views(material, published, rerun)
    return Page(
        name=material.name,
        title=material.subject.title,
        citation=material.subject.citation,
        links=tuple(Link(text, href if _is_web(href) else "") for text, href in material.subject.links),
        image_note=material.subject.image_note,
        lead=words.lead(material),
        tallies=tallies(material),
        claims=claims,
        figures=tuple(figures.figure(c) for c in _shown(published, rerun)),
        objections=_objections(material, claims),
        rule=material.rule,
        published=_published(material, picture),
        rerun=_rerun(material),
        checklist=tables.checklist(material),
        provenance=tables.provenance(material, tool, written),
        downloads=tuple(
            Link(file, quote(file, safe=""))
            for file in (f"{material.name}.json", f"{material.name}.curves.csv", "ro-crate-metadata.json")
        ),
        version=tool.version,
    )


def tallies(material: Material) -> tuple[Tally, ...]:
    """Return how often each verdict was given, an evidence each; what was not judged counts as not run."""
    result = []
    for evidence in Evidence:
        words = [_verdict(material.finding(c.id, evidence)) for c in material.subject.claims]
        result.append(Tally(evidence, tuple((v, words.count(v)) for v in Verdict)))
    return tuple(result)


def _is_web(address: str) -> bool:
    """Return whether a sheet's address may become a link: only the web's own schemes."""
    return address.lower().startswith(("https://", "http://"))


def _verdict(finding: Finding | None) -> Verdict:
    """Return a finding's verdict; not run where there is none."""
    return finding.verdict if finding else Verdict.NOT_RUN


def _shown(published: Sequence[LineChart], rerun: Sequence[LineChart]) -> tuple[LineChart, ...]:
    """Return the charts in reading order: published and rerun, then both as share of their run."""
    if len(published) != 1 or not rerun:
        return (*published, *rerun)
    main = (published[0], rerun[0])
    return (*main, *figures.as_shares(main), *rerun[1:])


def _objections(material: Material, claims: Sequence[ClaimView]) -> tuple[Objection, ...]:
    """Return what does not add up, kind by kind, with links to the claims."""
    order = list(words.KINDS)
    found = sorted(material.consistency, key=lambda c: order.index(c.kind) if c.kind in order else len(order))
    return tuple(_objection(c, claims) for c in found)


def _objection(item: Consistency, claims: Sequence[ClaimView]) -> Objection:
    """Return one thing that does not add up."""
    links = tuple(Link(str(c.number), f"#{c.anchor}") for c in claims if c.id in item.claims)
    return Objection(words.KINDS.get(item.kind, item.kind), item.message, links)


def _published(material: Material, picture: Picture | None) -> PublishedView:
    """Return the published figure and what was read off it."""
    record = material.digitization
    missing = words.missing_curves(material)
    if record is None:
        return PublishedView(picture, "", False, (), None, None, missing)
    confidence = float(record["confidence"])
    warnings = tuple(f"{w['message']} ({w['code']})" for w in record.get("warnings", ()))
    doubtful = confidence < material.min_confidence
    read, ticks = tables.series(record), tables.ticks(record)
    return PublishedView(picture, number(confidence, 2), doubtful, warnings, read, ticks, missing)


def _rerun(material: Material) -> RerunView:
    """Return what was rerun, and at which scale its verdicts hold."""
    statement = words.rerun_statement(material)
    return RerunView(
        statement,
        tables.differences(material),
        tables.arms(material),
        material.partial,
        tables.likeness(material),
    )
