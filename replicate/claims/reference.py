"""The predicates as a list: for ``replicate claims`` and for docs/claims.md."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from replicate.claims.registry import PREDICATES, Predicate


@dataclass(frozen=True)
class Entry:
    """A predicate as it is listed.

    Attributes:
        name: Its name in a sheet.
        arms: How many arms it takes: (least, most).
        unit: The unit of its number.
        log_unit: The unit on a log scale of y.
        definition: What the number is.
        details: How it is computed, where that says more.
        relations: The words that a claim may expect, each with the interval that it stands for.
        strict: Whether the ends of these intervals do not count.
        source: Where the definition comes from.
        published_scale: Whether only a run of the published size can be held against it.
    """

    name: str
    arms: tuple[int, int]
    unit: str
    log_unit: str
    definition: str
    details: str
    relations: Mapping[str, tuple[float | None, float | None]]
    strict: bool
    source: str
    published_scale: bool


def entries() -> tuple[Entry, ...]:
    """Return all predicates by name; a relation's open end is None."""
    return tuple(_entry(PREDICATES[name]) for name in sorted(PREDICATES))


def _entry(kind: Predicate) -> Entry:
    """Return a predicate's entry."""
    relations = {word: (_finite(low), _finite(high)) for word, (low, high) in kind.relations.items()}
    return Entry(
        name=kind.name,
        arms=kind.arms,
        unit=kind.unit,
        log_unit=kind.unit_on("log"),
        definition=kind.definition,
        details=kind.details,
        relations=relations,
        strict=kind.strict,
        source=kind.source,
        published_scale=kind.published_scale,
    )


def _finite(value: float) -> float | None:
    """Return a number, or None for an infinite one."""
    return value if math.isfinite(value) else None


def arms_of(entry: Entry) -> str:
    """Return how many arms a predicate takes, in words."""
    least, most = entry.arms
    return f"{least} arm{'s' if least > 1 else ''}" if least == most else f"{least} or more arms"


def unit_of(entry: Entry) -> str:
    """Return a predicate's unit, and that on a log scale where it differs."""
    return entry.unit if entry.log_unit == entry.unit else f"{entry.unit} ({entry.log_unit} on a log scale)"


def relations_of(entry: Entry) -> str:
    """Return a predicate's relations with their intervals, in words; empty where there are none."""
    return "; ".join(f"{word}: {_interval(*b, entry.strict)}" for word, b in entry.relations.items())


def _interval(low: float | None, high: float | None, strict: bool) -> str:
    """Return an interval in words; an open end is None."""
    if high is None:
        return f"above {low:g}" if strict else f"{low:g} or more"
    if low is None:
        return f"below {high:g}" if strict else f"{high:g} or less"
    if low == high:
        return f"{low:g}"
    return f"between {low:g} and {high:g}" if strict else f"{low:g} to {high:g}"
