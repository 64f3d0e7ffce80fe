"""Tick marks and grid lines, each located to a fraction of a pixel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from replicate.digitizer.lines import Line
from replicate.digitizer.model import Box, FloatArray, Image, TickMark
from replicate.digitizer.runs import stretches

Side = Literal["left", "right", "bottom", "top"]


@dataclass(frozen=True)
class MarkSettings:
    """Thresholds of the tick search.

    Attributes:
        reach: How far from the spine ticks are looked for, as a share of the panel's smaller side.
        least_reach: The same, at least, pixels.
        text_reach: The same, at least, in heights of the labels' text: ticks are as long as letters are tall.
        ink: Least difference from the ground, as a share of the strongest in the strip.
        widest: Widest tick, pixels, or twice the spine's thickness.
        shortest: Shortest tick, pixels.
        spine: How far from the edge ticks may begin, pixels.
        wide_spine: The same as a share of the strip's depth, for large pictures.
        line: Shortest line that is one of a grid though it does not begin at an edge, as a share of the side.
        edge: How far from the panel's edge a grid line may begin, pixels.
        major: Ticks at least this long, relative to the longest kind, are major ones.
    """

    reach: float = 0.035
    least_reach: float = 9.0
    text_reach: float = 1.15
    ink: float = 0.3
    widest: float = 6.0
    shortest: float = 2.0
    spine: int = 3
    wide_spine: float = 0.22
    line: float = 0.5
    edge: float = 6.0
    major: float = 0.78


def strip_along(image: Image, box: Box, side: Side, depth: int, *, inward: bool = False) -> FloatArray:
    """Cut a strip beside a panel's edge and turn it so that ticks stand upright.

    Args:
        image: (height, width, 3) uint8.
        box: The panel.
        side: Which edge.
        depth: How many pixels away from the edge the strip reaches.
        inward: Whether the strip lies inside the panel.

    Returns:
        (depth, length, 3) float64; row 0 is next to the edge, column 0 is pixel 0 of the whole picture.
    """
    forward = (side in ("bottom", "right")) != inward
    edge = {"bottom": box.y1, "top": box.y0, "left": box.x0, "right": box.x1}[side]
    pixels = image if side in ("bottom", "top") else image.transpose(1, 0, 2)
    start = int(np.ceil(edge + 0.01)) if forward else int(np.floor(edge - 0.01))
    rows = start + np.arange(depth) * (1 if forward else -1)
    rows = rows[(rows >= 0) & (rows < pixels.shape[0])]
    return np.asarray(pixels[rows], dtype=np.float64)


def find_marks(
    image: Image,
    box: Box,
    side: Side,
    grid: Sequence[Line],
    text_height: float = 0.0,
    settings: MarkSettings | None = None,
) -> tuple[TickMark, ...]:
    """Find the ticks of one side of a panel: outside its spine, else inside, else its grid lines.

    Args:
        image: (height, width, 3) uint8.
        box: The panel.
        side: Which edge.
        grid: The panel's lines across this axis (spines too).
        text_height: Height of the labels' text, pixels; 0 where it is not known.
        settings: Thresholds.

    Returns:
        Marks sorted by pixel; empty where there are none.
    """
    settings = settings or MarkSettings()
    small = min(box.width, box.height)
    depth = round(max(settings.least_reach, settings.reach * small, settings.text_reach * text_height))
    outside = _ticks(strip_along(image, box, side, depth), box, side, settings)
    long = [line for line in grid if _is_across(line, box, side, settings)]
    lines = _unsnapped([TickMark(p, 0.0, True, s) for p, s in (refine(image, line, side) for line in long)])
    if len(outside) >= 4 and np.ptp([m.length for m in outside]) <= 1:
        return _merged(outside, lines[1:-1])  # they may be minor ticks between the lines of a grid
    if len(outside) >= 2 and _agree(outside, lines):
        return outside
    inside = _ticks(strip_along(image, box, side, depth, inward=True), box, side, settings)
    inside = _of_one_length(inside)
    if len(inside) >= 3:
        return inside
    return lines if len(outside) >= 2 else _merged(lines, outside)


def _is_across(line: Line, box: Box, side: Side, settings: MarkSettings) -> bool:
    """Whether a line is long, or begins at the panel's edge as a grid line behind curves does: no legend's frame."""
    first, last = (box.y0, box.y1) if side in ("bottom", "top") else (box.x0, box.x1)
    at_edge = line.start <= first + settings.edge or line.end >= last - settings.edge
    return at_edge or line.length >= settings.line * (last - first)


def _merged(marks: Sequence[TickMark], others: Sequence[TickMark]) -> tuple[TickMark, ...]:
    """Return marks with those of others that are no repeats, sorted by pixel."""
    added = [o for o in others if all(abs(o.pixel - m.pixel) > 1.5 for m in marks)]
    return tuple(sorted((*marks, *added), key=lambda m: m.pixel))


def _agree(ticks: Sequence[TickMark], grid: Sequence[TickMark]) -> bool:
    """Whether ticks may stand beside the grid lines there are: specks of text beside a grid do not meet it."""
    inner = [g.pixel for g in grid[1:-1]]
    met = sum(any(abs(t.pixel - p) < 3 for t in ticks) for p in inner)
    return len(inner) < 3 or met >= 0.5 * len(inner)


def _ticks(strip: FloatArray, box: Box, side: Side, settings: MarkSettings) -> tuple[TickMark, ...]:
    """Return the short strokes that stand on the edge of a strip."""
    along = (box.x0, box.x1) if side in ("bottom", "top") else (box.y0, box.y1)
    first, last = max(int(along[0]) - 2, 0), min(int(np.ceil(along[1])) + 2, strip.shape[1] - 1)
    if len(strip) < 4 or last - first < 8:
        return ()
    part = strip[:, first : last + 1]
    ground = np.median(part.reshape(-1, 3), axis=0)
    ink = np.max(np.abs(part - ground), axis=2)
    skip = _spine_rows(ink)
    ink = ink[skip:]
    if len(ink) < 3 or ink.max() < 24:
        return ()
    ink = ink / ink.max()
    solid = ink > settings.ink
    begin = _first_row(solid, max(settings.spine, round(settings.wide_spine * len(solid))))
    solid, ink = solid[begin:], ink[begin:]
    lengths = np.where(solid.all(axis=0), len(solid), np.argmin(solid, axis=0))
    marks = []
    for start, end in stretches(lengths >= settings.shortest):
        length = float(np.median(lengths[start : end + 1][lengths[start : end + 1] >= settings.shortest]))
        if end - start + 1 > settings.widest + skip or length >= len(solid):
            continue
        a, b = max(start - 1, 0), min(end + 1, ink.shape[1] - 1)
        weight = np.median(
            ink[: max(int(length) - 1, 1), a : b + 1], axis=0
        )  # one row may be the spine's rim
        marks.append((*place_on_pixels(weight, first + a), length + skip))
    if begin > 1 and np.ptp([length for *_, length in marks] or [0]) > 1.5:
        return ()  # what begins away from the edge and differs in length is the tops of labels
    longest = _usual_longest([length for *_, length in marks])
    found = [TickMark(p, n + begin, n >= settings.major * longest, snapped) for p, snapped, n in marks]
    return _unsnapped(found)


def place_on_pixels(weight: FloatArray, first: int) -> tuple[float, bool]:
    """Return the middle of a stroke across its direction, and whether it fills whole pixels.

    Args:
        weight: (n,) ink across the stroke, any unit.
        first: The pixel of its first element.
    """
    top = float(weight.max())
    if ((weight > 0.93 * top) | (weight < 0.07 * top)).all():
        full = np.flatnonzero(weight > 0.5 * top)
        return first + float(full.mean()), bool(np.ptp(full) == len(full) - 1)
    return first + float(weight @ np.arange(len(weight)) / weight.sum()), False


def _unsnapped(marks: Sequence[TickMark]) -> tuple[TickMark, ...]:
    """Undo the shift of strokes that were snapped to whole pixels, if all but few of them were.

    A stroke of an odd number of full pixels was moved by its renderer: matplotlib's Agg puts it at
    floor(x + 1) for a true centre x (measured: offsets uniform on 0..1, mean 0.5), and canvas libraries add half
    a pixel for the same crispness. Half a pixel is therefore taken off. Curves are not snapped.
    """
    crisp = [m for m in marks if m.snapped]
    if len(crisp) < 0.8 * len(marks):
        return tuple(replace(m, snapped=False) for m in marks)
    return tuple(replace(m, pixel=m.pixel - 0.5) if m.snapped and m.pixel % 1 == 0 else m for m in marks)


def _first_row(solid: NDArray[np.bool_], deepest: int) -> int:
    """Return the row in which ticks begin: a white spine may stand between a grey ground and its ticks."""
    counts = [int(np.count_nonzero(solid[row : row + 2].all(axis=0))) for row in range(deepest + 1)]
    return int(np.argmax([n > 0 for n in counts])) if any(counts) else 0


def _spine_rows(ink: FloatArray) -> int:
    """Return how many rows next to the edge still belong to the spine: ink along most of the row."""
    full = (ink > 0.15 * max(ink.max(), 1.0)).mean(axis=1)
    rows = 0
    while rows < len(full) - 1 and full[rows] > 0.7:
        rows += 1
    return rows


def _usual_longest(lengths: Sequence[float]) -> float:
    """Return the longest length that at least two marks share within a pixel, else the longest."""
    shared = [n for n in lengths if sum(abs(n - m) <= 1 for m in lengths) >= 2]
    return max(shared or lengths, default=0.0)


def _of_one_length(marks: Sequence[TickMark]) -> tuple[TickMark, ...]:
    """Keep marks of the two commonest lengths: inside a panel, curves and text end near the spine as well."""
    kept = [m for m in marks if sum(abs(m.length - o.length) <= 1 for o in marks) >= 3]
    return tuple(kept)


def refine(image: Image, line: Line, side: Side) -> tuple[float, bool]:
    """Return a line's centre across its direction to a fraction of a pixel, and whether it was snapped.

    The median along the line of every row near it keeps crossing curves out; the centre is the centroid of what
    differs from the ground on either side.
    """
    pixels = image.transpose(1, 0, 2) if side in ("bottom", "top") else image
    margin = int(np.ceil(line.thickness / 2)) + 2
    first = max(round(line.position) - margin, 0)
    rows = pixels[first : round(line.position) + margin + 1, int(line.start) : int(line.end) + 1]
    profile = np.median(rows.astype(np.float64), axis=1)
    ground = np.linspace(profile[0], profile[-1], len(profile))
    weight = np.abs(profile - ground).sum(axis=1)
    if line.thickness == 0 or weight.sum() < 1:
        return line.position, False
    return place_on_pixels(weight, first)
