"""The published picture inside the page, and the digitized curves over it in the picture's own pixels."""

from __future__ import annotations

import base64
import io
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from markupsafe import Markup

from replicate.curves import CurveSet
from replicate.report.material import panel_of
from replicate.report.palette import Ink
from replicate.report.paths import line_path
from replicate.report.scales import FloatArray
from replicate.report.svg import coordinate, element

if TYPE_CHECKING:
    from PIL import Image

MAX_BYTES = 60_000  # a larger picture is scaled down for the page; the numbers come from the original
MAX_SIDE = 1000
PASSED_ON = {"PNG": "image/png", "JPEG": "image/jpeg"}
SVG = ".svg"
TURNED = "turned"  # the warning of a picture whose record is in the pixels of the overlay


@dataclass(frozen=True)
class Trace:
    """A digitized curve in the picture's pixels: its series, ink and path data."""

    name: str
    ink: Ink
    path: str


@dataclass(frozen=True)
class Picture:
    """A published picture with what was read from it.

    Attributes:
        name: The file's name.
        uri: The picture as a ``data:`` URI.
        width: Width of the original, pixels.
        height: Height of the original, pixels.
        alt: What it shows, in words.
        traces: The digitized curves in the original's pixels.
        ticks: The calibration ticks that the axes rest on, (x, y) in the original's pixels.
        note: What the picture is where it is not the original, or empty.
        corner: Where its corner lies, its own units: pixels are counted from their centres.
    """

    name: str
    uri: str
    width: float
    height: float
    alt: str
    traces: tuple[Trace, ...] = ()
    ticks: tuple[tuple[float, float], ...] = ()
    note: str = ""
    corner: float = -0.5


def load_picture(
    path: Path,
    alt: str,
    record: Mapping[str, Any] | None,
    curves: CurveSet | None,
    inks: Mapping[str, Ink],
    overlay: Path | None = None,
) -> Picture | None:
    """Return the picture of a figure with its curves over it; None where it cannot be shown.

    A figure that no browser shows as it was read (a PDF, a picture that had to be turned) is shown as the
    digitizer's overlay, which has the curves in it.

    Args:
        path: The figure.
        alt: What it shows, in words.
        record: Its digitization record, or None.
        curves: Its curves, or None.
        inks: The ink of each series.
        overlay: The digitizer's overlay, or None.
    """
    turned = any(w["code"] == TURNED for w in (record or {}).get("warnings", ()))
    loaded = None if turned else _load(path, record)
    if loaded is not None:
        uri, (width, height) = loaded
        traces = _traces(record, curves, inks) if record and curves else ()
        ticks = _ticks(record) if record else ()
        corner = 0.0 if path.suffix.lower() == SVG else -0.5
        return Picture(path.name, uri, width, height, alt, traces, ticks, corner=corner)
    shown = _load_raster(overlay) if overlay is not None else None
    if shown is None:
        return None
    note = "The figure, faded, with what was read off it: panels, ticks with their values, and the curves."
    return Picture(path.name, shown[0], *shown[1], alt, note=note)


def _load(path: Path, record: Mapping[str, Any] | None) -> tuple[str, tuple[float, float]] | None:
    """Return a raster or an SVG figure as a ``data:`` URI, and its size in the units of its record."""
    if path.suffix.lower() != SVG:
        return _load_raster(path)
    if record is None or not path.is_file() or path.stat().st_size > MAX_BYTES:
        return None
    size = float(record["source"]["width"]), float(record["source"]["height"])
    return f"data:image/svg+xml;base64,{base64.b64encode(path.read_bytes()).decode()}", size


def _load_raster(path: Path) -> tuple[str, tuple[float, float]] | None:
    """Return a raster picture as a ``data:`` URI, and its size in pixels; None for anything else."""
    if not path.is_file():
        return None
    from PIL import Image

    data = path.read_bytes()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            image = Image.open(io.BytesIO(data))
            size = image.size
            options = [(data, PASSED_ON[image.format])] if image.format in PASSED_ON else []
            options.append((_webp(image, lossless=True), "image/webp"))
            if min(len(content) for content, _ in options) > MAX_BYTES:
                image.thumbnail((MAX_SIDE, MAX_SIDE))
                options.append((_webp(image, lossless=False), "image/webp"))
    except (OSError, Image.DecompressionBombWarning, Image.DecompressionBombError):
        return None
    content, kind = min(options, key=lambda option: len(option[0]))
    return f"data:{kind};base64,{base64.b64encode(content).decode()}", size


def _webp(image: Image.Image, *, lossless: bool) -> bytes:
    """Return a picture as WebP, with every pixel as it was or, smaller, nearly so."""
    out = io.BytesIO()
    mode = "RGBA" if "A" in image.getbands() or "transparency" in image.info else "RGB"
    image.convert(mode).save(out, "WEBP", lossless=lossless, quality=80)
    return out.getvalue()


def draw_picture(picture: Picture, name: str) -> Markup:
    """Return the original as an SVG element; its picture is ``<name>-image`` for other elements to use."""
    image = element(
        "image",
        id=f"{name}-image",
        href=picture.uri,
        x=picture.corner,
        y=picture.corner,
        width=float(picture.width),
        height=float(picture.height),
    )
    return _svg(picture, name, picture.alt, image)


def draw_again(picture: Picture, name: str) -> Markup:
    """Return the original once more, small, by reference to where it was drawn."""
    return _svg(picture, None, picture.alt, element("use", href=f"#{name}-image"))


def draw_overlay(picture: Picture, name: str) -> Markup:
    """Return the picture, faded, with the digitized curves and the calibration ticks over it."""
    size = max(picture.width, picture.height) / 110
    curves = [
        element("path", element("title", t.name), d=t.path, class_=f"trace ink-{t.ink.name}")
        for t in picture.traces
    ]
    cross = f"m{-size:.1f} 0h{2 * size:.1f}m{-size:.1f} {-size:.1f}v{2 * size:.1f}"
    marks = "".join(f"M{coordinate(x)} {coordinate(y)}{cross}" for x, y in picture.ticks)
    names = ", ".join(t.name for t in picture.traces)
    return _svg(
        picture,
        None,
        f"The same picture with the digitized curves over it: {names}",
        element("use", href=f"#{name}-image", class_="faded"),
        *curves,
        element("path", d=marks, class_="calibration") if marks else Markup(""),
    )


def _svg(picture: Picture, name: str | None, label: str, *children: Markup) -> Markup:
    """Return an SVG element with the picture's own pixels as its units."""
    view = f"{picture.corner:g} {picture.corner:g} {picture.width:g} {picture.height:g}"
    return element("svg", *children, id=name, class_="picture", viewBox=view, role="img", aria_label=label)


def _traces(record: Mapping[str, Any], curves: CurveSet, inks: Mapping[str, Ink]) -> tuple[Trace, ...]:
    """Return the curves in pixels, by the calibration that the record holds."""
    traces = []
    for curve in curves.curves:
        panel = panel_of(record, curve.panel)
        if panel is None:
            continue
        axis = next((s.get("axis", "y") for s in panel["series"] if s["name"] == curve.name), "y")
        y_axis = panel["y2_axis"] if axis == "y2" and panel.get("y2_axis") else panel["y_axis"]
        x, y = _to_pixel(panel["x_axis"], curve.x), _to_pixel(y_axis, curve.y)
        if x is not None and y is not None and curve.name in inks:
            traces.append(Trace(curve.name, inks[curve.name], line_path(x, y)))
    return tuple(traces)


def _to_pixel(axis: Mapping[str, Any], values: FloatArray) -> FloatArray | None:
    """Return the pixels at the values, by least squares through the used ticks; None with fewer than two."""
    ticks = [t for t in axis["ticks"] if t["used"] and t["value"] is not None]
    if len(ticks) < 2:
        return None
    known = np.array([t["value"] for t in ticks], dtype=np.float64)
    pixels = np.array([t["pixel"] for t in ticks], dtype=np.float64)
    if axis["scale"] == "log":
        with np.errstate(divide="ignore", invalid="ignore"):
            known, values = np.log10(known), np.log10(values)
    slope, intercept = np.polyfit(known, pixels, 1)
    return np.asarray(slope * values + intercept, dtype=np.float64)


def _ticks(record: Mapping[str, Any]) -> tuple[tuple[float, float], ...]:
    """Return where the ticks that the calibration rests on stand, on the edges of their panel."""
    places: list[tuple[float, float]] = []
    for panel in record["panels"]:
        x0, _, x1, y1 = panel["box"]
        places += [(t["pixel"], y1) for t in panel["x_axis"]["ticks"] if t["used"]]
        places += [(x0, t["pixel"]) for t in panel["y_axis"]["ticks"] if t["used"]]
        if panel.get("y2_axis"):
            places += [(x1, t["pixel"]) for t in panel["y2_axis"]["ticks"] if t["used"]]
    return tuple(places)
