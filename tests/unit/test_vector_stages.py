"""The small stages between a page's paths and its curves: letters, clips, joins, bands, markers and captions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from replicate.digitizer.model import Box
from replicate.digitizer.vector.bounds import edges_of
from replicate.digitizer.vector.captions import figure_of, find_captions
from replicate.digitizer.vector.curves import Chain, cut, find_chains
from replicate.digitizer.vector.drawing import Drawing, Glyph, Path, Subpath, Text
from replicate.digitizer.vector.flatten import flatten_cubic
from replicate.digitizer.vector.lettering import join_letters
from replicate.digitizer.vector.markers import centre_of, kind_of
from replicate.digitizer.vector.page import Page, make_page
from replicate.digitizer.vector.segments import as_rectangle

PANEL = Box(0.0, 0.0, 400.0, 300.0)


def path(*stretches: Sequence[tuple[float, float]], closed: bool = False, **look: object) -> Path:
    """Return a stroked path."""
    subpaths = tuple(Subpath(np.array(s, dtype=np.float64), np.ones(len(s), bool), closed) for s in stretches)
    return Path(subpaths, look.pop("stroke", (0, 0, 0)), look.pop("fill", None), **look)  # type: ignore[arg-type]


def page(*paths: Path) -> Page:
    """Return a page in units in which its text is 20 high."""
    number = text("0", 10, 390, 20)
    return make_page(Drawing("svg", None, 500, 400, paths, (number,)))


def text(said: str, x: float, y: float, size: float = 10, order: int = 0) -> Text:
    """Return letters of half their size in width that stand on a baseline from x on; "_" is a space."""
    glyphs = tuple(
        Glyph(
            c,
            Box(x + 0.5 * size * k, y - 0.7 * size, x + 0.5 * size * (k + 1), y),
            size,
            (x + 0.5 * size * k, y),
        )
        for k, c in enumerate(said)
        if c != "_"
    )
    boxes = np.array([g.box for g in glyphs])
    hull = Box(*boxes[:, :2].min(axis=0).tolist(), *boxes[:, 2:].max(axis=0).tolist())
    return Text(said.replace("_", " "), hull, glyphs, size, order=order)


def said(*texts: Text) -> list[tuple[str, tuple[str, ...]]]:
    """Return what texts join to, and their other spellings."""
    return sorted((found.text.text, found.text.alternatives) for found in join_letters(texts))


def chains(*paths: Path) -> list[Chain]:
    """Return the lines of a panel."""
    return find_chains(page(*paths), PANEL, ())


# --- letters ----------------------------------------------------------------------------------------------


def test_a_raised_smaller_number_is_an_exponent() -> None:
    assert said(text("10", 0, 100, order=1), text("−3", 10, 95, 7, order=2)) == [("10⁻³", ("10^−3",))]


def test_labels_that_nearly_touch_stay_apart_when_ticks_are_drawn_between() -> None:
    assert said(text("10000", 0, 100, order=1), text("12500", 26, 100, order=3)) == [
        ("10000", ()),
        ("12500", ()),
    ]


def test_a_wide_gap_ends_a_text_and_spaces_stay() -> None:
    assert said(text("w/_LN____0.5", 0, 100)) == [("0.5", ()), ("w/ LN", ())]


def test_formulas_become_one_label() -> None:
    parts = [text(c, x, 100, order=k) for k, (c, x) in enumerate((("2", 0), ("×", 9), ("10", 18)))]
    assert said(*parts, text("4", 28, 95, 7, order=3)) == [("2 × 10⁴", ("2 × 10^4",))]


# --- lines ------------------------------------------------------------------------------------------------


def test_a_line_is_cut_where_it_crosses_the_border() -> None:
    points = np.array([[-10.0, 0], [10, 20], [20, 20], [20, 60], [30, 60], [30, 30]])
    found = cut(points, Box(0, 0, 40, 40), slack=0.0)
    assert found.tolist() == [[0, 10], [10, 20], [20, 20], [20, 40], [30, 40], [30, 30]]


def test_a_line_outside_leaves_nothing_and_one_inside_stays() -> None:
    points = np.array([[50.0, 0], [60, 20]])
    assert cut(points, Box(0, 0, 40, 40)).shape == (0, 2)
    assert cut(points, Box(0, 0, 90, 40)).tolist() == points.tolist()


def test_stretches_that_touch_are_one_line() -> None:
    (found,) = chains(
        path([(10, 10), (60, 50)]), path([(60, 50), (90, 20), (200, 90)]), path([(200, 90), (300, 95)])
    )
    assert found.points.tolist() == [[10, 10], [60, 50], [90, 20], [200, 90], [300, 95]]
    assert found.paths == (0, 1, 2)


def test_a_line_drawn_to_the_left_is_turned() -> None:
    (found,) = chains(path([(300, 10), (100, 50), (20, 90)]))
    assert found.points[:, 0].tolist() == [20, 100, 300]
    assert found.backward == 0


def test_a_white_halo_under_a_curve_is_no_curve() -> None:
    points = [(10.0, 10.0), (100, 80), (300, 40)]
    (found,) = chains(
        path(points, stroke=(255, 255, 255), width=6), path(points, stroke=(200, 0, 0), width=2)
    )
    assert found.ink.colour == (200, 0, 0)


def test_frames_and_upright_strokes_are_no_lines() -> None:
    frame = path([(0, 0), (400, 0), (400, 300), (0, 300)], closed=True)
    assert chains(frame, path([(0, 0), (0, 300), (400, 300)]), path([(50, 20), (50, 250)])) == []


# --- shapes -----------------------------------------------------------------------------------------------


def test_a_band_has_a_lower_and_an_upper_edge() -> None:
    outline = np.array([(0, 30), (0, 10), (50, 15), (90, 5), (90, 40), (50, 45)], dtype=np.float64)
    edges = edges_of(outline, 0.01)
    assert edges is not None
    assert edges[0].tolist() == [[0, 30], [50, 45], [90, 40]]
    assert edges[1].tolist() == [[0, 10], [50, 15], [90, 5]]


def test_a_star_is_no_band() -> None:
    turn = np.linspace(0, 2 * np.pi, 11)[:-1]
    reach = np.where(np.arange(10) % 2, 4.0, 10.0)
    star = np.stack((reach * np.sin(turn), reach * np.cos(turn)), axis=1)
    assert edges_of(star, 0.01) is None


def test_markers_of_one_shape_are_of_one_kind_wherever_they_stand() -> None:
    triangle = [(0.0, 0.0), (6, 0), (3, -6)]
    here, there = (
        path([(x + d, y + d) for x, y in triangle], closed=True, fill=(0, 0, 255)) for d in (10, 150.123)
    )
    assert kind_of(here) == kind_of(there)
    assert centre_of(here) == (13, 7)


def test_a_pentagon_is_centred_on_its_corners_and_a_symbol_on_its_origin() -> None:
    turn = np.linspace(0, 2 * np.pi, 6)[:-1]
    corners = [(5 * float(np.sin(t)) + 50, 5 * float(-np.cos(t)) + 20) for t in turn]
    assert centre_of(path(corners, closed=True)) == pytest.approx((50, 20))
    assert centre_of(path(corners, closed=True, symbol="m", anchor=(51.0, 21.0))) == (51, 21)


def test_rectangles_are_known_whether_or_not_they_repeat_their_first_corner() -> None:
    corners = [(1.0, 2.0), (5, 2), (5, 9), (1, 9)]
    assert as_rectangle(path(corners, closed=True).subpaths[0]) == Box(1, 2, 5, 9)
    assert as_rectangle(path([*corners, corners[0]]).subpaths[0]) == Box(1, 2, 5, 9)
    assert as_rectangle(path([(1, 2), (5, 3), (5, 9), (1, 9)], closed=True).subpaths[0]) is None


def test_a_straight_bezier_curve_is_one_piece() -> None:
    control = np.array([[0.0, 0], [1, 1], [2, 2], [3, 3]])
    assert flatten_cubic(control).tolist() == [[3, 3]]


# --- captions ---------------------------------------------------------------------------------------------


def test_a_panel_belongs_to_the_caption_below_it() -> None:
    lines = join_letters(
        [text("Figure_2:_Loss", 10, 200), text("Fig._3._More", 10, 400), text("see_Figure_9", 10, 420)]
    )
    captions = find_captions(lines)
    assert sorted(n for n, _ in captions) == [2, 3]
    assert figure_of(Box(10, 60, 200, 180), captions) == 2
    assert figure_of(Box(10, 240, 200, 380), captions) == 3
    assert figure_of(Box(10, 420, 200, 480), captions) == 3  # above it, where there is none below
    assert figure_of(Box(10, 60, 200, 180), []) is None
