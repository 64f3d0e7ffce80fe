"""Curves seen faintly through a legend's ground.

Plotting libraries lay a legend over the data with a ground that lets a fifth or so of it through. A pixel there
is (1 - s) * legend ground + s * curve, with one s for the whole legend; the strongest ink of each curve's hue
tells s, and dividing by it brings the curve back to full strength.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from replicate.digitizer.ground import Ground, Pixels
from replicate.digitizer.model import Box
from replicate.digitizer.words import commonest_colour

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class VeilSettings:
    """Thresholds of the search for ink behind a legend.

    Attributes:
        faintest: Least share of a curve that must come through.
        strongest: Most that comes through a legend; what is stronger stands on it.
        off: Distance from a curve's hue, relative to the ink's strength.
        floor: Ink below this is noise, grey levels.
        pixels: Least number of such pixels.
        frame: Share of a row or column that is inked by nothing but the legend's frame.
    """

    faintest: float = 0.08
    strongest: float = 0.6
    off: float = 0.25
    floor: float = 6.0
    pixels: int = 12
    frame: float = 0.8


def lift(
    ground: Ground, hidden: Mask, legend: Box, solid: Sequence[Box], colours: Sequence[Pixels]
) -> tuple[Ground, Mask]:
    """Bring curves behind a legend back to full strength, where it lets them through.

    Args:
        ground: The panel's interior and its ground.
        hidden: (h, w) bool, pixels without any curve to be seen; the legend among them.
        legend: The legend's frame, picture pixels.
        solid: The keys and texts on it, which hide what is behind them, picture pixels.
        colours: The curves' colours, (3,) float32 each.

    Returns:
        The ground with lifted pixels, and the mask without them; both as they were where nothing comes through.
    """
    settings = VeilSettings()
    area = _slices(legend, ground, -3)
    part = ground.pixels[area]
    if part.shape[0] < 8 or part.shape[1] < 8:
        return ground, hidden
    open_ = np.ones(part.shape[:2], bool)
    for box in solid:
        rows, columns = _slices(box, ground, 2)
        open_[
            max(rows.start - area[0].start, 0) : max(rows.stop - area[0].start, 0),
            max(columns.start - area[1].start, 0) : max(columns.stop - area[1].start, 0),
        ] = False
    veil = commonest_colour(part.astype(np.uint8)).astype(np.float32)
    ink = part - veil
    strength = np.linalg.norm(ink, axis=2)
    share, near = np.zeros(part.shape[:2], np.float32), np.zeros(part.shape[:2], bool)
    shares = []  # what comes through of each curve; letters that were overlooked are one colour's at most
    for colour in colours:
        direction = colour - ground.colour
        own = ink @ direction / max(float(direction @ direction), 1e-6)
        off = np.linalg.norm(ink - own[..., None] * direction, axis=2)
        fits = open_ & (strength > settings.floor) & (own > 0) & (off < settings.off * strength + 2)
        share = np.where(fits, np.maximum(share, own), share)
        near |= fits
        if fits.sum() >= settings.pixels:
            shares.append(float(np.percentile(own[fits], 75)))
    frame = (near.mean(axis=1) > settings.frame)[:, None] | (near.mean(axis=0) > settings.frame)
    near, open_ = near & ~frame, open_ & ~frame
    if not shares:
        return ground, hidden
    through = float(np.median(shares)) * 1.15
    if not settings.faintest <= through <= settings.strongest:
        return ground, hidden
    near &= share <= 1.6 * through  # what is stronger stands on the legend: the rims of its letters
    lifted, seen = ground.pixels.copy(), hidden.copy()
    plain = ground.ground[area]
    lifted[area] = np.where(near[..., None], np.clip(plain + ink / through, 0, 255), plain)
    seen[area] = np.where(open_, False, seen[area])
    return replace(ground, pixels=lifted), seen


def _slices(box: Box, ground: Ground, margin: int) -> tuple[slice, slice]:
    """Return the rows and columns of the interior that a box of the picture covers."""
    x, y = ground.origin
    height, width = ground.pixels.shape[:2]
    rows = slice(
        int(np.clip(box.y0 - y - margin, 0, height)), int(np.clip(box.y1 - y + margin + 1, 0, height))
    )
    columns = slice(
        int(np.clip(box.x0 - x - margin, 0, width)), int(np.clip(box.x1 - x + margin + 1, 0, width))
    )
    return rows, columns
