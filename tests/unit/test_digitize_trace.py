"""From ink to one value a column: at crossings, over gaps, on steep and on noisy parts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from replicate.digitizer.trace import find_runs, line_thickness, trace, trace_several

HEIGHT, WIDTH = 100, 200
X = np.arange(WIDTH, dtype=float)


def line(rows: Any, thickness: float = 2.0) -> np.ndarray:
    """Return the coverage (h, w) of a curve: in every column it covers what it passes there, and its thickness."""
    rows = np.asarray(rows, float)
    edge = np.concatenate((rows[:1], (rows[1:] + rows[:-1]) / 2, rows[-1:]))
    top = np.minimum(edge[:-1], edge[1:]) - thickness / 2
    bottom = np.maximum(edge[:-1], edge[1:]) + thickness / 2
    y = np.arange(HEIGHT + 1)[:, None] - 0.5
    return np.diff(np.clip(y, top, bottom), axis=0).astype(np.float32)


@pytest.mark.parametrize("row", [40.0, 40.3, 40.5, 40.85])
def test_a_level_line_is_placed_to_a_hundredth_of_a_pixel(row: float) -> None:
    traced = trace(line(np.full(WIDTH, row)))
    assert np.abs(traced.rows - row).max() < 0.01
    assert traced.observed.all()


def test_a_smooth_curve_is_followed_in_every_column() -> None:
    rows = 50 - 30 * np.sin(X / 25)
    traced = trace(line(rows))
    off = np.abs(traced.rows - np.interp(traced.columns, X, rows))
    assert off[1:-1].max() < 0.2
    assert np.median(off) < 0.05
    assert 2 <= traced.thickness < 2.6


def test_the_curve_ends_where_its_ink_ends_less_the_caps() -> None:
    ink = line(np.full(WIDTH, 50.0), 4.0)
    ink[:, :30] = 0
    ink[:, 170:] = 0
    traced = trace(ink)
    assert (traced.columns[0], traced.columns[-1]) == (32, 167)  # half of four pixels at either end


def test_gaps_are_interpolated_and_marked() -> None:
    rows = 20 + 0.3 * X
    ink = line(rows)
    ink[:, 90:100] = 0
    traced = trace(ink)
    assert len(traced) == traced.columns[-1] - traced.columns[0] + 1
    at = traced.columns
    assert not traced.observed[(at >= 90) & (at < 100)].any()
    assert traced.observed[(at < 90) | (at >= 100)].all()
    assert np.abs(traced.rows - np.interp(at, X, rows)).max() < 0.3


def test_a_dashed_curve_is_one_curve() -> None:
    rows = 50 - 20 * np.sin(X / 40)
    ink = line(rows)
    ink[:, (np.arange(WIDTH) % 12) >= 8] = 0
    traced = trace(ink)
    assert 0.6 < traced.observed.mean() < 0.72
    assert np.abs(traced.rows - np.interp(traced.columns, X, rows)).max() < 0.4


def test_specks_far_from_the_curve_are_left_aside() -> None:
    ink = line(np.full(WIDTH, 60.0))
    ink[10:13, 50:53] = 1
    ink[90:92, 120:122] = 1
    assert np.abs(trace(ink).rows - 60).max() < 0.01


def test_a_curve_that_another_hides_for_a_stretch_goes_straight_on() -> None:
    one, other = 20 + 0.3 * X, 80 - 0.3 * X
    ink = line(one)
    ink[line(other, 4.0) > 0] = 0  # painted over
    traced = trace(ink)
    assert np.abs(traced.rows - np.interp(traced.columns, X, one)).max() < 1


def test_two_curves_of_one_colour_that_stay_apart() -> None:
    one, other = 20 + 5 * np.sin(X / 20), 70 + 5 * np.cos(X / 20)
    ink = np.maximum(line(one), line(other))
    traces = trace_several(ink, 2)
    means = sorted(float(t.rows.mean()) for t in traces)
    assert means == pytest.approx([one.mean(), other.mean()], abs=0.5)
    for t in traces:
        true = one if t.rows.mean() < 50 else other
        assert np.abs(t.rows - np.interp(t.columns, X, true)).max() < 0.4


def test_a_steep_start_is_anchored_at_the_end_of_its_ink() -> None:
    rows = np.concatenate(([10.0], np.full(WIDTH - 1, 80.0)))
    ink = line(rows, 2.0)
    ink[:, 0] = 0
    ink[9:82, 0] = 1  # the first column is filled from the start of the curve down to its floor
    traced = trace(ink)
    assert traced.columns[0] == 1 or traced.rows[0] == pytest.approx(10, abs=1)
    assert traced.rows[1:] == pytest.approx(np.full(len(traced) - 1, 80.0), abs=0.6)


def test_a_noisy_column_is_bounded_by_its_ink() -> None:
    ink = line(np.full(WIDTH, 50.0))
    ink[30:71, 100] = 1  # the curve ran up to row 30 and down to row 70 within this column
    traced = trace(ink)
    at = int(100 - traced.columns[0])
    assert traced.top[at] == pytest.approx(31, abs=1.2)
    assert traced.bottom[at] == pytest.approx(69, abs=1.2)
    assert traced.top[at - 5] == pytest.approx(50, abs=0.5)


def test_bounds_enclose_the_curve() -> None:
    rng = np.random.default_rng(3)
    traced = trace(line(50 + np.cumsum(rng.normal(0, 1.5, WIDTH)).clip(-40, 40)))
    assert (traced.top <= traced.rows).all()
    assert (traced.rows <= traced.bottom).all()


def test_no_ink_no_curve() -> None:
    assert trace(np.zeros((HEIGHT, WIDTH), np.float32)) is None
    assert trace_several(np.zeros((HEIGHT, WIDTH), np.float32), 2) == [None, None]


def test_a_single_column_is_no_curve() -> None:
    ink = np.zeros((HEIGHT, WIDTH), np.float32)
    ink[50:52, 100] = 1
    assert trace(ink) is None


def test_runs_of_a_column() -> None:
    ink = np.zeros((HEIGHT, 3), np.float32)
    ink[10:12, 1], ink[40:45, 1] = 1, 1
    runs = find_runs(ink)
    assert runs.mass[:, 0].tolist() == [0, 5, 0]
    assert runs.centre[1, :2].tolist() == [42, 10.5]  # the strongest first
    assert (runs.first[1, 0], runs.last[1, 0]) == (40, 44)


def test_the_thickness_of_a_line() -> None:
    assert line_thickness(find_runs(line(np.full(WIDTH, 50.2), 3.0))) == pytest.approx(3, abs=0.05)
