"""Distances between curves as paths in the plane: discrete Fréchet and dynamic time warping.

Both fill a table cell by cell from the cells before; here a whole anti-diagonal at a time, whose cells do not
depend on one another, so that memory grows with the number of points, not with its square. Many readings of the same
two curves (equal x, other y) are swept at once.
"""

from __future__ import annotations

import math

import numpy as np

from replicate.curves import FloatArray


def discrete_frechet(a: FloatArray, b: FloatArray) -> float:
    """Return the discrete Fréchet distance of two paths (Eiter and Mannila 1994).

    The least leash with which one walks along each path from vertex to vertex, never back.

    Args:
        a: Vertices of the first path, shape (n, 2), both columns in one unit.
        b: Vertices of the second, shape (m, 2).
    """
    return float(frechet_of(a[:, 0], a[:, 1], b[:, 0], b[:, 1]))


def time_warping(a: FloatArray, b: FloatArray, band: float = 1.0) -> float:
    """Return the dynamic time warping distance of two paths: the least sum of distances of paired vertices.

    Args:
        a: Vertices of the first path, shape (n, 2), both columns in one unit.
        b: Vertices of the second, shape (m, 2).
        band: How far a pairing may stray from the diagonal, as share of the longer path (Sakoe and Chiba 1978);
            1 for anywhere.
    """
    return float(warping_of(a[:, 0], a[:, 1], b[:, 0], b[:, 1], band))


def frechet_of(ax: FloatArray, ay: FloatArray, bx: FloatArray, by: FloatArray) -> FloatArray:
    """Return the discrete Fréchet distance of every reading: x of shape (n,) and (m,), y of (..., n) and (..., m)."""
    return _sweep(ax, ay, bx, by, np.maximum, max(len(ax), len(bx)))


def warping_of(ax: FloatArray, ay: FloatArray, bx: FloatArray, by: FloatArray, band: float) -> FloatArray:
    """Return the dynamic time warping distance of every reading; shapes as in `frechet_of`."""
    n, m = len(ax), len(bx)
    return _sweep(ax, ay, bx, by, np.add, max(math.ceil(band * max(n, m)), abs(n - m)))


def _sweep(
    ax: FloatArray, ay: FloatArray, bx: FloatArray, by: FloatArray, combine: np.ufunc, width: int
) -> FloatArray:
    """Return the last cell of D[i, j] = combine(distance(i, j), least of the three cells before).

    Cells with |i - j| > width are never entered. The arrays hold anti-diagonal k = i + j by i along their last axis,
    with one empty place in front, so that i - 1 exists.
    """
    n, m = len(ax), len(bx)
    bx, by = (
        np.ascontiguousarray(bx[::-1]),
        np.ascontiguousarray(by[..., ::-1]),
    )  # along a diagonal j falls as i grows
    shape = (*np.broadcast_shapes(ay.shape[:-1], by.shape[:-1]), n + 1)
    before = np.full(shape, np.inf)  # diagonal k - 1
    older = np.full(shape, np.inf)  # diagonal k - 2
    older[..., 0] = 0.0 if combine is np.add else -np.inf  # the cell before the first one
    for k in range(n + m - 1):
        lo = max(0, k - m + 1, (k - width + 1) // 2)
        hi = min(n - 1, k, (k + width) // 2) + 1
        j = slice(m - 1 - k + lo, m - 1 - k + hi)
        dx = ax[lo:hi] - bx[j]
        dy = ay[..., lo:hi] - by[..., j]
        dx *= dx
        dy *= dy
        dy += dx
        np.sqrt(dy, out=dy)
        least = np.minimum(before[..., lo:hi], before[..., lo + 1 : hi + 1])
        np.minimum(least, older[..., lo:hi], out=least)
        older[..., lo] = np.inf  # its neighbours hold an older diagonal's values
        older[..., hi + 1 : hi + 2] = np.inf
        combine(dy, least, out=older[..., lo + 1 : hi + 1])
        before, older = older, before
    last: FloatArray = before[..., n]
    return last
