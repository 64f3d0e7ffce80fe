"""Level and upright straight strokes of a page: what frames, ticks and grids are made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from replicate.digitizer.model import Box, FloatArray
from replicate.digitizer.vector.drawing import BoolArray, Drawing, Path, Subpath

THIN = 2.5  # widest filled rectangle that stands for a line, page units
STRAIGHT = 0.02  # how far a level stroke's ends may be apart in height, page units


@dataclass(frozen=True, eq=False)
class Strokes:
    """Straight strokes in one direction, as arrays of one length.

    Attributes:
        position: (n,) place across their direction.
        start: (n,) where they begin, along it.
        end: (n,) where they end; at least start.
        owner: (n,) index of the path each belongs to.
        edge: (n,) bool, True for the border of a filled area, which is no drawn line.
    """

    position: FloatArray
    start: FloatArray
    end: FloatArray
    owner: NDArray[np.intp]
    edge: BoolArray

    @property
    def length(self) -> FloatArray:
        """Their lengths, (n,)."""
        return self.end - self.start

    def where(self, mask: BoolArray) -> Strokes:
        """Return those that a mask, (n,) bool, picks."""
        return Strokes(
            self.position[mask], self.start[mask], self.end[mask], self.owner[mask], self.edge[mask]
        )


Row = tuple[float, float, float, int, bool]


def straight_strokes(drawing: Drawing) -> tuple[Strokes, Strokes]:
    """Return the level and the upright strokes of a page: lines, sides of rectangles, thin filled rectangles."""
    level: list[Row] = []
    upright: list[Row] = []
    for index, path in enumerate(drawing.paths):
        for subpath in path.subpaths:
            for row, is_level in _of_subpath(path, subpath, index):
                (level if is_level else upright).append(row)
    return _strokes(level), _strokes(upright)


def _strokes(rows: list[Row]) -> Strokes:
    """Return rows as arrays."""
    table = np.array([r[:3] for r in rows], dtype=np.float64).reshape(-1, 3)
    owner = np.array([r[3] for r in rows], dtype=np.intp)
    return Strokes(table[:, 0], table[:, 1], table[:, 2], owner, np.array([r[4] for r in rows], dtype=bool))


def _of_subpath(path: Path, subpath: Subpath, index: int) -> Iterator[tuple[Row, bool]]:
    """Yield the straight strokes of a stretch of a path, each with whether it is level."""
    points = subpath.points
    if not 2 <= len(points) <= 6 or not subpath.vertices.all():
        return
    rectangle = as_rectangle(subpath)
    if rectangle and path.stroke is None:
        yield from _of_filled(rectangle, index)
        return
    if path.stroke is None:
        return
    corners = np.vstack((points, points[:1])) if subpath.closed else points
    step = np.abs(np.diff(corners, axis=0))
    if not (step.min(axis=1) <= STRAIGHT).all():
        return
    for (x0, y0), (x1, y1), (dx, dy) in zip(
        corners[:-1].tolist(), corners[1:].tolist(), step.tolist(), strict=True
    ):
        if dx > dy:
            yield ((y0 + y1) / 2, min(x0, x1), max(x0, x1), index, False), True
        elif dy > 0:
            yield ((x0 + x1) / 2, min(y0, y1), max(y0, y1), index, False), False


def _of_filled(box: Box, index: int) -> Iterator[tuple[Row, bool]]:
    """Yield the line that a thin filled rectangle stands for, or the edges of a larger one."""
    if box.height <= THIN < box.width:
        yield ((box.y0 + box.y1) / 2, box.x0, box.x1, index, False), True
    elif box.width <= THIN < box.height:
        yield ((box.x0 + box.x1) / 2, box.y0, box.y1, index, False), False
    elif min(box.width, box.height) > THIN:
        for y in (box.y0, box.y1):
            yield (y, box.x0, box.x1, index, True), True
        for x in (box.x0, box.x1):
            yield (x, box.y0, box.y1, index, True), False


def as_rectangle(subpath: Subpath) -> Box | None:
    """Return a stretch of a path as the rectangle it draws, None where it draws something else."""
    points = subpath.points
    if len(points) == 5 and np.abs(points[0] - points[4]).max() <= STRAIGHT:
        points = points[:4]
    if len(points) != 4 or not subpath.vertices.all():
        return None
    x, y = points[:, 0], points[:, 1]
    hull = Box(float(x.min()), float(y.min()), float(x.max()), float(y.max()))
    on_x = (np.abs(x - hull.x0) <= STRAIGHT) | (np.abs(x - hull.x1) <= STRAIGHT)
    on_y = (np.abs(y - hull.y0) <= STRAIGHT) | (np.abs(y - hull.y1) <= STRAIGHT)
    steps = np.abs(np.diff(np.vstack((points, points[:1])), axis=0)).min(axis=1)
    return hull if (on_x & on_y).all() and (steps <= STRAIGHT).all() else None
