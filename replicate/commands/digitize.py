"""``replicate digitize``: figures to curve tables."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from replicate.commands.options import Json, Out, Quiet, Verbose
from replicate.console import Console
from replicate.errors import ExitCode, InputError, MissingComponentError

if TYPE_CHECKING:
    from replicate.digitizer.record import Digitization
    from replicate.digitizer.settings import Settings

DEFAULT_OUT = Path("reference_curves")
SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".webp", ".pdf", ".svg", ".svgz")
PACKAGES = {
    "libGL": "libgl1",
    "libgthread": "libglib2.0-0",
    "libglib": "libglib2.0-0",
    "libX11": "libx11-6",
    "libxcb": "libxcb1",
    "libSM": "libsm6",
    "libXext": "libxext6",
    "libgomp": "libgomp1",
    "libstdc++": "libstdc++6",
}


class Scale(StrEnum):
    """The scale of an axis, as a person gives it."""

    LINEAR = "linear"
    LOG = "log"
    AUTO = "auto"


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("digitize")(digitize_command)


def digitize_command(
    figures: Annotated[
        list[str],
        typer.Argument(metavar="FIGURE...", help="Pictures, PDFs, SVGs, folders of them, or - for stdin."),
    ],
    out: Out = None,
    page: Annotated[int | None, typer.Option(help="Page of a PDF, from 1.", min=1)] = None,
    figure: Annotated[
        int | None, typer.Option(help="Only the figure with this number in its caption (PDF).", min=0)
    ] = None,
    panel: Annotated[
        int | None, typer.Option(help="Only this panel, from 0 in reading order.", min=0)
    ] = None,
    x_scale: Annotated[Scale, typer.Option(help="Scale of the x axes.")] = Scale.AUTO,
    y_scale: Annotated[Scale, typer.Option(help="Scale of the y axes.")] = Scale.AUTO,
    x_ticks: Annotated[
        str | None, typer.Option(metavar='"PIXEL=VALUE,..."', help="Calibrate the x axis by hand.")
    ] = None,
    y_ticks: Annotated[
        str | None, typer.Option(metavar='"PIXEL=VALUE,..."', help="Calibrate the y axis by hand.")
    ] = None,
    calibration: Annotated[
        Path | None,
        typer.Option(metavar="RECORD.json", help="Reuse the axes of a record, for figures of one layout."),
    ] = None,
    series: Annotated[
        str | None, typer.Option(metavar='"NAME=#rrggbb,..."', help="Name the curves by their colours.")
    ] = None,
    jobs: Annotated[int, typer.Option(help="Figures read at once.", min=1)] = 1,
    min_confidence: Annotated[
        float, typer.Option(help="Below this a figure needs a person.", min=0, max=1)
    ] = 0.8,
    max_megapixels: Annotated[float, typer.Option(help="Refuse larger pictures.", min=0)] = 80.0,
    debug: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Write a numbered picture of every stage, in a folder for each of several figures.",
        ),
    ] = None,
    list_: Annotated[
        bool,
        typer.Option("--list", help="Only list the charts: page, box, axis labels and a thumbnail of each."),
    ] = False,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Read the numbers out of figures (pictures, PDF, SVG): axes, legend and every curve.

    Writes <stem>.csv (the curves), <stem>.json (the record) and <stem>.overlay.png (the picture to check) to
    reference_curves/ or the folder given with --out. Ends with 3 where a figure needs a person.
    """
    console = Console(quiet, verbose, json)
    load_pipeline()
    from replicate.digitizer.calibration import load_calibration
    from replicate.digitizer.settings import Settings, parse_series, parse_ticks

    settings = Settings(
        page=page,
        figure=figure,
        panel=panel,
        x_scale=x_scale.value,
        y_scale=y_scale.value,
        x_ticks=parse_ticks(x_ticks, "--x-ticks"),
        y_ticks=parse_ticks(y_ticks, "--y-ticks"),
        calibration=load_calibration(calibration) if calibration else None,
        series=parse_series(series),
        max_megapixels=max_megapixels,
        min_confidence=min_confidence,
        debug=debug,
        command=_command(
            figures, out, x_scale, y_scale, x_ticks, y_ticks, calibration, series, panel, page, figure
        ),
    )
    if list_:
        return list_figures(find_figures(figures), out or DEFAULT_OUT, settings, console)
    return digitize_figures(find_figures(figures), out or DEFAULT_OUT, settings, console, jobs)


def _command(
    figures: Sequence[str],
    out: Path | None,
    x_scale: Scale,
    y_scale: Scale,
    x_ticks: str | None,
    y_ticks: str | None,
    calibration: Path | None,
    series: str | None,
    panel: int | None,
    page: int | None,
    figure: int | None,
) -> tuple[str, ...]:
    """Return the command line that repeats this reading: what is a default is left out."""
    words = ["replicate", "digitize", *figures]
    options = {
        "--out": out,
        "--page": page,
        "--figure": figure,
        "--panel": panel,
        "--x-scale": None if x_scale is Scale.AUTO else x_scale.value,
        "--y-scale": None if y_scale is Scale.AUTO else y_scale.value,
        "--x-ticks": x_ticks,
        "--y-ticks": y_ticks,
        "--calibration": calibration,
        "--series": series,
    }
    for flag, value in options.items():
        words += [] if value is None else [flag, str(value)]
    return tuple(words)


def load_pipeline() -> Callable[..., Digitization]:
    """Import the digitizer.

    Returns:
        `replicate.digitizer.pipeline.digitize_file`.

    Raises:
        MissingComponentError: A system library that OpenCV or the OCR links to is not there.
    """
    try:
        from replicate.digitizer.pipeline import digitize_file
    except ImportError as error:
        library = next((name for name in PACKAGES if name in str(error)), None)
        if library is None:
            raise MissingComponentError(
                f"cannot load the digitizer: {error}", "pip install replicate"
            ) from error
        said = f"the system library of {library} is missing ({error})"
        raise MissingComponentError(said, f"apt-get install {PACKAGES[library]}") from error
    return digitize_file


def find_figures(words: Sequence[str]) -> list[str]:
    """Expand folders to the pictures in them; leave out what the digitizer itself wrote.

    Raises:
        InputError: A path does not exist, or a folder holds no picture.
    """
    found: list[str] = []
    for word in words:
        path = Path(word)
        if word == "-":
            found.append(word)
        elif path.is_dir():
            inside = sorted(
                p
                for p in path.iterdir()
                if p.suffix.lower() in SUFFIXES and not p.name.endswith(".overlay.png")
            )
            if not inside:
                raise InputError(
                    f"{word} holds no picture", f"it should hold files ending in {', '.join(SUFFIXES)}"
                )
            _refuse_twins(word, inside)
            found += [str(p) for p in inside]
        elif path.exists():
            found.append(word)
        else:
            raise InputError(f"cannot read {word}: no such file", "check the path")
    return found


def _refuse_twins(folder: str, figures: Sequence[Path]) -> None:
    """Refuse figures whose outputs would have one name.

    Raises:
        InputError: Two files differ in their endings only.
    """
    seen: dict[str, Path] = {}
    for figure in figures:
        twin = seen.setdefault(figure.stem, figure)
        if twin is not figure:
            said = f"{folder}: {twin.name} and {figure.name} would both be written to {figure.stem}.csv"
            raise InputError(said, "digitize them one at a time, each with its own --out")


def digitize_figures(
    figures: Sequence[str], out: Path, settings: Settings, console: Console, jobs: int = 1
) -> int:
    """Digitize figures and write their files.

    A figure that cannot be read is said in one line; the others are read all the same.

    Returns:
        0, 3 where a figure needs a person, or the code of the first error if any figure failed.
    """
    outcomes = _run(figures, out, settings, console, jobs)
    documents = [o for o in outcomes if o]
    console.document(documents[0] if len(documents) == 1 else documents)
    if any(o.get("error") for o in documents):
        return int(next(o["exit_code"] for o in documents if o.get("error")))
    doubtful = [o for o in documents if o["confidence"] < settings.min_confidence]
    return int(ExitCode.NEEDS_A_PERSON if doubtful else ExitCode.DONE)


def list_figures(figures: Sequence[str], out: Path, settings: Settings, console: Console) -> int:
    """Say which charts files hold, and write a thumbnail of each.

    Returns:
        0, or the code of the first error if any file could not be read.
    """
    from replicate.digitizer.thumbnails import list_panels
    from replicate.errors import OutputError, ReplicateError

    code, documents = ExitCode.DONE, []
    for figure in figures:
        try:
            rows = list_panels(load_pipeline()(figure, settings), out)
        except OutputError:
            raise
        except ReplicateError as error:
            Console().say(f"replicate: {error}")
            code = code or error.exit_code
            continue
        documents.append({"figure": figure, "panels": rows})
        for row in rows:
            console.result(f"{figure}: {_row(row)}")
        if not rows:
            console.result(f"{figure}: no chart")
    console.document(documents[0] if len(documents) == 1 else documents)
    return int(code)


def _row(row: dict[str, Any]) -> str:
    """Return a panel's row of the list in words."""
    page = f"page {row['page']}, " if row["page"] else ""
    number = f"figure {row['figure']}, " if row["figure"] is not None else ""
    box = " ".join(f"{v:.0f}" for v in row["box"])
    axes = f"{row['y_label'] or '?'} against {row['x_label'] or '?'}"
    names = ", ".join(row["series"]) or "no curve"
    return f"panel {row['panel']}: {page}{number}box {box}: {axes}: {names}; {row['thumbnail']}"


def _run(
    figures: Sequence[str], out: Path, settings: Settings, console: Console, jobs: int
) -> list[dict[str, Any]]:
    """Return the outcome of every figure, in order."""
    outcomes: list[dict[str, Any]] = []
    with console.progress() as bars:
        bar = bars.add_task("digitize", total=len(figures))
        for outcome in _outcomes(figures, out, settings, min(jobs, len(figures))):
            _report(outcome, settings, console)
            outcomes.append(outcome)
            bars.advance(bar)
    return outcomes


def _outcomes(figures: Sequence[str], out: Path, settings: Settings, jobs: int) -> Any:
    """Yield outcomes in the figures' order, from worker processes where more than one job is asked for."""
    wishes = [settings] * len(figures)
    if settings.debug and len(figures) > 1:
        wishes = [replace(settings, debug=settings.debug / Path(f).stem) for f in figures]
    if jobs <= 1:
        yield from map(digitize_one, figures, [out] * len(figures), wishes)
        return
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # for each worker's models
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield from pool.map(digitize_one, figures, [out] * len(figures), wishes)


def digitize_one(figure: str, out: Path, settings: Settings) -> dict[str, Any]:
    """Digitize one figure and write its files.

    Returns:
        The record with the paths written, or the error and its exit code.
    """
    from replicate.errors import OutputError, ReplicateError

    try:
        digitization = load_pipeline()(figure, settings)
        csv, record, overlay = digitization.write(out)
    except OutputError:
        raise
    except ReplicateError as error:
        return {"figure": figure, "error": str(error), "exit_code": int(error.exit_code)}
    document = digitization.to_json()
    document["files"] = {"curves": str(csv), "record": str(record), "overlay": str(overlay)}
    return {"figure": figure, **document}


def _report(outcome: dict[str, Any], settings: Settings, console: Console) -> None:
    """Say what came of one figure: results on stdout, warnings and errors on stderr."""
    if outcome.get("error"):
        Console().say(f"replicate: {outcome['error']}")
        return
    for number, panel in enumerate(outcome["panels"]):
        names = ", ".join(f"{s['name']} ({s['points']} points)" for s in panel["series"]) or "no curve"
        where = f" panel {number}" if len(outcome["panels"]) > 1 else ""
        console.result(f"{outcome['figure']}{where}: {names}")
    sure = outcome["confidence"] >= settings.min_confidence
    verdict = f"confidence {outcome['confidence']:.2f}" + ("" if sure else ", needs a person")
    console.result(f"{outcome['figure']}: {verdict}; {outcome['files']['curves']}")
    for warning in outcome["warnings"]:
        console.say(f"{outcome['figure']}: {warning['message']}")
