"""``replicate compare``."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from replicate.commands.options import Json, Quiet, Verbose
from replicate.console import Console

if TYPE_CHECKING:
    from replicate.compare import Comparison


class Align(StrEnum):
    """How curves are aligned."""

    STEPS = "steps"
    SHARE = "share"
    LOSS = "loss"


Match = Annotated[
    list[str] | None, typer.Option("--match", help='Pair of series, "name in A=name in B"; may be repeated.')
]
AlignBy = Annotated[
    Align, typer.Option("--align", help="By steps, by share of the run, or by the loss that is reached.")
]


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("compare")(compare_command)


def compare_command(
    a: Annotated[Path, typer.Argument(metavar="A.csv", help="A curve table.")],
    b: Annotated[Path, typer.Argument(metavar="B.csv", help="The curve table to hold it against.")],
    match: Match = None,
    align: AlignBy = Align.STEPS,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Print the distances between the curves of two tables."""
    from dataclasses import asdict

    from replicate.compare import compare_curves, match_series
    from replicate.curves import read_curves

    console = Console(quiet, verbose, json)
    pairs = match_series(read_curves(a), read_curves(b), match or ())
    console.say(f"comparing {len(pairs)} pairs of series, aligned by {align.value}")
    found = [compare_curves(one, other, align.value) for one, other in pairs]
    console.document(
        {"schema": "replicate.comparison/1", "a": str(a), "b": str(b), "pairs": list(map(asdict, found))}
    )
    for comparison in found:
        console.result(_table(comparison))
    return 0


def _table(c: Comparison) -> str:
    """Return a comparison as aligned lines of text."""
    rows = [
        (
            "stretch compared",
            f"{c.start:.6g} to {c.end:.6g}",
            {"steps": "x", "share": "of the run", "loss": "loss, steps compared"}[c.alignment],
        ),
        ("root mean square difference", f"{c.rmse:.6g}", f"{100 * c.rmse_share:.3g} % of the range of y"),
        ("mean absolute difference", f"{c.mean_absolute:.6g}", ""),
        ("mean difference, A - B", f"{c.mean_difference:+.6g}", ""),
        ("largest difference", f"{c.max_gap:.6g}", f"at {c.max_gap_at:.6g}"),
        ("area between", f"{c.area_between:.6g}", ""),
    ]
    if c.area_ratio is not None:
        rows.append(("area under A / under B", f"{c.area_ratio:.6g}", ""))
    if c.rmse_decades is not None and c.mean_absolute_decades is not None:
        rows.append(
            (
                "root mean square, log10 y",
                f"{c.rmse_decades:.6g}",
                f"mean absolute {c.mean_absolute_decades:.4g}",
            )
        )
    rows += [
        ("discrete Fréchet distance", f"{c.frechet_share:.6g}", "both axes scaled to 0 to 1"),
        ("dynamic time warping", f"{c.warping:.6g}", "a point, both axes scaled to 0 to 1"),
        ("A below B", f"{100 * c.below:.4g} %", "of the stretch"),
        ("crossings", f"{c.crossings}", ""),
    ]
    names = f"A: {c.a}\nB: {c.b}\n" if c.a != c.b else f"{c.a}\n"
    return (
        names + "\n".join(f"  {label:<28} {value:>12}  {note}".rstrip() for label, value, note in rows) + "\n"
    )
