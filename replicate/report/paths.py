"""Lines and bands as SVG path data: thinned without hiding noise, and the same bytes every time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from replicate.report.scales import FloatArray

IntArray = NDArray[np.int64]

RESOLUTION = 10  # steps a drawing unit; a tenth of a unit is finer than any screen shows


def thin(x: FloatArray, y: FloatArray, column: float = 1.0) -> IntArray:
    """Choose the points that draw a curve: the lowest and highest of each column, so that noise stays seen.

    Args:
        x: (n,) ascending, drawing units.
        y: (n,) drawing units, finite.
        column: Width of a column, drawing units.

    Returns:
        (m,) ascending indices into x, with the first and the last point; at most two more a column.
    """
    if len(x) <= 2:
        return np.arange(len(x), dtype=np.int64)
    columns = np.floor(x / column).astype(np.int64)
    starts = np.flatnonzero(np.r_[True, np.diff(columns) != 0])
    keep = {0, len(x) - 1}
    for start, end in zip(starts, np.r_[starts[1:], len(x)], strict=True):
        part = y[start:end]
        keep.update((int(start + part.argmin()), int(start + part.argmax())))
    return np.array(sorted(keep), dtype=np.int64)


def line_path(x: FloatArray, y: FloatArray) -> str:
    """Return the path data of a curve: relative line segments, broken where a value is not finite.

    Args:
        x: (n,) ascending, drawing units.
        y: (n,) drawing units.
    """
    parts = []
    for run in _finite_runs(x, y):
        chosen = run[thin(x[run], y[run])]
        parts.append(_segments(x[chosen], y[chosen]))
    return "".join(parts)


def band_path(x: FloatArray, low: FloatArray, high: FloatArray) -> str:
    """Return the path data of the closed areas between two curves over the same x, each thinned alike."""
    parts = []
    for run in _finite_runs(x, low + high):
        below, above = run[thin(x[run], low[run])], run[thin(x[run], high[run])][::-1]
        parts.append(_segments(np.r_[x[below], x[above]], np.r_[low[below], high[above]]) + "z")
    return "".join(parts)


def _finite_runs(x: FloatArray, y: FloatArray) -> list[IntArray]:
    """Return the stretches of consecutive indices where both values are finite."""
    indices = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    runs = np.split(indices, np.flatnonzero(np.diff(indices) > 1) + 1)
    return [run for run in runs if run.size]


def _segments(x: FloatArray, y: FloatArray) -> str:
    """Return one open polyline; rounding errors do not add up, for whole steps are what is summed.

    What has no length, such as a reading that stands alone, is a small cross.
    """
    points = np.rint(np.column_stack([x, y]) * RESOLUTION).astype(np.int64)
    moves = np.diff(points, axis=0)
    start = f"M{_tenths(int(points[0, 0]))} {_tenths(int(points[0, 1]))}"
    steps = [f"{_tenths(dx)} {_tenths(dy)}" for dx, dy in moves.tolist() if dx or dy]
    return start + ("l" + " ".join(steps) if steps else "m-2 0h4m-2 -2v4")


def _tenths(steps: int) -> str:
    """Return a whole number of steps as a short decimal: 12 becomes 1.2, -5 becomes -.5, 30 becomes 3."""
    whole, tenth = divmod(abs(steps), RESOLUTION)
    sign = "-" if steps < 0 else ""
    if not tenth:
        return f"{sign}{whole}"
    return f"{sign}{whole or ''}.{tenth}"
