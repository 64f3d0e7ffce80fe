"""Charts drawn with matplotlib, with the truth that a digitizer should find."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import matplotlib
import numpy as np

matplotlib.use("Agg")


@dataclass(frozen=True)
class TrueAxis:
    """Where an axis of a drawing really lies.

    Attributes:
        scale: "linear" or "log".
        limits: Values at the left and right (bottom and top) end.
        ends: The pixels of these ends, in pixel-centre coordinates.
    """

    scale: str
    limits: tuple[float, float]
    ends: tuple[float, float]

    def share(self, value: Any) -> np.ndarray:
        """Return where values lie on the axis, 0 to 1."""
        (a, b), v = self.limits, np.asarray(value, dtype=float)
        if self.scale == "log":
            a, b, v = np.log10(a), np.log10(b), np.log10(v)
        return (v - a) / (b - a)

    def pixel(self, value: Any) -> np.ndarray:
        """Return the pixels at which values are drawn."""
        return self.ends[0] + self.share(value) * (self.ends[1] - self.ends[0])


@dataclass(frozen=True)
class Drawing:
    """A picture of a chart, with everything that it shows.

    Attributes:
        png: The file's bytes.
        image: (height, width, 3) uint8.
        curves: (x, y) of each series.
        x: The true x axis.
        y: The true y axis.
    """

    png: bytes = field(repr=False)
    image: np.ndarray = field(repr=False)
    curves: Mapping[str, tuple[np.ndarray, np.ndarray]] = field(repr=False)
    x: TrueAxis
    y: TrueAxis

    def errors(self, curve: Any, name: str) -> np.ndarray:
        """Return the distance of a digitized curve from the truth in every column, as shares of the y axis."""
        xs, ys = self.curves[name]
        order = np.argsort(self.x.share(xs))
        expected = np.interp(self.x.share(curve.x), self.x.share(xs)[order], self.y.share(ys)[order])
        return np.abs(self.y.share(curve.y) - expected)


def as_png(figure: Any) -> bytes:
    """Return a matplotlib figure as PNG bytes, and close it."""
    import matplotlib.pyplot as plt

    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=figure.dpi)
    plt.close(figure)
    return buffer.getvalue()


def as_image(png: bytes) -> np.ndarray:
    """Return PNG bytes as (height, width, 3) uint8."""
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))


def draw_chart(
    curves: Mapping[str, tuple[Any, Any]],
    *,
    size: tuple[int, int] = (480, 360),
    adjust: Callable[[Any], None] = lambda ax: None,
    legend: bool = True,
    **plot: Any,
) -> Drawing:
    """Draw curves with matplotlib's default style.

    Args:
        curves: (x, y) of each series; an empty mapping draws an empty frame.
        size: Width and height, pixels.
        adjust: Called with the axes after the curves are drawn: scales, limits, formatters, grid.
        legend: Whether the names stand in a legend.
        plot: Passed on to `Axes.plot`.
    """
    import matplotlib.pyplot as plt

    with plt.style.context("default"):
        figure, ax = plt.subplots(figsize=(size[0] / 100, size[1] / 100), dpi=100, layout="constrained")
        for name, (x, y) in curves.items():
            ax.plot(x, y, label=name, **plot)
        adjust(ax)
        if legend and curves:
            ax.legend()
        png = as_png(figure)
        x_ends = ax.transAxes.transform([(0, 0), (1, 1)])
    (left, low), (right, high) = x_ends - 0.5
    height = size[1] - 1
    return Drawing(
        png,
        as_image(png),
        {name: (np.asarray(x, float), np.asarray(y, float)) for name, (x, y) in curves.items()},
        TrueAxis(ax.get_xscale(), ax.get_xlim(), (left, right)),
        TrueAxis(ax.get_yscale(), ax.get_ylim(), (height - low, height - high)),
    )
