"""What is no line chart is never given numbers that look right."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from drawing import as_png
from PIL import Image

from replicate.digitizer.pipeline import digitize_bytes

pytestmark = pytest.mark.usefixtures("ocr_engine")
RNG = np.random.default_rng


def pixels(values: np.ndarray) -> bytes:
    """Return pixels as PNG bytes."""
    buffer = io.BytesIO()
    Image.fromarray(np.broadcast_to(values, (240, 320, 3)).astype(np.uint8)).save(buffer, "PNG")
    return buffer.getvalue()


def axes(paint: Callable[[Any], Any], **kind: Any) -> bytes:
    """Return a chart as PNG bytes."""
    import matplotlib.pyplot as plt

    figure, ax = plt.subplots(figsize=(4.4, 3.2), dpi=100, subplot_kw=kind)
    paint(ax)
    return as_png(figure)


def grouped(ax: Any) -> None:
    """Draw bars in groups, with a legend."""
    for k in range(3):
        ax.bar(np.arange(5) + k / 4, RNG(k).uniform(2, 9, 5), 0.25, label=f"model {k}")
    ax.legend()


PICTURES: dict[str, Callable[[], bytes]] = {
    "white": lambda: pixels(np.array(255)),
    "black": lambda: pixels(np.array(0)),
    "noise": lambda: pixels(RNG(0).integers(0, 256, (240, 320, 3))),
    "gradient": lambda: pixels(np.linspace(0, 255, 320)[None, :, None]),
    "stripes": lambda: pixels((np.arange(240) % 4 // 2 * 255)[:, None, None]),
    "checks": lambda: pixels((np.indices((240, 320)).sum(axis=0) // 16 % 2 * 255)[..., None]),
}
CHARTS: dict[str, Callable[[], bytes]] = {
    "empty axes": lambda: axes(lambda ax: None),
    "empty grid": lambda: axes(lambda ax: (ax.grid(), ax.set(xlim=(0, 100), ylim=(0, 5)))),
    "pie": lambda: axes(lambda ax: ax.pie([3, 5, 2], labels=["a", "b", "c"])),
    "table": lambda: axes(
        lambda ax: (ax.axis("off"), ax.table([["1.5", "2.5"], ["3.5", "4.5"]], loc="center"))
    ),
    "text": lambda: axes(lambda ax: (ax.axis("off"), ax.text(0, 0, "12 lazy dogs, 5 brown foxes\n" * 8))),
    "bars": lambda: axes(lambda ax: ax.bar(range(6), [3, 5, 2, 7, 4, 6])),
    "level bars": lambda: axes(lambda ax: ax.barh(list("ABCDE"), [3, 5, 2, 7, 4])),
    "grouped bars": lambda: axes(grouped),
    "error bars": lambda: axes(lambda ax: ax.errorbar(range(8), range(8), yerr=0.5, fmt="o", capsize=3)),
    "heat map": lambda: axes(lambda ax: ax.imshow(RNG(0).uniform(size=(20, 20)))),
    "arrows": lambda: axes(lambda ax: ax.quiver(*RNG(0).normal(size=(4, 30)))),
    "points": lambda: axes(lambda ax: ax.scatter(*RNG(0).normal(size=(2, 200)))),
    "area": lambda: axes(lambda ax: ax.fill_between(range(20), RNG(0).uniform(1, 2, 20))),
    "contours": lambda: axes(
        lambda ax: ax.contour(np.hypot(*np.meshgrid(np.arange(-9, 9), np.arange(-9, 9))))
    ),
    "a circle": lambda: axes(
        lambda ax: ax.plot(np.cos(np.arange(0, 6.3, 0.02)), np.sin(np.arange(0, 6.3, 0.02)))
    ),
    "histogram": lambda: axes(lambda ax: ax.hist(RNG(0).normal(size=2000), 50)),
}


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_without_a_chart_has_no_panel(name: str) -> None:
    read = digitize_bytes(PICTURES[name](), f"{name}.png")
    assert read.panels == ()
    assert read.confidence == 0
    assert [w.code for w in read.warnings] == ["no-panel"]
    assert "--x-ticks" in read.warnings[0].message


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_without_curves_needs_a_person(name: str) -> None:
    read = digitize_bytes(CHARTS[name](), f"{name}.png")
    assert read.confidence < 0.8
