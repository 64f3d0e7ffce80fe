"""Words beside a panel, found as clusters of glyphs.

A text detector overlooks single small digits, which is what tick labels often are. Beside an axis the layout is
known well enough to find every word by its ink alone; the recogniser then reads each from its own crop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from replicate.digitizer.marks import Side
from replicate.digitizer.model import Box, Image


@dataclass(frozen=True)
class WordSettings:
    """Thresholds of the word search.

    Attributes:
        ink: Least difference from the ground, grey levels.
        space: Widest gap inside a word, as a share of the text's height.
        space_in_column: The same beside a y axis, where each row holds one label ("3.8 × 10⁰", "60 %").
        reach: How far from the panel labels may stand, as a share of its side.
        least_reach: The same, at least, in text heights.
        beyond: How far past the panel's corners labels may stand, as a share of its side.
        speck: Smallest cluster, square pixels.
    """

    ink: float = 48.0
    space: float = 0.55
    space_in_column: float = 0.95
    reach: float = 0.6
    least_reach: float = 5.0
    beyond: float = 0.06
    speck: int = 4


def text_height(heights: Sequence[float], image: Image) -> float:
    """Return the usual height of the page's text in pixels: the median of what was found, else a guess."""
    if heights:
        return float(np.clip(np.median(heights), 6, 0.1 * image.shape[0]))
    return float(np.clip(0.025 * image.shape[0], 8, 40))


def ink_mask(image: Image, settings: WordSettings | None = None) -> NDArray[np.bool_]:
    """Return where a picture differs from its commonest colour; (height, width) bool."""
    settings = settings or WordSettings()
    return differs(image, commonest_colour(image), settings.ink)


def differs(image: Image, colour: NDArray[np.int16], least: float) -> NDArray[np.bool_]:
    """Return where a picture differs from a colour by more than `least` grey levels in any channel; (h, w) bool."""
    reach = int(least)
    low, high = (np.clip(colour + k * reach, 0, 255).astype(np.float64) for k in (-1, 1))
    return np.asarray(cv2.inRange(image, low, high) == 0)


def commonest_colour(image: Image) -> NDArray[np.int16]:
    """Return the commonest colour of a picture, (3,) int16 RGB: the median of the fullest coarse bin."""
    bins = cv2.calcHist([image], [0, 1, 2], None, [16, 16, 16], [0, 256] * 3)
    corner = 16.0 * np.array(np.unravel_index(bins.argmax(), bins.shape))
    inside = cv2.inRange(image, corner, corner + 15)
    medians = []
    for channel, low in enumerate(corner.tolist()):
        counts = cv2.calcHist([image], [channel], inside, [16], [low, low + 16]).ravel().astype(np.int64)
        middle = np.searchsorted(np.cumsum(counts), [(counts.sum() - 1) // 2 + 1, counts.sum() // 2 + 1])
        medians.append(int(low + middle.sum() / 2))
    return np.array(medians, dtype=np.int16)


def glyph_height(image: Image, box: Box, side: Side, usual: float) -> float:
    """Return the height of the glyphs beside an edge, pixels; the page's usual one where there are too few.

    Args:
        image: (height, width, 3) uint8.
        box: The panel.
        side: Which edge.
        usual: The page's usual text height, pixels.
    """
    settings = WordSettings()
    x0, y0, x1, y1 = (round(v) for v in _region(image, box, side, usual, settings))
    if x1 - x0 < 4 or y1 - y0 < 4:
        return usual
    mask = ink_mask(image[y0 : y1 + 1, x0 : x1 + 1], settings)
    count, _, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    deep, wide = mask.shape
    heights = [
        h
        for x, y, w, h, area in stats[1:count].tolist()
        if 5 <= h <= 4 * usual
        and 0.25 * h <= w <= 1.3 * h
        and area >= 0.2 * w * h
        # what stands on the edge is a tick
        and {"bottom": y, "top": deep - y - h, "left": wide - x - w, "right": x}[side] > 1
    ]
    return float(np.median(heights)) if len(heights) >= 4 else usual


def words_beside(
    image: Image, box: Box, side: Side, height: float, obstacles: Sequence[Box] = (), gap: float = 0.0
) -> list[Box]:
    """Find the words beside one edge of a panel.

    Args:
        image: (height, width, 3) uint8.
        box: The panel.
        side: Which edge.
        height: Usual text height, pixels.
        obstacles: Other panels, where no words are looked for.
        gap: Length of the ticks, which are no words, pixels.

    Returns:
        Boxes of words, those nearest to the edge first.
    """
    settings = WordSettings()
    region = _region(image, box, side, height, settings)
    x0, y0, x1, y1 = (round(v) for v in region)
    if x1 - x0 < 4 or y1 - y0 < 4:
        return []
    part = image[y0 : y1 + 1, x0 : x1 + 1]
    mask = ink_mask(part, settings)
    _erase(mask, obstacles, (x0, y0))
    _erase_ticks(mask, box, side, gap, (x0, y0))
    space = settings.space if side in ("bottom", "top") else settings.space_in_column
    words = _clusters(mask, height, space, settings)
    moved = [Box(a + x0, b + y0, c + x0, d + y0) for a, b, c, d in words]
    return sorted(moved, key=lambda w: _distance(w, box, side))


def _region(image: Image, box: Box, side: Side, height: float, settings: WordSettings) -> Box:
    """Return the strip beside the edge in which labels may stand, cut at the picture's border."""
    rows, columns = image.shape[:2]
    deep_x = max(settings.reach * box.width, settings.least_reach * 2 * height)
    deep_y = max(settings.reach * box.height, settings.least_reach * height)
    out_x = max(settings.beyond * box.width, 2.5 * height)
    out_y = max(settings.beyond * box.height, 1.0 * height)
    region = {
        "bottom": (box.x0 - out_x, box.y1 + 2, box.x1 + out_x, box.y1 + deep_y),
        "top": (box.x0 - out_x, box.y0 - deep_y, box.x1 + out_x, box.y0 - 2),
        "left": (box.x0 - deep_x, box.y0 - out_y, box.x0 - 2, box.y1 + out_y),
        "right": (box.x1 + 2, box.y0 - out_y, box.x1 + deep_x, box.y1 + out_y),
    }[side]
    x0, y0, x1, y1 = region
    return Box(max(x0, 0), max(y0, 0), min(x1, columns - 1), min(y1, rows - 1))


def _erase(mask: NDArray[np.bool_], boxes: Sequence[Box], origin: tuple[int, int]) -> None:
    """Clear the boxes from a mask."""
    for box in boxes:
        x0, y0 = max(int(box.x0) - origin[0] - 2, 0), max(int(box.y0) - origin[1] - 2, 0)
        x1, y1 = int(box.x1) - origin[0] + 3, int(box.y1) - origin[1] + 3
        if x1 > 0 and y1 > 0:
            mask[y0:y1, x0:x1] = False


def _erase_ticks(mask: NDArray[np.bool_], box: Box, side: Side, gap: float, origin: tuple[int, int]) -> None:
    """Clear the strip in which the ticks stand, so that they do not join the labels."""
    reach = round(gap + 1)
    if side == "bottom":
        mask[: max(round(box.y1) - origin[1] + reach, 0)] = False
    elif side == "left":
        mask[:, max(round(box.x0) - origin[0] - reach + 1, 0) :] = False
    elif side == "right":
        mask[:, : max(round(box.x1) - origin[0] + reach, 0)] = False
    else:
        mask[max(round(box.y0) - origin[1] - reach + 1, 0) :] = False


Piece = tuple[int, int, int, int]


def _clusters(mask: NDArray[np.bool_], height: float, space: float, settings: WordSettings) -> list[Piece]:
    """Return the boxes (x0, y0, x1, y1) of glyphs that stand close enough to be one word."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    pieces = [(x, y, x + w - 1, y + h - 1) for x, y, w, h, _ in stats[1:count].tolist()]
    ink = stats[1:count, cv2.CC_STAT_AREA].tolist()
    large = max(4 * height, 40.0)
    kept = [p for p, area in zip(pieces, ink, strict=True) if area >= 2 and _may_be_glyph(p, large)]
    words = _join(kept, space * height, height)
    return [w for w in words if w[3] - w[1] + 1 >= 0.15 * height and _ink(mask, w) >= settings.speck]


def _may_be_glyph(piece: Piece, large: float) -> bool:
    """Whether a piece is not much too tall: letters may touch, but a long thin one is a spine with its ticks."""
    x0, y0, x1, y1 = piece
    return y1 - y0 <= (1 if y1 - y0 > 8 * (x1 - x0 + 1) else 6) * large


def _ink(mask: NDArray[np.bool_], box: Piece) -> int:
    """Return how many pixels of a box hold ink."""
    return int(mask[box[1] : box[3] + 1, box[0] : box[2] + 1].sum())


def _join(pieces: Sequence[Piece], space: float, height: float) -> list[Piece]:
    """Join pieces from left to right into words: level with one another and at most a space apart.

    Raised exponents, minus signs and dots overlap the rows of their word only in part, so a small piece need
    only touch the rows of the tall ones, or reach half a text height above them.
    """
    words: list[Piece] = []
    for piece in sorted(pieces):
        home = None
        for k, word in enumerate(words):
            gap = piece[0] - word[2] - 1
            if gap <= space and _level(piece, word, height):
                home = k if home is None or word[2] > words[home][2] else home
        if home is None:
            words.append(piece)
        else:
            words[home] = _union(words[home], piece)
    return _merge_overlapping(words)


def _union(a: Piece, b: Piece) -> Piece:
    """Return the smallest box around two."""
    return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])


def _level(a: Piece, b: Piece, height: float) -> bool:
    """Whether two pieces stand in one line of text: they share rows, or a small one is raised a little."""
    shared = min(a[3], b[3]) - max(a[1], b[1]) + 1
    low = min(a[3] - a[1], b[3] - b[1]) + 1
    return shared >= min(0.5 * low, 0.4 * height) or (low < 0.75 * height and shared > -0.15 * height)


def _merge_overlapping(words: list[Piece]) -> list[Piece]:
    """Merge words whose boxes overlap (parts of one glyph, joined in the wrong order)."""
    merged: list[Piece] = []
    for word in sorted(words):
        for k, other in enumerate(merged):
            inside = min(word[2], other[2]) - max(word[0], other[0]) + 1
            rows = min(word[3], other[3]) - max(word[1], other[1]) + 1
            if inside > 0 and rows > 0:
                merged[k] = _union(word, other)
                break
        else:
            merged.append(word)
    return merged


def _distance(word: Box, box: Box, side: Side) -> float:
    """Return how far a word stands from the edge, pixels."""
    return {
        "bottom": word.y0 - box.y1,
        "top": box.y0 - word.y1,
        "left": box.x0 - word.x1,
        "right": word.x0 - box.x1,
    }[side]
