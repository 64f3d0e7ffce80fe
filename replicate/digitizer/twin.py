"""Which curve belongs to which of two y axes.

An axis says so by its colour, a name by the word "left" or "right"; where neither does, the first half of the
legend is taken to be on the left, as plotting libraries order it, and that is marked as a guess.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from replicate.digitizer.ground import Pixels
from replicate.digitizer.model import Box, Image
from replicate.digitizer.words import commonest_colour

AxisName = Literal["y", "y2"]


@dataclass(frozen=True)
class TwinSettings:
    """Thresholds of the assignment.

    Attributes:
        chroma: Least spread of an axis' colour channels for it to be coloured, grey levels.
        near: Largest distance between a curve's colour and its axis', grey levels.
    """

    chroma: float = 40.0
    near: float = 90.0


@dataclass(frozen=True, eq=False)
class Assignment:
    """The axis of each curve, in order, and whether it had to be guessed."""

    axes: tuple[AxisName, ...]
    guessed: bool


def text_colour(image: Image, boxes: Sequence[Box]) -> Pixels | None:
    """Return the colour of the texts in boxes: the median of the pixels that differ most from their ground.

    Args:
        image: (height, width, 3) uint8.
        boxes: Where the texts stand, pixels.

    Returns:
        (3,) float32 RGB, or None without boxes.
    """
    found = []
    for box in boxes:
        part = image[int(box.y0) : int(box.y1) + 1, int(box.x0) : int(box.x1) + 1]
        if part.size == 0:
            continue
        strength = np.abs(part.astype(np.int16) - commonest_colour(part)).sum(axis=2)
        found.append(np.median(part[strength >= 0.8 * strength.max()].astype(np.float32), axis=0))
    return np.asarray(np.median(found, axis=0), dtype=np.float32) if found else None


def assign_axes(
    names: Sequence[str],
    colours: Sequence[Pixels],
    left: Pixels | None,
    right: Pixels | None,
    settings: TwinSettings | None = None,
) -> Assignment:
    """Assign curves to the left or the right y axis.

    Args:
        names: The curves' names.
        colours: Their colours, (3,) float32 each.
        left: The colour of the left axis' labels, or None.
        right: The same for the right axis.
        settings: Thresholds.

    Returns:
        "y" or "y2" for each curve.
    """
    settings = settings or TwinSettings()
    words = [re.search(r"\b(left|right|l|r)\b[)\]]?\s*$", name.lower()) for name in names]
    if any(words):
        return Assignment(tuple("y2" if w and w[1] in ("right", "r") else "y" for w in words), False)
    tinted = [c is not None and float(np.ptp(c)) >= settings.chroma for c in (left, right)]
    if any(tinted):
        return Assignment(tuple(_by_colour(c, left, right, tinted, settings) for c in colours), False)
    half = (len(names) + 1) // 2
    return Assignment(tuple("y" if i < half else "y2" for i in range(len(names))), True)


def _by_colour(
    colour: Pixels, left: Pixels | None, right: Pixels | None, tinted: Sequence[bool], settings: TwinSettings
) -> AxisName:
    """Return the axis whose tint is nearer; where only one is tinted, the other takes what is not near it."""
    far = np.inf
    to_left = float(np.linalg.norm(colour - left)) if tinted[0] and left is not None else far
    to_right = float(np.linalg.norm(colour - right)) if tinted[1] and right is not None else far
    if all(tinted):
        return "y" if to_left <= to_right else "y2"
    if tinted[0]:
        return "y" if to_left <= settings.near else "y2"
    return "y2" if to_right <= settings.near else "y"
