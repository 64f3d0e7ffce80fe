"""Distances have their exact values, and the elastic ones those of an independent implementation."""

from __future__ import annotations

import math

import numpy as np
import pytest

from replicate.claims import Line
from replicate.compare import compare_curves, match_series
from replicate.compare.align import align
from replicate.compare.elastic import discrete_frechet, time_warping
from replicate.curves import Curve, CurveSet
from replicate.errors import InputError


def curve(name: str, x: list[float], y: list[float]) -> Curve:
    return Curve.from_points(name, x, y)


def table_frechet(a: np.ndarray, b: np.ndarray) -> float:
    """Return the discrete Fréchet distance by filling the whole table, cell by cell."""
    cells = np.full((len(a) + 1, len(b) + 1), np.inf)
    cells[0, 0] = -np.inf
    for i in range(len(a)):
        for j in range(len(b)):
            least = min(cells[i, j], cells[i, j + 1], cells[i + 1, j])
            cells[i + 1, j + 1] = max(math.dist(a[i], b[j]), least)
    return float(cells[-1, -1])


def table_warping(a: np.ndarray, b: np.ndarray, width: int) -> float:
    """Return the dynamic time warping distance by filling the band of the table, cell by cell."""
    cells = np.full((len(a) + 1, len(b) + 1), np.inf)
    cells[0, 0] = 0.0
    for i in range(len(a)):
        for j in range(len(b)):
            if abs(i - j) <= width:
                least = min(cells[i, j], cells[i, j + 1], cells[i + 1, j])
                cells[i + 1, j + 1] = math.dist(a[i], b[j]) + least
    return float(cells[-1, -1])


@pytest.mark.parametrize(("n", "m"), [(1, 1), (1, 7), (7, 1), (2, 2), (13, 13), (20, 9), (9, 20)])
def test_elastic_distances_are_those_of_the_whole_table(n: int, m: int) -> None:
    rng = np.random.default_rng(n * 100 + m)
    a, b = rng.normal(size=(n, 2)), rng.normal(size=(m, 2))
    assert discrete_frechet(a, b) == pytest.approx(table_frechet(a, b), abs=1e-12)
    assert time_warping(a, b) == pytest.approx(table_warping(a, b, 99), abs=1e-12)
    for band in (0.0, 0.1, 0.3):
        width = max(math.ceil(band * max(n, m)), abs(n - m))
        assert time_warping(a, b, band) == pytest.approx(table_warping(a, b, width), abs=1e-12)


def test_without_a_band_pairs_may_not_stray_at_all() -> None:
    a, b = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]), np.array([[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]])
    assert time_warping(a, b, band=0.0) == 3.0 + 4.0 + 5.0


def test_parallel_lines_are_their_distance_apart() -> None:
    found = compare_curves(curve("a", [0, 10], [4, 2]), curve("b", [0, 5, 10], [5, 4, 3]))
    assert (found.start, found.end) == (0.0, 10.0)
    assert (found.rmse, found.mean_absolute, found.mean_difference) == (1.0, 1.0, -1.0)
    assert (found.area_between, found.max_gap, found.area_ratio) == (10.0, 1.0, 0.75)
    assert found.rmse_share == pytest.approx(1 / 3)
    assert (found.below, found.crossings) == (1.0, 0)
    assert found.frechet_share > 0
    assert found.frechet == 5.0  # (5, 4) is five steps from (0, 4)


def test_a_crossing_is_two_triangles() -> None:
    found = compare_curves(curve("a", [0, 4], [1, 3]), curve("b", [0, 4], [2, 2]))
    assert found.area_between == 2.0
    assert found.mean_difference == 0.0
    assert found.rmse == pytest.approx(math.sqrt(1 / 3))
    assert (found.below, found.crossings) == (0.5, 1)


def test_logs_are_left_out_where_a_value_is_not_positive() -> None:
    found = compare_curves(curve("a", [0, 1], [1, 0]), curve("b", [0, 1], [1, 1]))
    assert found.rmse_decades is None
    assert found.mean_absolute_decades is None
    decade = compare_curves(curve("a", [0, 1], [10, 10]), curve("b", [0, 1], [1, 1]))
    assert decade.rmse_decades == pytest.approx(1.0)


def test_only_the_common_stretch_is_compared() -> None:
    found = compare_curves(curve("a", [0, 10], [0, 10]), curve("b", [4, 20], [4, 20]))
    assert (found.start, found.end, found.rmse) == (4.0, 10.0, 0.0)


def test_runs_of_other_lengths_meet_by_share() -> None:
    long, short = curve("a", [0, 1000, 2000], [9, 5, 3]), curve("b", [0, 10, 20], [9, 5, 3])
    assert compare_curves(long, short, "share").rmse == 0.0
    assert compare_curves(long, short, "steps").rmse > 0


def test_by_loss_the_distance_is_in_steps() -> None:
    slow, fast = curve("a", [0, 20, 40], [8, 6, 4]), curve("b", [0, 10, 20], [8, 6, 4])
    found = compare_curves(slow, fast, "loss")
    assert (found.start, found.end) == (8.0, 4.0)
    assert (found.max_gap, found.max_gap_at) == (20.0, 4.0)
    pair = align(Line.of(slow.x, slow.y), Line.of(fast.x, fast.y), "loss", 5)
    assert pair.ya.tolist() == pytest.approx((2 * pair.yb).tolist())


def test_curves_that_share_nothing_are_refused() -> None:
    with pytest.raises(InputError, match="share no stretch of steps"):
        compare_curves(curve("a", [0, 1], [1, 0]), curve("b", [2, 3], [1, 0]))
    with pytest.raises(InputError, match="share no stretch of loss"):
        compare_curves(curve("a", [0, 1], [9, 8]), curve("b", [0, 1], [3, 2]), "loss")
    with pytest.raises(InputError, match="fewer than two"):
        compare_curves(curve("a", [0, 1], [1, 0]), curve("b", [0], [1]))


def test_series_are_paired_by_name_or_by_a_person() -> None:
    a = CurveSet((curve("x=1", [0, 1], [1, 0]), curve("old", [0, 1], [1, 0])))
    b = CurveSet((curve("old", [0, 1], [1, 0]), curve("new", [0, 1], [1, 0])))
    assert [(p.name, q.name) for p, q in match_series(a, b)] == [("old", "old")]
    assert [(p.name, q.name) for p, q in match_series(a, b, ["x=1=new"])] == [("x=1", "new")]
    with pytest.raises(InputError, match="has no ="):
        match_series(a, b, ["old"])
    with pytest.raises(InputError, match="names no series of both tables"):
        match_series(a, b, ["old=older"])
    with pytest.raises(InputError, match="no series of the same name"):
        match_series(a, CurveSet((curve("new", [0, 1], [1, 0]),)))
