"""Cubic Bézier curves as polylines."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from replicate.digitizer.model import FloatArray

TOLERANCE = 0.05  # farthest that a polyline may be from its curve, page units
MOST = 64  # pieces of one curve


def flatten_cubic(control: FloatArray, tolerance: float = TOLERANCE) -> FloatArray:
    """Return the points of a cubic Bézier curve, its first one left out.

    The number of pieces follows from the bound h²/8 max|B''| on the distance of a chord from its arc.

    Args:
        control: (4, 2) control points.
        tolerance: Farthest that the polyline may be from the curve.

    Returns:
        (n, 2) points; the last is the curve's end, exactly.
    """
    bend = float(np.abs(control[:-2] - 2 * control[1:-1] + control[2:]).sum(axis=1).max())
    pieces = min(max(math.ceil(math.sqrt(6 * bend / (8 * tolerance))), 1), MOST)
    points: FloatArray = _weights(pieces) @ control
    points[-1] = control[3]
    return points


@cache
def _weights(pieces: int) -> FloatArray:
    """Return what each control point weighs in each point (Bernstein polynomials), (pieces, 4)."""
    t = np.linspace(0, 1, pieces + 1)[1:]
    s = 1 - t
    return np.stack((s**3, 3 * s**2 * t, 3 * s * t**2, t**3), axis=1)
