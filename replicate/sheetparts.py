"""What a figure sheet is made of: source, description, arms, windows, expectations, claims."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from replicate.claims import PREDICATES, Predicate, Scale

Interval = tuple[float, float]
Key = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]*$")]
Span = Interval | float
ABOUT = 0.2  # "about" a value: within a fifth of a tick interval of its axis


class Part(BaseModel):
    """Frozen, and an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Source(Part):
    """Where the figure comes from.

    Attributes:
        title: The figure's title.
        citation: The publication.
        url: Its address.
        code: The address of the closest code, or empty.
        licence: The licence of the original picture, as far as it is stated.
        original_sha256: Of the original picture, where it is at hand.
        image: Whether the picture beside the sheet is the original.
        redrawn_from: What a redrawn picture was drawn from: readings of the original, or only its description
            (then a figure that agrees with the description is no evidence for it).
        how: How the picture was made.
    """

    title: str
    citation: str
    url: str
    code: str = ""
    licence: str
    original_sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")] | None = None
    image: Literal["original", "redrawn"]
    redrawn_from: Literal["readings", "description"] | None = None
    how: str = ""

    @model_validator(mode="after")
    def _redrawn_is_explained(self) -> Source:
        """Ask how a redrawn picture was made."""
        if self.image == "redrawn" and not (self.how and self.redrawn_from):
            raise ValueError("a redrawn image needs `redrawn_from` and `how`")
        return self


class Axis(Part):
    """A described axis: its label, its range, its scale, and its tick interval (decades on a log axis)."""

    label: str
    range: Interval
    tick: Annotated[float, Field(gt=0)]
    scale: Scale = "linear"

    @model_validator(mode="after")
    def _ascends(self) -> Axis:
        """Ask for an ascending range, positive on a log axis."""
        if not self.range[0] < self.range[1]:
            raise ValueError("a range ascends: [low, high]")
        if self.scale == "log" and self.range[0] <= 0:
            raise ValueError("a log axis holds positive values only")
        return self


class Anchor(Part):
    """A value that the text gives for a series: y at x, give or take `tolerance` (or times or over `factor`)."""

    x: float
    y: float
    tolerance: Annotated[float, Field(ge=0)] | None = None
    factor: Annotated[float, Field(ge=1)] | None = None

    def bounds(self, axis: Axis) -> Interval:
        """Return the values that count as this one: by default a fifth of a tick interval either way."""
        if self.tolerance is not None:
            return self.y - self.tolerance, self.y + self.tolerance
        if self.factor is not None or axis.scale == "log":
            factor = self.factor or 10 ** (ABOUT * axis.tick)
            return self.y / factor, self.y * factor
        return self.y - ABOUT * axis.tick, self.y + ABOUT * axis.tick


class DescribedSeries(Part):
    """What the text says of one series: its colour and its values."""

    colour: str = ""
    anchors: tuple[Anchor, ...] = ()


class Described(Part):
    """What the published text says of the figure: its axes and the values of its series by legend name."""

    x_axis: Axis
    y_axis: Axis
    series: dict[str, DescribedSeries] = {}


class Arm(Part):
    """An arm of the experiment: its legend name, and what sets it apart from the others (factor to setting)."""

    series: str
    factors: dict[str, str] = {}


class Window(Part):
    """A stretch of the run: in steps, or as share of the run (0 to 1); one number is a single point.

    `values` is the described range of an axis, for the predicates on ranges.
    """

    steps: Span | None = None
    share: Span | None = None
    values: Interval | None = None

    @model_validator(mode="after")
    def _is_one_stretch(self) -> Window:
        """Ask for one unit and an ascending stretch."""
        given = [w for w in (self.steps, self.share, self.values) if w is not None]
        if len(given) != 1:
            raise ValueError("a window is given in `steps`, or as `share`, or as `values`: one of them")
        low, high = self.span
        if low > high:
            raise ValueError("a window ascends: [from, to]")
        if self.share is not None and not 0 <= low <= high <= 1:
            raise ValueError("a share of the run lies between 0 and 1")
        return self

    @property
    def span(self) -> Interval:
        """The stretch in its own unit."""
        given = next(w for w in (self.steps, self.share, self.values) if w is not None)
        return given if isinstance(given, tuple) else (given, given)


class Expect(Part):
    """The interval that a claim states, with the predicate's unit; `tolerance` widens it at its finite ends."""

    unit: str
    at_least: float | None = None
    at_most: float | None = None
    between: Interval | None = None
    about: float | None = None
    tolerance: Annotated[float, Field(ge=0)] = 0.0

    @model_validator(mode="after")
    def _says_something(self) -> Expect:
        """Ask for one kind of interval, the right way round."""
        ways = (self.about is not None, self.between is not None, not (self.at_least is self.at_most is None))
        if sum(ways) != 1:
            raise ValueError("expect one of `about`, `between`, or `at_least` and `at_most`")
        if self.interval[0] > self.interval[1]:
            raise ValueError("the expected interval ascends: low before high")
        return self

    @property
    def interval(self) -> Interval:
        """The stated interval, tolerance included; an open end is infinite."""
        if self.between:
            low, high = self.between
        elif self.about is not None:
            low = high = self.about
        else:
            low = -math.inf if self.at_least is None else self.at_least
            high = math.inf if self.at_most is None else self.at_most
        return low - self.tolerance, high + self.tolerance


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


class Claim(Part):
    """A published sentence and what it means for curves.

    Attributes:
        id: A stable short name.
        text: The sentence, short.
        kind: The predicate (see `replicate.claims`); none for a sentence that no curve can show.
        arms: The arms concerned, in the order that the predicate takes them: the one spoken of first.
        window: Where in the run; the whole run by default.
        scale: Whether the predicate looks at y or at log y.
        expect: A relation word of the predicate, or an interval with its unit.
        definitions: Further kinds, windows and scales where the sentence leaves them open.
        testable: False for a sentence that no curve can show; `reason` then says why.
        reason: Why it is not testable, or how the sentence was read.
    """

    id: Key
    text: str
    kind: str | None = None
    arms: tuple[Key, ...] = ()
    window: Window | None = None
    scale: Scale = "linear"
    expect: str | Expect | None = None
    definitions: Grid = Grid()
    testable: bool = True
    reason: str = ""

    @model_validator(mode="after")
    def _is_complete(self) -> Claim:
        """Ask for a predicate and an expectation, or for the reason why there are none."""
        if self.testable and (self.kind is None or self.expect is None):
            raise ValueError("a claim needs `kind` and `expect` (or `testable: false` and a `reason`)")
        if not self.testable and not self.reason:
            raise ValueError("a claim that is not testable needs a `reason`")
        return self

    def readings(self) -> tuple[Definition, ...]:
        """Return every definition of the claim, the primary one first."""
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
        return Definition(kind, self.arms, window, scale, Expected(*expect.interval))


class SourceStatement(Part):
    """What the publication itself, or its code, says, where the description may differ.

    Attributes:
        text: The statement, short.
        where: Where it stands.
        about: What it is about: two statements about the same thing should give the same `value`.
        value: What it says of that.
        kind: The predicate it amounts to, where it speaks of curves, with `arms`, `window` and `expect`.
    """

    text: str
    where: str
    about: str = ""
    value: str = ""
    kind: str | None = None
    arms: tuple[Key, ...] = ()
    window: Window | None = None
    expect: str | Expect | None = None


class SetUp(Part):
    """Numbers of the published run, as far as they are known, for checks that need no run.

    Attributes:
        vocabulary: Size of the vocabulary; the loss of an untrained model is its natural logarithm.
        vocabulary_from: Where that number stands.
        y_sums: Over how many tokens the published loss is summed, where it is no mean a token.
        x_a_step: What one optimiser step may add to the x axis where it does not count steps, by what it then
            counts.
        seeds: Runs an arm, where stated.
    """

    vocabulary: Annotated[int, Field(gt=1)] | None = None
    vocabulary_from: str = ""
    y_sums: Annotated[int, Field(gt=1)] | None = None
    x_a_step: dict[str, Annotated[float, Field(gt=0)]] = {}
    seeds: int | None = None
