"""Distances between curves as paths in the plane: discrete Fréchet and dynamic time warping.

Both fill a table cell by cell from the cells before; here a whole anti-diagonal at a time, whose cells do not
depend on one another, so that memory grows with the number of points, not with its square.
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
    return _sweep(a, b, np.maximum, max(len(a), len(b)))


def time_warping(a: FloatArray, b: FloatArray, band: float = 1.0) -> float:
    """Return the dynamic time warping distance of two paths: the least sum of distances of paired vertices.

    Args:
        a: Vertices of the first path, shape (n, 2), both columns in one unit.
        b: Vertices of the second, shape (m, 2).
        band: How far a pairing may stray from the diagonal, as share of the longer path (Sakoe and Chiba 1978);
            1 for anywhere.
    """
    n, m = len(a), len(b)
    width = max(math.ceil(band * max(n, m)), abs(n - m))
    return _sweep(a, b, np.add, width)


def _sweep(a: FloatArray, b: FloatArray, combine: np.ufunc, width: int) -> float:
    """Return the last cell of D[i, j] = combine(distance(i, j), least of the three cells before).

    Cells with |i - j| > width are never entered. The arrays hold anti-diagonal k = i + j by i, with one empty
    place in front, so that i - 1 exists.
    """
    n, m = len(a), len(b)
    ax, ay = np.ascontiguousarray(a.T)
    bx, by = np.ascontiguousarray(b[::-1].T)  # reversed: along an anti-diagonal j falls while i grows
    before = np.full(n + 1, np.inf)  # diagonal k - 1
    older = np.full(n + 1, np.inf)  # diagonal k - 2
    older[0] = 0.0 if combine is np.add else -np.inf  # the cell before the first one
    for k in range(n + m - 1):
        lo = max(0, k - m + 1, (k - width + 1) // 2)
        hi = min(n - 1, k, (k + width) // 2) + 1
        j = slice(m - 1 - k + lo, m - 1 - k + hi)
        dx = ax[lo:hi] - bx[j]
        dy = ay[lo:hi] - by[j]
        dx *= dx
        dy *= dy
        dx += dy
        np.sqrt(dx, out=dx)
        least = np.minimum(before[lo:hi], before[lo + 1 : hi + 1])
        np.minimum(least, older[lo:hi], out=least)
        older[lo] = np.inf  # its neighbours hold an older diagonal's values
        older[hi + 1 : hi + 2] = np.inf
        combine(dx, least, out=older[lo + 1 : hi + 1])
        before, older = older, before
    return float(before[n])
