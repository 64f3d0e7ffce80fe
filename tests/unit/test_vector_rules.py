"""Rules that are underscores."""

import numpy as np

from replicate.digitizer.model import Box
from replicate.digitizer.vector.drawing import Drawing, Glyph, Path, Subpath, Text
from replicate.digitizer.vector.lettering import join_letters
from replicate.digitizer.vector.rules import underscores


def page(rule_y: float = 50.0, *, order: int = 1) -> Drawing:
    """Return "d", a rule from 15.5 to 18.5, and "model" on the baseline 50, in letters of size 10."""
    texts = tuple(
        Text(word, Box(x, 43, x + 5 * len(word), 50), _glyphs(word, x), 10.0, order=place)
        for word, x, place in (("d", 10.0, 0), ("model", 19.0, 2))
    )
    line = Subpath(np.array([[15.5, rule_y], [18.5, rule_y]]), np.ones(2, bool), False)
    path = Path((line,), (0, 0, 0), None, width=0.4, order=order)
    return Drawing("pdf", 1, 100, 100, (path,), texts)


def _glyphs(word: str, x: float) -> tuple[Glyph, ...]:
    """Return letters 5 wide."""
    return tuple(
        Glyph(c, Box(x + 5 * i, 43, x + 5 * i + 5, 50), 10.0, (x + 5 * i, 50.0)) for i, c in enumerate(word)
    )


def test_a_rule_between_two_words_joins_them() -> None:
    drawing = page()
    (rule,) = underscores(drawing)
    assert (rule.text, rule.box, rule.glyphs[0].origin) == ("_", (15.5, 50, 18.5, 50), (15.5, 50))
    assert [t.text.text for t in join_letters([*drawing.texts, rule])] == ["d_model"]


def test_a_dash_at_half_height_and_a_line_drawn_elsewhere_are_none() -> None:
    assert underscores(page(rule_y=46.5)) == []
    assert underscores(page(order=7)) == []
