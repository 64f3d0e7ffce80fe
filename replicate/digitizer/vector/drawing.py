"""What a page of a PDF or an SVG shows: paths, texts and pictures, in page coordinates.

Both parsers hand over this form, and nothing behind them knows where it came from. Coordinates are those of the page
after all transforms: PDF points, or user units of the SVG's root (its viewBox, shifted so that it begins at 0, 0);
x to the right, y DOWN, origin at the top left. They are exact places, not pixel centres.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from replicate.digitizer.model import Box, FloatArray, Image

BoolArray = NDArray[np.bool_]
Colour = tuple[int, int, int]  # red, green, blue, 0 to 255


@dataclass(frozen=True, eq=False)
class Subpath:
    """One stretch of a path that is drawn without lifting the pen.

    Attributes:
        points: (n, 2) float64 (x, y); Bézier curves and arcs are flattened to 0.05 units or better. A closed subpath
            does not repeat its first point.
        vertices: (n,) bool, True for the points that the file names, False for those that flattening added.
        closed: Whether the path goes back to its first point.
    """

    points: FloatArray
    vertices: BoolArray
    closed: bool


@dataclass(frozen=True, eq=False)
class Path:
    """A drawn path. One that neither strokes nor fills (a clip, an invisible frame) is left out by the parsers.

    Attributes:
        subpaths: Its stretches; at least one, none empty.
        stroke: Colour of its line, or None.
        fill: Colour of its area, or None.
        stroke_opacity: 0 to 1, the group's opacity included.
        fill_opacity: 0 to 1, the group's opacity included.
        width: Width of its line in page units, after all transforms; 0 for the thinnest line there is.
        dash: Lengths of dashes and gaps in page units; empty for a solid line.
        clip: The rectangle outside of which it does not show (the bounding box of the clip paths' intersection), or
            None.
        symbol: Equal for paths that are one definition drawn at several places (SVG `use` of one id, or markers
            `marker-start` etc.; one PDF form XObject); None for a path that was drawn directly.
        anchor: Where the symbol's own origin (0, 0) came to lie on the page; None without a symbol. Plotting
            libraries define markers around their centre, so this is the data point.
        name: Ids and classes of the element and its groups ("figure_1/axes_1/line2d_3"); for diagnosis only.
        order: Its place in the page's painting order, paths and texts counted together.
    """

    subpaths: tuple[Subpath, ...]
    stroke: Colour | None
    fill: Colour | None
    stroke_opacity: float = 1.0
    fill_opacity: float = 1.0
    width: float = 1.0
    dash: tuple[float, ...] = ()
    clip: Box | None = None
    symbol: str | None = None
    anchor: tuple[float, float] | None = None
    name: str = ""
    order: int = 0

    @property
    def box(self) -> Box:
        """The hull of its points, its line's width left out."""
        points = np.concatenate([s.points for s in self.subpaths])
        (x0, y0), (x1, y1) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
        return Box(x0, y0, x1, y1)


@dataclass(frozen=True)
class Glyph:
    """A letter on the page.

    Attributes:
        text: Its character (a ligature: several).
        box: Where it stands; where the font is not known, guessed from its size and usual widths.
        size: Its font size in page units: smaller for exponents.
        origin: (x, y) of its place on the baseline: raised for exponents.
    """

    text: str
    box: Box
    size: float
    origin: tuple[float, float]


@dataclass(frozen=True)
class Text:
    """A run of letters in one direction, as the file groups them (one text element, one PDF text object).

    Attributes:
        text: Its characters in reading order, spaces included.
        box: The hull of its glyphs.
        glyphs: Its letters; spaces may be left out.
        size: Its usual font size, page units.
        angle: Direction of reading, degrees counter-clockwise as seen on the page: 0 to the right, 90 upwards.
        colour: Its colour.
        order: Its place in the page's painting order, paths and texts counted together.
    """

    text: str
    box: Box
    glyphs: tuple[Glyph, ...]
    size: float
    angle: float = 0.0
    colour: Colour = (0, 0, 0)
    order: int = 0


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture that is embedded in the page.

    Attributes:
        box: Where it stands on the page.
        image: (height, width, 3) uint8 RGB at its own resolution, upright as on the page, on an opaque ground.
    """

    box: Box
    image: Image


@dataclass(frozen=True, eq=False)
class Drawing:
    """A page.

    Attributes:
        kind: "pdf" or "svg".
        page: The page of a PDF, from 1, or None.
        width: Width of the page, page units.
        height: Height of the page, page units.
        paths: In painting order.
        texts: In painting order.
        pictures: In painting order; taken to lie under the paths.
    """

    kind: Literal["pdf", "svg"]
    page: int | None
    width: float
    height: float
    paths: tuple[Path, ...]
    texts: tuple[Text, ...]
    pictures: tuple[Picture, ...] = ()
