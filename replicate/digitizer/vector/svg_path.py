"""Outlines of an SVG: path data and basic shapes, flattened to polylines.

Grammar and arcs as in the SVG 1.1 specification, sections 8.3 and F.6. As it asks, a path is read up to its first
error.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from replicate.digitizer.model import FloatArray
from replicate.digitizer.vector.drawing import Subpath
from replicate.digitizer.vector.svg_geometry import NUMBER, Matrix

TOLERANCE = 0.02  # page units between a curve and its polyline
MAX_SEGMENTS = 500  # of one curve
_COMMAND = re.compile(r"([MmZzLlHhVvCcSsQqTtAa])([^MmZzLlHhVvCcSsQqTtAa]*)")
_NOT_STRAIGHT = re.compile(r"[^MLZz\d\s.,eE+-]")
_ARC_FLAG = re.compile(r"[01]")
_COUNTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}


class _Pen:
    """Collects subpaths while the path data is read; curves are flattened as they come."""

    def __init__(self, tolerance: float) -> None:
        """Start with nothing drawn, at the origin."""
        self.tolerance = tolerance
        self.done: list[Subpath] = []
        self.points: list[tuple[float, float]] = []
        self.named: list[bool] = []
        self.at = self.start = (0.0, 0.0)
        self.control: tuple[float, float] | None = None  # last control point, for smooth curves
        self.last = ""

    def move(self, x: float, y: float) -> None:
        """Begin a subpath."""
        self.finish(closed=False)
        self.at = self.start = (x, y)

    def line(self, x: float, y: float) -> None:
        """Draw a straight line."""
        self._begin()
        self.points.append((x, y))
        self.named.append(True)
        self.at = (x, y)

    def cubic(self, p1: tuple[float, float], p2: tuple[float, float], p3: tuple[float, float]) -> None:
        """Draw a cubic Bézier curve."""
        self._begin()
        p0 = np.array(self.at)
        a, b, c = np.array(p1), np.array(p2), np.array(p3)
        bend = 6 * max(float(np.abs(p0 - 2 * a + b).max()), float(np.abs(a - 2 * b + c).max()))
        t = self._steps(bend)
        self._add((1 - t) ** 3 * p0 + 3 * t * (1 - t) ** 2 * a + 3 * t**2 * (1 - t) * b + t**3 * c, p3)

    def quadratic(self, p1: tuple[float, float], p2: tuple[float, float]) -> None:
        """Draw a quadratic Bézier curve."""
        self._begin()
        p0, a, b = np.array(self.at), np.array(p1), np.array(p2)
        t = self._steps(2 * float(np.abs(p0 - 2 * a + b).max()))
        self._add((1 - t) ** 2 * p0 + 2 * t * (1 - t) * a + t**2 * b, p2)

    def arc(self, rx: float, ry: float, turn: float, large: bool, sweep: bool, x: float, y: float) -> None:
        """Draw an elliptical arc to (x, y); one without a radius is a straight line."""
        rx, ry = abs(rx), abs(ry)
        if not rx or not ry or (x, y) == self.at:
            return self.line(x, y) if (x, y) != self.at else None
        try:
            centre, radii, first, span = _arc_centre(self.at, (x, y), (rx, ry), turn, large, sweep)
            sagitta = min(self.tolerance / max(radii), 1.0)
            count = min(max(math.ceil(abs(span) / (2 * math.acos(1 - sagitta))), 1), MAX_SEGMENTS)
        except (ArithmeticError, ValueError):  # radii beyond what floats hold
            return self.line(x, y)
        self._begin()
        angle = first + span * np.arange(1, count + 1) / count
        u, v = radii[0] * np.cos(angle), radii[1] * np.sin(angle)
        cos, sin = math.cos(turn), math.sin(turn)
        self._add(np.column_stack([centre[0] + cos * u - sin * v, centre[1] + sin * u + cos * v]), (x, y))
        return None

    def finish(self, *, closed: bool) -> None:
        """End the subpath."""
        if self.points:
            points, named = np.array(self.points, dtype=np.float64), np.array(self.named)
            points, returns = _without_return(points, closed=closed)
            self.done.append(Subpath(points, named[: len(points)], returns))
        self.points, self.named = [], []
        if closed:
            self.at = self.start

    def _begin(self) -> None:
        """Put the current point down where nothing is drawn yet."""
        if not self.points:
            self.points, self.named, self.start = [self.at], [True], self.at

    def _steps(self, bend: float) -> FloatArray:
        """Return the parameters of a Bézier curve's polyline, (n, 1), from its largest second derivative."""
        count = math.ceil(math.sqrt(bend / (8 * self.tolerance))) if math.isfinite(bend) else 1
        return (np.arange(1, min(max(count, 1), MAX_SEGMENTS) + 1) / min(max(count, 1), MAX_SEGMENTS))[
            :, None
        ]

    def _add(self, points: FloatArray, end: tuple[float, float]) -> None:
        """Add a flattened curve; its end is the point that the file names."""
        self.points += [(x, y) for x, y in points[:-1].tolist()] + [end]
        self.named += [False] * (len(points) - 1) + [True]
        self.at = end


def _without_return(points: FloatArray, *, closed: bool) -> tuple[FloatArray, bool]:
    """Return a stretch without a last point that repeats the first, and whether it goes back to its first point.

    A shape of three corners or more that ends where it began is closed, whether or not the file says so.
    """
    returns = len(points) > (1 if closed else 3) and np.array_equal(points[0], points[-1])
    return (points[:-1] if returns else points), closed or returns


def _arc_centre(
    p0: tuple[float, float],
    p1: tuple[float, float],
    radii: tuple[float, float],
    turn: float,
    large: bool,
    sweep: bool,
) -> tuple[tuple[float, float], tuple[float, float], float, float]:
    """Return an arc's centre, its radii (grown where they do not reach), its first angle and the angle it spans."""
    (rx, ry), cos, sin = radii, math.cos(turn), math.sin(turn)
    dx, dy = (p0[0] - p1[0]) / 2, (p0[1] - p1[1]) / 2
    x, y = cos * dx + sin * dy, cos * dy - sin * dx
    grow = (x / rx) ** 2 + (y / ry) ** 2
    if grow > 1:
        rx, ry = rx * math.sqrt(grow), ry * math.sqrt(grow)
    square = ((rx * ry) ** 2 - (rx * y) ** 2 - (ry * x) ** 2) / ((rx * y) ** 2 + (ry * x) ** 2)
    factor = math.sqrt(max(square, 0.0)) * (-1 if large == sweep else 1)
    cx, cy = factor * rx * y / ry, -factor * ry * x / rx
    first = math.atan2((y - cy) / ry, (x - cx) / rx)
    span = (math.atan2((-y - cy) / ry, (-x - cx) / rx) - first) % (2 * math.pi)
    span = span if sweep else span - 2 * math.pi
    centre = (
        cos * cx - sin * cy + (p0[0] + p1[0]) / 2,
        sin * cx + cos * cy + (p0[1] + p1[1]) / 2,
    )
    return centre, (rx, ry), first, span


def parse_path(data: str, matrix: Matrix) -> tuple[Subpath, ...]:
    """Return the subpaths of path data where a map puts them; up to the first error in the data.

    Args:
        data: A `d` attribute.
        matrix: From user space to the page.
    """
    return place(_flatten_path(data, _local_tolerance(matrix)), matrix)


def place(subpaths: tuple[Subpath, ...], matrix: Matrix) -> tuple[Subpath, ...]:
    """Return subpaths where a map puts them; those that it does not put anywhere finite are left out."""
    moved = ((matrix.points(s.points), s) for s in subpaths)
    return tuple(Subpath(p, s.vertices, s.closed) for p, s in moved if np.isfinite(p).all())


def _local_tolerance(matrix: Matrix) -> float:
    """Return the tolerance in user space, a power of two so that one outline serves many places."""
    grown = max(math.hypot(matrix.a, matrix.b), math.hypot(matrix.c, matrix.d))
    if not grown or not math.isfinite(grown):
        return TOLERANCE
    return float(2.0 ** math.floor(math.log2(TOLERANCE / grown)))


@lru_cache(maxsize=512)
def _flatten_path(data: str, tolerance: float) -> tuple[Subpath, ...]:
    """Return the subpaths of path data in user space."""
    straight = _straight(data)
    if straight is not None:
        return straight
    pen = _Pen(tolerance)
    try:
        for command, values in _commands(data):
            _draw(pen, command, values)
    except (ValueError, OverflowError):
        pass  # drawn up to the error, as the specification asks
    pen.finish(closed=False)
    return tuple(s for s in pen.done if len(s.points) > 1 or s.closed)


def _straight(data: str) -> tuple[Subpath, ...] | None:
    """Return the subpaths of path data of absolute moves and lines only, as long curves are; of other data None."""
    if _NOT_STRAIGHT.search(data) or not data.lstrip().startswith("M"):
        return None
    subpaths = []
    for part in data.split("M")[1:]:
        body = part.rstrip()
        closed = body[-1:] in ("z", "Z")
        try:
            flat = np.array(
                (body[:-1] if closed else body).replace("L", " ").replace(",", " ").split(), np.float64
            )
        except ValueError:
            return None
        if len(flat) % 2 or len(flat) < 4 or not np.isfinite(flat).all():
            return None
        xy = flat.reshape(-1, 2)
        xy, closed = _without_return(xy, closed=closed)
        subpaths.append(Subpath(xy, np.ones(len(xy), bool), closed))
    return tuple(subpaths)


def _commands(data: str) -> Iterator[tuple[str, list[float]]]:
    """Yield each command with its arguments, those that stand without their letter under their own.

    Raises:
        ValueError: Something is no number or the number of arguments is wrong.
    """
    first = _COMMAND.search(data)
    if not first or first[1] not in "Mm" or data[: first.start()].strip():
        raise ValueError("path data begins with a move")
    for match in _COMMAND.finditer(data):
        letter, text = match[1], match[2]
        count = _COUNTS[letter.upper()]
        values, clean = _arc_numbers(text) if count == 7 else _numbers(text)
        if not count:
            yield letter, []
            continue
        for i in range(0, len(values) - count + 1, count):
            yield letter, values[i : i + count]
            letter = {"M": "L", "m": "l"}.get(letter, letter)
        if len(values) % count or not values or not clean:
            raise ValueError("wrong number of arguments")


def _numbers(text: str) -> tuple[list[float], bool]:
    """Return the numbers up to the first thing that is none, and whether there is no such thing."""
    try:
        values = [float(word) for word in text.replace(",", " ").split()]
        return values, all(map(math.isfinite, values))
    except ValueError:  # numbers may also run into one another: 1-2, .5.5
        pass
    values, at = [], 0
    while match := NUMBER.match(text, at := _skip(text, at)):
        values.append(float(match[0]))
        at = match.end()
    return values, at == len(text)


def _arc_numbers(text: str) -> tuple[list[float], bool]:
    """Return the same of arcs, whose two flags may run into what follows."""
    values: list[float] = []
    at = _skip(text, 0)
    while match := (_ARC_FLAG if len(values) % 7 in (3, 4) else NUMBER).match(text, at):
        values.append(float(match[0]))
        at = _skip(text, match.end())
    return values, at == len(text)


def _skip(text: str, at: int) -> int:
    """Return where the next number begins: spaces and commas are skipped."""
    while at < len(text) and text[at] in " \t\r\n,":
        at += 1
    return at


def _draw(pen: _Pen, command: str, v: list[float]) -> None:
    """Carry out one command."""
    kind, relative = command.upper(), command.islower()
    x, y = pen.at if relative else (0.0, 0.0)
    if kind == "Z":
        pen.finish(closed=True)
    elif kind == "M":
        pen.move(x + v[0], y + v[1])
    elif kind == "H":
        pen.line(x + v[0], pen.at[1])
    elif kind == "V":
        pen.line(pen.at[0], y + v[0])
    elif kind == "A":
        pen.arc(v[0], v[1], math.radians(v[2]), v[3] == 1, v[4] == 1, x + v[5], y + v[6])
    else:
        _bezier(pen, kind, [(x + v[i], y + v[i + 1]) for i in range(0, len(v), 2)])
    pen.last = kind


def _bezier(pen: _Pen, kind: str, p: list[tuple[float, float]]) -> None:
    """Draw a straight line or a Bézier curve; the smooth kinds mirror the last control point."""
    if kind == "L":
        return pen.line(*p[0])
    if kind in "ST":
        mirrored = pen.control if pen.last in ({"S": "CS", "T": "QT"}[kind]) else None
        cx, cy = mirrored or pen.at
        p = [(2 * pen.at[0] - cx, 2 * pen.at[1] - cy), *p]
    pen.control = p[-2]
    return pen.cubic(p[0], p[1], p[2]) if kind in "CS" else pen.quadratic(p[0], p[1])


def polyline(points: list[float], matrix: Matrix, *, closed: bool) -> tuple[Subpath, ...]:
    """Return the subpath through points given as x, y, x, y…; an odd last number is left out."""
    xy = np.array(points[: len(points) // 2 * 2], dtype=np.float64).reshape(-1, 2)
    return place((Subpath(xy, np.ones(len(xy), bool), closed),), matrix) if len(xy) > 1 else ()


def ellipse(cx: float, cy: float, rx: float, ry: float, matrix: Matrix) -> tuple[Subpath, ...]:
    """Return an ellipse, begun at its right and named at its four ends."""
    if rx <= 0 or ry <= 0:
        return ()
    pen = _Pen(_local_tolerance(matrix))
    pen.move(cx + rx, cy)
    for x, y in ((cx, cy + ry), (cx - rx, cy), (cx, cy - ry), (cx + rx, cy)):
        pen.arc(rx, ry, 0.0, False, True, x, y)
    pen.finish(closed=True)
    return place(tuple(pen.done), matrix)


def rectangle(
    x: float, y: float, width: float, height: float, rx: float, ry: float, matrix: Matrix
) -> tuple[Subpath, ...]:
    """Return a rectangle, its corners rounded with the radii where they are not 0."""
    if width <= 0 or height <= 0:
        return ()
    rx, ry = min(rx, width / 2), min(ry, height / 2)
    right, low = x + width, y + height
    if rx <= 0 or ry <= 0:
        return polyline([x, y, right, y, right, low, x, low], matrix, closed=True)
    pen = _Pen(_local_tolerance(matrix))
    pen.move(x + rx, y)
    for line, arc in (
        ((right - rx, y), (right, y + ry)),
        ((right, low - ry), (right - rx, low)),
        ((x + rx, low), (x, low - ry)),
        ((x, y + ry), (x + rx, y)),
    ):
        pen.line(*line)
        pen.arc(rx, ry, 0.0, False, True, *arc)
    pen.finish(closed=True)
    return place(tuple(pen.done), matrix)
