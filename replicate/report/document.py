"""The audit for machines: one JSON document a figure, from which the index and the crate are made as well."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from replicate.audit.findings import Evidence, Verdict
from replicate.report.build import tallies
from replicate.report.material import FileHash, Material, Tool
from replicate.report.page import Index, IndexRow, Tally

SCHEMA = "replicate.report/1"

Document = dict[str, Any]


def build_document(material: Material, tool: Tool, outputs: Sequence[FileHash]) -> Document:
    """Return the audit of a figure as a JSON value; bounds without end and values not computed are null.

    Args:
        material: Everything about the figure.
        tool: What writes the report.
        outputs: The files written beside this document.
    """
    run = material.run or {}
    return {
        "schema": SCHEMA,
        "name": material.name,
        "title": material.subject.title,
        "citation": material.subject.citation,
        "experiment": material.subject.experiment or None,
        "scale": run.get("scale"),
        "partial": material.partial,
        "confidence": (material.digitization or {}).get("confidence"),
        "claims": [_claim(material, c.id, c.text, c.kind) for c in material.subject.claims],
        "findings": [_plain(asdict(f)) for f in material.findings],
        "rule": material.rule,
        "consistency": [_plain(asdict(c)) for c in material.consistency],
        "tallies": {str(t.evidence): {str(v): n for v, n in t.counts} for t in tallies(material)},
        "stages": _stages(material, tool),
        "inputs": [asdict(f) for f in material.files],
        "outputs": [asdict(f) for f in outputs],
    }


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
        href=f"{name}.html",
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
    """Return what made the numbers: each stage's command and version, and when it ran where that is known."""
    stages = []
    for name, record in (("digitize", material.digitization), ("rerun", material.run)):
        if record is not None:
            made = record.get("tool") or {}
            stage = {"stage": name, "command": made.get("command"), "version": made.get("version")}
            timed = {key: record[key] for key in ("started", "wall_seconds") if key in record}
            stages.append({**stage, **timed})
    written = {"commit": tool.commit or None, "clean": tool.clean, "committed": tool.committed or None}
    return [*stages, {"stage": "report", "command": list(tool.command), "version": tool.version, **written}]


def _plain(value: Any) -> Any:
    """Return a value with nothing in it that JSON lacks."""
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
