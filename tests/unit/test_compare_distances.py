"""Distances have their exact values, and the elastic ones those of an independent implementation."""

from __future__ import annotations

import math
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

import replicate
from replicate.claims import Line
from replicate.comparator import Settings, compare_curves, compare_tables, group_series, match_series
from replicate.comparator.align import by_loss
from replicate.comparator.elastic import discrete_frechet, frechet_of, time_warping, warping_of
from replicate.curves import Curve, CurveSet, Run, write_curves
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


def test_many_readings_at_once_are_each_their_own() -> None:
    rng = np.random.default_rng(3)
    ax, bx = np.sort(rng.uniform(size=11)), np.sort(rng.uniform(size=17))
    ay, by = rng.normal(size=(5, 11)), rng.normal(size=(5, 17))
    pairs = [(np.column_stack([ax, ay[i]]), np.column_stack([bx, by[i]])) for i in range(5)]
    assert frechet_of(ax, ay, bx, by).tolist() == [discrete_frechet(a, b) for a, b in pairs]
    assert warping_of(ax, ay, bx, by, 0.2).tolist() == [time_warping(a, b, 0.2) for a, b in pairs]


@pytest.mark.parametrize("seed", range(5))
def test_distances_are_those_of_an_independent_implementation(seed: int) -> None:
    similar = pytest.importorskip("similaritymeasures", reason="pip install similaritymeasures")
    rng = np.random.default_rng(seed)
    x = np.linspace(0.0, 3.0, 60)
    a = np.column_stack([x, np.exp(-x) + rng.normal(0, 0.1, 60)])
    b = np.column_stack([np.linspace(0.0, 3.0, 45), rng.normal(0.5, 0.1, 45)])
    assert discrete_frechet(a, b) == pytest.approx(similar.frechet_dist(a, b), abs=1e-9)
    assert time_warping(a, b) == pytest.approx(similar.dtw(a, b)[0], abs=1e-9)
    above = np.column_stack([x, a[:, 1] + rng.uniform(0.01, 1.0, 60)])  # quadrilaterals as wide as the gap
    found = compare_curves(curve("a", *a.T.tolist()), curve("b", *above.T.tolist()))
    assert found.area_between == pytest.approx(similar.area_between_two_curves(a, above), abs=1e-9)
    assert found.frechet == pytest.approx(similar.frechet_dist(a, above), abs=1e-9)
    level = np.column_stack([x, a[:, 1] + 0.25])  # a gap that is the same everywhere: integrals are means
    found = compare_curves(curve("a", *a.T.tolist()), curve("b", *level.T.tolist()))
    assert found.mean_absolute == pytest.approx(
        2 * similar.mae(a, level), abs=1e-9
    )  # it halves: x has no error
    assert found.rmse**2 == pytest.approx(2 * similar.mse(a, level), abs=1e-9)


def test_without_a_band_pairs_may_not_stray_at_all() -> None:
    a, b = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]), np.array([[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]])
    assert time_warping(a, b, band=0.0) == 3.0 + 4.0 + 5.0


def test_parallel_lines_are_their_distance_apart() -> None:
    found = compare_curves(curve("a", [0, 10], [4, 2]), curve("b", [0, 5, 10], [5, 4, 3]))
    assert (found.start, found.end) == (0.0, 10.0)
    assert (found.rmse, found.mean_absolute, found.mean_difference) == (1.0, 1.0, -1.0)
    assert (found.area_between, found.max_gap, found.area_ratio) == (10.0, 1.0, 0.75)
    assert found.rmse_share == found.mean_absolute_share == found.max_gap_share == pytest.approx(1 / 3)
    assert found.warping == 1.0 + math.dist((5, 4), (0, 4)) + 1.0
    assert found.warping_share == pytest.approx((1 / 3 + math.dist((0.5, 0), (0, 0)) + 1 / 3) / 3)
    assert (found.pairs, found.intervals) == (1, {})
    assert (found.below, found.crossings) == (1.0, 0)
    assert found.frechet_share > 0
    assert found.frechet == 5.0  # (5, 4) is five steps from (0, 4)


def test_a_crossing_is_two_triangles() -> None:
    found = compare_curves(curve("a", [0, 4], [1, 3]), curve("b", [0, 4], [2, 2]))
    assert found.area_between == 2.0
    assert found.mean_difference == 0.0
    assert found.rmse == pytest.approx(math.sqrt(1 / 3))
    assert (found.below, found.crossings, found.crossings_at) == (0.5, 1, (2.0,))


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
    levels = np.linspace(8.0, 4.0, 5)
    steps = [by_loss(Line.of(c.x, c.y), c.y, levels).y for c in (slow, fast)]
    assert steps[0].tolist() == pytest.approx((2 * steps[1]).tolist())
    assert found.below == 0.0


def test_curves_that_share_nothing_are_refused() -> None:
    with pytest.raises(InputError, match="share no stretch of steps"):
        compare_curves(curve("a", [0, 1], [1, 0]), curve("b", [2, 3], [1, 0]))
    with pytest.raises(InputError, match="share no stretch of loss"):
        compare_curves(curve("a", [0, 1], [9, 8]), curve("b", [0, 1], [3, 2]), "loss")
    with pytest.raises(InputError, match="fewer than two"):
        compare_curves(curve("a", [0, 1], [1, 0]), curve("b", [0], [1]))


def test_series_are_paired_by_name_or_by_a_person() -> None:
    a = group_series(CurveSet((curve("x=1", [0, 1], [1, 0]), curve("old", [0, 1], [1, 0]))))
    b = group_series(CurveSet((curve("old", [0, 1], [1, 0]), curve("new", [0, 1], [1, 0]))))
    assert [(p.name, q.name) for p, q in match_series(a, b)] == [("old", "old")]
    assert [(p.name, q.name) for p, q in match_series(a, b, ["x=1=new"])] == [("x=1", "new")]
    with pytest.raises(InputError, match="has no ="):
        match_series(a, b, ["old"])
    with pytest.raises(InputError, match="names no series of both tables"):
        match_series(a, b, ["old=older"])
    with pytest.raises(InputError, match="no series of the same name"):
        match_series(a, group_series(CurveSet((curve("new", [0, 1], [1, 0]),))))


def runs(name: str, arm: str, ends: list[float], split: str = "val", first: int = 0) -> tuple[Curve, ...]:
    """Return a straight fall from 9 a seed, to these ends."""
    return tuple(
        Curve.from_points(name, [0, 100], [9, end], run=Run(arm, k, split))
        for k, end in enumerate(ends, first)
    )


def test_the_seeds_of_an_arm_are_one_series_of_the_preferred_split() -> None:
    curves = CurveSet(
        (
            *runs("Old", "old", [4, 5]),
            *runs("Old", "old", [1, 1], "train"),
            *runs("New", "new", [3, 4]),
            *runs("New", "new@lr=1", [2, 2]),
            curve("Old (lower)", [0, 1], [0, 0]),
        )
    )
    assert {n: len(g.lines) for n, g in group_series(curves).items()} == {
        "Old": 2,
        "New [new]": 2,
        "New [new@lr=1]": 2,
    }
    assert group_series(curves)["Old"].lines[0].y.tolist() == [9, 4]
    assert group_series(curves, "train")["Old"].lines[0].y.tolist() == [9, 1]


def test_seeds_are_paired_and_give_students_interval() -> None:
    a, b = CurveSet(runs("loss", "a", [4.0, 5.0, 6.0])), CurveSet(runs("loss", "b", [3.0, 3.5, 4.0]))
    (found,) = compare_tables(a, b, settings=Settings(means=20_000))
    # Gaps of 1, 1.5 and 2 at the end are mean differences of half: 0.75 with a standard error of 0.25 / sqrt(3).
    assert (found.pairs, found.mean_difference, found.max_gap_at) == (3, 0.75, 100.0)
    half = 4.302653 * 0.25 / math.sqrt(3)
    assert found.intervals["mean_difference"] == pytest.approx((0.75 - half, 0.75 + half), abs=0.03)
    assert found.intervals["below"] == (0.0, 0.0)
    assert found.intervals["rmse"][0] >= 0
    assert set(found.intervals) >= {
        "frechet",
        "warping",
        "crossings",
        "rmse_decades",
        "area_ratio",
        "max_gap_at",
    }


def test_a_figure_is_held_against_every_seed() -> None:
    figure, rerun = CurveSet((curve("loss", [0, 1000], [9, 4]),)), CurveSet(runs("loss", "a", [3.0, 5.0]))
    (found,) = compare_tables(figure, rerun, "share")
    assert (found.pairs, found.mean_difference, found.mean_absolute) == (2, 0.0, 0.5)
    with pytest.raises(InputError, match="share no seed"):
        compare_tables(rerun, CurveSet(runs("loss", "a", [3.0, 5.0], first=7)))


def test_reading_bounds_become_an_interval_and_the_same_seed_gives_the_same() -> None:
    x = np.linspace(0, 10, 50)
    read = Curve.from_points("loss", x, 5 - x / 4, 4.9 - x / 4, 5.1 - x / 4)
    sure = curve("loss", [0, 10], [4.0, 1.5])
    found = compare_curves(read, sure, settings=Settings(draws=400))
    low, high = found.intervals["mean_difference"]
    # Eight independent errors of up to 0.1: the mean's standard deviation is near 0.1 / sqrt(3 * 8).
    assert low == pytest.approx(1 - 1.96 * 0.1 / math.sqrt(24), abs=0.01)
    assert high == pytest.approx(1 + 1.96 * 0.1 / math.sqrt(24), abs=0.01)
    assert found == compare_curves(read, sure, settings=Settings(draws=400))
    assert found.intervals != compare_curves(read, sure, settings=Settings(draws=400, seed=1)).intervals
    by_level = compare_curves(read, sure, "loss").intervals["mean_difference"]
    assert by_level[0] < by_level[1]


def test_intervals_do_not_hang_on_how_they_are_computed() -> None:
    x = np.linspace(0, 10, 120)
    read = Curve.from_points("loss", x, 5 - x / 4, 4.9 - x / 4, 5.1 - x / 4)
    other = Curve.from_points("loss", x, 4 - x / 5)
    whole = compare_curves(read, other, settings=Settings(draws=50))
    parts = compare_curves(read, other, settings=Settings(draws=50, cells=1000))
    for name, interval in whole.intervals.items():
        assert parts.intervals[name] == pytest.approx(interval), name
    thin = compare_curves(read, other, settings=Settings(draws=50, vertices=40))
    for name in ("frechet", "frechet_share", "warping", "warping_share"):
        assert thin.intervals[name] == pytest.approx(whole.intervals[name], rel=0.05)


def test_runs_of_other_batches_meet_by_tokens() -> None:
    a, b = CurveSet((curve("a", [0, 100], [9, 5]),)), CurveSet((curve("a", [0, 400], [9, 5]),))
    (found,) = compare_tables(a, b, "tokens", tokens=(4096, 1024))
    assert (found.start, found.end, found.rmse) == (0, 409_600, 0)
    with pytest.raises(InputError, match="tokens of a step are not known"):
        compare_tables(a, b, "tokens")


def test_the_package_compares_tables_or_their_files(tmp_path: Path) -> None:
    a, b = CurveSet((curve("a", [0, 1], [3, 2]),)), CurveSet((curve("b", [0, 1], [2, 1]),))
    paths = write_curves(tmp_path / "a.csv", a), write_curves(tmp_path / "b.csv", b)
    (found,) = replicate.compare(str(paths[0]), paths[1], match=["a=b"])
    assert found.rmse == 1.0
    assert replicate.compare(a, b, match=["a=b"]) == [found]


def test_memory_grows_with_the_points_not_with_their_square() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 2000, 2))
    tracemalloc.start()
    assert discrete_frechet(a, b) > 0
    assert tracemalloc.get_traced_memory()[1] < 2**20  # the whole table has 30 MiB
    tracemalloc.stop()
