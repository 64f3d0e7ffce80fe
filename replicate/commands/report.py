"""``replicate report``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from replicate.audit import gate
from replicate.audit.findings import Verdict
from replicate.commands.options import Json, Out, Quiet, Verbose
from replicate.console import Console
from replicate.errors import ExitCode
from replicate.files import write_atomic

if TYPE_CHECKING:
    from replicate.report import ReportResult

Names = Annotated[list[str] | None, typer.Argument(help="Figures to report on; all of them by default.")]
Figures = Annotated[Path, typer.Option("--figures", help="Folder of the figures and their sheets.")]
Curves = Annotated[Path, typer.Option("--curves", help="Folder of the digitized curves.")]
Runs = Annotated[Path, typer.Option("--runs", help="Folder of the reruns.")]
Partial = Annotated[bool, typer.Option("--partial", help="Take a rerun that has not finished, too.")]
Open = Annotated[bool, typer.Option("--open", help="Open the report in the browser.")]
FailOn = Annotated[
    list[Verdict] | None,
    typer.Option(
        "--fail-on", help="End with 3 where a claim has this verdict, and not for others; may be repeated."
    ),
]
Junit = Annotated[
    Path | None, typer.Option("--junit", help="Write each claim as a test case of a JUnit XML file.")
]
Power = Annotated[
    bool, typer.Option("--power", help="Say how many seeds would decide what the rerun leaves open.")
]


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
    fail_on: FailOn = None,
    junit: Junit = None,
    power: Power = False,
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
        for line in _power(result) if power else ():
            console.result(line)
        for line in _concerns(result):
            console.say(line)
    if junit:
        documents = [result.document for result in results]
        write_atomic(junit, gate.junit(documents, fail_on or [Verdict.NOT_REPLICATED]))
    if open_:
        page = results[0].html if len(results) == 1 else folder / "index.html"
        typer.launch(str(page))
    return ExitCode.NEEDS_A_PERSON if any(_needs_a_person(r, fail_on) for r in results) else ExitCode.DONE


def _needs_a_person(result: ReportResult, fail_on: Sequence[Verdict] | None) -> bool:
    """Return whether a person has to look: at the figure, or at a claim with one of the verdicts asked for."""
    if not fail_on:
        return result.needs_a_person
    return result.doubtful or bool(gate.failing(result.document, fail_on))


def _power(result: ReportResult) -> Iterator[str]:
    """Yield how many seeds would decide each claim that the rerun leaves open, a line each."""
    for item in gate.power(result.document):
        count = f"{item.seeds} seed{'' if item.seeds == 1 else 's'}"
        told = [f"{result.name}: {item.claim}: {item.verdict} with {count}"]
        told += [f"{item.primary:.0f} would decide its primary definition"] if item.primary else []
        told += [f"{item.every:.0f} all of its definitions"] if item.every not in (None, item.primary) else []
        yield "; ".join([*told, *([item.note] if item.note else [])])


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
