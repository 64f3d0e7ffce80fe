"""Bringing two curves onto one axis: by steps, by share of the run, or by loss level."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from replicate.claims import Line
from replicate.claims.sampling import first_reached
from replicate.curves import FloatArray
from replicate.errors import InputError

Alignment = Literal["steps", "share", "loss"]


class Pair(NamedTuple):
    """Two lines in one coordinate, cut to the stretch that both have.

    Attributes:
        a: The first line.
        b: The second.
        x: The union of both x, ascending, shape (n,).
        ya: The first line at x.
        yb: The second line at x.
    """

    a: Line
    b: Line
    x: FloatArray
    ya: FloatArray
    yb: FloatArray


def align(a: Line, b: Line, how: Alignment, levels: int) -> Pair:
    """Return two lines on one axis.

    Args:
        a: The first line.
        b: The second line.
        how: "steps": x as it is. "share": x as share of each line's own run, 0 to 1. "loss": the axis is the
            loss, falling, and the value is the step at which a line first reaches it.
        levels: Losses at which steps are taken for "loss".

    Raises:
        InputError: The two share no stretch of the axis.
    """
    if how == "share":
        a, b = _as_share(a), _as_share(b)
    if how == "loss":
        grid = _levels(a, b, levels)
        a, b = (Line.of(-grid, first_reached(line, grid)) for line in (a, b))
    lo, hi = max(a.x[0], b.x[0]), min(a.x[-1], b.x[-1])
    if not lo < hi:
        raise InputError(f"the two curves share no stretch of {how}", "try --align share")
    x = np.unique(np.concatenate([[lo, hi], a.x, b.x]))
    x = x[(x >= lo) & (x <= hi)]
    return Pair(_cut(a, lo, hi), _cut(b, lo, hi), x, np.interp(x, a.x, a.y), np.interp(x, b.x, b.y))


def _as_share(line: Line) -> Line:
    """Return a line against the share of its run."""
    length = line.x[-1] - line.x[0]
    return Line.of((line.x - line.x[0]) / (length or 1.0), line.y)


def _levels(a: Line, b: Line, count: int) -> FloatArray:
    """Return losses that both lines reach, falling, without the loss at which they start."""
    top, bottom = min(a.y[0], b.y[0]), max(a.y.min(), b.y.min())
    if not bottom < top:
        raise InputError("the two curves share no stretch of loss", "try --align steps")
    return np.linspace(top, bottom, count)


def _cut(line: Line, lo: float, hi: float) -> Line:
    """Return the points of a line from lo to hi, with interpolated ends."""
    inner = (line.x > lo) & (line.x < hi)
    x = np.concatenate([[lo], line.x[inner], [hi]])
    return Line.of(x, np.interp(x, line.x, line.y))
