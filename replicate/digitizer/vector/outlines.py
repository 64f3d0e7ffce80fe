"""Text that was drawn as outlines: its shapes are gathered to words, drawn large, and read as a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from replicate.digitizer import ocr
from replicate.digitizer.model import Box, TextBox
from replicate.digitizer.vector.drawing import Drawing, Path
from replicate.digitizer.vector.lettering import Lettering
from replicate.digitizer.vector.render import render
from replicate.digitizer.vector.svg_geometry import hull


@dataclass(frozen=True)
class _Letter:
    """A shape that may be a letter: its box, its place in the painting order, and its origin where that is known."""

    box: Box
    order: int
    origin: tuple[float, float] | None


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
        run: Widest gap between two letters of a text that are drawn one after another.
        back: How far the second may reach back into the first.
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
    run: float = 0.8
    back: float = 0.3
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
        Words, level or upwards, in the drawing's units.
    """
    settings = settings or OutlineSettings()
    letters = _letters(drawing, settings)
    if not letters:
        return []
    usual = float(np.median([max(letter.box.height, letter.box.width) for letter in letters]))
    level, upwards = _runs(letters, usual, settings)
    words = [*_words(level, usual, settings), *upwards]
    area = drawing.width * drawing.height
    scale = min(settings.pixels / usual, float(np.sqrt(settings.megapixels * 1e6 / area)))
    image = render(drawing, scale, texts=False)
    found = ocr.read_crops(image, [Box(*(v * scale - 0.5 for v in w)) for w in words])
    return [
        Lettering(
            TextBox(t.text, w, t.score, w in upwards, t.alternatives),
            1.35 * usual,
            90.0 if w in upwards else 0.0,
            (0, 0, 0),
            k,
            certain=False,
        )
        for k, (t, w) in enumerate(zip(found, words, strict=True))
        if t.text.strip()
    ]


def _letters(drawing: Drawing, settings: OutlineSettings) -> list[_Letter]:
    """Return the shapes that may be letters: small dark areas without a border, with some corners."""
    side = min(drawing.width, drawing.height)
    found: list[_Letter] = []
    for path in drawing.paths:
        if not _may_be_letters(path, settings):
            continue
        box = path.box
        if max(box.width, box.height) <= settings.large * side:
            found.append(_Letter(box, path.order, path.anchor))
        elif len(path.subpaths) > 2:  # a whole word as one path
            hulls = [s.points for s in path.subpaths]
            boxes = [Box(*p.min(axis=0).tolist(), *p.max(axis=0).tolist()) for p in hulls]
            found += [_Letter(b, path.order, None) for b in boxes]
    by_box = {f.box: f for f in found}
    small, large = settings.small * side, settings.large * side
    letters = [f for b, f in by_box.items() if small <= max(b.width, b.height) <= large]
    by_order = {f.order: f.box for f in letters}
    dots = [f for b, f in by_box.items() if max(b.width, b.height) < small and _is_dot(f, by_order)]
    return [*letters, *dots]


def _is_dot(shape: _Letter, letters: Mapping[int, Box]) -> bool:
    """Whether a shape too small for a letter is drawn between two, and close to both: a decimal point, say."""
    before, after = letters.get(shape.order - 1), letters.get(shape.order + 1)
    if before is None or after is None:
        return False
    return all(
        abs(a - b) <= max(before.height, before.width)
        for box in (before, after)
        for a, b in zip(shape.box.centre, box.centre, strict=True)
    )


def _may_be_letters(path: Path, settings: OutlineSettings) -> bool:
    """Whether a path is painted as letters are."""
    dark = path.fill is not None and sum(path.fill) / 3 <= settings.dark
    corners = sum(len(s.points) for s in path.subpaths)
    return dark and path.stroke is None and corners >= 4


def _runs(letters: Sequence[_Letter], usual: float, settings: OutlineSettings) -> tuple[list[Box], list[Box]]:
    """Join letters that are drawn one after another and follow closely: to the right, or upwards.

    Returns:
        The boxes of level runs and single letters, and those of runs upwards.
    """
    runs: list[tuple[str, list[_Letter]]] = []
    for letter in sorted(letters, key=lambda e: e.order):
        kind, run = runs[-1] if runs else ("", [])
        link = _link(run[-1], letter, usual, settings) if run else ""
        if link and kind in ("", link):
            runs[-1] = (link, [*run, letter])
        else:
            runs.append(("", [letter]))
    hulls = [(kind, hull([e.box for e in run])) for kind, run in runs]
    return [b for kind, b in hulls if kind != "up"], [b for kind, b in hulls if kind == "up"]


def _link(one: _Letter, other: _Letter, usual: float, settings: OutlineSettings) -> str:
    """Return whether a letter continues another to the right ("level") or upwards ("up"), or not at all ("")."""
    if other.order - one.order != 1:
        return ""
    a, b = one.box, other.box
    least, most = -settings.back * usual, settings.run * usual
    if one.origin and other.origin:
        on_level = abs(one.origin[1] - other.origin[1]) <= 0.05 * usual
        on_upright = abs(one.origin[0] - other.origin[0]) <= 0.05 * usual
    else:
        on_level = _level(a, b, settings.level)
        on_upright = min(a.x1, b.x1) - max(a.x0, b.x0) >= settings.level * min(a.width, b.width)
    if on_level and least <= b.x0 - a.x1 <= most:
        return "level"
    return "up" if on_upright and least <= a.y0 - b.y1 <= most else ""


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
