"""A cell: one run of a grid in a folder of its own, complete enough to be restarted anywhere.

runs/<experiment>/<arm>/seed<k>/
    cell.json              the configuration, where tokens and teacher are, and how far it came
    log.csv                step, training and held-out loss a token, learning rate, norm of the gradient
    checkpoint-*.*         the last two, while it runs
    weights.safetensors    when it has finished
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from replicate.errors import InputError
from replicate.experiments.config import Model, Task
from replicate.files import sha256, write_json
from replicate.training.runtime import Runtime, apply, environment

SCHEMA = "replicate.cell/1"
DONE = ("finished", "diverged")
WEIGHTS = "weights.safetensors"


@dataclass(frozen=True)
class CellFile:
    """What a cell's folder says.

    Attributes:
        folder: The folder.
        content: cell.json.
    """

    folder: Path
    content: Mapping[str, Any]

    @property
    def status(self) -> str:
        """How far it came: "waiting", "interrupted", "finished" or "diverged"."""
        return str(self.content["status"])

    @property
    def done(self) -> bool:
        """Whether there is nothing left to run."""
        return self.status in DONE


def read_cell(folder: Path) -> CellFile | None:
    """Return what a cell's folder says, or None where there is no cell.

    Raises:
        InputError: Its file is not one of a cell.
    """
    path = folder / "cell.json"
    if not path.is_file():
        return None
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content["schema"] != SCHEMA:
            raise ValueError(f"schema {content['schema']}")
        return CellFile(folder, content)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"cannot read {path}: {error}", "drop it with --fresh") from error


def read_known(folder: Path) -> CellFile:
    """Return what the folder of a cell says.

    Raises:
        InputError: There is no cell.
    """
    cell = read_cell(folder)
    if cell is None:
        raise InputError(f"{folder} holds no run", "start it with replicate rerun")
    return cell


def is_whole(cell: CellFile) -> bool:
    """Whether a cell has finished and its weights are those it wrote."""
    weights = cell.folder / WEIGHTS
    return (
        cell.status == "finished" and weights.is_file() and sha256(weights) == cell.content["weights_sha256"]
    )


def check_log(cell: CellFile) -> Path:
    """Return the log of a cell that is done.

    Raises:
        InputError: It is not the one that the run wrote.
    """
    path = cell.folder / "log.csv"
    if not path.is_file() or sha256(path) != cell.content["log_sha256"]:
        raise InputError(f"{path} is not what the run wrote", "run again with --fresh")
    return path


def prepare_cell(
    folder: Path,
    task: Task,
    tokens: Path,
    about: Mapping[str, Any],
    teacher: tuple[Path, Model] | None = None,
    *,
    fresh: bool = False,
) -> CellFile:
    """Make a cell's folder ready: new, or as it was left if its configuration is the same.

    Args:
        folder: The cell's folder.
        task: What it runs.
        tokens: Folder of the token file.
        about: More to be kept in cell.json: arm, series, ...
        teacher: The teacher's cell and model.
        fresh: Drop what is there.

    Raises:
        InputError: The folder holds a run of another configuration.
    """
    if fresh and folder.exists():
        shutil.rmtree(folder)
    there = read_cell(folder)
    if there is None:
        content = {
            "schema": SCHEMA,
            **about,
            "configuration_sha256": task.sha256,
            "configuration": asdict(task),
        }
        content |= {"status": "waiting", "tokens": os.path.relpath(tokens, folder)}
        if teacher:
            content |= {"teacher": os.path.relpath(teacher[0], folder), "teacher_model": asdict(teacher[1])}
        write_json(folder / "cell.json", content)
        return CellFile(folder, content)
    if there.content.get("configuration_sha256") != task.sha256:
        changed = ", ".join(_changes(there.content["configuration"], json.loads(json.dumps(asdict(task)))))
        raise InputError(
            f"{folder} holds a run of another configuration ({changed})",
            "drop it with --fresh, or choose another folder with --out",
        )
    return there


def _changes(old: Any, new: Any, name: str = "") -> list[str]:
    """Return which values of a configuration have changed, as "name: old, now new"."""
    if isinstance(old, dict) and isinstance(new, dict):
        keys = dict.fromkeys([*old, *new])
        parts = (_changes(old.get(k), new.get(k), f"{name}.{k}" if name else k) for k in keys)
        return [change for part in parts for change in part]
    return [] if old == new else [f"{name}: {json.dumps(old)}, now {json.dumps(new)}"]


def run_cell(
    folder: Path,
    runtime: Runtime,
    report: Callable[[Any], None],
    say: Callable[[str], None],
    stopped: Callable[[], bool] = lambda: False,
) -> CellFile:
    """Run a cell to its end, from its last checkpoint if there is one.

    Args:
        folder: The cell's folder.
        runtime: Where it is computed.
        report: Told of the progress, a `replicate.training.loop.Progress` a step.
        say: Told what a person should know.
        stopped: Whether to end after the step at hand.

    Returns:
        What its folder says now.

    Raises:
        InputError: There is no cell, or its configuration cannot be read.
        OutputError: Its files cannot be written.
    """
    from replicate.training import checkpoint, loop

    cell = read_known(folder)
    if cell.done:
        return cell
    try:
        task = TypeAdapter(Task).validate_python(cell.content["configuration"])
        teacher_model = TypeAdapter(Model | None).validate_python(cell.content.get("teacher_model"))
    except ValidationError as error:
        raise InputError(f"{folder}/cell.json: {error}", "drop it with --fresh") from error
    apply(runtime)
    teacher = cell.content.get("teacher")
    at = folder / teacher if teacher else None
    files = loop.Files(folder, folder / cell.content["tokens"], at, teacher_model)
    outcome = loop.train(task, files, runtime, report, say, stopped)
    content = {**cell.content, "status": outcome.status, "steps": outcome.step, "seconds": outcome.seconds}
    content |= {"parameters": outcome.parameters, "environment": environment(runtime, task.precision)}
    content |= {"log_sha256": sha256(folder / "log.csv")}
    if outcome.status == "finished":
        content |= {"val": outcome.val, "weights_sha256": sha256(folder / WEIGHTS)}
    write_json(folder / "cell.json", content)
    if outcome.status in DONE:
        checkpoint.clear(folder)
    return CellFile(folder, content)
