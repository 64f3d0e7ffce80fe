"""Curves as path data."""

from __future__ import annotations

import re

import numpy as np

from replicate.report.paths import band_path, line_path, thin


def points(path: str) -> list[tuple[float, float]]:
    """Return the absolute points of one polyline of the report's own form."""
    start, _, steps = path.removeprefix("M").partition("l")
    place = tuple(float(v) for v in start.split())
    places = [place]
    numbers = [float(v) for v in steps.split()]
    for dx, dy in zip(numbers[::2], numbers[1::2], strict=True):
        place = (place[0] + dx, place[1] + dy)
        places.append(place)
    return [(round(x, 1), round(y, 1)) for x, y in places]


def test_a_short_line_is_exact() -> None:
    assert line_path(np.array([0.0, 1.25, 3.0]), np.array([10.0, 9.5, 12.0])) == "M0 10l1.2 -.5 1.8 2.5"


def test_thinning_keeps_every_spike_and_both_ends() -> None:
    x = np.linspace(0, 10, 1001)
    y = np.zeros(1001)
    y[437], y[512] = 5.0, -7.0
    kept = thin(x, y)
    assert {0, 437, 512, 1000} <= set(kept.tolist())
    assert len(kept) <= 2 * 11 + 2


def test_rounding_does_not_drift() -> None:
    x = np.arange(0, 300, 0.34)
    y = np.sin(x) * 40 + 0.0333
    kept = thin(x, y)
    drawn = points(line_path(x, y))
    assert drawn[-1] == (round(float(x[-1]), 1), round(float(y[-1]), 1))
    assert len(drawn) == len(kept)


def test_a_gap_breaks_the_line() -> None:
    y = np.array([1.0, 2.0, np.nan, 3.0, 4.0])
    assert line_path(np.arange(5.0), y) == "M0 1l1 1M3 3l1 1"


def test_nothing_to_draw() -> None:
    assert line_path(np.array([1.0]), np.array([np.nan])) == ""


def test_a_reading_that_stands_alone_is_a_cross() -> None:
    assert line_path(np.array([1.0]), np.array([2.0])) == "M1 2m-2 0h4m-2 -2v4"


def test_a_band_is_closed() -> None:
    path = band_path(np.array([0.0, 2.0]), np.array([0.0, 0.0]), np.array([5.0, 6.0]))
    assert path == "M0 0l2 0 0 6 -2 -1z"
    assert not re.search(r"nan|inf", path)
