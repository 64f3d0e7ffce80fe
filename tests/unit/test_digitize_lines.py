"""Spines and grid lines, down to hair-thin and JPEG-worn ones, and nothing else."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from replicate.digitizer.lines import Line, LineSettings, find_lines


def page(height: int = 200, width: int = 300, grey: int = 255) -> np.ndarray:
    """Return an empty page."""
    return np.full((height, width, 3), grey, np.uint8)


def test_a_frame_is_two_lines_each_way() -> None:
    image = page()
    cv2.rectangle(image, (40, 20), (260, 170), (0, 0, 0), 1)
    horizontal, vertical = find_lines(image)
    assert horizontal == [Line(20, 40, 260, 1), Line(170, 40, 260, 1)]
    assert vertical == [Line(40, 20, 170, 1), Line(260, 20, 170, 1)]


@pytest.mark.parametrize("thickness", [1, 2, 3, 5])
def test_a_stroke_has_its_middle_and_thickness(thickness: int) -> None:
    image = page()
    image[50 : 50 + thickness, 30:250] = 60
    horizontal, vertical = find_lines(image)
    assert horizontal == [Line(50 + (thickness - 1) / 2, 30, 249, thickness)]
    assert vertical == []


def test_a_thin_grey_grid_is_seen() -> None:
    image = page()
    image[40:180:20, 30:270] = 247  # eight grey levels from white
    horizontal, _ = find_lines(image)
    assert [a.position for a in horizontal] == list(range(40, 180, 20))


def test_a_white_grid_on_grey_is_seen() -> None:
    image = page(grey=234)
    image[:, 50:251:50] = 255
    _, vertical = find_lines(image)
    assert [a.position for a in vertical] == [50, 100, 150, 200, 250]


def test_an_antialiased_stroke_is_one_line() -> None:
    image = page()
    image[60, 30:250], image[61, 30:250] = 180, 90
    (line,), _ = find_lines(image)
    assert 60 <= line.position <= 61


def test_the_border_of_a_coloured_ground_is_an_edge_without_thickness() -> None:
    image = page()
    image[30:170, 50:280] = (234, 234, 242)
    horizontal, vertical = find_lines(image)
    assert [(a.position, a.thickness) for a in horizontal] == [(29.5, 0), (169.5, 0)]
    assert [(a.position, a.thickness) for a in vertical] == [(49.5, 0), (279.5, 0)]


def test_jpeg_noise_neither_hides_nor_makes_lines() -> None:
    image = page()
    cv2.rectangle(image, (40, 20), (260, 170), (0, 0, 0), 1)
    cv2.putText(image, "noise", (90, 100), cv2.FONT_HERSHEY_SIMPLEX, 1, (200, 80, 30), 2, cv2.LINE_AA)
    _, worn = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 30])
    horizontal, vertical = find_lines(cv2.imdecode(worn, cv2.IMREAD_COLOR))
    for lines, places in ((horizontal, (20, 170)), (vertical, (40, 260))):
        strokes = [a.position for a in lines if 0 < a.thickness <= 3 and a.length > 140]
        assert all(any(abs(s - place) <= 1 for s in strokes) for place in places)
        block = 8  # ringing keeps to the blocks that the frame crosses
        assert all(any(abs(s - place) <= block for place in places) for s in strokes)


def test_a_crossing_curve_does_not_tear_a_line() -> None:
    image = page()
    image[100, 30:270] = 0
    image[92:108, 140:150] = (31, 119, 180)
    horizontal, _ = find_lines(image)
    assert [(a.position, a.start, a.end) for a in horizontal] == [(100, 30, 269)]


def test_a_wide_gap_makes_two_lines() -> None:
    image = page()
    image[100, 20:130] = 0
    image[100, 180:290] = 0
    horizontal, _ = find_lines(image)
    assert [(a.start, a.end) for a in horizontal] == [(20, 129), (180, 289)]


def test_text_and_slanted_curves_are_no_lines() -> None:
    image = page()
    cv2.line(image, (20, 30), (280, 160), (0, 0, 255), 2, cv2.LINE_AA)
    cv2.putText(image, "MMMMMMMMMMMMM", (20, 190), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
    assert find_lines(image) == ([], [])


def test_what_is_shorter_than_asked_for_is_left_out() -> None:
    image = page()
    image[100, 30:110] = 0  # 80 pixels; the smaller side is 200
    assert len(find_lines(image, LineSettings(least=0.35))[0]) == 1
    assert find_lines(image, LineSettings(least=0.45))[0] == []


def test_an_empty_page_has_no_line() -> None:
    assert find_lines(page()) == ([], [])


def test_lines_of_stacked_panels_with_a_rule_between_are_apart_and_have_a_length() -> None:
    image = page(220, 300)
    cv2.rectangle(image, (30, 10), (270, 100), (0, 0, 0), 1)
    cv2.line(image, (20, 105), (280, 105), (0, 0, 0), 1)
    cv2.rectangle(image, (30, 110), (270, 210), (0, 0, 0), 1)
    _, vertical = find_lines(image)
    assert sorted((v.position, v.start, v.end) for v in vertical) == [
        (30, 10, 100),
        (30, 110, 210),
        (270, 10, 100),
        (270, 110, 210),
    ]
