"""Calibrating an axis from tick marks that were drawn on whole pixels.

Rounding errors are bounded, not normal: every tick says that the true axis passes within half a pixel of it. The
axes that satisfy all ticks form a small convex polygon in (offset, slope), and its centroid is a better estimate
than least squares: its error falls with the number of ticks n as 1/n, not 1/sqrt(n).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from replicate.digitizer.model import AxisFit, FloatArray, TickMark

HALF = 0.5


def sharpen(fit: AxisFit, marks: Sequence[TickMark]) -> AxisFit:
    """Refit an axis whose ticks were all drawn on whole pixels, minor ticks of a log axis included.

    Args:
        fit: The axis as fitted by least squares.
        marks: The axis' marks.

    Returns:
        The axis at the centroid of all that agree with the ticks; the same axis where its ticks were not
        snapped, are fewer than three, or admit no common axis.
    """
    snapped = np.array([m.pixel for m in marks if m.snapped])
    used = [t for t in fit.ticks if t.used]
    if fit.scale == "category" or len(used) < 2 or not len(snapped):
        return fit
    if any(np.abs(snapped - t.pixel).min() > 1e-6 for t in used):
        return fit
    values = np.array([t.value for t in used])
    u, pixel = (np.log10(values) if fit.scale == "log" else values), np.array([t.pixel for t in used])
    if fit.scale == "log":
        u, pixel = _with_minor_ticks(fit, u, pixel, snapped)
    if len(u) < 3:
        return fit
    fitted = fit_rounded(u, pixel)
    if fitted is None:
        return fit
    offset, slope = fitted
    return replace(fit, intercept=-offset / slope, slope=1 / slope)


def _with_minor_ticks(
    fit: AxisFit, u: FloatArray, pixel: FloatArray, snapped: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Add the ticks at 2 to 9 times the powers of ten that stand where the fit expects them.

    An axis through two rounded ticks may be a pixel and more off beyond them, but never near to half the distance
    of the closest minor ticks, at 9 and 10.
    """
    extra = snapped[np.abs(snapped[:, None] - pixel[None, :]).min(axis=1) > 1]
    at = fit.intercept + fit.slope * extra
    decade = np.floor(at)
    digit = np.rint(10 ** (at - decade))
    expected = decade + np.log10(digit)
    closest = (1 - np.log10(9)) / abs(fit.slope)
    near = np.abs(expected - at) / abs(fit.slope) < min(1.5, 0.4 * closest)
    return np.concatenate((u, expected[near])), np.concatenate((pixel, extra[near]))


def fit_rounded(u: FloatArray, pixel: FloatArray) -> tuple[float, float] | None:
    """Fit pixel = offset + slope * u to ticks that were rounded to whole pixels.

    Args:
        u: (n,) tick values, log10 of them on a log axis; n >= 2, not all equal.
        pixel: (n,) where the ticks were drawn.

    Returns:
        (offset, slope) at the centroid of all axes within half a pixel of every tick, or None where there is
        no such axis.
    """
    centre, scale = float(u.mean()), float(np.ptp(u)) / 2
    if scale == 0:
        return None
    t = (u - centre) / scale
    slope, offset = np.polyfit(t, pixel, 1)
    polygon = [(-3.0, -3.0), (3.0, -3.0), (3.0, 3.0), (-3.0, 3.0)]  # departures from least squares, pixels
    residual = pixel - offset - slope * t
    for place, left in zip(t.tolist(), residual.tolist(), strict=True):
        for sign in (1.0, -1.0):  # sign * (d_offset + d_slope * place - left) <= HALF
            polygon = _clip(polygon, (sign, sign * place), HALF + 1e-9 + sign * left)
            if len(polygon) < 3:
                return None
    d_offset, d_slope = _centroid(polygon)
    slope_u = (slope + d_slope) / scale
    return float(offset + d_offset - slope_u * centre), float(slope_u)


Point = tuple[float, float]


def _clip(polygon: Sequence[Point], normal: Point, limit: float) -> list[Point]:
    """Cut a convex polygon to normal . p <= limit (Sutherland and Hodgman, 1974)."""
    kept: list[Point] = []
    for a, b in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
        inside_a = limit - normal[0] * a[0] - normal[1] * a[1]
        inside_b = limit - normal[0] * b[0] - normal[1] * b[1]
        if inside_a >= 0:
            kept.append(a)
        if inside_a * inside_b < 0:
            share = inside_a / (inside_a - inside_b)
            kept.append((a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])))
    return kept


def _centroid(polygon: Sequence[Point]) -> Point:
    """Return the centroid of a convex polygon; of its corners where it has no area."""
    x, y = np.array(polygon).T
    cross = x * np.roll(y, -1) - np.roll(x, -1) * y
    area = cross.sum() / 2
    if abs(area) < 1e-12:
        return float(x.mean()), float(y.mean())
    cx = ((x + np.roll(x, -1)) * cross).sum() / (6 * area)
    cy = ((y + np.roll(y, -1)) * cross).sum() / (6 * area)
    return float(cx), float(cy)
