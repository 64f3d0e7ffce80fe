"""``replicate report``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from replicate.commands.options import Json, Out, Quiet, Verbose
from replicate.console import Console
from replicate.errors import ExitCode

if TYPE_CHECKING:
    from replicate.report import ReportResult

Names = Annotated[list[str] | None, typer.Argument(help="Figures to report on; all of them by default.")]
Figures = Annotated[Path, typer.Option("--figures", help="Folder of the figures and their sheets.")]
Curves = Annotated[Path, typer.Option("--curves", help="Folder of the digitized curves.")]
Runs = Annotated[Path, typer.Option("--runs", help="Folder of the reruns.")]
Partial = Annotated[bool, typer.Option("--partial", help="Take a rerun that has not finished, too.")]
Open = Annotated[bool, typer.Option("--open", help="Open the report in the browser.")]


DEFAULTS = {
    "--figures": Path("figures"),
    "--curves": Path("reference_curves"),
    "--runs": Path("runs"),
    "--out": Path("reports"),
}


class Format(StrEnum):
    """What goes to stdout: where the pages are, a Markdown summary, or the audit as JSON."""

    HTML = "html"
    MD = "md"
    JSON = "json"


Form = Annotated[Format, typer.Option("--format", help="What to print; the files are written in any case.")]


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("report")(report_command)


def report_command(
    names: Names = None,
    figures: Figures = DEFAULTS["--figures"],
    curves: Curves = DEFAULTS["--curves"],
    runs: Runs = DEFAULTS["--runs"],
    out: Out = None,
    format_: Form = Format.HTML,
    partial: Partial = False,
    open_: Open = False,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Audit every claim of the figures and write the reports.

    Writes reports/NAME.html, NAME.json and NAME.curves.csv for each figure, and index.html over all of them. What
    has not been digitized or rerun reads "not run". Ends with 3 where a person has to look: a figure below the
    confidence threshold, or a claim that could not be decided.
    """
    from replicate.report import write_reports

    console = Console(quiet, verbose, json or format_ is Format.JSON)
    folder = out or DEFAULTS["--out"]
    folders = {"--figures": figures, "--curves": curves, "--runs": runs, "--out": folder}
    command = _command(names or (), folders, partial)
    results = write_reports(names or (), figures, curves, runs, folder, command, partial=partial)
    console.document({"reports": [result.document for result in results]})
    for result in results:
        console.result(result.markdown if format_ is Format.MD else str(result.html))
        for line in _concerns(result):
            console.say(line)
    if open_:
        page = results[0].html if len(results) == 1 else folder / "index.html"
        typer.launch(str(page))
    return ExitCode.NEEDS_A_PERSON if any(r.needs_a_person for r in results) else ExitCode.DONE


def _command(names: Sequence[str], folders: Mapping[str, Path], partial: bool) -> tuple[str, ...]:
    """Return the command line without what changes only the printing, so that it does not change the report."""
    given = [
        word for flag, folder in folders.items() if folder != DEFAULTS[flag] for word in (flag, str(folder))
    ]
    return ("replicate", "report", *names, *given, *(["--partial"] if partial else []))


def _concerns(result: ReportResult) -> list[str]:
    """Return what a person has to look at, a line each."""
    lines = []
    if result.doubtful:
        lines.append(
            f"{result.name}: the figure's confidence is below the threshold; check the overlay in the report"
        )
    if result.undecided:
        lines.append(f"{result.name}: undecided claims: {', '.join(result.undecided)}")
    return lines
