"""Drawn lines that may be curves: stretches of paths of one style, joined where they touch, cut at their clip."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from replicate.digitizer.model import Box, FloatArray
from replicate.digitizer.vector.drawing import BoolArray, Colour, Path, Subpath
from replicate.digitizer.vector.page import Page

BACKLASH = 0.6  # steps back no longer than this come of a simplified line, in units in which text is 20 high


@dataclass(frozen=True)
class CurveSettings:
    """Thresholds of the choice of curves, in units in which text is 20 high.

    Attributes:
        touch: How far the ends of two stretches may be apart that are one curve.
        same_clip: How far a clip may differ from its panel's box.
        border: How far from the panel's border its frame is drawn.
        inside: Least share of a curve's points that lie in the panel.
        small: Largest box of a symbol.
        least: Least width of a curve.
        stub: A level stroke narrower than this share of the panel is a cap or a tick.
        upright: How narrow a stretch is upright.
    """

    touch: float = 0.12
    same_clip: float = 2.0
    border: float = 1.2
    inside: float = 0.3
    small: float = 26.0
    least: float = 4.0
    stub: float = 0.15
    upright: float = 0.05


@dataclass(frozen=True)
class Ink:
    """How a line is drawn.

    Attributes:
        colour: Red, green, blue.
        opacity: 0 to 1.
        width: Page units.
        dash: Dashes and gaps, page units; empty for a solid line.
    """

    colour: Colour
    opacity: float
    width: float
    dash: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Chain:
    """A drawn line.

    Attributes:
        points: (n, 2) its points from left to right, or as drawn where it turns back.
        ink: How it is drawn.
        paths: The paths it was joined from.
        order: Its place in the painting order.
        clipped: Whether it is clipped to the panel.
        backward: Share of its way along x that leads back.
    """

    points: FloatArray
    ink: Ink
    paths: tuple[int, ...]
    order: int
    clipped: bool
    backward: float

    @property
    def span(self) -> tuple[float, float]:
        """Its least and greatest x."""
        return float(self.points[:, 0].min()), float(self.points[:, 0].max())

    @property
    def straight(self) -> bool:
        """Whether it is one straight line."""
        if len(self.points) == 2:
            return True
        first, last = self.points[0], self.points[-1]
        across = last - first
        length = float(np.hypot(*across))
        if length == 0:
            return False
        off = np.abs((self.points - first) @ np.array([-across[1], across[0]])) / length
        return bool(off.max() < 0.02)

    @property
    def level(self) -> bool:
        """Whether it keeps one height."""
        return float(np.ptp(self.points[:, 1])) < 0.05


def ink_of(path: Path) -> Ink | None:
    """Return how a path's line is drawn, rounded so that equal styles are equal; None without a line."""
    if path.stroke is None:
        return None
    dash = tuple(round(v, 1) for v in path.dash)
    return Ink(path.stroke, round(path.stroke_opacity, 2), round(path.width, 2), dash)


def clipped_to(path: Path, box: Box, slack: float) -> bool:
    """Whether a path's clip is a panel's box."""
    clip = path.clip
    return clip is not None and all(abs(p - q) <= slack for p, q in zip(clip, box, strict=True))


def find_chains(
    page: Page, box: Box, without: Iterable[int], settings: CurveSettings | None = None
) -> list[Chain]:
    """Find the lines of a panel that may be curves.

    Args:
        page: The page.
        box: The panel.
        without: Paths that are known to be something else (legend keys, markers).
        settings: Thresholds.

    Returns:
        Lines in painting order; frames, ticks, grid lines, upright strokes and small symbols left out.
    """
    settings = settings or CurveSettings()
    excluded = set(without)
    pools: dict[tuple[Ink, Box | None], list[tuple[FloatArray, int]]] = {}
    for index in page.touching(box):
        path = page.drawing.paths[index]
        ink = ink_of(path)
        if (
            ink is None
            or index in excluded
            or ink.width > 30
            or is_symbol(path, page.hulls[index], settings.small)
        ):
            continue
        for subpath in path.subpaths:  # what comes back to its beginning is no function of x
            if len(subpath.points) >= 2 and not subpath.closed and _may_belong(subpath, box, path, settings):
                pools.setdefault((ink, path.clip), []).append((subpath.points, index))
    chains = [c for (ink, clip), pool in pools.items() for c in _join(pool, ink, clip, page, box, settings)]
    chains = _with_gaps([c for c in chains if _stands_in(c, box, settings)])
    return _without_echoes(sorted(chains, key=lambda c: c.paths[0]))


def is_symbol(path: Path, hull: FloatArray, small: float) -> bool:
    """Whether a path is as small as a marker and no stroke: closed, filled, crossed or repeated."""
    corners = sum(len(s.points) for s in path.subpaths)
    whole = path.fill is None and len(path.subpaths) == 1 and not path.subpaths[0].closed
    size = float(max(hull[2] - hull[0], hull[3] - hull[1]))
    return 0 < size <= small and (path.symbol is not None or (corners > 2 and not whole))


def _may_belong(subpath: Subpath, box: Box, path: Path, settings: CurveSettings) -> bool:
    """Whether a stretch is drawn in the panel, and is no upright stroke and no frame."""
    points = subpath.points
    low, high = points.min(axis=0), points.max(axis=0)
    if high[0] - low[0] <= settings.upright:
        return False
    inside = (
        (points[:, 0] >= box.x0 - 1)
        & (points[:, 0] <= box.x1 + 1)
        & (points[:, 1] >= box.y0 - 1)
        & (points[:, 1] <= box.y1 + 1)
    )
    if not clipped_to(path, box, settings.same_clip) and inside.mean() < settings.inside:
        return False
    b = settings.border
    return not (
        (np.abs(points[:, 0] - box.x0) <= b)
        | (np.abs(points[:, 0] - box.x1) <= b)
        | (np.abs(points[:, 1] - box.y0) <= b)
        | (np.abs(points[:, 1] - box.y1) <= b)
    ).all()


def _join(
    pool: Sequence[tuple[FloatArray, int]],
    ink: Ink,
    clip: Box | None,
    page: Page,
    box: Box,
    settings: CurveSettings,
) -> list[Chain]:
    """Join stretches of one style where one begins at the end of another, and cut them at their clip."""
    joined: list[tuple[list[FloatArray], list[int]]] = []
    at_end: dict[tuple[int, int], int] = {}
    for points, index in pool:
        home = next((at_end[k] for k in _near(points[0], settings.touch) if k in at_end), None)
        if home is None:
            home = len(joined)
            joined.append(([points], [index]))
        else:
            last = joined[home][0][-1][-1]
            at_end.pop(_cell(last, settings.touch), None)
            joined[home][0].append(points)
            joined[home][1].append(index)
        at_end[_cell(points[-1], settings.touch)] = home
    chains = []
    on_panel = clipped_to(page.drawing.paths[pool[0][1]], box, settings.same_clip)
    for parts, indices in joined:
        whole = _without_repeats(np.concatenate(parts))
        whole = cut(whole, clip) if clip else whole
        if len(whole) >= 2:
            order = page.drawing.paths[indices[0]].order
            chains.append(_chain(whole, ink, tuple(dict.fromkeys(indices)), order, on_panel))
    return chains


def _cell(point: FloatArray, touch: float) -> tuple[int, int]:
    """Return the cell of a point in a grid of the touching distance."""
    return round(float(point[0]) / touch), round(float(point[1]) / touch)


def _near(point: FloatArray, touch: float) -> list[tuple[int, int]]:
    """Return the cells around a point, its own first."""
    x, y = _cell(point, touch)
    around = [(x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
    return [(x, y), *around]


def _without_repeats(points: FloatArray) -> FloatArray:
    """Return points without those that repeat the one before."""
    keep = np.ones(len(points), bool)
    keep[1:] = (np.diff(points, axis=0) != 0).any(axis=1)
    return points[keep]


def _chain(points: FloatArray, ink: Ink, paths: tuple[int, ...], order: int, clipped: bool) -> Chain:
    """Return points as a line from left to right."""
    step = np.diff(points[:, 0])
    way = float(np.abs(step).sum())
    if step.sum() < 0:
        points, step = points[::-1], -step[::-1]
    backward = float(-step[step < -BACKLASH].sum() / way) if way > 0 else 1.0
    return Chain(points, ink, paths, order, clipped, backward)


def cut(points: FloatArray, clip: Box, slack: float = 0.05) -> FloatArray:
    """Cut a polyline at a rectangle (Liang and Barsky, 1984).

    Args:
        points: (n, 2) vertices, n >= 1.
        clip: The rectangle.
        slack: How far outside a vertex still counts as inside.

    Returns:
        (m, 2) its vertices inside, and the places where it crosses the border, in order.
    """
    low = np.array([clip.x0, clip.y0]) - slack
    high = np.array([clip.x1, clip.y1]) + slack
    inside: BoolArray = np.asarray(((points >= low) & (points <= high)).all(axis=1), dtype=bool)
    if inside.all() or len(points) < 2:
        return points[inside]
    start, step = points[:-1], np.diff(points, axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.stack(((low + slack - start) / step, (high - slack - start) / step))
    t = np.asarray(np.where(np.isnan(t), 0.0, t))
    enter, leave = t.min(axis=0), t.max(axis=0)
    still = np.asarray(step == 0)
    outside = still & ((start < low) | (start > high))
    enter = np.asarray(np.where(still, -np.inf, enter)).max(axis=1)
    leave = np.asarray(np.where(still, np.inf, leave)).min(axis=1)
    meets = np.asarray((enter < leave) & (leave > 0) & (enter < 1) & ~outside.any(axis=1))
    into = np.flatnonzero(meets & ~inside[:-1] & (enter > 0))
    out = np.flatnonzero(meets & ~inside[1:] & (leave < 1))
    rank = [np.flatnonzero(inside).astype(np.float64), into + enter[into], out + leave[out]]
    found = [
        points[inside],
        start[into] + enter[into, None] * step[into],
        start[out] + leave[out, None] * step[out],
    ]
    order = np.argsort(np.concatenate(rank), kind="stable")
    return np.asarray(np.concatenate(found)[order], dtype=np.float64)


def _stands_in(chain: Chain, box: Box, settings: CurveSettings) -> bool:
    """Whether a joined line is large enough, and lies in the panel."""
    points = chain.points
    inside = (
        (points[:, 0] >= box.x0 - 1)
        & (points[:, 0] <= box.x1 + 1)
        & (points[:, 1] >= box.y0 - 1)
        & (points[:, 1] <= box.y1 + 1)
    )
    wide = float(np.ptp(points[:, 0]))
    stub = chain.straight and chain.level and wide < settings.stub * box.width
    return bool(inside.mean() > 0.5 and wide > settings.least and not stub)


def _with_gaps(chains: Sequence[Chain]) -> list[Chain]:
    """Join stretches that the file draws as one path and that follow one another along x: a curve with gaps."""
    drawn: dict[tuple[int, Ink], list[Chain]] = {}
    for chain in chains:
        drawn.setdefault((chain.order, chain.ink), []).append(chain)
    joined = []
    for (order, ink), parts in drawn.items():
        parts = sorted(parts, key=lambda c: c.span)
        apart = all(a.span[1] <= b.span[0] + 0.5 for a, b in pairwise(parts))
        if len(parts) == 1 or not apart:
            joined += parts
            continue
        points = np.concatenate([c.points for c in parts])
        paths = tuple(i for c in parts for i in c.paths)
        back = max(c.backward for c in parts)
        joined.append(Chain(points, ink, paths, order, parts[0].clipped, back))
    return joined


def _without_echoes(chains: Sequence[Chain]) -> list[Chain]:
    """Keep one of several lines through the same points: halos and glows are drawn under or over a curve."""
    kept: list[Chain] = []
    for chain in chains:
        twin = next((k for k, other in enumerate(kept) if _echo(chain, other)), None)
        if twin is None:
            kept.append(chain)
        elif _rank(chain) >= _rank(kept[twin]):
            kept[twin] = replace(chain, paths=(*kept[twin].paths, *chain.paths))
        else:
            kept[twin] = replace(kept[twin], paths=(*kept[twin].paths, *chain.paths))
    return kept


def _echo(a: Chain, b: Chain) -> bool:
    """Whether two lines run through the same points and one of them is white, faint, or of the other's colour."""
    if a.points.shape != b.points.shape or not np.allclose(a.points, b.points, atol=0.02):
        return False
    pale = [min(c.ink.colour) >= 250 or c.ink.opacity <= 0.5 for c in (a, b)]
    return a.ink.colour == b.ink.colour or any(pale)


def _rank(chain: Chain) -> tuple[bool, float, float]:
    """Return how much a line is the curve itself: coloured, opaque, thin."""
    return min(chain.ink.colour) < 250, chain.ink.opacity, -chain.ink.width
