"""Readings drawn anew within their bounds: what else a curve may have been."""

from __future__ import annotations

import numpy as np

from replicate.claims.registry import Line
from replicate.curves import FloatArray


def redraw(line: Line, draws: int, knots: int | None, rng: np.random.Generator) -> FloatArray:
    """Return a line's values moved within their bounds, smoothly along it or each value alone.

    A reading's error is uniform from one bound to the other (each side scaled by its own bound), independent at a few
    places along the curve and straight between them: neighbouring pixels are misread alike.

    Args:
        line: The line, of n points.
        draws: How often.
        knots: Independent places; None, or more than there are points, for every value alone.
        rng: The generator.

    Returns:
        Values, shape (draws, n).
    """
    count = len(line.x)
    if knots is None or count < knots:
        shift = rng.uniform(-1.0, 1.0, (draws, count))
    else:
        places = np.linspace(line.x[0], line.x[-1], knots)
        weights = np.stack([np.interp(line.x, places, row) for row in np.eye(knots)])
        shift = rng.uniform(-1.0, 1.0, (draws, knots)) @ weights
    moved: FloatArray = line.y + np.where(shift > 0, shift * (line.hi - line.y), shift * (line.y - line.lo))
    return moved


def uncertain(line: Line) -> bool:
    """Return whether a line's readings have bounds apart from the values themselves."""
    return bool((line.lo < line.hi).any())
