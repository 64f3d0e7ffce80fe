"""Every predicate has its exact value on curves made by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from replicate.claims import PREDICATES, Line, Outcome, Scale
from replicate.claims.sampling import first_reached

X = [0.0, 10.0, 20.0, 40.0, 80.0, 100.0]
SLOW = Line.of(X, [10.0, 9.0, 8.0, 6.0, 5.0, 4.0])
FAST = Line.of(X, [10.0, 8.0, 6.0, 5.0, 4.5, 3.0])
HALVED = Line.of([0.0, 10.0, 20.0], [8.0, 6.0, 4.0])
DOUBLED = Line.of([0.0, 20.0, 40.0], [8.0, 6.0, 4.0])
WHOLE = (0.0, 100.0)


def value(
    name: str, lines: Sequence[Line], window: tuple[float, float] = WHOLE, scale: Scale = "linear"
) -> Outcome:
    return PREDICATES[name].rule(lines, window, scale)


CASES = {
    "value_at": ([SLOW], (0.0, 30.0), 7.0),
    "final_value": ([SLOW], (0.0, 50.0), (5.75 + 5.775) / 2),
    "decades_dropped": ([Line.of([0.0, 1.0], [1000.0, 10.0])], (0.0, 1.0), 2.0),
    "converges_by": ([Line.of([0.0, 50.0, 100.0], [10.0, 5.0, 0.0])], WHOLE, 50 * 2**0.8),
    "early_share": ([SLOW], WHOLE, 100 * (10 - 5.75) / 6),
    "reduction_ratio": ([FAST, SLOW], (0.0, 20.0), 100.0),
    "speedup": ([HALVED, DOUBLED], (0.0, 40.0), 100.0),
    "steps_saved": ([HALVED, DOUBLED], (0.0, 40.0), 50.0),
    "speedup_auc": ([FAST, SLOW], (0.0, 20.0), 100.0),
    "initial_slope_ratio": ([FAST, SLOW], (0.0, 20.0), 100.0),
    "ordering": ([FAST, SLOW], WHOLE, 95.0),
    "lower_everywhere": ([FAST, SLOW], (10.0, 100.0), 0.5),
    "higher_everywhere": ([SLOW, FAST], (10.0, 100.0), 0.5),
    "gap_at": ([FAST, SLOW], (0.0, 20.0), -2.0),
    "mean_gap": ([FAST, SLOW], (0.0, 20.0), -1.0),
    "gap_trend": ([Line.of([0.0, 1.0], [3.0, 2.0]), Line.of([0.0, 1.0], [6.0, 3.0])], (0.0, 1.0), -100.0),
    "gap_retained": ([FAST, SLOW], (0.0, 20.0), 100 * 1.9 / 2),
    "crossing": ([Line.of([0, 1, 2, 3], [1, -1, 1, -1]), Line.of([0, 3], [0, 0])], (0.0, 3.0), 3.0),
    "similar_end": ([FAST, SLOW], (0.0, 100.0), -100 * (4.05 - 3.075) / 5.95),
    "domain_contains": ([SLOW], (0.0, 80.0), 25.0),
    "range_contains": ([SLOW], (5.0, 10.0), 20.0),
    "monotone": ([Line.of([0, 1, 2, 3], [10.0, 6.0, 7.0, 5.0])], (0.0, 3.0), 20.0),
    "roughness": ([Line.of([0, 1, 2, 3, 4], [4.0, 3.0, 2.0, 1.0, 0.0])], (0.0, 4.0), 0.0),
    "smoothest": ([SLOW, SLOW], WHOLE, 1.0),
}


def test_every_predicate_has_a_case() -> None:
    assert set(CASES) == set(PREDICATES)


@pytest.mark.parametrize("name", sorted(CASES))
def test_a_predicate_has_its_exact_value(name: str) -> None:
    lines, window, expected = CASES[name]
    assert value(name, lines, window).value == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("name", sorted(PREDICATES))
def test_a_predicate_says_what_it_is(name: str) -> None:
    predicate = PREDICATES[name]
    text = predicate.rule.__doc__ or ""
    assert predicate.definition.endswith(".")
    assert "Unit:" in text
    assert "Source:" in text
    assert predicate.unit


def test_a_value_is_known_just_beyond_the_end_but_not_farther() -> None:
    assert value("value_at", [SLOW], (0.0, 101.0)).value == 4.0
    assert math.isnan(value("value_at", [SLOW], (0.0, 103.0)).value)


def test_a_level_that_the_method_never_reaches_bounds_the_speedup_from_above() -> None:
    stuck = Line.of([0.0, 20.0, 40.0], [8.0, 7.9, 7.9])
    outcome = value("speedup", [stuck, HALVED], (0.0, 20.0))
    # The middle level, 5.8, takes the baseline 10 * 2**0.1 steps and the method more than its 40.
    assert outcome == pytest.approx((100 * (10 * 2**0.1 / 40 - 1), -100.0, 100 * (10 * 2**0.1 / 40 - 1)))


def test_a_level_that_the_method_starts_below_bounds_the_speedup_from_below() -> None:
    ahead = Line.of([0.0, 5.0, 20.0], [3.0, 2.0, 1.0])
    outcome = value("speedup", [ahead, HALVED], (0.0, 20.0))
    assert outcome == pytest.approx((100 * (10 * 2**0.1 / 5 - 1), 100 * (10 * 2**0.1 / 5 - 1), math.inf))


def test_a_speedup_that_is_seen_at_every_level_is_exact() -> None:
    outcome = value("speedup", [HALVED, DOUBLED], (0.0, 40.0))
    assert outcome == pytest.approx((100.0, 100.0, 100.0))


def test_steps_to_a_level_are_interpolated_in_log_steps() -> None:
    line = Line.of([0.0, 10.0, 1000.0], [5.0, 4.0, 2.0])
    assert first_reached(line, np.array([4.5, 3.0, 1.0])).tolist() == pytest.approx([5.0, 100.0, math.inf])


def test_a_rise_before_a_level_moves_where_it_is_reached() -> None:
    line = Line.of([0.0, 1.0, 2.0, 3.0], [5.0, 2.0, 4.0, 1.0])
    assert first_reached(line, np.array([1.5]), log_steps=False).tolist() == pytest.approx([2 + 2.5 / 3])


def test_a_rise_back_up_does_not_unreach_a_level() -> None:
    line = Line.of([0.0, 1.0, 2.0, 3.0], [5.0, 2.0, 4.0, 1.0])
    assert first_reached(line, np.array([3.0])).tolist() == pytest.approx([2 / 3])


def test_reading_bounds_open_the_rise_of_a_curve_both_ways() -> None:
    y = np.array([10.0, 6.0, 7.0, 5.0])
    outcome = value("monotone", [Line(np.arange(4.0), y, y - 0.2, y + 0.2)], (0.0, 3.0))
    assert outcome == pytest.approx((20.0, 12.0, 28.0))


def test_a_part_of_the_run_is_held_against_the_drop_of_all_of_it() -> None:
    line = Line.of(range(5), [11.0, 5.0, 6.0, 5.0, 1.0])
    assert value("monotone", [line], (1.0, 3.0)).value == 10.0


def test_log_scales_count_decades() -> None:
    slow = Line.of([0.0, 1.0], [1000.0, 100.0])
    fast = Line.of([0.0, 1.0], [1000.0, 10.0])
    assert value("reduction_ratio", [fast, slow], (0.0, 1.0), "log").value == pytest.approx(100.0)
    assert value("gap_at", [fast, slow], (0.0, 1.0), "log").value == pytest.approx(-1.0)
    assert PREDICATES["gap_at"].unit_on("log") == "decades"
    above = Line.of([0.0, 1.0], [1e5, 1e3])  # two decades above the slow one, then one
    assert value("gap_trend", [slow, above], (0.0, 1.0), "log").value == pytest.approx(-100 / 1.5)
    assert value("speedup", [fast, slow], (1.0, 1.0), "log").value == pytest.approx(100.0)  # to a loss of 100


def test_a_straight_line_is_smooth_and_noise_is_measured() -> None:
    x = np.linspace(0.0, 1.0, 101)
    noise = np.random.default_rng(0).normal(0.0, 0.01, 101)
    measured = value("roughness", [Line.of(x, 1 - x + noise)], (0.0, 1.0)).value
    assert measured == pytest.approx(1.0, rel=0.25)  # % of a drop of 1


def test_two_curves_that_lie_on_one_another_do_not_cross_at_every_wiggle() -> None:
    wiggle = Line.of(range(5), [10.0, 0.1, -0.1, 0.1, -10.0])
    assert value("crossing", [wiggle, Line.of([0, 4], [0, 0])], (0.0, 4.0)).value == 1


@pytest.mark.parametrize(
    "name", ["reduction_ratio", "speedup", "speedup_auc", "initial_slope_ratio", "similar_end"]
)
def test_a_baseline_that_does_not_fall_gives_no_number(name: str) -> None:
    flat = Line.of([0.0, 100.0], [5.0, 5.0])
    assert math.isnan(value(name, [FAST, flat]).value)
