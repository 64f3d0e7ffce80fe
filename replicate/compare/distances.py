"""The distances between two curves, as exact integrals of straight pieces where that is possible."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from replicate.claims import Line
from replicate.compare.align import Alignment, align
from replicate.compare.elastic import discrete_frechet, time_warping
from replicate.curves import Curve, FloatArray
from replicate.errors import InputError


@dataclass(frozen=True)
class Settings:
    """How curves are compared.

    Attributes:
        levels: Losses at which steps are compared when curves are aligned by loss.
        band: How far dynamic time warping may stray from the diagonal, as share of the longer curve.
        crossing: Share of the largest gap beyond which the curves count as having changed places.
    """

    levels: int = 101
    band: float = 0.1
    crossing: float = 0.02


@dataclass(frozen=True)
class Comparison:
    """How far curve A lies from curve B over the stretch that both have.

    Distances are in units of y (in steps where curves are aligned by loss); a `_share` is relative to the range of
    y of both curves together; decades are of log10 y, None where a value is not positive.

    Attributes:
        a: Name of the first curve.
        b: Name of the second.
        alignment: "steps", "share" or "loss".
        start: Where the common stretch begins, on the aligned axis.
        end: Where it ends.
        rmse: Root mean square difference over the stretch.
        rmse_share: The same, share of the range of y.
        rmse_decades: The same of log10 y.
        mean_difference: Mean of A minus B; negative where A is lower.
        mean_absolute: Mean absolute difference.
        mean_absolute_decades: The same of log10 y.
        area_between: Area between the curves, y times the axis.
        area_ratio: Area under A over area under B, down to y = 0; None where that under B is none.
        max_gap: Largest absolute difference.
        max_gap_at: Where it is, on the aligned axis.
        frechet: Discrete Fréchet distance of the curves' own points, as they are (units of both axes mixed).
        frechet_share: The same with both axes scaled to 0 to 1 by the range of both curves.
        warping: Dynamic time warping distance a point, both axes scaled to 0 to 1, within the band.
        below: Share of the stretch in which A lies below B.
        crossings: How often they change places.
    """

    a: str
    b: str
    alignment: Alignment
    start: float
    end: float
    rmse: float
    rmse_share: float
    rmse_decades: float | None
    mean_difference: float
    mean_absolute: float
    mean_absolute_decades: float | None
    area_between: float
    area_ratio: float | None
    max_gap: float
    max_gap_at: float
    frechet: float
    frechet_share: float
    warping: float
    below: float
    crossings: int


def compare_curves(
    a: Curve, b: Curve, how: Alignment = "steps", settings: Settings | None = None
) -> Comparison:
    """Return the distances between two curves.

    Args:
        a: The first curve.
        b: The second.
        how: How they are aligned (see `replicate.compare.align.align`).
        settings: The comparison's settings.

    Raises:
        InputError: A curve holds no numbers, or the two share no stretch.
    """
    settings = settings or Settings()
    pair = align(_line(a), _line(b), how, settings.levels)
    x, ya, yb = pair.x, pair.ya, pair.yb
    length = float(x[-1] - x[0])
    gap = ya - yb
    area = _area_between(x, gap)
    low, high = min(ya.min(), yb.min()), max(ya.max(), yb.max())
    reach = float(high - low) or 1.0
    under = float(np.trapezoid(yb, x))
    logs = _decades(x, ya, yb, length)
    at = int(np.abs(gap).argmax())
    points = [np.column_stack([line.x, line.y]) for line in (pair.a, pair.b)]
    scaled = [(p - [x[0], low]) / [length, reach] for p in points]
    rmse = math.sqrt(_square_integral(x, gap) / length)
    sign = -1.0 if how == "loss" else 1.0  # the aligned axis runs through falling losses
    return Comparison(
        a=a.name,
        b=b.name,
        alignment=how,
        start=sign * float(x[0]),
        end=sign * float(x[-1]),
        rmse=rmse,
        rmse_share=rmse / reach,
        rmse_decades=logs[0] if logs else None,
        mean_difference=float(np.trapezoid(gap, x)) / length,
        mean_absolute=area / length,
        mean_absolute_decades=logs[1] if logs else None,
        area_between=area,
        area_ratio=float(np.trapezoid(ya, x)) / under if under else None,
        max_gap=float(abs(gap[at])),
        max_gap_at=sign * float(x[at]),
        frechet=discrete_frechet(points[0], points[1]),
        frechet_share=discrete_frechet(scaled[0], scaled[1]),
        warping=time_warping(scaled[0], scaled[1], settings.band) / max(len(p) for p in points),
        below=_share_below(x, gap),
        crossings=_crossings(gap, settings.crossing),
    )


def _line(curve: Curve) -> Line:
    """Return a curve's numbers."""
    line = Line.of_curve(curve)
    if line is None or len(line.x) < 2:
        raise InputError(f"curve {curve.name!r} holds fewer than two numbers", "compare another one")
    return line


def _area_between(x: FloatArray, gap: FloatArray) -> float:
    """Return the integral of |gap|, exact for straight pieces: where the gap changes sign, two triangles."""
    g0, g1, h = gap[:-1], gap[1:], np.diff(x)
    total = np.abs(g0) + np.abs(g1)
    crossed = g0 * g1 < 0
    triangles = (g0**2 + g1**2) / np.where(total > 0, total, 1.0)
    return float((h * np.where(crossed, triangles, total) / 2).sum())


def _square_integral(x: FloatArray, gap: FloatArray) -> float:
    """Return the integral of gap², exact for straight pieces."""
    g0, g1 = gap[:-1], gap[1:]
    return float((np.diff(x) * (g0**2 + g0 * g1 + g1**2)).sum() / 3)


def _decades(x: FloatArray, ya: FloatArray, yb: FloatArray, length: float) -> tuple[float, float] | None:
    """Return RMSE and mean absolute difference of log10 y; None where a value is not positive."""
    if min(ya.min(), yb.min()) <= 0:
        return None
    gap = np.log10(ya) - np.log10(yb)
    return math.sqrt(_square_integral(x, gap) / length), _area_between(x, gap) / length


def _share_below(x: FloatArray, gap: FloatArray) -> float:
    """Return the share of the axis on which the gap is negative, exact for straight pieces."""
    g0, g1, h = gap[:-1], gap[1:], np.diff(x)
    apart = np.where(g0 != g1, g0 - g1, 1.0)
    zero = np.clip(g0 / apart, 0.0, 1.0)  # where in the piece the gap is 0
    share = np.where(g0 < 0, np.where(g1 <= 0, 1.0, zero), np.where(g1 < 0, 1.0 - zero, 0.0))
    return float((share * h).sum() / h.sum())


def _crossings(gap: FloatArray, least: float) -> int:
    """Return how often the gap changes sign, wiggles below a share of the largest gap apart."""
    sides = np.sign(gap[np.abs(gap) > least * np.abs(gap).max()])
    return int((np.diff(sides) != 0).sum())
