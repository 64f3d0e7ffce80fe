"""``replicate new``: a sheet for one's own figure."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import Annotated, Any

import typer

from replicate.commands.digitize import load_pipeline
from replicate.commands.options import Json, Quiet, Verbose
from replicate.commands.report import DEFAULTS, Curves
from replicate.console import Console
from replicate.errors import ExitCode, InputError
from replicate.files import write_atomic

Figure = Annotated[Path, typer.Argument(metavar="FIGURE", help="The picture.")]


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("new")(new_command)


def new_command(
    figure: Figure,
    curves: Curves = DEFAULTS["--curves"],
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Digitize a figure and write a commented sheet beside it, to fill in with what its text claims.

    A reading that is there already, such as one with --x-ticks, is kept. Ends with 3 where it needs a person.
    """
    console = Console(quiet, verbose, json)
    sheet = figure.with_suffix(".yaml")
    if sheet.exists():
        raise InputError(f"{sheet} is there already", "edit it, or move it away")
    record, confidence = _read(figure, curves, console)
    if not record.get("panels"):
        remedy = (
            f'calibrate it first: replicate digitize {figure} --x-ticks "PIXEL=VALUE,..." --y-ticks "..."'
        )
        raise InputError(f"no axes could be read in {figure}", remedy)
    from replicate.sheetdraft import draft

    write_atomic(sheet, draft(figure.stem, figure.name, record))
    console.document(
        {"sheet": str(sheet), "curves": str(curves / f"{figure.stem}.csv"), "confidence": confidence}
    )
    console.result(str(sheet))
    console.say(f"fill it in, then: replicate audit {figure.stem} --figures {figure.parent} --no-rerun")
    return ExitCode.DONE if confidence >= _threshold() else ExitCode.NEEDS_A_PERSON


def _threshold() -> float:
    """Return the confidence below which a figure needs a person."""
    from replicate.digitizer.settings import Settings

    return Settings().min_confidence


def _read(figure: Path, curves: Path, console: Console) -> tuple[dict[str, Any], float]:
    """Return a figure's digitization record and its confidence; what was digitized before is taken as it is.

    Raises:
        InputError: The picture, or the record that is there, cannot be read.
    """
    known = curves / f"{figure.stem}.json"
    if known.is_file():
        console.say(f"taking the reading in {known}")
        try:
            record = json_module.loads(known.read_text(encoding="utf-8"))
            return record, float(record["confidence"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(f"cannot read {known}: {error}", "digitize the figure anew") from error
    pipeline = load_pipeline()
    from replicate.digitizer.settings import Settings

    digitization = pipeline(figure, Settings(command=("replicate", "digitize", str(figure))))
    written, *_ = digitization.write(curves)
    console.say(f"digitized {figure}: confidence {digitization.confidence:.2f}; {written}")
    return digitization.to_json(), digitization.confidence
