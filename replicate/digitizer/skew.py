"""A page that was scanned or photographed at a slight angle is turned level before anything is read.

Straight segments (von Gioi et al., "LSD: a Line Segment Detector", 2012, as in OpenCV) that are nearly level or
upright are the axes, ticks and grids of charts and the frames around them; where most of their length agrees on
one small angle, in both directions, the page is turned by it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from replicate.digitizer.model import FloatArray, Image


@dataclass(frozen=True)
class SkewSettings:
    """Thresholds of the search for the page's angle.

    Attributes:
        most: Largest angle that is a page's skew, degrees.
        least: Smallest that is worth turning, degrees.
        agree: How far a long segment's angle may be from the page's, degrees.
        ends: Error of a segment's ends across it, pixels: short ones may be farther off.
        share: Least share of the segments' length that must agree.
        shortest: Shortest segment, as a share of the picture's smaller side.
        side: Larger pictures are reduced to this for the search, pixels.
    """

    most: float = 3.0
    least: float = 0.12
    agree: float = 0.12
    ends: float = 0.5
    share: float = 0.6
    shortest: float = 0.04
    side: int = 1600


def find_skew(image: Image, settings: SkewSettings | None = None) -> float:
    """Return by how many degrees a page is turned clockwise; 0.0 where it stands level.

    Args:
        image: (height, width, 3) uint8 RGB.
        settings: Thresholds.
    """
    settings = settings or SkewSettings()
    scale = min(1.0, settings.side / max(image.shape[:2]))
    grey = cv2.cvtColor(image, cv2.COLOR_RGB2GRAY)
    if scale < 1:
        grey = np.asarray(cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    found = cv2.createLineSegmentDetector().detect(grey)[0]
    if found is None:
        return 0.0
    x0, y0, x1, y1 = np.asarray(found, dtype=np.float64).reshape(-1, 4).T
    length = np.hypot(x1 - x0, y1 - y0)
    angle = np.degrees(np.arctan2(y1 - y0, x1 - x0))
    upright = (np.abs(angle) > 45) & (np.abs(angle) < 135)
    off = (angle + 45) % 90 - 45
    near = (np.abs(off) <= settings.most) & (length >= settings.shortest * min(grey.shape))
    if not (near & upright).any() or not (near & ~upright).any():
        return 0.0
    return _agreed(off[near], length[near], upright[near], settings)


def _agreed(off: FloatArray, length: FloatArray, upright: FloatArray, settings: SkewSettings) -> float:
    """Return the angle on which most of the segments' length agrees, in both directions; else 0.0."""
    order = np.argsort(off)
    weight = np.cumsum(length[order] ** 2)
    middle = off[order][np.searchsorted(weight, weight[-1] / 2)]
    on = np.abs(off - middle) <= settings.agree + np.degrees(settings.ends / length)
    both = upright[on].any() and not upright[on].all()
    if not both or length[on].sum() < settings.share * length.sum():
        return 0.0
    angle = float(np.average(off[on], weights=length[on] ** 2))
    return angle if abs(angle) >= settings.least else 0.0


def turn_level(image: Image, angle: float) -> Image:
    """Turn a page by an angle about its middle, on a canvas that holds all of it.

    Args:
        image: (height, width, 3) uint8.
        angle: What `find_skew` returned, degrees.

    Returns:
        The level page, (height', width', 3) uint8; what was outside of the page has the colour of its border.
    """
    height, width = image.shape[:2]
    matrix = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), angle, 1.0)
    c, s = abs(matrix[0, 0]), abs(matrix[0, 1])
    wide, high = int(np.ceil(width * c + height * s)), int(np.ceil(width * s + height * c))
    matrix[:, 2] += ((wide - width) / 2, (high - height) / 2)
    border = np.concatenate([image[0], image[-1], image[:, 0], image[:, -1]])
    ground = tuple(np.median(border, axis=0).tolist())
    # linear, since the overshoot of a cubic kernel beside strong edges would look like colours of their own
    turned = cv2.warpAffine(
        image,
        matrix,
        (wide, high),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=ground,
    )
    return np.asarray(turned, dtype=np.uint8)
