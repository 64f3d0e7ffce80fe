"""Markers: one small shape drawn at many places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from replicate.digitizer.model import Box, FloatArray
from replicate.digitizer.vector.curves import is_symbol
from replicate.digitizer.vector.drawing import Colour, Path
from replicate.digitizer.vector.page import Page

MOST = 3000  # more symbols than this are a cloud or a map, and no curves
LARGEST = 30.0  # largest box of a marker, in units in which text is 20 high

Shape = tuple[int, ...]  # vertices relative to the box, in fortieths of its larger side


@dataclass(frozen=True)
class MarkerKind:
    """What markers of one series have in common.

    Attributes:
        shape: Their outline, whatever its size.
        colour: Their colour: that of their area where it has one, else of their line.
        filled: Whether their area is painted in that colour.
    """

    shape: Shape
    colour: Colour
    filled: bool


@dataclass(frozen=True, eq=False)
class Markers:
    """Markers of one kind in a panel.

    Attributes:
        kind: What they look like.
        places: (n, 2) their centres, in painting order.
        paths: Their paths.
        order: The first one's place in the painting order.
    """

    kind: MarkerKind
    places: FloatArray
    paths: tuple[int, ...]
    order: int


def kind_of(path: Path) -> MarkerKind | None:
    """Return what a marker looks like; None where it has no colour."""
    colour = path.fill or path.stroke
    if colour is None:
        return None
    filled = path.fill is not None and min(path.fill) < 250
    if not filled and path.stroke is not None:
        colour = path.stroke
    return MarkerKind(_shape(path), colour, filled)


def _shape(path: Path) -> Shape:
    """Return a path's outline relative to its box."""
    points = np.concatenate([s.points[s.vertices] for s in path.subpaths])
    low = points.min(axis=0)
    size = max(float(np.ptp(points, axis=0).max()), 1e-6)
    return tuple(np.rint((points - low) / size * 40).astype(int).ravel().tolist())


def centre_of(path: Path) -> tuple[float, float]:
    """Return the place that a marker stands for.

    That is its own origin where the file says so. Regular pentagons and stars are drawn around their centre, which
    is the mean of their corners; all other usual shapes are centred in their boxes.
    """
    if path.anchor is not None:
        return path.anchor
    corners = [s.points[s.vertices] for s in path.subpaths]
    if len(corners) == 1 and len(corners[0]) in (5, 10):
        x, y = corners[0].mean(axis=0).tolist()
        return x, y
    return path.box.centre


def find_markers(page: Page, box: Box, without: Iterable[int], least: int = 3) -> list[Markers]:
    """Find the markers of a panel.

    Args:
        page: The page.
        box: The panel.
        without: Paths that are known to be something else.
        least: Fewest markers of a kind.

    Returns:
        Markers of each kind, in painting order.
    """
    excluded = set(without)
    around = Box(box.x0 - LARGEST, box.y0 - LARGEST, box.x1 + LARGEST, box.y1 + LARGEST)
    symbols = [
        i
        for i in page.within(around)
        if i not in excluded and is_symbol(page.drawing.paths[i], page.hulls[i], LARGEST)
    ]
    if len(symbols) > MOST:
        return [_cloud(page, symbols)]
    kinds: dict[MarkerKind, list[tuple[tuple[float, float], int]]] = {}
    for index in symbols:
        path = page.drawing.paths[index]
        kind, (x, y) = kind_of(path), centre_of(path)
        if kind and box.x0 - 0.5 <= x <= box.x1 + 0.5 and box.y0 - 0.5 <= y <= box.y1 + 0.5:
            kinds.setdefault(kind, []).append(((x, y), index))
    found = [
        Markers(
            kind,
            np.array([p for p, _ in several]),
            tuple(i for _, i in several),
            page.drawing.paths[several[0][1]].order,
        )
        for kind, several in kinds.items()
        if len(several) >= least
    ]
    return sorted(found, key=lambda m: m.paths[0])


def _cloud(page: Page, symbols: Sequence[int]) -> Markers:
    """Return more markers than any curve has as one set, whatever they look like: they are scattered."""
    boxes = page.hulls[symbols]
    centres = np.stack((boxes[:, ::2].mean(axis=1), boxes[:, 1::2].mean(axis=1)), axis=1)
    order = page.drawing.paths[symbols[0]].order
    return Markers(MarkerKind((), (0, 0, 0), True), centres, tuple(symbols), order)


def on_line(markers: Markers, points: FloatArray, slack: float = 0.3) -> float:
    """Return the share of markers that stand on a line; simplified lines lack the vertices under some."""
    start, step = points[:-1], np.diff(points, axis=0)
    length2 = np.maximum((step**2).sum(axis=1), 1e-12)
    hits = 0
    for place in markers.places[:: max(len(markers.places) // 50, 1)]:
        t = np.clip(((place - start) * step).sum(axis=1) / length2, 0, 1)
        off = np.hypot(*(start + t[:, None] * step - place).T)
        hits += bool(off.min() <= slack)
    return hits / len(markers.places[:: max(len(markers.places) // 50, 1)])
