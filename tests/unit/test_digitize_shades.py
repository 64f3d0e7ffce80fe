"""Colours of one hue: told apart by how strong they are."""

import numpy as np
import pytest
from drawing import draw_chart

from replicate.digitizer import shades
from replicate.digitizer.ground import Ground
from replicate.digitizer.pipeline import digitize_bytes

WHITE = np.array([255, 255, 255], np.float32)


def colour(*rgb):
    return np.array(rgb, np.float32)


def test_greys_are_one_family_and_red_is_another():
    found = shades.families([colour(102, 102, 102), colour(255, 0, 0), colour(0, 0, 0)], WHITE)
    assert [f.members for f in found] == [(1,), (2, 0)] or [f.members for f in found] == [(2, 0), (1,)]
    greys = next(f for f in found if f.members == (2, 0))
    assert greys.shares == pytest.approx((1.0, 0.6))


def test_the_climb_ends_on_the_core_of_the_stroke():
    strength = np.array([[0, 0.3, 1.0, 0.4, 0, 0.2, 0.5, 0.5, 0.1]], np.float32)
    top = shades.climb(strength, 0.04, 3)[0]
    assert top[1:4].tolist() == [1.0, 1.0, 1.0]
    assert top[5:9].tolist() == [0.5, 0.5, 0.5, 0.5]


def test_the_rim_of_a_black_line_is_no_grey_line():
    strength = np.zeros((20, 30), np.float32)
    strength[4:7] = np.array([0.4, 1.0, 0.6], np.float32)[:, None]  # black, between rows
    strength[12:15] = np.array([0.2, 0.5, 0.3], np.float32)[:, None]  # grey
    black, grey = shades.split(strength, (1.0, 0.5))
    assert black[4:7, 15].tolist() == pytest.approx([0.4, 1.0, 0.6])
    assert grey[12:15, 15].tolist() == pytest.approx([0.4, 1.0, 0.6])
    assert black[12:15].max() == 0
    assert grey[4:7].max() == 0


def test_a_line_on_a_faint_area_is_measured_against_it():
    strength = np.zeros((20, 30), np.float32)
    strength[3:17] = 0.3
    strength[9:12] = np.array([0.3 + 0.7 * 0.25, 1.0, 0.3 + 0.7 * 0.75], np.float32)[:, None]
    line, area = shades.split(strength, (1.0, 0.3))
    assert line[9:12, 15].tolist() == pytest.approx([0.25, 1.0, 0.75], abs=1e-6)
    assert line[3:9].max() == 0
    assert area[3:17, 15].min() == pytest.approx(1.0)  # it runs on under the line


def test_shares_of_two_greys_on_white():
    pixels = np.full((9, 12, 3), 255, np.float32)
    pixels[2], pixels[6] = 0, 102
    ground = Ground((0, 0), pixels, np.full_like(pixels, 255), WHITE)
    grey, black = shades.unmix(ground, [colour(102, 102, 102), colour(0, 0, 0)], np.zeros((9, 12), bool))
    assert black[2].min() == grey[6].min() == pytest.approx(1)
    assert black[6].max() == grey[2].max() == 0


def test_four_greys_that_cross_are_four_curves():
    x = np.linspace(0, 100, 300)
    names = {"one": "0.0", "two": "0.4", "three": "0.6", "four": "0.7"}
    ends = dict(zip(names, (0.2, 0.5, 0.75, 0.95), strict=True))
    curves = {n: (x, 1 + (end - 0.6) * x / 50 + 0.1 * np.sin(x / 15)) for n, end in ends.items()}

    def recolour(ax):
        for line, grey in zip(ax.lines, names.values(), strict=True):
            line.set_color(grey)

    drawing = draw_chart(curves, adjust=recolour, linewidth=2)
    read = digitize_bytes(drawing.png, "greys.png").curves
    assert sorted(read) == sorted(names)
    for name in names:
        errors = drawing.errors(read[name], name)
        assert np.median(errors) < 0.001
        assert np.percentile(errors, 95) < 0.01


def test_a_faint_raw_curve_and_its_smoothed_one_are_two_series():
    rng = np.random.default_rng(3)
    x = np.linspace(0, 1000, 1500)
    trend = 4 + 3 * np.exp(-x / 200)
    curves = {"raw": (x, trend + rng.normal(0, 0.25, len(x))), "smoothed": (x, trend)}

    def fade(ax):
        for line in ax.lines:
            line.set_color("tab:blue")
        ax.lines[0].set_alpha(0.3)

    drawing = draw_chart(curves, size=(640, 480), adjust=fade)
    read = digitize_bytes(drawing.png, "smoothed.png").curves
    assert sorted(read) == ["raw", "smoothed"]
    errors = drawing.errors(read["smoothed"], "smoothed")
    assert np.median(errors) < 0.001
    assert np.percentile(errors, 95) < 0.005
    raw = read["raw"]
    assert np.median(raw.y_hi - raw.y_lo) > 0.5  # the noise fills its columns: about four standard deviations
    inside = np.interp(raw.x, x, trend)
    assert ((raw.y_lo <= inside + 0.1) & (inside - 0.1 <= raw.y_hi)).mean() > 0.95
