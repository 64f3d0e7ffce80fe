"""Where panels may be: clips, drawn rectangles, and families of lines that touch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from replicate.digitizer import layout
from replicate.digitizer.lines import Line
from replicate.digitizer.model import Box
from replicate.digitizer.vector.drawing import Drawing
from replicate.digitizer.vector.lettering import Lettering
from replicate.digitizer.vector.segments import Strokes, as_rectangle


@dataclass(frozen=True)
class PanelSettings:
    """Thresholds of the panel search, in units in which text is 20 high.

    Attributes:
        least: Shortest side of a panel.
        page: Share of the page's width and height from which a rectangle is the page itself.
        same: How far the edges of two candidates may be apart that are one.
        longest: Most lines that are looked at in one direction: hatchings and maps have thousands.
        most: Most candidates of a page.
        reach: How far from a panel its labels may stand.
        least_labels: Fewest numbers that must stand beside a panel.
    """

    least: float = 70.0
    page: float = 0.985
    same: float = 1.5
    longest: int = 300
    most: int = 60
    reach: float = 110.0
    least_labels: int = 1


def find_candidates(
    drawing: Drawing,
    level: Strokes,
    upright: Strokes,
    numbers: Sequence[Lettering],
    settings: PanelSettings | None = None,
) -> list[Box]:
    """Return boxes that may be panels: those with numbers beside them, and others of their size.

    Args:
        drawing: The page, scaled so that its text is about 20 high.
        level: Its level strokes.
        upright: Its upright strokes.
        numbers: The texts that can be read as numbers or dates.
        settings: Thresholds.

    Returns:
        Distinct boxes, the largest first.
    """
    settings = settings or PanelSettings()
    found = [
        *_frames(drawing, settings),
        *_clips(drawing, settings),
        *_families(drawing, level, upright, settings),
    ]
    distinct: list[Box] = []
    for box in found:
        whole = box.width >= settings.page * drawing.width and box.height >= settings.page * drawing.height
        large = min(box.width, box.height) >= settings.least
        if large and not whole and not any(_same(box, other, settings.same) for other in distinct):
            distinct.append(box)
    places = np.array([n.text.box.centre for n in numbers]).reshape(-1, 2)
    labelled = [b for b in distinct if _labels_near(b, places, settings) >= settings.least_labels]
    labelled += [b for b in distinct if b not in labelled and any(_one_size(b, o) for o in labelled)]
    return sorted(labelled, key=lambda b: -b.width * b.height)[: settings.most]


def _same(a: Box, b: Box, slack: float) -> bool:
    """Whether two boxes are one, to some slack."""
    return all(abs(p - q) <= slack for p, q in zip(a, b, strict=True))


def _one_size(a: Box, b: Box, slack: float = 2.0) -> bool:
    """Whether two boxes are of one size."""
    return abs(a.width - b.width) <= slack and abs(a.height - b.height) <= slack


def _labels_near(
    box: Box, places: np.ndarray[tuple[int, int], np.dtype[np.float64]], s: PanelSettings
) -> int:
    """Return how many numbers stand just outside of a box."""
    x, y = places[:, 0], places[:, 1]
    around = (x > box.x0 - s.reach) & (x < box.x1 + s.reach) & (y > box.y0 - s.reach) & (y < box.y1 + s.reach)
    inside = (x > box.x0) & (x < box.x1) & (y > box.y0) & (y < box.y1)
    return int((around & ~inside).sum())


def _frames(drawing: Drawing, settings: PanelSettings) -> list[Box]:
    """Return the drawn and filled rectangles."""
    few = (s for p in drawing.paths if len(p.subpaths) <= 2 for s in p.subpaths if len(s.points) in (4, 5))
    boxes = (as_rectangle(s) for s in few if np.ptp(s.points[:, 0]) >= settings.least)
    return [b for b in boxes if b and min(b.width, b.height) >= settings.least]


def _clips(drawing: Drawing, settings: PanelSettings) -> list[Box]:
    """Return the clips that anything is drawn in."""
    clips = {Box(*(round(v, 3) for v in p.clip)) for p in drawing.paths if p.clip}
    return [b for b in sorted(clips) if min(b.width, b.height) >= settings.least]


def _families(drawing: Drawing, level: Strokes, upright: Strokes, settings: PanelSettings) -> list[Box]:
    """Return the hulls of lines that touch, as for pictures."""
    horizontal, vertical = (_long(s, settings) for s in (level, upright))
    least = settings.least / min(drawing.width, drawing.height)
    size = (round(drawing.width), round(drawing.height))
    found = layout.find_panels(horizontal, vertical, size, layout.LayoutSettings(least_side=min(least, 0.12)))
    return [c.box for c in found]


def _long(strokes: Strokes, settings: PanelSettings) -> list[Line]:
    """Return the longest strokes, each once."""
    rows = zip(strokes.position.tolist(), strokes.start.tolist(), strokes.end.tolist(), strict=True)
    lines = {(round(p, 2), round(a, 2), round(b, 2)) for p, a, b in rows if b - a >= settings.least}
    longest = sorted(lines, key=lambda row: row[1] - row[2])[: settings.longest]
    return [Line(p, a, b, 1.0) for p, a, b in longest]
