"""Lines that touch make panels, in reading order."""

from __future__ import annotations

from replicate.digitizer.layout import PanelCandidate, find_panels, reading_order
from replicate.digitizer.lines import Line
from replicate.digitizer.model import Box

SIZE = (640, 480)


def level(y: float, x0: float, x1: float) -> Line:
    """Return a horizontal line of one pixel."""
    return Line(y, x0, x1, 1)


upright = level  # a vertical line at x from y0 to y1 has the same fields


def frame(box: Box) -> tuple[list[Line], list[Line]]:
    """Return the four lines of a frame."""
    return (
        [level(box.y0, box.x0, box.x1), level(box.y1, box.x0, box.x1)],
        [upright(box.x0, box.y0, box.y1), upright(box.x1, box.y0, box.y1)],
    )


def boxes(horizontal: list[Line], vertical: list[Line]) -> list[Box]:
    """Return the boxes of the panels."""
    return [p.box for p in find_panels(horizontal, vertical, SIZE)]


def test_a_full_frame() -> None:
    box = Box(80, 60, 580, 420)
    assert boxes(*frame(box)) == [box]


def test_a_frame_keeps_its_lines() -> None:
    horizontal, vertical = frame(Box(80, 60, 580, 420))
    (panel,) = find_panels(horizontal, vertical, SIZE)
    assert (list(panel.horizontal), list(panel.vertical)) == (horizontal, vertical)


def test_two_spines() -> None:
    assert boxes([level(420, 80, 580)], [upright(80, 60, 420)]) == [Box(80, 60, 580, 420)]


def test_detached_spines() -> None:
    assert boxes([level(430, 80, 580)], [upright(70, 60, 420)]) == [Box(80, 60, 580, 420)]


def test_spines_far_apart_are_not_one_panel() -> None:
    assert boxes([level(470, 200, 580)], [upright(20, 30, 200)]) == []


def test_a_bare_grid() -> None:
    rows = [level(y, 80, 580) for y in (60, 150, 240, 330, 420)]
    columns = [upright(x, 60, 420) for x in (80, 205, 330, 455, 580)]
    assert boxes(rows, columns) == [Box(80, 60, 580, 420)]


def test_a_grid_in_one_direction() -> None:
    assert boxes([level(y, 80, 580) for y in (100, 180, 260, 340)], []) == [Box(80, 100, 580, 340)]
    assert boxes([], [upright(x, 60, 420) for x in (100, 250, 400, 550)]) == [Box(100, 60, 550, 420)]


def test_two_parallel_lines_are_no_panel() -> None:
    assert boxes([level(100, 80, 580), level(340, 80, 580)], []) == []


def test_ticks_that_stick_out_do_not_widen_the_panel() -> None:
    # grid lines run on over the spine as ticks, 8 pixels to the left and below
    rows = [level(y, 72, 580) for y in (60, 240, 420)]
    columns = [upright(x, 60, 428) for x in (80, 330, 580)]
    assert boxes(rows, columns) == [Box(80, 60, 580, 420)]


def test_a_line_across_two_panels_does_not_join_them() -> None:
    one, two = Box(40, 60, 300, 420), Box(360, 60, 620, 420)
    (h1, v1), (h2, v2) = frame(one), frame(two)
    grid = [level(y, b.x0, b.x1) for b in (one, two) for y in (150, 240, 330)]
    assert boxes([*h1, *h2, *grid, level(200, 40, 620)], [*v1, *v2]) == [one, two]


def test_reading_order_is_rows_then_columns() -> None:
    grid = [Box(x, y, x + 240, y + 160) for y in (20, 260) for x in (40, 360)]
    horizontal, vertical = [], []
    for box in reversed(grid):
        rows, columns = frame(box)
        horizontal += rows
        vertical += columns
    assert boxes(horizontal, vertical) == grid


def test_reading_order_forgives_rows_that_are_a_little_out_of_line() -> None:
    candidates = [PanelCandidate(Box(*b), (), ()) for b in ((300, 20, 500, 180), (40, 26, 240, 186))]
    assert [c.box.x0 for c in reading_order(candidates)] == [40, 300]


def test_small_boxes_such_as_a_legend_are_left_out() -> None:
    panel, key = Box(80, 60, 580, 420), Box(500, 80, 560, 130)
    (h1, v1), (h2, v2) = frame(panel), frame(key)
    assert boxes(h1 + h2, v1 + v2) == [panel]


def test_no_lines_no_panels() -> None:
    assert boxes([], []) == []
