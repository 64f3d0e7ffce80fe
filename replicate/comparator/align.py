"""Bringing two curves onto one axis: by steps, by share of the run, by tokens, or by loss level."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np

from replicate.claims import Line
from replicate.claims.sampling import first_reached
from replicate.curves import FloatArray
from replicate.errors import InputError

Alignment = Literal["steps", "share", "tokens", "loss"]
ALIGNMENTS: tuple[Alignment, ...] = get_args(Alignment)


class Reading(NamedTuple):
    """One line, or many readings of it.

    Attributes:
        x: Ascending, shape (n,).
        y: Values, shape (..., n).
    """

    x: FloatArray
    y: FloatArray


class Pair(NamedTuple):
    """Two lines in one coordinate, cut to the stretch that both have; many readings of them along the first axis.

    Attributes:
        a: The first line's own points.
        b: The second's.
        x: The union of both x, ascending, shape (n,).
        ya: The first line at x, shape (..., n).
        yb: The second line at x.
    """

    a: Reading
    b: Reading
    x: FloatArray
    ya: FloatArray
    yb: FloatArray


def align(a: Line, b: Line, how: Alignment, tokens: tuple[float, float] | None = None) -> tuple[Line, Line]:
    """Return two lines with x in one unit; by loss nothing is done yet (see `by_loss`).

    Args:
        a: The first line.
        b: The second.
        how: "steps": x as it is. "share": x as share of each line's own run, 0 to 1. "tokens": x times the tokens
            of a step.
        tokens: Tokens of a step, of the first and of the second line.

    Raises:
        InputError: Tokens are asked for and not known.
    """
    if how == "share":
        return _as_share(a), _as_share(b)
    if how == "tokens":
        if tokens is None:
            raise InputError("the tokens of a step are not known", "give them with --tokens A,B")
        return a._replace(x=a.x * tokens[0]), b._replace(x=b.x * tokens[1])
    return a, b


def _as_share(line: Line) -> Line:
    """Return a line against the share of its run."""
    length = line.x[-1] - line.x[0]
    return line._replace(x=(line.x - line.x[0]) / (length or 1.0))


def cut(a: Reading, b: Reading, how: Alignment) -> Pair:
    """Return two lines, or many readings of them, cut to the stretch of x that both have.

    Raises:
        InputError: They share no stretch.
    """
    lo, hi = float(max(a.x[0], b.x[0])), float(min(a.x[-1], b.x[-1]))
    if not lo < hi:
        raise InputError(f"the two curves share no stretch of {how}", "try --align share")
    a, b = _within(a, lo, hi), _within(b, lo, hi)
    x = np.union1d(a.x, b.x)
    return Pair(a, b, x, at(a, x), at(b, x))


def _within(line: Reading, lo: float, hi: float) -> Reading:
    """Return the points of a line from lo to hi, with interpolated ends."""
    inner = line.x[(line.x > lo) & (line.x < hi)]
    x = np.concatenate([[lo], inner, [hi]])
    return Reading(x, at(line, x))


def thinned(line: Reading, vertices: int) -> Reading:
    """Return at most so many points of a line, its ends among them."""
    if len(line.x) <= vertices:
        return line
    kept = np.linspace(0, len(line.x) - 1, vertices).round().astype(int)
    return Reading(line.x[kept], line.y[..., kept])


def at(line: Reading, x: FloatArray) -> FloatArray:
    """Return every reading of a line at x, interpolated between its points; shape (..., len(x))."""
    i = np.clip(np.searchsorted(line.x, x, side="right") - 1, 0, max(len(line.x) - 2, 0))
    j = np.minimum(i + 1, len(line.x) - 1)
    width = line.x[j] - line.x[i]
    share = np.clip((x - line.x[i]) / np.where(width > 0, width, 1.0), 0.0, 1.0)
    values: FloatArray = line.y[..., i] + share * (line.y[..., j] - line.y[..., i])
    return values


def shared_levels(a: Line, b: Line, count: int) -> FloatArray:
    """Return losses that both lines reach, falling from the lower of their first values.

    Raises:
        InputError: They share no stretch of loss.
    """
    top, bottom = min(a.y[0], b.y[0]), max(a.y.min(), b.y.min())
    if not bottom < top:
        raise InputError("the two curves share no stretch of loss", "try --align steps")
    return np.linspace(top, bottom, count)


def by_loss(line: Line, readings: FloatArray, levels: FloatArray) -> Reading:
    """Return a line against the loss, falling: the value is the step at which it first reaches it.

    A reading that ends above a loss counts as reaching it at its end.

    Args:
        line: The line.
        readings: Its values, shape (..., n).
        levels: The losses, falling, shape (k,).
    """
    rows = readings.reshape(-1, readings.shape[-1])
    steps = [first_reached(Line.of(line.x, row), levels) for row in rows]
    ended = np.minimum(np.array(steps), line.x[-1])
    return Reading(-levels, ended.reshape(*readings.shape[:-1], len(levels)))
