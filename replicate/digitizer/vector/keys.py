"""The legend of vector figures: a small line, marker or patch with a text beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

import numpy as np

from replicate.digitizer.model import Box
from replicate.digitizer.vector.curves import Ink, clipped_to, ink_of, is_symbol
from replicate.digitizer.vector.drawing import Colour, Path
from replicate.digitizer.vector.lettering import Lettering
from replicate.digitizer.vector.markers import MarkerKind, kind_of
from replicate.digitizer.vector.page import Page
from replicate.digitizer.vector.segments import as_rectangle


@dataclass(frozen=True)
class KeySettings:
    """Thresholds of the legend search, in font sizes.

    Attributes:
        gap: Widest gap between key and text.
        shortest: Shortest line of a key.
        longest: Longest key.
        tall: Tallest key.
        off_centre: How far a key's middle may lie above or below the text's.
        column: How far the keys of one column may be out of line.
        pitch: How far apart neighbours in a column may be.
        row: How far apart neighbours in one row or in rows of several columns may be.
    """

    gap: float = 2.6
    shortest: float = 0.5
    longest: float = 6.5
    tall: float = 1.6
    off_centre: float = 0.5
    column: float = 0.3
    pitch: float = 4.0
    row: float = 2.2


@dataclass(frozen=True)
class Key:
    """A legend's key.

    Attributes:
        box: Where it stands.
        line: How its line is drawn, or None without one.
        marker: Its marker, or None without one.
        patch: The colour of its area, or None without one.
        paths: Its paths.
        order: Its place in the painting order.
    """

    box: Box
    line: Ink | None
    marker: MarkerKind | None
    patch: Colour | None
    paths: tuple[int, ...]
    order: int


@dataclass(frozen=True)
class Entry:
    """A legend's entry: its key and its name."""

    key: Key
    name: str
    text: Lettering


@dataclass(frozen=True)
class Legend:
    """Entries that stand together.

    Attributes:
        entries: Column by column, from top to bottom.
        box: Their hull.
        shared: Whether it stands for other panels too, so that some of its curves may be absent here.
    """

    entries: tuple[Entry, ...]
    box: Box
    shared: bool = False


def find_legends(
    page: Page,
    texts: Sequence[Lettering],
    panels: Sequence[Box],
    without: Set[int],
    settings: KeySettings | None = None,
) -> list[Legend | None]:
    """Find each panel's legend.

    Args:
        page: The page.
        texts: Texts that are no labels, offsets or titles of axes.
        panels: The panels.
        without: Paths that are known to be something else (ticks).
        settings: Thresholds.

    Returns:
        For each panel its own legend, else the nearest one outside of all panels, else another panel's.
    """
    settings = settings or KeySettings()
    small = [i for i in _small_paths(page, panels) if i not in without]
    entries = [
        e for t in texts if not t.text.vertical for e in [_entry(page, t, small, panels, settings)] if e
    ]
    # a name outside of a panel whose key would be inside stands beside the end of its curve
    entries = [e for e in entries if all(p.holds(e.key.box) == p.holds(e.text.text.box) for p in panels)]
    groups = [
        _legend(g) for some in _by_panel(_each_key_once(entries), panels) for g in _groups(some, settings)
    ]
    groups = [g for g in groups if len(g.entries) > 1 or g.entries[0].key.line or g.entries[0].key.patch]
    inside = [max((g for g in groups if box.holds(g.box)), key=_size, default=None) for box in panels]
    outside = [g for g in groups if not any(box.holds(g.box) for box in panels)]
    found = []
    for box, own in zip(panels, inside, strict=True):
        near = min(outside, key=lambda g: (_apart(g.box, box), -_size(g)), default=None)
        lent = max((g for g in inside if g), key=_size, default=None)
        several = len(panels) > 1
        best = own or near or lent
        found.append(best and Legend(best.entries, best.box, best is not own and several))
    return found


def _size(legend: Legend) -> int:
    """Return the number of entries."""
    return len(legend.entries)


def _apart(a: Box, b: Box) -> float:
    """Return how far two boxes are apart."""
    dx = max(a.x0 - b.x1, b.x0 - a.x1, 0.0)
    dy = max(a.y0 - b.y1, b.y0 - a.y1, 0.0)
    return float(np.hypot(dx, dy))


def _small_paths(page: Page, panels: Sequence[Box]) -> list[int]:
    """Return the paths that are small enough for a key and are not clipped to a panel, which legends never are."""
    h = page.hulls
    wide, tall = h[:, 2] - h[:, 0], h[:, 3] - h[:, 1]
    some = np.flatnonzero((wide <= 150) & (tall <= 40) & (wide + tall > 0)).tolist()
    paths = page.drawing.paths
    return [i for i in some if not any(clipped_to(paths[i], box, 2.0) for box in panels)]


def _entry(
    page: Page, item: Lettering, small: Sequence[int], panels: Sequence[Box], settings: KeySettings
) -> Entry | None:
    """Return the entry of a text, if a key stands beside it."""
    if not any(c.isalnum() for c in item.text.text):
        return None
    box, size = item.text.box, item.size
    middle = item.text.box.centre[1]
    small = _inside_frame(page, box, small, panels)
    hulls = page.hulls[small]
    level = np.abs((hulls[:, 1] + hulls[:, 3]) / 2 - middle) <= settings.off_centre * size
    level &= (hulls[:, 3] - hulls[:, 1] <= settings.tall * size) & (
        hulls[:, 2] - hulls[:, 0] <= settings.longest * size
    )
    for left in (True, False):
        gap = box.x0 - hulls[:, 2] if left else hulls[:, 0] - box.x1
        at = np.flatnonzero(level & (gap >= -0.1 * size) & (gap <= (settings.gap + settings.longest) * size))
        nearest = sorted(at.tolist(), key=lambda k: gap[k])
        if not nearest or gap[nearest[0]] > settings.gap * size:
            continue
        key = _key(page, [small[k] for k in nearest], size, settings)
        if key:
            return Entry(key, item.text.text.strip(), item)
    return None


def _inside_frame(page: Page, text: Box, small: Sequence[int], panels: Sequence[Box]) -> list[int]:
    """Return the paths that may be the key of a text: those in its legend's frame, which hides what lies below."""
    h, paths = page.hulls, page.drawing.paths
    around = (h[:, 0] <= text.x0) & (h[:, 1] <= text.y0) & (h[:, 2] >= text.x1) & (h[:, 3] >= text.y1)
    frames = [
        i
        for i in np.flatnonzero(around).tolist()
        if paths[i].fill is not None
        and paths[i].fill_opacity >= 0.5
        and not any(
            h[i][2] - h[i][0] >= 0.95 * b.width and h[i][3] - h[i][1] >= 0.5 * b.height for b in panels
        )
    ]
    if not frames:
        return list(small)
    last = frames[-1]
    frame = Box(*h[last].tolist())
    return [i for i in small if i > last and frame.holds(Box(*h[i].tolist()))]


def _key(page: Page, indices: Sequence[int], size: float, settings: KeySettings) -> Key | None:
    """Return the key that paths make, the nearest to the text first; those away from the nearest belong elsewhere."""
    first = page.hulls[indices[0]]
    near = [
        i
        for i in indices
        if page.hulls[i][0] <= first[2] + 0.3 * size and page.hulls[i][2] >= first[0] - 0.3 * size
    ]
    paths = page.drawing.paths
    lines = [i for i in near if _is_line(paths[i], page.hulls[i], settings.shortest * size)]
    marks = [i for i in near if i not in lines and is_symbol(paths[i], page.hulls[i], 1.6 * size)]
    patches = [i for i in near if _patch(paths[i]) and i not in lines]
    markers = [
        k
        for i in marks
        if not (as_rectangle(paths[i].subpaths[0]) and _wide(page.hulls[i]))
        for k in [kind_of(paths[i])]
        if k
    ]
    inks = [ink for i in lines for ink in [ink_of(paths[i])] if ink and (min(ink.colour) < 250)]
    patch = next((c for i in patches for c in [_patch(paths[i])] if c), None)
    used = sorted({*lines, *marks, *patches})
    if not used or not (inks or markers or patch):
        return None
    hull = page.hulls[used]
    box = Box(*hull[:, :2].min(axis=0).tolist(), *hull[:, 2:].max(axis=0).tolist())
    line = max(inks, key=lambda ink: (ink.opacity, -ink.width), default=None)
    return Key(
        box, line, markers[-1] if markers else None, patch, tuple(used), min(paths[i].order for i in used)
    )


def _is_line(path: Path, hull: np.ndarray[tuple[int], np.dtype[np.float64]], least: float) -> bool:
    """Whether a path is a short level line (or one that rises a little)."""
    wide, tall = float(hull[2] - hull[0]), float(hull[3] - hull[1])
    open_ = len(path.subpaths) == 1 and not path.subpaths[0].closed and len(path.subpaths[0].points) <= 12
    return path.stroke is not None and open_ and wide >= least and tall <= 0.7 * wide


def _wide(hull: np.ndarray[tuple[int], np.dtype[np.float64]]) -> bool:
    """Whether a box is a patch rather than a square marker."""
    return bool(hull[2] - hull[0] > 1.3 * (hull[3] - hull[1]))


def _patch(path: Path) -> Colour | None:
    """Return the colour of a filled area, None for white and pale grey grounds."""
    if path.fill is None or (min(path.fill) >= 235 and max(path.fill) - min(path.fill) < 12):
        return None
    return path.fill


def _each_key_once(entries: Sequence[Entry]) -> list[Entry]:
    """Give a key that stands between two texts to one of them: to the one whose side most keys are on."""
    right = sum(e.key.box.x0 > e.text.text.box.x0 for e in entries)
    mostly_right = right > len(entries) / 2
    order = sorted(entries, key=lambda e: (e.key.box.x0 > e.text.text.box.x0) != mostly_right)
    taken: set[int] = set()
    kept = []
    for e in order:
        if not taken & set(e.key.paths):
            taken |= set(e.key.paths)
            kept.append(e)
    return kept


def _by_panel(entries: Sequence[Entry], panels: Sequence[Box]) -> list[list[Entry]]:
    """Return the entries inside each panel, and those outside of all."""
    places: dict[int, list[Entry]] = {}
    for e in entries:
        places.setdefault(next((k for k, b in enumerate(panels) if b.holds(e.key.box)), -1), []).append(e)
    return list(places.values())


def _groups(entries: Sequence[Entry], settings: KeySettings) -> list[list[Entry]]:
    """Group entries that stand in one column or in neighbouring rows."""
    left = list(entries)
    groups = []
    while left:
        group = [left.pop(0)]
        for e in group:  # grows while it is gone through
            joined = [o for o in left if _neighbours(e, o, settings)]
            group += joined
            left = [o for o in left if not any(o is j for j in joined)]
        groups.append(group)
    return groups


def _neighbours(a: Entry, b: Entry, settings: KeySettings) -> bool:
    """Whether two entries stand below one another, or beside one another in a legend of several columns."""
    size = a.text.size
    if abs(a.text.size - b.text.size) > 0.15 * size:
        return False
    down = abs(a.key.box.centre[1] - b.key.box.centre[1])
    column = abs(a.key.box.centre[0] - b.key.box.centre[0]) <= settings.column * size
    if column:
        return down <= settings.pitch * size
    first, second = (a, b) if a.text.text.box.x0 < b.text.text.box.x0 else (b, a)
    gap = min(second.key.box.x0, second.text.text.box.x0) - max(first.text.text.box.x1, first.key.box.x1)
    return down <= settings.row * size and gap <= 8 * size


def _legend(entries: Sequence[Entry]) -> Legend:
    """Return entries as a legend, column by column."""
    boxes = [b for e in entries for b in (e.key.box, e.text.text.box)]
    hull = Box(
        min(b.x0 for b in boxes), min(b.y0 for b in boxes), max(b.x1 for b in boxes), max(b.y1 for b in boxes)
    )
    return Legend(tuple(sorted(entries, key=lambda e: (round(e.key.box.x0 / 12), e.key.box.y0))), hull)


def key_paths(page: Page, legends: Iterable[Legend | None]) -> set[int]:
    """Return the paths of all keys, and of the frames around legends."""
    found: set[int] = set()
    for legend in legends:
        if legend is None:
            continue
        found |= {i for e in legend.entries for i in e.key.paths}
        b, h = legend.box, page.hulls
        around = (h[:, 0] <= b.x0) & (h[:, 1] <= b.y0) & (h[:, 2] >= b.x1) & (h[:, 3] >= b.y1)
        area = (h[:, 2] - h[:, 0]) * (h[:, 3] - h[:, 1])
        snug = area <= 6 * (b.width + 20) * (b.height + 20)
        shapes = np.flatnonzero(around & snug).tolist()
        found |= {i for i in shapes if any(s.closed for s in page.drawing.paths[i].subpaths)}
    return found
