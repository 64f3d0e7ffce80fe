"""The share of every pixel that a curve covers, also where two curves share one."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from replicate.digitizer.ground import Ground
from replicate.digitizer.ink import find_colours, unmix

WHITE = np.array([255, 255, 255], np.float32)
BLUE, ORANGE, GREEN, GREY = (
    np.array(c, np.float32) for c in ((31, 119, 180), (255, 127, 14), (44, 160, 44), (127, 127, 127))
)
SIZE = (60, 120)
NOTHING_HIDDEN = np.zeros(SIZE, bool)


def mixed(layers: list[tuple[np.ndarray, np.ndarray]], ground: np.ndarray = WHITE) -> Ground:
    """Return a panel on which colours were painted in turn, each with its own coverage (h, w)."""
    base = np.broadcast_to(ground, (*SIZE, 3)).astype(np.float32)
    pixels = base.copy()
    for colour, coverage in layers:
        pixels = np.rint((1 - coverage[..., None]) * pixels + coverage[..., None] * colour)
    return Ground((0, 0), pixels.astype(np.float32), base, ground)


def stroke(row: float, thickness: float = 2.0, columns: slice = slice(None)) -> np.ndarray:
    """Return the coverage of a level line, (h, w)."""
    edges = np.arange(SIZE[0] + 1) - 0.5
    inside = np.clip(edges, row - thickness / 2, row + thickness / 2)
    coverage = np.zeros(SIZE)
    coverage[:, columns] = np.diff(inside)[:, None]
    return coverage


@pytest.mark.parametrize("ground", [WHITE, np.array([20, 24, 30], np.float32)])
def test_the_coverage_of_a_blended_line_is_recovered(ground: np.ndarray) -> None:
    true = stroke(20.3, 1.7)
    (found,) = unmix(mixed([(BLUE, true)], ground), [BLUE], NOTHING_HIDDEN)
    assert np.abs(found - true).max() < 0.01


@pytest.mark.parametrize("row", [10.0, 10.25, 10.5, 10.9])
def test_the_centroid_of_the_coverage_is_the_line(row: float) -> None:
    (found,) = unmix(mixed([(ORANGE, stroke(row))]), [ORANGE], NOTHING_HIDDEN)
    assert found[:, 50] @ np.arange(SIZE[0]) / found[:, 50].sum() == pytest.approx(row, abs=0.01)


def test_two_curves_far_apart_do_not_touch_each_other() -> None:
    blue, orange = stroke(15.4), stroke(40.6)
    found = np.array(list(unmix(mixed([(BLUE, blue), (ORANGE, orange)]), [BLUE, ORANGE], NOTHING_HIDDEN)))
    assert np.abs(found - np.array([blue, orange])).max() < 0.01


def test_two_curves_in_one_pixel_are_both_solved_for() -> None:
    # the lower line is painted second and covers half of the pixel row that they share
    blue, orange = stroke(20.0, 2.0), stroke(22.0, 2.0)
    found = np.array(list(unmix(mixed([(BLUE, blue), (ORANGE, orange)]), [BLUE, ORANGE], NOTHING_HIDDEN)))
    assert found[1, 21, 50] == pytest.approx(0.5, abs=0.02)
    assert found[0, 21, 50] == pytest.approx(0.25, abs=0.02)  # half of what the second left of it
    assert found[0, 20, 50] == pytest.approx(1, abs=0.02)


def test_a_curve_over_a_grid_line_is_unmixed_against_the_line() -> None:
    ground = mixed([])
    grid = ground.ground.copy()
    grid[20] = 176
    true = stroke(20.3, 1.4)
    pixels = np.rint((1 - true[..., None]) * grid + true[..., None] * BLUE).astype(np.float32)
    (found,) = unmix(Ground((0, 0), pixels, grid, WHITE), [BLUE], NOTHING_HIDDEN)
    assert np.abs(found - true).max() < 0.015


def test_hidden_pixels_hold_nothing() -> None:
    hidden = NOTHING_HIDDEN.copy()
    hidden[:, 30:60] = True
    (found,) = unmix(mixed([(BLUE, stroke(20))]), [BLUE], hidden)
    assert found[:, 30:60].max() == 0
    assert found[20, 29] == pytest.approx(1, abs=0.01)


def test_without_colours_or_ink_nothing_is_covered() -> None:
    assert unmix(mixed([]), [BLUE], NOTHING_HIDDEN)[0].max() == 0
    assert len(unmix(mixed([(BLUE, stroke(20))]), [], NOTHING_HIDDEN)) == 0


def test_the_colours_of_the_curves_are_found() -> None:
    painted = mixed([(BLUE, stroke(10.3)), (ORANGE, stroke(25.7)), (GREEN, stroke(40))])
    found = find_colours(painted, NOTHING_HIDDEN)
    assert len(found) == 3
    for colour in (BLUE, ORANGE, GREEN):
        assert min(np.abs(colour - f).max() for f in found) <= 3


def test_known_colours_are_not_found_again() -> None:
    painted = mixed([(BLUE, stroke(10.3)), (ORANGE, stroke(25.7))])
    (found,) = find_colours(painted, NOTHING_HIDDEN, [BLUE])
    assert np.abs(found - ORANGE).max() <= 3


def test_the_rim_of_a_thick_line_is_no_colour_of_its_own() -> None:
    slanted = np.array([stroke(10 + 0.3 * c, 3.0)[:, 0] for c in range(SIZE[1])]).T
    (found,) = find_colours(mixed([(BLUE, slanted)]), NOTHING_HIDDEN)
    assert np.abs(found - BLUE).max() <= 3


def test_a_faint_curve_of_the_same_hue_is_a_colour_of_its_own() -> None:
    rng = np.random.default_rng(0)
    rows = 25 + 12 * np.sin(np.arange(SIZE[1]) / 5) + rng.normal(0, 2, SIZE[1])
    raw = np.array([stroke(row, 3.0)[:, 0] for row in rows]).T
    painted = mixed([(BLUE, 0.3 * raw), (BLUE, stroke(50, 2.0))])
    found = find_colours(painted, NOTHING_HIDDEN)
    faint = 0.7 * WHITE + 0.3 * BLUE
    assert len(found) == 2
    assert min(np.abs(BLUE - f).max() for f in found) <= 4
    assert min(np.abs(faint - f).max() for f in found) <= 4


def test_a_short_speck_is_no_curve() -> None:
    painted = mixed([(BLUE, stroke(10)), (ORANGE, stroke(30, 2.0, slice(50, 56)))])
    assert len(find_colours(painted, NOTHING_HIDDEN)) == 1


def test_no_ink_no_colour() -> None:
    assert find_colours(mixed([]), NOTHING_HIDDEN) == []


def test_what_two_translucent_curves_make_together_is_no_third() -> None:
    upper, lower = 0.6 * stroke(24, 16.0), 0.6 * stroke(36, 16.0)
    painted = mixed([(BLUE, upper), (ORANGE, lower)])
    found = find_colours(painted, NOTHING_HIDDEN)
    assert len(found) == 2
    for colour in (BLUE, ORANGE):
        assert min(np.abs(0.4 * WHITE + 0.6 * colour - f).max() for f in found) <= 4


def test_a_curve_of_a_colour_between_two_others_is_a_curve() -> None:
    between = 0.5 * BLUE + 0.5 * ORANGE
    painted = mixed([(BLUE, stroke(10)), (ORANGE, stroke(50)), (between, stroke(30))])
    assert len(find_colours(painted, NOTHING_HIDDEN)) == 3


def test_colours_washed_out_by_compression_are_no_curves() -> None:
    rng = np.random.default_rng(0)
    size, red = (240, 480), np.array([166, 6, 40])
    pixels = np.full((*size, 3), 238, np.uint8)
    for column in range(10, 470):  # a curve so noisy that it fills its columns
        first, last = np.sort(rng.normal([105, 135], 8)).astype(int)
        pixels[first:last, column] = red
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "JPEG", quality=60)
    read = np.asarray(Image.open(buffer).convert("RGB"), np.float32)
    grey = np.full(3, 238, np.float32)
    ground = Ground((0, 0), read, np.broadcast_to(grey, read.shape).copy(), grey)
    found = find_colours(ground, np.zeros(size, bool))
    assert len(found) == 1
    assert np.abs(found[0] - red).max() <= 8
