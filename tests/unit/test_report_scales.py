"""Axes, ticks and numbers of the report."""

from __future__ import annotations

import math

import numpy as np
import pytest

from replicate.report.scales import Scale, interval, number, spanning


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (17500.0, "17,500"),
        (4.7231, "4.72"),
        (0.031, "0.031"),
        (-1234.5678, "\N{MINUS SIGN}1,235"),
        (0.48, "0.48"),
        (0.0, "0"),
        (100.0, "100"),
        (1e9, "1e9"),
        (2.5e-6, "2.5e\N{MINUS SIGN}6"),
        (math.inf, "\N{INFINITY}"),
        (-math.inf, "\N{MINUS SIGN}\N{INFINITY}"),
        (math.nan, "\N{EN DASH}"),
        (None, "\N{EN DASH}"),
    ],
)
def test_numbers_read_the_same_everywhere(value: float | None, text: str) -> None:
    assert number(value) == text


def test_interval() -> None:
    assert interval((0.01, 0.05)) == "[0.01, 0.05]"
    assert interval(None) == ""


@pytest.mark.parametrize(
    ("low", "high", "count", "labels"),
    [
        (0, 50000, 5, ["0", "10,000", "20,000", "30,000", "40,000", "50,000"]),
        (0, 1, 4, ["0.00", "0.25", "0.50", "0.75", "1.00"]),
        (-1, 1, 4, ["\N{MINUS SIGN}1.0", "\N{MINUS SIGN}0.5", "0.0", "0.5", "1.0"]),
        (3.7, 11.2, 4, ["4", "6", "8", "10"]),
        (4.52, 4.58, 3, ["4.52", "4.54", "4.56", "4.58"]),
    ],
)
def test_linear_ticks_are_round(low: float, high: float, count: int, labels: list[str]) -> None:
    assert [t.text for t in Scale(low, high).ticks(count)] == labels


def test_long_log_axis_labels_decades_and_marks_the_rest() -> None:
    ticks = Scale(10, 10000, log=True).ticks(5)
    assert [(t.value, t.power) for t in ticks if t.text] == [(10, 1), (100, 2), (1000, 3), (10000, 4)]
    assert [t.value for t in ticks if not t.text][:3] == [20, 30, 40]


def test_short_log_axis_labels_one_two_five() -> None:
    assert [t.text for t in Scale(2, 50, log=True).ticks(5) if t.text] == ["2", "5", "10", "20", "50"]


def test_share_along_the_axis() -> None:
    assert Scale(0, 10).share([0, 5, 10, 20]).tolist() == [0, 0.5, 1, 2]
    assert np.allclose(Scale(1, 100, log=True).share([1, 10, 100]), [0, 0.5, 1])
    assert np.isnan(Scale(1, 100, log=True).share([0.0, -1.0])).all()
    assert Scale(10, 0).share(10.0) == 0  # an axis may descend


@pytest.mark.parametrize(
    ("values", "log", "ends"),
    [
        ([4.13, 10.9], False, (4.0, 11.0)),
        ([3.0, 3.0], False, (1.5, 4.5)),
        ([30.0, 9000.0], True, (20.0, 10000.0)),
        ([2.3, 4.6], True, (2.0, 5.0)),
        ([np.nan, 1.0, 2.0], False, (1.0, 2.0)),
        ([], False, (0.0, 1.0)),
    ],
)
def test_axis_that_holds_all_values(values: list[float], log: bool, ends: tuple[float, float]) -> None:
    scale = spanning(values, log=log)
    assert (scale.low, scale.high) == pytest.approx(ends)


@pytest.mark.parametrize(
    ("year", "text"),
    [(2021.0, "2021-01-01"), (2020 + 59 / 366, "2020-02-29"), (2021 + 364 / 365, "2021-12-31"), (0.5, "0.5")],
)
def test_dates_are_days(year: float, text: str) -> None:
    assert Scale(2020, 2022, dates=True).text(year) == text


def test_an_axis_with_marks_has_them_as_ticks_and_names() -> None:
    axis = Scale(-0.5, 2.5, marks=((0.0, "Mon"), (1.0, "Tue"), (2.0, "Wed"), (3.0, "Thu")))
    assert [(t.value, t.text) for t in axis.ticks(5)] == [(0, "Mon"), (1, "Tue"), (2, "Wed")]
    assert [t.text for t in axis.ticks(1)] == ["Mon", "Wed"]
    assert [axis.text(v) for v in (1.0, 1.5)] == ["Tue", "1.5"]


def test_log_axis_ignores_what_it_cannot_hold() -> None:
    assert spanning([0.0, -5.0, 20.0, 3000.0], log=True).low == 20
