"""Words of a page: letters joined to labels and names, raised exponents kept apart.

Programs cut their texts as they like: a word, a line, a letter or a number and its exponent. Here a text object is
cut where a gap is wider than any space, and joined with what is drawn next and follows closely on the same line.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from replicate.digitizer.model import Box, TextBox
from replicate.digitizer.vector.drawing import Colour, Glyph, Text

CAPITAL = 0.72  # usual height of capitals and digits, in font sizes
_TIMES = re.compile("£(?= ?10)")  # Computer Modern's times sign, by fonts that do not name it
_POINT = re.compile(r"(?<=\d) ?\. ?(?=\d)")  # formulas set a decimal point apart
_RAISED = str.maketrans("0123456789-−+", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻⁺")


@dataclass(frozen=True)
class LetteringSettings:
    """Thresholds of the joining, in font sizes.

    Attributes:
        cut: A gap wider than this ends a text.
        join: A gap up to this joins two text objects of one line, and up to
        operator: this around a times sign.
        overlap: How far the second may reach back into the first.
        space: A gap of at least this between two text objects is a space.
        line: How far the baselines of one text may be apart (raised exponents are).
        raised: A letter raised by this, and
        small: smaller by this factor than the text, is an exponent.
    """

    cut: float = 1.6
    join: float = 0.38
    operator: float = 0.75
    overlap: float = 0.25
    space: float = 0.28
    line: float = 0.75
    raised: float = 0.18
    small: float = 0.87


@dataclass(frozen=True)
class Lettering:
    """A joined text.

    Attributes:
        text: As raster stages know it: its box, its text ("10²") and other spellings ("10^2").
        size: Its font size, page units.
        angle: Direction of reading, degrees counter-clockwise.
        colour: Its colour.
        order: Its place in the page's painting order.
        certain: Whether the file says what it reads, rather than the recogniser of pictures.
        digits: The hull of its digits where none is raised: percent signs and letters reach lower or higher.
    """

    text: TextBox
    size: float
    angle: float
    colour: Colour
    order: int = 0
    certain: bool = True
    digits: Box | None = None

    @property
    def middle(self) -> float:
        """The height of its middle on the page."""
        return (self.digits or self.text.box).centre[1]


@dataclass(frozen=True, eq=False)
class _Piece:
    """Letters of one text object without a wide gap; along and up are in the direction of reading."""

    letters: tuple[tuple[str, Glyph], ...]  # each with a space before it where there is one
    start: float
    end: float
    baseline: float
    size: float
    angle: float
    colour: Colour
    order: int


def join_letters(texts: Sequence[Text], settings: LetteringSettings | None = None) -> list[Lettering]:
    """Join a page's texts to labels and names.

    Args:
        texts: The page's texts.
        settings: Thresholds.

    Returns:
        The joined texts, in no order that matters.
    """
    settings = settings or LetteringSettings()
    pieces = [p for text in texts for p in _cut(text, settings)]
    joined: list[Lettering] = []
    for angle in sorted({p.angle for p in pieces}):
        group = sorted((p for p in pieces if p.angle == angle), key=lambda p: (p.start, p.end))
        joined += [_lettering(line, settings) for line in _lines(group, settings)]
    return joined


def _cut(text: Text, settings: LetteringSettings) -> Iterator[_Piece]:
    """Yield the pieces of a text object."""
    angle = float(round(text.angle / 2) * 2 % 360)
    letters, spaced = list(text.glyphs), _spaces_before(text)
    current: list[tuple[str, Glyph]] = []
    for space, glyph in zip(spaced, letters, strict=True):
        if current:
            gap = _extent(glyph, angle)[0] - _extent(current[-1][1], angle)[1]
            if gap > settings.cut * text.size:
                yield _piece(current, text, angle)
                current = []
        current.append((" " if space and current else "", glyph))
    if current:
        yield _piece(current, text, angle)


def _spaces_before(text: Text) -> list[bool]:
    """Return whether a space stands before each letter."""
    spaced, at = [], 0
    for glyph in text.glyphs:
        found = text.text.find(glyph.text, at)
        spaced.append(found > at and text.text[at:found].isspace())
        at = found + len(glyph.text) if found >= at else at
    return spaced


def _extent(glyph: Glyph, angle: float) -> tuple[float, float]:
    """Return where a letter begins and ends along the direction of reading."""
    turn = math.radians(angle)
    across, down = math.cos(turn), -math.sin(turn)
    b = glyph.box
    if angle % 90:  # the box of a slanted letter is wider than the letter
        start, height = glyph.origin[0] * across + glyph.origin[1] * down, CAPITAL * glyph.size
        if abs(across) >= abs(down):
            return start, start + max((b.width - height * abs(down)) / abs(across), 0.0)
        return start, start + max((b.height - height * abs(across)) / abs(down), 0.0)
    ends = [x * across + y * down for x in (b.x0, b.x1) for y in (b.y0, b.y1)]
    return min(ends), max(ends)


def _height(glyph: Glyph, angle: float) -> float:
    """Return how far up a letter's baseline lies, across the direction of reading."""
    turn = math.radians(angle)
    return -glyph.origin[0] * math.sin(turn) - glyph.origin[1] * math.cos(turn)


def _piece(letters: Sequence[tuple[str, Glyph]], text: Text, angle: float) -> _Piece:
    """Return letters as a piece."""
    ends = [_extent(g, angle) for _, g in letters]
    size = max(g.size for _, g in letters)
    low = min(_height(g, angle) for _, g in letters if g.size >= 0.95 * size)
    return _Piece(
        tuple(letters),
        min(a for a, _ in ends),
        max(b for _, b in ends),
        low,
        size,
        angle,
        text.colour,
        text.order,
    )


def _lines(pieces: Sequence[_Piece], settings: LetteringSettings) -> list[list[_Piece]]:
    """Join pieces, sorted along the direction of reading, that follow one another closely."""
    lines: list[list[_Piece]] = []
    open_lines: list[list[_Piece]] = []
    for piece in pieces:
        home = None
        for line in open_lines:
            size = max(piece.size, line[0].size)
            gap = piece.start - max(p.end for p in line[-3:])
            level = abs(piece.baseline - line[0].baseline) <= settings.line * size
            neighbour = any(abs(piece.order - p.order) == 1 for p in line)
            widest = settings.operator if _is_operator(piece) or _is_operator(line[-1]) else settings.join
            close = -settings.overlap * size <= gap <= widest * size
            if level and neighbour and close and _goes_with(piece, line):
                home = line
                break
        if home is None:
            home = []
            lines.append(home)
            open_lines.append(home)
            reach = piece.start - 2 * settings.cut * piece.size
            open_lines = [x for x in open_lines if not x or max(p.end for p in x[-3:]) >= reach]
        home.append(piece)
    return lines


def _is_operator(piece: _Piece) -> bool:
    """Whether a piece is a times sign, which formulas set apart."""
    return "".join(g.text for _, g in piece.letters) in "×·⋅∙*£"


def _goes_with(piece: _Piece, line: Sequence[_Piece]) -> bool:
    """Whether a piece may belong to a line: at its height, or smaller and raised (an exponent) or sunk a little."""
    main = max(line, key=lambda p: p.size)
    raised = piece.baseline - main.baseline
    if abs(piece.size - main.size) <= 0.05 * main.size:
        return abs(raised) <= 0.2 * main.size
    return piece.size > main.size or raised >= -0.4 * main.size


def _lettering(line: Sequence[_Piece], settings: LetteringSettings) -> Lettering:
    """Return a line as one text."""
    main = max(line, key=lambda p: (p.size, len(p.letters)))
    plain, marked = [], []
    end, raised = math.inf, False
    for piece in line:
        for k, (space, glyph) in enumerate(piece.letters):
            gap = piece.start - end if k == 0 else 0.0
            said = glyph.text if space or gap < settings.space * main.size else " " + glyph.text
            up = _height(glyph, piece.angle) - main.baseline > settings.raised * main.size
            power = up and glyph.size <= settings.small * main.size
            plain.append(space + (said.translate(_RAISED) if power else said))
            marked.append(space + ("^" + said if power and not raised else said))
            raised = power
        end = piece.end
    hull = _hull([g.box for p in line for _, g in p.letters])
    text, other = (_POINT.sub(".", _TIMES.sub("×", "".join(letters))) for letters in (plain, marked))
    upright = 45 < main.angle % 180 < 135
    spellings = (other,) if other != text else ()
    figures = [g.box for p in line for _, g in p.letters if g.text.isdigit()]
    level = _hull(figures) if figures and not spellings else None
    box = TextBox(text, hull, 1.0, upright, spellings)
    return Lettering(box, main.size, main.angle, main.colour, main.order, digits=level)


def _hull(boxes: Sequence[Box]) -> Box:
    """Return the box around boxes."""
    table = np.array(boxes)
    return Box(*table[:, :2].min(axis=0).tolist(), *table[:, 2:].max(axis=0).tolist())
