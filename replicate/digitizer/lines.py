"""Long horizontal and vertical lines and edges: spines, grid lines, the borders of coloured grounds.

A line is found by its edges: the signed change of brightness from one row to the next keeps its sign along the
line, which text, curves and JPEG noise do not do. Edges are told apart by their consistency over a window, not
by their height, so that a hair-thin grey grid is seen as well as a black frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from replicate.digitizer.model import Image


@dataclass(frozen=True)
class LineSettings:
    """Thresholds of the line search.

    Attributes:
        step: Least change between neighbouring rows, in grey levels of 255.
        window: Length over which an edge must be consistent, pixels.
        share: Share of the window in which the change must have one sign.
        bridge: Longest gap that a crossing curve may tear, pixels.
        least: Shortest line, as a share of the smaller side of the picture.
        thickest: Thickest stroke, pixels.
    """

    step: float = 4.0
    window: int = 25
    share: float = 0.8
    bridge: int = 14
    least: float = 0.12
    thickest: int = 8


@dataclass(frozen=True)
class Line:
    """A straight line along one axis of the picture.

    Attributes:
        position: Its row (horizontal) or column (vertical): the centre of a stroke, or the place between the
            two pixels of an edge.
        start: Its first column (row).
        end: Its last column (row).
        thickness: Of a stroke, pixels; 0 for an edge between two grounds.
    """

    position: float
    start: float
    end: float
    thickness: float

    @property
    def length(self) -> float:
        """Length in pixels."""
        return self.end - self.start


def find_lines(image: Image, settings: LineSettings | None = None) -> tuple[list[Line], list[Line]]:
    """Find the long lines of a picture.

    Args:
        image: (height, width, 3) uint8.
        settings: Thresholds.

    Returns:
        Horizontal and vertical lines, each sorted by position.
    """
    settings = settings or LineSettings()
    turned = np.ascontiguousarray(image.transpose(1, 0, 2))
    horizontal = _strokes(_edges(image, settings), settings)
    vertical = _strokes(_edges(turned, settings), settings)
    return (
        _torn_apart(turned, horizontal, vertical, settings),
        _torn_apart(image, vertical, horizontal, settings),
    )


def _torn_apart(
    image: Image, lines: Sequence[Line], across: Sequence[Line], settings: LineSettings
) -> list[Line]:
    """Cut lines in two where they were joined over the gap between two panels: it has a line at either end.

    Args:
        image: (length, breadth, 3) uint8, turned so that the lines run along its first axis.
        lines: Lines along the first axis.
        across: Lines along the second.
        settings: Thresholds.
    """
    places = sorted({line.position for line in across})
    pairs = [(a, b) for a, b in pairwise(places) if 4 <= b - a <= settings.bridge + 4]
    pieces: list[Line] = []
    for line in lines:
        cuts = [p for p in pairs if line.start < p[0] and p[1] < line.end and _is_torn(image, line, p)]
        ends = [line.start, *(end for cut in cuts for end in cut), line.end]
        stretches = zip(ends[::2], ends[1::2], strict=True)
        pieces += [replace(line, start=a, end=b) for a, b in stretches if b > a]  # gaps may touch
    return pieces


def _is_torn(image: Image, line: Line, gap: tuple[float, float]) -> bool:
    """Whether nothing of a line is seen in a gap: it looks as it does on either side of the line."""
    rows = slice(int(gap[0]) + 2, int(np.ceil(gap[1])) - 1)
    aside = int(line.thickness) + 4
    column = round(line.position)
    if column < aside or column + aside >= image.shape[1] or rows.stop - rows.start < 1:
        return False
    strip = image[rows, column - aside : column + aside + 1].astype(np.int16)
    return bool(np.abs(strip - strip[:, :1]).max() < 12)


def _edges(image: Image, settings: LineSettings) -> list[tuple[int, int, int, int]]:
    """Return long horizontal edges as (row, start, end, sign): the change is between row and row + 1."""
    least = max(16.0, settings.least * min(image.shape[:2]))
    found: list[tuple[int, int, int, int]] = []
    for sign in (1, -1):
        hit = _rises(image, sign, settings.step)
        rows = np.flatnonzero(np.count_nonzero(hit, axis=1) >= 0.6 * least)
        if not len(rows):
            continue
        hit = hit[rows]
        share = cv2.blur(hit.astype(np.float32), (settings.window, 1), borderType=cv2.BORDER_REPLICATE)
        for k, start, end in _runs(share >= settings.share, settings.bridge + settings.window // 2):
            start, end = _tighten(hit[k], start, end)
            if end - start >= least:
                found.append((int(rows[k]), start, end, sign))
    return found


def _rises(image: Image, sign: int, step: float) -> NDArray[np.bool_]:
    """Return where a channel rises (sign 1) or falls (-1) by a step from one row to the next; (h - 1, w) bool."""
    hit = np.empty((image.shape[0] - 1, image.shape[1]), bool)
    for first in range(0, len(hit), 256):
        before, after = (image[first : first + 256], image[first + 1 : first + 257])[::sign]
        rows = min(len(before), len(after))
        rise = cv2.split(cv2.subtract(after[:rows], before[:rows]))  # saturates: a fall is 0
        hit[first : first + rows] = cv2.max(cv2.max(rise[0], rise[1]), rise[2]) >= step
    return hit


def _runs(mask: NDArray[np.bool_], bridge: int) -> list[tuple[int, int, int]]:
    """Return (row, first, last) of the stretches of True of each row, joined over gaps of at most `bridge`."""
    padded = np.zeros((mask.shape[0], mask.shape[1] + 2), np.int8)
    padded[:, 1:-1] = mask
    change = np.diff(padded, axis=1)
    at, starts = np.nonzero(change == 1)
    ends = np.nonzero(change == -1)[1] - 1
    runs: list[tuple[int, int, int]] = []
    for row, start, end in zip(at.tolist(), starts.tolist(), ends.tolist(), strict=True):
        if runs and runs[-1][0] == row and start - runs[-1][2] <= bridge:
            runs[-1] = (row, runs[-1][1], end)
        else:
            runs.append((row, start, end))
    return runs


def _tighten(hit: NDArray[np.bool_], start: int, end: int) -> tuple[int, int]:
    """Follow an edge from its dense middle out to where it really ends (the window smears the ends)."""
    while start > 0 and hit[start - 1]:
        start -= 1
    while end < len(hit) - 1 and hit[end + 1]:
        end += 1
    while start < end and not hit[start : start + 3].all():
        start += 1
    while end > start and not hit[end - 2 : end + 1].all():
        end -= 1
    return start, end


def _strokes(edges: list[tuple[int, int, int, int]], settings: LineSettings) -> list[Line]:
    """Join the edges of one stroke: a change, its antialiased neighbour rows, and the change back."""
    edges = sorted(edges)
    lines: list[Line] = []
    used = [False] * len(edges)
    for i, (row, start, end, sign) in enumerate(edges):
        if used[i]:
            continue
        last, turned = row, False
        for j in range(i + 1, len(edges)):
            other, other_start, other_end, other_sign = edges[j]
            if other - last > (1 if turned else settings.thickest):
                break
            shared = min(end, other_end) - max(start, other_start)
            if used[j] or shared < 0.7 * min(end - start, other_end - other_start):
                continue
            if other_sign == sign and (turned or other - last > 1):
                break
            used[j] = True
            turned = turned or other_sign != sign
            last, start, end = other, min(start, other_start), max(end, other_end)
        if turned:
            lines.append(Line((row + 1 + last) / 2, start, end, last - row))
        else:
            lines.append(Line(row + 0.5, start, end, 0))
    return lines
