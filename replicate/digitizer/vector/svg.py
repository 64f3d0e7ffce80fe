"""SVG files to drawings. Nothing outside the file is ever read, and no entity is ever expanded in its text."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

import numpy as np
from lxml import etree

from replicate.digitizer.model import Box
from replicate.digitizer.vector.drawing import Drawing
from replicate.digitizer.vector.svg_geometry import Matrix, Viewport, hull, parse_length, parse_viewbox
from replicate.digitizer.vector.svg_painter import Painter, SvgLimits
from replicate.digitizer.vector.svg_state import Document, State
from replicate.digitizer.vector.svg_style import Element, local_name
from replicate.errors import InputError

MAX_BYTES = 64 << 20  # of the text, decompressed
DEFAULT_SIZE = (300.0, 150.0)  # of a drawing that says nothing and shows nothing


def read_svg(data: bytes, name: str, limits: SvgLimits | None = None) -> Drawing:
    """Read what an SVG shows.

    Args:
        data: The file's bytes; compressed ones (.svgz) are expanded.
        name: The file's name, for messages.
        limits: What the drawing may need before it is refused.

    Returns:
        The drawing in user units of the root, begun at (0, 0).

    Raises:
        InputError: It is no SVG, is damaged, refers to other files, defines entities by entities, uses a definition
            within itself, or passes a limit.
    """
    root = _parse(_decompress(data, name), name)
    document = Document(root, name)
    viewbox = parse_viewbox(root.get("viewBox"))
    declared = _size(root)
    x, y, width, height = viewbox or (0.0, 0.0, *(declared or DEFAULT_SIZE))
    painter = Painter(document, limits or SvgLimits())
    start = State(Matrix(e=-x, f=-y), {}, Viewport(width, height))
    inside = document.enter(root, start)
    if inside is not None:
        with np.errstate(all="ignore"):  # what overflows is not finite, and left out
            painter.paint_children(root, inside)
    if not viewbox and not declared:
        boxes = [
            *(p.box for p in painter.paths),
            *(t.box for t in painter.texts),
            *(p.box for p in painter.pictures),
        ]
        width, height = _reach(boxes)
    return Drawing(
        "svg", None, width, height, tuple(painter.paths), tuple(painter.texts), tuple(painter.pictures)
    )


def _size(root: Element) -> tuple[float, float] | None:
    """Return width and height of the root, where both are said in units of their own."""
    width, height = (
        None if "%" in (root.get(k) or "") else parse_length(root.get(k), 0.0) for k in ("width", "height")
    )
    return (width, height) if width and height and width > 0 and height > 0 else None


def _reach(boxes: list[Box]) -> tuple[float, float]:
    """Return how far to the right and down a drawing without a size reaches."""
    if not boxes:
        return DEFAULT_SIZE
    box = hull(boxes)
    return max(box.x1, 1.0), max(box.y1, 1.0)


def _decompress(data: bytes, name: str) -> bytes:
    """Return the file's text, expanded where it is compressed."""
    if data[:2] == b"\x1f\x8b":
        engine = zlib.decompressobj(wbits=31)
        try:
            data = engine.decompress(data, MAX_BYTES + 1)
        except zlib.error as error:
            raise InputError(f"{name} is a damaged .svgz ({error})", "save it again, uncompressed") from error
        if not engine.eof and len(data) <= MAX_BYTES:
            raise InputError(f"{name} is a truncated .svgz", "save it again, uncompressed")
    if len(data) > MAX_BYTES:
        raise InputError(
            f"{name} holds over {MAX_BYTES >> 20} MiB of text", "save the figure alone, or as PNG"
        )
    return data


def _parse(data: bytes, name: str) -> Element:
    """Return the root element of the text, which must be an SVG without tricks."""
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, huge_tree=False
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        reason = str(error.msg or "no element")
        raise InputError(f"{name} is no readable SVG: {reason}", "save it again") from error
    except ValueError as error:
        raise InputError(f"{name} is no readable SVG: {error}", "save it as UTF-8") from error
    if local_name(root) != "svg":
        raise InputError(
            f"{name} is no SVG: its root is <{local_name(root)}>", "give an SVG, a PDF or a picture"
        )
    for trick in _tricks(root.getroottree()):
        raise InputError(f"{name} {trick}", "save it with everything inside and without entities")
    return root


def _tricks(tree: etree._ElementTree) -> Iterator[str]:
    """Yield what a document does that none should: outside files and entities made of entities."""
    dtd = tree.docinfo.internalDTD
    for entity in dtd.iterentities() if dtd is not None else ():
        if entity.content is None or entity.system_url:
            yield f"takes the entity {entity.name} from another file"
        elif "&" in entity.content:
            yield f"defines the entity {entity.name} by other entities"
    node = tree.getroot().getprevious()
    while node is not None:
        if isinstance(node, etree._ProcessingInstruction) and node.target == "xml-stylesheet":
            yield "takes its style sheet from another file"
        node = node.getprevious()
