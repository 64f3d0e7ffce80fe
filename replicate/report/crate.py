"""The reports as a research object: RO-Crate 1.2 metadata after the Process Run Crate profile.

Files in the folder are parts of the crate. Files that the reports rest on lie elsewhere; they are named by
their hash (RFC 6920), so that what was used stays beyond doubt wherever it lies. See
https://w3id.org/ro/crate/1.2 and https://w3id.org/ro/wfrun/process/0.5.
"""

from __future__ import annotations

import base64
import shlex
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from replicate.report.document import Document
from replicate.report.material import FileHash

CRATE = "https://w3id.org/ro/crate/1.2"
PROFILE = "https://w3id.org/ro/wfrun/process/0.5"
TERMS = "https://w3id.org/ro/terms/workflow-run/context"
PACKAGE = "pkg:generic/replicate"  # a package URL: it names the tool without saying where it is to be had
LICENCE = "https://spdx.org/licenses/Apache-2.0"
FORMATS = {
    ".html": "text/html",
    ".json": "application/json",
    ".csv": "text/csv",
    ".yaml": "application/yaml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".svg": "image/svg+xml",
    ".pdf": "application/pdf",
}

Entity = dict[str, Any]


def build_crate(documents: Sequence[Document], written: Sequence[FileHash]) -> Entity:
    """Return the metadata of a folder of reports.

    Args:
        documents: The audits in it.
        written: The other files in it: the documents themselves and the index.
    """
    documents = sorted(documents, key=lambda d: str(d["name"]))
    parts = [_part(f) for d in documents for f in d["outputs"]] + [_part(asdict(f)) for f in written]
    inputs = {e["@id"]: e for d in documents for e in map(_input, d["inputs"])}
    actions = [a for d in documents for a in _actions(d)]
    tools = {a["instrument"]["@id"]: a for a in actions}
    versions = [_tool(reference) for reference in sorted(tools)]
    root: Entity = {
        "@id": "./",
        "@type": "Dataset",
        "name": "Audits of published training curves",
        "description": "Figures read back into numbers, experiments rerun, and a verdict for each claim.",
        "license": {"@id": LICENCE},
        "conformsTo": {"@id": PROFILE},
        "hasPart": [_reference(e) for e in (*parts, *inputs.values())],
        "mentions": [_reference(a) for a in actions],
    }
    published = _date(documents)
    if published:
        root["datePublished"] = published
    graph = [_descriptor(), root, _profile(), _licence(), *versions, *actions, *parts, *inputs.values()]
    return {"@context": [f"{CRATE}/context", TERMS], "@graph": graph}


def _descriptor() -> Entity:
    """Return the entity that says what the metadata file is about."""
    return {
        "@id": "ro-crate-metadata.json",
        "@type": "CreativeWork",
        "conformsTo": {"@id": CRATE},
        "about": {"@id": "./"},
    }


def _profile() -> Entity:
    """Return the profile that the crate follows."""
    kinds = ["CreativeWork", "Profile"]
    return {"@id": PROFILE, "@type": kinds, "name": "Process Run Crate", "version": "0.5"}


def _licence() -> Entity:
    """Return the licence of the reports; the figures keep their own."""
    said = "Of what the tool writes. The published figures keep their own licence, as the reports state it."
    return {"@id": LICENCE, "@type": "CreativeWork", "name": "Apache License 2.0", "description": said}


def _reference(entity: Entity) -> Entity:
    """Return a reference to an entity."""
    return {"@id": entity["@id"]}


def _part(file: Entity) -> Entity:
    """Return a file of the folder as an entity."""
    return _file(_name(file["path"]), file)


def _name(path: str) -> str:
    """Return the name of a file of the folder as a relative reference."""
    return quote(PurePosixPath(path).name, safe="")


def _input(file: Entity) -> Entity:
    """Return a file that the reports rest on as an entity, named by its hash."""
    digest = base64.urlsafe_b64encode(bytes.fromhex(file["sha256"])).decode().rstrip("=")
    return {**_file(f"ni:///sha-256;{digest}", file), "alternateName": file["path"]}


def _file(name: str, file: Entity) -> Entity:
    """Return a file as an entity under a name."""
    entity: Entity = {"@id": name, "@type": "File", "name": PurePosixPath(file["path"]).name}
    kind = FORMATS.get(PurePosixPath(file["path"]).suffix.lower())
    known = {"encodingFormat": kind, "description": file.get("role"), "sha256": file.get("sha256")}
    entity.update({key: value for key, value in known.items() if value})
    if "size" in file:
        entity["contentSize"] = str(file["size"])
    return entity


def _tool(package: str) -> Entity:
    """Return a version of the tool as an entity, by its package URL."""
    version = package.partition("@")[2]
    kind = "SoftwareApplication"
    return {"@id": package, "@type": kind, "url": {"@id": package}, "name": "replicate", "version": version}


def _actions(document: Document) -> list[Entity]:
    """Return the stages of an audit as actions: what each used and what it made."""
    name = document["name"]
    inputs = {f["role"]: _reference(_input(f)) for f in document["inputs"]}
    written = [_reference(_part(f)) for f in document["outputs"]] + [{"@id": _name(f"{name}.json")}]
    used: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
        "digitize": (("figure",), ("curves", "digitization record")),
        "rerun": ((), ("rerun curves", "rerun record")),
    }
    actions = []
    for stage in document["stages"]:
        kind = stage["stage"]
        before, after = used.get(kind, (tuple(inputs), ()))
        result = written if kind == "report" else [inputs[role] for role in after if role in inputs]
        actions.append(
            _action(
                f"#{kind}-{quote(name, safe='')}", stage, [inputs[r] for r in before if r in inputs], result
            )
        )
    return actions


def _action(name: str, stage: Document, objects: list[Entity], results: list[Entity]) -> Entity:
    """Return a stage as an action."""
    command = stage.get("command") or []
    line = command if isinstance(command, str) else shlex.join(map(str, command))
    action: Entity = {
        "@id": name,
        "@type": "CreateAction",
        "name": f"replicate {stage['stage']}",
        "description": line,
        "instrument": {"@id": f"{PACKAGE}@{quote(stage.get('version') or 'unknown', safe='')}"},
    }
    # one value stands alone, as compacted JSON-LD has it
    action |= {
        key: found[0] if len(found) == 1 else found
        for key, found in (("object", objects), ("result", results))
        if found
    }
    if stage.get("started"):
        action["startTime"] = stage["started"]
        if stage.get("wall_seconds") is not None:
            action["endTime"] = _later(str(stage["started"]), float(stage["wall_seconds"]))
    return action


def _later(start: str, seconds: float) -> str:
    """Return a time some seconds later, in the same zone, to the second."""
    return (datetime.fromisoformat(start) + timedelta(seconds=round(seconds))).isoformat()


def _date(documents: Sequence[Document]) -> str:
    """Return the day of the latest rerun, else of the tool's commit; empty where neither is known."""
    stages = [s for d in documents for s in d["stages"]]
    started = [str(s["started"])[:10] for s in stages if s.get("started")]
    return max(started or [str(s["committed"]) for s in stages if s.get("committed")], default="")
