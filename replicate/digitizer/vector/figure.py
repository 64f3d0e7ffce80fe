"""A PDF or SVG file to a digitization: pages, their panels, and the picture to check them on."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from replicate.digitizer import layout, lines
from replicate.digitizer.model import AxisFit, Box, Caution, Image
from replicate.digitizer.raster import Picture as RasterPicture
from replicate.digitizer.record import Digitization, Panel, View
from replicate.digitizer.settings import Settings
from replicate.digitizer.vector import outlines
from replicate.digitizer.vector.captions import figure_of, find_captions
from replicate.digitizer.vector.drawing import Drawing, Picture
from replicate.digitizer.vector.page import make_page
from replicate.digitizer.vector.pdf import PdfLimits, is_pdf, read_pdf, render_pages
from replicate.digitizer.vector.read import read_page
from replicate.digitizer.vector.render import render
from replicate.digitizer.vector.svg import read_svg
from replicate.errors import InputError

DigitizePicture = Callable[[RasterPicture, Settings], Digitization]


@dataclass(frozen=True)
class FigureSettings:
    """Sizes.

    Attributes:
        margin: How much of a page is shown around its panels in the picture to check, as a share of the page.
        pixels: Longest side of a page in that picture, pixels.
        megapixels: Largest such picture.
        page: A picture that covers this share of a page is the page.
    """

    margin: float = 0.13
    pixels: int = 1800
    megapixels: float = 30.0
    page: float = 0.5


@dataclass(frozen=True, eq=False)
class _Found:
    """A panel with what a person should look at, and the page it stands on."""

    panel: Panel
    cautions: Sequence[Caution]
    drawing: Drawing


def is_vector(data: bytes) -> bool:
    """Whether a file is a PDF or an SVG, by its first bytes."""
    head = data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return is_pdf(data) or b"<svg" in head or head.startswith(b"<?xml") or data[:2] == b"\x1f\x8b"


def digitize_vector(
    data: bytes, name: str, wishes: Settings, digitize_picture: DigitizePicture
) -> Digitization:
    """Digitize a PDF or an SVG.

    Args:
        data: The file's bytes.
        name: The file's name.
        wishes: A person's wishes.
        digitize_picture: What reads the pictures that are embedded in it.

    Returns:
        The digitization; its panels stand in points (PDF) or user units (SVG).

    Raises:
        InputError: The file cannot be read, or has no such page, figure or panel.
    """
    if is_pdf(data):
        limits = PdfLimits(megapixels=wishes.max_megapixels)
        drawings, failures = read_pdf(data, name, wishes.page, limits)
    else:
        drawings, failures = [read_svg(data, name)], []
    found: list[_Found] = []
    for drawing in drawings:
        found += _read(drawing, wishes, digitize_picture, len(found))
    found = _chosen(found, name, wishes)
    warnings = [Caution("page-unread", said) for said in failures]
    warnings += [c for f in found for c in f.cautions]
    if not found:
        said = "no panel with readable axes was found; give them with --x-ticks and --y-ticks"
        warnings.append(Caution("no-panel", said))
    panels, picture = _with_picture(found, drawings, data, name)
    first = found[0].drawing if found else drawings[0]
    return Digitization(
        name,
        hashlib.sha256(data).hexdigest(),
        (round(first.width, 3), round(first.height, 3)),
        first.kind,
        first.page if len({f.drawing.page for f in found} or {first.page}) == 1 else None,
        wishes.command,
        panels,
        tuple(warnings),
        picture,
    )


def _read(drawing: Drawing, wishes: Settings, digitize_picture: DigitizePicture, first: int) -> list[_Found]:
    """Read the panels of a page: those of drawn paths, then those in its pictures."""
    outlined = outlines.read_outlined(drawing) if outlines.has_outlined_text(drawing) else []
    page = make_page(drawing, outlined)
    found = [_Found(panel, cautions, drawing) for panel, cautions in read_page(page, wishes, first)]
    for picture in drawing.pictures:
        if not any(picture.box.holds(f.panel.box) for f in found) and _may_be_chart(picture, drawing):
            found += _read_picture(picture, drawing, wishes, digitize_picture, first + len(found))
    captions = [(n, Box(*(v / page.factor for v in b))) for n, b in find_captions(page.texts)]
    return [
        replace(f, panel=replace(f.panel, page=drawing.page, figure=figure_of(f.panel.box, captions)))
        for f in found
    ]


def _may_be_chart(picture: Picture, drawing: Drawing) -> bool:
    """Whether a picture is the whole page, or shows lines that a panel could have."""
    area = picture.box.width * picture.box.height
    if area >= FigureSettings().page * drawing.width * drawing.height:
        return True
    height, width = picture.image.shape[:2]
    return bool(layout.find_panels(*lines.find_lines(picture.image), (width, height)))


def _read_picture(
    picture: Picture, drawing: Drawing, wishes: Settings, digitize_picture: DigitizePicture, first: int
) -> list[_Found]:
    """Read an embedded picture at its own resolution, and bring its panels to the page."""
    height, width = picture.image.shape[:2]
    scale = (picture.box.width / width, picture.box.height / height)
    x, y = (
        {(p - start) / k - 0.5: v for p, v in ticks.items()}
        for ticks, start, k in zip((wishes.x_ticks, wishes.y_ticks), picture.box[:2], scale, strict=True)
    )
    inner = replace(wishes, panel=None, page=None, x_ticks=x, y_ticks=y)
    read = digitize_picture(RasterPicture("", "", picture.image), inner)
    found: list[_Found] = []
    for panel in read.panels:
        if panel.series:
            number = first + len(found)
            series = tuple(replace(s, curve=replace(s.curve, panel=number)) for s in panel.series)
            placed = _on_page(replace(panel, series=series), picture, scale)
            said = [w for w in read.warnings if w.where == panel.box]
            cautions = [Caution(w.code, w.message, placed.box) for w in said]
            found.append(_Found(placed, cautions, drawing))
    return found


def _on_page(panel: Panel, picture: Picture, scale: tuple[float, float]) -> Panel:
    """Return a panel of a picture in the page's units: place = start + (pixel + 0.5) * scale."""
    (x0, y0), (kx, ky) = picture.box[:2], scale

    def axis(fit: AxisFit | None, start: float, k: float) -> AxisFit | None:
        if fit is None:
            return None
        ticks = tuple(replace(t, pixel=start + (t.pixel + 0.5) * k) for t in fit.ticks)
        slope = fit.slope / k
        intercept = fit.intercept - slope * (start + 0.5 * k)
        return replace(fit, slope=slope, intercept=intercept, ticks=ticks, residual_px=fit.residual_px * k)

    b, (left, top) = panel.box, panel.origin
    box = Box(*(s + (v + 0.5) * k for v, s, k in zip(b, (x0, y0, x0, y0), (kx, ky, kx, ky), strict=True)))
    series = tuple(
        replace(s, trace=replace(
            s.trace,
            columns=x0 + (s.trace.columns + left + 0.5) * kx,
            **{n: y0 + (getattr(s.trace, n) + top + 0.5) * ky for n in ("rows", "top", "bottom")},
            thickness=s.trace.thickness * ky,
        ))
        for s in panel.series
    )  # fmt: skip
    x, y, y2 = axis(panel.x_axis, x0, kx), axis(panel.y_axis, y0, ky), axis(panel.y2_axis, y0, ky)
    return replace(panel, box=box, origin=(0, 0), x_axis=x, y_axis=y, y2_axis=y2, series=series)


def _chosen(found: Sequence[_Found], name: str, wishes: Settings) -> list[_Found]:
    """Return the panels that a person asked for, numbered as in the whole file.

    Raises:
        InputError: There is no such figure or panel.
    """
    chosen = list(found)
    if wishes.figure is not None:
        figures = sorted({f.panel.figure for f in found if f.panel.figure is not None})
        chosen = [f for f in chosen if f.panel.figure == wishes.figure]
        if not chosen:
            known = ", ".join(str(n) for n in figures) or "none"
            said = f"{name} has no chart in a figure {wishes.figure} (captions with charts: {known})"
            raise InputError(said, "see what there is with --list")
    if wishes.panel is not None:
        if wishes.panel >= len(found):
            said = f"{name} has {len(found)} panels, so there is no panel {wishes.panel}"
            raise InputError(said, "panels are numbered from 0 in reading order; see them with --list")
        chosen = [f for f in chosen if f is found[wishes.panel]]
    return chosen


# --- the picture to check ---------------------------------------------------------------------------------


def _with_picture(
    found: Sequence[_Found], drawings: Sequence[Drawing], data: bytes, name: str
) -> tuple[tuple[Panel, ...], Image]:
    """Return the panels with their views, and the picture: the pages' parts with panels, one below the other."""
    pages = list({id(f.drawing): f.drawing for f in found}.values()) or list(drawings[:1])
    scale = _scale(pages)
    if pages[0].kind == "pdf":
        images = render_pages(data, name, [(d.page or 1, scale) for d in pages])
    else:
        images = [render(d, scale) for d in pages]
    parts, views = [], {}
    top = 0
    for drawing, image in zip(pages, images, strict=True):
        own = [f.panel.box for f in found if f.drawing is drawing]
        x0, y0, x1, y1 = _part(drawing, own, scale, image)
        parts.append(image[y0:y1, x0:x1])
        views[id(drawing)] = View(scale, -0.5 - x0, top - 0.5 - y0)
        top += y1 - y0
    picture = np.full((top, max(p.shape[1] for p in parts), 3), 255, np.uint8)
    top = 0
    for part in parts:
        picture[top : top + part.shape[0], : part.shape[1]] = part
        top += part.shape[0]
    return tuple(replace(f.panel, view=views[id(f.drawing)]) for f in found), picture


def _scale(pages: Sequence[Drawing]) -> float:
    """Return how many pixels a page unit is drawn in: fine, but no picture too large."""
    settings = FigureSettings()
    largest = max(max(d.width, d.height) for d in pages)
    area = sum(d.width * d.height for d in pages)
    return min(settings.pixels / largest, math.sqrt(settings.megapixels * 1e6 / area))


def _part(drawing: Drawing, boxes: Sequence[Box], scale: float, image: Image) -> tuple[int, int, int, int]:
    """Return the part of a page's picture that shows its panels and what stands around them."""
    height, width = image.shape[:2]
    if not boxes:
        return 0, 0, width, height
    margin = FigureSettings().margin * max(drawing.width, drawing.height)
    x0, y0 = (max(int((min(b[i] for b in boxes) - margin) * scale), 0) for i in (0, 1))
    x1, y1 = (math.ceil((max(b[i] for b in boxes) + margin) * scale) for i in (2, 3))
    return x0, y0, min(x1, width), min(y1, height)
