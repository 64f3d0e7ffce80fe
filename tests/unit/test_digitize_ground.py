"""The grid is part of the ground; curves are not, even flat ones."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from replicate.digitizer.ground import build_ground, interior
from replicate.digitizer.model import Box, TickMark

BOX = Box(40, 20, 360, 220)
GRID = (176, 176, 176)
BLUE = (31, 119, 180)


def panel(ground: tuple[int, int, int] = (255, 255, 255)) -> np.ndarray:
    """Return a framed panel."""
    image = np.full((260, 400, 3), 255, np.uint8)
    image[20:221, 40:361] = ground
    cv2.rectangle(image, (40, 20), (360, 220), (0, 0, 0), 1)
    return image


def marks(*pixels: float) -> list[TickMark]:
    """Return major ticks."""
    return [TickMark(p, 4.0) for p in pixels]


def strength(image: np.ndarray, x: list[TickMark], y: list[TickMark]) -> np.ndarray:
    """Return the strength of the ink of every pixel of the interior."""
    return build_ground(image, BOX, x, y).strength


def test_the_interior_lies_inside_the_spines() -> None:
    assert interior(panel(), BOX) == (41, 21, 359, 219)


def test_thick_spines_are_left_out_with_their_antialiasing() -> None:
    image = panel()
    image[20:23, 40:361] = 0
    image[23, 40:361] = 128
    assert interior(image, BOX)[1] == 24


def test_a_panel_without_spines_is_all_interior() -> None:
    image = np.full((260, 400, 3), 255, np.uint8)
    assert interior(image, BOX) == (40, 20, 360, 220)


@pytest.mark.parametrize("ground", [(255, 255, 255), (234, 234, 242), (20, 24, 30)])
def test_an_empty_panel_has_no_ink(ground: tuple[int, int, int]) -> None:
    assert strength(panel(ground), [], []).max() == 0


@pytest.mark.parametrize("dashed", [False, True])
def test_a_grid_is_no_ink(dashed: bool) -> None:
    image = panel()
    step = 2 if dashed else 1
    for y in (70, 120, 170):
        image[y, 41:360:step] = GRID
    for x in (100, 200, 300):
        image[21:220:step, x] = GRID
    assert strength(image, marks(100, 200, 300), marks(70, 120, 170)).max() < 20


def test_a_curve_on_a_grid_is_ink_and_the_grid_under_it_is_ground() -> None:
    image = panel()
    for y in (70, 120, 170):
        image[y, 41:360] = GRID
    image[40:60, 150] = BLUE  # away from the grid
    image[65:75, 250] = BLUE  # across a grid line
    ink = strength(image, [], marks(70, 120, 170))
    assert (ink[40 - 21 : 60 - 21, 150 - 41] > 100).all()
    assert (ink[65 - 21 : 75 - 21, 250 - 41] > 100).all()
    ink[:, [150 - 41, 250 - 41]] = 0
    assert ink.max() == 0


def test_a_flat_curve_on_one_tick_is_no_grid() -> None:
    image = panel()
    image[120, 41:360] = BLUE
    assert (strength(image, [], marks(70, 120, 170))[120 - 21] > 100).all()


def test_a_flat_curve_between_ticks_is_no_grid() -> None:
    image = panel()
    for y in (70, 120, 170):
        image[y, 41:360] = GRID
    image[95, 41:360] = BLUE
    assert (strength(image, [], marks(70, 120, 170))[95 - 21] > 100).all()


def test_a_curve_that_follows_a_grid_line_for_a_stretch_stays() -> None:
    image = panel()
    for y in (70, 120, 170):
        image[y, 41:360] = GRID
    image[120, 100:200] = BLUE
    ink = strength(image, [], marks(70, 120, 170))[120 - 21]
    assert (ink[100 - 41 : 200 - 41] > 80).all()
    assert ink[: 100 - 41].max() < 20


def test_the_picture_without_its_grid() -> None:
    image = panel()
    for y in (70, 120, 170):
        image[y, 41:360] = GRID
    image[90:110, 150] = BLUE
    ground = build_ground(image, BOX, [], marks(70, 120, 170))
    clean = ground.without_grid(image)
    assert (clean[70, 45:350] == 255).all()
    assert tuple(clean[100, 150]) == BLUE
    assert (clean[20, 40:361] == 0).all()  # the spine is not touched
    assert tuple(image[70, 100]) == GRID  # nor is the picture itself
