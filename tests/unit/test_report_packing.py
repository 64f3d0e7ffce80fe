"""The charts' numbers inside the page: small, and as they were to within a step."""

from __future__ import annotations

import json
import string
from typing import Any

import numpy as np
import pytest
from report_sample import material

from replicate.report.figures import as_shares, inks, published_charts, rerun_charts
from replicate.report.packing import chart_data, pack

ALPHABET = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"


def unpack(packed: list[Any]) -> np.ndarray:
    """Return the values of a packed column, read independently of how they were written."""
    exponent, log, text, *gaps = packed
    numbers, rest, place = [], 0, 0
    for digit in map(ALPHABET.index, text):
        rest |= (digit & 31) << place
        place += 5
        if digit < 32:
            numbers.append(-(rest >> 1) if rest & 1 else rest >> 1)
            rest = place = 0
    values = np.cumsum(np.array(numbers, dtype=np.float64)) * 10.0**exponent
    values = 10**values if log else values
    values[[i for g in gaps for i in g]] = np.nan
    return values


def test_packed_by_hand() -> None:
    # in steps of 1e-5: 0, 150,000 and -50,000; the differences 0, 150,000, -200,000 as source maps write them
    assert pack(np.array([0.0, 1.5, -0.5])) == [-5, 0, "Ag/kJh0mM"]


@pytest.mark.parametrize(
    "values",
    [
        np.random.default_rng(0).normal(0, 0.3, 500).cumsum(),
        np.linspace(-3e-9, 7e-9, 40),
        np.linspace(1e12, 1e12 + 5, 40),
        np.array([-1e300, 1e300]),
        np.full(5, 0.1),
        np.zeros(3),
        np.array([]),
    ],
)
def test_values_come_back_to_within_a_step(values: np.ndarray) -> None:
    packed = pack(values)
    reach = max(np.ptp(values) * 1e-5, np.abs(values).max() * 1e-12) if values.size else 0.0
    assert packed[1] == 0
    assert np.abs(unpack(packed) - values).max(initial=0.0) <= reach / 2 * 1.001


def test_a_curve_over_decades_keeps_its_small_values() -> None:
    values = np.geomspace(1e4, 1e-3, 300)
    packed = pack(values)
    assert packed[1] == 1
    assert np.allclose(unpack(packed), values, rtol=1e-4)


def test_whole_numbers_stay_whole() -> None:
    steps = np.array([0.0, 123_457.0, 9_999_999.0])
    assert unpack(pack(steps)).tolist() == steps.tolist()


@pytest.mark.parametrize("values", [[np.nan, 1.0, np.nan, np.inf, 3.0, np.nan], [np.nan, np.nan]])
def test_gaps_stay_gaps(values: list[float]) -> None:
    back = unpack(pack(np.array(values)))
    assert np.isfinite(back).tolist() == np.isfinite(values).tolist()
    assert np.allclose(back[np.isfinite(back)], np.array(values)[np.isfinite(values)])


def test_two_thousand_noisy_readings_take_three_bytes_each() -> None:
    y = 5 + np.random.default_rng(0).normal(0, 0.05, 2000) + 6 * np.exp(-np.linspace(0, 8, 2000))
    assert len(json.dumps(pack(y))) < 3.1 * 2000


def test_charts_refer_to_columns_and_share_them() -> None:
    source = material()
    ink = inks(source)
    published, rerun = published_charts(source, ink), rerun_charts(source, ink, log=False)
    charts = (*published, *rerun, *as_shares((published[0], rerun[0])))
    data = json.loads(json.dumps(chart_data(charts), allow_nan=False))
    assert list(data["charts"]) == ["published-chart", "rerun-chart", "published-share", "rerun-share"]
    whole, share = data["charts"]["rerun-chart"], data["charts"]["rerun-share"]
    assert [s["name"] for s in whole["series"]] == ["Base", "Small"]
    assert whole["series"][0]["seeds"] == [0, 1, 2]
    assert [y for _, y in whole["series"][0]["strands"]] == [y for _, y in share["series"][0]["strands"]]
    for chart in charts:
        for series, written in zip(chart.series, data["charts"][chart.id]["series"], strict=True):
            for strand, places in zip(series.strands, written["strands"], strict=True):
                for values, place in zip(strand, places, strict=True):
                    assert np.allclose(unpack(data["columns"][place]), values, atol=np.ptp(values) * 1e-5)
