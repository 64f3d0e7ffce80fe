"""Numbers of an SVG: lengths with units, transforms, and the fit of a viewBox into its viewport."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

import numpy as np

from replicate.digitizer.model import Box, FloatArray

NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_LENGTH = re.compile(rf"\s*({NUMBER.pattern})\s*(px|pt|pc|mm|cm|in|q|em|ex|rem|%)?\s*$", re.IGNORECASE)
_TRANSFORM = re.compile(r"(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^)]*)\)")
_PIXELS = {
    "": 1.0,
    "px": 1.0,
    "pt": 96 / 72,
    "pc": 16.0,
    "in": 96.0,
    "cm": 96 / 2.54,
    "mm": 96 / 25.4,
    "q": 96 / 101.6,
}


class Matrix(NamedTuple):
    """An affine map: x' = a x + c y + e, y' = b x + d y + f."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def then_inner(self, inner: Matrix) -> Matrix:
        """Return the map that applies `inner` first and this one after it."""
        a, b, c, d, e, f = self
        return Matrix(
            a * inner.a + c * inner.b,
            b * inner.a + d * inner.b,
            a * inner.c + c * inner.d,
            b * inner.c + d * inner.d,
            a * inner.e + c * inner.f + e,
            b * inner.e + d * inner.f + f,
        )

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point goes."""
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def points(self, points: FloatArray) -> FloatArray:
        """Return where (n, 2) points go."""
        moved: FloatArray = points @ np.array([[self.a, self.b], [self.c, self.d]]) + (self.e, self.f)
        return moved

    def box(self, box: Box) -> Box:
        """Return the box around where a box goes."""
        corners = [self.point(x, y) for x in (box.x0, box.x1) for y in (box.y0, box.y1)]
        xs, ys = zip(*corners, strict=True)
        return Box(min(xs), min(ys), max(xs), max(ys))

    @property
    def scale(self) -> float:
        """By how much lengths grow: the root of the area's factor."""
        return math.sqrt(abs(self.a * self.d - self.b * self.c))


class Viewport(NamedTuple):
    """The size that percentages refer to, user units."""

    width: float
    height: float


def numbers(text: str) -> list[float]:
    """Return all numbers in a text, whatever stands between them."""
    return [float(n) for n in NUMBER.findall(text)]


def parse_length(text: str | None, whole: float, font_size: float = 16.0) -> float | None:
    """Return a length in user units, or None where it is absent or none.

    Args:
        text: As written, "3", "2.5mm", "1.2em" or "50%".
        whole: What 100 % is.
        font_size: What 1 em is.
    """
    match = _LENGTH.match(text) if text else None
    if not match:
        return None
    value, unit = float(match[1]), (match[2] or "").lower()
    if not math.isfinite(value):
        return None
    if unit == "%":
        return value / 100 * whole
    if unit in ("em", "ex", "rem"):
        return value * {"em": font_size, "ex": font_size / 2, "rem": 16.0}[unit]
    return value * _PIXELS[unit]


def parse_transform(text: str | None) -> Matrix:
    """Return the map of a `transform` attribute or property; what cannot be read is left out."""
    matrix = Matrix()
    for kind, inner in _TRANSFORM.findall(text or ""):
        matrix = matrix.then_inner(_one_transform(kind, numbers(inner)))
    return matrix


def _one_transform(kind: str, v: list[float]) -> Matrix:
    """Return the map of one transform function."""
    if kind == "matrix" and len(v) == 6:
        return Matrix(*v)
    if kind == "translate" and v:
        return Matrix(e=v[0], f=v[1] if len(v) > 1 else 0.0)
    if kind == "scale" and v:
        return Matrix(a=v[0], d=v[1] if len(v) > 1 else v[0])
    if kind == "rotate" and v:
        turn = rotation(math.radians(v[0]))
        x, y = v[1:3] if len(v) == 3 else (0.0, 0.0)
        return Matrix(e=x, f=y).then_inner(turn).then_inner(Matrix(e=-x, f=-y))
    if kind == "skewX" and v:
        return Matrix(c=math.tan(math.radians(v[0])))
    if kind == "skewY" and v:
        return Matrix(b=math.tan(math.radians(v[0])))
    return Matrix()


def rotation(radians: float) -> Matrix:
    """Return a turn about the origin, clockwise as seen on the page (y runs down)."""
    cos, sin = math.cos(radians), math.sin(radians)
    return Matrix(cos, sin, -sin, cos)


def parse_viewbox(text: str | None) -> tuple[float, float, float, float] | None:
    """Return a viewBox as (x, y, width, height), or None where there is none or it is empty."""
    v = numbers(text or "")
    return (v[0], v[1], v[2], v[3]) if len(v) == 4 and v[2] > 0 and v[3] > 0 else None


def fit_viewbox(
    viewbox: tuple[float, float, float, float], width: float, height: float, aspect: str | None
) -> Matrix:
    """Return the map from a viewBox to a viewport of that size at the origin.

    Args:
        viewbox: (x, y, width, height).
        width: Of the viewport.
        height: Of the viewport.
        aspect: The `preserveAspectRatio` attribute; absent means "xMidYMid meet".
    """
    x, y, w, h = viewbox
    words = (aspect or "xMidYMid").split()
    align = words[0] if words else "xMidYMid"
    sx, sy = width / w, height / h
    if align != "none":
        sx = sy = max(sx, sy) if "slice" in words else min(sx, sy)
    room = {"min": 0.0, "mid": 0.5, "max": 1.0}
    across, down = (room.get(align[i : i + 3].lower(), 0.0 if align == "none" else 0.5) for i in (1, 5))
    left, top = (width - w * sx) * across, (height - h * sy) * down
    return Matrix(sx, 0, 0, sy, left - x * sx, top - y * sy)


def intersect(one: Box | None, other: Box | None) -> Box | None:
    """Return what two clip rectangles leave, None standing for no clip; an empty one has no extent."""
    if one is None or other is None:
        return one or other
    x0, y0 = max(one.x0, other.x0), max(one.y0, other.y0)
    return Box(x0, y0, max(min(one.x1, other.x1), x0), max(min(one.y1, other.y1), y0))


def hull(boxes: list[Box]) -> Box:
    """Return the box around boxes, of which there is at least one."""
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return Box(min(x0), min(y0), max(x1), max(y1))
