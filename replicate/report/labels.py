"""The names of curves at the ends of their lines, moved apart where they would overlap."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from markupsafe import Markup

from replicate.report.layout import LINE_HEIGHT, Frame, Layout
from replicate.report.palette import Ink
from replicate.report.svg import coordinate, element, join


class Label(NamedTuple):
    """A name to write: the text, the ink of its line, and where that line ends."""

    text: str
    ink: Ink
    end: tuple[float, float]


def wrapped(name: str, layout: Layout) -> list[str]:
    """Return a series' name in at most three short lines."""
    ellipsis = "\N{HORIZONTAL ELLIPSIS}"
    return textwrap.wrap(name, layout.label_characters, max_lines=3, placeholder=ellipsis) or [""]


def draw_labels(labels: Sequence[Label], frame: Frame, layout: Layout) -> Markup:
    """Return the names to the right of the plot area, each led to from the end of its line."""
    ordered = sorted(labels, key=lambda label: label.end[1])
    blocks = [wrapped(label.text, layout) for label in ordered]
    heights = [len(block) * LINE_HEIGHT + 3 for block in blocks]
    wanted = [label.end[1] for label in ordered]
    centres = _spread(wanted, heights, frame.top - 8, frame.bottom + 10)
    return join(_label(*each, frame, layout) for each in zip(ordered, blocks, centres, strict=True))


def _label(label: Label, block: Sequence[str], centre: float, frame: Frame, layout: Layout) -> Markup:
    """Return a name in its lines, and the thin line that leads to it."""
    x = frame.right + layout.label_gap
    bend = coordinate(frame.right + layout.label_gap / 2 - 3)
    start = f"M{coordinate(label.end[0] + 1)} {coordinate(label.end[1])}"
    first = centre - (len(block) - 1) * LINE_HEIGHT / 2 + 4
    lines = [element("tspan", text, x=x, y=first + i * LINE_HEIGHT) for i, text in enumerate(block)]
    return element(
        "g",
        element("path", d=f"{start}H{bend}L{coordinate(x - 3)} {coordinate(centre)}", class_="leader"),
        element("text", *lines, class_="name"),
        class_=f"ink-{label.ink.name}",
    )


def _spread(wanted: list[float], heights: list[float], top: float, bottom: float) -> list[float]:
    """Return the centres of stacked labels as near to where they are wanted as fits, in the same order.

    Neighbours that overlap are joined into a block, which is then centred on what its members wanted (pool
    adjacent violators); the whole stays between top and bottom where it fits there.
    """
    blocks: list[list[int]] = []
    starts: list[float] = []
    for i in range(len(wanted)):
        blocks.append([i])
        starts.append(_start(blocks[-1], wanted, heights, top, bottom))
        while len(blocks) > 1 and starts[-2] + sum(heights[j] for j in blocks[-2]) > starts[-1]:
            last = blocks.pop()
            starts.pop()
            blocks[-1] = blocks[-1] + last
            starts[-1] = _start(blocks[-1], wanted, heights, top, bottom)
    centres = []
    for block, start in zip(blocks, starts, strict=True):
        for j in block:
            centres.append(start + heights[j] / 2)
            start += heights[j]
    return centres


def _start(block: list[int], wanted: list[float], heights: list[float], top: float, bottom: float) -> float:
    """Return where a block of labels begins so that they lie nearest to where they are wanted."""
    offsets = np.cumsum([0.0] + [heights[j] for j in block])
    starts = [wanted[j] - heights[j] / 2 - offsets[k] for k, j in enumerate(block)]
    return max(top, min(float(np.mean(starts)), bottom - float(offsets[-1])))
