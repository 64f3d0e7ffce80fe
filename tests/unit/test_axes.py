"""From labels and marks to calibrated axes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from replicate.digitizer.axes import fit_axis, fit_person
from replicate.digitizer.model import AxisEvidence, Box, Direction, TickLabel, TickMark
from replicate.digitizer.ticklabels import decimal_year, parse, parse_offset
from replicate.errors import InputError

SPAN = (60.0, 560.0)


def label(text: str, pixel: float, *alternatives: str, wide: float = 7.0, high: float = 10.0) -> TickLabel:
    half = wide * len(text) / 2
    box = Box(pixel - half, 400, pixel + half, 400 + high)
    return TickLabel(text, pixel, box, parse(text, alternatives))


def axis(
    labels: Sequence[TickLabel],
    marks: Sequence[float] = (),
    minor: Sequence[float] = (),
    direction: Direction = "x",
    offset: str = "",
) -> AxisEvidence:
    found = [TickMark(p, 4) for p in marks] + [TickMark(p, 2, False) for p in minor]
    return AxisEvidence(
        direction,
        SPAN,
        tuple(labels),
        tuple(sorted(found, key=lambda m: m.pixel)),
        parse_offset(offset),
        "step",
    )


def on_line(texts: Sequence[str], start: float, step: float) -> list[TickLabel]:
    return [label(t, start + k * step) for k, t in enumerate(texts)]


def minor_of(decade: Callable[[float], float], low: int, high: int) -> list[float]:
    at = [decade(k + math.log10(m)) for k in range(low, high) for m in range(2, 10)]
    return [p for p in at if SPAN[0] <= p <= SPAN[1]]


def test_a_linear_axis_is_exact_and_beyond_doubt() -> None:
    fit = fit_axis(
        axis(on_line(["0", "2000", "4000", "6000", "8000"], 100, 100), marks=[100, 200, 300, 400, 500])
    )
    assert fit is not None
    assert (fit.scale, fit.label, fit.source) == ("linear", "step", "auto")
    assert fit.to_value(350.0) == pytest.approx(5000)
    assert fit.residual_px == pytest.approx(0, abs=1e-9)
    assert fit.doubt < 0.01
    assert [t.used for t in fit.ticks] == [True] * 5


def test_tick_marks_correct_the_places_of_labels() -> None:
    labels = [label(t, p) for t, p in (("0", 101), ("1", 201.5), ("2", 300.5), ("3", 401))]
    fit = fit_axis(axis(labels, marks=[100.25, 200.25, 300.25, 400.25]))
    assert fit is not None
    assert [t.pixel for t in fit.ticks] == [100.25, 200.25, 300.25, 400.25]
    assert fit.to_pixel(1.5) == pytest.approx(250.25)


def test_marks_that_do_not_agree_with_the_labels_are_left_alone() -> None:
    fit = fit_axis(axis(on_line(["0", "1", "2", "3"], 100, 100), marks=[94, 107, 206, 294, 309, 405]))
    assert fit is not None
    assert fit.to_pixel(2.0) == pytest.approx(300)


def test_ticks_on_whole_pixels_are_fitted_within_their_bounds() -> None:
    true = 100.3 + 57.37 * np.arange(8)
    marks = tuple(TickMark(float(np.rint(p)), 4, True, snapped=True) for p in true)
    labels = tuple(label(str(k), m.pixel) for k, m in enumerate(marks))
    fit = fit_axis(AxisEvidence("x", SPAN, labels, marks))
    assert fit is not None
    assert np.abs(fit.to_pixel(np.arange(8.0)) - true).max() < 0.2


@pytest.mark.parametrize("missing", [(), (1,), (0, 3)])
def test_powers_read_flat_are_a_log_axis(missing: tuple[int, ...]) -> None:
    labels = [
        x for k, x in enumerate(on_line(["102", "103", "104", "105", "106"], 100, 100)) if k not in missing
    ]
    fit = fit_axis(axis(labels))
    assert fit is not None
    assert fit.scale == "log"
    assert fit.to_value(300.0) == pytest.approx(1e4)


def test_minor_ticks_decide_between_powers_and_numbers() -> None:
    labels = on_line(["102", "103", "104"], 100, 200)
    minor = minor_of(lambda u: 100 + 200 * (u - 2), 1, 5)
    as_log = fit_axis(axis(labels, [100, 300, 500], minor))
    as_linear = fit_axis(axis(labels, [100, 300, 500], [140, 180, 220, 260, 340, 380, 420, 460]))
    assert as_log is not None and as_linear is not None
    assert (as_log.scale, as_linear.scale) == ("log", "linear")
    assert as_log.doubt < 0.05
    assert as_linear.to_value(300.0) == pytest.approx(103)


def test_without_minor_ticks_numbers_that_look_like_powers_stay_doubtful() -> None:
    flat = fit_axis(axis(on_line(["102", "103", "104"], 100, 200)))
    raised = fit_axis(axis([label(f"10{k}", 200 * k - 300, f"10^{k}") for k in (2, 3, 4)]))
    assert flat is not None and raised is not None
    assert flat.doubt > raised.doubt
    assert raised.doubt < 0.1


def test_one_exponent_seen_raises_its_neighbours() -> None:
    labels = [label("27", 100, "2^7"), label("26", 200), label("25", 300, "2^5"), label("24", 400)]
    fit = fit_axis(axis(labels))
    assert fit is not None
    assert fit.scale == "log"
    assert fit.to_value(np.array([100.0, 400.0])) == pytest.approx([128, 16])


def test_plain_decimals_on_a_log_axis() -> None:
    def place(v: float) -> float:
        return 500 - 1300 * math.log10(v / 3.5)

    texts = ["3.50", "4.00", "4.50", "5.00", "5.50", "6.00"]
    fit = fit_axis(axis([label(t, place(float(t))) for t in texts], direction="y"))
    assert fit is not None
    assert fit.scale == "log"
    assert fit.to_value(place(4.8)) == pytest.approx(4.8)
    assert fit.doubt < 0.05


def test_multiples_of_powers_on_a_log_axis() -> None:
    labels = [label(f"{v}×100", 100 + 4000 * math.log10(v / 3.2)) for v in (3.2, 3.3, 3.4, 3.5, 3.6, 3.7)]
    fit = fit_axis(axis(labels))
    assert fit is not None
    assert fit.scale == "log"
    assert fit.to_value(100.0) == pytest.approx(3.2)


def test_two_multiples_of_powers_are_a_log_axis() -> None:
    fit = fit_axis(axis([label("3×100", 100), label("4×100", 300)]))
    assert fit is not None
    assert fit.scale == "log"
    assert fit.doubt > 0.1


def test_multiples_of_powers_on_a_linear_axis() -> None:
    fit = fit_axis(axis(on_line(["0", "2×104", "4×104", "6×104"], 100, 100)))
    assert fit is not None
    assert (fit.scale, float(fit.to_value(150.0))) == ("linear", pytest.approx(1e4))


def test_decades_written_out() -> None:
    fit = fit_axis(axis(on_line(["1", "10", "100", "1,000"], 100, 120)))
    assert fit is not None
    assert fit.scale == "log"
    assert fit.to_value(160.0) == pytest.approx(10**0.5)


@pytest.mark.parametrize("decade", [250.0, -180.0])
def test_one_labelled_decade_with_minor_ticks(decade: float) -> None:
    minor = minor_of(lambda u: 300 + decade * (u + 1), -4, 3)
    fit = fit_axis(axis([label("10-1", 300, "10^-1")], [300], minor))
    assert fit is not None
    assert fit.scale == "log"
    assert fit.to_value(np.array([300.0, 300 + decade])) == pytest.approx([0.1, 1.0])
    assert 0 < fit.doubt < 0.2


def test_one_label_alone_is_no_axis() -> None:
    assert fit_axis(axis([label("10-1", 300, "10^-1")], [300])) is None
    assert fit_axis(axis([])) is None


def test_reversed_axes() -> None:
    fit = fit_axis(axis(on_line(["8", "6", "4", "2", "0"], 100, 100)))
    assert fit is not None
    assert fit.slope == pytest.approx(-0.02)
    assert fit.doubt < 0.05


@pytest.mark.parametrize(
    ("texts", "values"),
    [
        (["0", "20k", "40k", "60k"], [0, 2e4, 4e4, 6e4]),
        (["0.5M", "1.0M", "1.5M", "2.0M"], [5e5, 1e6, 1.5e6, 2e6]),
        (["200G", "400G", "600G", "800G", "1T"], [2e11, 4e11, 6e11, 8e11, 1e12]),
        (["500", "1,000", "1,500", "2,000"], [500, 1000, 1500, 2000]),
        (["2.500", "5,000", "7.500", "10.000", "12,500"], [2500, 5000, 7500, 10000, 12500]),
        (["0%", "10%", "20%", "30%"], [0, 10, 20, 30]),
        (["-1.0", "-0.5", "0.0", "0.5"], [-1, -0.5, 0, 0.5]),
        (["0,0", "0,5", "1,0", "1,5"], [0, 0.5, 1, 1.5]),
        (["0.0e+00", "5.0e-04", "1.0e-03"], [0, 5e-4, 1e-3]),
    ],
)
def test_forms_of_numbers(texts: Sequence[str], values: Sequence[float]) -> None:
    fit = fit_axis(axis(on_line(texts, 100, 90)))
    assert fit is not None
    assert fit.scale == "linear"
    assert fit.to_value(100 + 90 * np.arange(len(texts))) == pytest.approx(values, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(("wrong", "at"), [("6.0", 2), ("1", 0), ("88", 4), ("tra1n", 3)])
def test_a_misread_label_is_left_out(wrong: str, at: int) -> None:
    texts = ["0.0", "0.5", "1.0", "1.5", "2.0", "2.5"]
    texts[at] = wrong
    fit = fit_axis(axis(on_line(texts, 100, 80)))
    assert fit is not None
    assert fit.to_value(np.array([100.0, 500.0])) == pytest.approx([0, 2.5])
    assert [t.used for t in fit.ticks] == [k != at for k in range(6)]


def test_lost_points_and_signs_are_mended_by_the_others() -> None:
    fit = fit_axis(axis(on_line(["-10", "-0.5", "0.0", "05", "1.0"], 100, 100)))
    assert fit is not None
    assert [t.value for t in fit.ticks] == pytest.approx([-1.0, -0.5, 0.0, 0.5, 1.0])
    assert all(t.used for t in fit.ticks)


def test_labels_that_contradict_one_another_are_doubted() -> None:
    fit = fit_axis(
        axis([label(t, p) for t, p in (("3", 100), ("7", 190), ("4", 310), ("9", 400), ("1", 470))])
    )
    assert fit is None or fit.doubt > 0.3


def test_two_labels_are_an_axis_with_doubt() -> None:
    fit = fit_axis(axis(on_line(["0", "10"], 100, 300)))
    assert fit is not None
    assert fit.to_value(250.0) == pytest.approx(5)
    assert 0.1 < fit.doubt < 0.6


@pytest.mark.parametrize(
    ("text", "factor", "addend"), [("1e9", 1e9, 0), ("×10⁴", 1e4, 0), ("+1.2e4", 1, 1.2e4)]
)
def test_an_offset_at_the_end_applies_to_plain_labels(text: str, factor: float, addend: float) -> None:
    fit = fit_axis(axis(on_line(["0.0", "0.5", "1.0", "1.5"], 100, 100), offset=text))
    assert fit is not None
    assert fit.to_value(300.0) == pytest.approx(factor + addend)
    assert fit.ticks[3].value == pytest.approx(1.5 * factor + addend)


def test_an_offset_does_not_apply_to_labels_with_their_own_magnitude() -> None:
    fit = fit_axis(axis(on_line(["0", "10k", "20k", "30k"], 100, 100), offset="1e9"))
    assert fit is not None
    assert fit.to_value(200.0) == pytest.approx(10e3)


def test_dates_are_decimal_years() -> None:
    months = [(2010, 1), (2010, 7), (2011, 1), (2011, 7), (2012, 1)]
    labels = [label(f"{y}-{m:02}", 100 + 200 * (decimal_year(y, m) - 2010)) for y, m in months]
    fit = fit_axis(axis(labels))
    assert fit is not None
    assert fit.scale == "date"
    assert fit.to_value(300.0) == pytest.approx(2011)
    assert fit.doubt < 0.05


def test_months_take_their_year_from_the_other_labels() -> None:
    texts = [("Oct", 2011, 10), ("2012", 2012, 1), ("Apr", 2012, 4), ("Jul", 2012, 7), ("Oct", 2012, 10)]
    texts += [("2013", 2013, 1), ("Apr", 2013, 4)]
    fit = fit_axis(axis([label(t, 100 + 250 * (decimal_year(y, m) - 2011.75)) for t, y, m in texts]))
    assert fit is not None
    assert fit.scale == "date"
    assert all(t.used for t in fit.ticks)
    assert fit.to_value(100 + 250 * 0.25) == pytest.approx(2012)


def test_months_without_a_year_are_doubted() -> None:
    labels = [
        label(t, 100 + 250 * decimal_year(2001, m) - 250 * 2001)
        for t, m in (("Mar", 3), ("Apr", 4), ("May", 5))
    ]
    fit = fit_axis(axis(labels))
    assert fit is not None
    assert fit.doubt >= 0.5


@pytest.mark.parametrize(
    "texts", [["Mon", "Tue", "Wed", "Thu"], ["A", "B", "C", "D", "E"], ["small", "base", "large"]]
)
def test_words_are_numbered_from_zero(texts: Sequence[str]) -> None:
    fit = fit_axis(axis(on_line(texts, 120, 80)))
    assert fit is not None
    assert fit.scale == "category"
    assert fit.to_value(120 + 80 * np.arange(len(texts))) == pytest.approx(np.arange(len(texts)), abs=1e-9)
    assert 0 < fit.doubt < 0.2


def test_words_on_a_y_axis_are_numbered_from_below() -> None:
    fit = fit_axis(axis(on_line(["high", "middle", "low"], 120, 80), direction="y"))
    assert fit is not None
    assert fit.to_value(np.array([120.0, 280.0])) == pytest.approx([2, 0])


def test_days_take_month_and_year_from_the_axis_end() -> None:
    days = [
        ("25", 2008, 2, 25),
        ("Mar", 2008, 3, 1),
        ("05", 2008, 3, 5),
        ("09", 2008, 3, 9),
        ("13", 2008, 3, 13),
    ]
    labels = [label(t, 100 + 20 * 366 * (decimal_year(y, m, d) - 2008.15)) for t, y, m, d in days]
    fit = fit_axis(axis(labels, offset="2008-Mar"))
    assert fit is not None
    assert fit.scale == "date"
    assert all(t.used for t in fit.ticks)
    assert fit.to_value(labels[-1].pixel) == pytest.approx(decimal_year(2008, 3, 13))
    assert fit.doubt < 0.1


def test_a_date_at_the_end_of_an_axis_without_dates_is_doubted() -> None:
    fit = fit_axis(axis(on_line(["13", "17", "21", "25"], 100, 100), offset="2017-Dec"))
    assert fit is not None
    assert fit.doubt >= 0.5


def test_words_at_uneven_places_are_no_axis() -> None:
    assert (
        fit_axis(axis([label("cat", 100), label("dog", 160), label("cow", 320), label("hen", 333)])) is None
    )


def test_slanted_labels_all_stand_off_their_marks_by_one_distance() -> None:
    marks = [100.0, 200.0, 300.0, 400.0, 500.0]
    labels = [label(str(1000 + 500 * k), m - 14, wide=6, high=24) for k, m in enumerate(marks)]
    fit = fit_axis(axis(labels, marks))
    assert fit is not None
    assert fit.to_pixel(1500.0) == pytest.approx(200)


def test_slanted_labels_without_marks_are_doubted() -> None:
    labels = [label(str(1000 + 500 * k), 86 + 100 * k, wide=6, high=24) for k in range(5)]
    fit = fit_axis(axis(labels))
    assert fit is not None
    assert fit.doubt >= 0.4


def test_a_forced_scale_wins() -> None:
    labels = on_line(["102", "103", "104", "105"], 100, 100)
    linear = fit_axis(axis(labels), "linear")
    log = fit_axis(axis(on_line(["1", "2", "3", "4"], 100, 100)), "log")
    assert linear is not None
    assert linear.scale == "linear"
    assert linear.to_value(100.0) == pytest.approx(102)
    assert log is None or log.scale == "log"


def test_large_residuals_raise_the_doubt() -> None:
    off = [0, 1.9, -1.9, 1.9, -1.9, 0]
    good = fit_axis(axis(on_line([str(k) for k in range(6)], 100, 80)))
    bad = fit_axis(axis([label(str(k), 100 + 80 * k + d) for k, d in enumerate(off)]))
    assert good is not None and bad is not None
    assert good.doubt < bad.doubt


class TestPerson:
    """A person's calibration."""

    def test_two_ticks_are_linear(self) -> None:
        fit = fit_person({100: 0, 300: 50})
        assert (fit.scale, fit.source, fit.doubt) == ("linear", "person", 0.0)
        assert fit.to_value(200.0) == pytest.approx(25)

    def test_the_scale_is_taken_from_three_ticks(self) -> None:
        assert fit_person({100: 1, 200: 10, 300: 100}).scale == "log"
        assert fit_person({100: 1, 200: 2, 300: 3}).scale == "linear"

    def test_a_log_axis_from_two_ticks(self) -> None:
        assert fit_person({100: 1, 300: 100}, "log").to_value(200.0) == pytest.approx(10)

    def test_more_ticks_leave_a_residual(self) -> None:
        assert fit_person({100: 0, 200: 1.01, 300: 2}, "linear").residual_px > 0.1

    @pytest.mark.parametrize("ticks", [{}, {100: 1}, {100: 1, 200: 1}, {100: 1, 200: math.inf}])
    def test_too_little_is_refused(self, ticks: dict[float, float]) -> None:
        with pytest.raises(InputError, match="two ticks"):
            fit_person(ticks)

    def test_a_log_axis_cannot_hold_zero(self) -> None:
        with pytest.raises(InputError, match="positive"):
            fit_person({100: 0, 200: 1}, "log")
