"""What stands beside a panel's edges: tick labels, tick marks, offsets and titles, as the axis fit wants them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from replicate.digitizer import ticklabels
from replicate.digitizer.marks import Side
from replicate.digitizer.model import AxisEvidence, Box, FloatArray, LabelReading, TickLabel, TickMark
from replicate.digitizer.vector.lettering import Lettering
from replicate.digitizer.vector.segments import Strokes


@dataclass(frozen=True)
class SideSettings:
    """Thresholds, in text heights where not said otherwise.

    Attributes:
        reach: How far from the edge labels may stand.
        beyond: How far past the panel's corners labels may stand.
        row: How far the labels of one row may be out of line.
        distance: How many labels a row must have more for each text height that it stands farther off.
        tick: Longest tick, as a share of the panel's smaller side.
        detached: How far from the edge ticks may begin, as a share of the panel's smaller side.
        detached_ticks: Fewest ticks of a row that stands away from the edge.
        grid: Least share of the panel that a grid line crosses.
        major: Ticks at least this long, relative to the longest kind, are major ones.
        on_mark: How far from its tick a label's middle may be.
        marked: Share of the labels that must have ticks, else grid lines are marks too.
        one: Strokes closer than this are one, page units.
    """

    reach: float = 5.0
    beyond: float = 2.5
    row: float = 0.5
    distance: float = 0.35
    tick: float = 0.06
    detached: float = 0.1
    detached_ticks: int = 3
    grid: float = 0.9
    major: float = 0.78
    on_mark: float = 0.15
    marked: float = 0.6
    one: float = 0.05


@dataclass(frozen=True)
class SideReading:
    """What stands beside one edge.

    Attributes:
        evidence: Labels, marks, offset and title, ready for the fit.
        used: The texts that are labels or offset.
        title: The text that is the axis' title, or None.
        colour: The labels' colour, or None without any.
        order: Median place of the labels in the painting order.
    """

    evidence: AxisEvidence
    used: tuple[Lettering, ...]
    title: Lettering | None
    colour: tuple[int, int, int] | None
    order: float


def read_side(
    box: Box,
    side: Side,
    texts: Sequence[Lettering],
    across: Strokes,
    others: Sequence[Box],
    settings: SideSettings | None = None,
) -> SideReading:
    """Read what stands beside one edge of a panel.

    Args:
        box: The panel.
        side: Which edge.
        texts: The page's texts.
        across: The strokes in the direction of this edge's ticks.
        others: Places that belong to other panels or edges.
        settings: Thresholds.

    Returns:
        The evidence for the axis along that edge.
    """
    settings = settings or SideSettings()
    along_x = side in ("bottom", "top")
    span = (box.x0, box.x1) if along_x else (box.y0, box.y1)
    near = [
        t for t in texts if _beside(t, box, side, settings) and not any(o.holds(t.text.box) for o in others)
    ]
    words = [t for t in near if along_x or not t.text.vertical or len(t.text.text) <= 2 or is_number(t)]
    row = _row_of_labels(words, box, side, settings)
    rest = [t for t in near if t not in row]
    offset, taken = _offset(rest, texts, box, side)
    title = _title(rest, row, box, side)
    labels = tuple(_label(t, along_x) for t in row)
    marks = _marks_of(labels, *find_marks(box, side, across, settings), settings)
    evidence = AxisEvidence(
        "x" if along_x else "y", span, labels, marks, offset, title.text.text if title else None
    )
    colour = _commonest([t.colour for t in row])
    return SideReading(
        evidence, (*row, *taken), title, colour, float(np.median([t.order for t in row])) if row else 0.0
    )


def _commonest(colours: Sequence[tuple[int, int, int]]) -> tuple[int, int, int] | None:
    """Return the colour that most labels have."""
    return max(set(colours), key=colours.count) if colours else None


def _distance(text: Box, box: Box, side: Side) -> float:
    """Return how far a text stands outside of an edge; negative where it reaches in."""
    return {
        "bottom": text.y0 - box.y1,
        "top": box.y0 - text.y1,
        "left": box.x0 - text.x1,
        "right": text.x0 - box.x1,
    }[side]


def _beside(item: Lettering, box: Box, side: Side, settings: SideSettings) -> bool:
    """Whether a text stands where labels of an edge may."""
    x, y = item.text.box.centre
    slack = settings.beyond * item.size
    deep = settings.reach * item.size
    upright = side in ("left", "right")
    deep = max(2 * deep, 0.15 * box.width) if upright else max(deep, 0.2 * box.height)
    inside = (
        box.x0 - slack <= x <= box.x1 + slack
        if side in ("bottom", "top")
        else box.y0 - slack <= y <= box.y1 + slack
    )
    return inside and -0.2 * item.size <= _distance(item.text.box, box, side) <= deep


def is_number(item: Lettering) -> bool:
    """Whether a text can be a tick's label other than a word."""
    found = ticklabels.parse(item.text.text, item.text.alternatives)
    return any(r.form != "category" and r.weight >= 0.3 for r in found)


def _row_of_labels(
    words: Sequence[Lettering], box: Box, side: Side, settings: SideSettings
) -> list[Lettering]:
    """Return the row (or column) with the most labels, numbers before words, less what it stands farther off."""
    if not words:
        return []
    numeric = {id(w) for w in words if is_number(w)}
    nearest = min(_distance(w.text.box, box, side) for w in words)
    best: list[Lettering] = []
    merit = 0.0
    for seed in words:
        group = [w for w in words if _in_line(w, seed, side, settings)]
        far = (_distance(seed.text.box, box, side) - nearest) / seed.size
        weight = sum(1.0 if id(w) in numeric else 0.4 for w in group)
        own = weight - settings.distance * far
        if own > merit:
            best, merit = group, own
    return best


def _in_line(word: Lettering, seed: Lettering, side: Side, settings: SideSettings) -> bool:
    """Whether a text stands in one row (column) with another, in letters of one size."""
    digits = any(len(t.text.text) == 1 and t.text.text in "23456789" for t in (word, seed))
    unlike = 0.35 if digits else 0.2  # digits between decades may be smaller than those
    if abs(word.size - seed.size) > unlike * seed.size or word.text.vertical != seed.text.vertical:
        return False
    slack = (settings.row + (unlike - 0.2)) * seed.size
    a, b = word.text.box, seed.text.box
    if side in ("bottom", "top"):
        gaps = (abs(a.y0 - b.y0), abs(a.y1 - b.y1), abs(a.centre[1] - b.centre[1]))
    else:
        gaps = (abs(a.x0 - b.x0), abs(a.x1 - b.x1), abs(a.centre[0] - b.centre[0]))
    return min(gaps) <= slack


def _label(item: Lettering, along_x: bool) -> TickLabel:
    """Return a text as a tick label with everything it may mean."""
    x, y = item.text.box.centre[0], item.middle
    readings = ticklabels.parse(item.text.text, item.text.alternatives)
    if item.certain:
        readings = tuple(r for r in readings if r.weight >= 0.3 or _is_word(r))
    return TickLabel(item.text.text, x if along_x else y, item.text.box, readings)


def _is_word(reading: LabelReading) -> bool:
    """Whether a reading is a category or a flat power: the letters are certain, their meaning need not be."""
    return reading.form in ("category", "date", "thousands", "power")


def _offset(
    rest: Sequence[Lettering], texts: Sequence[Lettering], box: Box, side: Side
) -> tuple[tuple[LabelReading, ...], tuple[Lettering, ...]]:
    """Return the readings of a text at the axis' end that scales its labels ("1e9", "×10⁴"), and that text."""
    if side in ("bottom", "top"):
        near = [t for t in rest if t.text.box.x1 >= box.x1 - 0.15 * box.width]
    else:
        edge = box.x0 if side == "left" else box.x1
        near = [
            t
            for t in texts
            if -2.6 * t.size <= t.text.box.centre[1] - box.y0 <= 0
            and abs(t.text.box.centre[0] - edge) <= 4 * t.size
        ]
    for item in near:
        readings = ticklabels.parse_offset(item.text.text, item.text.alternatives)
        if readings and not (readings[0].form == "factor" and item.text.text.strip() == "10"):
            return readings, (item,)
    return (), ()


def _title(rest: Sequence[Lettering], row: Sequence[Lettering], box: Box, side: Side) -> Lettering | None:
    """Return the axis' title: the text just behind the labels, level with the middle of the axis."""
    if side in ("bottom", "top"):
        level = [
            t
            for t in rest
            if not t.text.vertical and abs(t.text.box.centre[0] - box.centre[0]) <= 0.2 * box.width
        ]
    else:
        level = [
            t
            for t in rest
            if t.text.vertical and abs(t.text.box.centre[1] - box.centre[1]) <= 0.25 * box.height
        ]
    edge = max((_distance(t.text.box, box, side) for t in row), default=-1.0)
    behind = [
        t for t in level if _distance(t.text.box, box, side) > edge and any(c.isalpha() for c in t.text.text)
    ]
    return min(behind, key=lambda t: _distance(t.text.box, box, side)) if behind else None


# --- ticks ------------------------------------------------------------------------------------------------


def _marks_of(
    labels: Sequence[TickLabel], ticks: Sequence[TickMark], grid: Sequence[TickMark], settings: SideSettings
) -> tuple[TickMark, ...]:
    """Return the marks of an axis: its ticks, and the grid lines too where most labels stand at no tick.

    Grid lines may be those of another axis, so they are not used without need.
    """
    if len(ticks) >= 2 and labels:
        places = np.array([t.pixel for t in ticks])
        on = [
            np.abs(places - x.pixel).min() <= settings.on_mark * min(x.box.height, x.box.width) + 1
            for x in labels
        ]
        if np.mean(on) >= settings.marked:
            return tuple(ticks)
    ticked = [t.pixel for t in ticks]
    lines = [g for g in grid if all(abs(g.pixel - p) > 0.5 for p in ticked)]
    return tuple(sorted([*lines, *ticks], key=lambda m: m.pixel))


def find_marks(
    box: Box, side: Side, across: Strokes, settings: SideSettings | None = None
) -> tuple[tuple[TickMark, ...], tuple[TickMark, ...]]:
    """Find the ticks of one edge, and the grid lines that cross the panel there.

    Ticks are short strokes that begin, end or are centred at one distance from the edge. Where there are several
    such rows, the one with the most strokes is taken.

    Args:
        box: The panel.
        side: Which edge.
        across: The page's strokes in the ticks' direction.
        settings: Thresholds.

    Returns:
        Ticks and grid lines, each sorted by their place; grid lines have length 0.
    """
    settings = settings or SideSettings()
    along_x = side in ("bottom", "top")
    span = (box.x0, box.x1) if along_x else (box.y0, box.y1)
    depth = (box.y0, box.y1) if along_x else (box.x0, box.x1)
    edge = {"bottom": box.y1, "top": box.y0, "left": box.x0, "right": box.x1}[side]
    out = 1.0 if side in ("bottom", "right") else -1.0
    drawn = across.where(~across.edge & (across.position >= span[0] - 1) & (across.position <= span[1] + 1))
    small = min(box.width, box.height)
    short = drawn.where(drawn.length <= settings.tick * small)
    from_edge = np.stack((out * (short.start - edge), out * (short.end - edge)))
    near, far = from_edge.min(axis=0), from_edge.max(axis=0)
    ticks = _ticks(short.position, near, far, settings.detached * small, settings)
    whole = depth[1] - depth[0]
    over = np.minimum(drawn.end, depth[1]) - np.maximum(drawn.start, depth[0])
    grid = np.unique(np.round(drawn.position[over >= settings.grid * whole], 4))
    return ticks, tuple(TickMark(p, 0.0) for p in _distinct(grid, settings.one))


def tick_paths(box: Box, level: Strokes, upright: Strokes, settings: SideSettings | None = None) -> set[int]:
    """Return the paths of the short strokes that stand on a panel's edges."""
    settings = settings or SideSettings()
    longest = settings.tick * min(box.width, box.height)
    found: set[int] = set()
    for strokes, edges in ((level, (box.x0, box.x1)), (upright, (box.y0, box.y1))):
        short = strokes.where(~strokes.edge & (strokes.length <= longest))
        places = np.stack((short.start, short.end, (short.start + short.end) / 2))
        on = (np.abs(places[:, :, None] - np.array(edges)) <= 1.0).any(axis=(0, 2))
        found |= set(short.owner[on].tolist())
    return found


def _ticks(
    position: FloatArray, near: FloatArray, far: FloatArray, detached: float, settings: SideSettings
) -> tuple[TickMark, ...]:
    """Return the ticks among short strokes, given their nearest and farthest distance outside of the edge."""
    best: tuple[float, list[TickMark]] = (-np.inf, [])
    ends = (
        near,
        far,
        (near + far) / 2,
    )  # outside ticks begin, inside ticks end, crossing ones centre at the spine
    for place in ends:
        at = place[np.abs(place) <= detached]
        for value in np.unique(np.round(at, 1)).tolist():
            row = np.abs(place - value) <= 0.3
            marks = _as_marks(position[row], (far - near)[row], settings)
            merit = len(marks) - 0.5 * abs(value)
            least = 2 if merit > 0 else settings.detached_ticks
            if len(marks) >= least and merit > best[0]:
                best = (merit, marks)
    return tuple(best[1])


def _as_marks(position: FloatArray, length: FloatArray, settings: SideSettings) -> list[TickMark]:
    """Return the ticks of a row, each once, the longer kind as major."""
    usual = [n for n in length.tolist() if np.count_nonzero(np.abs(length - n) <= 0.2) >= 2]
    longest = max(usual, default=0.0)
    marks: list[TickMark] = []
    for p, n in sorted(zip(position.tolist(), length.tolist(), strict=True)):
        if marks and p - marks[-1].pixel <= settings.one:
            n = max(n, marks[-1].length)
            marks.pop()
        marks.append(TickMark(p, n, n >= settings.major * longest))
    return marks


def _distinct(places: FloatArray, apart: float) -> list[float]:
    """Return ascending places, those closer than `apart` once."""
    kept: list[float] = []
    for p in places.tolist():
        if not kept or p - kept[-1] > apart:
            kept.append(p)
    return kept
