"""The axes of a saved record, reused for figures that look like the one it was read from.

A record fits a picture of the same proportions whose panels stand where the record's stand; what is smaller or
larger is scaled. Anything else is refused: a calibration that is a few pixels off gives wrong numbers without a sign.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from replicate.digitizer.model import AxisFit, Box, FittedTick, Scale
from replicate.digitizer.record import SCHEMA
from replicate.errors import InputError

SCALES: tuple[Scale, ...] = ("linear", "log", "date", "category")
REMEDY = "give the .json that replicate digitize wrote for a figure like these"


@dataclass(frozen=True)
class CalibrationSettings:
    """How closely a picture must resemble the one that was calibrated.

    Attributes:
        proportion: How much its proportions may differ, as a share.
        off: How far a panel's edges may be from where the record has them, pixels; in a larger picture, more.
    """

    proportion: float = 0.004
    off: float = 2.5


@dataclass(frozen=True)
class SavedPanel:
    """A calibrated panel: its frame, pixels, and its axes."""

    box: Box
    x: AxisFit | None
    y: AxisFit | None
    y2: AxisFit | None

    def scaled(self, across: float, down: float) -> SavedPanel:
        """Return the panel in a picture that is so many times as wide and as high."""
        x0, x1 = (_scaled(v, across) for v in (self.box.x0, self.box.x1))
        y0, y1 = (_scaled(v, down) for v in (self.box.y0, self.box.y1))
        return SavedPanel(
            Box(x0, y0, x1, y1),
            _scaled_axis(self.x, across),
            _scaled_axis(self.y, down),
            _scaled_axis(self.y2, down),
        )


@dataclass(frozen=True)
class Calibration:
    """The axes of a saved record.

    Attributes:
        file: The record's path, for messages.
        size: Width and height of its picture, pixels.
        panels: Its panels, in reading order.
        zoom: How many times as large as the record's picture this one is.
    """

    file: str
    size: tuple[float, float]
    panels: tuple[SavedPanel, ...]
    zoom: float = 1.0

    def for_picture(self, name: str, width: int, height: int) -> Calibration:
        """Return the calibration scaled to a picture.

        Raises:
            InputError: The picture has other proportions.
        """
        across, down = width / self.size[0], height / self.size[1]
        if abs(across / down - 1) > CalibrationSettings().proportion:
            theirs = f"{self.size[0]:g} x {self.size[1]:g} of {self.file}"
            said = f"{name} is {width} x {height}, not in proportion to {theirs}"
            raise InputError(said, "leave --calibration out for this figure, or give --x-ticks and --y-ticks")
        panels = tuple(p.scaled(across, down) for p in self.panels)
        return replace(self, size=(width, height), panels=panels, zoom=across)

    def panel_at(self, box: Box) -> SavedPanel | None:
        """Return the panel whose frame a box is, or None."""
        off = CalibrationSettings().off * max(1.0, self.zoom)
        near = (p for p in self.panels if max(abs(a - b) for a, b in zip(p.box, box, strict=True)) <= off)
        return next(near, None)


def load_calibration(path: Path) -> Calibration:
    """Read the axes of a record that `replicate digitize` wrote.

    Raises:
        InputError: It cannot be read, is no such record, is not a picture's, or calibrates nothing.
    """
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}", "check the path") from error
    except ValueError as error:
        raise InputError(f"{path} is no JSON ({error})", REMEDY) from error
    if not isinstance(record, dict) or record.get("schema") != SCHEMA:
        raise InputError(f"{path} is no digitization record ({SCHEMA})", REMEDY)
    try:
        source = record["source"]
        if source["kind"] != "raster":
            raise InputError(
                f"{path} is the record of a drawing ({source['kind']}), not of a picture", REMEDY
            )
        size = float(source["width"]), float(source["height"])
        panels = tuple(_panel(p) for p in record["panels"])
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{path} is a damaged record ({type(error).__name__}: {error})", REMEDY) from error
    if not panels or min(size) < 1 or not any(p.x or p.y for p in panels):
        raise InputError(f"{path} calibrates no panel", REMEDY)
    return Calibration(str(path), size, panels)


def _panel(saved: dict[str, Any]) -> SavedPanel:
    """Return a panel of a record."""
    x0, y0, x1, y1 = (float(v) for v in saved["box"])
    return SavedPanel(
        Box(x0, y0, x1, y1),
        _axis(saved["x_axis"], (x0, x1)),
        _axis(saved["y_axis"], (y1, y0)),
        _axis(saved["y2_axis"], (y1, y0)),
    )


def _axis(saved: dict[str, Any] | None, ends: tuple[float, float]) -> AxisFit | None:
    """Return an axis of a record: the line through its limits, which stand at the frame's ends."""
    if saved is None:
        return None
    if saved["scale"] not in SCALES:
        raise ValueError(f"scale {saved['scale']!r}")
    u = [math.log10(float(v)) if saved["scale"] == "log" else float(v) for v in saved["limits"]]
    if not np.isfinite(u).all() or u[0] == u[1] or ends[0] == ends[1]:
        raise ValueError(f"limits {saved['limits']}")
    slope = (u[1] - u[0]) / (ends[1] - ends[0])
    ticks = tuple(
        FittedTick(
            float(t["pixel"]),
            str(t["text"]),
            math.nan if t["value"] is None else float(t["value"]),
            bool(t["used"]),
        )
        for t in saved["ticks"]
    )
    label = None if saved["label"] is None else str(saved["label"])
    residual = float(saved["residual_px"])
    return AxisFit(saved["scale"], u[0] - slope * ends[0], slope, ticks, residual, 0.0, label, "person")


def _scaled(pixel: float, factor: float) -> float:
    """Return a pixel's place in a scaled picture: pixel k reaches from k - 0.5 to k + 0.5."""
    return (pixel + 0.5) * factor - 0.5


def _scaled_axis(axis: AxisFit | None, factor: float) -> AxisFit | None:
    """Return an axis in a picture scaled along it."""
    if axis is None:
        return None
    slope = axis.slope / factor
    # the value that stood at -0.5, the picture's edge, still does
    intercept = axis.intercept - 0.5 * axis.slope + 0.5 * slope
    ticks = tuple(replace(t, pixel=_scaled(t.pixel, factor)) for t in axis.ticks)
    return replace(axis, intercept=intercept, slope=slope, ticks=ticks, residual_px=axis.residual_px * factor)
