"""Words beside a panel, found by their ink alone, single digits among them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from replicate.digitizer.model import Box
from replicate.digitizer.words import commonest_colour, ink_mask, text_height, words_beside

BOX = Box(60, 20, 360, 220)
HEIGHT = 10.0


def page() -> np.ndarray:
    """Return a framed panel."""
    image = np.full((280, 420, 3), 255, np.uint8)
    cv2.rectangle(image, (60, 20), (360, 220), (0, 0, 0), 1)
    return image


def write(image: np.ndarray, text: str, x: int, y: int) -> None:
    """Write text about ten pixels high with its lower left corner at (x, y)."""
    cv2.putText(image, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.42, (0, 0, 0), 1, cv2.LINE_AA)


def test_single_digits_below_the_axis_are_found() -> None:
    image = page()
    for x in (58, 158, 258, 355):
        write(image, "0123"[(x + 42) // 100 - 1], x, 240)
    words = words_beside(image, BOX, "bottom", HEIGHT)
    assert len(words) == 4
    assert sorted(round(w.centre[0] / 100) for w in words) == [1, 2, 3, 4]
    assert all(228 <= w.y0 <= w.y1 <= 242 for w in words)


def test_the_digits_of_a_number_are_one_word() -> None:
    image = page()
    write(image, "17,500", 20, 120)
    (word,) = words_beside(image, BOX, "left", HEIGHT)
    assert word.x0 <= 22
    assert word.x1 >= 52


def test_a_raised_exponent_belongs_to_its_number() -> None:
    image = page()
    write(image, "10", 24, 120)
    cv2.putText(image, "2", (41, 113), cv2.FONT_HERSHEY_SIMPLEX, 0.28, (0, 0, 0), 1, cv2.LINE_AA)
    (word,) = words_beside(image, BOX, "left", HEIGHT)
    assert word.y0 <= 108
    assert word.x1 >= 44


def test_labels_some_distance_apart_are_different_words() -> None:
    image = page()
    write(image, "10", 100, 240)
    write(image, "20", 100 + 17 + 12, 240)
    assert len(words_beside(image, BOX, "bottom", HEIGHT)) == 2


def test_the_nearest_words_come_first() -> None:
    image = page()
    write(image, "step", 190, 268)
    write(image, "5", 200, 240)
    first, second = words_beside(image, BOX, "bottom", HEIGHT)
    assert first.y1 < second.y0


def test_ticks_are_no_words_and_do_not_join_them() -> None:
    image = page()
    for x in (100, 200, 300):
        image[221:226, x] = 0
        write(image, "7", x - 4, 238)
    words = words_beside(image, BOX, "bottom", HEIGHT, gap=5)
    assert [round(w.centre[0] / 100) for w in sorted(words)] == [1, 2, 3]
    assert all(w.y0 > 226 for w in words)


def test_other_panels_are_not_looked_at() -> None:
    image = page()
    write(image, "77", 385, 100)
    assert len(words_beside(image, BOX, "right", HEIGHT)) == 1
    assert words_beside(image, BOX, "right", HEIGHT, [Box(370, 20, 419, 220)]) == []


def test_light_text_on_a_dark_page() -> None:
    image = page()
    write(image, "42", 30, 120)
    assert len(words_beside(255 - image, BOX, "left", HEIGHT)) == 1


@pytest.mark.parametrize("side", ["left", "right", "top", "bottom"])
def test_a_panel_that_fills_the_picture_has_no_words(side: str) -> None:
    image = np.full((100, 100, 3), 255, np.uint8)
    assert words_beside(image, Box(0, 0, 99, 99), side, HEIGHT) == []


def test_the_commonest_colour_is_that_of_the_ground() -> None:
    image = np.full((40, 40, 3), (234, 234, 242), np.uint8)
    image[:15] = (31, 119, 180)
    assert tuple(commonest_colour(image)) == (234, 234, 242)


def test_ink_is_what_differs_from_the_ground() -> None:
    image = np.full((10, 10, 3), 255, np.uint8)
    image[2, 3], image[4, 4] = (0, 0, 0), (225, 225, 225)
    assert list(zip(*np.nonzero(ink_mask(image)), strict=True)) == [(2, 3)]


def test_the_text_height_is_the_median_or_a_guess() -> None:
    image = np.zeros((400, 600, 3), np.uint8)
    assert text_height([9, 10, 30], image) == 10
    assert text_height([], image) == 10
    assert text_height([200, 200], image) == 40
