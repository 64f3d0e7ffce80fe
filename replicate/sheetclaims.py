"""What a claim in a figure sheet is made of: windows, expectations, conditions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator

from replicate.claims import PREDICATES, Predicate, Scale

Interval = tuple[float, float]
Key = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]*$")]
Span = Interval | float


class Part(BaseModel):
    """Frozen, and an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Window(Part):
    """A stretch of the run: in steps, as share of the run (0 to 1), or by loss; one number is a single point.

    A stretch by loss, [from, to], is that in which the baseline (the arm that a claim lists last) falls from one loss
    to the other, each where it first reaches it; a loss above its first value is its start. `values` is the described
    range of an axis, for the predicates on ranges.
    """

    steps: Span | None = None
    share: Span | None = None
    loss: Span | None = None
    values: Interval | None = None

    @model_validator(mode="after")
    def _is_one_stretch(self) -> Window:
        """Ask for one unit and a stretch that runs forward."""
        given = [w for w in (self.steps, self.share, self.loss, self.values) if w is not None]
        if len(given) != 1:
            raise ValueError(
                "a window is given in `steps`, as `share`, by `loss`, or as `values`: one of them"
            )
        first, last = self.span
        if self.loss is not None and first < last:
            raise ValueError("a window by loss descends: [from, to]")
        if self.loss is None and first > last:
            raise ValueError("a window ascends: [from, to]")
        if self.share is not None and not 0 <= first <= last <= 1:
            raise ValueError("a share of the run lies between 0 and 1")
        return self

    @property
    def span(self) -> Interval:
        """The stretch in its own unit, from the earlier end to the later."""
        given = next(w for w in (self.steps, self.share, self.loss, self.values) if w is not None)
        return given if isinstance(given, tuple) else (given, given)


class Expect(Part):
    """What a claim states: an interval, or a relation of the predicate, with the predicate's unit.

    `tolerance` widens it at its finite ends.
    """

    unit: str
    at_least: float | None = None
    at_most: float | None = None
    between: Interval | None = None
    about: float | None = None
    relation: str = ""
    tolerance: Annotated[float, Field(ge=0)] = 0.0

    @model_validator(mode="after")
    def _says_something(self) -> Expect:
        """Ask for one kind of interval, the right way round."""
        one_sided = not (self.at_least is self.at_most is None)
        if sum((self.about is not None, self.between is not None, one_sided, self.relation != "")) != 1:
            raise ValueError("expect one of `about`, `between`, `relation`, or `at_least` and `at_most`")
        low, high = self._stated()
        if low > high:
            raise ValueError("the expected interval ascends: low before high")
        return self

    def _stated(self) -> Interval:
        """Return the interval without its tolerance; an open end is infinite."""
        if self.between:
            return self.between
        if self.about is not None:
            return self.about, self.about
        low = -math.inf if self.at_least is None else self.at_least
        return low, math.inf if self.at_most is None else self.at_most

    def of(self, kind: Predicate) -> Expected:
        """Return the interval that a predicate's number has to lie in, tolerance included."""
        low, high = kind.relations[self.relation] if self.relation else self._stated()
        strict = kind.strict and bool(self.relation)
        return Expected(low - self.tolerance, high + self.tolerance, strict)


@dataclass(frozen=True)
class Expected:
    """What a number has to lie in; `strict` where the ends themselves do not count."""

    low: float
    high: float
    strict: bool = False


@dataclass(frozen=True)
class Definition:
    """One way to read a claim: a predicate on arms in a window, and what it should give."""

    predicate: Predicate
    arms: tuple[str, ...]
    window: Window | None
    scale: Scale
    expected: Expected
    relation: str = ""


class Grid(Part):
    """Other definitions of an open claim: every combination of these kinds, windows and scales."""

    kinds: tuple[str, ...] = ()
    windows: tuple[Window | None, ...] = ()
    scales: tuple[Scale, ...] = ()


class Condition(Part):
    """What curves have to show: a predicate and what it gives, or several conditions together.

    Attributes:
        kind: The predicate (see `replicate.claims`).
        arms: The arms concerned, in the order that the predicate takes them: the one spoken of first, the one that
            it is compared with last.
        window: Where in the run; the whole run by default.
        scale: Whether the predicate looks at y or at log y.
        expect: A relation word of the predicate, or an interval or a relation with its unit.
        definitions: Further kinds, windows and scales where the sentence leaves them open.
        all: Conditions of which every one has to hold.
        any: Conditions of which one has to hold.
    """

    kind: str | None = None
    arms: tuple[Key, ...] = ()
    window: Window | None = None
    scale: Scale = "linear"
    expect: str | Expect | None = None
    definitions: Grid = Grid()
    all: tuple[Condition, ...] = ()
    any: tuple[Condition, ...] = ()

    @model_validator(mode="after")
    def _is_complete(self) -> Condition:
        """Ask for a predicate with an expectation, or for other conditions."""
        self._check("a condition needs `kind` and `expect`, or `all`, or `any`")
        return self

    def _check(self, message: str) -> None:
        """Raise where the condition asks for nothing, or for two things at once."""
        if self.kind is not None and self.expect is None and not self.parts:
            raise ValueError(message)
        if (self.kind is not None) + bool(self.all) + bool(self.any) != 1:
            raise ValueError(message)
        if self.parts and (self.arms or self.window or self.expect or self.definitions != Grid()):
            raise ValueError("arms, window, expect and definitions stand in the parts of `all` and `any`")

    @property
    def parts(self) -> tuple[Condition, ...]:
        """The conditions that it is made of; none for a predicate."""
        return self.all or self.any

    @property
    def name(self) -> str:
        """Its predicate, or "all" or "any"; empty for a sentence that no curve can show."""
        return "all" if self.all else "any" if self.any else self.kind or ""

    @property
    def predicates(self) -> tuple[Condition, ...]:
        """The conditions with a predicate, itself or those within."""
        return tuple(leaf for part in self.parts for leaf in part.predicates) if self.parts else (self,)

    @property
    def every_arm(self) -> tuple[str, ...]:
        """The arms concerned, parts included."""
        return tuple(dict.fromkeys(arm for leaf in self.predicates for arm in leaf.arms))

    def readings(self) -> tuple[Definition, ...]:
        """Return every definition of a predicate, the primary one first; none for a combination."""
        if self.kind is None or self.expect is None:
            return ()
        cells = [
            (kind, window, scale)
            for window in dict.fromkeys((self.window, *self.definitions.windows))
            for kind in dict.fromkeys((self.kind, *self.definitions.kinds))
            for scale in dict.fromkeys((self.scale, *self.definitions.scales))
        ]
        return tuple(self._reading(PREDICATES[k], w, s, self.expect) for k, w, s in cells)

    def _reading(
        self, kind: Predicate, window: Window | None, scale: Scale, expect: str | Expect
    ) -> Definition:
        """Return one definition."""
        if isinstance(expect, str):
            expected = Expected(*kind.relations[expect], strict=kind.strict)
            return Definition(kind, self.arms, window, scale, expected, expect)
        return Definition(kind, self.arms, window, scale, expect.of(kind), expect.relation)


class Claim(Condition):
    """A published sentence and what it means for curves.

    Attributes:
        id: A stable short name.
        text: The sentence, short.
        testable: False for a sentence that no curve can show; `reason` then says why.
        reason: Why it is not testable, or how the sentence was read.
    """

    id: Key
    text: str
    testable: bool = True
    reason: str = ""

    @model_validator(mode="after")
    def _is_complete(self) -> Claim:
        """Ask for a condition, or for the reason why there is none."""
        if self.testable:
            self._check(
                "a claim needs `kind` and `expect`, or `all`, or `any` (or `testable: false` and a `reason`)"
            )
        elif not self.reason:
            raise ValueError("a claim that is not testable needs a `reason`")
        return self
