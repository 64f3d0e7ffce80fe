"""What the stages of the digitizer hand to one another: frozen values, no behaviour but their own geometry.

Pixel coordinates are those of pixel centres, origin at the top left, x to the right and y down; a box holds
(x0, y0, x1, y1) with both ends inside.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Image = NDArray[np.uint8]  # (height, width, 3) RGB

Scale = Literal["linear", "log", "date", "category"]
Direction = Literal["x", "y"]


class Box(NamedTuple):
    """A rectangle in pixel-centre coordinates."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        """Distance between the left and right edge, pixels."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """Distance between the top and bottom edge, pixels."""
        return self.y1 - self.y0

    @property
    def centre(self) -> tuple[float, float]:
        """The middle, (x, y) in pixels."""
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2

    def holds(self, other: Box) -> bool:
        """Whether the middle of another box lies in this one."""
        x, y = other.centre
        return self.x0 <= x <= self.x1 and self.y0 <= y <= self.y1


@dataclass(frozen=True)
class TextBox:
    """A piece of text that was found on the page.

    Attributes:
        text: What was read.
        box: Where, pixels.
        score: The recogniser's confidence, 0 to 1.
        vertical: Whether the text runs from bottom to top.
        alternatives: Other readings of the same place (another enlargement, the exponent read apart).
    """

    text: str
    box: Box
    score: float
    vertical: bool = False
    alternatives: tuple[str, ...] = ()


@dataclass(frozen=True)
class LabelReading:
    """One thing a tick label may mean.

    Attributes:
        value: The number; decimal years for a date; NaN for a category.
        form: How it was written: "plain", "thousands", "power" (10², 3.8×10⁰), "exponent" (1e-3), "si" (20k),
            "percent", "date", "category".
        weight: How plausible the reading is before any fit, 0 to 1 (1: read as it stands).
    """

    value: float
    form: str
    weight: float


@dataclass(frozen=True)
class TickLabel:
    """A tick's label with everything that it may mean.

    Attributes:
        text: What was read.
        pixel: The middle of the text along the axis, pixels.
        box: Where the text stands.
        readings: The possible meanings, the most plausible first; empty where the text is no number.
    """

    text: str
    pixel: float
    box: Box
    readings: tuple[LabelReading, ...]


@dataclass(frozen=True)
class TickMark:
    """A tick mark or a grid line on an axis.

    Attributes:
        pixel: Its centre along the axis, to a fraction of a pixel.
        length: How far it reaches from the panel's edge, pixels (grid lines: 0).
        major: True for the longer kind where there are two lengths, and for grid lines.
        snapped: Whether it was drawn on whole pixels, so that its true place is within half a pixel of `pixel`.
    """

    pixel: float
    length: float
    major: bool = True
    snapped: bool = False


@dataclass(frozen=True)
class FittedTick:
    """A tick of the calibrated axis: its pixel, label, value, and whether the fit rests on it."""

    pixel: float
    text: str
    value: float
    used: bool


@dataclass(frozen=True)
class AxisFit:
    """A calibrated axis: u = intercept + slope * pixel, where u is the value (log10 of it on a log axis).

    Attributes:
        scale: "linear", "log", "date" or "category".
        intercept: u at pixel 0.
        slope: Change of u a pixel; negative where values descend with the pixel.
        ticks: The ticks found, used or not.
        residual_px: Root mean square distance of the used ticks from the fit, pixels.
        doubt: 0 (no other reading fits) to 1 (another fits as well).
        label: The axis' title, or None.
        source: "auto" or "person".
    """

    scale: Scale
    intercept: float
    slope: float
    ticks: tuple[FittedTick, ...]
    residual_px: float
    doubt: float = 0.0
    label: str | None = None
    source: Literal["auto", "person"] = "auto"

    def to_value(self, pixel: FloatArray | float) -> FloatArray:
        """Return the data values at the pixels."""
        u = self.intercept + self.slope * np.asarray(pixel, dtype=np.float64)
        return np.power(10.0, u) if self.scale == "log" else u

    def to_pixel(self, value: FloatArray | float) -> FloatArray:
        """Return the pixels at the data values."""
        u = np.asarray(value, dtype=np.float64)
        u = np.log10(u) if self.scale == "log" else u
        return (u - self.intercept) / self.slope


@dataclass(frozen=True)
class Caution:
    """Something a person should look at.

    Attributes:
        code: A stable word in kebab-case.
        message: One sentence; names the flag that helps where there is one.
        where: The place on the page, pixels, or None.
    """

    code: str
    message: str
    where: Box | None = None


@dataclass(frozen=True)
class AxisEvidence:
    """All that is known of one axis before it is fitted.

    Attributes:
        direction: "x" or "y".
        span: First and last pixel of the axis (the frame's inner range), ascending.
        labels: The tick labels that stand along it.
        marks: The tick marks found on it.
        offset: The readings of an offset text at its end (×10⁴, 1e9), as factors; empty where there is none.
        label: The axis' title.
    """

    direction: Direction
    span: tuple[float, float]
    labels: tuple[TickLabel, ...]
    marks: tuple[TickMark, ...]
    offset: tuple[LabelReading, ...] = field(default=())
    label: str | None = None
