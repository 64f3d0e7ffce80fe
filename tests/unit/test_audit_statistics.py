"""Intervals and tests over seeds against their textbook values."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from replicate.audit.settings import AuditSettings
from replicate.audit.statistics import holm, seeds_interval, seeds_to_decide, sign_flip
from replicate.sheets import Expected

SETTINGS = AuditSettings()


def test_three_seeds_have_the_interval_of_students_t() -> None:
    # mean 2, standard error 1/sqrt(3), t(0.975, 2) = 4.302653
    assert seeds_interval([1.0, 2.0, 3.0], SETTINGS) == pytest.approx((2 - 2.484138, 2 + 2.484138), abs=1e-6)


def test_one_seed_has_no_interval_and_equal_seeds_a_point() -> None:
    assert seeds_interval([1.0], SETTINGS) is None
    assert seeds_interval([4.0, 4.0, 4.0], SETTINGS) == (4.0, 4.0)


def test_a_censored_seed_leaves_the_interval_open() -> None:
    assert seeds_interval([1.0, float("inf"), 2.0], SETTINGS) == (float("-inf"), float("inf"))


def test_many_seeds_are_bootstrapped_and_the_same_seed_gives_the_same_interval() -> None:
    values = [0.1 * k * k for k in range(40)]
    first = seeds_interval(values, SETTINGS)
    assert first == seeds_interval(values, SETTINGS)
    assert first != seeds_interval(values, AuditSettings(seed=1))
    assert first is not None
    mean = sum(values) / len(values)
    assert mean - first[0] < first[1] - mean  # skewed to the right, as the data are


@pytest.mark.parametrize(
    ("values", "p"), [([1.0] * 3, 1 / 8), ([1.0] * 5, 1 / 32), ([1.0, 2.0, -0.5], 2 / 8)]
)
def test_the_sign_flip_test_is_exact(values: list[float], p: float) -> None:
    assert sign_flip(values, SETTINGS) == pytest.approx(p)


@pytest.mark.parametrize("count", [2, 4, 9])
def test_the_sign_flip_test_is_that_of_scipy(count: int) -> None:
    values = np.random.default_rng(count).normal(0.3, 1.0, count)
    found = stats.permutation_test(
        (values,), np.mean, permutation_type="samples", alternative="greater", n_resamples=9999
    )
    assert sign_flip(values.tolist(), SETTINGS) == pytest.approx(float(found.pvalue), abs=1e-12)


def test_many_seeds_draw_their_signs() -> None:
    assert sign_flip([1.0] * 20, SETTINGS) == pytest.approx(1 / 10_000)
    values = [0.5, -0.4] * 10
    assert sign_flip(values, SETTINGS) == sign_flip(values, SETTINGS)


def test_holm_corrects_in_the_order_given() -> None:
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([]) == []
    assert holm([0.9, 0.8]) == [1.0, 1.0]


@pytest.mark.parametrize(
    ("values", "expected", "seeds"),
    [
        # Of a difference as large as its spread: 10 for a power of 80 % (Cohen 1988, table 2.4.1, paired).
        ([0.0, 1.0, 2.0], Expected(0.0, float("inf")), 10),
        # Half as large: 34.
        ([-1.0, 1.0, 3.0], Expected(0.0, float("inf")), 34),
        # Outside is a decision too.
        ([0.0, 1.0, 2.0], Expected(-float("inf"), 0.0), 10),
    ],
)
def test_the_seeds_that_would_decide_are_those_of_the_textbook(
    values: list[float], expected: Expected, seeds: int
) -> None:
    assert seeds_to_decide(values, expected, AuditSettings(trials=20_000)) == pytest.approx(seeds, abs=1)


def test_no_number_of_seeds_decides_what_lies_on_the_edge() -> None:
    assert seeds_to_decide([-1.0, 1.0, 0.0], Expected(0.0, float("inf")), SETTINGS) == float("inf")
    assert seeds_to_decide([0.0, 0.0], Expected(0.0, 1.0, strict=True), SETTINGS) == float("inf")
