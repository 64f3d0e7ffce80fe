"""Curves that look like training: made in the unit square, so that any axis can carry them.

x runs from 0 to 1 over the axis; y is 1 at the top of the axis' data range and 0 at its bottom.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Relation = Literal["apart", "parallel", "crossing", "branching"]


@dataclass(frozen=True)
class Shape:
    """What one curve looks like.

    Attributes:
        start: y at the left end.
        end: y at the right end.
        bend: How early most of the fall happens (the power law's offset; small is early).
        power: The power law's exponent.
        noise: Standard deviation of the fluctuations, in heights of the axis.
        memory: Share of a fluctuation that is left one point later, 0 to below 1.
        spikes: Number of short upward excursions.
        drops: Positions of sudden falls (the learning rate was cut).
        span: The part of the x axis that the curve covers.
        crowding: How much denser the points stand at the right end, as those of equal steps do on a
            logarithmic axis; 0 is evenly.
        points: Number of points.
        seed: Of everything random in the curve.
    """

    start: float
    end: float
    bend: float = 0.1
    power: float = 1.0
    noise: float = 0.0
    memory: float = 0.0
    spikes: int = 0
    drops: tuple[float, ...] = ()
    span: tuple[float, float] = (0.0, 1.0)
    crowding: float = 0.0
    points: int = 200
    seed: int = 0


def sample(shape: Shape) -> tuple[FloatArray, FloatArray]:
    """Return x and y, each (points,) in units of the axis."""
    rng = np.random.default_rng(shape.seed)
    t = np.linspace(0, 1, shape.points)
    if shape.crowding:
        t = np.log1p(shape.crowding * t) / np.log1p(shape.crowding)
    x = shape.span[0] + (shape.span[1] - shape.span[0]) * t
    y = _trend(shape, t) + _fluctuation(rng, shape)
    for centre in rng.uniform(0.1, 0.95, shape.spikes):
        height, width = rng.uniform(0.1, 0.35), rng.uniform(0.002, 0.012)
        y = y + height * np.exp(-np.abs(x - centre) / width)
    return x, np.clip(y, 0.0, 1.0)


def _trend(shape: Shape, t: FloatArray) -> FloatArray:
    """Return the power law from start to end with its drops; t runs from 0 to 1."""
    decay = (1 + t / shape.bend) ** -shape.power
    last = (1 + 1 / shape.bend) ** -shape.power
    left = (decay - last) / (1 - last)  # share of the fall that is still to come
    if shape.drops:
        held = 1 - sum((t > d).astype(float) for d in shape.drops) / len(shape.drops)
        left = 0.55 * left + 0.45 * held
    return shape.end + (shape.start - shape.end) * left


def _fluctuation(rng: np.random.Generator, shape: Shape) -> FloatArray:
    """Return a first-order autoregression with the shape's standard deviation."""
    kicks = rng.normal(0, shape.noise * np.sqrt(1 - shape.memory**2), shape.points)
    if not shape.memory:
        return kicks
    out, last = np.empty(shape.points), 0.0
    for i, kick in enumerate(kicks):
        out[i] = last = shape.memory * last + kick
    return out


def family(rng: np.random.Generator, count: int, relation: Relation) -> list[Shape]:
    """Draw shapes that stand in a relation to one another; noise and points are left to the caller.

    Args:
        rng: The source of all choices.
        count: How many curves.
        relation: "apart" (ends spread over the axis), "parallel" (a few hundredths apart all along),
            "crossing" (order at the start and at the end differ) or "branching" (one curve up to a point).
    """
    bend, power = rng.uniform(0.03, 0.3), rng.uniform(0.5, 1.6)
    base = Shape(rng.uniform(0.85, 0.98), rng.uniform(0.05, 0.2), bend, power)
    if relation == "parallel":
        gap = rng.uniform(0.02, 0.05)
        return [
            replace(base, start=base.start - gap * i, end=base.end + gap * (count - i)) for i in range(count)
        ]
    ends = np.linspace(0.05, min(0.2 + 0.09 * count, 0.7), count) + rng.uniform(-0.02, 0.02, count)
    if relation == "crossing":
        starts = np.sort(rng.uniform(0.55, 0.97, count))[::-1]
        return [
            replace(base, start=float(s), end=float(e), bend=bend * rng.uniform(0.5, 2))
            for s, e in zip(starts, ends, strict=True)
        ]
    shapes = [
        replace(base, start=base.start - 0.01 * i, end=float(e), bend=bend * rng.uniform(0.6, 1.6))
        for i, e in enumerate(ends)
    ]
    rng.shuffle(shapes)
    return shapes


def branch(curves: list[tuple[FloatArray, FloatArray]], at: float) -> list[tuple[FloatArray, FloatArray]]:
    """Return the curves made to coincide with the first one left of `at` and to leave it from there."""
    x0, y0 = curves[0]
    out = [curves[0]]
    for x, y in curves[1:]:
        shared = np.interp(x, x0, y0)
        jump = float(np.interp(at, x, y) - np.interp(at, x0, y0))
        later = y - jump * np.exp(-(x - at) / 0.15)
        out.append((x, np.clip(np.where(x <= at, shared, later), 0.0, 1.0)))
    return out
