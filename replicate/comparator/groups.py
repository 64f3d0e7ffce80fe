"""Which series of one table is held against which of another; the seeds of a rerun are one series."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from replicate.claims import Line
from replicate.curves import Curve, CurveSet
from replicate.errors import InputError


@dataclass(frozen=True, eq=False)
class Group:
    """A series: one curve of a figure, or one curve a seed of a rerun.

    Attributes:
        name: Its name.
        lines: Its curves by seed; a figure's curve has the seed None.
    """

    name: str
    lines: Mapping[int | None, Line]


def group_series(curves: CurveSet, split: str = "val") -> dict[str, Group]:
    """Return the series of a table by name.

    Of a rerun the seeds of an arm make one series, of the preferred split (the first by name where it is missing);
    where several arms have one legend name, the arm is added to it. The edges of bands are none.

    Args:
        curves: The table.
        split: The preferred data split.
    """
    published = CurveSet(tuple(c for c in curves.curves if c.run is None and not c.is_bound))
    found = {name: _group(name, {None: curve}) for name, curve in published.items()}
    runs = [c for c in curves.curves if c.run is not None]
    splits = sorted({c.run.split for c in runs if c.run}, key=lambda s: (s != split, s))
    arms: dict[tuple[str, str], dict[int | None, Curve]] = {}
    for curve in runs:
        if curve.run and curve.run.split == splits[0]:
            arms.setdefault((curve.name, curve.run.arm), {})[curve.run.seed] = curve
    names = [name for name, _ in arms]
    for (name, arm), seeds in arms.items():
        label = name if names.count(name) == 1 and name not in found else f"{name} [{arm}]"
        found[label] = _group(label, seeds)
    return found


def _group(name: str, curves: Mapping[int | None, Curve]) -> Group:
    """Return a group of the curves that hold numbers."""
    lines = {seed: Line.of_curve(curve) for seed, curve in curves.items()}
    return Group(name, {seed: line for seed, line in lines.items() if line is not None and len(line.x) > 1})


def match_series(
    a: Mapping[str, Group], b: Mapping[str, Group], pairs: Sequence[str] = ()
) -> list[tuple[Group, Group]]:
    """Return the pairs of series to compare.

    Args:
        a: The series of the first table.
        b: Those of the second.
        pairs: "name in A=name in B", from a person; without any, series of the same name are paired.

    Raises:
        InputError: A name is in neither table, a pair has no "=", or nothing can be paired.
    """
    if pairs:
        return [_pair(a, b, text) for text in pairs]
    common = [name for name in a if name in b]
    if not common:
        raise InputError(
            f"no series of the same name: {_told(a)} and {_told(b)}",
            'pair them with --match "name in A=name in B"',
        )
    return [(a[name], b[name]) for name in common]


def _pair(a: Mapping[str, Group], b: Mapping[str, Group], text: str) -> tuple[Group, Group]:
    """Return the pair that a text asks for; a name may hold "=" itself."""
    cuts = [i for i, c in enumerate(text) if c == "="]
    for cut in cuts:
        one, other = text[:cut].strip(), text[cut + 1 :].strip()
        if one in a and other in b:
            return a[one], b[other]
    if not cuts:
        raise InputError(f"--match {text!r} has no =", 'write "name in A=name in B"')
    raise InputError(
        f"--match {text!r} names no series of both tables", f"A has: {_told(a)}; B has: {_told(b)}"
    )


def _told(names: Iterable[str]) -> str:
    """Return names in a row."""
    return ", ".join(names) or "none"


def seed_pairs(a: Group, b: Group) -> list[tuple[Line, Line]]:
    """Return the lines to hold against one another: by seed, or every seed against a single curve.

    Raises:
        InputError: One holds no numbers, or they share no seed.
    """
    for group in (a, b):
        if not group.lines:
            raise InputError(f"curve {group.name!r} holds fewer than two numbers", "compare another one")
    if len(a.lines) == 1 or len(b.lines) == 1:
        return [(one, other) for one in a.lines.values() for other in b.lines.values()]
    common = [seed for seed in a.lines if seed in b.lines]
    if not common:
        raise InputError(f"{a.name!r} and {b.name!r} share no seed", "compare runs with the same seeds")
    return [(a.lines[seed], b.lines[seed]) for seed in common]
