"""A page made ready for reading: brought to one size, its texts joined, its straight strokes sorted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from replicate.digitizer.model import Box, FloatArray
from replicate.digitizer.vector import scale
from replicate.digitizer.vector.drawing import Drawing, Path
from replicate.digitizer.vector.lettering import Lettering, join_letters
from replicate.digitizer.vector.rules import underscores
from replicate.digitizer.vector.segments import Strokes, straight_strokes


@dataclass(frozen=True, eq=False)
class Page:
    """A page in units in which its text is about 20 high.

    Attributes:
        drawing: The page, scaled.
        factor: What its coordinates were multiplied by.
        texts: Its texts.
        level: Its level straight strokes.
        upright: Its upright straight strokes.
    """

    drawing: Drawing
    factor: float
    texts: tuple[Lettering, ...]
    level: Strokes
    upright: Strokes

    @cached_property
    def hulls(self) -> FloatArray:
        """The box of each path, (n, 4)."""
        return np.array([p.box for p in self.drawing.paths], dtype=np.float64).reshape(-1, 4)

    def within(self, box: Box, slack: float = 0.0) -> list[int]:
        """Return the paths whose box lies inside of a box, to some slack."""
        h = self.hulls
        inside = (h[:, 0] >= box.x0 - slack) & (h[:, 1] >= box.y0 - slack)
        inside &= (h[:, 2] <= box.x1 + slack) & (h[:, 3] <= box.y1 + slack)
        return np.flatnonzero(inside).tolist()

    def touching(self, box: Box) -> list[int]:
        """Return the paths whose box meets a box."""
        h = self.hulls
        meets = (h[:, 0] <= box.x1) & (h[:, 2] >= box.x0) & (h[:, 1] <= box.y1) & (h[:, 3] >= box.y0)
        return np.flatnonzero(meets).tolist()


def make_page(drawing: Drawing, outlined: Sequence[Lettering] = ()) -> Page:
    """Return a drawing made ready for reading.

    Args:
        drawing: The page.
        outlined: Texts that were read from outlines, in the drawing's units.
    """
    usual = outlined[0].size if outlined else scale.usual_size(drawing)
    factor = scale.TEXT_HEIGHT / usual
    sized = scale.scaled(drawing, factor)
    sized = replace(sized, paths=tuple(part for path in sized.paths for part in _apart(path)))
    level, upright = straight_strokes(sized)
    texts = (*join_letters([*sized.texts, *underscores(sized)]), *(_sized(t, factor) for t in outlined))
    return Page(sized, factor, texts, level, upright)


def _sized(item: Lettering, factor: float) -> Lettering:
    """Return a text in the page's units."""
    box = scale.scale_box(item.text.box, factor)
    return replace(item, text=replace(item.text, box=box), size=item.size * factor)


def _apart(path: Path, small: float = 30.0) -> Iterator[Path]:
    """Yield the stretches of a drawn line, each as a path of its own: some programs draw a curve and its key at once.

    What has an area, or is as small as a marker, stays whole.
    """
    box = path.box
    if path.fill is not None or len(path.subpaths) == 1 or max(box.width, box.height) <= small:
        yield path
    else:
        yield from (replace(path, subpaths=(s,)) for s in path.subpaths)
