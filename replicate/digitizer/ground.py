"""What a panel looks like without its curves: its ground with the grid on it, pixel by pixel.

Ink is what differs from that. With the grid inside the ground, a curve that crosses a grid line is unmixed
against the line's colour, and the line itself is no ink.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from replicate.digitizer.model import Box, Image, TickMark
from replicate.digitizer.words import commonest_colour, differs

Pixels = NDArray[np.float32]


@dataclass(frozen=True)
class GroundSettings:
    """Thresholds of the ground model.

    Attributes:
        grid_reach: How far from a mark a grid line's pixels may lie, pixels.
        grid_share: Share of a row that must show the line's colour.
        noise: Differences below this are the picture's noise, grey levels.
        level: Largest range of a pixel's neighbourhood that is drawn and no noise, grey levels.
        on_ray: Distance from the mixtures of ground and grid colour that still count as grid, grey levels.
    """

    grid_reach: int = 3
    grid_share: float = 0.35
    noise: float = 6.0
    on_ray: float = 10.0
    level: float = 3.0


@dataclass(frozen=True, eq=False)
class Ground:
    """A panel's interior and its ground.

    Attributes:
        origin: (x, y) of the interior's first pixel in the picture.
        pixels: (h, w, 3) float32, the interior as it is.
        ground: (h, w, 3) float32, the interior without its curves.
        colour: (3,) float32, the plain ground's colour.
        grid: The grid lines' differences from the plain ground, (3,) float32 each.
    """

    origin: tuple[int, int]
    pixels: Pixels
    ground: Pixels
    colour: Pixels
    grid: tuple[Pixels, ...] = ()

    def without_grid(self, image: Image) -> Image:
        """Return a copy of the picture in which the panel's grid is gone: only plain ground and ink."""
        clean = image.copy()
        x, y = self.origin
        rows, columns = np.nonzero(cv2.inRange(self.ground, *(self.colour.astype(np.float64),) * 2) == 0)
        plain = np.clip(self.ink_at(rows, columns) + self.colour, 0, 255)
        clean[y + rows, x + columns] = np.rint(plain).astype(np.uint8)
        return clean

    @cached_property
    def noise(self) -> float:
        """How far the plain ground near ink strays from its colour, grey levels: 0 for a lossless picture.

        Compression rings around strong edges; three to six pixels away from them nothing else is drawn but
        bands, which are level.
        """
        strength = self.strength
        strong = (strength > 60).astype(np.uint8)
        near = cv2.dilate(strong, np.ones((5, 5), np.uint8)) > 0
        around = (cv2.dilate(strong, np.ones((13, 13), np.uint8)) > 0) & ~near
        square = np.ones((3, 3), np.uint8)
        level = cv2.dilate(strength, square) - cv2.erode(strength, square) <= GroundSettings().level
        stray = np.where(level[around], 0, strength[around])
        return float(np.percentile(stray, 75)) if around.sum() > 50 else 0.0

    @cached_property
    def strength(self) -> Pixels:
        """How far each pixel's colour is from the ground's, (h, w) float32, grey levels."""
        strength = np.empty(self.pixels.shape[:2], np.float32)
        for part in row_blocks(len(strength)):  # the differences of all pixels at once would fill the memory
            strength[part] = np.linalg.norm(self.pixels[part] - self.ground[part], axis=2)
        return strength

    def ink_at(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Pixels:
        """Return how pixels differ from the ground, (n, 3) float32, signed grey levels."""
        return np.asarray(self.pixels[rows, columns] - self.ground[rows, columns])


def row_blocks(height: int, rows: int = 64) -> list[slice]:
    """Return slices that cover the rows of a picture, so many at a time."""
    return [slice(first, first + rows) for first in range(0, height, rows)]


def interior(image: Image, box: Box) -> tuple[int, int, int, int]:
    """Return the pixel range (x0, y0, x1, y1), inclusive, inside a panel's spines.

    A spine is what keeps one colour along most of the edge and differs from the ground inside it.
    """
    x0, y0 = int(np.floor(box.x0)), int(np.floor(box.y0))
    x1, y1 = int(np.ceil(box.x1)), int(np.ceil(box.y1))
    part = image[max(y0, 0) : y1 + 1, max(x0, 0) : x1 + 1]
    ink = differs(part, commonest_colour(part), 5)
    rows, columns = ink.mean(axis=1) > 0.8, ink.mean(axis=0) > 0.8
    top, bottom = _margin(rows), _margin(rows[::-1])
    left, right = _margin(columns), _margin(columns[::-1])
    return (
        max(x0, 0) + left,
        max(y0, 0) + top,
        min(x1, image.shape[1] - 1) - right,
        min(y1, image.shape[0] - 1) - bottom,
    )


def _margin(line: NDArray[np.bool_], deepest: int = 8) -> int:
    """Return how many rows at an edge belong to the spine, antialiasing included.

    The first row may lie outside of the spine; a grid line further in is no part of it.
    """
    start = int(np.argmax(line[:3])) if line[:3].any() else 0
    end = start
    while end < deepest and line[end]:
        end += 1
    return end


def build_ground(
    image: Image,
    box: Box,
    x_marks: Sequence[TickMark],
    y_marks: Sequence[TickMark],
    settings: GroundSettings | None = None,
) -> Ground:
    """Model a panel's ground.

    Args:
        image: (height, width, 3) uint8.
        box: The panel.
        x_marks: Where vertical grid lines may stand: the ticks of the x axis.
        y_marks: Where horizontal grid lines may stand: the ticks of the y axis.
        settings: Thresholds.

    Returns:
        The interior with its ground.
    """
    settings = settings or GroundSettings()
    x0, y0, x1, y1 = interior(image, box)
    pixels = image[y0 : y1 + 1, x0 : x1 + 1].astype(np.float32)
    colour = commonest_colour(image[y0 : y1 + 1, x0 : x1 + 1]).astype(np.float32)
    ground = np.broadcast_to(colour, pixels.shape).copy()
    grid: list[Pixels] = []
    for marks, first, turn in ((y_marks, y0, (0, 1, 2)), (x_marks, x0, (1, 0, 2))):
        for major in (False, True):
            places = [m.pixel - first for m in marks if m.major == major]
            grid += _draw_grid(ground.transpose(turn), pixels.transpose(turn), colour, places, settings)
    return Ground((x0, y0), pixels, ground, colour, tuple(grid))


def _draw_grid(
    ground: Pixels, pixels: Pixels, colour: Pixels, places: Sequence[float], settings: GroundSettings
) -> list[Pixels]:
    """Copy the lines along the rows at the places into the ground, if most places have one; return their inks.

    A single line at one tick is no grid: it may be a flat curve.
    """
    rows = [_grid_rows(pixels, colour, place, settings) for place in places if 3 <= place < len(pixels) - 3]
    if sum(bool(r) for r in rows) < max(2, 0.5 * len(rows)):
        return []
    for row, line in (pair for group in rows for pair in group):
        difference = pixels[row] - colour
        shown = np.abs(difference).max(axis=1) > settings.noise
        on_line = _on_ray(difference, line, settings.on_ray) & shown
        deeper = np.abs(line).sum() > np.abs(ground[row] - colour).sum(axis=1)
        ground[row, deeper] = colour + line
        ground[row, on_line] = pixels[row, on_line]
        ground[row, ~shown] = pixels[row, ~shown]
    strongest = [
        max((line for _, line in group), key=lambda v: float(np.abs(v).sum())) for group in rows if group
    ]
    return [np.asarray(np.median(strongest, axis=0), dtype=np.float32)]


def _grid_rows(
    pixels: Pixels, colour: Pixels, place: float, settings: GroundSettings
) -> list[tuple[int, Pixels]]:
    """Return the rows around a place that show a line along much of them, each with its difference."""
    found = []
    middle = round(place)
    for row in range(
        max(middle - settings.grid_reach, 0), min(middle + settings.grid_reach + 1, len(pixels))
    ):
        difference = pixels[row] - colour
        shown = np.abs(difference).max(axis=1) > settings.noise
        if shown.mean() < settings.grid_share:
            continue
        line = np.median(difference[shown], axis=0)
        on_line = _on_ray(difference, line, settings.on_ray) & shown
        thirds = [part.mean() for part in np.array_split(on_line, 3)]
        if min(thirds) >= 0.5 * settings.grid_share and on_line.mean() >= settings.grid_share:
            found.append((row, line))
    return found


def _on_ray(difference: Pixels, line: Pixels, tolerance: float) -> NDArray[np.bool_]:
    """Whether differences from the ground are mixtures of the ground and the line's colour."""
    share = np.clip(difference @ line / max(float(line @ line), 1e-6), 0, 1.1)
    return np.asarray(np.linalg.norm(difference - share[:, None] * line, axis=1) <= tolerance)
