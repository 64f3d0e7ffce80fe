"""Pictures embedded in an SVG. Only data within the file is decoded; what it refers to is never fetched."""

from __future__ import annotations

import base64
import binascii
from urllib.parse import unquote_to_bytes

import numpy as np

from replicate.digitizer import raster
from replicate.digitizer.model import Box, Image
from replicate.digitizer.vector.drawing import Picture
from replicate.digitizer.vector.svg_geometry import Matrix, fit_viewbox
from replicate.digitizer.vector.svg_state import Document, State
from replicate.digitizer.vector.svg_style import Element
from replicate.errors import InputError


def read_image(element: Element, state: State, document: Document) -> Picture | None:
    """Return the picture of an `image` element; None where it has none that can be decoded.

    Raises:
        InputError: It refers to another file.
    """
    data = _embedded(document.href(element))
    try:
        image = raster.decode(data, document.name).image if data else None
    except InputError:
        return None
    if image is None:
        return None
    size = (float(image.shape[1]), float(image.shape[0]))
    keys = ("width", "height")
    width, height = (
        state.length(element, k, v, s) for k, v, s in zip(keys, state.viewport, size, strict=True)
    )
    x, y = (state.length(element, k, v) for k, v in zip("xy", state.viewport, strict=True))
    fit = fit_viewbox((0.0, 0.0, *size), width, height, element.get("preserveAspectRatio"))
    matrix = state.matrix.then_inner(Matrix(e=x, f=y)).then_inner(fit)
    return Picture(matrix.box(Box(0.0, 0.0, *size)), _upright(image, matrix))


def _embedded(href: str) -> bytes:
    """Return the bytes of a data URI; none of one that is damaged."""
    head, _, body = href.partition(",")
    try:
        return base64.b64decode(body) if head.endswith(";base64") else unquote_to_bytes(body)
    except (binascii.Error, ValueError):
        return b""


def _upright(image: Image, matrix: Matrix) -> Image:
    """Return a picture as it stands on the page, where its map turns it by quarters or mirrors it."""
    out = image
    a, d = matrix.a, matrix.d
    if abs(matrix.b) > abs(a) and abs(matrix.c) > abs(d):
        out = np.swapaxes(out, 0, 1)
        a, d = matrix.c, matrix.b
    out = out[:, ::-1] if a < 0 else out
    out = out[::-1] if d < 0 else out
    return image if out is image else np.ascontiguousarray(out)
