"""The audit for machines: one JSON document a figure, from which the index and the crate are made as well.

Its layout is in ``schema.json`` beside this file; ``scripts/report_schema.py`` writes that anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict, Field

from replicate.audit.document import AuditDocument, audit_to_json
from replicate.audit.findings import Audit, Evidence, Verdict
from replicate.report.build import tallies
from replicate.report.material import FileHash, Material, Record, Tool
from replicate.report.page import Index, IndexRow, Tally

SCHEMA: Literal["replicate.report/1"] = "replicate.report/1"
SCHEMA_FILE = Path(__file__).with_name("schema.json")

Document = dict[str, Any]


class _Part(BaseModel):
    """Frozen, and an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ClaimDocument(_Part):
    """A claim as published, with its verdict for each evidence."""

    id: str
    text: str
    kind: str
    verdicts: dict[Evidence, Verdict]


class StageDocument(_Part):
    """What made some of the numbers; null where a stage left no word of it."""

    stage: Literal["digitize", "rerun", "report"]
    command: list[str] | str | None
    version: str | None
    commit: str | None
    clean: bool | None
    committed: str | None
    started: str | None
    wall_seconds: float | None


class FileDocument(_Part):
    """A file that was read or written; see `replicate.report.material.FileHash`."""

    role: str
    path: str
    size: int = Field(ge=0)
    sha256: str = Field(pattern="^[0-9a-f]{64}$")


class ReportDocument(AuditDocument):
    """The audit of one figure: what was claimed, what was found, and what it rests on."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    schema_: Literal["replicate.report/1"] = Field(alias="schema")
    name: str
    title: str
    citation: str
    experiment: str | None
    scale: str | None
    partial: bool
    author_artifacts_used: bool | None
    confidence: float | None = Field(ge=0, le=1)
    claims: list[ClaimDocument]
    tallies: dict[Evidence, dict[Verdict, int]]
    stages: list[StageDocument]
    inputs: list[FileDocument]
    outputs: list[FileDocument]


def schema() -> Document:
    """Return the JSON Schema of a report's document."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **ReportDocument.model_json_schema()}


def build_document(material: Material, tool: Tool, outputs: Sequence[FileHash]) -> Document:
    """Return the audit of a figure as a JSON value; bounds without end and values not computed are null.

    Args:
        material: Everything about the figure.
        tool: What writes the report.
        outputs: The files written beside this document.
    """
    run = material.run or {}
    audit = Audit(material.findings, material.consistency, material.rule, material.likeness)
    document = {
        "schema": SCHEMA,
        "name": material.name,
        "title": material.subject.title,
        "citation": material.subject.citation,
        "experiment": material.subject.experiment or None,
        "scale": run.get("scale"),
        "partial": material.partial,
        "author_artifacts_used": bool(run.get("author_artifacts_used")) if run else None,
        "confidence": (material.digitization or {}).get("confidence"),
        "claims": [_claim(material, c.id, c.text, c.kind) for c in material.subject.claims],
        **audit_to_json(audit),
        "tallies": {str(t.evidence): {str(v): n for v, n in t.counts} for t in tallies(material)},
        "stages": _stages(material, tool),
        "inputs": [asdict(f) for f in material.files],
        "outputs": [asdict(f) for f in outputs],
    }
    ReportDocument.model_validate(document)
    return document


def build_index(documents: Sequence[Document], version: str) -> Index:
    """Return the list of audits, by name."""
    return Index(tuple(_row(d) for d in sorted(documents, key=lambda d: str(d["name"]))), version)


def _row(document: Document) -> IndexRow:
    """Return an audit's row in the index."""
    tallies = tuple(Tally(e, tuple((v, int(document["tallies"][e][v])) for v in Verdict)) for e in Evidence)
    name = str(document["name"])
    return IndexRow(
        name=name,
        title=str(document["title"]),
        citation=str(document["citation"]),
        href=quote(f"{name}.html", safe=""),
        claims=len(document["claims"]),
        tallies=tallies,
        objections=len(document["consistency"]),
    )


def _claim(material: Material, claim: str, text: str, kind: str) -> Document:
    """Return a claim with its verdict for each evidence."""
    found = {e: material.finding(claim, e) for e in Evidence}
    verdicts = {str(e): str(f.verdict if f else Verdict.NOT_RUN) for e, f in found.items()}
    return {"id": claim, "text": text, "kind": kind, "verdicts": verdicts}


def _stages(material: Material, tool: Tool) -> list[Document]:
    """Return what made the numbers: each stage's command, version and commit, and when it ran."""
    stages = [
        _stage(name, record)
        for name, record in (("digitize", material.digitization), ("rerun", material.run))
        if record is not None
    ]
    report = {
        "stage": "report",
        "command": list(tool.command),
        "version": tool.version,
        "commit": tool.commit or None,
        "clean": tool.clean if tool.commit else None,
        "committed": tool.committed or None,
        "started": None,
        "wall_seconds": None,
    }
    return [*stages, report]


def _stage(name: str, record: Record) -> Document:
    """Return what a stage's record says of how it was made."""
    made, machine = record.get("tool") or {}, record.get("environment") or {}
    return {
        "stage": name,
        "command": made.get("command"),
        "version": made.get("version"),
        "commit": machine.get("git_commit"),
        "clean": machine.get("git_clean"),
        "committed": None,
        "started": record.get("started"),
        "wall_seconds": record.get("wall_seconds"),
    }
