"""Which series of one table is held against which of another."""

from __future__ import annotations

from collections.abc import Sequence

from replicate.curves import Curve, CurveSet
from replicate.errors import InputError


def match_series(a: CurveSet, b: CurveSet, pairs: Sequence[str] = ()) -> list[tuple[Curve, Curve]]:
    """Return the pairs of curves to compare.

    Args:
        a: The first table.
        b: The second.
        pairs: "name in A=name in B", from a person; without any, series of the same name are paired.

    Raises:
        InputError: A name is in neither table, a pair has no "=", or nothing can be paired.
    """
    if pairs:
        return [_pair(a, b, text) for text in pairs]
    common = [name for name in a if name in set(b)]
    if not common:
        raise InputError(
            f"no series of the same name: {', '.join(a) or 'none'} and {', '.join(b) or 'none'}",
            'pair them with --match "name in A=name in B"',
        )
    return [(a[name], b[name]) for name in common]


def _pair(a: CurveSet, b: CurveSet, text: str) -> tuple[Curve, Curve]:
    """Return the pair that a text asks for; a name may hold "=" itself."""
    cuts = [i for i, c in enumerate(text) if c == "="]
    for cut in cuts:
        one, other = text[:cut].strip(), text[cut + 1 :].strip()
        if one in set(a) and other in set(b):
            return a[one], b[other]
    if not cuts:
        raise InputError(f"--match {text!r} has no =", 'write "name in A=name in B"')
    raise InputError(
        f"--match {text!r} names no series of both tables", f"A has: {', '.join(a)}; B has: {', '.join(b)}"
    )
