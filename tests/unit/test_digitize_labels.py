"""The evidence of an axis: its labels, its ticks, an offset at its end, its title."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from replicate.digitizer import axes, ocr
from replicate.digitizer.labels import SideText, read_side
from replicate.digitizer.layout import find_panels
from replicate.digitizer.lines import find_lines


@pytest.fixture(scope="module")
def sides(draw: Any, decay: Any) -> dict[str, SideText]:
    """The left and lower side of a chart with an offset at each axis' end."""

    def adjust(ax: Any) -> None:
        ax.set(xlabel="tokens seen", ylabel="validation loss", title="Ablation", ylim=(0, 5.5e-4))
        ax.ticklabel_format(scilimits=(-3, 3), useMathText=True)

    x, y = decay(5e-4, 1e-4, 4, last=2e6)
    chart = draw({"a": (x, y)}, size=(560, 400), adjust=adjust, legend=False)
    image = chart.image
    (panel,) = find_panels(*find_lines(image), (image.shape[1], image.shape[0]))
    texts = ocr.find_text(image)
    return {side: read_side(image, panel, side, texts, ()) for side in ("left", "bottom", "right", "top")}


def test_labels_are_read_with_what_they_may_mean(sides: dict[str, SideText]) -> None:
    evidence = sides["left"].evidence
    by_place = sorted(evidence.labels, key=lambda label: -label.pixel)
    assert [label.readings[0].value for label in by_place] == [0, 1, 2, 3, 4, 5]


def test_every_label_stands_at_its_tick(sides: dict[str, SideText]) -> None:
    for side in ("left", "bottom"):
        evidence = sides[side].evidence
        ticks = np.array([m.pixel for m in evidence.marks if m.major])
        assert len(ticks) == len(evidence.labels)
        assert all(np.abs(ticks - label.pixel).min() < 1.5 for label in evidence.labels)


def test_the_offset_multiplies(sides: dict[str, SideText]) -> None:
    factors = {side: sides[side].evidence.offset for side in ("left", "bottom")}
    assert [factors[side][0].value for side in ("left", "bottom")] == [1e-4, 1e6]


def test_the_titles_of_the_axes(sides: dict[str, SideText]) -> None:
    assert sides["left"].evidence.label == "validation loss"
    assert sides["bottom"].evidence.label == "tokens seen"


def test_direction_and_span(sides: dict[str, SideText]) -> None:
    left, bottom = sides["left"].evidence, sides["bottom"].evidence
    assert (left.direction, bottom.direction) == ("y", "x")
    assert left.span[0] < min(label.pixel for label in left.labels)
    assert left.span[1] > max(label.pixel for label in left.labels)


def test_a_side_without_labels_has_none(sides: dict[str, SideText]) -> None:
    evidence = sides["right"].evidence
    assert (evidence.labels, evidence.offset, evidence.label) == ((), (), None)


def test_a_title_above_is_no_axis(sides: dict[str, SideText]) -> None:
    fit = axes.fit_axis(sides["top"].evidence)
    assert fit is None or fit.scale == "category" or fit.doubt > 0.3


def test_the_boxes_of_labels_are_handed_on(sides: dict[str, SideText]) -> None:
    left = sides["left"]
    assert {label.box for label in left.evidence.labels} <= set(left.used)
    assert len(left.used) >= len(left.evidence.labels)
