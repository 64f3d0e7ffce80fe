"""Bringing pages to one size, so that thresholds mean the same on a slide and in a footnote."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from replicate.digitizer.model import AxisFit, Box
from replicate.digitizer.vector.drawing import Drawing, Glyph, Path, Picture, Subpath, Text

TEXT_HEIGHT = 20.0  # font size that pages are brought to, units


def usual_size(drawing: Drawing) -> float:
    """Return the usual font size of a page's numbers, page units; a guess from its size where it has none."""
    short = [
        t.size for t in drawing.texts if len(t.text) <= 8 and any(c.isdigit() for c in t.text) and t.size > 0
    ]
    return float(np.median(short)) if short else 0.025 * max(min(drawing.width, drawing.height), 1.0)


def scaled(drawing: Drawing, factor: float) -> Drawing:
    """Return a page with all its coordinates multiplied."""
    return replace(
        drawing,
        width=drawing.width * factor,
        height=drawing.height * factor,
        paths=tuple(_path(p, factor) for p in drawing.paths),
        texts=tuple(_text(t, factor) for t in drawing.texts),
        pictures=tuple(Picture(scale_box(p.box, factor), p.image) for p in drawing.pictures),
    )


def scale_box(box: Box, factor: float) -> Box:
    """Return a box with its coordinates multiplied."""
    return Box(*(v * factor for v in box))


def scale_axis(axis: AxisFit | None, factor: float) -> AxisFit | None:
    """Return an axis for coordinates that were multiplied by a factor."""
    if axis is None:
        return None
    ticks = tuple(replace(t, pixel=t.pixel * factor) for t in axis.ticks)
    return replace(axis, slope=axis.slope / factor, ticks=ticks, residual_px=axis.residual_px * factor)


def _path(path: Path, factor: float) -> Path:
    """Return a path with its coordinates multiplied."""
    return replace(
        path,
        subpaths=tuple(Subpath(s.points * factor, s.vertices, s.closed) for s in path.subpaths),
        width=path.width * factor,
        dash=tuple(v * factor for v in path.dash),
        clip=scale_box(path.clip, factor) if path.clip else None,
        anchor=(path.anchor[0] * factor, path.anchor[1] * factor) if path.anchor else None,
    )


def _text(text: Text, factor: float) -> Text:
    """Return a text with its coordinates multiplied."""
    glyphs = tuple(
        Glyph(g.text, scale_box(g.box, factor), g.size * factor, (g.origin[0] * factor, g.origin[1] * factor))
        for g in text.glyphs
    )
    return replace(text, box=scale_box(text.box, factor), glyphs=glyphs, size=text.size * factor)
