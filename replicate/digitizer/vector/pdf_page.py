"""A PDF page's objects, read through PDFium: runs in the child process only.

PDFium keeps the content of forms (nested pictures of paths) in their own coordinates; every object is brought to
the page by the product of the matrices above it. Its paths and clip paths come in the coordinates of the form they
stand in, whatever was current when they were drawn.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from replicate.digitizer.model import Box, FloatArray, Image
from replicate.digitizer.vector.drawing import Colour, Drawing, Glyph, Path, Picture, Subpath, Text
from replicate.digitizer.vector.flatten import flatten_cubic

Matrix = FloatArray  # (3, 2): rows are the images of (1, 0), (0, 1) and the origin


@dataclass(frozen=True)
class PageLimits:
    """What one page may cost.

    Attributes:
        objects: Most objects, those in forms included.
        segments: Most path segments.
        depth: Deepest nesting of forms.
        side: Longest side of a page, points.
        least_paths: Pages with fewer paths and without a large picture hold no chart; their text is not read.
        least_picture: Smallest picture that may be a chart: its shorter side in pixels.
        picture_points: The same on the page, points.
    """

    objects: int = 200_000
    segments: int = 3_000_000
    depth: int = 12
    side: float = 20_000.0
    least_paths: int = 4
    least_picture: int = 150
    picture_points: float = 90.0


class TooMuchError(Exception):
    """A page is larger than the limits; its text says in what."""


def read_page(page: pdfium.PdfPage, number: int, megapixels: float, limits: PageLimits) -> Drawing:
    """Read a page.

    Args:
        page: The page.
        number: Its number, from 1.
        megapixels: Larger embedded pictures are left out.
        limits: What it may cost.

    Returns:
        The drawing; without texts where there is nothing that could be a chart.

    Raises:
        TooMuchError: The page is too large to be a page of a paper.
    """
    width, height = page.get_size()
    if not (0 < width <= limits.side and 0 < height <= limits.side):
        raise TooMuchError(f"page {number} is {width:.0f} x {height:.0f} points large")
    reader = _Reader(limits, megapixels, number)
    to_page = _page_matrix(page)
    count, get = pdfium_c.FPDFPage_CountObjects(page), pdfium_c.FPDFPage_GetObject
    reader.walk(count, lambda i: get(page, i), to_page, None, 0)
    charts = len(reader.paths) >= limits.least_paths or bool(reader.pictures)
    texts = tuple(_texts(page, to_page, reader.places)) if charts else ()
    return Drawing("pdf", number, width, height, tuple(reader.paths), texts, tuple(reader.pictures))


def _page_matrix(page: pdfium.PdfPage) -> Matrix:
    """Return the matrix from PDF user space to the page as seen: y down, origin at the top left, turned."""
    x0, y0, x1, y1 = page.get_bbox()
    turned = {
        0: [(1, 0), (0, -1), (-x0, y1)],
        90: [(0, 1), (1, 0), (-y0, -x0)],
        180: [(-1, 0), (0, 1), (x1, -y0)],
        270: [(0, -1), (-1, 0), (y1, x1)],
    }
    return np.array(turned[page.get_rotation()], dtype=np.float64)


def _apply(matrix: Matrix, points: FloatArray) -> FloatArray:
    """Return points, (n, 2), in the coordinates that a matrix leads to."""
    return np.asarray(points @ matrix[:2] + matrix[2], dtype=np.float64)


def _compose(inner: Matrix | None, outer: Matrix) -> Matrix:
    """Return the matrix that applies one matrix (None: the identity), then another."""
    if inner is None:
        return outer
    return np.vstack((inner[:2] @ outer[:2], inner[2] @ outer[:2] + outer[2]))


def _matrix_of(item: Any) -> Matrix | None:
    """Return an object's own matrix, None for the identity, which most have."""
    m = pdfium_c.FS_MATRIX()
    pdfium_c.FPDFPageObj_GetMatrix(item, m)
    if (m.a, m.b, m.c, m.d, m.e, m.f) == (1, 0, 0, 1, 0, 0):
        return None
    return np.array([(m.a, m.b), (m.c, m.d), (m.e, m.f)], dtype=np.float64)


def _intersection(a: Box | None, b: Box | None) -> Box | None:
    """Return what two clips leave; a box of no area where they leave nothing."""
    if a is None or b is None:
        return a or b
    x0, y0 = max(a.x0, b.x0), max(a.y0, b.y0)
    return Box(x0, y0, max(min(a.x1, b.x1), x0), max(min(a.y1, b.y1), y0))


def _hull(points: FloatArray) -> Box:
    """Return the box around points, (n, 2)."""
    (x0, y0), (x1, y1) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    return Box(x0, y0, x1, y1)


class _Reader:
    """Gathers the paths and pictures of a page, and counts what they cost."""

    def __init__(self, limits: PageLimits, megapixels: float, number: int) -> None:
        self.limits, self.megapixels, self.number = limits, megapixels, number
        self.paths: list[Path] = []
        self.pictures: list[Picture] = []
        self.places: dict[int, int] = {}  # painting order of text objects by address
        self.objects = self.segments = self.order = 0

    def walk(
        self, count: int, get: Callable[[int], Any], outer: Matrix, clip: Box | None, depth: int
    ) -> None:
        """Read the objects of a page or a form."""
        self.objects += max(count, 0)
        if self.objects > self.limits.objects:
            raise TooMuchError(f"page {self.number} holds more than {self.limits.objects} objects")
        for i in range(count):
            item = get(i)
            kind = pdfium_c.FPDFPageObj_GetType(item)
            self.order += 1
            if kind == pdfium_c.FPDF_PAGEOBJ_PATH:
                self._path(item, outer, clip)
            elif kind == pdfium_c.FPDF_PAGEOBJ_TEXT:
                self.places[ctypes.addressof(item.contents)] = self.order
            elif kind == pdfium_c.FPDF_PAGEOBJ_IMAGE:
                self._picture(item, outer)
            elif kind == pdfium_c.FPDF_PAGEOBJ_FORM:
                if depth == self.limits.depth:
                    raise TooMuchError(f"page {self.number} nests forms more than {depth} deep")
                inner = _compose(_matrix_of(item), outer)
                inside = _intersection(clip, self._clip(item, outer))
                several = pdfium_c.FPDFFormObj_CountObjects(item)
                self.walk(several, _getter(item), inner, inside, depth + 1)

    def _path(self, item: Any, outer: Matrix, clip: Box | None) -> None:
        """Read a path."""
        stroke, fill = _paints(item)
        if stroke is None and fill is None:
            return
        matrix = _compose(_matrix_of(item), outer)
        count = pdfium_c.FPDFPath_CountSegments(item)
        subpaths = tuple(self._subpaths(count, lambda i: pdfium_c.FPDFPath_GetPathSegment(item, i), matrix))
        if not subpaths:
            return
        scale = float(np.sqrt(abs(np.linalg.det(matrix[:2]))))
        width = ctypes.c_float()
        pdfium_c.FPDFPageObj_GetStrokeWidth(item, width)
        self.paths.append(
            Path(
                subpaths,
                stroke[0] if stroke else None,
                fill[0] if fill else None,
                stroke[1] if stroke else 1.0,
                fill[1] if fill else 1.0,
                width.value * scale,
                _dash(item, scale),
                _intersection(clip, self._clip(item, outer)),
                order=self.order,
            )
        )

    def _clip(self, item: Any, outer: Matrix) -> Box | None:
        """Return the rectangle around an object's clip paths' intersection."""
        clip = pdfium_c.FPDFPageObj_GetClipPath(item)
        several = pdfium_c.FPDFClipPath_CountPaths(clip) if clip else 0
        box = None
        for k in range(max(several, 0)):
            count = pdfium_c.FPDFClipPath_CountPathSegments(clip, k)
            parts = list(self._subpaths(count, _clip_getter(clip, k), outer))
            if parts:
                box = _intersection(box, _hull(np.concatenate([p.points for p in parts])))
        return box

    def _subpaths(self, count: int, get: Callable[[int], Any], matrix: Matrix) -> Iterator[Subpath]:
        """Yield the stretches of a path, or of a clip path, on the page."""
        self.segments += max(count, 0)
        if self.segments > self.limits.segments:
            raise TooMuchError(f"page {self.number} holds more than {self.limits.segments} path segments")
        x, y = ctypes.c_float(), ctypes.c_float()
        points: list[tuple[float, float]] = []
        kinds: list[int] = []
        for i in range(count):
            segment = get(i)
            pdfium_c.FPDFPathSegment_GetPoint(segment, x, y)
            kind = pdfium_c.FPDFPathSegment_GetType(segment)
            if kind == pdfium_c.FPDF_SEGMENT_MOVETO and points:
                yield from _subpath(points, kinds, matrix, closed=False)
                points, kinds = [], []
            points.append((x.value, y.value))
            kinds.append(kind)
            if pdfium_c.FPDFPathSegment_GetClose(segment):
                yield from _subpath(points, kinds, matrix, closed=True)
                points, kinds = [], []
        yield from _subpath(points, kinds, matrix, closed=False)

    def _picture(self, item: Any, outer: Matrix) -> None:
        """Read an embedded picture, if it is large enough to show a chart."""
        limits = self.limits
        matrix = _compose(_matrix_of(item), outer)
        box = _hull(_apply(matrix, np.array([(0.0, 0.0), (1, 0), (0, 1), (1, 1)])))
        w, h = ctypes.c_uint(), ctypes.c_uint()
        pdfium_c.FPDFImageObj_GetImagePixelSize(item, w, h)
        small = (
            min(w.value, h.value) < limits.least_picture or min(box.width, box.height) < limits.picture_points
        )
        if small or w.value * h.value > self.megapixels * 1e6:
            return
        raw = pdfium_c.FPDFImageObj_GetBitmap(item)
        if raw:
            image = _upright(_rgb(pdfium.PdfBitmap.from_raw(raw)), matrix)
            self.pictures.append(Picture(box, image))


def _getter(form: Any) -> Callable[[int], Any]:
    """Return the function that gets the objects of a form."""
    return lambda i: pdfium_c.FPDFFormObj_GetObject(form, i)


def _clip_getter(clip: Any, k: int) -> Callable[[int], Any]:
    """Return the function that gets the segments of a clip's path."""
    return lambda i: pdfium_c.FPDFClipPath_GetPathSegment(clip, k, i)


def _subpath(
    points: list[tuple[float, float]], kinds: list[int], matrix: Matrix, *, closed: bool
) -> Iterator[Subpath]:
    """Yield one stretch of a path on the page, its curves flattened; nothing for a lone starting point."""
    if len(points) < 2:
        return
    on_page = _apply(matrix, np.array(points, dtype=np.float64))
    curve = pdfium_c.FPDF_SEGMENT_BEZIERTO
    if curve in kinds:
        on_page, vertices = _flatten(on_page, [k == curve for k in kinds])
    else:
        vertices = np.ones(len(on_page), bool)
    returns = bool(np.abs(on_page[0] - on_page[-1]).max() < 1e-4)
    if returns and len(on_page) > (2 if closed else 3):
        on_page, vertices, closed = on_page[:-1], vertices[:-1], True
    yield Subpath(on_page, vertices, closed)


def _flatten(points: FloatArray, bent: list[bool]) -> tuple[FloatArray, Any]:
    """Replace each three points of a Bézier curve by its polyline."""
    parts, marks = [points[:1]], [True]
    i = 1
    while i < len(points):
        if bent[i] and i + 2 < len(points):
            piece = flatten_cubic(np.vstack((parts[-1][-1:], points[i : i + 3])))
            parts.append(piece)
            marks += [False] * (len(piece) - 1) + [True]
            i += 3
        else:
            parts.append(points[i : i + 1])
            marks.append(True)
            i += 1
    return np.concatenate(parts), np.array(marks, dtype=bool)


def _paints(item: Any) -> tuple[tuple[Colour, float] | None, tuple[Colour, float] | None]:
    """Return (colour, opacity) of a path's line and of its area; None where there is none to be seen."""
    filled, stroked = ctypes.c_int(), ctypes.c_int()
    pdfium_c.FPDFPath_GetDrawMode(item, filled, stroked)
    stroke = _colour(pdfium_c.FPDFPageObj_GetStrokeColor, item) if stroked.value else None
    return stroke, _colour(pdfium_c.FPDFPageObj_GetFillColor, item) if filled.value else None


def _colour(get: Callable[..., int], item: Any) -> tuple[Colour, float] | None:
    """Return a colour and its opacity, None where it is not known (a pattern) or cannot be seen."""
    r, g, b, a = (ctypes.c_uint() for _ in range(4))
    if not get(item, r, g, b, a) or a.value == 0:
        return None
    return (r.value, g.value, b.value), a.value / 255


def _dash(item: Any, scale: float) -> tuple[float, ...]:
    """Return a path's dash pattern in page units."""
    count = pdfium_c.FPDFPageObj_GetDashCount(item)
    if not 0 < count <= 32:
        return ()
    values = (ctypes.c_float * count)()
    pdfium_c.FPDFPageObj_GetDashArray(item, values, count)
    return tuple(float(v) * scale for v in values)


def _rgb(bitmap: pdfium.PdfBitmap) -> Image:
    """Return a bitmap as (height, width, 3) uint8 RGB."""
    array = bitmap.to_numpy()
    if array.ndim == 2:
        array = array[..., None]
    if array.shape[2] < 3:
        return np.repeat(array[..., :1], 3, axis=2)
    return np.ascontiguousarray(array[..., 2::-1] if bitmap.mode.startswith("BGR") else array[..., :3])


def _upright(image: Image, matrix: Matrix) -> Image:
    """Turn a picture as its matrix shows it: its rows run down the page when the second axis points up."""
    across, up = matrix[0], matrix[1]
    if abs(across[0]) < abs(across[1]):  # the picture lies on its side
        image = np.rot90(image) if across[1] < 0 else np.rot90(image, -1)
        return np.ascontiguousarray(image)
    image = image[:, ::-1] if across[0] < 0 else image
    return np.ascontiguousarray(image[::-1] if up[1] > 0 else image)


# --- text -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Run:
    """What the letters of one text object share."""

    size: float
    colour: Colour
    angle: float
    visible: bool


def _texts(page: pdfium.PdfPage, to_page: Matrix, places: Mapping[int, int]) -> Iterator[Text]:
    """Yield the texts of a page, one for each text object; `places` is their painting order by address."""
    text_page = pdfium_c.FPDFText_LoadPage(page)
    if not text_page:
        return
    try:
        runs: dict[int, tuple[_Run, list[Glyph], list[str]]] = {}
        last, space = 0, False
        for i in range(pdfium_c.FPDFText_CountChars(text_page)):
            said = _character(text_page, i)
            item = pdfium_c.FPDFText_GetTextObject(text_page, i)
            key = ctypes.addressof(item.contents) if item else 0
            if not key or said.isspace() or not said:
                space = space or said.isspace()
                continue
            if key not in runs:
                runs[key] = (_run(text_page, i, item, to_page), [], [])
            run, glyphs, letters = runs[key]
            letters += [" ", said] if space and key == last else [said]
            glyphs.append(_glyph(text_page, i, said, run, to_page))
            last, space = key, False
        for key, (run, glyphs, letters) in runs.items():
            if run.visible:
                hull = _hull(np.array([(g.box[k], g.box[k + 1]) for g in glyphs for k in (0, 2)]))
                yield Text(
                    "".join(letters), hull, tuple(glyphs), run.size, run.angle, run.colour, places.get(key, 0)
                )
    finally:
        pdfium_c.FPDFText_ClosePage(text_page)


def _run(text_page: Any, i: int, item: Any, to_page: Matrix) -> _Run:
    """Return what the letters of the text object of a letter share."""
    m = pdfium_c.FS_MATRIX()
    pdfium_c.FPDFText_GetMatrix(text_page, i, m)
    across = np.array([m.a, m.b]) @ to_page[:2]
    scale = float(np.sqrt(abs(m.a * m.d - m.b * m.c)))
    colour = _colour(pdfium_c.FPDFPageObj_GetFillColor, item)
    hidden = pdfium_c.FPDFTextObj_GetTextRenderMode(item) == pdfium_c.FPDF_TEXTRENDERMODE_INVISIBLE
    angle = float(np.degrees(np.arctan2(-across[1], across[0])))
    size = pdfium_c.FPDFText_GetFontSize(text_page, i) * scale
    return _Run(size, colour[0] if colour else (0, 0, 0), angle, not hidden)


def _character(text_page: Any, i: int) -> str:
    """Return a letter; empty where the font does not say which it is."""
    said = chr(pdfium_c.FPDFText_GetUnicode(text_page, i) & 0x10FFFF)
    return "" if said in "\x00\x02\ufffe\uffff" else said


def _glyph(text_page: Any, i: int, said: str, run: _Run, to_page: Matrix) -> Glyph:
    """Return a letter with its place."""
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    pdfium_c.FPDFText_GetCharBox(text_page, i, left, right, bottom, top)
    x, y = ctypes.c_double(), ctypes.c_double()
    pdfium_c.FPDFText_GetCharOrigin(text_page, i, x, y)
    corners = np.array([(left.value, bottom.value), (right.value, top.value)])
    origin = _apply(to_page, np.array([(x.value, y.value)]))[0]
    return Glyph(said, _hull(_apply(to_page, corners)), run.size, (float(origin[0]), float(origin[1])))
