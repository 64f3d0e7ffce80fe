"""The picture that a person checks: the figure, faded, with all that was read drawn on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from replicate.digitizer.model import AxisFit, Box, Image

if TYPE_CHECKING:
    from replicate.digitizer.record import Digitization, Panel, Series, View

FRAME = (200, 60, 200)
TICK = (230, 0, 120)
UNUSED = (150, 150, 150)
SUBPIXEL = 4  # fractional bits of OpenCV's drawing coordinates


def draw_overlay(digitization: Digitization) -> bytes:
    """Draw the overlay.

    The figure is faded to half; on it stand the panel's box, the calibrated ticks with the values they were read
    as, and each curve in its colour with a white rim, thin where it was interpolated. Small figures are
    enlarged so that the drawing can be read.

    Returns:
        PNG bytes.
    """
    zoom = int(np.clip(np.ceil(1400 / max(digitization.picture.shape)), 1, 3))
    faded = cv2.LUT(
        digitization.picture, (255 - np.arange(255, -1, -1, dtype=np.float32) * 0.45).astype(np.uint8)
    )
    canvas = np.asarray(cv2.resize(faded, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_NEAREST), np.uint8)
    for panel in digitization.panels:
        _draw_panel(canvas, panel, zoom)
    done, png = cv2.imencode(".png", canvas[..., ::-1])
    if not done:
        raise RuntimeError("the overlay could not be encoded")
    return png.tobytes()


def _draw_panel(canvas: Image, panel: Panel, zoom: int) -> None:
    """Draw a panel's box, ticks and curves."""
    box, view = panel.box, panel.view
    corner = _points(np.array([box.x0, box.x1]), np.array([box.y0, box.y1]), zoom, view)
    cv2.rectangle(canvas, corner[0].tolist(), corner[1].tolist(), FRAME, 1, cv2.LINE_AA, SUBPIXEL)
    for series in panel.series:
        _draw_series(canvas, panel, series, zoom)
    _draw_bounds(canvas, panel, zoom)
    for axis, side in ((panel.x_axis, "bottom"), (panel.y_axis, "left"), (panel.y2_axis, "right")):
        if axis:
            _draw_ticks(canvas, box, axis, side, zoom, view)


def _points(x: NDArray[np.float64], y: NDArray[np.float64], zoom: int, view: View) -> NDArray[np.int32]:
    """Return the page's coordinates as OpenCV's fixed-point canvas coordinates, (n, 2)."""
    on_picture = np.stack((x, y), axis=1) * view.scale + (view.x, view.y)
    scaled = (on_picture + 0.5) * zoom - 0.5
    return np.asarray(np.rint(scaled * 2**SUBPIXEL), dtype=np.int32)


def _draw_series(canvas: Image, panel: Panel, series: Series, zoom: int) -> None:
    """Draw one curve: a white rim, then its own colour; thin where interpolated."""
    colour = tuple(int(series.color[i : i + 2], 16) for i in (1, 3, 5))
    trace = series.trace
    points = _points(trace.columns + panel.origin[0], trace.rows + panel.origin[1], zoom, panel.view)
    for paint, wide in (((255, 255, 255), 4), (colour, 2)):
        for begin, end, seen in _stretches(trace.observed):
            part = points[max(begin - 1, 0) : end + 1].reshape(-1, 1, 2)
            thickness = wide if seen else 1
            cv2.polylines(canvas, [part], False, paint, thickness, cv2.LINE_AA, SUBPIXEL)


def _draw_bounds(canvas: Image, panel: Panel, zoom: int) -> None:
    """Draw the edges of bands and the ends of error bars as thin lines in their curves' colours."""
    owners = {s.name: s for s in panel.series}
    for bound in panel.bounds:
        owner = owners.get(bound.name.removesuffix(" (lower)").removesuffix(" (upper)"))
        y_axis = panel.y2_axis if owner and owner.axis == "y2" else panel.y_axis
        if panel.x_axis is None or y_axis is None or len(bound) < 2:
            continue
        colour = tuple(int(owner.color[i : i + 2], 16) for i in (1, 3, 5)) if owner else UNUSED
        points = _points(panel.x_axis.to_pixel(bound.x), y_axis.to_pixel(bound.y), zoom, panel.view)
        cv2.polylines(canvas, [points.reshape(-1, 1, 2)], False, colour, 1, cv2.LINE_AA, SUBPIXEL)


def _stretches(observed: NDArray[np.bool_]) -> list[tuple[int, int, bool]]:
    """Return (first, last, observed) for each stretch of equal state."""
    cuts = np.flatnonzero(np.diff(observed.astype(np.int8))) + 1
    bounds = [0, *cuts.tolist(), len(observed)]
    return [(a, b - 1, bool(observed[a])) for a, b in zip(bounds[:-1], bounds[1:], strict=True) if b > a]


def _draw_ticks(canvas: Image, box: Box, axis: AxisFit, side: str, zoom: int, view: View) -> None:
    """Draw each tick's place and the value it was read as."""
    reach = 5 / view.scale
    for tick in axis.ticks:
        colour = TICK if tick.used else UNUSED
        if side == "bottom":
            ends = np.array([tick.pixel, tick.pixel]), np.array([box.y1 - reach, box.y1 + reach])
        else:
            edge = box.x0 if side == "left" else box.x1
            ends = np.array([edge - reach, edge + reach]), np.array([tick.pixel, tick.pixel])
        a, b = _points(*ends, zoom, view).tolist()
        cv2.line(canvas, a, b, colour, 1, cv2.LINE_AA, SUBPIXEL)
        said = f"{tick.value:g}"
        place = ((b[0] >> SUBPIXEL) + 3, (a[1] >> SUBPIXEL) - 3)
        cv2.putText(canvas, said, place, cv2.FONT_HERSHEY_SIMPLEX, 0.38, colour, 1, cv2.LINE_AA)
