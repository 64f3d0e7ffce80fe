"""Axes recovered from labels that were moved, lost and misread at random."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from replicate.digitizer.axes import fit_axis, fit_person
from replicate.digitizer.model import AxisEvidence, Box, TickLabel, TickMark
from replicate.digitizer.snapping import fit_rounded
from replicate.digitizer.ticklabels import parse


def label(text: str, pixel: float) -> TickLabel:
    half = 3.2 * len(text)
    return TickLabel(text, pixel, Box(100 - 2 * half, pixel - 5, 100, pixel + 5), parse(text))


@st.composite
def linear_axes(draw: st.DrawFn) -> tuple[list[str], list[float], float, float]:
    """Return texts, pixels, intercept and slope of a linear axis as it may be printed."""
    step = draw(st.sampled_from([0.002, 0.05, 0.25, 0.5, 1, 2, 5, 20, 250, 1000, 50_000]))
    first = draw(st.integers(-6, 20))
    count = draw(st.integers(4, 9))
    gap = draw(st.floats(25, 70))
    start = draw(st.floats(20, 60))
    decimals = max(0, -math.floor(math.log10(step))) + (1 if step == 0.25 else 0)
    values = [step * (first + k) for k in range(count)]
    pixels = [start + gap * (count - 1 - k) for k in range(count)]
    slope = -step / gap
    return [f"{v:.{decimals}f}" for v in values], pixels, values[0] - slope * pixels[0], slope


@settings(deadline=None, max_examples=30)
@given(linear_axes(), st.data())
def test_a_linear_axis_is_recovered(
    axis: tuple[list[str], list[float], float, float], data: st.DataObject
) -> None:
    texts, pixels, intercept, slope = axis
    moved = [p + data.draw(st.floats(-0.4, 0.4)) for p in pixels]
    marks = tuple(TickMark(p, 4) for p in sorted(pixels))
    labels = tuple(label(t, p) for t, p in zip(texts, moved, strict=True))
    fit = fit_axis(AxisEvidence("y", (10.0, 700.0), labels, marks))
    assert fit is not None
    at = np.array([min(pixels), max(pixels)])
    assert np.allclose(fit.to_value(at), intercept + slope * at, atol=1e-6 * abs(slope) * 700, rtol=1e-9)
    assert fit.scale == "linear"


@settings(deadline=None, max_examples=30)
@given(st.integers(-9, 6), st.integers(3, 7), st.floats(40, 90), st.data())
def test_a_log_axis_is_recovered_from_flat_powers(
    low: int, count: int, gap: float, data: st.DataObject
) -> None:
    exponents = [low + k for k in range(count)]
    pixels = [30 + gap * (count - 1 - k) for k in range(count)]
    flat = [f"10{k}" if k >= 0 else f"10-{-k}" for k in exponents]
    raised = data.draw(st.lists(st.booleans(), min_size=count, max_size=count))
    labels = tuple(
        TickLabel(t, p, Box(70, p - 5, 100, p + 5), parse(t, (f"10^{k}",) if seen else ()))
        for t, p, k, seen in zip(flat, pixels, exponents, raised, strict=True)
    )
    fit = fit_axis(AxisEvidence("y", (10.0, 700.0), labels, ()))
    assert fit is not None
    if fit.scale == "log":
        assert np.allclose(np.log10(fit.to_value(np.array(pixels))), exponents, atol=1e-6)
    else:
        assert fit.doubt > 0.02 and not any(raised)


@settings(deadline=None, max_examples=40)
@given(linear_axes(), st.data())
def test_a_confident_axis_is_right_whatever_was_misread(
    axis: tuple[list[str], list[float], float, float], data: st.DataObject
) -> None:
    texts, pixels, intercept, slope = axis
    wrong = data.draw(st.sets(st.integers(0, len(texts) - 1), max_size=len(texts) // 2))
    read = [
        data.draw(st.from_regex(r"[0-9]{1,3}", fullmatch=True)) if k in wrong else t
        for k, t in enumerate(texts)
    ]
    labels = tuple(label(t, p) for t, p in zip(read, pixels, strict=True))
    fit = fit_axis(AxisEvidence("y", (10.0, 700.0), labels, ()))
    if fit is not None and fit.doubt < 0.05:
        at = np.array([min(pixels), max(pixels)])
        assert np.allclose(fit.to_value(at), intercept + slope * at, atol=2 * abs(slope))


@settings(deadline=None, max_examples=40)
@given(
    st.floats(-1e6, 1e6),
    st.floats(1e-3, 1e5),
    st.lists(st.integers(0, 2000), min_size=2, max_size=6, unique=True),
)
def test_a_person_gets_the_line_that_they_gave(start: float, step: float, pixels: list[int]) -> None:
    fit = fit_person({p: start + step * p for p in pixels}, "linear")
    scale = abs(start) + step * 2000
    assert np.allclose(
        fit.to_value(np.array(pixels, float)), start + step * np.array(pixels), atol=1e-8 * scale
    )
    assert fit.doubt == 0


@settings(deadline=None, max_examples=40)
@given(st.floats(0, 50), st.floats(20, 80), st.integers(3, 12))
def test_rounded_ticks_bound_the_axis(offset: float, gap: float, count: int) -> None:
    u = np.arange(count, dtype=np.float64)
    true = offset + gap * u
    fitted = fit_rounded(u, np.floor(true + 0.5))
    assert fitted is not None
    assert np.abs(fitted[0] + fitted[1] * u - true).max() <= 1.0
