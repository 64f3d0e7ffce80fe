"""The tables of a report: how curves were read, what was changed, the checklist, the provenance."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from replicate.audit.findings import Verdict
from replicate.report import words
from replicate.report.material import FileHash, Material, Record, Tool
from replicate.report.page import Table
from replicate.report.scales import number

NOT_STATED = "not stated"
STYLES = {"dashdot": "dash-dot"}


def series(record: Record) -> Table:
    """Return how each curve of a figure was read."""
    rows = []
    for index, panel in enumerate(record["panels"]):
        part = f"{index + 1}: " if len(record["panels"]) > 1 else ""
        for s in panel["series"]:
            style = STYLES.get(s["style"], s["style"])
            share = f"{number(100 * s['observed_share'])} %"
            row = (
                f"{part}{s['name']}",
                s["name_from"],
                style,
                number(s["points"]),
                share,
                number(s["confidence"], 2),
            )
            rows.append(row)
    header = ("Series", "Name from", "Style", "Readings", "Seen in ink", "Confidence")
    return Table("How each curve was read", header, tuple(rows), numeric=(3, 4, 5))


def ticks(record: Record) -> Table:
    """Return the calibration ticks of every axis, used or not."""
    rows = []
    for index, panel in enumerate(record["panels"]):
        part = f"{index + 1}: " if len(record["panels"]) > 1 else ""
        for name, axis in (
            ("x", panel["x_axis"]),
            ("y", panel["y_axis"]),
            ("second y", panel.get("y2_axis")),
        ):
            marks = sorted(axis["ticks"], key=lambda t: float(t["pixel"])) if axis else []
            rows += [_tick(f"{part}{name}, {axis['scale']}", t) for t in marks]
    residuals = [
        f"{name} {number(panel[key]['residual_px'], 2)}"
        for panel in record["panels"]
        for name, key in (("x", "x_axis"), ("y", "y_axis"))
    ]
    caption = f"Calibration ticks (residual in pixels: {', '.join(residuals)})"
    return Table(caption, ("Axis", "Text read", "Value", "Pixel", "Used"), tuple(rows), numeric=(2, 3))


def _tick(axis: str, tick: Mapping[str, Any]) -> tuple[str, ...]:
    """Return a tick as a row."""
    return (
        axis,
        tick["text"],
        number(tick["value"], 6),
        number(tick["pixel"], 5),
        "yes" if tick["used"] else "no",
    )


def differences(material: Material) -> Table | None:
    """Return what was published, what was run instead, and why; None without a record."""
    rows = tuple(
        (str(d["what"]), _said(d.get("published")), _said(d.get("ours")), str(d.get("why") or ""))
        for d in (material.run or {}).get("differences", ())
    )
    return Table("What was changed, and why", ("What", "Published", "Ours", "Why"), rows) if rows else None


def arms(material: Material) -> Table | None:
    """Return the arms of the rerun; None without a record."""
    run = material.run or {}
    rows = tuple(
        (str(a["arm"]), str(a.get("series", "")), str(a.get("role", "")), _said(a.get("rate")), _diverged(a))
        for a in run.get("arms", ())
    )
    header = ("Arm", "Series", "Role", "Learning rate", "Seeds that diverged")
    return Table("Arms of the rerun", header, rows) if rows else None


def likeness(material: Material) -> Table | None:
    """Return the figure held against the rerun, respect by respect; None where nothing was."""
    rows = tuple(
        (
            words.RESPECTS.get(item.respect, item.respect),
            " against ".join(item.series) if item.respect != "ordering" else " below ".join(item.series),
            words.with_interval(item.figure),
            words.with_interval(item.rerun),
            words.AGREE[item.agree],
            item.figure.definition,
        )
        for item in material.likeness
    )
    header = ("Respect", "Curves", "Figure", "Rerun", "They", "What is counted")
    return (
        Table("The figure held against the rerun, each as share of its own run", header, rows)
        if rows
        else None
    )


def _diverged(arm: Mapping[str, Any]) -> str:
    """Return the seeds of an arm that diverged."""
    seeds = arm.get("diverged")
    return ("yes" if seeds is True else ", ".join(map(str, seeds))) if seeds else "none"


def checklist(material: Material) -> Table:
    """Return the reproducibility checklist: what was published, and what this rerun records."""
    ours = _rerun_facts(material)
    silent = NOT_STATED if material.run is not None else str(Verdict.NOT_RUN)
    stated = material.subject.stated
    rows = tuple((name, stated.get(key) or NOT_STATED, ours.get(key) or silent) for key, name in CHECKLIST)
    return Table("What was stated, item by item", ("Item", "Published", "This rerun"), rows)


CHECKLIST = (
    ("artifacts", "Authors’ own code or data used"),
    ("code", "Code and version"),
    ("data", "Training data"),
    ("split", "Which loss, on which split"),
    ("parameters", "Size of the model"),
    ("hyperparameters", "Hyper-parameters, and how they were chosen"),
    ("seeds", "Seeds, number of runs"),
    ("error_bars", "Error bars"),
    ("hardware", "Hardware"),
    ("time", "Training time"),
)


def _rerun_facts(material: Material) -> dict[str, str]:
    """Return what the rerun's record says on each item of the checklist."""
    run = material.run
    if run is None:
        return {}
    seeds = run.get("seeds") or ()
    tool, data, machine = run.get("tool") or {}, run.get("data") or {}, run.get("environment") or {}
    facts = run.get("facts") or {}
    held = sorted({c.run.split for c in material.rerun.curves if c.run}) if material.rerun is not None else []
    used = run.get("author_artifacts_used")
    return {
        "artifacts": "yes" if used else "no",
        "code": f"replicate {tool['version']}" if tool.get("version") else "",
        "data": ", ".join(filter(None, (str(data.get("name") or ""), _count(data.get("tokens"), "tokens")))),
        "split": ", ".join(held),
        "parameters": _count(facts.get("parameters"), "parameters"),
        "hyperparameters": f"{len(list(flat(run.get('configuration') or {})))} values, under provenance",
        "seeds": f"{len(seeds)} an arm: {', '.join(map(str, seeds))}" if seeds else "",
        "error_bars": "range over the seeds; 95 % intervals of the effects" if len(seeds) > 1 else "",
        "hardware": _hardware(machine),
        "time": _count(facts.get("run_seconds", run.get("wall_seconds")), "s over all runs"),
    }


def _count(value: Any, unit: str) -> str:
    """Return a count with its unit; empty for None."""
    return (
        ""
        if value is None
        else f"{number(float(value))} {unit}"
        if isinstance(value, int | float)
        else str(value)
    )


def _hardware(machine: Mapping[str, Any]) -> str:
    """Return device, processor and threads of a recorded machine, as far as they are recorded."""
    named = [
        str(machine[key]) for key in ("device", "device_name", "gpu", "cpu", "processor") if machine.get(key)
    ]
    threads = machine.get("threads")
    return ", ".join(dict.fromkeys([*named, *([f"{threads} threads"] if threads else [])]))


def provenance(material: Material, tool: Tool, written: Sequence[FileHash] = ()) -> tuple[Table, ...]:
    """Return commands, files read and written, and the configuration and machine of the rerun."""
    found = [_commands(material, tool), _files((*material.files, *written))]
    run = material.run or {}
    for caption, key in (
        ("Machine and versions of the rerun", "environment"),
        ("Configuration of the rerun", "configuration"),
    ):
        rows = tuple(flat(run.get(key) or {}))
        found += [Table(caption, ("Name", "Value"), rows, code=(1,))] if rows else []
    times = tuple(
        (name, str(run[key]))
        for name, key in (("Started", "started"), ("Wall time, seconds", "wall_seconds"))
        if key in run
    )
    used = (
        "Authors’ artifacts used (author_artifacts_used)",
        "yes" if run.get("author_artifacts_used") else "no",
    )
    found += (
        [Table("When the rerun ran, and with whose artifacts", ("What", "Value"), (*times, used))]
        if run
        else []
    )
    return tuple(found)


def _commands(material: Material, tool: Tool) -> Table:
    """Return the command line and version of each stage."""
    rows = []
    for stage, record in (("digitize", material.digitization), ("rerun", material.run)):
        if record and record.get("tool"):
            made = record["tool"]
            machine = record.get("environment") or {}
            commit = _commit(
                str(machine.get("git_commit") or ""), clean=machine.get("git_clean") is not False
            )
            rows.append((stage, _command(made.get("command")), str(made.get("version", "")), commit))
    rows.append(("report", shlex.join(tool.command), tool.version, _commit(tool.commit, clean=tool.clean)))
    return Table("Commands", ("Stage", "Command", "Version", "Git commit"), tuple(rows), code=(1, 3))


def _commit(commit: str, *, clean: bool) -> str:
    """Return a git commit, and whether the package's files were other than committed."""
    return f"{commit[:12]}{', clean' if clean else ', with changes'}" if commit else NOT_STATED


def _command(line: Any) -> str:
    """Return a recorded command line as text."""
    if isinstance(line, Sequence) and not isinstance(line, str):
        return shlex.join(map(str, line))
    return str(line or NOT_STATED)


def _files(files: Sequence[FileHash]) -> Table:
    """Return files with their hashes."""
    rows = tuple((f.path, f.role, number(f.size), f.sha256) for f in files)
    return Table("Files", ("File", "Role", "Bytes", "SHA-256"), rows, code=(0, 3), numeric=(2,))


def flat(value: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield the leaves of nested mappings as pairs of dotted name and text."""
    for key, item in value.items():
        name = f"{prefix}{key}"
        if isinstance(item, Mapping):
            yield from flat(item, f"{name}.")
        elif isinstance(item, list) and item and all(isinstance(v, Mapping) for v in item):
            named = {str(v.get("name", i)): v for i, v in enumerate(item)}
            yield from flat(named, f"{name}.")
        else:
            yield name, _said(item)


def _said(value: Any) -> str:
    """Return a recorded value as text."""
    if value is None or value == "":
        return NOT_STATED
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return number(float(value), 4)
    if isinstance(value, list | tuple):
        return ", ".join(_said(v) for v in value)
    return str(value)
