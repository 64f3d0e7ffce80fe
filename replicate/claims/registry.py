"""What a predicate is, and the list of all of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np

from replicate.curves import Curve, FloatArray

Interval = tuple[float, float]
Scale = Literal["linear", "log"]
Sparse = Literal["exact", "least", "most", "nothing"]

INF = math.inf


class Line(NamedTuple):
    """The bare numbers of one curve: x ascending and finite, y finite, all float64 of shape (n,).

    Attributes:
        x: Steps, or whatever the figure's x axis counts.
        y: The values.
        lo: Lower bounds of the reading; y itself where there is none.
        hi: Upper bounds of the reading.
    """

    x: FloatArray
    y: FloatArray
    lo: FloatArray
    hi: FloatArray

    @classmethod
    def of(cls, x: Sequence[float] | FloatArray, y: Sequence[float] | FloatArray) -> Line:
        """Return a line without reading bounds."""
        ys = np.asarray(y, np.float64)
        return cls(np.asarray(x, np.float64), ys, ys, ys)

    @classmethod
    def of_curve(cls, curve: Curve) -> Line | None:
        """Return a curve's finite points with their bounds; None where there are none."""
        keep = np.isfinite(curve.x) & np.isfinite(curve.y)
        if not keep.any():
            return None
        return cls(curve.x[keep], curve.y[keep], curve.y_lo[keep], curve.y_hi[keep])


class Outcome(NamedTuple):
    """A predicate's number and what is known of it from these curves alone.

    Attributes:
        value: The number; NaN where the curves do not give it.
        lo: The least it can be; below `value` where the number is censored or the reading leaves it open.
        hi: The most it can be, infinite where a level was never reached.
    """

    value: float
    lo: float
    hi: float

    @classmethod
    def exact(cls, value: float) -> Outcome:
        """Return a number that these curves fix."""
        return cls(float(value), float(value), float(value))


NOTHING = Outcome(math.nan, math.nan, math.nan)

Rule = Callable[[Sequence[Line], Interval, Scale], Outcome]


@dataclass(frozen=True)
class Predicate:
    """A way to turn curves into one number that a claim can be held against.

    Attributes:
        name: Its name in a sheet.
        rule: The function (lines, window in x, scale of y) -> `Outcome`.
        unit: The unit of the number.
        arms: How many arms it takes: (least, most).
        relations: The words a sheet may expect, each with the interval that it stands for.
        natural: The values the number can take at all.
        published_scale: Whether the number is a published loss or step itself, which a run of another size
            cannot be held against.
        sparse: What a few described values say of it: the number itself ("exact"), only the "least" or the "most"
            it can be, or "nothing".
        strict: Whether a relation's interval excludes its ends (lower means lower, not equal).
        log_unit: The unit on a log scale, where it differs.
        contextual: Whether it measures steps to a loss, so that its window begins where the baseline reaches the
            unigram entropy of the data (the loss of a model that knows no context), where that is known.
    """

    name: str
    rule: Rule
    unit: str
    arms: tuple[int, int]
    relations: Mapping[str, Interval] = field(default_factory=dict)
    natural: Interval = (-INF, INF)
    published_scale: bool = False
    sparse: Sparse = "exact"
    strict: bool = True
    log_unit: str = ""
    contextual: bool = False

    def unit_on(self, scale: Scale) -> str:
        """Return the unit of the number on a linear or a log scale of y."""
        return self.log_unit if scale == "log" and self.log_unit else self.unit

    @property
    def definition(self) -> str:
        """The first paragraph of the rule's docstring, on one line."""
        return self._paragraphs[0]

    @property
    def details(self) -> str:
        """What else the rule's docstring says of how the number is computed, on one line; may be empty."""
        return self._paragraphs[1].partition("Unit:")[0].strip()

    @property
    def source(self) -> str:
        """Where the definition comes from, without a full stop."""
        return self._paragraphs[1].partition("Source:")[2].strip().removesuffix(".")

    @property
    def _paragraphs(self) -> tuple[str, str]:
        """The rule's docstring: its first paragraph, and the rest."""
        first, _, rest = (self.rule.__doc__ or "").strip().partition("\n\n")
        return " ".join(first.split()), " ".join(rest.split())


PREDICATES: dict[str, Predicate] = {}


def predicate(
    unit: str,
    arms: tuple[int, int],
    *,
    relations: Mapping[str, Interval] | None = None,
    natural: Interval = (-INF, INF),
    published_scale: bool = False,
    sparse: Sparse = "exact",
    strict: bool = True,
    log_unit: str = "",
    contextual: bool = False,
) -> Callable[[Rule], Rule]:
    """Register a function under its own name; see `Predicate` for the arguments."""

    def register(rule: Rule) -> Rule:
        name = getattr(rule, "__name__", "")
        known = relations or {}
        PREDICATES[name] = Predicate(
            name, rule, unit, arms, known, natural, published_scale, sparse, strict, log_unit, contextual
        )
        return rule

    return register
