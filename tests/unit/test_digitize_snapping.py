"""Axes through ticks that were drawn on whole pixels."""

from __future__ import annotations

import numpy as np
import pytest

from replicate.digitizer.model import AxisFit, FittedTick, TickMark
from replicate.digitizer.snapping import fit_rounded, sharpen


def fitted(values: np.ndarray, pixels: np.ndarray, scale: str = "linear") -> AxisFit:
    """Return the least-squares axis of ticks."""
    u = np.log10(values) if scale == "log" else values
    slope, intercept = np.polyfit(pixels, u, 1)
    ticks = tuple(FittedTick(float(p), f"{v:g}", float(v), True) for p, v in zip(pixels, values, strict=True))
    return AxisFit(scale, float(intercept), float(slope), ticks, 0.2)


def snapped(pixels: np.ndarray) -> list[TickMark]:
    """Return ticks that were drawn on whole pixels."""
    return [TickMark(float(p), 4.0, True, True) for p in pixels]


def test_ticks_without_rounding_give_their_own_axis() -> None:
    offset, slope = fit_rounded(np.arange(5.0), 10 + 25 * np.arange(5.0))
    assert offset == pytest.approx(10, abs=1e-9)
    assert slope == pytest.approx(25, abs=1e-9)


def test_two_ticks_allow_a_square_whose_middle_is_taken() -> None:
    assert fit_rounded(np.array([0.0, 1.0]), np.array([10.0, 110.0])) == pytest.approx((10, 100))


def test_ticks_off_any_axis_have_none() -> None:
    assert fit_rounded(np.arange(4.0), np.array([0.0, 10.0, 22.0, 30.0])) is None


def test_equal_values_have_no_axis() -> None:
    assert fit_rounded(np.array([3.0, 3.0]), np.array([0.0, 10.0])) is None


def test_the_axis_is_placed_better_than_by_least_squares() -> None:
    values = np.arange(40.0)
    errors: list[list[float]] = []
    for offset, spacing in np.random.default_rng(0).uniform((40, 8), (41, 12), (100, 2)):
        true = offset + spacing * values
        least_squares = fitted(values, np.rint(true))
        fits = (least_squares, sharpen(least_squares, snapped(np.rint(true))))
        errors.append([float(np.abs(fit.to_pixel(values) - true).mean()) for fit in fits])
    by_squares, sharp = np.mean(errors, axis=0)
    assert sharp < 0.85 * by_squares


def test_the_minor_ticks_of_a_log_axis_count() -> None:
    decades = np.array([1.0, 10.0, 100.0])
    minor = np.array([d * k for d in (1, 10) for k in range(2, 10)], float)
    errors: list[list[float]] = []
    for offset in np.linspace(20, 21, 25):
        true = offset + 151.37 * np.log10(decades)
        fit = fitted(decades, np.rint(true), "log")
        more = np.rint(offset + 151.37 * np.log10(minor))
        marks = [snapped(np.rint(true)), snapped(np.concatenate((np.rint(true), more)))]
        errors.append([float(np.abs(sharpen(fit, m).to_pixel(decades) - true).mean()) for m in marks])
    decades_alone, with_minor = np.mean(errors, axis=0)
    assert with_minor < 0.5 * decades_alone


def test_two_decades_are_sharpened_by_their_minor_ticks() -> None:
    values = np.array([10.0, 100.0])
    minor = np.array([3.0, 4, 5, 6, 7, 8, 9, *range(20, 100, 10), 200, 300, 400, 500, 600])
    errors = []
    for offset in np.linspace(20, 21, 25):
        place = offset + 134.4 * np.log10(np.concatenate((values, minor)))
        fit = fitted(values, np.rint(place[:2]), "log")
        sharp = sharpen(fit, snapped(np.rint(place)))
        errors.append(
            float(
                np.abs(sharp.to_pixel(np.array([2.0, 700.0])) - (offset + 134.4 * np.log10([2, 700]))).max()
            )
        )
    assert max(errors) < 0.3
    assert np.mean(errors) < 0.12


def test_an_axis_with_antialiased_ticks_is_left_alone() -> None:
    values = np.arange(4.0)
    fit = fitted(values, 10.3 + 20 * values)
    assert sharpen(fit, [TickMark(10.3 + 20 * v, 4.0) for v in values]) is fit


def test_an_axis_of_two_ticks_is_left_alone() -> None:
    fit = fitted(np.array([0.0, 1.0]), np.array([10.0, 50.0]))
    assert sharpen(fit, snapped(np.array([10.0, 50.0]))) is fit


def test_categories_are_left_alone() -> None:
    values = np.arange(4.0)
    fit = AxisFit("category", 0.0, 0.05, fitted(values, 20 * values).ticks, 0.0)
    assert sharpen(fit, snapped(20 * values)) is fit


def test_ticks_that_admit_no_axis_leave_it_alone() -> None:
    pixels = np.array([0.0, 10.0, 22.0, 30.0])
    fit = fitted(np.arange(4.0), pixels)
    assert sharpen(fit, snapped(pixels)) is fit
