"""The legend: keys and the names beside them.

A key is a short isolated stroke (or marker) level with a text and just left or right of it. Keys of one legend
have one width and stand at one distance from their texts, which tells them from curves that pass a text by.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from replicate.digitizer import ocr
from replicate.digitizer.ground import Pixels
from replicate.digitizer.lines import LineSettings, find_lines
from replicate.digitizer.model import Box, Image, TextBox
from replicate.digitizer.runs import stretches
from replicate.digitizer.words import commonest_colour

Style = Literal["solid", "dashed", "dotted", "dashdot", "markers"]


@dataclass(frozen=True)
class LegendSettings:
    """Thresholds of the legend search, in text heights where not said otherwise.

    Attributes:
        ink: Least difference of a key from its ground, grey levels.
        strong: Share of the strongest ink beside a text that a key has where curves are seen through the legend.
        reach: How far from its text a key may begin.
        nearest: Widest gap between key and text.
        shortest: Shortest key.
        longest: Longest key.
        tallest: Highest stroke of a key: an error bar is as tall as the font's line, more than its letters.
        off_centre: How far a key's middle may lie above or below the text's.
        same_width: How much the keys of one legend may differ in width, as a share.
        score: Least confidence of a name's reading: noisy curves are read as text, badly.
    """

    ink: float = 24.0
    strong: float = 0.5
    reach: float = 7.5
    nearest: float = 2.6
    shortest: float = 0.55
    longest: float = 6.5
    tallest: float = 1.55
    off_centre: float = 0.42
    same_width: float = 0.3
    score: float = 0.7


@dataclass(frozen=True, eq=False)
class Key:
    """A legend's key.

    Attributes:
        box: Where it stands, pixels.
        colour: (3,) float32 RGB of its ink.
        style: How its line is drawn.
        marker: Whether it carries a marker.
    """

    box: Box
    colour: Pixels
    style: Style
    marker: bool


@dataclass(frozen=True, eq=False)
class Entry:
    """A legend's entry: its key and its name."""

    key: Key
    name: str
    text: TextBox


@dataclass(frozen=True, eq=False)
class Legend:
    """A legend.

    Attributes:
        entries: The entries from top to bottom, column by column.
        box: Hull of the entries, or the frame around them.
        framed: Whether it has a frame, so that nothing can be seen through it.
        borrowed: Whether it is another panel's, so that some of its curves may be absent here.
    """

    entries: tuple[Entry, ...]
    box: Box
    framed: bool
    borrowed: bool = False


def find_legend(
    image: Image,
    texts: Sequence[TextBox],
    panel: Box,
    settings: LegendSettings | None = None,
) -> Legend | None:
    """Find the legend among the texts.

    Args:
        image: (height, width, 3) uint8.
        texts: Texts that are no tick labels.
        panel: The panel whose legend is wanted.
        settings: Thresholds.

    Returns:
        The legend with the most entries, or None.
    """
    settings = settings or LegendSettings()
    readable = [t for t in texts if not t.vertical and t.score >= settings.score]
    page = Box(0, 0, image.shape[1] - 1, image.shape[0] - 1)
    inner = Box(panel.x0 + 3, panel.y0 + 3, panel.x1 - 3, panel.y1 - 3)
    places = [inner if inner.x0 <= t.box.x0 and t.box.x1 <= inner.x1 else page for t in readable]
    found = [e for t, p in zip(readable, places, strict=True) for e in [_entry(image, t, p, settings)] if e]
    found = [e for e in found if not any(_is_key_of(o, e) for o in found)]
    group = _largest_group(found, settings)
    if not group:
        return None
    group = _complete(image, group, settings)
    group = _sorted(_with_known_place(image, group, texts, settings))
    hull = _hull([e.key.box for e in group] + [e.text.box for e in group])
    frame = _frame_around(image, hull, max(e.text.box.height for e in group) + 1)
    return Legend(tuple(group), frame or hull, frame is not None)


def _entry(image: Image, text: TextBox, within: Box, settings: LegendSettings) -> Entry | None:
    """Return the entry of a text, if a key stands beside it within an area."""
    name, box = _without_key_glyphs(image, text)
    if not name:
        return None
    height = text.box.height + 1
    for side in (-1, 1):
        key = _key(image, box, height, side, settings, within)
        if key:
            return Entry(key, name, TextBox(name, box, text.score))
    # curves seen through a legend are fainter than its keys
    key = _key(image, box, height, -1, settings, within, settings.strong)
    return Entry(key, name, TextBox(name, box, text.score)) if key else None


def _without_key_glyphs(image: Image, text: TextBox) -> tuple[str, Box]:
    """Cut a key that was read as a part of the text ("— Baseline") off the text and its box."""
    box, height = text.box, text.box.height + 1
    name = re.sub(r"^[\s\-—–_~=•·*○●■▲+]+(?=\S)|[\s\-—–_~•·○●■▲]+$", "", text.text).strip()
    name = re.sub(r"\bIr\b", "lr", name)  # the learning rate: a capital I and an l are one stroke
    x0, y0, x1, y1 = (round(v) for v in box)
    part = image[max(y0, 0) : y1 + 1, max(x0, 0) : x1 + 1]
    if part.size == 0:
        return name, box
    ink = np.max(np.abs(part.astype(np.int16) - commonest_colour(part)), axis=2) > 40
    occupied = np.flatnonzero(ink.any(axis=0))
    if len(occupied) < 2:
        return name, box
    gaps = np.flatnonzero(np.diff(occupied) > 0.3 * height)
    if len(gaps):
        last, rest = occupied[gaps[0]], occupied[gaps[0] + 1]
        first = ink[:, occupied[0] : last + 1]
        tall = np.flatnonzero(first.any(axis=1))
        flat = len(tall) and tall[-1] - tall[0] + 1 <= 0.45 * height
        inks = [np.median(part[:, a:b][ink[:, a:b]], axis=0) for a, b in ((0, last + 1), (rest, None))]
        coloured = float(np.linalg.norm(inks[0] - inks[1])) > 90
        if (flat or coloured) and first.shape[1] >= 0.8 * height:
            return name, Box(x0 + rest, box.y0, box.x1, box.y1)
    return name, box


def _key(
    image: Image,
    text: Box,
    height: float,
    side: int,
    settings: LegendSettings,
    within: Box | None = None,
    strong: float = 0.0,
) -> Key | None:
    """Return the key on one side of a text (-1: left, 1: right) within an area, or None.

    What differs from the ground by less than a share (`strong`) of the strongest ink there is left out.
    """
    reach = settings.reach * height
    x0, x1 = (text.x0 - reach, text.x0 - 1) if side < 0 else (text.x1 + 2, text.x1 + reach)
    first, last = (within.x0, within.x1) if within else (0, image.shape[1] - 1)
    left, right = max(int(x0), int(first)), min(int(np.ceil(x1)), int(last))
    top, bottom = (
        max(int(text.y0 - 0.25 * height), 0),
        min(int(text.y1 + 0.25 * height) + 1, image.shape[0] - 1),
    )
    if right - left < settings.shortest * height or bottom - top < 3:
        return None
    part = image[top : bottom + 1, left : right + 1]
    ground = commonest_colour(part)
    difference = part.astype(np.float32) - ground
    contrast = np.abs(difference).max(axis=2)
    least = max(settings.ink, strong * float(contrast.max()))
    solid = contrast > least
    middle = (text.y0 + text.y1) / 2 - top
    for chain in _chains(part, difference, solid, middle, height, settings, from_right=side < 0):
        a, b = min(p[0] for p in chain), max(p[2] for p in chain)
        c, d = min(p[1] for p in chain), max(p[3] for p in chain)
        gap = part.shape[1] - 1 - b if side < 0 else a
        isolated = a > 0 if side < 0 else b < part.shape[1] - 1
        fits = settings.shortest * height <= b - a + 1 <= settings.longest * height
        if not (isolated and fits and gap <= settings.nearest * height):
            continue
        mask = np.zeros_like(solid)
        for x0_, y0_, x1_, y1_ in chain:
            mask[y0_ : y1_ + 1, x0_ : x1_ + 1] = solid[y0_ : y1_ + 1, x0_ : x1_ + 1]
        colour = _key_colour(part, difference, mask)
        style, marker = _style(mask[c : d + 1, a : b + 1])
        box = Box(left + a, top + c, left + b, top + d)
        if not _runs_on(image, box, ground, height, least):
            return Key(box, colour, style, marker)
    return None


def _runs_on(image: Image, key: Box, ground: NDArray[np.int16], height: float, least: float) -> bool:
    """Whether a stroke goes on beyond the strip in which it was found: the tail of a curve, not a key."""
    margin = int(height)
    x0, y0 = max(int(key.x0) - margin, 0), max(int(key.y0) - margin, 0)
    part = image[y0 : int(key.y1) + margin + 1, x0 : int(key.x1) + margin + 1]
    solid = np.abs(part.astype(np.int16) - ground).max(axis=2) > least
    count, labels, stats, _ = cv2.connectedComponentsWithStats(solid.astype(np.uint8), connectivity=8)
    inside = labels[int(key.y0) - y0 : int(key.y1) - y0 + 1, int(key.x0) - x0 : int(key.x1) - x0 + 1]
    sizes = np.bincount(inside[inside > 0], minlength=count)
    if not sizes.any():
        return False
    x, y, w, h, _ = stats[int(sizes.argmax())].tolist()
    over = max(key.x0 - x0 - x, x + w - 1 - (key.x1 - x0), key.y0 - y0 - y, y + h - 1 - (key.y1 - y0))
    return bool(over > 0.5 * height)


Piece = tuple[int, int, int, int]


def _chains(
    part: Image,
    difference: Pixels,
    solid: NDArray[np.bool_],
    middle: float,
    height: float,
    settings: LegendSettings,
    *,
    from_right: bool,
) -> list[list[Piece]]:
    """Return strokes level with a text's middle, grouped by colour, the group nearest to the text first.

    The pieces of a dashed key have one colour; the first letters of a text whose box begins too late have
    another.
    """
    count, labels, stats, _ = cv2.connectedComponentsWithStats(solid.astype(np.uint8), connectivity=8)
    groups: list[tuple[Pixels, list[Piece]]] = []
    level = []
    for i, (x, y, w, h, area) in enumerate(stats[1:count].tolist(), start=1):
        if (
            abs(y + (h - 1) / 2 - middle) <= settings.off_centre * height
            and h <= settings.tallest * height
            and area >= 2
        ):
            level.append(((x, y, x + w - 1, y + h - 1), _key_colour(part, difference, labels == i)))
    level.sort(key=lambda p: -p[0][2] if from_right else p[0][0])
    for piece, colour in level:
        for known, pieces in groups:
            gap = pieces[-1][0] - piece[2] if from_right else piece[0] - pieces[-1][2]
            if np.linalg.norm(known - colour) < 90 and gap <= 0.9 * height:
                pieces.append(piece)
                break
        else:
            groups.append((colour, [piece]))
    return [pieces for _, pieces in groups]


def _key_colour(part: Image, difference: Pixels, mask: NDArray[np.bool_]) -> Pixels:
    """Return a key's colour: the median of its pixels that differ most from the ground."""
    strength = np.linalg.norm(difference, axis=2)
    core = mask & (strength >= 0.85 * np.percentile(strength[mask], 90))
    return np.asarray(np.median(part[core], axis=0), dtype=np.float32)


def _style(mask: NDArray[np.bool_]) -> tuple[Style, bool]:
    """Return how a key's line is drawn, and whether it carries a marker."""
    columns = mask.sum(axis=0)
    thin = float(np.median(columns[columns > 0]))
    marker = bool(columns.max() >= max(2.2 * thin, thin + 3))
    if mask.shape[1] <= 1.6 * mask.shape[0]:
        return "markers", True
    lengths = np.array([last - first + 1 for first, last in stretches(columns > 0)])
    if len(lengths) < 2:
        return "solid", marker
    if len(lengths) >= 3 and lengths.max() >= 2.2 * lengths[1:-1].min():
        return "dashdot", marker
    return ("dotted" if np.median(lengths) <= 2.2 * thin else "dashed"), marker


def _complete(image: Image, group: list[Entry], settings: LegendSettings) -> list[Entry]:
    """Add entries whose text was overlooked: isolated strokes in line with the keys, with words beside them."""
    height = float(np.median([e.text.box.height for e in group])) + 1
    found = list(group)
    for x0, x1 in {(round(e.key.box.x0), round(e.key.box.x1)) for e in group}:
        text_x = [e.text.box.x0 for e in group if abs(e.key.box.x0 - x0) <= 2]
        right_of_key = min(text_x) > x0
        column = sorted(e.key.box.centre[1] for e in group if abs(e.key.box.x0 - x0) <= 2)
        pitch = min([b - a for a, b in pairwise(column)], default=2.2 * height)
        y0 = int(max(column[0] - 3.4 * pitch, 0))
        y1 = int(min(column[-1] + 3.4 * pitch, image.shape[0] - 1))
        strip = image[y0 : y1 + 1, max(x0 - 4, 0) : x1 + 5]
        if not right_of_key or strip.size == 0:
            continue
        for a, b in _strokes_like(strip, x1 - x0 + 1, height):
            middle = y0 + (a + b) / 2
            known = [e.key.box for e in found if abs(e.key.box.x0 - x0) < height]
            if any(abs(box.centre[1] - middle) < 0.6 * height for box in known):
                continue
            entry = _entry_at(image, Box(x0, y0 + a, x1, y0 + b), min(text_x), height, settings)
            if entry:
                found.append(entry)
    return found


def _with_known_place(
    image: Image, group: list[Entry], texts: Sequence[TextBox], settings: LegendSettings
) -> list[Entry]:
    """Add texts in line with the entries' whose keys run into something: their keys' place is known."""
    found = list(group)
    for text in texts:
        height = text.box.height + 1
        if text.vertical or any(_same_place(text.box, e.text.box) for e in found):
            continue
        models = [
            e
            for e in found
            if abs(e.text.box.x0 - text.box.x0) <= 0.35 * height
            and abs(e.text.box.centre[1] - text.box.centre[1]) <= 2.6 * height
            and abs(e.text.box.height + 1 - height) <= 0.35 * height
            and e.key.box.x1 < e.text.box.x0
        ]
        if models:
            key = _key_at(image, models[0].key.box, text.box, settings)
            found += [Entry(key, text.text.strip(), text)] if key else []
    return found


def _is_key_of(entry: Entry, other: Entry) -> bool:
    """Whether what was read as another entry's name is this one's key ("十" for a cross on a line)."""
    return _same_place(other.text.box, entry.key.box) and len(other.name) < len(entry.name)


def _same_place(a: Box, b: Box) -> bool:
    """Whether two boxes overlap."""
    return min(a.x1, b.x1) > max(a.x0, b.x0) and min(a.y1, b.y1) > max(a.y0, b.y0)


def _key_at(image: Image, model: Box, text: Box, settings: LegendSettings) -> Key | None:
    """Return the key at a known place: the level stroke that fills most of the width there."""
    middle, half = text.centre[1], 0.35 * (text.height + 1)
    top, bottom = int(middle - half), int(middle + half) + 1
    part = image[top : bottom + 1, int(model.x0) : int(model.x1) + 1]
    if part.size == 0:
        return None
    ground = commonest_colour(image[top : bottom + 1, int(model.x0) - 8 : int(text.x0)])
    difference = part.astype(np.float32) - ground
    solid = np.abs(difference).max(axis=2) > settings.ink
    rows = np.flatnonzero(solid.mean(axis=1) >= 0.7)
    if not len(rows):
        return None
    mask = np.zeros_like(solid)
    mask[rows] = solid[rows]
    box = Box(model.x0, top + float(rows[0]), model.x1, top + float(rows[-1]))
    return Key(box, _key_colour(part, difference, mask), "solid", False)


def _strokes_like(strip: Image, width: int, height: float) -> list[tuple[int, int]]:
    """Return (first, last) row of isolated level strokes that fill a strip's middle but not its rims."""
    ground = commonest_colour(strip)
    solid = np.abs(strip.astype(np.int16) - ground).max(axis=2) > 24
    across = solid[:, 4:-4].mean(axis=1) >= 0.5
    clear = ~solid[:, [0, 1, -2, -1]].any(axis=1)
    return [(a, b) for a, b in stretches(across & clear) if b - a + 1 <= 0.6 * height and width > 4]


def _entry_at(image: Image, key: Box, text_x: float, height: float, settings: LegendSettings) -> Entry | None:
    """Read the text beside a key whose text the page's search overlooked."""
    y0, y1 = max(int(key.centre[1] - 0.8 * height), 0), int(key.centre[1] + 0.8 * height) + 1
    x0 = max(int(text_x - 0.4 * height), 0)
    part = image[y0 : y1 + 1, x0 : int(text_x + 40 * height)]
    solid = np.abs(part.astype(np.int16) - commonest_colour(part)).max(axis=2) > 60
    occupied = np.flatnonzero(solid.any(axis=0))
    if not len(occupied) or occupied[0] > 1.5 * height:
        return None
    gaps = np.flatnonzero(np.diff(occupied) > 1.2 * height)
    last = int(occupied[gaps[0]] if len(gaps) else occupied[-1])
    rows = np.flatnonzero(solid[:, : last + 1].any(axis=1))
    box = Box(x0 + int(occupied[0]), y0 + int(rows[0]), x0 + last, y0 + int(rows[-1]))
    if box.height > 1.7 * height:
        return None
    text = ocr.read_crops(image, [box])[0]
    found = _key(image, box, height, -1, settings)
    if found is None or max(abs(found.box.x0 - key.x0), abs(found.box.x1 - key.x1)) > 3:
        return None
    readable = text.score >= settings.score and any(c.isalnum() for c in text.text)
    return Entry(found, text.text.strip(), text) if readable else None


def _largest_group(entries: Sequence[Entry], settings: LegendSettings) -> list[Entry]:
    """Return the largest set of entries whose keys have one width; a single one must be a plain stroke."""
    best: list[Entry] = []
    for seed in entries:
        width = seed.key.box.width
        group = [e for e in entries if abs(e.key.box.width - width) <= settings.same_width * width + 1]
        group = _near_one_another(group, seed)
        if len(group) > len(best):
            best = group
    if len(best) == 1 and not _stands_alone(best[0]):
        return []
    return best


def _stands_alone(entry: Entry) -> bool:
    """Whether a single entry is believed: its key is a long stroke, or a coloured one."""
    long = entry.key.box.width >= 1.2 * (entry.text.box.height + 1)
    return long or float(np.ptp(entry.key.colour)) >= 40


def _sorted(entries: Sequence[Entry]) -> list[Entry]:
    """Sort entries column by column, from top to bottom."""
    return sorted(entries, key=lambda e: (round(e.key.box.x0 / 12), e.key.box.y0))


def _near_one_another(entries: Sequence[Entry], seed: Entry) -> list[Entry]:
    """Keep entries in the seed's column, or in its row or the next, or in those of one that is kept."""
    height = seed.text.box.height + 1
    kept = [seed]
    grown = True
    while grown:
        grown = False
        for entry in entries:
            if any(entry is k for k in kept):
                continue
            for other in kept:
                column = abs(entry.key.box.x0 - other.key.box.x0) <= 0.6 * height
                apart = abs(entry.key.box.centre[1] - other.key.box.centre[1])
                if apart <= (4.5 if column else 2.2) * height:
                    kept.append(entry)
                    grown = True
                    break
    return kept


def _hull(boxes: Sequence[Box]) -> Box:
    """Return the smallest box around boxes."""
    return Box(
        min(b.x0 for b in boxes), min(b.y0 for b in boxes), max(b.x1 for b in boxes), max(b.y1 for b in boxes)
    )


def _frame_around(image: Image, hull: Box, height: float) -> Box | None:
    """Return the frame around the entries, if there is one: a rectangle of lines close around them."""
    reach = 6 * height
    x0, y0 = max(int(hull.x0 - reach), 0), max(int(hull.y0 - reach), 0)
    part = image[y0 : int(hull.y1 + reach) + 1, x0 : int(hull.x1 + reach) + 1]
    least = 0.6 * hull.height / min(part.shape[:2])
    horizontal, vertical = find_lines(part, LineSettings(least=least))
    near = Box(hull.x0 - x0, hull.y0 - y0, hull.x1 - x0, hull.y1 - y0)
    across = [a for a in horizontal if a.start <= near.x0 + height and a.end >= near.x1 - height]
    along = [a for a in vertical if a.start <= near.y0 + height and a.end >= near.y1 - height]
    # a stroke's far side, since the feet of letters may have been joined to it
    top = [a.position - a.thickness / 2 for a in across if a.position < near.y0 - 1]
    bottom = [a.position + a.thickness / 2 for a in across if a.position > near.y1 + 1]
    left = [a.position - a.thickness / 2 for a in along if a.position < near.x0 - 1]
    right = [a.position + a.thickness / 2 for a in along if a.position > near.x1 + 1]
    if not (top and bottom and left and right):
        return None
    return Box(x0 + max(left), y0 + max(top), x0 + min(right), y0 + min(bottom))
