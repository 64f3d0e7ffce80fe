"""``replicate audit``: digitize, rerun and report, in one go."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from replicate.commands.digitize import load_pipeline
from replicate.commands.options import Json, Out, Quiet, Verbose
from replicate.commands.report import (
    DEFAULTS,
    Curves,
    FailOn,
    Figures,
    Junit,
    Names,
    Power,
    Runs,
    report_command,
)
from replicate.commands.rerun import Device, Scale, Threads
from replicate.console import Console

if TYPE_CHECKING:
    from replicate.experiments.config import Experiment
    from replicate.sheets import FigureSheet

NoRerun = Annotated[bool, typer.Option("--no-rerun", help="Take the reruns that are there; train nothing.")]


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("audit")(audit_command)


def audit_command(
    names: Names = None,
    figures: Figures = DEFAULTS["--figures"],
    curves: Curves = DEFAULTS["--curves"],
    runs: Runs = DEFAULTS["--runs"],
    out: Out = None,
    scale: Scale = "quick",
    no_rerun: NoRerun = False,
    device: Device = "auto",
    threads: Threads = 1,
    fail_on: FailOn = None,
    junit: Junit = None,
    power: Power = False,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Digitize the figures, rerun their experiments and write the reports, in one go.

    Writes what digitize, rerun and report write, each to its own folder. Runs that are finished are not run again.
    Ends with 3 where a person has to look: a figure below the confidence threshold, or an undecided claim.
    """
    from replicate.report.gather import find_image, sheet_paths
    from replicate.sheets import load_sheet

    console = Console(quiet, verbose, json)
    sheets = {path: load_sheet(path) for path in sheet_paths(tuple(names or ()), figures)}
    experiments = [] if no_rerun else _experiments(list(sheets.values()), scale)
    _digitize([find_image(path) for path in sheets], curves, console)
    _rerun(experiments, runs, device, threads, console)
    console.say(f"reports: {out or DEFAULTS['--out']}")
    return report_command(
        names,
        figures,
        curves,
        runs,
        out,
        fail_on=fail_on,
        junit=junit,
        power=power,
        json=json,
        quiet=quiet,
        verbose=verbose,
    )


def _digitize(images: Sequence[Path], out: Path, console: Console) -> None:
    """Digitize the figures and write their curves, records and overlays.

    Raises:
        InputError: A picture cannot be read.
    """
    digitize_file = load_pipeline()
    from replicate.digitizer.settings import Settings

    for image in images:
        digitization = digitize_file(image, Settings(command=("replicate", "digitize", str(image))))
        written, *_ = digitization.write(out)
        console.say(f"digitized {image}: confidence {digitization.confidence:.2f}; {written}")


def _experiments(sheets: Sequence[FigureSheet], scale: str) -> list[Experiment]:
    """Return the configurations of the figures' experiments, those that train another's teacher first.

    Raises:
        InputError: An experiment or a scale does not exist.
    """
    from replicate.experiments import get

    found = [get(name, scale) for name in dict.fromkeys(sheet.experiment for sheet in sheets) if name]
    return sorted(found, key=lambda e: e.teacher is not None)


def _rerun(experiments: Sequence[Experiment], out: Path, device: str, threads: int, console: Console) -> None:
    """Rerun experiments, as far as they have not been.

    Raises:
        MissingComponentError: PyTorch, a package with data, or a GPU is missing.
    """
    if not experiments:
        return
    from replicate.training.rerun import Machine, configure, rerun

    for experiment in experiments:
        name, scale = experiment.name, experiment.scale
        console.say(f"rerun of {name} at the {scale} scale")
        command = ("replicate", "rerun", "--experiment", name, "--scale", scale)
        rerun(configure(name, scale), out, Machine(device, threads), console=console, command=command)
