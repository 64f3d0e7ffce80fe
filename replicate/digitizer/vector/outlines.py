"""Text that was drawn as outlines: its shapes are gathered to words, drawn large, and read as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from replicate.digitizer import ocr
from replicate.digitizer.model import Box, TextBox
from replicate.digitizer.vector.drawing import Drawing, Path
from replicate.digitizer.vector.lettering import Lettering
from replicate.digitizer.vector.render import render


@dataclass(frozen=True)
class OutlineSettings:
    """Thresholds; lengths as shares of the usual letter's height where not said otherwise.

    Attributes:
        numbers: A page with at least so many texts that hold digits has no outlined labels.
        letters: Fewest shapes that may be letters.
        most: Most shapes that may be letters: maps and clouds of points have more.
        small: Smallest letter, as a share of the page's smaller side.
        large: Largest letter, likewise.
        dark: Greatest brightness of a letter's colour, 0 to 255.
        space: Widest gap in a word.
        level: Least share of the smaller one's height that two letters of a word have in common.
        pixels: Height that letters are drawn in, pixels.
        megapixels: Largest picture that is drawn.
    """

    numbers: int = 4
    letters: int = 8
    most: int = 6000
    small: float = 0.004
    large: float = 0.08
    dark: float = 200.0
    space: float = 0.62
    level: float = 0.25
    pixels: float = 26.0
    megapixels: float = 24.0


def has_outlined_text(drawing: Drawing, settings: OutlineSettings | None = None) -> bool:
    """Whether a page has shapes that may be letters, and hardly any text."""
    settings = settings or OutlineSettings()
    numbers = sum(any(c.isdigit() for c in t.text) for t in drawing.texts)
    return (
        numbers < settings.numbers and settings.letters <= len(_letters(drawing, settings)) <= settings.most
    )


def read_outlined(drawing: Drawing, settings: OutlineSettings | None = None) -> list[Lettering]:
    """Read text that was drawn as outlines.

    Args:
        drawing: The page.
        settings: Thresholds.

    Returns:
        Words, in the drawing's units; words that run upwards are left out.
    """
    settings = settings or OutlineSettings()
    boxes = _letters(drawing, settings)
    if not boxes:
        return []
    usual = float(np.median([b.height for b in boxes]))
    words = _words(boxes, usual, settings)
    area = drawing.width * drawing.height
    scale = min(settings.pixels / usual, float(np.sqrt(settings.megapixels * 1e6 / area)))
    image = render(drawing, scale, texts=False)
    found = ocr.read_crops(image, [Box(*(v * scale - 0.5 for v in w)) for w in words])
    return [
        Lettering(
            TextBox(t.text, w, t.score, False, t.alternatives), 1.35 * usual, 0.0, (0, 0, 0), k, certain=False
        )
        for k, (t, w) in enumerate(zip(found, words, strict=True))
        if t.text.strip()
    ]


def _letters(drawing: Drawing, settings: OutlineSettings) -> list[Box]:
    """Return the boxes of shapes that may be letters: small dark areas without a border, with some corners."""
    side = min(drawing.width, drawing.height)
    found = []
    for path in drawing.paths:
        if not _may_be_letters(path, settings):
            continue
        box = path.box
        if max(box.width, box.height) <= settings.large * side:
            found.append(box)
        elif len(path.subpaths) > 2:  # a whole word as one path
            hulls = [s.points for s in path.subpaths]
            found += [Box(*p.min(axis=0).tolist(), *p.max(axis=0).tolist()) for p in hulls]
    sized = [b for b in found if settings.small * side <= max(b.width, b.height) <= settings.large * side]
    return list(dict.fromkeys(sized))


def _may_be_letters(path: Path, settings: OutlineSettings) -> bool:
    """Whether a path is painted as letters are."""
    dark = path.fill is not None and sum(path.fill) / 3 <= settings.dark
    corners = sum(len(s.points) for s in path.subpaths)
    return dark and path.stroke is None and corners >= 4


def _words(letters: Sequence[Box], usual: float, settings: OutlineSettings) -> list[Box]:
    """Join letters to words, from left to right."""
    words: list[Box] = []
    for letter in sorted(letters, key=lambda b: b.x0):
        home = None
        for k in range(len(words) - 1, -1, -1):
            gap = letter.x0 - words[k].x1
            if gap <= settings.space * usual and _level(words[k], letter, settings.level):
                home = k
                break
        if home is None:
            words.append(letter)
        else:
            w = words[home]
            words[home] = Box(
                min(w.x0, letter.x0), min(w.y0, letter.y0), max(w.x1, letter.x1), max(w.y1, letter.y1)
            )
    return words


def _level(word: Box, letter: Box, least: float) -> bool:
    """Whether a letter stands in the line of a word; raised exponents and dots do in part."""
    shared = min(word.y1, letter.y1) - max(word.y0, letter.y0)
    return shared >= least * min(word.height, letter.height)
