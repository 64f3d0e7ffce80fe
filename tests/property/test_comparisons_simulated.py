"""Simulated comparisons: intervals hold a planted distance as often as they say; units and order do not matter."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replicate.comparator import Settings, compare_curves, compare_tables
from replicate.curves import Curve, CurveSet, Run

X = np.linspace(0.0, 100.0, 9)


def runs(rng: np.random.Generator, seeds: int, gap: float) -> tuple[CurveSet, CurveSet]:
    """Return runs of two arms that lie apart by a mean gap; the seeds' noise is shared."""
    tables: tuple[list[Curve], list[Curve]] = ([], [])
    for k in range(seeds):
        shared = np.array([9.0, 4.0]) + rng.normal(0.0, 0.5)
        for table, y in zip(tables, (shared + gap + rng.normal(0.0, 0.1), shared), strict=True):
            table.append(Curve.from_points("loss", [0, 100], y, run=Run("arm", k, "val")))
    return CurveSet(tuple(tables[0])), CurveSet(tuple(tables[1]))


def test_intervals_over_seeds_hold_a_planted_gap_as_often_as_they_say() -> None:
    rng, held = np.random.default_rng(3), 0
    for i in range(1000):
        (found,) = compare_tables(*runs(rng, 3, 0.3), settings=Settings(seed=i))
        low, high = found.intervals["mean_difference"]
        held += low <= 0.3 <= high
    assert 0.93 <= held / 1000 <= 0.97


falls = st.lists(st.floats(0.01, 1.0), min_size=8, max_size=8)
IN_Y = ("rmse", "mean_difference", "mean_absolute", "max_gap")
PLAIN = (
    "rmse_share",
    "mean_absolute_share",
    "max_gap_share",
    "area_ratio",
    "frechet_share",
    "warping_share",
    "below",
)


@settings(max_examples=50, deadline=None)
@given(falls, falls, st.floats(0.1, 50.0), st.floats(0.1, 50.0))
def test_a_change_of_units_changes_no_number_but_by_its_unit(
    one: list[float], two: list[float], kx: float, ky: float
) -> None:
    ys = [20.0 - np.concatenate([[0.0], np.cumsum(f)]) for f in (one, two)]
    plain = asdict(compare_curves(*(Curve.from_points("a", X, y) for y in ys)))
    scaled = asdict(compare_curves(*(Curve.from_points("a", kx * X, ky * y) for y in ys)))
    for name in IN_Y:
        assert scaled[name] == pytest.approx(ky * plain[name], rel=1e-6, abs=1e-9 * ky), name
    for name in PLAIN:
        assert scaled[name] == pytest.approx(plain[name], rel=1e-6, abs=1e-9), name
    assert scaled["area_between"] == pytest.approx(kx * ky * plain["area_between"], rel=1e-6, abs=1e-9)


@settings(max_examples=50, deadline=None)
@given(falls, falls)
def test_either_curve_may_come_first(one: list[float], two: list[float]) -> None:
    ys = [20.0 - np.concatenate([[0.0], np.cumsum(f)]) for f in (one, two)]
    a, b = (Curve.from_points("a", X, y) for y in ys)
    there, back = compare_curves(a, b), compare_curves(b, a)
    for name in (
        "rmse",
        "mean_absolute",
        "area_between",
        "max_gap",
        "frechet",
        "frechet_share",
        "warping",
        "crossings",
    ):
        assert getattr(back, name) == pytest.approx(getattr(there, name), rel=1e-12), name
    assert back.mean_difference == pytest.approx(-there.mean_difference)
    assert compare_curves(a, a).warping == compare_curves(a, a).frechet == compare_curves(a, a).rmse == 0.0
