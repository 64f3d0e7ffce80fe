"""The rerun of an experiment: every arm, rate and seed, at once as far as the machine allows."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from replicate.console import Console
from replicate.errors import InputError
from replicate.experiments import get
from replicate.experiments.config import Cell, Data, Experiment, Task, cells
from replicate.training import tokens
from replicate.training.cell import is_whole, prepare_cell, read_cell, read_known
from replicate.training.crew import Crew
from replicate.training.record import Session, write_record
from replicate.training.runtime import Runtime, find_devices

QUIET = Console(quiet=True)


@dataclass(frozen=True)
class Choice:
    """What of an experiment is rerun; None is what its scale says.

    Attributes:
        arms: Names of arms; ("all",) for every one; None for the published ones.
        seeds: Seeds.
        rates: Learning rates; the scale's own stays the shared one where it is among them, else the first.
        data: Text: "bible", "stdlib", or a path.
    """

    arms: tuple[str, ...] | None = None
    seeds: tuple[int, ...] | None = None
    rates: tuple[float, ...] | None = None
    data: str | None = None


@dataclass(frozen=True)
class Machine:
    """Where and how the runs are computed.

    Attributes:
        device: "auto", "cpu" or "cuda".
        threads: Processor threads of one run.
        deterministic: Refuse operations that could vary from run to run.
        checkpoint_seconds: Time between checkpoints.
    """

    device: str = "auto"
    threads: int = 1
    deterministic: bool = False
    checkpoint_seconds: float = 20.0


@dataclass(frozen=True)
class RerunResult:
    """What a rerun left.

    Attributes:
        curves: The curve table.
        record_path: The record.
        record: Its content.
    """

    curves: Path
    record_path: Path
    record: dict[str, Any] = field(repr=False)


def configure(name: str, scale: str = "quick", choice: Choice | None = None) -> Experiment:
    """Return an experiment's configuration with a person's choices.

    Raises:
        InputError: Experiment, scale or arm do not exist, or a choice is empty.
    """
    experiment, choice = get(name, scale), choice or Choice()
    arms = experiment.arms
    wanted = choice.arms or tuple(a.name for a in arms if a.role == "published")
    unknown = [w for w in wanted if w not in ("all", *(a.name for a in arms))]
    if unknown:
        remedy = f"there are: {', '.join(a.name for a in arms)}, all"
        raise InputError(f"{name} has no arm {unknown[0]!r}", remedy)
    if not all(0 < rate < math.inf for rate in choice.rates or ()):
        raise InputError("a learning rate must be greater than 0 and finite", "give --lr like 1e-4,4e-4")
    if any(seed < 0 for seed in choice.seeds or ()):
        raise InputError("a seed must not be negative", "give --seeds like 0,1,2")
    seeds = choice.seeds or experiment.seeds
    own = experiment.rates[0]
    rates = tuple(dict.fromkeys(choice.rates or experiment.rates))
    rates = tuple(sorted(rates, key=lambda r: r != own))
    experiment = replace(
        experiment,
        arms=tuple(a for a in arms if "all" in wanted or a.name in wanted),
        seeds=tuple(dict.fromkeys(seeds)),
        rates=rates,
        sweep_seeds=len(seeds) if choice.rates else experiment.sweep_seeds,
        task=replace(experiment.task, optimizer=replace(experiment.task.optimizer, rate=rates[0])),
    )
    return _with_data(experiment, choice.data)


def _with_data(experiment: Experiment, name: str | None) -> Experiment:
    """Return the experiment with another text, read whole."""
    if name is None:
        return experiment
    data = replace(experiment.task.data, name=name, limit=None)
    return _on(experiment, data)


def _on(experiment: Experiment, data: Data) -> Experiment:
    """Return the experiment, and its teacher, on a text."""
    teacher = experiment.teacher and replace(experiment.teacher, data=data)
    return replace(experiment, task=replace(experiment.task, data=data), teacher=teacher)


def rerun(
    experiment: Experiment,
    out: Path,
    machine: Machine | None = None,
    *,
    fresh: bool = False,
    console: Console = QUIET,
    command: Sequence[str] = (),
) -> RerunResult:
    """Run what is left of an experiment and write its curves and its record.

    Args:
        experiment: Its configuration (`configure`).
        out: Folder of all runs; the experiment gets a folder of its name in it.
        machine: Where the runs are computed.
        fresh: Drop what was run before.
        console: Where progress and messages go.
        command: The command line, for the record.

    Raises:
        InputError: The text is too short, a folder holds another configuration, or another rerun writes there.
        MissingComponentError: PyTorch, a package with data, or a GPU is missing.
        OutputError: Something cannot be written; what was finished is kept.
    """
    machine = machine or Machine()
    started, clock = datetime.now(UTC).isoformat(timespec="seconds"), time.monotonic()
    devices = find_devices(machine.device)
    source = tokens.prepare(experiment.task.data, out / ".cache" / "tokens")
    tokens.check_length(source, experiment.task.model.context)
    experiment = _on(experiment, source.data)
    home = out / experiment.name
    with _alone(home), console.progress() as bars:
        runtime = Runtime(devices[0], machine.threads, machine.deterministic, machine.checkpoint_seconds)
        crew = Crew(runtime, devices, console, bars)
        teacher = _teacher(experiment, out, source, crew)
        if teacher:
            experiment = replace(experiment, task=replace(experiment.task, teacher=teacher[1].sha256))
        grid = {}
        for cell in cells(experiment):
            folder = home / cell.folder
            known = (teacher[0], teacher[1].model) if teacher else None
            prepare_cell(folder, cell.task, source.folder, _about(experiment, cell), known, fresh=fresh)
            grid[folder] = cell

        def write() -> dict[str, Any]:
            session = Session(tuple(command), started, time.monotonic() - clock)
            return write_record(
                home, experiment, [(c, read_known(f)) for f, c in grid.items()], source, session
            )

        try:
            crew.run({folder: cell.task for folder, cell in grid.items()}, _names(grid), write)
        finally:
            record = write()
    return RerunResult(home / "curves.csv", home / "record.json", record)


def _names(grid: dict[Path, Cell]) -> dict[Path, str]:
    """Return what each cell is called in messages."""
    return {folder: f"{cell.arm} seed {cell.task.seed}" for folder, cell in grid.items()}


def _about(experiment: Experiment, cell: Cell) -> dict[str, Any]:
    """Return what a cell's file says beside its configuration."""
    return {
        "experiment": experiment.name,
        "scale": experiment.scale,
        "arm": cell.arm,
        "series": cell.series,
        "role": cell.role,
    }


def _teacher(
    experiment: Experiment, out: Path, source: tokens.TokenFile, crew: Crew
) -> tuple[Path, Task] | None:
    """Return the folder and task of the teacher, trained unless an equal run is at hand; None without one."""
    task = experiment.teacher
    if task is None:
        return None
    for folder in out.glob(f"*/*/seed{task.seed}"):
        cell = read_cell(folder)
        if cell and cell.content.get("configuration_sha256") == task.sha256 and is_whole(cell):
            return folder, task
    folder = out / ".cache" / "teachers" / task.sha256[:16]
    about = {"experiment": experiment.name, "scale": experiment.scale, "arm": "teacher"}
    prepare_cell(folder, task, source.folder, about)
    crew.run({folder: task}, {folder: "teacher"}, lambda: None)
    if not is_whole(read_known(folder)):
        remedy = f"drop {folder} if it was altered; if it diverged, choose other text with --data"
        raise InputError(f"the teacher of {experiment.name} has no usable weights", remedy)
    return folder, task


@contextmanager
def _alone(home: Path) -> Iterator[None]:
    """Hold the experiment's folder, so that no other rerun writes into it.

    Raises:
        InputError: Another one does.
    """
    import fcntl

    from replicate.files import write_atomic

    path = home / ".lock"
    if not path.exists():
        write_atomic(path, b"")
    with path.open("rb") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            message = f"another rerun is writing to {home}"
            raise InputError(message, "wait for it, or choose another folder with --out") from error
        yield
