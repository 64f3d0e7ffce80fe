"""Handling small pictures of one label: its ink, its slant, and a raised exponent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from replicate.digitizer.model import Box, FloatArray, Image

Mask = NDArray[np.bool_]

CONTRAST = 0.4  # share of the strongest contrast from which a pixel is ink
LEAST_CONTRAST = 12.0  # the same, grey levels
LEVEL = 16.0  # a slant below this is none, degrees
SPACE = 0.3  # least width of a gap between two labels, text heights
LINE = 64  # height that small crops are enlarged to, pixels


class Glyph(NamedTuple):
    """A connected piece of ink: its left and top pixel, and its size."""

    x: int
    y: int
    width: int
    height: int

    @property
    def foot(self) -> int:
        """The row below its lowest pixel."""
        return self.y + self.height


class Raised(NamedTuple):
    """A label split into its base and its raised exponent, and how many characters the exponent can have."""

    base: Image
    exponent: Image
    most: int


def ground(crop: Image) -> FloatArray:
    """Return the background colour of a crop, (3,) RGB: the median of its border."""
    border = np.concatenate([crop[0], crop[-1], crop[:, 0], crop[:, -1]])
    return np.asarray(np.median(border, axis=0), dtype=np.float64)


def ink(crop: Image) -> Mask:
    """Return which pixels of a crop are ink: their contrast is a good share of the strongest."""
    contrast = np.abs(crop.astype(np.float64) - ground(crop)).max(axis=2)
    top = float(np.percentile(contrast, 99.5))
    return np.asarray(contrast > max(CONTRAST * top, LEAST_CONTRAST))


def pieces(crop: Image, least: int = 4) -> list[Glyph]:
    """Return the connected pieces of ink of at least so many pixels, from left to right, inner ones left out."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink(crop).astype(np.uint8), connectivity=8)
    found = sorted(Glyph(*s[:4]) for s in stats[1:].tolist() if s[4] >= least)
    return [g for g in found if not any(_within(g, other) for other in found)]


def glyphs(crop: Image) -> list[Glyph]:
    """Return the glyphs of level text from left to right: pieces that stand above one another are one glyph."""
    found: list[Glyph] = []
    for piece in pieces(crop):
        last = found[-1] if found else piece
        shared = min(last.x + last.width, piece.x + piece.width) - piece.x
        if found and shared >= 0.7 * min(last.width, piece.width):
            right, foot = max(last.x + last.width, piece.x + piece.width), max(last.foot, piece.foot)
            top = min(last.y, piece.y)
            found[-1] = Glyph(last.x, top, right - last.x, foot - top)
        else:
            found.append(piece)
    return found


def _within(inner: Glyph, outer: Glyph) -> bool:
    """Whether a piece lies inside another's box (the dot of a dotted zero)."""
    across = outer.x < inner.x and inner.x + inner.width < outer.x + outer.width
    return across and outer.y < inner.y and inner.foot < outer.foot


def window(image: Image, box: Box) -> tuple[slice, slice]:
    """Return the rows and columns of a box, clipped to the image; never empty."""
    height, width = image.shape[:2]
    y0, x0 = (int(np.clip(np.floor(v), 0, n - 1)) for v, n in ((box.y0, height), (box.x0, width)))
    y1, x1 = (int(np.clip(np.ceil(v), 0, n - 1)) + 1 for v, n in ((box.y1, height), (box.x1, width)))
    return slice(y0, max(y1, y0 + 1)), slice(x0, max(x1, x0 + 1))


def shrink_to_ink(image: Image, box: Box) -> Box:
    """Return the smallest box around the text in a loose one, without strokes that reach in from outside.

    Args:
        image: (height, width, 3) uint8 RGB.
        box: A box with the text in its middle and some margin.

    Returns:
        The ink's box; the box itself where there is no ink.
    """
    rows, columns = window(image, box)
    crop = image[rows, columns]
    ys, xs = np.nonzero(_central(ink(crop)))
    if not len(ys):
        return box
    x, y = columns.start, rows.start
    return Box(float(x + xs.min()), float(y + ys.min()), float(x + xs.max()), float(y + ys.max()))


def _central(mask: Mask) -> Mask:
    """Return ink without the pieces that only reach in from the border (tick marks, a frame, grid lines)."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    height, width = mask.shape
    keep = np.zeros(count, bool)
    for i, (x, y, w, h, _) in enumerate(stats.tolist()):
        touches = x == 0 or y == 0 or x + w == width or y + h == height
        middle = x + w > 0.15 * width and x < 0.85 * width and y + h > 0.3 * height and y < 0.7 * height
        keep[i] = i > 0 and (not touches or (middle and w < 0.95 * width and h < 0.95 * height))
    return np.asarray(keep[labels]) if keep.any() else mask


def cut_at_gaps(image: Image, box: Box, parts: int) -> list[Box] | None:
    """Cut a box of level text at its widest gaps.

    Args:
        image: (height, width, 3) uint8 RGB.
        box: The text's ink.
        parts: Into how many parts.

    Returns:
        The parts' boxes from left to right; None where there are too few gaps as wide as a space.
    """
    rows, columns = window(image, box)
    filled = np.flatnonzero(ink(image[rows, columns]).any(axis=0))
    gaps = np.diff(filled)
    wide = np.sort(np.argsort(-gaps, kind="stable")[: parts - 1])
    if len(wide) < parts - 1 or gaps[wide].min() <= SPACE * box.height:
        return None
    starts, ends = [filled[0], *filled[wide + 1]], [*filled[wide], filled[-1]]
    at = columns.start
    return [Box(float(at + a), box.y0, float(at + b), box.y1) for a, b in zip(starts, ends, strict=True)]


def framed(part: Image, colour: FloatArray, pad_x: int, pad_y: int) -> Image:
    """Return a picture with a margin of one colour."""
    fill = [float(v) for v in colour]
    grown = cv2.copyMakeBorder(part, pad_y, pad_y, pad_x, pad_x, cv2.BORDER_CONSTANT, value=fill)
    return np.asarray(grown, dtype=np.uint8)


def label_crop(image: Image, box: Box) -> Image:
    """Cut a label out with a margin of its background, enlarged where it is small."""
    rows, columns = window(image, box)
    around = window(image, Box(box.x0 - 2, box.y0 - 2, box.x1 + 2, box.y1 + 2))
    part = image[rows, columns]
    pad = max(2, round(0.3 * min(part.shape[:2])))
    return _enlarged(framed(part, ground(image[around]), pad, pad))


def _enlarged(crop: Image) -> Image:
    """Return a crop whose shorter side is at least the height of an enlarged line."""
    zoom = LINE / min(crop.shape[:2])
    if zoom <= 1:
        return crop
    return np.asarray(cv2.resize(crop, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC), dtype=np.uint8)


def slant(crop: Image) -> float:
    """Return the slope of a label's line of text, degrees anticlockwise, -90 < slant <= 90; 0 where it is level.

    The ink's smallest rectangle shows it, if there is more than one glyph and the rectangle is clearly longer
    than high. Upright text gives 90, as most axes turn it that way.
    """
    found = pieces(crop, 8)
    if len(found) < 2:
        return 0.0
    ys, xs = np.nonzero(ink(crop))
    (_, _), (a, b), angle = cv2.minAreaRect(np.stack([xs, ys], axis=1).astype(np.float32))
    long, short = max(a, b) + 1, min(a, b) + 1
    clockwise = angle if a >= b else angle - 90
    clockwise += 180 if clockwise <= -90 else 0
    if long < 1.4 * short or abs(clockwise) < LEVEL:
        return 0.0
    if abs(clockwise) > 90 - LEVEL:
        stacked = max(g.height for g in found) < 0.75 * long
        return 90.0 if stacked else 0.0
    return -clockwise if long > 1.8 * short else 0.0


def levelled(crop: Image, angle: float) -> Image:
    """Turn a crop's text level and cut it to its ink with a margin; angle in degrees anticlockwise."""
    height, width = crop.shape[:2]
    side = int(np.ceil(np.hypot(height, width)))
    matrix = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), -angle, 1.0)
    matrix[:, 2] += np.array([(side - width) / 2, (side - height) / 2])
    fill = [float(v) for v in ground(crop)]
    turned = cv2.warpAffine(
        crop, matrix, (side, side), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_CONSTANT, borderValue=fill
    )
    image = np.asarray(turned, dtype=np.uint8)
    ys, xs = np.nonzero(ink(image))
    if not len(ys):
        return image
    return label_crop(image, Box(float(xs.min()), float(ys.min()), float(xs.max()), float(ys.max())))


def split_raised(crop: Image) -> Raised | None:
    """Split a label into its base and its raised exponent by the places of its glyphs.

    Args:
        crop: (height, width, 3) uint8 RGB, one level label with a margin of its background.

    Returns:
        The two parts, each with a margin, or None where nothing at the right end is raised.
    """
    found = glyphs(crop)
    if len(found) < 2:
        return None
    tall = max(g.height for g in found)
    first = next(g for g in found if g.height >= 0.6 * tall)
    line = first.y + 0.62 * first.height  # exponents end above this row, digits and minus signs below it
    start = len(found)
    while start > 0 and found[start - 1].foot <= line:
        start -= 1
    base, raised = found[:start], found[start:]
    digits = [g for g in raised if g.height >= 0.3 * first.height]
    if not base or not digits or min(g.y for g in raised) > first.y + 0.15 * first.height:
        return None
    return Raised(_cut(crop, base), _cut(crop, raised), _most_characters(raised))


def _most_characters(found: Sequence[Glyph]) -> int:
    """Return how many characters some glyphs can be: touching ones count by their width."""
    tall = max(g.height for g in found)
    minus = [g for g in found if g.height < 0.4 * tall]
    return len(minus) + sum(max(1, round(g.width / (0.7 * tall))) for g in found if g not in minus)


def _cut(crop: Image, found: Sequence[Glyph]) -> Image:
    """Cut some glyphs out of a crop, on its background with a margin."""
    x0, y0 = min(g.x for g in found) - 1, min(g.y for g in found) - 1
    x1, y1 = max(g.x + g.width for g in found) + 1, max(g.foot for g in found) + 1
    part = crop[max(y0, 0) : y1, max(x0, 0) : x1]
    pad = max(2, round(0.35 * part.shape[0]))
    return framed(part, ground(crop), pad + part.shape[0] // 3, pad)
