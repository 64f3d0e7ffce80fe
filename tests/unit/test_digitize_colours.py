"""Colours have everyday names."""

from __future__ import annotations

import matplotlib
import numpy as np
import pytest
from matplotlib.colors import to_rgb

from replicate.digitizer.colours import distinct_names, name_of, to_hex

CYCLE = ("blue", "orange", "green", "red", "purple", "brown", "pink", "grey", "yellow", "cyan")


@pytest.mark.parametrize(("cycle", "name"), list(enumerate(CYCLE)))
def test_the_default_cycle(cycle: int, name: str) -> None:
    colour = matplotlib.rcParamsDefault["axes.prop_cycle"].by_key()["color"][cycle]
    assert name_of(np.array(to_rgb(colour)) * 255) == name


@pytest.mark.parametrize(
    "word", ["black", "white", "red", "blue", "green", "orange", "purple", "cyan", "grey"]
)
def test_pure_colours_bear_their_own_name(word: str) -> None:
    assert name_of(np.array(to_rgb(word)) * 255) == word


def test_a_shade_takes_the_nearest_name() -> None:
    assert name_of(np.array([176, 196, 240], np.float32)) == "light blue"
    assert name_of(np.array([60, 64, 60], np.float32)) in ("black", "grey")


def test_notation() -> None:
    assert to_hex(np.array([31.2, 118.6, 179.9])) == "#1f77b4"
    assert to_hex(np.array([-3.0, 300, 0])) == "#00ff00"


def test_equal_names_are_numbered() -> None:
    assert distinct_names(["blue", "red", "blue", "blue"]) == ["blue", "red", "blue-2", "blue-3"]
