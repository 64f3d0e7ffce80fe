"""Walks an SVG in painting order and collects what it shows."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from replicate.digitizer.model import Box
from replicate.digitizer.vector import svg_path
from replicate.digitizer.vector.drawing import Colour, Path, Picture, Subpath, Text
from replicate.digitizer.vector.svg_crisp import BACK, is_crisp_axis
from replicate.digitizer.vector.svg_geometry import (
    Matrix,
    hull,
    intersect,
    numbers,
    parse_length,
)
from replicate.digitizer.vector.svg_image import read_image
from replicate.digitizer.vector.svg_markers import marker_places
from replicate.digitizer.vector.svg_outlines import find_outlined, read_outlined
from replicate.digitizer.vector.svg_state import Document, State
from replicate.digitizer.vector.svg_style import Element, local_name
from replicate.digitizer.vector.svg_text import read_foreign, read_text
from replicate.digitizer.vector.svg_viewports import nested, within_marker
from replicate.errors import InputError

SVG = "http://www.w3.org/2000/svg"
SHAPES = frozenset(("path", "rect", "circle", "ellipse", "line", "polyline", "polygon"))
GROUPS = frozenset(("g", "a", "svg", "switch"))
NO_AREA = Box(0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class SvgLimits:
    """What a drawing may need before it is refused.

    Attributes:
        elements: Drawn elements, each use of a definition counted.
        points: Points of all paths.
        letters: Of all texts.
        pixels: Of all pictures.
        depth: Elements within one another, definitions included.
        seconds: Of reading.
    """

    elements: int = 300_000
    points: int = 10_000_000
    letters: int = 200_000
    pixels: int = 100_000_000
    depth: int = 100
    seconds: float = 20.0


class Painter:
    """Collects the paths, texts and pictures of a document."""

    def __init__(self, document: Document, limits: SvgLimits) -> None:
        """Start with nothing drawn."""
        self.paths: list[Path] = []
        self.texts: list[Text] = []
        self.pictures: list[Picture] = []
        self._document, self._limits = document, limits
        self._outlined = find_outlined(document)
        self._elements = self._points = self._letters = self._pixels = 0
        self._deadline = time.monotonic() + limits.seconds

    def paint(self, element: Element, state: State) -> None:
        """Draw an element and all that is in it.

        Args:
            element: Of the document.
            state: The state outside of it.

        Raises:
            InputError: A limit is passed, a definition uses itself, or another file is referred to.
        """
        kind = local_name(element)
        if not kind or not _is_svg(element):
            return
        self._count(state)
        if kind not in SHAPES | GROUPS | {"use", "text", "image", "foreignObject"}:
            return
        inside = self._enter(element, state)
        if inside is None or inside.clip == NO_AREA or not all(map(math.isfinite, inside.matrix)):
            return
        if kind in ("g", "path") and is_crisp_axis(element):
            inside = replace(inside, matrix=inside.matrix.then_inner(BACK))
        if kind in SHAPES:
            self._shape(element, inside)
        elif kind == "use":
            self._use(element, inside)
        elif kind in GROUPS:
            self._group(element, nested(element, inside) if kind == "svg" else inside)
        elif inside.visible:
            self._leaf(kind, element, inside)

    def paint_children(self, element: Element, state: State) -> None:
        """Draw what is in an element, `state` being that inside of it."""
        self._group(element, state)

    def _leaf(self, kind: str, element: Element, state: State) -> None:
        """Draw a text or a picture."""
        if kind == "image":
            picture = read_image(element, state, self._document)
            if picture and _shows(picture.box, state.clip):
                self._pixels += picture.image.shape[0] * picture.image.shape[1]
                self._count(state)
                self.pictures.append(picture)
            return
        self._letters += sum(map(len, element.itertext()))
        self._count(state)
        read = read_text if kind == "text" else read_foreign
        found = read(element, state, self._document.enter, self._letter_colour)
        for text in found:
            self._add_text(text, state)

    def _add_text(self, text: Text, state: State) -> None:
        """Add a text unless it is clipped away."""
        if _shows(text.box, state.clip):
            self.texts.append(replace(text, order=self._order))

    @property
    def _order(self) -> int:
        """The place in the painting order of what is drawn next."""
        return len(self.paths) + len(self.texts)

    def _letter_colour(self, state: State) -> Colour | None:
        """Return the colour of letters: their fill, else their outline; None where they do not show."""
        paint = self._document.paint(state, "fill") or self._document.paint(state, "stroke")
        return paint[0] if paint and state.visible else None

    def _count(self, state: State) -> None:
        """Hold an element against the limits."""
        self._elements += 1
        limits, name = self._limits, self._document.name
        if state.depth > limits.depth:
            raise InputError(
                f"{name} has elements nested over {limits.depth} deep", "save it without nested groups"
            )
        needed = (self._elements, self._points, self._letters, self._pixels)
        allowed = (limits.elements, limits.points, limits.letters, limits.pixels)
        if any(n > most for n, most in zip(needed, allowed, strict=True)):
            raise InputError(f"{name} draws too many elements", "save the figure alone, or as PNG")
        if time.monotonic() > self._deadline:
            raise InputError(f"{name} takes over {limits.seconds:.0f} s to read", "save it as PNG")

    def _enter(self, element: Element, state: State) -> State | None:
        """Return the state inside an element, clipped."""
        inside = self._document.enter(element, state)
        clip_path = inside.clip_path if inside else ""
        if inside is None or not clip_path:
            return inside
        target, _ = self._document.url(clip_path)
        if target is None or local_name(target) != "clipPath":
            return inside
        return replace(inside, clip=intersect(inside.clip, self._clip_box(target, element, inside)))

    def _clip_box(self, clip: Element, element: Element, state: State) -> Box:
        """Return the box of a clip path, in page units."""
        self._count(state)
        if clip.get("clipPathUnits") == "objectBoundingBox":
            outlines = list(self._outlines(element, replace(state, matrix=Matrix())))
            if not outlines:
                return state.clip or Box(-np.inf, -np.inf, np.inf, np.inf)
            own = hull([_box_of(s) for s in outlines])
            unit = Matrix(own.width, 0, 0, own.height, own.x0, own.y0)
            state = replace(state, matrix=state.matrix.then_inner(unit))
        inside = self._enter(clip, replace(state, clip=None, depth=state.depth + 1))
        if inside is None:
            return NO_AREA
        boxes = []
        for child in clip:
            child_state = self._enter(child, replace(inside, clip=None)) if _is_svg(child) else None
            found = [_box_of(s) for s in self._outlines(child, child_state)] if child_state else []
            if found and child_state:
                boxes.append(intersect(hull(found), child_state.clip) or NO_AREA)
        area = hull(boxes) if boxes else NO_AREA
        return intersect(area, inside.clip) or NO_AREA

    def _outlines(self, element: Element, state: State) -> Iterator[Subpath]:
        """Yield the outlines of a shape or of what a `use` element refers to, for clipping."""
        if local_name(element) != "use":
            yield from self._subpaths(element, state)
            return
        target, inside = self._used(element, state)
        if target is not None:
            within = self._enter(target, inside)
            if within is not None:
                yield from self._outlines(target, within)

    def _subpaths(self, element: Element, state: State) -> tuple[Subpath, ...]:
        """Return a shape's subpaths on the page."""
        kind, matrix, (width, height) = local_name(element), state.matrix, state.viewport
        if kind == "path":
            return svg_path.parse_path(element.get("d") or "", matrix)
        if kind in ("polyline", "polygon"):
            return svg_path.polyline(numbers(element.get("points") or ""), matrix, closed=kind == "polygon")

        def lengths(across: str, down: str) -> tuple[float, float]:
            """Return a horizontal and a vertical length of the shape."""
            return state.length(element, across, width), state.length(element, down, height)

        if kind == "line":
            return svg_path.polyline([*lengths("x1", "y1"), *lengths("x2", "y2")], matrix, closed=False)
        if kind == "circle":
            r = state.length(element, "r", math.hypot(width, height) / math.sqrt(2))
            return svg_path.ellipse(*lengths("cx", "cy"), r, r, matrix)
        rx, ry = lengths("rx", "ry")
        rx, ry = (rx if element.get("rx") else ry), (ry if element.get("ry") else rx)
        if kind == "ellipse":
            return svg_path.ellipse(*lengths("cx", "cy"), rx, ry, matrix)
        if kind == "rect":
            return svg_path.rectangle(*lengths("x", "y"), *lengths("width", "height"), rx, ry, matrix)
        return ()

    def _shape(self, element: Element, state: State) -> None:
        """Draw a shape and its markers."""
        subpaths = self._subpaths(element, state)
        self._points += sum(len(s.points) for s in subpaths)
        if not subpaths:
            return
        if state.visible:
            self._draw(element, subpaths, state)
        kind = local_name(element)
        if kind in ("path", "line", "polyline", "polygon"):
            self._markers(subpaths, state)

    def _draw(self, element: Element, subpaths: tuple[Subpath, ...], state: State) -> None:
        """Add a path with its paint."""
        style, paint = state.style, self._document.paint
        grown = 1.0 if state.fixed_width else state.matrix.scale
        diagonal = float(np.hypot(*state.viewport)) / 2**0.5
        width = parse_length(style.get("stroke-width"), diagonal, state.font_size)
        width = 1.0 if width is None else width
        stroke = paint(state, "stroke") if width > 0 else None
        fill = paint(state, "fill") if local_name(element) != "line" else None
        if not stroke and not fill:
            return
        dash = _dash(style.get("stroke-dasharray"), diagonal, state.font_size, grown)
        self.paths.append(
            Path(
                subpaths,
                stroke[0] if stroke else None,
                fill[0] if fill else None,
                stroke[1] if stroke else 1.0,
                fill[1] if fill else 1.0,
                width * grown,
                dash,
                state.clip,
                state.symbol,
                state.anchor,
                state.name,
                self._order,
            )
        )

    def _markers(self, subpaths: tuple[Subpath, ...], state: State) -> None:
        """Draw the markers of a shape at its vertices."""
        urls = {w: state.style.get(f"marker-{w}", "none") for w in ("start", "mid", "end")}
        markers = {w: m for w, url in urls.items() if (m := self._document.url(url)[0]) is not None}
        if not markers:
            return
        width = parse_length(state.style.get("stroke-width"), 1.0, state.font_size)
        width = 1.0 if width is None else width
        for which, x, y, angle in marker_places(subpaths):
            marker = markers.get(which)
            key = marker.get("id") if marker is not None else ""
            if marker is None or key in state.uses:
                continue
            placed = within_marker(marker, state, (x, y), angle, width)
            fresh = replace(
                placed,
                symbol=state.symbol or f"marker {key}",
                anchor=state.anchor or (x, y),
                uses=state.uses | {key},
                depth=state.depth + 1,
            )
            inside = self._enter(marker, fresh)
            if inside is not None:
                self._group(marker, inside)

    def _group(self, element: Element, state: State) -> None:
        """Draw the children of an element."""
        outlined = self._outlined.get(element)
        colour = self._letter_colour(state)
        if outlined and colour:
            text = read_outlined(outlined, state, self._document, colour)
            if text:
                return self._add_text(text, state)
        for child in element:
            self.paint(child, state)
            if local_name(element) == "switch" and local_name(child):
                return  # the first alternative is the one that is meant

    def _used(self, element: Element, state: State) -> tuple[Element | None, State]:
        """Return what a `use` element refers to, and the state outside of it there."""
        key, target = self._document.target(element)
        if key in state.uses:
            raise InputError(
                f"{self._document.name} holds a definition that uses itself (#{key})", "save it anew"
            )
        x, y = (
            state.length(element, "x", state.viewport.width),
            state.length(element, "y", state.viewport.height),
        )
        matrix = state.matrix.then_inner(Matrix(e=x, f=y))
        return target, replace(
            state,
            matrix=matrix,
            symbol=state.symbol or key,
            anchor=state.anchor or matrix.point(0.0, 0.0),
            uses=state.uses | {key},
        )

    def _use(self, element: Element, state: State) -> None:
        """Draw what a `use` element refers to."""
        target, inside = self._used(element, state)
        if target is None or local_name(target) not in ("symbol", "svg"):
            if target is not None:
                self.paint(target, inside)
            return
        self._count(inside)
        within = self._enter(target, inside)
        if within is not None:
            view = state.viewport
            lengths = [
                parse_length(element.get(k), getattr(view, k), state.font_size) for k in ("width", "height")
            ]
            width, height = (
                own if own is not None else within.length(target, key, getattr(view, key), getattr(view, key))
                for own, key in zip(lengths, ("width", "height"), strict=True)
            )
            self._group(target, nested(target, within, (width, height)))


def _is_svg(element: Element) -> bool:
    """Return whether an element is one of SVG: of its namespace, or of none."""
    return isinstance(element.tag, str) and (element.tag[0] != "{" or element.tag.startswith(f"{{{SVG}}}"))


def _box_of(subpath: Subpath) -> Box:
    """Return the hull of a subpath."""
    (x0, y0), (x1, y1) = subpath.points.min(axis=0).tolist(), subpath.points.max(axis=0).tolist()
    return Box(x0, y0, x1, y1)


def _shows(box: Box, clip: Box | None) -> bool:
    """Return whether a clip leaves the middle of a box."""
    return clip is None or clip.holds(box)


def _dash(text: str | None, whole: float, font_size: float, grown: float) -> tuple[float, ...]:
    """Return dashes and gaps in page units; nothing for a solid line."""
    words = (text or "").replace(",", " ").split()
    lengths = [v for w in words if (v := parse_length(w, whole, font_size)) is not None]
    if not any(lengths) or len(lengths) < len(words) or min(lengths) < 0:
        return ()
    return tuple(v * grown for v in (lengths * 2 if len(lengths) % 2 else lengths))
