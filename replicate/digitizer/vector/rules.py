"""Letters that a program draws as lines: TeX's underscore is a rule between two words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from replicate.digitizer.model import Box
from replicate.digitizer.vector.drawing import Drawing, Glyph, Path, Text


@dataclass(frozen=True)
class RuleSettings:
    """Sizes, in font sizes.

    Attributes:
        shortest: Shortest underscore, and
        longest: longest.
        thick: Thickest.
        gap: Widest gap between it and the words on both sides.
        high: How far above the baseline it may lie, and
        low: how far below.
    """

    shortest: float = 0.2
    longest: float = 0.7
    thick: float = 0.12
    gap: float = 0.25
    high: float = 0.1
    low: float = 0.35


def underscores(drawing: Drawing, settings: RuleSettings | None = None) -> list[Text]:
    """Return the rules that are underscores: drawn between two texts of one line, and close to both.

    Args:
        drawing: The page.
        settings: Sizes.
    """
    settings = settings or RuleSettings()
    by_order = {t.order: t for t in drawing.texts if t.glyphs and t.angle == 0}
    found = (_underscore(p, by_order, settings) for p in drawing.paths)
    return [text for text in found if text]


def _underscore(path: Path, texts: Mapping[int, Text], settings: RuleSettings) -> Text | None:
    """Return a path as the underscore that it is, or None."""
    before, after = texts.get(path.order - 1), texts.get(path.order + 1)
    if before is None or after is None:
        return None
    box, size, (_, baseline) = path.box, before.size, before.glyphs[-1].origin
    thick = box.height + (path.width if path.stroke else 0.0)
    if (
        thick > settings.thick * size
        or not settings.shortest * size <= box.width <= settings.longest * size
        or not -settings.high * size <= box.centre[1] - baseline <= settings.low * size
        or abs(after.glyphs[0].origin[1] - baseline) > 0.05 * size
        or max(abs(box.x0 - before.box.x1), abs(after.box.x0 - box.x1)) > settings.gap * size
    ):
        return None
    place = Box(box.x0, box.y0, box.x1, box.y1)
    glyph = Glyph("_", place, size, (box.x0, baseline))
    return Text("_", place, (glyph,), size, 0.0, before.colour, path.order)
