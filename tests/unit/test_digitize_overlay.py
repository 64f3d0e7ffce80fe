"""The overlay is the figure, faded, with what was read drawn at its place."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest
from digitization_sample import sample
from PIL import Image

from replicate.digitizer.overlay import FRAME, draw_overlay
from replicate.digitizer.record import Digitization, View


def drawn(digitization: Digitization) -> np.ndarray:
    """Return the overlay's pixels."""
    png = draw_overlay(digitization)
    assert png.startswith(b"\x89PNG")
    return np.asarray(Image.open(io.BytesIO(png)))


def test_small_figures_are_enlarged_threefold() -> None:
    assert drawn(sample()).shape == (420, 780, 3)


@pytest.mark.parametrize(("width", "zoom"), [(200, 3), (700, 2), (1000, 2), (1400, 1), (3000, 1)])
def test_the_enlargement_falls_with_the_size(width: int, zoom: int) -> None:
    digitization = sample()
    object.__setattr__(digitization, "size", (width, 140))
    object.__setattr__(digitization, "picture", np.full((140, width, 3), 255, np.uint8))
    assert drawn(digitization).shape == (140 * zoom, width * zoom, 3)


def test_the_figure_is_faded() -> None:
    digitization = sample()
    digitization.picture[130:, 250:] = 0
    assert tuple(drawn(digitization)[-1, -1]) == (140, 140, 140)


def test_curves_are_drawn_in_their_colour_at_their_place() -> None:
    image = drawn(sample()).astype(int)
    x, y = 41 + 75, 21 + 50  # between the second and third point of the first curve
    around = image[3 * y - 6 : 3 * y + 9, 3 * x - 3 : 3 * x + 6].reshape(-1, 3)
    assert np.abs(around - (0x1F, 0x77, 0xB4)).max(axis=1).min() < 40


def test_an_unread_panel_can_be_drawn() -> None:
    assert drawn(sample(readable=False)).shape == (420, 780, 3)


def test_a_figure_without_panels_can_be_drawn() -> None:
    digitization = sample()
    object.__setattr__(digitization, "panels", ())
    assert drawn(digitization).min() == 255


def test_bounds_are_thin_lines_in_their_curves_colour() -> None:
    plain = sample()
    panel = plain.panels[0]
    first = panel.series[0]
    edge = replace(first.curve, name=f"{first.name} (upper)", y=first.curve.y + 1)
    bounded = replace(plain, panels=(replace(panel, bounds=(edge,)), *plain.panels[1:]))
    changed = np.abs(drawn(bounded).astype(int) - drawn(plain)).max(axis=2) > 40
    assert changed.any()
    colour = tuple(int(first.color[i : i + 2], 16) for i in (1, 3, 5))
    assert np.abs(drawn(bounded)[changed].astype(int) - colour).max(axis=1).min() < 60


def test_a_panel_on_a_page_of_another_scale_is_drawn_at_its_place() -> None:
    plain = sample()
    small = replace(plain.panels[0], view=View(0.5, 10, 5))
    image = drawn(replace(plain, panels=(small,)))
    x, y = 10 + small.box.x0 / 2, 5 + small.box.y0 / 2
    corner = (
        image[round(3 * y) : round(3 * y) + 4, round(3 * x) : round(3 * x) + 4].reshape(-1, 3).astype(int)
    )
    assert np.abs(corner - FRAME).max(axis=1).min() < 60
