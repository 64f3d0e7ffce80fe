"""All that a report is built from, gathered as values: nothing here touches the disk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from replicate.audit.findings import Consistency, Evidence, Finding, Likeness
from replicate.curves import CurveSet

Record = Mapping[str, Any]


@dataclass(frozen=True)
class ClaimText:
    """A claim as the sheet words it.

    Attributes:
        id: Its id in the sheet.
        text: What was published.
        kind: The predicate that judges it.
        described: Whether it is a described axis or value rather than a sentence.
        note: How the sentence was read, or empty.
    """

    id: str
    text: str
    kind: str
    described: bool = False
    note: str = ""


@dataclass(frozen=True)
class Subject:
    """What is audited, as the figure's sheet says.

    Attributes:
        title: The figure's title.
        citation: Where it was published.
        links: Pairs of text and address.
        image_note: Whether the picture is the original or redrawn, and how.
        experiment: What reruns it, or empty.
        claims: Its claims in the sheet's order.
        stated: What the published text states of its set-up, by checklist item.
    """

    title: str
    citation: str
    links: tuple[tuple[str, str], ...]
    image_note: str
    experiment: str
    claims: tuple[ClaimText, ...]
    stated: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class FileHash:
    """A file that a report rests on: its role, its path as given, its size in bytes and its SHA-256."""

    role: str
    path: str
    size: int
    sha256: str


@dataclass(frozen=True)
class Tool:
    """What writes the report.

    Attributes:
        version: The package's version.
        commit: The git commit it runs from, or empty.
        clean: Whether the package's files are as committed.
        command: The command line.
        committed: The day of the commit, or empty.
    """

    version: str
    commit: str
    clean: bool
    command: tuple[str, ...]
    committed: str = ""


@dataclass(frozen=True, eq=False)
class Material:
    """Everything about one figure.

    Attributes:
        name: The figure's name.
        subject: What is audited.
        findings: What the audit found.
        consistency: What does not add up.
        image: The figure's file.
        published: Its digitized curves, or None.
        digitization: Its digitization record, or None.
        rerun: The curves of the rerun, or None.
        run: The record of the rerun, or None.
        partial: Whether the rerun was not finished.
        files: The files read.
        rule: How a verdict follows from the numbers, in words, or empty.
        likeness: The figure held against the rerun, respect by respect.
        min_confidence: The confidence below which a person has to check the figure.
        overlay: The digitizer's picture of what it read, or None.
    """

    name: str
    subject: Subject
    findings: tuple[Finding, ...]
    consistency: tuple[Consistency, ...]
    image: Path
    published: CurveSet | None
    digitization: Record | None
    rerun: CurveSet | None
    run: Record | None
    partial: bool
    files: tuple[FileHash, ...]
    rule: str = ""
    likeness: tuple[Likeness, ...] = ()
    min_confidence: float = 0.8
    overlay: Path | None = None

    def finding(self, claim: str, evidence: Evidence) -> Finding | None:
        """Return what was found for a claim and an evidence, or None where it was not judged."""
        return next((f for f in self.findings if f.claim == claim and f.evidence == evidence), None)


def panel_of(record: Record | None, number: int) -> Record | None:
    """Return the record of a curve's panel, or None where there is none.

    Args:
        record: A digitization record, or None.
        number: The panel's number in the figure; where only one panel was read, that is the one meant.
    """
    panels = (record or {}).get("panels", ())
    if len(panels) == 1:
        return dict(panels[0])
    return dict(panels[number]) if number < len(panels) else None
