"""Panels: the rectangles that curves are drawn in, found from frames, grids and grounds.

Lines that touch one another belong together; the hull of such a family is a panel, whether it is a full frame,
two spines, a bare grid or the border of a coloured ground. What is no panel (a legend's box, a card around a
screenshot) is sorted out later by its tick labels: it has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from replicate.digitizer import ticklabels
from replicate.digitizer.lines import Line
from replicate.digitizer.model import Box, Image, TextBox
from replicate.digitizer.words import ink_mask


@dataclass(frozen=True)
class LayoutSettings:
    """Thresholds of the panel search.

    Attributes:
        touch: How far the end of one line may be from another that it touches, pixels.
        overshoot: Longest tick that sticks out of the left or lower spine, as a share of the panel's side.
        overshoot_far: The same at the right and upper side, where labels and their ticks are rare.
        least_side: Shortest side of a panel, as a share of the picture's.
        join: Widest gap between two spines that do not touch (detached spines), as a share of their length.
    """

    touch: float = 4.0
    overshoot: float = 0.045
    overshoot_far: float = 0.015
    least_side: float = 0.12
    join: float = 0.08


@dataclass(frozen=True)
class PanelCandidate:
    """A rectangle that may be a panel, and the lines that make it.

    Attributes:
        box: The area inside the spines; spines lie on its border.
        horizontal: The horizontal lines of the family.
        vertical: The vertical lines of the family.
    """

    box: Box
    horizontal: tuple[Line, ...]
    vertical: tuple[Line, ...]


def find_panels(
    horizontal: Sequence[Line],
    vertical: Sequence[Line],
    size: tuple[int, int],
    settings: LayoutSettings | None = None,
) -> list[PanelCandidate]:
    """Find rectangles that may be panels.

    Args:
        horizontal: Long horizontal lines.
        vertical: Long vertical lines.
        size: Width and height of the picture, pixels.
        settings: Thresholds.

    Returns:
        Candidates in reading order (rows from the top, then from the left).
    """
    settings = settings or LayoutSettings()
    families = _families(*_without_bridges(horizontal, vertical), settings.touch)
    families += _grids_without_crossing(families)
    families += _detached(families, settings)
    candidates = [PanelCandidate(_hull(h, v, settings), tuple(h), tuple(v)) for h, v in families if h or v]
    least = (settings.least_side * size[0], settings.least_side * size[1])
    kept = [c for c in candidates if c.box.width >= least[0] and c.box.height >= least[1]]
    return reading_order(kept)


def reading_order(candidates: Sequence[PanelCandidate]) -> list[PanelCandidate]:
    """Sort panels by rows from the top, then from the left; panels whose centres share a row are one row."""
    rows: list[list[PanelCandidate]] = []
    for candidate in sorted(candidates, key=lambda c: c.box.centre[1]):
        if rows and abs(rows[-1][0].box.centre[1] - candidate.box.centre[1]) < 0.4 * candidate.box.height:
            rows[-1].append(candidate)
        else:
            rows.append([candidate])
    return [c for row in rows for c in sorted(row, key=lambda c: c.box.x0)]


Family = tuple[list[Line], list[Line]]


def _without_bridges(horizontal: Sequence[Line], vertical: Sequence[Line]) -> tuple[list[Line], list[Line]]:
    """Drop single lines that run across the gap between panels (a baseline drawn over two of them)."""
    return _without_bridge(horizontal), _without_bridge(vertical)


def _without_bridge(lines: Sequence[Line], slack: float = 6) -> list[Line]:
    """Drop the few lines that reach over a gap between at least three lines on either side."""
    ends = sorted({a.end for a in lines if sum(abs(a.end - b.end) < 3 for b in lines) >= 3})
    starts = sorted({a.start for a in lines if sum(abs(a.start - b.start) < 3 for b in lines) >= 3})
    bridges: set[Line] = set()
    for end in ends:
        start = next((s for s in starts if s > end + slack), None)
        if start is not None:
            over = [a for a in lines if a.start < end - slack and a.end > start + slack]
            bridges.update(over if len(over) <= 3 else ())
    return [a for a in lines if a not in bridges]


def _families(horizontal: Sequence[Line], vertical: Sequence[Line], touch: float) -> list[Family]:
    """Group lines that touch: connected components of the graph of crossings."""
    parent = list(range(len(horizontal) + len(vertical)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for i, h in enumerate(horizontal):
        for j, v in enumerate(vertical):
            across = v.start - touch <= h.position <= v.end + touch
            along = h.start - touch <= v.position <= h.end + touch
            if across and along:
                parent[root(i)] = root(len(horizontal) + j)
    groups: dict[int, Family] = {}
    for i, h in enumerate(horizontal):
        groups.setdefault(root(i), ([], []))[0].append(h)
    for j, v in enumerate(vertical):
        groups.setdefault(root(len(horizontal) + j), ([], []))[1].append(v)
    return list(groups.values())


def _grids_without_crossing(families: list[Family]) -> list[Family]:
    """Group parallel lines of one extent that no other line touches: a grid in one direction only."""
    grids: list[Family] = []
    for direction in (0, 1):
        loose = [f[direction][0] for f in families if len(f[direction]) == 1 and not f[1 - direction]]
        groups: list[list[Line]] = []
        for line in sorted(loose, key=lambda a: -a.length):
            for group in groups:
                inside = group[0].start - 6 <= line.start and line.end <= group[0].end + 6
                if inside and min(abs(line.start - group[0].start), abs(line.end - group[0].end)) <= 6:
                    group.append(line)
                    break
            else:
                groups.append([line])
        for group in groups:
            if len({round(a.position) for a in group}) >= 3:
                grids.append((group, []) if direction == 0 else ([], group))
    return grids


def _detached(families: list[Family], settings: LayoutSettings) -> list[Family]:
    """Pair a lone vertical spine with a lone horizontal one that starts near its foot."""
    pairs: list[Family] = []
    feet = [f[1][0] for f in families if len(f[1]) == 1 and not f[0]]
    bases = [f[0][0] for f in families if len(f[0]) == 1 and not f[1]]
    for v in feet:
        for h in bases:
            gap = max(abs(h.start - v.position) / h.length, abs(h.position - v.end) / v.length)
            if gap <= settings.join:
                pairs.append(([h], [v]))
    return pairs


def _hull(horizontal: Sequence[Line], vertical: Sequence[Line], settings: LayoutSettings) -> Box:
    """Return the rectangle that a family of lines spans, without the ticks that stick out."""
    near, far = settings.overshoot, settings.overshoot_far
    x0, x1 = _extent(horizontal, vertical, near, far, settings.touch)
    y0, y1 = _extent(vertical, horizontal, far, near, settings.touch)
    return Box(x0, y0, x1, y1)


def _extent(
    along: Sequence[Line], across: Sequence[Line], at_start: float, at_end: float, touch: float
) -> tuple[float, float]:
    """Return where the long lines along an axis begin and end, cut back to a crossing line close to the end."""
    positions = [a.position for a in across if a.length >= 0.5 * max(b.length for b in across)]
    if not along:
        return min(positions), max(positions)
    longest = max(a.length for a in along)
    full = [a for a in along if a.length >= 0.6 * longest]
    start, end = min(a.start for a in full), max(a.end for a in full)
    length = end - start
    near_start = [p for p in positions if start - touch <= p <= start + at_start * length]
    near_end = [p for p in positions if end - at_end * length <= p <= end + touch]
    return (min(near_start) if near_start else start), (max(near_end) if near_end else end)


def extend_open_top(
    candidate: PanelCandidate, texts: Sequence[TextBox], touch: float = 4.0
) -> PanelCandidate:
    """Raise the top of a panel that no line closes: a grid of level lines ends below the curves' highest part.

    Args:
        candidate: The panel.
        texts: The page's texts; the panel ends below a title or what stands at the left axis' end.
        touch: How far a vertical line may end from the top that it reaches, pixels.

    Returns:
        The panel, higher by at most one step of its grid; the same where its sides reach up to its top.
    """
    box = candidate.box
    levels = sorted({line.position for line in candidate.horizontal})
    if len(levels) < 3 or any(v.start <= box.y0 + touch for v in candidate.vertical):
        return candidate
    room = float(np.median(np.diff(levels)))
    above = [
        t.box.y1
        for t in texts
        if 0 < box.y0 - t.box.y1 < room
        and (abs(t.box.centre[0] - box.centre[0]) < 0.15 * box.width or abs(t.box.x0 - box.x0) < t.box.height)
    ]
    top = max([box.y0 - room, 0.0, *(y + 2 for y in above)])
    return replace(candidate, box=box._replace(y0=min(top, box.y0)))


def panels_without_frames(
    image: Image, texts: Sequence[TextBox], horizontal: Sequence[Line], settings: LayoutSettings | None = None
) -> list[PanelCandidate]:
    """Guess panels that have no frame and no grid: above lone lower spines, else between the tick labels.

    Args:
        image: (height, width, 3) uint8.
        texts: The page's texts.
        horizontal: Long horizontal lines.
        settings: Thresholds.

    Returns:
        Candidates in reading order.
    """
    settings = settings or LayoutSettings()
    rows, columns = image.shape[:2]
    mask = ink_mask(image)
    numeric = [
        t for t in texts if not t.vertical and ticklabels.parse(t.text) and any(c.isdigit() for c in t.text)
    ]
    spines = [
        h for h in horizontal if h.length >= settings.least_side * columns and _labels_below(h, numeric)
    ]
    guesses = [PanelCandidate(_above(h, mask), (h,), ()) for h in spines]
    if not guesses:
        box = _between_labels(numeric, (columns, rows))
        guesses = [PanelCandidate(box, (), ())] if box else []
    tall = [g for g in guesses if g.box.height >= settings.least_side * rows]
    return reading_order(tall)


def _labels_below(line: Line, numeric: Sequence[TextBox]) -> bool:
    """Whether at least two numbers stand just below a line."""
    near = [
        t
        for t in numeric
        if line.start - t.box.width <= t.box.centre[0] <= line.end + t.box.width
        and 0 <= t.box.y0 - line.position <= 3 * (t.box.height + 1)
    ]
    return len(near) >= 2


def _above(line: Line, mask: NDArray[np.bool_]) -> Box:
    """Return the area above a spine up to where its ink ends: the first stretch of empty rows of some height."""
    bottom = int(line.position) - 2
    occupied = np.flatnonzero(mask[:bottom, int(line.start) : int(line.end) + 1].any(axis=1)).tolist()
    rows_with_ink = set(occupied)
    gap = max(int(0.025 * mask.shape[0]), 4)
    top = bottom
    for row in range(bottom - 1, -1, -1):
        if row in rows_with_ink:
            top = row
        elif top - row > gap and bottom - top > 4 * gap:
            break
    return Box(line.start, max(top - 2, 0), line.end, line.position)


def _between_labels(numeric: Sequence[TextBox], size: tuple[int, int]) -> Box | None:
    """Return the area right of a column of numbers and above a row of them."""
    row = max((_aligned(t, numeric, 1) for t in numeric), key=len, default=[])
    column = max((_aligned(t, numeric, 0) for t in numeric if t not in row), key=len, default=[])
    if len(row) < 2 or len(column) < 2:
        return None
    height = max(t.box.height for t in row) + 1
    x0, y1 = max(t.box.x1 for t in column) + 0.6 * height, min(t.box.y0 for t in row) - 0.6 * height
    x1, y0 = max(t.box.x1 for t in row) + height, min(t.box.y0 for t in column) - height
    return Box(x0, max(y0, 0), min(x1, size[0] - 1), y1) if x1 > x0 and y1 > y0 else None


def _aligned(seed: TextBox, texts: Sequence[TextBox], direction: int) -> list[TextBox]:
    """Return the texts in one row (1: their middles) or column (0: their right ends) with a text."""
    slack = 0.5 * (seed.box.height + 1)
    if direction == 1:
        return [t for t in texts if abs(t.box.centre[1] - seed.box.centre[1]) <= slack]
    return [t for t in texts if abs(t.box.x1 - seed.box.x1) <= slack]
