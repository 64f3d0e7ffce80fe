"""Tick marks are found to a fraction of a pixel, and told apart: major from minor, outward from inward."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from replicate.digitizer.lines import find_lines
from replicate.digitizer.marks import find_marks, place_on_pixels, strip_along
from replicate.digitizer.model import Box

BOX = Box(40, 20, 360, 220)


def panel() -> np.ndarray:
    """Return a framed panel without ticks."""
    image = np.full((260, 400, 3), 255, np.uint8)
    for row in (20, 220):
        image[row, 40:361] = 0
    for column in (40, 360):
        image[20:221, column] = 0
    return image


def stroke(image: np.ndarray, centre: float, rows: range, width: float = 1.0, grey: float = 0.0) -> None:
    """Draw an antialiased vertical stroke: each pixel takes the share of it that the stroke covers."""
    for column in range(int(centre - width) - 1, int(centre + width) + 3):
        share = np.clip(min(column + 0.5, centre + width / 2) - max(column - 0.5, centre - width / 2), 0, 1)
        for row in rows:
            image[row, column] = np.minimum(image[row, column], round(255 - share * (255 - grey)))


def places(marks: Any) -> list[float]:
    """Return the pixels of marks."""
    return [m.pixel for m in marks]


@pytest.mark.parametrize("fraction", [0.2, 0.35, 0.5, 0.8])
@pytest.mark.parametrize("width", [1.0, 2.0])
def test_an_antialiased_tick_is_placed_to_a_hundredth_of_a_pixel(fraction: float, width: float) -> None:
    image = panel()
    true = [80 + fraction, 160 + fraction, 240 + fraction]
    for x in true:
        stroke(image, x, range(221, 226), width)
    assert places(find_marks(image, BOX, "bottom", ())) == pytest.approx(true, abs=0.01)


def test_ticks_drawn_on_whole_pixels_are_moved_back_by_the_mean_of_their_rounding() -> None:
    image = panel()
    for x in (80, 160, 240):
        image[221:225, x] = 0
    marks = find_marks(image, BOX, "bottom", ())
    assert places(marks) == [79.5, 159.5, 239.5]
    assert all(m.snapped for m in marks)


def test_inward_ticks_are_found_where_there_are_none_outside() -> None:
    image = panel()
    for x in (80.3, 160.3, 240.3, 320.3):
        stroke(image, x, range(215, 220))
    assert places(find_marks(image, BOX, "bottom", ())) == pytest.approx(
        [80.3, 160.3, 240.3, 320.3], abs=0.02
    )


def test_longer_ticks_are_the_major_ones() -> None:
    image = panel()
    for x in range(60, 360, 20):
        image[221 : 225 + 4 * (x % 100 == 0), x] = 0
    marks = find_marks(image, BOX, "bottom", ())
    assert [m.pixel + 0.5 for m in marks] == list(range(60, 360, 20))
    assert [m.pixel + 0.5 for m in marks if m.major] == [100, 200, 300]


@pytest.mark.parametrize("side", ["left", "right", "top", "bottom"])
def test_every_side_has_its_ticks(side: str) -> None:
    image = panel()
    beyond = {"left": 37, "right": 363, "top": 17, "bottom": 223}[side]
    for place in (60.3, 110.3, 160.3):
        if side in ("left", "right"):
            stroke(image.transpose(1, 0, 2), place, range(beyond - 2, beyond + 3))
        else:
            stroke(image, place, range(beyond - 2, beyond + 3))
    assert places(find_marks(image, BOX, side, ())) == pytest.approx([60.3, 110.3, 160.3], abs=0.02)


def test_grid_lines_stand_in_for_ticks() -> None:
    image = panel()
    for x in (100.3, 200.3, 300.3):
        stroke(image, x, range(21, 220), grey=176)
    _, vertical = find_lines(image)
    inner = [line for line in vertical if 60 < line.position < 340]
    assert places(find_marks(image, BOX, "bottom", inner)) == pytest.approx([100.3, 200.3, 300.3], abs=0.02)


def test_text_below_the_axis_is_no_tick() -> None:
    image = panel()
    image[229:240, 90:96] = 0
    image[229:240, 190:196] = 0
    assert find_marks(image, BOX, "bottom", ()) == ()


def test_no_ticks() -> None:
    assert find_marks(panel(), BOX, "bottom", ()) == ()


def box_of(chart: Any) -> Box:
    """Return the panel of a drawing."""
    (x0, x1), (y1, y0) = chart.x.ends, chart.y.ends
    return Box(round(x0), round(y0), round(x1), round(y1))


@pytest.mark.parametrize("direction", ["out", "in"])
def test_ticks_of_matplotlib_are_within_half_a_pixel_and_right_on_average(draw: Any, direction: str) -> None:
    def adjust(ax: Any) -> None:
        ax.set(xlim=(-0.4, 7.3), ylim=(-0.03, 1.07))
        ax.tick_params(direction=direction)

    chart = draw({}, size=(503, 377), adjust=adjust)
    ticks = {"bottom": (chart.x, np.arange(8.0)), "left": (chart.y, np.arange(0, 1.01, 0.2)[::-1])}
    for side, (axis, values) in ticks.items():
        marks = [m for m in find_marks(chart.image, box_of(chart), side, ()) if m.length < 12]
        off = np.array(places(marks)) - axis.pixel(values)
        assert np.abs(off).max() <= 0.5
        assert abs(off.mean()) < 0.25
        assert all(m.snapped for m in marks)


def test_a_tick_at_the_corner_is_as_crisp_as_the_others(draw: Any) -> None:
    chart = draw({}, size=(503, 377), adjust=lambda ax: ax.set(xlim=(0, 7.3), ylim=(0, 1.07)))
    first, *_ = find_marks(chart.image, box_of(chart), "bottom", ())
    assert first.snapped
    assert abs(first.pixel - chart.x.pixel(0)) <= 0.5


def test_a_stroke_on_whole_pixels_is_told_from_an_antialiased_one() -> None:
    assert place_on_pixels(np.array([0.0, 1, 1, 0]), 10) == (11.5, True)
    place, snapped = place_on_pixels(np.array([0.0, 0.25, 0.75, 0]), 10)
    assert (round(place, 6), snapped) == (11.75, False)


def test_a_strip_begins_beside_the_edge() -> None:
    image = panel()
    image[221, 100] = (10, 20, 30)
    image[219, 100] = (40, 50, 60)
    below, inside = (strip_along(image, BOX, "bottom", 5, inward=i) for i in (False, True))
    assert below.shape == (5, 400, 3)
    assert tuple(below[0, 100]) == (10, 20, 30)
    assert tuple(inside[0, 100]) == (40, 50, 60)


def test_a_strip_ends_with_the_picture() -> None:
    assert strip_along(panel(), BOX, "bottom", 500).shape[0] == 39
