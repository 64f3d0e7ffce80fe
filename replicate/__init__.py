"""Audit published training curves: read a figure's numbers, rerun the experiment, judge each claim."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from replicate._version import __version__
from replicate.curves import Curve, CurveSet, read_curves, write_curves

if TYPE_CHECKING:
    from replicate.comparator import Comparison
    from replicate.comparator.align import Alignment
    from replicate.digitizer.record import Digitization

__all__ = ["Curve", "CurveSet", "__version__", "compare", "digitize", "read_curves", "write_curves"]


def digitize(figure: Path | str, **wishes: Any) -> Digitization:
    """Digitize a figure.

    Args:
        figure: Path of a picture.
        wishes: Fields of `replicate.digitizer.settings.Settings`, such as ``x_ticks={79: 0, 492: 50_000}``.

    Returns:
        The digitization: ``.curves`` maps names to curves, ``.confidence`` says how far to trust them.

    Raises:
        InputError: The file cannot be read as a picture.
        MissingComponentError: A system library is missing.
    """
    from replicate.commands.digitize import load_pipeline

    pipeline = load_pipeline()
    from replicate.digitizer.settings import Settings

    return pipeline(figure, Settings(**wishes))


def compare(
    a: CurveSet | Path | str,
    b: CurveSet | Path | str,
    align: Alignment = "steps",
    match: Sequence[str] = (),
    tokens: tuple[float, float] | None = None,
) -> list[Comparison]:
    """Compare the curves of two tables.

    Args:
        a: Curves, or the path of a curve table.
        b: The curves to hold them against.
        align: "steps", "share" (of the run), "tokens" or "loss" (steps at which each loss is reached).
        match: Pairs "name in A=name in B"; without any, series of the same name are paired.
        tokens: Tokens of a step in each table, for "tokens".

    Returns:
        All distances of each pair of series, with their 95 % intervals from reading bounds and seeds.

    Raises:
        InputError: A table cannot be read, nothing can be paired, or two curves share no stretch.
    """
    from replicate.comparator import compare_tables

    tables = [t if isinstance(t, CurveSet) else read_curves(Path(t)) for t in (a, b)]
    return compare_tables(tables[0], tables[1], align, match, tokens)
