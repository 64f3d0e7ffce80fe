"""Every stage as a picture: what was seen on the page, in the order in which it was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from replicate.digitizer.ground import Ground
from replicate.digitizer.labels import SideText
from replicate.digitizer.layout import PanelCandidate
from replicate.digitizer.legend import Legend
from replicate.digitizer.lines import Line
from replicate.digitizer.model import AxisFit, Box, Image, TextBox
from replicate.digitizer.series import SeriesReading
from replicate.digitizer.trace import Trace
from replicate.files import write_atomic

Paint = tuple[int, int, int]

ACROSS, ALONG = (220, 30, 30), (30, 60, 220)  # what runs from left to right, and from top to bottom
USED, UNUSED = (200, 0, 120), (150, 150, 150)
SUBPIXEL = 4  # fractional bits of OpenCV's drawing coordinates


@dataclass(frozen=True, eq=False)
class PanelStages:
    """What the stages made of one panel.

    Attributes:
        box: Its frame, pixels.
        sides: What stands beside its edges.
        x: Its x axis, or None.
        y: Its y axis, or None.
        y2: Its second y axis, or None.
        ground: Its interior and what it looks like without curves.
        legend: Its legend, or None.
        reading: Its curves.
    """

    box: Box
    sides: Mapping[str, SideText]
    x: AxisFit | None
    y: AxisFit | None
    y2: AxisFit | None
    ground: Ground
    legend: Legend | None
    reading: SeriesReading


@dataclass(frozen=True, eq=False)
class Stages:
    """What each stage of a digitization handed to the next.

    Attributes:
        image: (height, width, 3) uint8 RGB, the page as it was read.
        horizontal: Long lines from left to right.
        vertical: Long lines from top to bottom.
        candidates: Rectangles that may be panels.
        texts: The page's texts.
        panels: The panels that were read.
    """

    image: Image
    horizontal: Sequence[Line]
    vertical: Sequence[Line]
    candidates: Sequence[PanelCandidate]
    texts: Sequence[TextBox]
    panels: Sequence[PanelStages]


def write_stages(stages: Stages, folder: Path) -> list[Path]:
    """Write a numbered picture of every stage.

    Returns:
        The paths, in the order of the stages.

    Raises:
        OutputError: One cannot be written.
    """
    paths = []
    for name, picture in draw_stages(stages):
        done, png = cv2.imencode(".png", picture[..., ::-1])
        if not done:
            raise RuntimeError(f"the picture {name} could not be encoded")
        paths.append(write_atomic(folder / f"{name}.png", png.tobytes()))
    return paths


def draw_stages(stages: Stages) -> Iterator[tuple[str, Image]]:
    """Yield the name and the picture, (height, width, 3) uint8 RGB, of every stage."""
    yield "01-lines", _lines(stages)
    yield "02-panels", _panels(stages)
    yield "03-text", _text(stages)
    yield "04-axes", _axes(stages)
    yield "05-ground", _ground(stages)
    yield "06-legend", _legend(stages)
    for number, picture in enumerate(_inks(stages)):
        yield f"07-ink-{number}", picture
    yield "08-traces", _traces(stages)


def _faded(image: Image) -> Image:
    """Return a picture at a third of its contrast."""
    table = (255 - np.arange(255, -1, -1, dtype=np.float32) * 0.35).astype(np.uint8)
    return np.asarray(cv2.LUT(image, table), dtype=np.uint8)


def _points(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return pixel coordinates as OpenCV's fixed-point ones, (n, 1, 2)."""
    return np.asarray(np.rint(np.stack((x, y), axis=1)[:, None] * 2**SUBPIXEL), dtype=np.int32)


def _line(canvas: Image, a: tuple[float, float], b: tuple[float, float], paint: Paint) -> None:
    """Draw a straight line between two places (x, y)."""
    points = _points(np.array([a[0], b[0]]), np.array([a[1], b[1]]))
    cv2.polylines(canvas, [points], False, paint, 1, cv2.LINE_AA, SUBPIXEL)


def _box(canvas: Image, box: Box, paint: Paint, said: str = "") -> None:
    """Draw a box with what is said of it above."""
    corners = _points(np.array([box.x0, box.x1]), np.array([box.y0, box.y1])).reshape(2, 2).tolist()
    cv2.rectangle(canvas, corners[0], corners[1], paint, 1, cv2.LINE_AA, SUBPIXEL)
    _say(canvas, said, (box.x0, box.y0 - 2), paint)


def _say(canvas: Image, said: str, place: tuple[float, float], paint: Paint) -> None:
    """Write a text at a place; OpenCV's font has ASCII letters only."""
    plain = said.replace("−", "-").encode("ascii", "replace").decode()
    at, size = (round(place[0]), round(place[1])), 0.35 * max(1.0, canvas.shape[1] / 900)
    cv2.putText(canvas, plain, at, cv2.FONT_HERSHEY_SIMPLEX, size, paint, 1, cv2.LINE_AA)


def _lines(stages: Stages) -> Image:
    """Draw the long lines."""
    canvas = _faded(stages.image)
    for line in stages.horizontal:
        _line(canvas, (line.start, line.position), (line.end, line.position), ACROSS)
    for line in stages.vertical:
        _line(canvas, (line.position, line.start), (line.position, line.end), ALONG)
    return canvas


def _panels(stages: Stages) -> Image:
    """Draw the rectangles that may be panels, and over them those that are."""
    canvas = _faded(stages.image)
    for candidate in stages.candidates:
        _box(canvas, candidate.box, UNUSED)
    for number, panel in enumerate(stages.panels):
        _box(canvas, panel.box, USED, f"panel {number}")
    return canvas


def _text(stages: Stages) -> Image:
    """Draw the page's texts as they were read, and how surely."""
    canvas = _faded(stages.image)
    for text in stages.texts:
        _box(canvas, text.box, ALONG if text.vertical else ACROSS, f"{text.text} {text.score:.2f}")
    return canvas


def _axes(stages: Stages) -> Image:
    """Draw the labels beside each panel, the marks, and the ticks with the values they were read as."""
    canvas = _faded(stages.image)
    for panel in stages.panels:
        box = panel.box
        for name, side in panel.sides.items():
            for label in side.evidence.labels:
                _box(canvas, label.box, ACROSS, label.text)
            for mark in side.evidence.marks:
                a, b = _stroke(box, name, mark.pixel, -max(mark.length, 4.0))
                _line(canvas, a, b, ALONG)
        for axis, name in ((panel.x, "bottom"), (panel.y, "left"), (panel.y2, "right")):
            for tick in axis.ticks if axis else ():
                a, b = _stroke(box, name, tick.pixel, 8.0)
                _line(canvas, a, b, USED if tick.used else UNUSED)
                _say(canvas, f"{tick.value:g}", (b[0] + 1, b[1] - 2), USED if tick.used else UNUSED)
    return canvas


def _stroke(
    box: Box, side: str, pixel: float, inward: float
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the ends of a stroke from a panel's edge, so many pixels inward."""
    edge = {"bottom": box.y1, "top": box.y0, "left": box.x0, "right": box.x1}[side]
    end = edge + (inward if side in ("top", "left") else -inward)
    return ((pixel, edge), (pixel, end)) if side in ("bottom", "top") else ((edge, pixel), (end, pixel))


def _ground(stages: Stages) -> Image:
    """Return the page with the panels as they are without their curves."""
    canvas = stages.image.copy()
    for panel in stages.panels:
        _inside(canvas, panel)[...] = np.clip(np.rint(panel.ground.ground), 0, 255)
    return canvas


def _inside(canvas: Image, panel: PanelStages) -> Image:
    """Return a panel's interior in a picture of the page, as a view."""
    (x, y), (height, width) = panel.ground.origin, panel.ground.ground.shape[:2]
    return canvas[y : y + height, x : x + width]


def _legend(stages: Stages) -> Image:
    """Draw each legend: its keys in their colours, its names, its frame."""
    canvas = _faded(stages.image)
    for panel in stages.panels:
        if panel.legend is None:
            continue
        _box(canvas, panel.legend.box, USED if panel.legend.framed else UNUSED)
        for entry in panel.legend.entries:
            red, green, blue = (round(float(v)) for v in entry.key.colour)
            _box(canvas, entry.key.box, (red, green, blue), entry.key.style)
            _box(canvas, entry.text.box, ACROSS, entry.name)
    return canvas


def _inks(stages: Stages) -> Iterator[Image]:
    """Yield for each colour of each panel the share of every pixel that it covers: from white to the colour."""
    for panel in stages.panels:
        reading = panel.reading
        for colour, share in zip(reading.inks, reading.coverage or (), strict=True):
            canvas = np.full_like(stages.image, 255)
            _inside(canvas, panel)[...] = np.rint(255 - share[..., None] * (255 - colour))
            _box(canvas, panel.box, UNUSED)
            yield canvas


def _traces(stages: Stages) -> Image:
    """Draw the curves and their bounds; grey where nothing was seen."""
    canvas = _faded(stages.image)
    for panel in stages.panels:
        for series in panel.reading.series:
            red, green, blue = (int(series.color[i : i + 2], 16) for i in (1, 3, 5))
            _trace(canvas, series.trace, panel.reading.origin, (red, green, blue))
    return canvas


def _trace(canvas: Image, trace: Trace, origin: tuple[int, int], paint: Paint) -> None:
    """Draw one curve with its bounds."""
    x = trace.columns + origin[0]
    for rows in (trace.top, trace.bottom):
        cv2.polylines(canvas, [_points(x, rows + origin[1])], False, UNUSED, 1, cv2.LINE_AA, SUBPIXEL)
    for k in range(len(trace) - 1):
        seen = bool(trace.observed[k] and trace.observed[k + 1])
        a, b = ((x[i], trace.rows[i] + origin[1]) for i in (k, k + 1))
        _line(canvas, a, b, paint if seen else UNUSED)
