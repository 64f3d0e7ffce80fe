"""Bands and error bars: the bounds of curves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from replicate.digitizer.model import Box, FloatArray
from replicate.digitizer.vector.curves import clipped_to, cut
from replicate.digitizer.vector.drawing import BoolArray, Colour, Path
from replicate.digitizer.vector.page import Page
from replicate.digitizer.vector.pairing import Candidate
from replicate.digitizer.vector.segments import as_rectangle


@dataclass(frozen=True)
class BoundSettings:
    """Thresholds, in units in which text is 20 high where not said otherwise.

    Attributes:
        least: Narrowest band.
        backward: Largest share of an edge's way that may lead back along x.
        colour: Largest difference of a colour channel of one colour.
        holds: Least share of a curve's points that lie in its band.
        on_vertex: How far an error bar may stand from its point.
        bars: Fewest error bars of a curve.
        matched: Least share of a curve's points that have error bars.
        grid: Upright strokes that cross this share of the panel are grid lines.
    """

    least: float = 12.0
    backward: float = 0.01
    colour: int = 8
    holds: float = 0.9
    on_vertex: float = 0.4
    bars: int = 3
    matched: float = 0.3
    grid: float = 0.9


@dataclass(frozen=True, eq=False)
class Bounds:
    """The lower and the upper bound of a curve.

    Attributes:
        owner: Index of the curve among the panel's, -1 where it is not known.
        colour: The band's colour.
        lower: (n, 2) points of the lower edge, from left to right.
        upper: (m, 2) points of the upper edge.
    """

    owner: int
    colour: Colour
    lower: FloatArray
    upper: FloatArray


def find_bands(
    page: Page,
    box: Box,
    curves: Sequence[Candidate],
    without: Iterable[int],
    settings: BoundSettings | None = None,
) -> tuple[list[Bounds], int]:
    """Find the bands of a panel.

    Args:
        page: The page.
        box: The panel.
        curves: The panel's curves.
        without: Paths that are known to be something else.
        settings: Thresholds.

    Returns:
        The bands, and how many filled areas there are that are no bands and no areas under a curve.
    """
    settings = settings or BoundSettings()
    excluded = set(without)
    pools: dict[tuple[Colour, float], list[tuple[FloatArray, FloatArray]]] = {}
    areas = 0
    clips = any(c.clipped for c in curves)
    for index in page.touching(box):
        path = page.drawing.paths[index]
        if (
            path.fill is None
            or index in excluded
            or min(path.fill) >= 250
            or not _inside(page.hulls[index], box, path)
            or (clips and not clipped_to(path, box, 2.0))
        ):
            continue
        for subpath in path.subpaths:
            if (
                len(subpath.points) < 4
                or as_rectangle(subpath)
                or np.ptp(subpath.points[:, 0]) < settings.least
            ):
                continue
            edges = edges_of(subpath.points, settings.backward)
            if edges is None:
                continue
            if any(_is_base(e) for e in edges):
                areas += not any(_runs_along(e, c.points) for e in edges for c in curves)
                continue
            cut_edges = (cut(edges[0], path.clip), cut(edges[1], path.clip)) if path.clip else edges
            if min(len(e) for e in cut_edges) >= 2:
                pools.setdefault((path.fill, round(path.fill_opacity, 2)), []).append(cut_edges)
    bands = [b for (colour, _), pool in pools.items() for b in _one_band(pool, colour)]
    return _with_owners(bands, curves, settings), areas


def _inside(hull: FloatArray, box: Box, path: Path) -> bool:
    """Whether most of a path's box lies in the panel, or it is clipped to about the panel."""
    clip = path.clip or Box(*hull.tolist())
    x0, y0 = max(hull[0], clip.x0), max(hull[1], clip.y0)
    x1, y1 = min(hull[2], clip.x1), min(hull[3], clip.y1)
    middle = ((x0 + x1) / 2, (y0 + y1) / 2)
    wide = x1 - x0 <= box.width + 4 and y1 - y0 <= box.height + 4
    return bool(wide and box.x0 <= middle[0] <= box.x1 and box.y0 <= middle[1] <= box.y1)


def edges_of(points: FloatArray, backward: float) -> tuple[FloatArray, FloatArray] | None:
    """Split the outline of a band into its lower and its upper edge.

    Args:
        points: (n, 2) the corners of the outline, in order.
        backward: Largest share of an edge's way that may lead back along x.

    Returns:
        Both edges from left to right, the lower first (greater y on the page); None where the outline is no band.
    """
    if len(points) > 2 and np.abs(points[0] - points[-1]).max() < 1e-6:
        points = points[:-1]
    start = int(np.argmin(points[:, 0]))
    turned = np.roll(points, -start, axis=0)
    far = int(np.argmax(turned[:, 0]))
    edges = [turned[: far + 1], np.vstack((turned[far:], turned[:1]))[::-1]]
    for edge in edges:
        step = np.diff(edge[:, 0])
        way = float(np.abs(step).sum())
        if len(edge) < 2 or way == 0 or float(-step[step < 0].sum()) > backward * way:
            return None
    first, second = (float(np.interp(turned[:, 0], e[:, 0], e[:, 1]).mean()) for e in edges)
    lower, upper = (edges[0], edges[1]) if first > second else (edges[1], edges[0])
    return _without_sides(lower, np.greater), _without_sides(upper, np.less)


def _without_sides(edge: FloatArray, better: np.ufunc) -> FloatArray:
    """Take the upright closing sides off an edge: of several points at its ends, the outermost stays."""
    kept = edge
    while len(kept) > 2 and kept[1, 0] == kept[0, 0]:
        kept = kept[1:] if better(kept[1, 1], kept[0, 1]) else np.delete(kept, 1, axis=0)
    while len(kept) > 2 and kept[-2, 0] == kept[-1, 0]:
        kept = kept[:-1] if better(kept[-2, 1], kept[-1, 1]) else np.delete(kept, -2, axis=0)
    return kept


def _is_base(edge: FloatArray) -> bool:
    """Whether an edge is a level base line: what lies between it and a curve is an area, no band."""
    return float(np.ptp(edge[:, 1])) < 0.05


def _runs_along(edge: FloatArray, points: FloatArray) -> bool:
    """Whether an edge follows a curve."""
    y = np.interp(edge[:, 0], points[:, 0], points[:, 1])
    return bool(np.mean(np.abs(y - edge[:, 1]) < 1.0) > 0.7)


def _one_band(pool: Sequence[tuple[FloatArray, FloatArray]], colour: Colour) -> list[Bounds]:
    """Join bands of one colour that follow one another along x; others stay apart."""
    in_order = sorted(pool, key=lambda e: float(e[0][0, 0]))
    ends = [max(float(lo[-1, 0]), float(hi[-1, 0])) for lo, hi in in_order]
    starts = [float(lo[0, 0]) for lo, _ in in_order]
    if all(b >= a - 0.5 for a, b in zip(ends[:-1], starts[1:], strict=True)):
        lower = np.concatenate([lo for lo, _ in in_order])
        return [Bounds(-1, colour, lower, np.concatenate([hi for _, hi in in_order]))]
    return [Bounds(-1, colour, lo, hi) for lo, hi in pool]


def _with_owners(
    bands: Sequence[Bounds], curves: Sequence[Candidate], settings: BoundSettings
) -> list[Bounds]:
    """Give each band to the curve of its colour that it holds, else to one that it holds all along."""
    found = []
    free = set(range(len(curves)))
    for band in bands:
        held = {k: _held(curves[k].points, band) for k in free}
        own = [
            k for k in free if _differ(curves[k].colour, band.colour) <= settings.colour and held[k] >= 0.5
        ]
        any_ = [k for k in free if held[k] >= settings.holds]
        best = max(own or any_, key=lambda k: held[k], default=-1)
        free.discard(best)
        found.append(Bounds(best, band.colour, band.lower, band.upper))
    return found


def _differ(a: Colour, b: Colour) -> int:
    """Return the largest difference of two colours' channels."""
    return max(abs(p - q) for p, q in zip(a, b, strict=True))


def _held(points: FloatArray, band: Bounds, slack: float = 0.5) -> float:
    """Return the share of a curve's points that lie in a band, of those beside it."""
    first, last = band.lower[0, 0], band.lower[-1, 0]
    beside = points[(points[:, 0] >= first) & (points[:, 0] <= last)]
    if len(beside) < 2:
        return 0.0
    low = np.interp(beside[:, 0], band.lower[:, 0], band.lower[:, 1])
    high = np.interp(beside[:, 0], band.upper[:, 0], band.upper[:, 1])
    return float(np.mean((beside[:, 1] <= low + slack) & (beside[:, 1] >= high - slack)))


def find_error_bars(
    page: Page,
    box: Box,
    curves: Sequence[Candidate],
    without: Iterable[int],
    settings: BoundSettings | None = None,
) -> list[Bounds]:
    """Find error bars: upright strokes through the points of a curve.

    Args:
        page: The page.
        box: The panel.
        curves: The panel's curves.
        without: Paths that are known to be something else.
        settings: Thresholds.

    Returns:
        The ends of the bars of each curve that has them.
    """
    settings = settings or BoundSettings()
    strokes = page.upright.where(_may_be_bars(page, box, set(without), settings))
    taken = np.zeros(len(strokes.position), bool)
    found: list[Bounds] = []
    colours = [
        page.drawing.paths[k].stroke or page.drawing.paths[k].fill or (0, 0, 0)
        for k in strokes.owner.tolist()
    ]
    for alike in (True, False):
        for number, curve in enumerate(curves):
            if any(b.owner == number for b in found) or len(curve.points) > 400:
                continue
            suits = np.array([_differ(c, curve.colour) <= settings.colour for c in colours], dtype=bool)
            usable = np.flatnonzero(~taken & (suits if alike else ~suits))
            hits = _bars_on(curve.points, strokes.position, strokes.start, strokes.end, usable, settings)
            if len(hits) >= max(settings.bars, settings.matched * len(curve.points)):
                index = np.array(hits, dtype=np.intp)
                taken[index] = True
                x = strokes.position[index]
                lower, upper = np.stack((x, strokes.end[index]), 1), np.stack((x, strokes.start[index]), 1)
                found.append(Bounds(number, curve.colour, lower, upper))
    return found


def _may_be_bars(page: Page, box: Box, excluded: set[int], settings: BoundSettings) -> BoolArray:
    """Return which upright strokes stand in the panel and are no grid, frame or tick."""
    s = page.upright
    inside = (s.position > box.x0 + 0.5) & (s.position < box.x1 - 0.5) & ~s.edge
    inside &= (s.start >= box.y0 - 1) & (s.end <= box.y1 + 1) & (s.length < settings.grid * box.height)
    ticks = ((np.abs(s.end - box.y1) < 0.5) | (np.abs(s.start - box.y0) < 0.5)) & (
        s.length < 0.06 * box.height
    )
    known = np.isin(s.owner, sorted(excluded))
    return np.asarray(inside & ~ticks & ~known, dtype=bool)


def _bars_on(
    points: FloatArray,
    position: FloatArray,
    start: FloatArray,
    end: FloatArray,
    usable: np.ndarray[tuple[int], np.dtype[np.intp]],
    settings: BoundSettings,
) -> list[int]:
    """Return the stroke through each of a curve's points that has one, the longest of several."""
    hits = []
    for x, y in points.tolist():
        near = usable[np.abs(position[usable] - x) <= settings.on_vertex]
        near = near[(start[near] <= y + 0.5) & (end[near] >= y - 0.5)]
        if len(near):
            hits.append(int(near[np.argmax(end[near] - start[near])]))
    return list(dict.fromkeys(hits))
