"""SVG files read as drawings: every feature with exact values, and files that must be refused."""

import base64
import gzip
import io
import math
from pathlib import Path as FilePath

import numpy as np
import pytest
from PIL import Image

from replicate.digitizer.model import Box
from replicate.digitizer.vector.drawing import Drawing, Path
from replicate.digitizer.vector.svg import read_svg
from replicate.digitizer.vector.svg_painter import SvgLimits
from replicate.errors import InputError

REAL = FilePath(__file__).parents[2].parent / "shared" / "real_figures"
HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 200 100">'


def read(body: str, head: str = HEAD, limits: SvgLimits | None = None) -> Drawing:
    """Return the drawing of what stands in an SVG of 200 by 100 units."""
    return read_svg(f"{head}{body}</svg>".encode(), "a.svg", limits)


def only(body: str, head: str = HEAD) -> Path:
    """Return the only path of an SVG."""
    (path,) = read(body, head).paths
    return path


def points(body: str) -> list[list[list[float]]]:
    """Return the points of each subpath of the only path."""
    return [s.points.tolist() for s in only(body).subpaths]


def test_all_straight_commands_absolute_and_relative() -> None:
    assert points('<path d="M1 2 L3 4 5 6 H7 V8 h-1 v-2 l1,1 m1 1 2 2z"/>') == [
        [[1, 2], [3, 4], [5, 6], [7, 6], [7, 8], [6, 8], [6, 6], [7, 7]],
        [[8, 8], [10, 10]],
    ]
    assert [s.closed for s in only('<path d="M1 2 L3 4 m1 1 2 2z"/>').subpaths] == [False, True]


def test_numbers_that_run_into_one_another() -> None:
    assert points('<path d="M.5.5-1-2L1e1,2.5E0"/>') == [[[0.5, 0.5], [-1, -2], [10, 2.5]]]


def test_after_a_close_the_pen_is_at_the_start() -> None:
    assert points('<path d="M1 1h5v5zl2 2"/>') == [[[1, 1], [6, 1], [6, 6]], [[1, 1], [3, 3]]]


def test_a_path_is_drawn_up_to_its_first_error() -> None:
    assert points('<path d="M1 1 L2 2 L3 nan 4 4"/>') == [[[1, 1], [2, 2]]]
    assert read('<path d="L1 1 2 2"/><path d=""/><path/><path d="M1 1"/>').paths == ()


def test_a_repeated_first_point_of_a_closed_path_is_dropped() -> None:
    assert points('<path d="M0 0L4 0 4 4 0 0Z"/>') == [[[0, 0], [4, 0], [4, 4]]]


def test_a_shape_that_ends_where_it_began_is_closed() -> None:
    for data in ("M0 0L4 0 4 4 0 0", "M0 0l4 0 0 4 -4 -4"):
        (subpath,) = only(f'<path d="{data}"/>').subpaths
        assert (len(subpath.points), subpath.closed) == (3, True)
    (there_and_back,) = only('<path d="M0 0L4 0 0 0"/>').subpaths
    assert (len(there_and_back.points), there_and_back.closed) == (3, False)


@pytest.mark.parametrize(
    ("curve", "middle"),
    [
        ("C 0 40 40 40 40 0", (20, 30)),
        ("c 0 40 40 40 40 0", (20, 30)),
        ("Q 20 40 40 0", (20, 20)),
        ("q 20 40 40 0", (20, 20)),
        ("S 40 40 40 0", (20, 15)),  # without a curve before it, the first control point is the start
    ],
)
def test_curves_are_flattened_onto_themselves(curve: str, middle: tuple[float, float]) -> None:
    (subpath,) = only(f'<path d="M0 0 {curve}"/>').subpaths
    assert subpath.points[0].tolist() == [0, 0]
    assert subpath.points[-1].tolist() == [40, 0]
    assert subpath.vertices.tolist() == [True, *[False] * (len(subpath.points) - 2), True]
    assert distance(subpath.points, middle) < 0.05


def distance(line: np.ndarray, point: tuple[float, float]) -> float:
    """Return the distance of a point from a polyline."""
    a, b = line[:-1], line[1:]
    t = np.clip(((point - a) * (b - a)).sum(1) / ((b - a) ** 2).sum(1), 0, 1)
    return float(np.hypot(*(a + t[:, None] * (b - a) - point).T).min())


def test_smooth_curves_mirror_the_last_control_point() -> None:
    (cubic,) = only('<path d="M0 0 C0 10 10 10 10 0 S20 -10 20 0"/>').subpaths
    assert distance(cubic.points, (15, -7.5)) < 0.05
    (quadratic,) = only('<path d="M0 0 Q5 10 10 0 T20 0"/>').subpaths
    assert distance(quadratic.points, (15, -5)) < 0.05


@pytest.mark.parametrize(
    ("flags", "side", "length"), [("0 1", -1, 0.5), ("0 0", 1, 0.5), ("1 1", -1, 1.5), ("1 0", 1, 1.5)]
)
def test_arcs_keep_their_radius_side_and_size(flags: str, side: int, length: float) -> None:
    """Quarter of a circle of radius 10, or the three quarters that remain, on either side."""
    (subpath,) = only(f'<path d="M0 0 A10 10 0 {flags} {math.sqrt(200)} 0"/>').subpaths
    steps = np.hypot(*np.diff(subpath.points, axis=0).T)
    assert steps.sum() == pytest.approx(length * math.pi * 10, rel=2e-3)
    assert np.sign(subpath.points[1:-1, 1].mean()) == side


def test_arc_flags_may_touch_what_follows_and_radii_grow_to_reach() -> None:
    (subpath,) = only('<path d="M0,0a1 1 0 0110 0"/>').subpaths
    assert subpath.points[-1].tolist() == [10, 0]
    assert distance(subpath.points, (5, -5)) < 0.05
    assert points('<path d="M0 0A0 5 0 0 1 10 0"/>') == [[[0, 0], [10, 0]]]


def test_a_turned_elliptical_arc() -> None:
    (subpath,) = only('<path d="M0 0A20 5 90 0 1 10 0"/>').subpaths
    assert distance(subpath.points, (5, -20)) < 0.05


def test_basic_shapes() -> None:
    assert points('<line x1="1" y1="2" x2="10%" y2="50%" stroke="red"/>') == [[[1, 2], [20, 50]]]
    assert points('<polyline points="1,2 3,4 5"/>') == [[[1, 2], [3, 4]]]
    assert only('<polygon points="1,2 3,4 5,6"/>').subpaths[0].closed
    assert points('<rect x="1" y="2" width="3" height="4"/>') == [[[1, 2], [4, 2], [4, 6], [1, 6]]]
    assert only('<circle cx="5" cy="6" r="4"/>').box == pytest.approx((1, 2, 9, 10))
    assert only('<ellipse cx="5" cy="6" rx="4" ry="2"/>').box == pytest.approx((1, 4, 9, 8))
    assert read('<rect width="0" height="4"/><circle r="0"/><rect height="5"/>').paths == ()


def test_rounded_corners_stay_in_the_rectangle() -> None:
    path = only('<rect width="20" height="10" rx="4"/>')
    assert path.box == (0, 0, 20, 10)
    assert [4, 0] in path.subpaths[0].points.tolist()
    assert [0, 0] not in path.subpaths[0].points.tolist()


def test_a_circle_is_named_at_its_four_ends() -> None:
    (subpath,) = only('<circle cx="5" cy="6" r="4"/>').subpaths
    assert subpath.points[subpath.vertices].tolist() == [[9, 6], [5, 10], [1, 6], [5, 2]]


def test_nested_transforms_apply_from_the_inside_out() -> None:
    body = '<g transform="translate(10,20) scale(2)"><path transform="rotate(90 1 1)" d="M1 1L3 1"/></g>'
    assert np.allclose(points(body), [[[12, 22], [12, 26]]])
    assert points('<path transform="matrix(1 0 0 -1 0 100)" d="M1 2L3 4"/>') == [[[1, 98], [3, 96]]]
    assert np.allclose(points('<path transform="skewX(45)" d="M0 0L0 2"/>'), [[[0, 0], [2, 2]]])
    assert points('<path style="transform: translate(5px, 6px)" d="M0 0L1 1"/>') == [[[5, 6], [6, 7]]]


@pytest.mark.parametrize(
    ("length", "units"),
    [("3", 3), ("3px", 3), ("3pt", 4), ("1in", 96), ("2.54cm", 96), ("25.4mm", 96), ("1pc", 16), ("2em", 20),
     ("2ex", 10), ("1rem", 16), ("5%", 10)],
)  # fmt: skip
def test_units(length: str, units: float) -> None:
    (line,) = points(f'<line font-size="10" x2="{length}" stroke="red"/>')
    assert line[1] == [pytest.approx(units), 0]


def test_the_page_is_the_viewbox_begun_at_nought() -> None:
    drawing = read('<path d="M10 20L30 20"/>', '<svg width="5in" height="9in" viewBox="10 20 50 90">')
    assert (drawing.kind, drawing.page, drawing.width, drawing.height) == ("svg", None, 50, 90)
    assert drawing.paths[0].subpaths[0].points.tolist() == [[0, 0], [20, 0]]


def test_without_a_viewbox_the_page_has_the_size_in_pixels() -> None:
    assert read("", '<svg width="72pt" height="1in">').width == 96
    assert read('<rect width="30" height="40"/>', '<svg width="100%">').height == 40


@pytest.mark.parametrize(
    ("aspect", "box"),
    [
        ("", (35, 10, 85, 60)),
        ("xMinYMin", (10, 10, 60, 60)),
        ("xMaxYMid meet", (60, 10, 110, 60)),
        ("none", (10, 10, 110, 60)),
        ("xMidYMid slice", (10, -15, 110, 85)),
    ],
)
def test_nested_drawings_fit_their_viewbox(aspect: str, box: tuple[float, ...]) -> None:
    said = f'preserveAspectRatio="{aspect}"' if aspect else ""
    frame = f'<svg x="10" y="10" width="100" height="50" viewBox="0 0 10 10" {said}>'
    path = only(f'{frame}<rect width="10" height="10"/></svg>')
    assert path.box == pytest.approx(box)
    assert path.clip == (10, 10, 110, 60)


def test_presentation_attributes_are_inherited_and_overridden() -> None:
    body = '<g stroke="red" fill="none" stroke-width="2"><g stroke="#00f"><path d="M0 0L1 1"/></g></g>'
    path = only(body)
    assert (path.stroke, path.fill, path.width) == ((0, 0, 255), None, 2)
    assert only('<g fill="red"><path fill="inherit" d="M0 0L1 1"/></g>').fill == (255, 0, 0)


def test_without_any_style_a_shape_is_black_and_a_line_is_nothing() -> None:
    assert only('<path d="M0 0L1 1"/>').fill == (0, 0, 0)
    assert read('<line x2="5"/>').paths == ()


def test_the_cascade_of_a_style_sheet() -> None:
    """Attribute < rule by type < rule by class < rule by id < inline < important."""
    sheet = "<style>/* a comment */ path{stroke:#000001} .c{stroke:#000002} #i{stroke:#000003}</style>"
    blues = [
        only(f'{sheet}<{tag} stroke="#000009" d="M0 0L1 1" points="0 0 1 1"/>').stroke
        for tag in ("polyline", "path", 'path class="b c"', 'path class="c" id="i"')
    ]
    assert blues == [(0, 0, 9), (0, 0, 1), (0, 0, 2), (0, 0, 3)]
    assert only(f'{sheet}<path id="i" style="stroke:#000004" d="M0 0L1 1"/>').stroke == (0, 0, 4)
    sheet = sheet.replace("#000001", "#000001 !important")
    assert only(f'{sheet}<path id="i" style="stroke:#000004" d="M0 0L1 1"/>').stroke == (0, 0, 1)


def test_selectors_with_ancestors() -> None:
    sheet = "<style>.plot > path{stroke:red} g.axis path, .none{stroke:blue} a:hover{stroke:green}</style>"
    inner = '<path fill="none" d="M0 0L1 1"/>'
    assert only(f'{sheet}<g class="plot">{inner}</g>').stroke == (255, 0, 0)
    assert read(f'{sheet}<g class="plot"><g>{inner}</g></g>').paths == ()
    assert only(f'{sheet}<g class="axis"><g><g>{inner}</g></g></g>').stroke == (0, 0, 255)


def test_at_rules_are_skipped_with_what_they_hold() -> None:
    sheet = (
        "<style>@import url(x.css); @media print { path { fill: red } } @font-face {} path{fill:lime}</style>"
    )
    assert only(f'{sheet}<path d="M0 0L1 1"/>').fill == (0, 255, 0)


@pytest.mark.parametrize(
    ("text", "colour", "opacity"),
    [
        ("#1f77b4", (31, 119, 180), 1),
        ("#f0a", (255, 0, 170), 1),
        ("SteelBlue", (70, 130, 180), 1),
        ("rgb(10, 20, 30)", (10, 20, 30), 1),
        ("rgb(100%, 0%, 50%)", (255, 0, 128), 1),
        ("rgba(10,20,30,0.25)", (10, 20, 30), 0.25),
        ("hsl(120, 100%, 50%)", (0, 255, 0), 1),
        ("currentColor", (0, 128, 128), 1),
        ("url(#missing) red", (255, 0, 0), 1),
        ("url(#fade)", (0, 0, 255), 1),
    ],
)
def test_colours(text: str, colour: tuple[int, int, int], opacity: float) -> None:
    fade = '<linearGradient id="fade"><stop stop-color="blue"/><stop stop-color="red"/></linearGradient>'
    path = only(f'{fade}<g color="teal"><path fill="{text}" d="M0 0L1 1"/></g>')
    assert (path.fill, path.fill_opacity) == (colour, opacity)


def test_opacities_multiply_and_nothing_of_it_is_left_out() -> None:
    path = only('<g opacity=".5"><path opacity="50%" fill-opacity=".5" stroke="red" d="M0 0L1 1"/></g>')
    assert (path.fill_opacity, path.stroke_opacity) == (0.125, 0.25)
    assert read('<path fill-opacity="0" d="M0 0L1 1"/><path opacity="0" d="M0 0L1 1"/>').paths == ()


def test_hidden_elements() -> None:
    assert read('<g display="none"><path d="M0 0L1 1"/></g>').paths == ()
    body = '<g visibility="hidden"><path d="M0 0L1 1"/><path visibility="visible" d="M0 0L2 2"/></g>'
    assert points(body) == [[[0, 0], [2, 2]]]
    assert read('<defs><path d="M0 0L1 1"/></defs><symbol><path d="M0 0L1 1"/></symbol>').paths == ()


def test_widths_and_dashes_grow_with_the_transform() -> None:
    line = '<path stroke="red" stroke-width="3" stroke-dasharray="1,2 3" d="M0 0L1 1"{}/>'
    body = f'<g transform="scale(2 8)">{line}</g>'
    assert (only(body.format("")).width, only(body.format("")).dash) == (12, (4, 8, 12, 4, 8, 12))
    assert only(body.format(' vector-effect="non-scaling-stroke"')).width == 3
    assert only('<path stroke="red" stroke-dasharray="0 0" d="M0 0L1 1"/>').dash == ()
    assert only('<path stroke="red" stroke-width="0" d="M0 0L1 1"/>').stroke is None


def test_used_definitions_share_a_symbol_and_keep_their_origin() -> None:
    body = """<defs><path id="m" d="M-1 0L1 0" stroke="currentColor"/></defs>
        <g color="red"><use xlink:href="#m" x="20" y="30"/></g>
        <use href="#m" transform="translate(5 6) scale(2)" color="blue"/>"""
    first, second = read(body).paths
    assert [p.symbol for p in (first, second)] == ["m", "m"]
    assert [p.anchor for p in (first, second)] == [(20, 30), (5, 6)]
    assert [p.stroke for p in (first, second)] == [(255, 0, 0), (0, 0, 255)]
    assert first.subpaths[0].points.tolist() == [[19, 30], [21, 30]]
    assert second.subpaths[0].points.tolist() == [[3, 6], [7, 6]]


def test_the_outermost_use_is_the_symbol() -> None:
    body = '<defs><path id="a" d="M0 0L1 1"/><use id="b" href="#a" x="1"/></defs><use href="#b" x="10"/>'
    path = only(body)
    assert (path.symbol, path.anchor, path.box.x0) == ("b", (10, 0), 11)


def test_a_used_symbol_has_its_own_viewport() -> None:
    body = """<symbol id="s" viewBox="0 0 10 10"><rect width="10" height="10"/></symbol>
        <use href="#s" x="5" y="5" width="20" height="20"/>"""
    assert only(body).box == (5, 5, 25, 25)


def test_clips_are_boxes_and_intersect() -> None:
    body = """<clipPath id="a"><rect x="10" y="10" width="50" height="50"/></clipPath>
        <clipPath id="b"><circle cx="0" cy="0" r="20"/></clipPath>
        <g clip-path="url(#a)" transform="translate(1 0)"><path clip-path="url(#b)" d="M0 0L90 90"/></g>"""
    assert only(body).clip == pytest.approx((11, 10, 21, 20))


def test_clips_by_the_share_of_the_shape_and_by_a_used_shape() -> None:
    body = """<defs><rect id="r" x="3" y="4" width="5" height="6"/></defs>
        <clipPath id="a"><use href="#r" x="1"/></clipPath>
        <clipPath id="b" clipPathUnits="objectBoundingBox"><rect x=".5" width=".5" height="1"/></clipPath>
        <path clip-path="url(#a)" d="M0 0L90 90"/><path clip-path="url(#b)" d="M10 10L20 20"/>
        <path clip-path="url(#missing)" d="M0 0L1 1"/>"""
    one, other, free = read(body).paths
    assert (one.clip, other.clip, free.clip) == ((4, 4, 9, 10), (15, 10, 20, 20), None)


def test_what_an_empty_clip_holds_is_not_there() -> None:
    assert read('<clipPath id="a"/><path clip-path="url(#a)" d="M0 0L1 1"/>').paths == ()


def test_markers_stand_on_the_vertices() -> None:
    body = """<marker id="k" markerWidth="4" markerHeight="4" refX="2" refY="2" viewBox="0 0 4 4">
        <rect width="4" height="4" fill="red"/></marker>
        <polyline points="10,10 20,20 30,10" fill="none" stroke="black" stroke-width="2" style="marker: url(#k)"/>"""
    line, *markers = read(body).paths
    assert [m.anchor for m in markers] == [(10, 10), (20, 20), (30, 10)]
    assert [m.box for m in markers] == [(6, 6, 14, 14), (16, 16, 24, 24), (26, 6, 34, 14)]
    assert {m.symbol for m in markers} == {"marker k"}
    assert (line.symbol, markers[0].fill, markers[0].stroke) == (None, (255, 0, 0), None)


def test_markers_point_along_the_path() -> None:
    body = """<marker id="k" orient="auto" markerUnits="userSpaceOnUse"><path d="M0 0L2 0" stroke="red"/></marker>
        <path d="M10 10L20 10 20 20" fill="none" stroke="black" {}="url(#k)"/>"""
    drawings = (read(body.format(f"marker-{which}")) for which in ("start", "mid", "end"))
    ends = [d.paths[1].subpaths[0].points[1] for d in drawings]
    half = math.sqrt(2)
    assert np.allclose(ends, [(12, 10), (20 + half, 10 + half), (20, 22)])


VEGA_AXIS = """<g class="mark-group role-axis"><g transform="translate(0.5,{})"><g>
    <line transform="translate(46,0)" y2="5" stroke="black"/></g></g></g>"""
D3_AXIS = """<g transform="translate(0,90)"><path class="domain" d="M{0},6V{0}H{1}V6" stroke="black" fill="none"/>
    <g class="tick" transform="translate(46.5,0)"><line y2="6" stroke="black"/></g></g>"""


def test_axes_drawn_half_a_pixel_off_are_put_back() -> None:
    """Vega and D3 move their axes for crispness; where they did not, nothing is moved."""
    assert only(VEGA_AXIS.format("90.5")).box.x0 == 46
    assert only(VEGA_AXIS.format("90")).box.x0 == 46.5
    assert read(D3_AXIS.format("0.5", "180.5")).paths[1].box.x0 == 46
    assert read(D3_AXIS.format("0", "180.5")).paths[1].box.x0 == 46.5
    frame = '<path class="background" d="M0.5,0.5h80v60h-80Z" fill="none" stroke="#ddd"/>'
    assert only(frame).box == (0, 0, 80, 60)


def test_names_are_the_ids_and_classes_on_the_way() -> None:
    assert only('<g id="axes_1"><g class="line x"><path d="M0 0L1 1"/></g></g>').name == "axes_1/line x"


def test_paths_and_texts_keep_their_painting_order() -> None:
    drawing = read('<path d="M0 0L1 1"/><text y="9">a</text><path d="M0 0L1 1"/>')
    assert [p.order for p in drawing.paths] == [0, 2]
    assert drawing.texts[0].order == 1


def test_letters_are_as_wide_as_helvetica() -> None:
    (text,) = read('<text x="10" y="50" font-size="10" fill="#262626">0i−</text>').texts
    assert (text.text, text.size, text.angle, text.colour) == ("0i−", 10, 0, (38, 38, 38))
    assert [g.origin[0] for g in text.glyphs] == pytest.approx([10, 15.6, 17.8])
    assert text.glyphs[0].box == pytest.approx((10, 42.8, 15.6, 50))


@pytest.mark.parametrize(("anchor", "x"), [("start", 100), ("middle", 94.4), ("end", 88.8)])
def test_anchors(anchor: str, x: float) -> None:
    (text,) = read(f'<text x="100" y="50" font-size="10" text-anchor="{anchor}">10</text>').texts
    assert text.box.x0 == pytest.approx(x)


def test_exponents_by_shift_and_by_baseline_stay_apart() -> None:
    for raised in ('dy="-4"', 'baseline-shift="4"'):
        body = f'<text x="9" y="50" font-size="10">10<tspan {raised} font-size="7">-3</tspan></text>'
        (text,) = read(body).texts
        assert text.text == "10-3"
        assert [(g.size, g.origin[1]) for g in text.glyphs] == [(10, 50), (10, 50), (7, 46), (7, 46)]
    (text,) = read('<text y="50" font-size="10">m<tspan baseline-shift="super">2</tspan></text>').texts
    assert text.glyphs[1].origin[1] == 46


def test_lists_of_places() -> None:
    (text,) = read('<text x="10 20 30" y="50 49" font-size="10">abcd</text>').texts
    assert [g.origin for g in text.glyphs] == [(10, 50), (20, 49), (30, 49), (35, 49)]
    (text,) = read('<text x="10" dx="0 1" font-size="10">aaa</text>').texts
    assert [g.origin[0] for g in text.glyphs] == pytest.approx([10, 16.6, 22.2])


def test_places_of_an_inner_element_win() -> None:
    (text,) = read('<text x="1 2 3" y="9" font-size="10">a<tspan x="7">b</tspan>c</text>').texts
    assert {g.text: g.origin[0] for g in text.glyphs} == {"a": 1, "b": 7, "c": 3}


def test_placed_letters_read_in_order_without_the_files_indentation() -> None:
    body = """<text font-size="10">
        <tspan x="0" y="0">1</tspan>
        <tspan x="5.6" y="0">0</tspan>
        <tspan x="20" y="0">x</tspan>
        <tspan x="11.2" y="-4" style="font-size: 7px">3</tspan>
        </text>"""
    (text,) = read(body).texts
    assert text.text == "103 x"


def test_lines_and_columns_of_one_element_are_texts_of_their_own() -> None:
    body = '<text font-size="10"><tspan x="0" y="10">one</tspan><tspan x="0" dy="1.2em">two</tspan></text>'
    assert [t.text for t in read(body).texts] == ["one", "two"]
    body = '<text font-size="10"><tspan x="0" y="10">one</tspan><tspan x="90" y="10">two</tspan></text>'
    assert [t.text for t in read(body).texts] == ["one", "two"]


def test_spaces_collapse_unless_they_are_preserved() -> None:
    assert read("<text>\n  Training   loss\n</text>").texts[0].text == "Training loss"
    (text,) = read('<text xml:space="preserve" font-size="10">  a</text>').texts
    assert text.glyphs[0].origin[0] == pytest.approx(5.6)


def test_turned_text() -> None:
    body = '<text transform="translate(5 50) rotate(-90)" text-anchor="end" font-size="10">ab</text>'
    (text,) = read(body).texts
    assert (text.angle, text.text) == (90, "ab")
    assert [g.origin[1] for g in text.glyphs] == pytest.approx([61.2, 55.6])
    assert text.box == pytest.approx((-2.2, 50, 5, 61.2))


def test_size_family_and_weight_by_the_shorthand() -> None:
    (text,) = read("<text style=\"font: italic bold 12px/1.5 'DejaVu Sans', sans-serif\">0</text>").texts
    assert text.size == 12
    assert text.box.width == pytest.approx(0.56 * 1.13 * 1.06 * 12)


def test_text_length_and_baselines() -> None:
    (text,) = read('<text textLength="100" font-size="10">abcd</text>').texts
    assert text.box.x1 == pytest.approx(100)
    (text,) = read('<text y="50" font-size="10" dominant-baseline="central">0</text>').texts
    assert text.glyphs[0].origin[1] == 53.5


def test_invisible_and_clipped_text_is_left_out() -> None:
    body = """<clipPath id="a"><rect width="10" height="10"/></clipPath><text fill="none">a</text>
        <text opacity="0">b</text><text visibility="hidden">c</text><text> </text>
        <g clip-path="url(#a)"><text x="50" y="50">d</text></g><text fill="none" stroke="red">e</text>"""
    assert [(t.text, t.colour) for t in read(body).texts] == [("e", (255, 0, 0))]


def test_foreign_text_stands_in_the_middle_of_its_box() -> None:
    body = """<switch><foreignObject x="10" y="20" width="60" height="40" font-size="10">
        <p xmlns="http://www.w3.org/1999/xhtml">train <b>loss</b></p></foreignObject><text>other</text></switch>"""
    (text,) = read(body).texts
    assert (text.text, text.box.centre[0]) == ("train loss", pytest.approx(40))


def glyphs(comment: str, uses: list[str]) -> str:
    """Return a group of outlines as matplotlib writes it."""
    at = (f'<use xlink:href="#F-{u}" transform="translate({60 * i} 0)"/>' for i, u in enumerate(uses))
    return f'<g><!-- {comment} --><g transform="translate(10 50) scale(0.1 -0.1)">{"".join(at)}</g></g>'


OUTLINES = "".join(
    f'<defs><path id="F-{i}" d="M0 0L50 0 50 70z" transform="scale(1)"/></defs>' for i in range(1, 9)
)


def test_outlines_with_a_comment_are_text() -> None:
    drawing = read(
        OUTLINES + glyphs("1−3", ["1", "2", "3"]) + glyphs("$\\mathdefault{1^{-3}}$", ["1", "2", "3"])
    )
    assert [t.text for t in drawing.texts] == ["1−3", "1−3"]
    assert drawing.paths == ()
    glyph = drawing.texts[0].glyphs[1]
    assert (glyph.text, glyph.size) == ("−", pytest.approx(10))
    assert glyph.origin == pytest.approx((16, 50))
    assert glyph.box == pytest.approx((16, 43, 21, 50))


def test_comments_that_do_not_fit_their_outlines_are_not_believed() -> None:
    wrong_count = read(OUTLINES + glyphs("123", ["1", "2"]))
    assert (len(wrong_count.texts), [p.symbol for p in wrong_count.paths]) == (0, ["F-1", "F-2"])
    contradiction = read(OUTLINES + glyphs("12", ["1", "2"]) + glyphs("13", ["1", "2"]) + glyphs("4", ["4"]))
    assert [t.text for t in contradiction.texts] == ["4"]


@pytest.mark.parametrize(
    "letters", [["o", "f", "f", "i", "c", "e"], ["o", "ffi", "c", "e"], ["o", "ff", "i", "c", "e"]]
)
def test_ligatures_are_one_outline(letters: list[str]) -> None:
    outlines = [str(1 + sorted(set(letters)).index(c)) for c in letters]
    (text,) = read(OUTLINES + glyphs("office", outlines)).texts
    assert [g.text for g in text.glyphs] == letters
    assert text.text == "office"


RED_BESIDE_BLUE = np.zeros((40, 80, 3), np.uint8)
RED_BESIDE_BLUE[:, :40, 0] = RED_BESIDE_BLUE[:, 40:, 2] = 255


def png() -> str:
    """Return the picture as a data URI."""
    out = io.BytesIO()
    Image.fromarray(RED_BESIDE_BLUE).save(out, "PNG")
    return f"data:image/png;base64,{base64.b64encode(out.getvalue()).decode()}"


def test_embedded_pictures() -> None:
    (picture,) = read(f'<image x="10" y="20" width="40" height="40" href="{png()}"/>').pictures
    assert picture.box == Box(10, 30, 50, 50)
    assert np.array_equal(picture.image, RED_BESIDE_BLUE)


def test_mirrored_and_turned_pictures_are_brought_upright() -> None:
    image = f'<image width="40" height="20" href="{png()}" transform="{{}}"/>'
    (mirrored,) = read(image.format("translate(50 0) scale(-1 1)")).pictures
    assert mirrored.box == Box(10, 0, 50, 20)
    assert np.array_equal(mirrored.image, RED_BESIDE_BLUE[:, ::-1])
    (turned,) = read(image.format("translate(50 0) rotate(90)")).pictures
    assert turned.box == pytest.approx((30, 0, 50, 40))
    assert np.array_equal(turned.image, np.rot90(RED_BESIDE_BLUE, -1))


def test_pictures_used_often_hit_the_limit_of_pixels() -> None:
    body = f'<image id="i" href="{png()}"/>' + "<use href='#i'/>" * 3
    assert len(read(body).pictures) == 4
    with pytest.raises(InputError, match="too many elements"):
        read(body, limits=SvgLimits(pixels=9000))


def test_damaged_pictures_do_not_show() -> None:
    assert read('<image width="9" height="9" href="data:image/png;base64,AAAA"/>').pictures == ()


def test_compressed_files() -> None:
    data = gzip.compress(f'{HEAD}<path d="M0 0L1 1"/></svg>'.encode())
    assert len(read_svg(data, "a.svgz").paths) == 1
    with pytest.raises(InputError, match="truncated"):
        read_svg(data[:40], "a.svgz")


def test_elements_of_other_namespaces_are_no_drawing() -> None:
    assert read('<x:path xmlns:x="urn:x" d="M0 0L1 1"/>').paths == ()
    assert len(read('<path d="M0 0L1 1"/>', "<svg>").paths) == 1


def test_numbers_beyond_all_bounds_are_left_out() -> None:
    body = """<path d="M0 0L1e308 1e308 1e400 1"/><path transform="scale(1e300) scale(1e300)" d="M0 0L1 1"/>
        <rect width="1e999" height="2"/><circle r="1e999"/>"""
    assert read(body).paths == ()


ENTITIES = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, 12))
REFUSED = {
    "entity bomb": (f'<!DOCTYPE svg [<!ENTITY e0 "ha">{ENTITIES}]>{HEAD}<text>&e11;</text></svg>', "entity"),
    "nested entities": (
        f'<!DOCTYPE svg [<!ENTITY a "b"><!ENTITY c "&#38;a;">]>{HEAD}</svg>',
        "by other entities",
    ),
    "outside entity": (
        f'<!DOCTYPE svg [<!ENTITY a SYSTEM "x.txt">]>{HEAD}<text>&a;</text></svg>',
        "another file",
    ),
    "outside style": (f'<?xml-stylesheet href="a.css"?>{HEAD}</svg>', "style sheet from another file"),
    "outside picture": (f'{HEAD}<image href="http://localhost:9/a.png"/></svg>', "refers to another file"),
    "outside definition": (f'{HEAD}<use href="b.svg#x"/></svg>', "refers to another file"),
    "cycle": (f'{HEAD}<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g></svg>', "uses itself"),
    "cycle of clips": (
        f'{HEAD}<clipPath id="c" clip-path="url(#c)"><rect/></clipPath><g clip-path="url(#c)"/></svg>',
        "nested over 100 deep",
    ),
    "deep": (HEAD + "<g>" * 150 + "</g>" * 150 + "</svg>", "nested over 100 deep"),
    "very deep": (HEAD + "<g>" * 5000 + "</g>" * 5000 + "</svg>", "Excessive depth"),
    "truncated": (f'{HEAD}<path d="M0 0', "no readable SVG"),
    "empty": ("", "no readable SVG"),
    "other XML": ("<html/>", "its root is <html>"),
    "long text": (f"{HEAD}<text>{'a' * 300_000}</text></svg>", "too many elements"),
}


@pytest.mark.parametrize("kind", sorted(REFUSED))
def test_files_with_tricks_are_refused_in_one_line(kind: str) -> None:
    content, reason = REFUSED[kind]
    with pytest.raises(InputError, match=reason) as caught:
        read_svg(content.encode(), "trick.svg")
    assert str(caught.value).startswith("trick.svg ")
    assert "\n" not in str(caught.value)


def test_definitions_that_multiply_hit_the_limit_of_elements() -> None:
    groups = ("<g id='u{}'>{}</g>".format(i, f"<use href='#u{i - 1}'/>" * 10) for i in range(1, 12))
    body = f'<defs><path id="u0" d="M0 0L1 1"/>{"".join(groups)}</defs><use href="#u11"/>'
    with pytest.raises(InputError, match="too many elements"):
        read(body, limits=SvgLimits(elements=2000))
    with pytest.raises(InputError, match="takes over"):
        read(body, limits=SvgLimits(seconds=0.01))


def test_long_curves_used_often_hit_the_limit_of_points() -> None:
    body = '<defs><path id="p" d="M0 0{}"/></defs>'.format("L1 1" * 500) + "<use href='#p'/>" * 20
    with pytest.raises(InputError, match="too many elements"):
        read(body, limits=SvgLimits(points=5000))


@pytest.mark.skipif(not REAL.exists(), reason="no shared figures here")
def test_real_figures_give_their_texts() -> None:
    cheetah = read_svg((REAL / "spinningup_bench_halfcheetah_svg" / "figure.svg").read_bytes(), "cheetah.svg")
    assert {"ddpg", "ppo", "sac", "td3", "trpo", "vpg", "1e6", "12000"} <= {t.text for t in cheetah.texts}
    gnuplot = read_svg((REAL / "criterion_gnuplot_mean_svg" / "figure.svg").read_bytes(), "gnuplot.svg")
    assert {"Bootstrap distribution", "4.76", "Density (a.u.)"} <= {t.text for t in gnuplot.texts}
