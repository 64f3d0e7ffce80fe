"""What a figure sheet is made of, claims apart: source, description, arms, set-up."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from replicate.claims import Scale
from replicate.sheetclaims import Expect, Interval, Key, Part, Window

ABOUT = 0.2  # "about" a value: within a fifth of a tick interval of its axis


class Source(Part):
    """Where the figure comes from.

    Attributes:
        title: The figure's title.
        citation: The publication, or empty for a figure of one's own.
        url: Its address, or empty.
        code: The address of the closest code, or empty.
        licence: The licence of the original picture, as far as it is stated.
        original_sha256: Of the original picture, where it is at hand.
        image: Whether the picture beside the sheet is the original.
        redrawn_from: What a redrawn picture was drawn from: readings of the original, or only its description
            (then a figure that agrees with the description is no evidence for it).
        how: How the picture was made.
    """

    title: str
    citation: str = ""
    url: str = ""
    code: str = ""
    licence: str = ""
    original_sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")] | None = None
    image: Literal["original", "redrawn"] = "original"
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
    """What the published text says of the figure: its axes and the values of its series by legend name.

    Of a figure with several panels it is one, counted from 0 in reading order.
    """

    panel: Annotated[int, Field(ge=0)] = 0
    x_axis: Axis
    y_axis: Axis
    series: dict[str, DescribedSeries] = {}


class Arm(Part):
    """An arm of the experiment: its legend name, and what sets it apart from the others (factor to setting)."""

    series: str
    factors: dict[str, str] = {}


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
        unigram_entropy: Loss of the best model of the published data that knows no context, where known.
        steps: Optimiser steps.
        batch: Sequences a step.
        context: Tokens a sequence.
        tokens: Tokens trained on, by the publication's own account.
        y_sums: Over how many tokens the published loss is summed, where it is no mean a token.
        x_a_step: What one optimiser step may add to the x axis where it does not count steps, by what it then
            counts.
        seeds: Runs an arm, where stated.
    """

    vocabulary: Annotated[int, Field(gt=1)] | None = None
    vocabulary_from: str = ""
    unigram_entropy: Annotated[float, Field(gt=0)] | None = None
    steps: Annotated[float, Field(gt=0)] | None = None
    batch: Annotated[float, Field(gt=0)] | None = None
    context: Annotated[float, Field(gt=0)] | None = None
    tokens: Annotated[float, Field(gt=0)] | None = None
    y_sums: Annotated[int, Field(gt=1)] | None = None
    x_a_step: dict[str, Annotated[float, Field(gt=0)]] = {}
    seeds: int | None = None
