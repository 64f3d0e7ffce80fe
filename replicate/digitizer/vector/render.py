"""A drawing as a picture: for the overlay, and for reading text that was drawn as outlines."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path as FilePath

import cv2
import numpy as np
from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFont

from replicate.digitizer.model import Box, FloatArray, Image
from replicate.digitizer.vector.drawing import Colour, Drawing, Path, Text

SHIFT = 4  # fractional bits of OpenCV's coordinates


def render(drawing: Drawing, scale: float, *, texts: bool = True) -> Image:
    """Draw a page on white.

    Args:
        drawing: The page.
        scale: Pixels a page unit.
        texts: Whether to draw its texts, in a sans-serif font whatever theirs is.

    Returns:
        (height, width, 3) uint8 RGB.
    """
    width, height = max(math.ceil(drawing.width * scale), 1), max(math.ceil(drawing.height * scale), 1)
    canvas = np.full((height, width, 3), 255, np.uint8)
    for picture in drawing.pictures:
        _paste(canvas, picture.image, Box(*(v * scale for v in picture.box)))
    for path in drawing.paths:
        draw_path(canvas, path, scale)
    return _with_texts(canvas, drawing.texts, scale) if texts and drawing.texts else canvas


def _paste(canvas: Image, image: Image, box: Box) -> None:
    """Draw a picture in its place."""
    x0, y0, x1, y1 = (round(v) for v in box)
    left, top, right, bottom = max(x0, 0), max(y0, 0), min(x1, canvas.shape[1]), min(y1, canvas.shape[0])
    if right - left < 1 or bottom - top < 1:
        return
    sized = cv2.resize(image, (max(x1 - x0, 1), max(y1 - y0, 1)), interpolation=cv2.INTER_AREA)
    canvas[top:bottom, left:right] = sized[top - y0 : bottom - y0, left - x0 : right - x0]


def draw_path(canvas: Image, path: Path, scale: float, origin: tuple[float, float] = (0.0, 0.0)) -> None:
    """Draw a path on a picture whose first pixel begins at `origin`, page units."""
    window = canvas
    shift = np.array(origin, dtype=np.float64)
    if path.clip:
        x0, y0 = (max(math.floor((v - o) * scale), 0) for v, o in zip(path.clip[:2], origin, strict=True))
        x1, y1 = (max(math.ceil((v - o) * scale), 0) for v, o in zip(path.clip[2:], origin, strict=True))
        window = canvas[y0:y1, x0:x1]
        shift = shift + np.array([x0, y0]) / scale
    if window.size == 0:
        return
    lines = [((s.points - shift) * scale - 0.5, s.closed) for s in path.subpaths]
    if path.fill is not None:
        _fill(window, [p for p, _ in lines if len(p) > 2], path.fill, path.fill_opacity)
    if path.stroke is not None:
        pieces = [q for p, closed in lines for q in _dashes(p, closed, [d * scale for d in path.dash])]
        _stroke(window, pieces, path.stroke, path.stroke_opacity, max(path.width * scale, 1.0))


def _fixed(points: FloatArray) -> np.ndarray[tuple[int, int], np.dtype[np.int32]]:
    """Return pixels as OpenCV's fixed-point coordinates."""
    limited = np.clip(points, -30_000, 30_000)
    return np.asarray(np.rint(limited * 2**SHIFT), dtype=np.int32)


def _fill(window: Image, areas: list[FloatArray], colour: Colour, opacity: float) -> None:
    """Fill areas; where two overlap, as in a letter's counter, nothing is filled."""
    if not areas:
        return
    polygons = [_fixed(a) for a in areas]
    if opacity >= 1:
        cv2.fillPoly(window, polygons, colour, cv2.LINE_AA, SHIFT)
        return
    painted = window.copy()
    cv2.fillPoly(painted, polygons, colour, cv2.LINE_AA, SHIFT)
    cv2.addWeighted(painted, opacity, window, 1 - opacity, 0, dst=window)


def _stroke(window: Image, lines: Iterable[FloatArray], colour: Colour, opacity: float, width: float) -> None:
    """Draw lines; those thinner than a pixel are drawn one pixel wide."""
    painted = window if opacity >= 1 else window.copy()
    cv2.polylines(
        painted, [_fixed(p) for p in lines], False, colour, max(round(width), 1), cv2.LINE_AA, SHIFT
    )
    if opacity < 1:
        cv2.addWeighted(painted, opacity, window, 1 - opacity, 0, dst=window)


def _dashes(points: FloatArray, closed: bool, dash: list[float], most: int = 4000) -> list[FloatArray]:
    """Return the drawn pieces of a line."""
    points = np.vstack((points, points[:1])) if closed else points
    length = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))))
    period = sum(dash)
    if not dash or period <= 1 or length[-1] / period > most:
        return [points]
    pieces = []
    at, k = 0.0, 0
    while at < length[-1]:
        end = at + dash[k % len(dash)]
        if k % 2 == 0:
            inner = (length > at) & (length < end)
            ends = [
                [float(np.interp(t, length, points[:, i])) for i in (0, 1)]
                for t in (at, min(end, length[-1]))
            ]
            pieces.append(np.vstack((ends[:1], points[inner], ends[1:])))
        at, k = end, k + 1
    return pieces


def _with_texts(canvas: Image, texts: Iterable[Text], scale: float) -> Image:
    """Return a picture with texts drawn on it."""
    picture = PillowImage.fromarray(canvas)
    pen = ImageDraw.Draw(picture)
    for text in texts:
        size = round(text.size * scale)
        if not 3 <= size <= 400 or not text.glyphs:
            continue
        x, y = (v * scale for v in text.glyphs[0].origin)
        if round(text.angle) % 360 == 0:
            pen.text((x, y), text.text, fill=text.colour, font=_font(size), anchor="ls")
        else:
            _turned(picture, text, (x, y), size)
    return np.asarray(picture, dtype=np.uint8).copy()


def _turned(picture: PillowImage.Image, text: Text, at: tuple[float, float], size: int) -> None:
    """Draw a text that does not run to the right: on a square around its origin, turned."""
    half = math.ceil(_font(size).getlength(text.text)) + size
    stamp = PillowImage.new("L", (2 * half, 2 * half), 0)
    ImageDraw.Draw(stamp).text((half, half), text.text, fill=255, font=_font(size), anchor="ls")
    stamp = stamp.rotate(text.angle, resample=PillowImage.Resampling.BILINEAR)
    picture.paste(text.colour, (round(at[0]) - half, round(at[1]) - half), stamp)


@lru_cache(maxsize=64)
def _font(size: int) -> ImageFont.FreeTypeFont:
    """Return a sans-serif font with most of the world's letters."""
    import matplotlib

    folder = FilePath(matplotlib.get_data_path()) / "fonts" / "ttf"
    return ImageFont.truetype(str(folder / "DejaVuSans.ttf"), size)
