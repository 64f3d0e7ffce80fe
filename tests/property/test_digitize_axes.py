"""Whatever the axis, rounded ticks bring it back within what they allow."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from replicate.digitizer.snapping import fit_rounded


@given(
    offset=st.floats(-500, 500),
    spacing=st.floats(5, 400),
    ticks=st.integers(2, 14),
    step=st.sampled_from([1e-6, 0.01, 0.5, 1.0, 25.0, 1e4, 1e9]),
    first=st.integers(-20, 20),
    descending=st.booleans(),
)
@settings(deadline=None, max_examples=200)
def test_the_axis_agrees_with_every_tick_and_lies_close_to_the_truth(
    offset: float, spacing: float, ticks: int, step: float, first: int, descending: bool
) -> None:
    values = (first + np.arange(ticks)) * step
    place = offset + spacing * np.arange(ticks) * (-1 if descending else 1)
    found = fit_rounded(values, np.rint(place))
    assert found is not None  # the true axis itself satisfies all ticks
    again = found[0] + found[1] * values
    assert np.abs(again - np.rint(place)).max() <= 0.5 + 1e-6
    assert np.abs(again - place).max() <= 1.0 + 1e-6


@given(
    pixels=st.lists(st.integers(0, 1000), min_size=3, max_size=8, unique=True),
)
@settings(deadline=None, max_examples=200)
def test_an_answer_always_satisfies_its_bounds(pixels: list[int]) -> None:
    values = np.arange(len(pixels), dtype=float)
    found = fit_rounded(values, np.array(sorted(pixels), float))
    if found is not None:
        assert np.abs(found[0] + found[1] * values - sorted(pixels)).max() <= 0.5 + 1e-6
