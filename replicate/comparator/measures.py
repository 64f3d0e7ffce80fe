"""The distances between two curves, as exact integrals of straight pieces where that is possible.

Each takes many readings of the same two curves at once, along the leading axes of y, and returns a number for each.
"""

from __future__ import annotations

import numpy as np

from replicate.comparator.align import Pair, thinned
from replicate.comparator.elastic import frechet_of, warping_of
from replicate.comparator.settings import Settings
from replicate.curves import FloatArray

# The values that a measure can take at all, where they are bounded.
SHARES = ("below",)
SIGNED = ("mean_difference", "area_ratio", "max_gap_at")


def integrals(pair: Pair, reach: float, settings: Settings) -> dict[str, FloatArray]:
    """Return every distance between two curves as functions of x.

    Args:
        pair: The curves on one axis, one or many readings of them.
        reach: The range of y by which distances are normalised.
        settings: The comparison's settings.

    Returns:
        By the names in `replicate.comparator.compare.Comparison`, an array of the shape of the readings each; NaN
        where a number does not exist (logarithms of values that are not positive, a ratio to nothing).
    """
    x, gap = pair.x, pair.ya - pair.yb
    length = float(x[-1] - x[0])
    area, square = _area_between(x, gap), np.sqrt(_square_integral(x, gap) / length)
    largest = np.abs(gap).argmax(axis=-1)
    under = np.trapezoid(pair.yb, x)
    log_square, log_area = _decades(pair, length)
    greatest = np.abs(gap).max(axis=-1)
    return {
        "rmse": square,
        "rmse_share": square / reach,
        "rmse_decades": log_square,
        "mean_difference": np.trapezoid(gap, x) / length,
        "mean_absolute": area / length,
        "mean_absolute_share": area / length / reach,
        "mean_absolute_decades": log_area,
        "area_between": area,
        "area_ratio": np.where(
            under != 0, np.trapezoid(pair.ya, x) / np.where(under != 0, under, 1.0), np.nan
        ),
        "max_gap": greatest,
        "max_gap_share": greatest / reach,
        "max_gap_at": x[largest],
        "below": _share_below(x, gap),
        "crossings": _crossings(gap, settings.crossing),
    }


def path_distances(pair: Pair, reach: float, settings: Settings) -> dict[str, FloatArray]:
    """Return the distances of two curves as paths: as they are, and with both axes scaled to 0 to 1.

    Arguments and result are as those of `integrals`.
    """
    (ax, ay), (bx, by) = pair.a, pair.b
    length = float(pair.x[-1] - pair.x[0])
    scaled = (ax / length, ay / reach, bx / length, by / reach)
    return {
        "frechet": frechet_of(ax, ay, bx, by),
        "frechet_share": frechet_of(*scaled),
        "warping": warping_of(ax, ay, bx, by, settings.band),
        "warping_share": warping_of(*scaled, settings.band) / max(len(ax), len(bx)),
    }


def path_changes(pair: Pair, plain: Pair, reach: float, settings: Settings) -> dict[str, FloatArray]:
    """Return by how much the distances of redrawn paths differ from those of the paths as they were read.

    Both are taken on at most `vertices` points of each curve, which is enough for the difference; the sum that time
    warping gives grows with the number of points, and its difference is scaled accordingly.
    """
    thin, base = (
        p._replace(a=thinned(p.a, settings.vertices), b=thinned(p.b, settings.vertices))
        for p in (pair, plain)
    )
    there, read = path_distances(thin, reach, settings), path_distances(base, reach, settings)
    changes = {name: there[name] - read[name] for name in there}
    changes["warping"] *= max(len(plain.a.x), len(plain.b.x)) / max(len(base.a.x), len(base.b.x))
    return changes


def _area_between(x: FloatArray, gap: FloatArray) -> FloatArray:
    """Return the integral of |gap|, exact for straight pieces: where the gap changes sign, two triangles."""
    g0, g1, h = gap[..., :-1], gap[..., 1:], np.diff(x)
    total = np.abs(g0) + np.abs(g1)
    crossed = g0 * g1 < 0
    triangles = (g0**2 + g1**2) / np.where(total > 0, total, 1.0)
    area: FloatArray = (h * np.where(crossed, triangles, total) / 2).sum(axis=-1)
    return area


def _square_integral(x: FloatArray, gap: FloatArray) -> FloatArray:
    """Return the integral of gap², exact for straight pieces."""
    g0, g1 = gap[..., :-1], gap[..., 1:]
    integral: FloatArray = (np.diff(x) * (g0**2 + g0 * g1 + g1**2)).sum(axis=-1) / 3
    return integral


def _decades(pair: Pair, length: float) -> tuple[FloatArray, FloatArray]:
    """Return RMSE and mean absolute difference of log10 y; NaN where a value is not positive."""
    logs = [np.log10(np.where(y > 0, y, np.nan)) for y in (pair.ya, pair.yb)]
    gap = logs[0] - logs[1]
    return np.sqrt(_square_integral(pair.x, gap) / length), _area_between(pair.x, gap) / length


def _share_below(x: FloatArray, gap: FloatArray) -> FloatArray:
    """Return the share of the axis on which the gap is negative, exact for straight pieces."""
    g0, g1, h = gap[..., :-1], gap[..., 1:], np.diff(x)
    apart = np.where(g0 != g1, g0 - g1, 1.0)
    zero = np.clip(g0 / apart, 0.0, 1.0)  # where in the piece the gap is 0
    share = np.where(g0 < 0, np.where(g1 <= 0, 1.0, zero), np.where(g1 < 0, 1.0 - zero, 0.0))
    below: FloatArray = (share * h).sum(axis=-1) / h.sum()
    return below


def _crossings(gap: FloatArray, least: float) -> FloatArray:
    """Return how often the gap changes sign, wiggles below a share of the largest gap apart."""
    rows = gap.reshape(-1, gap.shape[-1])
    counts = [len(_turns(row, least)) for row in rows]
    return np.array(counts, np.float64).reshape(gap.shape[:-1])


def _turns(gap: FloatArray, least: float) -> list[tuple[int, int]]:
    """Return the pairs of points, one on each side, between which a gap changes sign for good."""
    kept = np.flatnonzero(np.abs(gap) > least * np.abs(gap).max())
    sides = np.sign(gap[kept])
    return [(int(kept[i]), int(kept[i + 1])) for i in np.flatnonzero(np.diff(sides))]


def crossings_at(x: FloatArray, gap: FloatArray, least: float) -> tuple[float, ...]:
    """Return where one reading's gap changes sign, wiggles apart: at the last zero before it is on the other side."""
    found = []
    for first, last in _turns(gap, least):
        side = np.sign(gap[last])
        i = max(k for k in range(first, last) if np.sign(gap[k]) != side)
        found.append(float(x[i] + (x[i + 1] - x[i]) * gap[i] / (gap[i] - gap[i + 1])))
    return tuple(found)
