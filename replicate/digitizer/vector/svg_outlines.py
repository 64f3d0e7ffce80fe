"""Text that matplotlib drew as outlines: it writes what they say in a comment before them.

A comment is believed only where it has as many letters as outlines follow it, and where each outline stands for one
letter throughout the file; all other outlines stay outlines, for the reader of pictures.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np
from lxml import etree

from replicate.digitizer.model import Box
from replicate.digitizer.vector.drawing import Colour, Glyph, Text
from replicate.digitizer.vector.svg_geometry import Matrix, hull, parse_length, parse_transform
from replicate.digitizer.vector.svg_path import parse_path
from replicate.digitizer.vector.svg_state import Document, State
from replicate.digitizer.vector.svg_style import Element, local_name

EM = 100.0  # what matplotlib makes a font's size in the units of an outline's place

# what a font may draw as one outline
_LETTERS = tuple(
    re.compile(rf"{ligatures}\S") for ligatures in ("", "ffi|ffl|ff|fi|fl|", "ff|fi|fl|", "fi|fl|")
)
_FONT_COMMANDS = re.compile(
    r"\\(?:math(?:default|rm|it|bf|regular|sf|tt|cal|bb|frak|scr)|text|rm|it|bf|left|right)\b"
)
_SPACING = re.compile(r"\\[ ,;:!>]|\\quad|\\qquad|~|\s+")
_SYMBOLS = {
    r"\times": "×", r"\cdot": "⋅", r"\pm": "±", r"\infty": "∞", r"\%": "%", r"\_": "_", r"\#": "#", r"\$": "$",
    r"\alpha": "α", r"\beta": "β", r"\gamma": "γ", r"\delta": "δ", r"\epsilon": "ϵ", r"\varepsilon": "ε",
    r"\eta": "η", r"\theta": "θ", r"\kappa": "κ", r"\lambda": "λ", r"\mu": "μ", r"\nu": "ν", r"\pi": "π",
    r"\rho": "ρ", r"\sigma": "σ", r"\tau": "τ", r"\phi": "ϕ", r"\chi": "χ", r"\psi": "ψ", r"\omega": "ω",
    r"\Delta": "Δ", r"\Sigma": "Σ", r"\Omega": "Ω", r"\ell": "ℓ", r"\leq": "≤", r"\geq": "≥", r"\approx": "≈",
}  # fmt: skip


@dataclass(frozen=True)
class Outlined:
    """A text drawn as outlines: its words, and the `use` element of each letter that is no space."""

    words: str
    letters: tuple[tuple[Element, str], ...]


def find_outlined(document: Document) -> dict[Element, Outlined]:
    """Return the groups of outlines whose comment says what they read."""
    found: dict[Element, Outlined] = {}
    for comment, group in _commented_groups(document.root):
        words, uses = _words(comment), _uses(group, document)
        for letters in (pattern.findall(words) for pattern in _LETTERS):
            if uses and len(letters) == len(uses):
                found.setdefault(group, Outlined(words, tuple(zip(uses, letters, strict=True))))
    meanings: dict[str, set[str]] = {}
    for outlined in found.values():
        for use, letter in outlined.letters:
            meanings.setdefault(document.target(use)[0], set()).add(letter)
    return {
        g: o for g, o in found.items() if all(len(meanings[document.target(u)[0]]) == 1 for u, _ in o.letters)
    }


def _commented_groups(root: Element) -> list[tuple[str, Element]]:
    """Return each comment with the group right after it."""
    found = []
    for node in root.iter():
        if node.tag is etree.Comment:
            following = node.getnext()
            if following is not None and local_name(following) == "defs":
                following = following.getnext()
            if following is not None and local_name(following) == "g":
                found.append((node.text or "", following))
    return found


def _uses(group: Element, document: Document) -> list[Element]:
    """Return the `use` elements of a group of outlines, from left to right, spaces left out; of others none."""
    children = list(group.iterchildren("*"))
    uses = sorted((c for c in children if local_name(c) == "use"), key=_left)
    if not all(local_name(c) in ("use", "defs") for c in children):
        return []
    targets = [document.target(use)[1] for use in uses]
    return [u for u, t in zip(uses, targets, strict=True) if t is None or (t.get("d") or "").strip()]


def _left(use: Element) -> float:
    """Return where a `use` element stands along its line."""
    return parse_transform(use.get("transform")).e + (parse_length(use.get("x"), 0.0) or 0.0)


def _words(comment: str) -> str:
    """Return what a comment reads once its TeX commands are taken out; a command that is not known stays."""
    parts = re.split(r"(?<!\\)\$", comment.strip())
    if len(parts) % 2 == 0:
        return comment.strip()
    return "".join(_math(part) if i % 2 else part.replace(r"\$", "$") for i, part in enumerate(parts))


def _math(text: str) -> str:
    """Return the letters of a formula in the order in which they are drawn."""
    text = _SPACING.sub("", _FONT_COMMANDS.sub("", text))
    text = re.sub(r"(?<!\\)[{}^_]", "", text).replace("-", "−")
    for command in sorted(_SYMBOLS, key=len, reverse=True):
        text = text.replace(command, _SYMBOLS[command])
    return text


def read_outlined(outlined: Outlined, state: State, document: Document, colour: Colour) -> Text | None:
    """Return the text, its boxes those of the outlines; None where an outline cannot be read.

    Args:
        outlined: The words and their `use` elements.
        state: The state inside their group.
        document: The document.
        colour: Of the letters.
    """
    glyphs = [g for use, letter in outlined.letters if (g := _glyph(use, letter, state, document))]
    if len(glyphs) < len(outlined.letters):
        return None
    angle = -math.degrees(math.atan2(state.matrix.b, state.matrix.a)) + 0.0
    size = max(g.size for g in glyphs)
    return Text(outlined.words, hull([g.box for g in glyphs]), tuple(glyphs), size, angle, colour)


def _glyph(use: Element, letter: str, state: State, document: Document) -> Glyph | None:
    """Return a letter from the outline that a `use` element draws, or None where that is no path."""
    inside, outline = document.enter(use, state), document.target(use)[1]
    if inside is None or outline is None or local_name(outline) != "path":
        return None
    x, y = (inside.length(use, key, 0.0) for key in "xy")
    matrix = inside.matrix.then_inner(Matrix(e=x, f=y))
    subpaths = parse_path(
        outline.get("d") or "", matrix.then_inner(parse_transform(outline.get("transform")))
    )
    points = [s.points for s in subpaths] or [np.array([matrix.point(0, 0)])]
    (x0, y0), (x1, y1) = (
        np.concatenate(points).min(axis=0).tolist(),
        np.concatenate(points).max(axis=0).tolist(),
    )
    return Glyph(letter, Box(x0, y0, x1, y1), EM * matrix.scale, matrix.point(0, 0))
