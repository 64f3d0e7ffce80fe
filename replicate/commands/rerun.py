"""``replicate rerun``: experiments to curves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from replicate.commands.options import Json, Out, Quiet, Verbose
from replicate.console import Console
from replicate.errors import InputError

if TYPE_CHECKING:
    from replicate.training.rerun import RerunResult

DEFAULT_OUT = Path("runs")

T = TypeVar("T")

Name = Annotated[str | None, typer.Option("--experiment", help="Which experiment; --list names them.")]
Scale = Annotated[str, typer.Option(help="smoke (seconds), quick (minutes), local or paper.")]
Arms = Annotated[str | None, typer.Option(metavar="A,B|all", help="Arms; the published ones by default.")]
Seeds = Annotated[str | None, typer.Option(metavar="N|A,B", help="Number of seeds, or a list of them.")]
Rates = Annotated[str | None, typer.Option("--lr", metavar="A,B", help="Learning rates.")]
Text = Annotated[str | None, typer.Option("--data", help="bible, stdlib, a text file or a folder.")]
Device = Annotated[str, typer.Option(help="auto, cpu or cuda.")]
Threads = Annotated[int, typer.Option(help="Processor threads of one run.", min=1)]
Deterministic = Annotated[bool, typer.Option("--deterministic", help="Refuse operations that could vary.")]
Checkpoints = Annotated[float, typer.Option("--checkpoint-seconds", help="Time between checkpoints.", min=0)]
Fresh = Annotated[bool, typer.Option("--fresh", help="Drop what was run before.")]
List = Annotated[bool, typer.Option("--list", help="Name the experiments, their scales and arms.")]
Show = Annotated[bool, typer.Option("--show", help="Print the full configuration as JSON.")]


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("rerun")(rerun_command)


def rerun_command(
    experiment: Name = None,
    scale: Scale = "quick",
    arms: Arms = None,
    seeds: Seeds = None,
    lr: Rates = None,
    data: Text = None,
    device: Device = "auto",
    threads: Threads = 1,
    deterministic: Deterministic = False,
    checkpoint_seconds: Checkpoints = 20.0,
    fresh: Fresh = False,
    list_: List = False,
    show: Show = False,
    out: Out = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Train every arm of an experiment with every seed, and go on where an earlier call was cut off.

    Writes runs/EXPERIMENT/ARM/seedK/ for each run, and runs/EXPERIMENT/curves.csv and record.json over all of them.
    """
    console = Console(quiet, verbose, json)
    if list_:
        return _list(console)
    if experiment is None:
        from replicate.experiments import names

        raise InputError("no experiment is named", f"give --experiment {' or --experiment '.join(names())}")
    from replicate.training.rerun import Choice, Machine, configure, rerun

    choice = Choice(_words(arms), _seeds(seeds), _numbers(lr, "--lr", float), data)
    configuration = configure(experiment, scale, choice)
    if show:
        Console(json=True).document(asdict(configuration))
        return 0
    machine = Machine(device, threads, deterministic, checkpoint_seconds)
    given = {"--arms": arms, "--seeds": seeds, "--lr": lr, "--data": data, "--out": out}
    words = ["replicate", "rerun", "--experiment", experiment, "--scale", scale]
    words += [word for flag, value in given.items() if value is not None for word in (flag, str(value))]
    words += [
        *(["--threads", str(threads)] if threads > 1 else []),
        *(["--deterministic"] if deterministic else []),
    ]
    result = rerun(configuration, out or DEFAULT_OUT, machine, fresh=fresh, console=console, command=words)
    _report(result, console)
    return 0


def _report(result: RerunResult, console: Console) -> None:
    """Say what came of the runs: a line an arm, then where the curves are."""
    console.document(result.record)
    for arm in result.record["arms"]:
        runs = [c for c in result.record["cells"] if c["arm"] == arm["arm"] and c["val"] is not None]
        losses = ", ".join(f"{c['val_per_token']:.4f}" for c in runs) or "none finished"
        lost = f"; diverged: seed {', '.join(map(str, arm['diverged']))}" if arm["diverged"] else ""
        console.result(f"{arm['arm']}: held-out loss a token {losses}{lost}")
    console.result(str(result.curves))


def _list(console: Console) -> int:
    """Print the experiments with their scales and arms."""
    from replicate.experiments import get, names, scales

    found = []
    for name in names():
        arms = {arm.name: arm.role for arm in get(name, "quick").arms}
        told = ", ".join(f"{arm} ({role})" for arm, role in arms.items())
        console.result(f"{name}: scales {', '.join(scales(name))}; arms {told}")
        found.append({"experiment": name, "scales": list(scales(name)), "arms": arms})
    console.document(found)
    return 0


def _words(text: str | None) -> tuple[str, ...] | None:
    """Return the words of a list with commas, or None."""
    return None if text is None else tuple(w.strip() for w in text.split(",") if w.strip())


def _numbers(text: str | None, flag: str, kind: Callable[[str], T]) -> tuple[T, ...] | None:
    """Return the numbers of a list with commas, or None.

    Raises:
        InputError: One of them is no number, or there is none.
    """
    words = _words(text)
    if words is None:
        return None
    try:
        numbers = tuple(kind(w) for w in words)
    except ValueError as error:
        raise InputError(f"{flag} {text}: {error}", f"give numbers with commas, like {flag} 1,2") from error
    if not numbers:
        raise InputError(f"{flag} names nothing", f"give numbers with commas, like {flag} 1,2")
    return numbers


def _seeds(text: str | None) -> tuple[int, ...] | None:
    """Return the seeds: of a single number n, 0 to n - 1; of a list, its numbers."""
    numbers = _numbers(text, "--seeds", int)
    if numbers is None or "," in str(text):
        return numbers
    if numbers[0] < 1:
        raise InputError(f"--seeds {text} asks for no run", "give a number from 1, or a list like 0,1,2")
    return tuple(range(numbers[0]))
