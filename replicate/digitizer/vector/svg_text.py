"""Text of an SVG: where each letter stands, its width guessed from its font's usual widths.

Positions follow the SVG 1.1 specification, section 10: lists of x, y, dx and dy, anchored chunks, baseline shifts.
Widths are those of Helvetica (Adobe's font metrics), stretched for wider families.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from replicate.digitizer.model import Box
from replicate.digitizer.vector.drawing import Colour, Glyph, Text
from replicate.digitizer.vector.svg_geometry import hull, parse_length
from replicate.digitizer.vector.svg_state import State
from replicate.digitizer.vector.svg_style import Element, local_name

Enter = Callable[[Element, State], State | None]

_WIDTHS = {
    0.19: "'", 0.22: "ijl`", 0.26: "|", 0.28: " !,./:;[\\]ftI", 0.33: "()-r{}", 0.36: '"', 0.39: "*", 0.47: "^",
    0.5: "cksvxyzJ", 0.58: "+<=>~−×±÷", 0.61: "FTZ", 0.67: "ABEKPSVXY&", 0.72: "CDHNRUw", 0.78: "GOQ", 0.83: "Mm",
    0.89: "%", 0.94: "W", 1.0: "…—@",
}  # fmt: skip
_WIDTH_OF = {letter: width for width, letters in _WIDTHS.items() for letter in letters}
_MONOSPACED = ("mono", "courier", "consol")
_STRETCH = (
    ("dejavu serif", 1.14), ("dejavu", 1.13), ("verdana", 1.15), ("times", 0.9), ("stix", 0.9), ("georgia", 1.0),
    ("sans", 1.0), ("serif", 0.9),
)  # fmt: skip
_TOP = {"tall": 0.72, "low": 0.53}
_LOW_LETTERS = frozenset("acegmnopqrsuvwxyz")
_DEEP_LETTERS = frozenset("gjpqy")
_MARKS = {"-": (0.3, 0.22), "−": (0.39, 0.31), "+": (0.6, 0.05), "=": (0.5, 0.2), ".": (0.1, 0.0), ",": (0.1, -0.14),
          "×": (0.58, 0.06), "·": (0.4, 0.3), "…": (0.1, 0.0)}  # fmt: skip
_BASELINES = {
    "middle": 0.27, "central": 0.35, "hanging": 0.73, "text-before-edge": 0.9, "text-top": 0.9, "before-edge": 0.9,
    "mathematical": 0.35, "text-after-edge": -0.21, "after-edge": -0.21, "ideographic": -0.21, "text-bottom": -0.21,
}  # fmt: skip
_RISES = {"super": 0.4, "sub": -0.2}
NEW_LINE, WIDE_GAP, BACK, SPACE = 0.9, 1.5, 0.6, 0.2  # of the letters' size; see `_runs`


@dataclass
class _Frame:
    """The position lists of one text element, and how many of its letters were placed."""

    lists: dict[str, list[float]]
    count: int = 0


@dataclass
class _Letter:
    """A letter with what its elements say about its place; later with its place, in user units."""

    char: str
    state: State
    width: float
    rise: float
    at: dict[str, float] = field(default_factory=dict)
    x: float = 0.0
    y: float = 0.0

    @property
    def begins_chunk(self) -> bool:
        """Whether it has a place of its own."""
        return "x" in self.at or "y" in self.at


def read_text(
    element: Element, state: State, enter: Enter, colour_of: Callable[[State], Colour | None]
) -> Iterator[Text]:
    """Yield the runs of a `text` element.

    Args:
        element: The element.
        state: The state inside it.
        enter: Returns the state inside a child, or None where that is not displayed.
        colour_of: Returns the colour of the letters in a state, or None where they do not show.
    """
    letters: list[_Letter] = []
    _collect(element, state, enter, 0.0, [], letters)
    letters = _collapse(letters, keep=_preserves(element, state))
    _place(letters)
    for run in _runs(_in_reading_order(letters)):
        shown = [letter for letter in run if colour_of(letter.state)]
        if any(not letter.char.isspace() for letter in shown):
            yield _to_text(shown, colour_of(shown[0].state) or (0, 0, 0))


def read_foreign(
    element: Element, state: State, enter: Enter, colour_of: Callable[[State], Colour | None]
) -> Iterator[Text]:
    """Yield the text of a `foreignObject`, as one line in the middle of its box; see `read_text`."""
    words = " ".join("".join(element.itertext()).split())
    width, height = (state.length(element, k, getattr(state.viewport, k)) for k in ("width", "height"))
    x, y = (state.length(element, k, w) for k, w in zip("xy", state.viewport, strict=True))
    letters = [_Letter(char, state, _width(char, state), 0.0) for char in words]
    start = x + (width - sum(letter.width for letter in letters)) / 2
    if words:
        letters[0].at = {"x": start, "y": y + height / 2 + _BASELINES["central"] * state.font_size}
        _place(letters)
        yield _to_text(letters, colour_of(state) or (0, 0, 0))


def _preserves(element: Element, state: State) -> bool:
    """Return whether spaces are kept as they are written."""
    space = element.get("{http://www.w3.org/XML/1998/namespace}space")
    return space == "preserve" or state.style.get("white-space", "").startswith("pre")


def _collect(
    element: Element, state: State, enter: Enter, rise: float, frames: list[_Frame], out: list[_Letter]
) -> None:
    """Append the letters of an element and of those in it."""
    wholes = {"x": state.viewport.width, "y": state.viewport.height}
    lists = {
        key: [
            v
            for word in (element.get(key) or "").replace(",", " ").split()
            if (v := parse_length(word, wholes[key[-1]], state.font_size)) is not None
        ]
        for key in ("x", "y", "dx", "dy")
    }
    frames = [*frames, _Frame(lists)]
    first = len(out)
    _append(element.text, state, rise, frames, out)
    for child in element:
        inside = enter(child, state) if local_name(child) in ("tspan", "a", "textPath") else None
        if inside is not None:
            _collect(child, inside, enter, rise + _rise(inside, state), frames, out)
        _append(child.tail, state, rise, frames, out)
    _stretch(out[first:], parse_length(element.get("textLength"), state.viewport.width, state.font_size))


def _rise(inside: State, outside: State) -> float:
    """Return by how much an element's `baseline-shift` raises it, user units."""
    value = inside.baseline_shift
    if value in _RISES:
        return _RISES[value] * outside.font_size
    return parse_length(value, inside.font_size, inside.font_size) or 0.0


def _append(text: str | None, state: State, rise: float, frames: list[_Frame], out: list[_Letter]) -> None:
    """Append the letters of a stretch of text, each with the innermost place that is said for it."""
    for char in text or "":
        if unicodedata.combining(char) and out:
            out[-1].char += char
            continue
        char = " " if char in "\t\r\n\xa0" else char
        letter = _Letter(char, state, _width(char, state), rise)
        for key in ("x", "y", "dx", "dy"):
            for frame in reversed(frames):
                if frame.count < len(frame.lists[key]):
                    letter.at[key] = frame.lists[key][frame.count]
                    break
        out.append(letter)
        if char != " " or not _is_spare(out):
            for frame in frames:
                frame.count += 1


def _is_spare(letters: list[_Letter]) -> bool:
    """Return whether the last letter is a space that will be taken out, so that it uses up no place."""
    return len(letters) < 2 or letters[-2].char == " "


def _collapse(letters: list[_Letter], *, keep: bool) -> list[_Letter]:
    """Return the letters with neighbouring spaces made one and none at the ends, unless they are kept."""
    if keep:
        return letters
    out: list[_Letter] = []
    for letter in letters:
        if letter.char == " " and (not out or out[-1].char == " "):
            continue
        out.append(letter)
    while out and out[-1].char == " ":
        out.pop()
    return out


def _stretch(letters: list[_Letter], length: float | None) -> None:
    """Make letters as wide together as their `textLength` says."""
    natural = sum(letter.width for letter in letters)
    if length and natural and not any(letter.begins_chunk for letter in letters[1:]):
        for letter in letters:
            letter.width *= length / natural


def _place(letters: list[_Letter]) -> None:
    """Give every letter its place on the baseline, chunk by chunk."""
    x = y = 0.0
    first = 0
    for i, letter in enumerate(letters):
        if letter.begins_chunk:
            _anchor(letters[first:i], x)
            first = i
        x = letter.at.get("x", x) + letter.at.get("dx", 0.0)
        y = letter.at.get("y", y) + letter.at.get("dy", 0.0)
        letter.x, letter.y = x, y - letter.rise + _baseline(letter.state)
        x += letter.width
    _anchor(letters[first:], x)


def _anchor(chunk: list[_Letter], end: float) -> None:
    """Move a chunk so that its start, middle or end is where it was placed."""
    if chunk:
        share = {"middle": 0.5, "end": 1.0}.get(chunk[0].state.style.get("text-anchor", "start"), 0.0)
        shift = share * (end - chunk[0].x)
        for letter in chunk:
            letter.x -= shift


def _baseline(state: State) -> float:
    """Return how far the letters' baseline is below the place that is given for them."""
    names = (state.style.get(f"{kind}-baseline", "") for kind in ("alignment", "dominant"))
    return next((_BASELINES[n] for n in names if n in _BASELINES), 0.0) * state.font_size


def _in_reading_order(letters: list[_Letter]) -> list[_Letter]:
    """Return the letters of a single line from left to right, whatever order its placed parts are written in."""
    if not letters or any(abs(e.y - letters[0].y) > NEW_LINE * e.state.font_size for e in letters):
        return letters
    chunks: list[list[_Letter]] = []
    for letter in letters:
        if not chunks or letter.begins_chunk:
            chunks.append([])
        chunks[-1].append(letter)
    return [letter for chunk in sorted(chunks, key=lambda c: c[0].x) for letter in chunk]


def _runs(letters: list[_Letter]) -> Iterator[list[_Letter]]:
    """Yield letters that read as one: no new line, no wide gap, no step back; gaps become spaces."""
    run: list[_Letter] = []
    for letter in letters:
        if run and letter.char != " ":
            last, size = run[-1], max(run[0].state.font_size, letter.state.font_size)
            gap = letter.x - (last.x + last.width)
            apart = letter.begins_chunk and (gap > WIDE_GAP * size or gap < -BACK * size)
            if apart or abs(letter.y - run[0].y) > NEW_LINE * size:
                yield run
                run = []
            elif letter.begins_chunk and last.char == " " and letter.x - last.x < SPACE * size:
                run.pop()  # the file's own indentation, no gap on the page
            elif letter.begins_chunk and last.char != " " and gap > SPACE * size:
                run.append(_Letter(" ", last.state, 0.0, 0.0, x=last.x + last.width, y=last.y))
        run.append(letter)
    if run:
        yield run


def _to_text(run: list[_Letter], colour: Colour) -> Text:
    """Return a run in page units."""
    drawn = [letter for letter in run if not letter.char.isspace()]
    glyphs = tuple(_glyph(letter) for letter in drawn)
    matrix = drawn[0].state.matrix
    sizes = sorted(g.size for g in glyphs)
    angle = -math.degrees(math.atan2(matrix.b, matrix.a)) + 0.0
    words = "".join(letter.char for letter in run).strip()
    return Text(words, hull([g.box for g in glyphs]), glyphs, sizes[len(sizes) // 2], angle, colour)


def _glyph(letter: _Letter) -> Glyph:
    """Return a letter's glyph in page units, its box around its usual ink."""
    size, matrix = letter.state.font_size, letter.state.matrix
    top, low = _extent(letter.char)
    box = Box(letter.x, letter.y - top * size, letter.x + letter.width, letter.y - low * size)
    return Glyph(letter.char, matrix.box(box), size * matrix.scale, matrix.point(letter.x, letter.y))


def _extent(char: str) -> tuple[float, float]:
    """Return how far above the baseline a letter's ink begins and ends, shares of the font size."""
    if char in _MARKS:
        return _MARKS[char]
    return _TOP["low" if char in _LOW_LETTERS else "tall"], -0.21 if char in _DEEP_LETTERS else 0.0


def _width(char: str, state: State) -> float:
    """Return how far a letter advances, user units."""
    family = state.style.get("font-family", "").lower()
    if unicodedata.east_asian_width(char) in "WF":
        width = 1.0
    elif any(word in family for word in _MONOSPACED):
        width = 0.6
    else:
        width = _WIDTH_OF.get(char, 0.56) * next((f for word, f in _STRETCH if word in family), 1.0)
    width *= 1.06 if state.style.get("font-weight") in ("bold", "bolder", "600", "700", "800", "900") else 1.0
    spacing = parse_length(state.style.get("letter-spacing"), 0.0, state.font_size) or 0.0
    return width * state.font_size + spacing
