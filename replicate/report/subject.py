"""A figure's sheet in the words of the report."""

from __future__ import annotations

from replicate.report.material import ClaimText, Subject
from replicate.sheets import FigureSheet, Source, described_claims


def subject_of(sheet: FigureSheet) -> Subject:
    """Return what is audited: the published sentences first, then the described axes and values."""
    source = sheet.source
    described = {claim.id for claim in described_claims(sheet)}
    claims = [ClaimText(c.id, c.text, c.name, c.id in described, c.reason) for c in sheet.claims]
    return Subject(
        title=source.title,
        citation=source.citation,
        links=_links(source),
        image_note=_image_note(source),
        experiment=sheet.experiment,
        claims=tuple(sorted(claims, key=lambda c: c.described)),
        stated=dict(sheet.stated),
    )


def _links(source: Source) -> tuple[tuple[str, str], ...]:
    """Return where the figure can be found, and its licence as plain text."""
    links = [(source.url.partition("//")[2] or source.url, source.url)] if source.url else []
    links += [("closest code", source.code)] if source.code else []
    links += [(f"licence: {source.licence}", "")] if source.licence else []
    return tuple(links)


def _image_note(source: Source) -> str:
    """Return whether the picture is the original, and what it can be evidence for."""
    if source.image == "original":
        return "The picture is the original."
    note = f"The picture is redrawn: {source.how.strip()}"
    note += "" if note.endswith(".") else "."
    if source.redrawn_from == "description":
        note += " Where it agrees with the description it was drawn from, that is no evidence for the description."
    return note
