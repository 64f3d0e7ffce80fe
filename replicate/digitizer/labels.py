"""The evidence of an axis: the labels along one side of a panel, its tick marks, its offset and its title."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from replicate.digitizer import ocr, ticklabels
from replicate.digitizer.layout import PanelCandidate
from replicate.digitizer.marks import Side, find_marks
from replicate.digitizer.model import AxisEvidence, Box, Image, LabelReading, TextBox, TickLabel
from replicate.digitizer.words import glyph_height, text_height, words_beside

SMALLEST_EXPONENT = 9.0  # height of a factor's text below which its raised exponent is a guess, pixels


@dataclass(frozen=True)
class LabelSettings:
    """Thresholds of the choice of labels, in text heights.

    Attributes:
        row: How far the labels of one row (or the right or left ends of one column) may be out of line.
        distance: How many words a row must have more for each text height that it stands farther off.
        rows: How many rows are read until one holds numbers.
        lowest: Lowest word that may be a label.
        tallest: Highest word that may be a label.
        longest: Widest word that may be a label.
    """

    row: float = 0.6
    distance: float = 0.35
    rows: int = 3
    lowest: float = 0.4
    tallest: float = 2.6
    longest: float = 9.0


@dataclass(frozen=True)
class SideText:
    """What stands beside one edge of a panel.

    Attributes:
        evidence: Labels, marks, offset and title, ready for the fit.
        offset_unread: Whether a factor ("×10⁴") stands at the axis' end whose exponent could not be read.
        used: Boxes of the words that are labels or offset, so that nobody takes them for a legend.
    """

    evidence: AxisEvidence
    used: tuple[Box, ...]
    offset_unread: bool = False


def read_side(
    image: Image,
    panel: PanelCandidate,
    side: Side,
    texts: Sequence[TextBox],
    others: Sequence[Box],
    settings: LabelSettings | None = None,
) -> SideText:
    """Read what stands beside one edge of a panel.

    Args:
        image: (height, width, 3) uint8.
        panel: The panel.
        side: Which edge.
        texts: The page's texts.
        others: Other panels, where no labels are looked for.
        settings: Thresholds.

    Returns:
        The evidence for the axis along that edge.
    """
    settings = settings or LabelSettings()
    along_x = side in ("bottom", "top")
    grid = panel.vertical if along_x else panel.horizontal
    usual = text_height([t.box.width if t.vertical else t.box.height for t in texts], image)
    height = glyph_height(image, panel.box, side, usual)
    marks = find_marks(image, panel.box, side, sorted(grid, key=lambda line: line.position), height)
    gap = max((m.length for m in marks if m.length < 2 * height), default=0.0)
    obstacles = [*others, *(t.box for t in texts if t.vertical and len(t.text) > 2 and not along_x)]
    obstacles += [_domain(o, panel.box, side, height) for o in others]
    row, rest = _find_row(image, panel.box, side, obstacles, height, gap, settings)
    if along_x and _numbers(row) < max(2, 0.6 * len(row)):
        spread = [t.box for t in texts if not t.vertical and _is_beside(t.box, panel.box, side, height)]
        found = _best_row(image, spread, side, height, settings)
        row = found if _numbers(found) > _numbers(row) else row
    if along_x and (_numbers(row) < 2 or _any_upright(texts, row)):
        upright = _find_row_turned(image, panel.box, side, obstacles, height, gap, settings)
        level = [t.box for t in texts if not t.vertical and len(t.text) > 3]
        upright = [t for t in upright if not any(b.holds(t.box) for b in level)]
        row = upright if _numbers(upright) >= max(2, _numbers(row)) else row
    offset, offset_box, unread = _offset(image, panel.box, side, rest, height)
    span = (panel.box.x0, panel.box.x1) if along_x else (panel.box.y0, panel.box.y1)
    boxes = [t.box for t in row]
    title = _title(panel.box, side, boxes, texts, height)
    labels = tuple(_label(text, texts, along_x) for text in row)
    evidence = AxisEvidence("x" if along_x else "y", span, labels, marks, offset, title)
    return SideText(evidence, (*boxes, *offset_box), unread)


def _find_row(
    image: Image,
    box: Box,
    side: Side,
    obstacles: Sequence[Box],
    height: float,
    gap: float,
    settings: LabelSettings,
) -> tuple[list[TextBox], list[Box]]:
    """Return the texts of the labels' row beside an edge, and the boxes of the other words there."""
    words = words_beside(image, box, side, height, obstacles, gap)
    words = [w for w in words if _may_be_label(w, height, settings)]
    row = _best_row(image, words, side, height, settings)
    return row, [w for w in words if all(w != t.box for t in row)]


def _best_row(
    image: Image, words: Sequence[Box], side: Side, height: float, settings: LabelSettings
) -> list[TextBox]:
    """Return the texts of the first of the likeliest rows that reads as numbers, or of the one that does most."""
    best: list[TextBox] = []
    for group in _rows(words, side, height, settings)[: settings.rows]:
        row = list(ocr.read_crops(image, group))
        if not best or _numbers(row) > _numbers(best):
            best = row
        if _numbers(best) >= max(2, 0.6 * len(best)):
            break
    return best


def _domain(other: Box, box: Box, side: Side, height: float) -> Box:
    """Return where the labels of another panel may stand: beyond its nearer edge; the panel alone if not in line."""
    far = 1e6
    in_column = min(box.x1, other.x1) > max(box.x0, other.x0)
    in_row = min(box.y1, other.y1) > max(box.y0, other.y0)
    if side == "bottom" and in_column and other.y0 > box.y1:
        return Box(0, other.y0 - 0.6 * height, far, far)
    if side == "left" and in_row and other.x1 < box.x0:
        return Box(0, 0, other.x1, far)
    return other


def _is_beside(word: Box, box: Box, side: Side, height: float) -> bool:
    """Whether a text stands just below (above) a panel."""
    x, _ = word.centre
    apart = word.y0 - box.y1 if side == "bottom" else box.y0 - word.y1
    return box.x0 - 2 * height <= x <= box.x1 + 2 * height and -2 <= apart <= 6 * height


def _find_row_turned(
    image: Image,
    box: Box,
    side: Side,
    obstacles: Sequence[Box],
    height: float,
    gap: float,
    settings: LabelSettings,
) -> list[TextBox]:
    """Return the texts of labels that run from bottom to top, by looking at the picture turned clockwise."""
    turned = np.rot90(image, -1)
    last = image.shape[0] - 1

    def turn(b: Box) -> Box:
        return Box(last - b.y1, b.x0, last - b.y0, b.x1)

    def back(b: Box) -> Box:
        return Box(b.y0, last - b.x1, b.y1, last - b.x0)

    there: Side = "left" if side == "bottom" else "right"
    found, _ = _find_row(turned, turn(box), there, [turn(b) for b in obstacles], height, gap, settings)
    return [replace(t, box=back(t.box), vertical=True) for t in found]


def _numbers(row: Sequence[TextBox]) -> int:
    """Return how many different texts can be read as numbers or dates: a row of ticks reads 1, 1, 1."""
    readings = {t.text: ticklabels.parse(t.text, t.alternatives) for t in row}
    return sum(any(r.form != "category" for r in several) for several in readings.values())


def _any_upright(texts: Sequence[TextBox], row: Sequence[TextBox]) -> bool:
    """Whether the page's texts say that a word of a row runs from bottom to top."""
    return any(t.vertical and len(t.text) > 1 and t.box.holds(word.box) for t in texts for word in row)


def _may_be_label(word: Box, height: float, settings: LabelSettings) -> bool:
    """Whether a word has the size of a label."""
    low, tall = settings.lowest * height, settings.tallest * height
    return low <= word.height + 1 <= tall and word.width <= settings.longest * height


def _label(text: TextBox, page: Sequence[TextBox], along_x: bool) -> TickLabel:
    """Return a word as a tick label with everything it may mean, the page's reading of the same place included."""
    x, y = text.box.centre
    same = [t.text for t in page if _share(t.box, text.box) > 0.6 and t.text != text.text]
    readings = ticklabels.parse(text.text, (*text.alternatives, *same))
    return TickLabel(text.text, x if along_x else y, text.box, readings)


def _share(a: Box, b: Box) -> float:
    """Return the share of the union of two boxes that both cover."""
    width = min(a.x1, b.x1) - max(a.x0, b.x0) + 1
    height = min(a.y1, b.y1) - max(a.y0, b.y0) + 1
    both = max(width, 0) * max(height, 0)
    return both / ((a.width + 1) * (a.height + 1) + (b.width + 1) * (b.height + 1) - both)


def _rows(words: Sequence[Box], side: Side, height: float, settings: LabelSettings) -> list[list[Box]]:
    """Return the rows (or columns) that words form, the likeliest row of labels first.

    Of all rows the one with the most words is likeliest, less what it stands farther off; for a column, words
    count as one column where their right ends, left ends or middles are in line.
    """
    slack = settings.row * height
    rows: dict[tuple[Box, ...], float] = {}
    for seed in words:
        group = tuple(w for w in words if _in_line(w, seed, side, slack))
        merit = len(group) - settings.distance * _behind(seed, side, words[0]) / height
        rows[group] = max(merit, rows.get(group, 0.0))
    ranked = sorted((row for row in rows if rows[row] > 0), key=lambda row: -rows[row])
    return [list(row) for row in ranked]


def _behind(word: Box, side: Side, first: Box) -> float:
    """Return how much farther from the edge a word stands than the nearest one, pixels."""
    return {
        "bottom": word.y0 - first.y0,
        "top": first.y1 - word.y1,
        "left": first.x1 - word.x1,
        "right": word.x0 - first.x0,
    }[side]


def _in_line(word: Box, seed: Box, side: Side, slack: float) -> bool:
    """Whether a word stands in one row (column) with the seed."""
    if side in ("bottom", "top"):
        return (
            min(abs(word.y0 - seed.y0), abs(word.y1 - seed.y1), abs(word.centre[1] - seed.centre[1])) <= slack
        )
    return min(abs(word.x0 - seed.x0), abs(word.x1 - seed.x1), abs(word.centre[0] - seed.centre[0])) <= slack


def _offset(
    image: Image, box: Box, side: Side, words: Sequence[Box], height: float
) -> tuple[tuple[LabelReading, ...], tuple[Box, ...], bool]:
    """Return the readings of an offset text at the axis' end ("1e9", "×10⁴"), its box, and whether it is unclear."""
    if side in ("bottom", "top"):
        near = [w for w in words if w.x1 >= box.x1 - 0.15 * box.width]
    else:
        above = Box(box.x0 - 3 * height, box.y0 - 2.6 * height, box.x0 + 6 * height, box.y0 - 2)
        if side == "right":
            above = Box(box.x1 - 6 * height, above.y0, box.x1 + 4 * height, above.y1)
        near = [w for w in words_beside(image, box, "top", height) if above.holds(w)]
        near += [w for w in words if w.y1 < box.y0 + height]
    unread = False
    for word, text in zip(near, ocr.read_crops(image, near), strict=True):
        readings = ticklabels.parse_offset(text.text, text.alternatives)
        if readings:
            return readings, (word,), _garbled(text.text) and word.height < SMALLEST_EXPONENT
        unread = unread or _garbled(text.text)
    return (), (), unread


def _garbled(text: str) -> bool:
    """Whether a text is a factor of ten whose exponent was not read as a number."""
    return bool(re.fullmatch(r"[×xX*]\s*10\D{0,2}", text.strip()))


def _title(box: Box, side: Side, row: Sequence[Box], texts: Sequence[TextBox], height: float) -> str | None:
    """Return the axis' title: the text just behind the labels, level with the middle of the axis."""
    if side in ("bottom", "top"):
        edge = (
            max((w.y1 for w in row), default=box.y1)
            if side == "bottom"
            else min((w.y0 for w in row), default=box.y0)
        )
        distance = {
            t: (t.box.y0 - edge if side == "bottom" else edge - t.box.y1) for t in texts if not t.vertical
        }
        level = [t for t in distance if abs(t.box.centre[0] - box.centre[0]) <= 0.2 * box.width]
    else:
        edge = (
            min((w.x0 for w in row), default=box.x0)
            if side == "left"
            else max((w.x1 for w in row), default=box.x1)
        )
        distance = {t: (edge - t.box.x1 if side == "left" else t.box.x0 - edge) for t in texts if t.vertical}
        level = [t for t in distance if abs(t.box.centre[1] - box.centre[1]) <= 0.25 * box.height]
    near = [t for t in level if -0.4 * height <= distance[t] <= 2.5 * height]
    return min(near, key=lambda t: distance[t]).text if near else None
