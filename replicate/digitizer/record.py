"""The result of a digitization: what was read, how sure it is, and the files it is written to."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from replicate._version import __version__
from replicate.curves import Curve, CurveSet, write_curves
from replicate.digitizer.legend import Style
from replicate.digitizer.model import AxisFit, Box, Caution, Image
from replicate.digitizer.trace import Trace
from replicate.files import write_atomic, write_json

if TYPE_CHECKING:
    import pandas as pd

SCHEMA = "replicate.digitization/1"


@dataclass(frozen=True, eq=False)
class Series:
    """One curve of a panel.

    Attributes:
        name: The legend's text, a label's, or the colour's name.
        name_from: Where the name comes from.
        color: "#rrggbb".
        axis: Which y axis it belongs to.
        style: How its line is drawn.
        trace: Its pixels, in the panel's interior.
        curve: Its numbers.
        confidence: 0 to 1.
    """

    name: str
    name_from: Literal["legend", "label", "colour", "person"]
    color: str
    axis: Literal["y", "y2"]
    style: Style
    trace: Trace
    curve: Curve
    confidence: float

    def to_json(self) -> dict[str, Any]:
        """Return the record of the series."""
        return {
            "name": self.name,
            "name_from": self.name_from,
            "color": self.color,
            "axis": self.axis,
            "style": self.style,
            "points": len(self.curve),
            "observed_share": round(float(self.curve.observed.mean()), 4) if len(self.curve) else 0.0,
            "confidence": round(self.confidence, 3),
        }


@dataclass(frozen=True)
class View:
    """Where a panel's page stands in the digitization's picture: pixel = shift + scale * place.

    Attributes:
        scale: Pixels of the picture a pixel (raster), point (PDF) or user unit (SVG).
        x: Shift to the right, pixels.
        y: Shift downwards, pixels.
    """

    scale: float = 1.0
    x: float = 0.0
    y: float = 0.0


@dataclass(frozen=True, eq=False)
class Panel:
    """One panel of a figure.

    Attributes:
        box: Its frame, pixels.
        origin: (x, y) of the interior's first pixel, to which the traces refer.
        x_axis: The calibrated x axis, or None where it could not be read.
        y_axis: The same for y.
        y2_axis: A second y axis at the right, or None.
        title: The panel's title.
        series: Its curves.
        confidence: 0 to 1.
        bounds: Edges of bands and ends of error bars, named after their curves.
        page: The page of a PDF that it stands on, or None.
        figure: The number in the caption of the figure it belongs to, or None.
        view: Where its page stands in the digitization's picture.
    """

    box: Box
    origin: tuple[int, int]
    x_axis: AxisFit | None
    y_axis: AxisFit | None
    y2_axis: AxisFit | None
    title: str | None
    series: tuple[Series, ...]
    confidence: float
    bounds: tuple[Curve, ...] = ()
    page: int | None = None
    figure: int | None = None
    view: View = View()

    def to_json(self) -> dict[str, Any]:
        """Return the record of the panel; its page stands in it where a file has several."""
        record = {
            "box": [round(v, 2) for v in self.box],
            "x_axis": axis_to_json(self.x_axis, (self.box.x0, self.box.x1)),
            "y_axis": axis_to_json(self.y_axis, (self.box.y1, self.box.y0)),
            "y2_axis": axis_to_json(self.y2_axis, (self.box.y1, self.box.y0)),
            "title": self.title,
            "confidence": round(self.confidence, 3),
            "series": [s.to_json() for s in self.series],
        }
        place = {"page": self.page, "figure": self.figure}
        return record if self.page is None else {**record, **place}


def axis_to_json(axis: AxisFit | None, ends: tuple[float, float]) -> dict[str, Any] | None:
    """Return the record of an axis.

    Args:
        axis: The fit, or None.
        ends: The pixels of its first and last end (left and right, or bottom and top).
    """
    if axis is None:
        return None
    return {
        "scale": axis.scale,
        "label": axis.label,
        "limits": [_number(float(axis.to_value(end))) for end in ends],
        "ticks": [
            {"pixel": round(t.pixel, 3), "text": t.text, "value": _number(t.value), "used": t.used}
            for t in axis.ticks
        ],
        "residual_px": round(axis.residual_px, 4),
        "doubt": round(axis.doubt, 3),
        "source": axis.source,
    }


def _number(value: float) -> float | None:
    """Return a number that JSON can hold, else None."""
    return value if value == value and abs(value) != float("inf") else None


@dataclass(frozen=True, eq=False)
class Digitization:
    """A digitized figure.

    Attributes:
        file: The figure's file name.
        sha256: Hash of its bytes.
        size: Width and height: pixels, points (PDF) or user units (SVG).
        kind: "raster", "svg" or "pdf".
        page: The page of a PDF, or None.
        command: The command line, for the record.
        panels: What was read, panel by panel.
        warnings: What a person should look at.
        picture: (height, width, 3) uint8, the figure as it was read; of a PDF or SVG, as it looks.
    """

    file: str
    sha256: str
    size: tuple[float, float]
    kind: Literal["raster", "svg", "pdf"]
    page: int | None
    command: tuple[str, ...]
    panels: tuple[Panel, ...]
    warnings: tuple[Caution, ...]
    picture: Image

    @property
    def confidence(self) -> float:
        """The chance that a person would change nothing: the least of the panels'."""
        return min((p.confidence for p in self.panels), default=0.0)

    @property
    def curves(self) -> CurveSet:
        """The curves of all panels and their bounds, by name."""
        return CurveSet(tuple(c for p in self.panels for c in (*(s.curve for s in p.series), *p.bounds)))

    def to_frame(self) -> pd.DataFrame:
        """Return the curve table as a data frame."""
        return self.curves.to_frame()

    def to_json(self) -> dict[str, Any]:
        """Return the digitization record."""
        return {
            "schema": SCHEMA,
            "source": {
                "file": self.file,
                "sha256": self.sha256,
                "width": self.size[0],
                "height": self.size[1],
                "kind": self.kind,
                "page": self.page,
            },
            "tool": {"version": __version__, "command": list(self.command)},
            "confidence": round(self.confidence, 3),
            "panels": [p.to_json() for p in self.panels],
            "warnings": [
                {
                    "code": w.code,
                    "message": w.message,
                    "where": [round(v, 1) for v in w.where] if w.where else None,
                }
                for w in self.warnings
            ],
        }

    def write(self, folder: Path) -> tuple[Path, Path, Path]:
        """Write ``<stem>.csv``, ``<stem>.json`` and ``<stem>.overlay.png``.

        Returns:
            The three paths.

        Raises:
            OutputError: One cannot be written.
        """
        from replicate.digitizer.overlay import draw_overlay

        stem = Path(self.file).stem
        return (
            write_curves(folder / f"{stem}.csv", self.curves),
            write_json(folder / f"{stem}.json", self.to_json()),
            write_atomic(folder / f"{stem}.overlay.png", draw_overlay(self)),
        )
