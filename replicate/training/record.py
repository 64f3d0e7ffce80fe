"""What a rerun leaves for the audit: its curves and its record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from replicate._version import __version__
from replicate.curves import Curve, Run, write_curves
from replicate.experiments import differences
from replicate.experiments.config import Cell, Experiment
from replicate.files import write_json
from replicate.training import log
from replicate.training.cell import CellFile, check_log
from replicate.training.runtime import git_state
from replicate.training.tokens import TokenFile

SCHEMA = "replicate.rerun/1"


@dataclass(frozen=True)
class Session:
    """What the record says of the call: its command line, when it began, and its seconds so far."""

    command: tuple[str, ...]
    started: str
    seconds: float


def write_record(
    home: Path,
    experiment: Experiment,
    grid: Sequence[tuple[Cell, CellFile]],
    tokens: TokenFile,
    session: Session,
) -> dict[str, Any]:
    """Write curves.csv and record.json of what has been run so far.

    Args:
        home: The experiment's folder.
        experiment: Its configuration.
        grid: Every cell with what its folder says.
        tokens: The text.
        session: The call.

    Returns:
        The record.

    Raises:
        OutputError: They cannot be written.
    """
    done = [(cell, file) for cell, file in grid if file.done]
    curves = [c for cell, file in done for c in _curves(cell, file, experiment.y_factor)]
    write_curves(home / "curves.csv", curves)
    record = _record(experiment, grid, done, tokens, session)
    write_json(home / "record.json", record)
    return record


def _curves(cell: Cell, file: CellFile, factor: int) -> list[Curve]:
    """Return the held-out and the training curve of a cell, in the unit of the experiment."""
    return [
        Curve.from_points(cell.series, s.steps, s.values * factor, run=Run(cell.arm, cell.task.seed, split))
        for split, s in log.read(check_log(file)).items()
    ]


def _record(
    experiment: Experiment,
    grid: Sequence[tuple[Cell, CellFile]],
    done: Sequence[tuple[Cell, CellFile]],
    tokens: TokenFile,
    session: Session,
) -> dict[str, Any]:
    """Return the record."""
    return {
        "schema": SCHEMA,
        "experiment": experiment.name,
        "figure": experiment.figure,
        "scale": experiment.scale,
        "complete": len(done) == len(grid),
        "x": "step",
        "y": experiment.y,
        "arms": _arms(grid),
        "seeds": list(experiment.seeds),
        "rates": list(experiment.rates),
        "differences": [asdict(d) for d in differences(experiment)],
        "facts": _facts(experiment, done, tokens),
        "cells": [_cell(cell, file, experiment.y_factor) for cell, file in grid],
        "configuration": asdict(experiment),
        "environment": _environment(done) | git_state(),
        "data": {"name": tokens.data.name, "sha256": tokens.data.sha256, "tokens": tokens.tokens},
        "wall_seconds": round(session.seconds, 3),
        "started": session.started,
        "tool": {"version": __version__, "command": list(session.command)},
    }


def _arms(grid: Sequence[tuple[Cell, CellFile]]) -> list[dict[str, Any]]:
    """Return every arm with the seeds that diverged."""
    arms: dict[str, dict[str, Any]] = {}
    for cell, file in grid:
        arm: dict[str, Any] = {
            "arm": cell.arm,
            "series": cell.series,
            "role": cell.role,
            "rate": cell.rate,
            "diverged": [],
        }
        arm = arms.setdefault(cell.arm, arm)
        if file.status == "diverged":
            arm["diverged"].append(cell.task.seed)
    return list(arms.values())


def _cell(cell: Cell, file: CellFile, factor: int) -> dict[str, Any]:
    """Return how a cell ended: the last held-out loss in the unit of the curves, and a token."""
    val = file.content.get("val")
    return {
        "arm": cell.arm,
        "seed": cell.task.seed,
        "status": file.status,
        "steps": file.content.get("steps", 0),
        "val": None if val is None else val * factor,
        "val_per_token": val,
        "seconds": file.content.get("seconds"),
        "weights_sha256": file.content.get("weights_sha256"),
    }


def _facts(
    experiment: Experiment, done: Sequence[tuple[Cell, CellFile]], tokens: TokenFile
) -> dict[str, Any]:
    """Return the numbers that a reader weighs a rerun by."""
    task = experiment.task
    cores = sum(file.content["seconds"] for _, file in done)
    return {
        "vocabulary": task.model.vocabulary,
        "unigram_entropy": tokens.unigram_entropy,
        "steps": task.steps,
        "batch": task.batch,
        "context": task.model.context,
        "tokens_per_step": task.batch * task.model.context,
        "tokens_per_y": experiment.y_factor,
        "parameters": max((file.content["parameters"] for _, file in done), default=None),
        "runs": len(done),
        "run_seconds": round(cores, 3),
    }


def _environment(done: Sequence[tuple[Cell, CellFile]]) -> dict[str, Any]:
    """Return the machine of the runs; where they differ, every value."""
    found: dict[str, Any] = {}
    for _, file in done:
        for key, value in file.content["environment"].items():
            known = found.setdefault(key, [])
            known += [] if value in known else [value]
    return {key: values[0] if len(values) == 1 else values for key, values in found.items()}
