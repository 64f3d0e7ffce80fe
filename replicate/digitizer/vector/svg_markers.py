"""Where the markers of an SVG shape stand, and which way they point."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from replicate.digitizer.model import FloatArray
from replicate.digitizer.vector.drawing import Subpath


def marker_places(subpaths: Sequence[Subpath]) -> Iterator[tuple[str, float, float, float]]:
    """Yield the markers of a shape in order: "start", "mid" or "end", x, y, and the path's direction in radians.

    The direction at a vertex halves the angle between the ways in and out (SVG 1.1, section 11.6.2).
    """
    count = len(subpaths)
    for number, subpath in enumerate(subpaths):
        points, named = subpath.points, np.flatnonzero(subpath.vertices)
        if subpath.closed:
            points, named = np.vstack([points, points[:1]]), np.append(named, len(points))
        for place, index in enumerate(named.tolist()):
            first = number == 0 and place == 0
            last = number == count - 1 and place == len(named) - 1
            x, y = points[index].tolist()
            yield (
                "start" if first else "end" if last else "mid",
                x,
                y,
                _direction(points, index, subpath.closed),
            )


def _direction(points: FloatArray, index: int, closed: bool) -> float:
    """Return the direction at a vertex."""
    ring = closed and index in (0, len(points) - 1) and len(points) > 2
    into = points[-1] - points[-2] if ring else points[index] - points[index - 1] if index else None
    last = index == len(points) - 1
    out = points[1] - points[0] if ring else None if last else points[index + 1] - points[index]
    units = [v / length for v in (into, out) if v is not None and (length := float(np.hypot(*v))) > 0]
    total = np.sum(units, axis=0) if units else np.array([1.0, 0.0])
    if float(np.hypot(*total)) < 1e-9:  # a turn on the spot
        total = units[-1]
    return math.atan2(float(total[1]), float(total[0]))
