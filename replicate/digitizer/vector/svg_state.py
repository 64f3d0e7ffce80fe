"""What an SVG element inherits: the document, and the state that its ancestors leave it in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from replicate.digitizer.model import Box
from replicate.digitizer.vector.drawing import Colour
from replicate.digitizer.vector.svg_geometry import Matrix, Viewport, parse_length, parse_transform
from replicate.digitizer.vector.svg_style import Element, StyleSheet, inherit, local_name, parse_colour
from replicate.errors import InputError

_URL = re.compile(r"url\(\s*['\"]?([^'\")]*)['\"]?\s*\)\s*(.*)$", re.IGNORECASE)
_XLINK = "{http://www.w3.org/1999/xlink}href"
_SIZES = {"xx-small": 9, "x-small": 10, "small": 13, "medium": 16, "large": 18, "x-large": 24, "xx-large": 32}
_BLACK = ((0, 0, 0), 1.0)


@dataclass(frozen=True)
class State:
    """What holds at an element.

    Attributes:
        matrix: From its user space to the page.
        style: Its inherited properties, as written.
        viewport: What percentages refer to.
        font_size: User units.
        opacity: The product of the groups' opacities.
        baseline_shift: By how much this element's own text is raised, as written.
        clip_path: This element's own clip, as written.
        fixed_width: Whether its lines are as wide as written at any scale.
        clip: The rectangle, in page units, outside of which nothing shows.
        name: Ids and classes of it and its groups.
        symbol: What the outermost `use` or marker draws.
        anchor: Where that one's origin is on the page.
        uses: The ids whose definitions are being drawn.
        depth: How many elements it lies in, definitions included.
    """

    matrix: Matrix
    style: Mapping[str, str]
    viewport: Viewport
    font_size: float = 16.0
    opacity: float = 1.0
    baseline_shift: str = ""
    clip_path: str = ""
    fixed_width: bool = False
    clip: Box | None = None
    name: str = ""
    symbol: str | None = None
    anchor: tuple[float, float] | None = None
    uses: frozenset[str] = field(default_factory=frozenset)
    depth: int = 0

    @property
    def visible(self) -> bool:
        """Whether it shows at all."""
        return self.style.get("visibility", "visible") == "visible" and self.opacity > 0

    def length(self, element: Element, attribute: str, whole: float, default: float = 0.0) -> float:
        """Return the length that an attribute holds, user units; `whole` is what 100 % is."""
        value = parse_length(element.get(attribute), whole, self.font_size)
        return default if value is None else value

    def number(self, name: str, default: float) -> float:
        """Return an inherited property that is a share, such as an opacity, 0 to 1."""
        value = parse_length(self.style.get(name), 1.0)
        return default if value is None else min(max(value, 0.0), 1.0)


class Document:
    """A parsed SVG: its elements by id, and its style sheet."""

    def __init__(self, root: Element, name: str) -> None:
        """Index the document.

        Args:
            root: The `svg` element.
            name: The file's name, for messages.
        """
        self.root, self.name = root, name
        self.by_id: dict[str, Element] = {}
        sheets = []
        for element in root.iter("*"):
            if element.get("id"):
                self.by_id.setdefault(element.get("id"), element)
            if local_name(element) == "style":
                sheets.append("".join(element.itertext()))
        self.sheet = StyleSheet("\n".join(sheets))

    def href(self, element: Element) -> str:
        """Return what an element refers to: "#id", a data URI, or nothing.

        Raises:
            InputError: It refers to another document.
        """
        href = (element.get("href") or element.get(_XLINK) or "").strip()
        if href and not href.startswith(("#", "data:")):
            said = f"{self.name} refers to another file ({href[:60]}), which is not fetched"
            raise InputError(said, "save it with everything inside")
        return href

    def target(self, element: Element) -> tuple[str, Element | None]:
        """Return the id that an element refers to, and the element of that id or None; raises as `href`."""
        key = self.href(element).removeprefix("#")
        return key, self.by_id.get(key)

    def url(self, value: str | None) -> tuple[Element | None, str]:
        """Return the element that "url(#id) rest" names, or None, and the rest."""
        match = _URL.match(value or "")
        return (self.by_id.get(match[1].lstrip("#")), match[2].strip()) if match else (None, "")

    def enter(self, element: Element, state: State) -> State | None:
        """Return the state inside an element, its clip left aside; None where it is not displayed."""
        own = self.sheet.own_style(element)
        if own.get("display") == "none":
            return None
        opacity = parse_length(own.get("opacity"), 1.0)
        words = [w for w in (element.get("id"), element.get("class")) if w]
        return replace(
            state,
            matrix=state.matrix.then_inner(parse_transform(own.get("transform"))),
            style=inherit(state.style, own),
            font_size=_font_size(own.get("font-size"), state.font_size),
            opacity=state.opacity * (1.0 if opacity is None else min(max(opacity, 0.0), 1.0)),
            baseline_shift=own.get("baseline-shift", ""),
            clip_path=own.get("clip-path", ""),
            fixed_width=own.get("vector-effect") == "non-scaling-stroke",
            name="/".join([*([state.name] if state.name else []), *words]),
            depth=state.depth + 1,
        )

    def paint(self, state: State, which: str) -> tuple[Colour, float] | None:
        """Return the colour and opacity of an element's "fill" or "stroke", or None where there is none."""
        value = state.style.get(which, "black" if which == "fill" else "none")
        found = self._colour(value, state.style.get("color", "black"))
        if not found:
            return None
        opacity = found[1] * state.number(f"{which}-opacity", 1.0) * state.opacity
        return (found[0], opacity) if opacity > 0 else None

    def _colour(self, value: str, current: str) -> tuple[Colour, float] | None:
        """Return the colour of a paint; of a gradient or a pattern, the first colour that it holds."""
        if value.lower() == "currentcolor":
            return parse_colour(current) or _BLACK
        if not value.lower().startswith("url("):
            return parse_colour(value)
        server, fallback = self.url(value)
        for part in server.iter("*") if server is not None else ():
            own = self.sheet.own_style(part)
            for key in ("stop-color", "stroke", "fill"):
                colour = parse_colour(own.get(key, "none"))
                if colour:
                    return colour
        return parse_colour(fallback)


def _font_size(value: str | None, inherited: float) -> float:
    """Return a font size in user units."""
    if not value:
        return inherited
    size = parse_length(value, inherited, inherited)
    if size is not None:
        return size
    factor = {"larger": 1.2, "smaller": 1 / 1.2}.get(value)
    return inherited * factor if factor else float(_SIZES.get(value, inherited))
