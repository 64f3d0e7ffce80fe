"""Legends: which names stand beside which keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from drawing import Drawing
from matplotlib.legend import Legend as MatplotlibLegend

from replicate.digitizer import ocr
from replicate.digitizer.legend import Legend, find_legend
from replicate.digitizer.model import Box, TextBox

BLUE, ORANGE = (31, 119, 180), (255, 127, 14)


def legend_of(
    draw: Callable[..., Drawing], decay: Any, show: Callable[[Any], Any], **plot: Any
) -> Legend | None:
    """Draw two falling curves whose legend (or other text) `show` makes, and find the legend.

    The texts' boxes are matplotlib's own, cut to their ink as the text search does it.
    """
    shown: list[Any] = []
    curves = {"Baseline": decay(9, 2, 4), "Small Init": decay(8, 4, 3)}
    chart = draw(curves, size=(520, 390), legend=False, adjust=lambda ax: shown.append(show(ax)), **plot)
    texts = [text_box(chart, text) for text in texts_of(shown[0])]
    (x0, x1), (y1, y0) = chart.x.ends, chart.y.ends
    return find_legend(chart.image, texts, Box(x0, y0, x1, y1))


def texts_of(shown: Any) -> list[Any]:
    """Return the texts of a legend, its title among them, or of what else was shown."""
    if isinstance(shown, MatplotlibLegend):
        return [t for t in (*shown.get_texts(), shown.get_title()) if t.get_text()]
    return shown if isinstance(shown, list) else [shown]


def text_box(chart: Drawing, text: Any) -> TextBox:
    """Return a text as the search would find it."""
    height = chart.image.shape[0]
    box = text.get_window_extent()
    x0, x1, y0, y1 = int(box.x0), int(box.x1), int(height - box.y1), int(height - box.y0)
    dark = chart.image[y0 : y1 + 1, x0 : x1 + 1].max(axis=2) < 100
    rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
    place = (x0 + columns[0], y0 + rows[0], x0 + columns[-1], y0 + rows[-1])
    return TextBox(text.get_text(), Box(*(float(v) for v in place)), 0.99)


KINDS: dict[str, Callable[[Any], Any]] = {
    "framed": lambda ax: ax.legend(),
    "frameless": lambda ax: ax.legend(frameon=False),
    "titled": lambda ax: ax.legend(title="initialisation"),
    "in two columns": lambda ax: ax.legend(ncols=2),
    "above": lambda ax: ax.legend(ncols=2, loc="lower center", bbox_to_anchor=(0.5, 1)),
    "outside": lambda ax: ax.legend(loc="center left", bbox_to_anchor=(1, 0.5)),
    "keys at the right": lambda ax: ax.legend(markerfirst=False),
}


@pytest.mark.parametrize("kind", KINDS)
def test_names_and_colours(draw: Any, decay: Any, kind: str) -> None:
    legend = legend_of(draw, decay, KINDS[kind])
    assert legend is not None
    assert [e.name for e in legend.entries] == ["Baseline", "Small Init"]
    for entry, colour in zip(legend.entries, (BLUE, ORANGE), strict=True):
        assert np.abs(entry.key.colour - colour).max() <= 12


def test_a_frame_is_the_legend_s_box(draw: Any, decay: Any) -> None:
    framed, bare = (legend_of(draw, decay, KINDS[k]) for k in ("framed", "frameless"))
    assert framed is not None
    assert bare is not None
    assert (framed.framed, bare.framed) == (True, False)
    for entry in framed.entries:
        for box in (entry.key.box, entry.text.box):
            assert framed.box.x0 < box.x0 <= box.x1 < framed.box.x1
            assert framed.box.y0 < box.y0 <= box.y1 < framed.box.y1


@pytest.mark.parametrize(
    ("dash", "style"), [("-", "solid"), ("--", "dashed"), (":", "dotted"), ("-.", "dashdot")]
)
def test_the_style_of_a_key(draw: Any, decay: Any, dash: str, style: str) -> None:
    legend = legend_of(draw, decay, lambda ax: ax.legend(handlelength=4), linestyle=dash)
    assert legend is not None
    assert [e.key.style for e in legend.entries] == [style, style]


def test_a_marker_on_a_key(draw: Any, decay: Any) -> None:
    plain, marked = (
        legend_of(draw, decay, KINDS["framed"], **more) for more in ({}, {"marker": "o", "markevery": 40})
    )
    assert plain is not None
    assert marked is not None
    assert [e.key.marker for e in plain.entries] == [False, False]
    assert [e.key.marker for e in marked.entries] == [True, True]


def test_a_text_that_the_search_overlooked_is_found_by_its_key(draw: Any, decay: Any) -> None:
    chart = draw({"Adam": decay(9, 2, 4), "Lion": decay(8, 3, 4), "Muon": decay(7, 4, 3)}, size=(520, 390))
    texts = [t for t in ocr.find_text(chart.image) if t.text != "Lion"]
    legend = find_legend(
        chart.image, texts, Box(chart.x.ends[0], chart.y.ends[1], chart.x.ends[1], chart.y.ends[0])
    )
    assert legend is not None
    assert [e.name for e in legend.entries] == ["Adam", "Lion", "Muon"]


def test_a_chart_without_a_legend_has_none(draw: Any, decay: Any) -> None:
    assert legend_of(draw, decay, lambda ax: [ax.set_xlabel("step"), ax.set_title("Ablation")]) is None


def test_a_text_beside_a_curve_is_no_legend(draw: Any, decay: Any) -> None:
    assert legend_of(draw, decay, lambda ax: ax.text(40, 5.5, "best run")) is None


def test_text_alone_is_no_legend() -> None:
    image = np.full((200, 300, 3), 255, np.uint8)
    texts = [TextBox("Baseline", Box(100, 50, 160, 60), 0.99)]
    assert find_legend(image, texts, Box(20, 20, 280, 180)) is None


def test_a_key_read_as_a_part_of_its_text_is_cut_off() -> None:
    image = np.full((200, 300, 3), 255, np.uint8)
    for row, colour in ((50, BLUE), (80, ORANGE)):
        image[row : row + 2, 60:84] = colour
        for x in range(92, 150, 8):
            image[row - 5 : row + 6, x : x + 4] = 0
    texts = [
        TextBox(f"—{name}", Box(60, row - 5, 147, row + 5), 0.99)
        for name, row in (("Adam", 50), ("Muon", 80))
    ]
    legend = find_legend(image, texts, Box(20, 20, 280, 180))
    assert legend is not None
    assert [e.name for e in legend.entries] == ["Adam", "Muon"]
    assert [tuple(e.key.colour) for e in legend.entries] == [BLUE, ORANGE]
    assert all(e.text.box.x0 >= 88 for e in legend.entries)
