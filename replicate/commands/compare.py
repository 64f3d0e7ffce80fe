"""``replicate compare``."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from replicate.commands.options import Json, Quiet, Verbose
from replicate.console import Console
from replicate.errors import InputError

if TYPE_CHECKING:
    from replicate.comparator import Comparison


class Align(StrEnum):
    """How curves are aligned."""

    STEPS = "steps"
    SHARE = "share"
    TOKENS = "tokens"
    LOSS = "loss"


Match = Annotated[
    list[str] | None, typer.Option("--match", help='Pair of series, "name in A=name in B"; may be repeated.')
]
AlignBy = Annotated[
    Align, typer.Option("--align", help="By steps, share of the run, tokens, or the loss that is reached.")
]
Tokens = Annotated[
    str | None,
    typer.Option(
        metavar="A,B", help="Tokens of a step in each table; by default as in the record.json beside it."
    ),
]
Split = Annotated[str, typer.Option(help="Data split of a rerun's curves.")]
Seed = Annotated[int, typer.Option(help="Of the random draws behind the intervals.", min=0)]
AXES = {
    Align.STEPS: "x",
    Align.SHARE: "of the run",
    Align.TOKENS: "tokens",
    Align.LOSS: "loss, steps compared",
}


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("compare")(compare_command)


def compare_command(
    a: Annotated[Path, typer.Argument(metavar="A.csv", help="A curve table.")],
    b: Annotated[Path, typer.Argument(metavar="B.csv", help="The curve table to hold it against.")],
    match: Match = None,
    align: AlignBy = Align.STEPS,
    tokens: Tokens = None,
    split: Split = "val",
    seed: Seed = 0,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Print the distances between the curves of two tables.

    Each has its 95 % interval, from the bounds of the readings and, for reruns, from the seeds, which are paired.
    """
    from dataclasses import asdict

    from replicate.comparator import Settings, compare_tables
    from replicate.curves import read_curves

    console = Console(quiet, verbose, json)
    tables = read_curves(a), read_curves(b)
    steps = _tokens(tokens, (a, b)) if align is Align.TOKENS else None
    found = compare_tables(*tables, align.value, match or (), steps, Settings(split=split, seed=seed))
    console.say(f"comparing {len(found)} pairs of series, aligned by {align.value}")
    console.document(
        {"schema": "replicate.comparison/1", "a": str(a), "b": str(b), "pairs": list(map(asdict, found))}
    )
    for comparison in found:
        console.result(_table(comparison))
    return 0


def _tokens(given: str | None, tables: tuple[Path, Path]) -> tuple[float, float]:
    """Return the tokens of a step in each table, as given or as the record of a rerun beside it says.

    Raises:
        InputError: They are not two positive numbers, or are not known.
    """
    if given is None:
        known = [_recorded(table) for table in tables]
        missing = [str(table) for table, number in zip(tables, known, strict=True) if number is None]
        if missing:
            raise InputError(
                f"no record.json beside {missing[0]} tells the tokens of a step", "give --tokens A,B"
            )
        first, second = (number or 0.0 for number in known)
        return first, second
    try:
        first, second = (float(word) for word in given.split(","))
    except ValueError as error:
        raise InputError(
            f"--tokens {given}: {error}", "give two numbers, like --tokens 819200,512"
        ) from error
    if not (first > 0 and second > 0):
        raise InputError(f"--tokens {given}: not above 0", "give two numbers, like --tokens 819200,512")
    return first, second


def _recorded(table: Path) -> float | None:
    """Return the tokens of a step by the record of a rerun beside its curves, or None."""
    import json as json_module

    try:
        record = json_module.loads((table.parent / "record.json").read_text(encoding="utf-8"))
        return float(record["facts"]["tokens_per_step"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _table(c: Comparison) -> str:
    """Return a comparison as aligned lines of text."""
    rows = [
        ("stretch compared", f"{c.start:.6g} to {c.end:.6g}", AXES[Align(c.alignment)]),
        _row(c, "root mean square difference", "rmse"),
        _row(c, "  share of the range of y", "rmse_share", percent=True),
        _row(c, "  of log10 y", "rmse_decades"),
        _row(c, "mean absolute difference", "mean_absolute"),
        _row(c, "  share of the range of y", "mean_absolute_share", percent=True),
        _row(c, "  of log10 y", "mean_absolute_decades"),
        _row(c, "mean difference, A - B", "mean_difference"),
        _row(c, "largest difference", "max_gap"),
        _row(c, "  share of the range of y", "max_gap_share", percent=True),
        _row(c, "  at", "max_gap_at"),
        _row(c, "area between", "area_between"),
        _row(c, "area under A / under B", "area_ratio"),
        _row(c, "discrete Fréchet distance", "frechet"),
        _row(c, "  both axes scaled to 0 to 1", "frechet_share"),
        _row(c, "dynamic time warping", "warping"),
        _row(c, "  a point, axes 0 to 1", "warping_share"),
        _row(c, "A below B, of the stretch", "below", percent=True),
        _row(c, "crossings", "crossings"),
    ]
    names = f"A: {c.a}\nB: {c.b}" if c.a != c.b else c.a
    pairs = f" (means over {c.pairs} pairs of seeds)" if c.pairs > 1 else ""
    lines = [f"  {label:<30} {value:>14}  {note}".rstrip() for label, value, note in rows]
    return f"{names}{pairs}\n" + "\n".join(lines) + "\n"


def _row(c: Comparison, label: str, name: str, *, percent: bool = False) -> tuple[str, str, str]:
    """Return a number of a comparison with its label and its interval."""
    value, interval = getattr(c, name), c.intervals.get(name)
    if value is None:
        return label, "none", ""
    factor, unit = (100, " %") if percent else (1, "")
    shown = f"{factor * value:.6g}{unit}"
    return label, shown, f"[{factor * interval[0]:.5g}, {factor * interval[1]:.5g}]" if interval else ""
