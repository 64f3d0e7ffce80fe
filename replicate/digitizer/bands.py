"""Bands: areas in a curve's own colour, made faint, around the curve; their edges are its bounds.

A faint raw curve behind its smoothed one looks alike at first sight. Its edges jag against the smooth curve, while
those of a band run along with its curve, however noisy that is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from replicate.digitizer.model import FloatArray
from replicate.digitizer.trace import Trace

Shares = NDArray[np.float32]


@dataclass(frozen=True)
class BandSettings:
    """Thresholds of the search for bands.

    Attributes:
        least: Share of a pixel that is ink of the area or its curve.
        wider: How much wider than its curve's line a band is, as a factor.
        columns: Share of a curve's columns that its band must be seen in.
        jag: How far an edge may usually waver on its own, pixels.
        jag_share: The same, as a share of how far it wavers at all.
        bridge: Gaps in an area up to this many times the line's thickness are other curves that cross it.
    """

    least: float = 0.15
    wider: float = 1.8
    columns: float = 0.5
    jag: float = 0.5
    jag_share: float = 0.78
    bridge: float = 2.0


@dataclass(frozen=True, eq=False)
class Band:
    """A band around a curve, in pixels of the panel's interior.

    Attributes:
        columns: (n,) float64, ascending.
        top: (n,) float64, the row of its upper edge.
        bottom: (n,) float64, the row of its lower edge.
    """

    columns: FloatArray
    top: FloatArray
    bottom: FloatArray


def find_band(area: Shares, line: Shares, traced: Trace, settings: BandSettings | None = None) -> Band | None:
    """Return the band that an area forms around a curve, or None where it is none.

    Args:
        area: (h, w) float32, the faint colour's share of each pixel.
        line: (h, w) float32, the share of the curve's own colour.
        traced: The curve.
        settings: Thresholds.
    """
    settings = settings or BandSettings()
    columns = traced.columns.astype(int)
    both = np.maximum(area, line)
    rows = np.clip(np.rint(traced.rows).astype(int), 0, len(both) - 1)
    bridge = int(settings.bridge * traced.thickness) + 2
    top = _edge(both, columns, rows, -1, bridge, settings)
    bottom = _edge(both, columns, rows, 1, bridge, settings)
    width = bottom - top
    seen = np.isfinite(width) & (area[:, columns].max(axis=0) > 0.5)
    wide = seen & (width > settings.wider * traced.thickness + 1)
    if wide.sum() < max(settings.columns * len(columns), 8):
        return None
    if any(_jags(edge[wide], traced.rows[wide], traced.thickness, settings) for edge in (top, bottom)):
        return None
    return Band(traced.columns[seen], top[seen], bottom[seen])


def _jags(edge: FloatArray, rows: FloatArray, thickness: float, settings: BandSettings) -> bool:
    """Whether an edge wavers on its own rather than with its curve."""
    reach = 2 * int(2 * thickness) + 9
    own, line = _wavering(edge, reach), _wavering(rows, reach)
    apart = float(np.percentile(np.abs(own - line), 75))
    return apart > max(settings.jag, settings.jag_share * float(np.percentile(np.abs(own), 75)))


def _wavering(values: FloatArray, reach: int) -> FloatArray:
    """Return how far values are from their moving average."""
    reach = min(reach, len(values))
    box = np.full(reach, 1 / reach)
    return np.asarray((values - np.convolve(values, box, "same"))[reach // 2 : len(values) - reach // 2])


def _edge(
    ink: Shares,
    columns: NDArray[np.intp],
    rows: NDArray[np.intp],
    way: int,
    bridge: int,
    settings: BandSettings,
) -> FloatArray:
    """Return the row at which the ink around a curve ends, going up (way -1) or down (1), NaN off the ink."""
    height = len(ink)
    found = np.full(len(columns), np.nan)
    for i, (column, row) in enumerate(zip(columns.tolist(), rows.tolist(), strict=True)):
        strip = ink[row:, column] if way > 0 else ink[row::-1, column]
        solid = np.flatnonzero(strip > settings.least)
        if not len(solid) or solid[0] > bridge:
            continue
        gaps = np.flatnonzero(np.diff(solid) > bridge)
        last = int(solid[gaps[0]] if len(gaps) else solid[-1])
        before = strip[last - 1] if last else 1.0
        rim = float(strip[last]) if before > 0.5 else 1.0
        beyond = float(strip[last + 1]) if last + 1 < len(strip) else 0.0
        found[i] = row + way * (last - 0.5 + rim + beyond)
    return np.asarray(np.clip(found, 0, height - 1))


def bands_of(
    areas: Sequence[tuple[int, Shares]],
    curves: Sequence[tuple[int, Shares, Trace]],
    hues: Sequence[Sequence[int]],
) -> dict[int, tuple[int, Band]]:
    """Return which areas are bands: for the number of an area's colour, that of its curve, and the band.

    Args:
        areas: Colours that no legend names: their number, and their share of each pixel.
        curves: Colours of curves: their number, their share of each pixel, and the curve.
        hues: The numbers of the colours of one hue, the strongest first, for each hue.
    """
    found: dict[int, tuple[int, Band]] = {}
    for number, area in areas:
        hue = next(h for h in hues if number in h)
        stronger = set(hue[: hue.index(number)])
        for owner, line, traced in curves:
            band = find_band(area, line, traced) if owner in stronger else None
            if band:
                found[number] = (owner, band)
                break
    return found
