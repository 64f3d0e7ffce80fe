"""What tick labels may mean."""

from __future__ import annotations

import math

import pytest

from replicate.digitizer.ticklabels import decimal_year, parse, parse_offset


def readings(text: str, *alternatives: str) -> dict[float, float]:
    """Return the weight of each value that a label may have."""
    found: dict[float, float] = {}
    for r in parse(text, alternatives):
        found[r.value] = max(found.get(r.value, 0.0), r.weight)
    return found


@pytest.mark.parametrize(
    ("text", "value", "form"),
    [
        ("0", 0, "plain"),
        ("2.5", 2.5, "plain"),
        (".5", 0.5, "plain"),
        ("0.0025", 0.0025, "plain"),
        ("+3", 3, "plain"),
        ("-20", -20, "plain"),
        ("−20", -20, "plain"),
        ("–0.5", -0.5, "plain"),
        ("— 7", -7, "plain"),
        ("‒7", -7, "plain"),
        ("0,5", 0.5, "plain"),
        ("17,500", 17500, "thousands"),
        ("1,234,567", 1234567, "thousands"),
        ("50'000", 50000, "thousands"),
        ("50’000", 50000, "thousands"),
        ("10 000", 10000, "thousands"),
        ("10\u2009000", 10000, "thousands"),
        ("-2,500", -2500, "thousands"),
        ("10²", 100, "power"),
        ("10⁻³", 1e-3, "power"),
        ("10º", 1, "power"),
        ("10^2", 100, "power"),
        ("10^{-2}", 1e-2, "power"),
        ("10**4", 1e4, "power"),
        ("$10^{2}$", 100, "power"),
        (r"$\mathdefault{10^{-2}}$", 1e-2, "power"),
        (r"$3\times10^{-2}$", 3e-2, "power"),
        ("-10^2", -100, "power"),
        ("10-7", 1e-7, "power"),
        ("3.8×10⁰", 3.8, "power"),
        ("3.8x100", 3.8, "power"),
        ("3.8 × 10^0", 3.8, "power"),
        ("6×10−1", 0.6, "power"),
        ("2^5", 32, "power"),
        ("2^-3", 0.125, "power"),
        ("1e-3", 1e-3, "exponent"),
        ("1E+05", 1e5, "exponent"),
        ("2.5e−04", 2.5e-4, "exponent"),
        ("20k", 20e3, "si"),
        ("20K", 20e3, "si"),
        ("4.1M", 4.1e6, "si"),
        ("500 k", 500e3, "si"),
        ("200G", 200e9, "si"),
        ("0.5B", 0.5e9, "si"),
        ("1T", 1e12, "si"),
        ("-25k", -25e3, "si"),
        ("$20k", 20e3, "si"),
        ("30%", 30, "percent"),
        ("12.5 %", 12.5, "percent"),
        ("-5.0%", -5, "percent"),
        ("2010-01", 2010, "date"),
        ("Jan 2010", 2010, "date"),
        ("2010-07-02", 2010 + 182 / 365, "date"),
        ("Jul 2, 2010", 2010 + 182 / 365, "date"),
        ("01/2010", 2010, "date"),
        ("Mar 5", 63 / 365, "date"),
        ("12:00", 0.5 / 365, "date"),
    ],
)
def test_a_label_is_read_as_it_is_written(text: str, value: float, form: str) -> None:
    first = parse(text)[0]
    assert first.value == pytest.approx(value, rel=1e-12)
    assert first.form == form


def test_values_are_those_of_the_decimal_literal() -> None:
    assert [parse(t)[0].value for t in ("4.1M", "10⁻³", "3×10⁻²", "1.1k")] == [4.1e6, 1e-3, 3e-2, 1100.0]


def test_a_flat_power_keeps_both_readings() -> None:
    found = readings("102")
    assert found[102] == 1.0
    assert 0.1 < found[100] < 1.0


def test_a_raised_exponent_that_was_seen_outweighs_the_flat_number() -> None:
    found = readings("102", "10^2")
    assert found[100] == 1.0
    assert found[102] <= 0.3
    assert readings("25", "2^5")[32] > readings("25", "2^5")[25]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("O.5", 0.5),
        ("l.5", 1.5),
        ("I0", 10),
        ("1S", 15),
        ("le-3", 1e-3),
        ("05", 0.5),
        ("15", 1.5),
        ("125", 12.5),
        ("0.5-", 0.5),
        ("2018 -", 2018),
        ("_0.5", -0.5),
        ("~2", -2),
        ("2", -2),
        ("25", 32),
        ("107", 1e-7),
        ("809", 80),
        ("17.500", 17500),
        ("1,234", 1.234),
        ("5,000", 5),
        ("20ms", 20),
    ],
)
def test_mistakes_of_the_recogniser_stay_as_unlikely_readings(text: str, value: float) -> None:
    found = readings(text)
    assert 0 < found[value] <= 0.8
    assert all(weight <= 1 for weight in found.values())


@pytest.mark.parametrize("text", ["Mon", "base", "A", "Training steps"])
def test_words_are_categories(text: str) -> None:
    categories = [r for r in parse(text) if r.form == "category"]
    assert len(categories) == 1
    assert math.isnan(categories[0].value)


@pytest.mark.parametrize("text", ["", "-", "...", "×"])
def test_signs_alone_mean_nothing(text: str) -> None:
    assert parse(text) == ()


def test_numbers_with_letters_are_no_categories() -> None:
    assert {r.form for r in parse("1e-3")} == {"exponent"}


def test_alternatives_add_readings_with_less_weight() -> None:
    assert readings("1.5", "1.8")[1.8] < readings("1.5", "1.8")[1.5]


@pytest.mark.parametrize(
    ("text", "value", "form"),
    [
        ("1e9", 1e9, "factor"),
        ("le9", 1e9, "factor"),
        ("1e−5", 1e-5, "factor"),
        ("×10⁴", 1e4, "factor"),
        ("x104", 1e4, "factor"),
        ("×10−5", 1e-5, "factor"),
        ("+1.23e4", 1.23e4, "addend"),
        ("+1.2", 1.2, "addend"),
        ("−5e3", -5000, "addend"),
        ("2009", 2009, "date"),
        ("2008-Mar", decimal_year(2008, 3), "date"),
    ],
)
def test_offsets(text: str, value: float, form: str) -> None:
    first = parse_offset(text)[0]
    assert (first.value, first.form) == (value, form)


def test_an_offset_may_scale_and_shift() -> None:
    assert {r.form: r.value for r in parse_offset("1e-6+5e2")} == {"factor": 1e-6, "addend": 500.0}


@pytest.mark.parametrize("text", ["", "loss", "Results of run 5", "model 1", "-5", "0.5"])
def test_other_text_is_no_offset(text: str) -> None:
    assert parse_offset(text) == ()


def test_decimal_years_are_whole_at_new_year_in_leap_years_too() -> None:
    assert decimal_year(2012) == 2012.0
    assert decimal_year(2012, 12, 31) == 2012 + 365 / 366
    with pytest.raises(ValueError, match="day"):
        decimal_year(2011, 2, 29)


@pytest.mark.parametrize("text", ['10"', "10'", "t0'", "10<"])
def test_a_ten_with_an_unreadable_exponent_may_be_any_power(text: str) -> None:
    powers = {r.value for r in parse(text) if r.form == "power"}
    assert {1e-9, 1e-2, 1.0, 1e4, 1e9} <= powers
