"""Which statements about curves cannot both hold, by what their predicates mean."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, product

from replicate.audit import words
from replicate.sheets import Condition, Expect, FigureSheet, Window

Interval = tuple[float, float]
Below = tuple[str, str]  # (arm, arm): the first lies below the second


@dataclass(frozen=True)
class Statement:
    """A predicate on arms in a window with the relation that is claimed (empty: an interval)."""

    kind: str
    arms: tuple[str, ...]
    window: Window | None
    relation: str


# Relations on the same arms that pull apart, with why; the order of a pair does not matter.
OPPOSED: dict[frozenset[tuple[str, str]], str] = {
    frozenset(
        {("monotone", "falls"), ("monotone", "fluctuates")}
    ): "a curve that only falls does not fluctuate",
    frozenset({("gap_trend", "narrows"), ("gap_trend", "widens")}): "one gap does not do both",
    frozenset({("gap_trend", "narrows"), ("gap_trend", "constant")}): "one gap does not do both",
    frozenset({("gap_trend", "widens"), ("gap_trend", "constant")}): "one gap does not do both",
    frozenset({("gap_trend", "narrows"), ("gap_retained", "persists")}): (
        "what narrows does not persist, unless it stops narrowing"
    ),
    frozenset({("similar_end", "similar"), ("gap_retained", "persists")}): (
        "ends that are similar leave little of an advantage"
    ),
    frozenset({("gap_retained", "persists"), ("gap_retained", "closes")}): "one gap does not do both",
}


def statements_of(claim: Condition) -> tuple[Statement, ...]:
    """Return what a claim says for certain, by its primary definitions.

    Of conditions of which any may hold it says nothing for certain.
    """
    if claim.any:
        return ()
    if claim.all:
        return tuple(statement for part in claim.all for statement in statements_of(part))
    relation = claim.expect.relation if isinstance(claim.expect, Expect) else claim.expect or ""
    return (Statement(claim.kind or "", claim.arms, claim.window, relation),)


def any_clash(some: Iterable[Statement], others: Iterable[Statement], sheet: FigureSheet) -> str:
    """Return why two claims do not go together; empty where they may."""
    return next((reason for one, other in product(some, others) if (reason := clash(one, other, sheet))), "")


def clash(one: Statement, other: Statement, sheet: FigureSheet) -> str:
    """Return why two statements do not go together; empty where they may."""
    if not _overlap(one.window, other.window, sheet):
        return ""
    for low, high in sorted(_below(one) & {(b, a) for a, b in _below(other)}):
        names = sheet.arms[low].series, sheet.arms[high].series
        at = _where(one, other)
        return f"by the first {names[0]} lies below {names[1]}{at}, by the second above it"
    if one.arms != other.arms:
        return ""
    return OPPOSED.get(frozenset({(one.kind, one.relation), (other.kind, other.relation)}), "")


def _below(statement: Statement) -> set[Below]:
    """Return which arm lies below which, where the statement says so."""
    arms = statement.arms
    match statement.kind, statement.relation:
        case ("ordering", "holds"):
            return set(combinations(arms, 2))
        case ("lower_everywhere", "lower"):
            return {(arms[0], other) for other in arms[1:]}
        case ("higher_everywhere", "higher"):
            return {(other, arms[0]) for other in arms[1:]}
        case ("gap_at", "below"):
            return {(arms[0], arms[1])}
        case ("gap_at", "above"):
            return {(arms[1], arms[0])}
    return set()


def _span(window: Window | None, sheet: FigureSheet) -> Interval:
    """Return a window in the steps of the described run; NaN, which meets nothing, where only a loss is told."""
    low, high = sheet.described.x_axis.range
    if window is not None and window.loss is not None:
        return math.nan, math.nan
    if window is None:
        return low, high
    start, end = window.span
    if window.share is not None:
        return low + start * (high - low), low + end * (high - low)
    return start, end


def _overlap(one: Window | None, other: Window | None, sheet: FigureSheet) -> bool:
    """Return whether two windows share a step."""
    (a, b), (c, d) = _span(one, sheet), _span(other, sheet)
    return a <= d and c <= b


def _where(one: Statement, other: Statement) -> str:
    """Return the narrower of two windows in words."""
    window = next((s.window for s in (one, other) if s.window), None)
    return f" {words.stretch(window)}" if window else ""
