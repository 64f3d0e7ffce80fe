"""The charts' numbers inside the page, compactly: what the page's script unpacks to zoom into, read off and save.

A column of numbers is rounded to a decimal step of at most a hundred-thousandth of its range (a positive column
over more than two decades: of its range in decades), which is far below what a drawing or a seed decides. The
whole steps are written as differences in base64 variable-length quantities, as source maps write theirs. Columns
that occur more than once, such as an x axis that curves share, are written once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from replicate.report.charts import LineChart, Series
from replicate.report.scales import FloatArray, Scale

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
FINENESS = 1e-5  # the largest step, as share of a column's range
FINEST = 1e-12  # the smallest step, as share of a column's largest value
WIDE = 100.0  # ratio of largest to smallest above which a positive column is stepped in decades

Packed = list[Any]


def chart_data(charts: Sequence[LineChart]) -> dict[str, Any]:
    """Return the charts as a JSON value: columns of numbers, and what refers to them by their position.

    Args:
        charts: The charts that a reader may explore.

    Returns:
        ``columns``, each as `pack` returns it, and ``charts`` by id: axes, series, their strands and bands.
    """
    columns: dict[bytes, int] = {}
    packed: list[Packed] = []

    def column(values: FloatArray) -> int:
        key = np.ascontiguousarray(values).tobytes()
        if key not in columns:
            columns[key] = len(packed)
            packed.append(pack(values))
        return columns[key]

    def series(item: Series) -> dict[str, Any]:
        return {
            "name": item.name,
            "css": item.ink.css,
            "seeds": list(item.seeds),
            "strands": [[column(x), column(y)] for x, y in item.strands],
            "band": [column(v) for v in item.band] if item.band is not None else None,
        }

    found = {
        c.id: {"title": c.title, "x": _axis(c.x), "y": _axis(c.y), "series": [series(s) for s in c.series]}
        for c in charts
    }
    return {"columns": packed, "charts": found}


def _axis(scale: Scale) -> dict[str, Any]:
    """Return an axis as a JSON value."""
    axis: dict[str, Any] = {"label": scale.label, "low": scale.low, "high": scale.high, "log": scale.log}
    if scale.marks:
        axis |= {"marks": scale.marks, "dates": scale.dates}
    return axis


def pack(values: FloatArray) -> Packed:
    """Return a column as ``[exponent, log, text]``, and the positions of missing values where there are any.

    A value is ``n * 10**exponent`` for the running sum n of the differences in ``text``; where ``log`` is 1, ten
    to the power of that.

    Args:
        values: (n,) float64; what is not finite counts as missing.
    """
    known = np.isfinite(values)
    u = values[known]
    log = bool(u.size and u.min() > 0 and u.max() > WIDE * u.min())
    u = np.log10(u) if log else u
    exponent = _exponent(u)
    steps = np.rint(u / 10.0**exponent if exponent >= 0 else u * 10.0**-exponent).astype(np.int64)
    filled = np.zeros(len(values), dtype=np.int64)
    if u.size:  # a missing value repeats the one before it, for a difference of nothing is short
        filled = steps[np.maximum(np.cumsum(known) - 1, 0)]
    text = "".join(_quantity(d) for d in np.diff(filled, prepend=0).tolist())
    gaps = np.flatnonzero(~known).tolist()
    return [exponent, int(log), text, gaps] if gaps else [exponent, int(log), text]


def _exponent(values: FloatArray) -> int:
    """Return the power of ten of a column's step; whole numbers stay whole."""
    if not values.size:
        return 0
    peak = float(np.abs(values).max())
    step = max(float(np.ptp(values)) * FINENESS, peak * FINEST)
    exponent = math.floor(math.log10(step)) if step > 0 else 0
    whole = peak < 2**53 and bool((values == np.rint(values)).all())
    return min(exponent, 0) if whole else exponent


def _quantity(difference: int) -> str:
    """Return a whole number as base64 digits: five bits each, the lowest first and the sign lowest of all."""
    rest = -2 * difference + 1 if difference < 0 else 2 * difference
    digits = []
    while rest >= 32:
        digits.append(DIGITS[rest % 32 + 32])
        rest //= 32
    return "".join(digits) + DIGITS[rest]
