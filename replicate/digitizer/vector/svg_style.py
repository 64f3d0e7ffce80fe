"""Styles of an SVG: presentation attributes, style sheets with their cascade, inheritance, and colours.

Understood are selectors by name, class and id, compounds of them, with descendant and child combinators; rules
with anything else (pseudo-classes, attribute selectors) and at-rules are left out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from operator import or_
from typing import Any

from PIL import ImageColor

from replicate.digitizer.vector.drawing import Colour

MAX_RULES = 2000  # those beyond are left out

INHERITED = frozenset(
    (
        "fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "stroke-dasharray", "color",
        "font-size", "font-family", "font-weight", "text-anchor", "letter-spacing", "dominant-baseline",
        "alignment-baseline", "visibility", "marker-start", "marker-mid", "marker-end", "white-space",
    )
)  # fmt: skip
OWN = frozenset(
    (
        "opacity", "display", "clip-path", "baseline-shift", "transform", "stop-color",
        "vector-effect", "overflow",
    )
)  # fmt: skip
_PROPERTIES = INHERITED | OWN
_COMMENT = re.compile(r"/\*.*?\*/|<!--|-->", re.DOTALL)
_COMPOUND = re.compile(r"(\*|[A-Za-z_][\w-]*)?((?:[.#][\w-]+)*)$")
_FUNCTION = re.compile(r"rgba?\(\s*([^)]*)\)", re.IGNORECASE)
_FONT = re.compile(r"([\d.]+(?:px|pt|pc|mm|cm|in|em|ex|%)?)\s*(?:/\s*\S+)?\s+(.+)$")

Element = Any  # lxml has no types of its own


@dataclass(frozen=True)
class _Compound:
    """One step of a selector: an element's name, classes and id, and how the step before relates to it."""

    tag: str
    classes: frozenset[str]
    ids: frozenset[str]
    child: bool  # whether what stands before must be the parent


@dataclass(frozen=True)
class _Rule:
    """A selector with its declarations; rules apply in the order of `weight`."""

    selector: tuple[_Compound, ...]
    weight: tuple[int, int, int, int]  # ids, classes, names, place
    declared: Mapping[str, str]
    important: Mapping[str, str]


class StyleSheet:
    """The rules of all `style` elements of a document."""

    def __init__(self, text: str) -> None:
        """Read the rules.

        Args:
            text: The text of all style sheets.
        """
        self._by_key: dict[str, list[_Rule]] = {}
        for rule in _rules(_COMMENT.sub(" ", text)):
            self._by_key.setdefault(_key(rule.selector[-1]), []).append(rule)

    def own_style(self, element: Element) -> dict[str, str]:
        """Return the properties that are set on an element itself, the strongest source winning."""
        out = {k: v.strip() for k, v in element.attrib.items() if k in _PROPERTIES}
        inline, inline_important = parse_declarations(element.get("style") or "")
        if not self._by_key:
            return {**out, **inline, **inline_important} if inline or inline_important else out
        classes = (element.get("class") or "").split()
        keys = ["*", local_name(element), *(f".{c}" for c in classes), f"#{element.get('id')}"]
        rules = [r for key in keys for r in self._by_key.get(key, ()) if _matches(r.selector, element)]
        rules.sort(key=lambda r: r.weight)
        for rule in rules:
            out |= rule.declared
        out |= inline
        for rule in rules:
            out |= rule.important
        return {**out, **inline_important}


def inherit(parent: Mapping[str, str], own: Mapping[str, str]) -> dict[str, str]:
    """Return the inherited properties of a child, the word "inherit" resolved."""
    out = dict(parent)
    out.update((k, v) for k, v in own.items() if k in INHERITED and v != "inherit")
    if own.get("color", "").lower() == "currentcolor":
        out["color"] = parent.get("color", "black")
    return out


@lru_cache(maxsize=4096)
def parse_declarations(text: str) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return the known properties that "name: value; …" sets, those marked important apart."""
    normal: dict[str, str] = {}
    important: dict[str, str] = {}
    for part in text.split(";"):
        name, colon, value = part.partition(":")
        name, value = name.strip().lower(), value.strip()
        if not colon or not value:
            continue
        marked = value.lower().endswith("!important")
        value = value[: -len("!important")].strip() if marked else value
        target = important if marked else normal
        if name == "font":
            target |= _font(value)
        elif name == "marker":
            target |= {f"marker-{place}": value for place in ("start", "mid", "end")}
        elif name in _PROPERTIES:
            target[name] = value
    return normal, important


def _font(value: str) -> dict[str, str]:
    """Return size, family and weight of the shorthand `font`."""
    match = _FONT.search(value)
    if not match:
        return {}
    before = value[: match.start()].split()
    weight = next((w for w in before if w in ("bold", "bolder") or w.isdigit()), "normal")
    return {"font-size": match[1], "font-family": match[2], "font-weight": weight}


def _rules(text: str) -> Iterator[_Rule]:
    """Yield the rules of a style sheet; at-rules are skipped with all that they hold."""
    at, place = 0, 0
    while place < MAX_RULES:
        opening = text.find("{", at)
        if opening < 0:
            return
        head = text[at:opening].rpartition(";")[2].strip()  # an @import before it ends with a semicolon
        at = _end_of_block(text, opening)
        if head.startswith("@"):
            continue
        normal, important = parse_declarations(text[opening + 1 : at - 1])
        for selector in head.split(","):
            steps = _selector(selector)
            if steps:
                counts = (
                    (len(s.ids) for s in steps),
                    (len(s.classes) for s in steps),
                    (s.tag != "*" for s in steps),
                )
                ids, classes, tags = (sum(c) for c in counts)
                yield _Rule(steps, (ids, classes, tags, place), normal, important)
                place += 1


def _end_of_block(text: str, opening: int) -> int:
    """Return the index after the brace that closes a block."""
    depth, at = 1, opening + 1
    while depth:
        closing, inner = text.find("}", at), text.find("{", at)
        if closing < 0:
            return len(text) + 1
        depth += 1 if 0 <= inner < closing else -1
        at = (inner if 0 <= inner < closing else closing) + 1
    return at


def _selector(text: str) -> tuple[_Compound, ...]:
    """Return a selector's steps, or nothing where it holds what is not understood."""
    steps: list[_Compound] = []
    child = False
    for word in text.replace(">", " > ").split():
        if word == ">":
            child = True
            continue
        match = _COMPOUND.match(word)
        if not match:
            return ()
        marks = re.findall(r"[.#][\w-]+", match[2])
        classes, ids = (frozenset(m[1:] for m in marks if m[0] == sign) for sign in ".#")
        steps.append(_Compound(match[1] or "*", classes, ids, child))
        child = False
    return tuple(steps)


def _key(step: _Compound) -> str:
    """Return what an element must carry for a rule to be looked at."""
    if step.ids:
        return f"#{min(step.ids)}"
    return f".{min(step.classes)}" if step.classes else step.tag


def _matches(selector: tuple[_Compound, ...], element: Element) -> bool:
    """Return whether a selector's last step is the element and the others its ancestors."""
    if len(selector) == 1 or not _is(selector[-1], element):
        return _is(selector[-1], element)
    line = [*reversed(list(element.iterancestors())), element]
    ends = [_is(selector[0], e) for e in line]  # whether the steps so far can end at each of them
    for step in selector[1:]:
        before = [False, *(ends if step.child else accumulate(ends, or_))]
        ends = [reached and _is(step, e) for reached, e in zip(before, line, strict=False)]
    return ends[-1]


def _is(step: _Compound, element: Element) -> bool:
    """Return whether one step describes an element."""
    return (
        step.tag in ("*", local_name(element))
        and step.classes <= set((element.get("class") or "").split())
        and step.ids <= {element.get("id")}
    )


def local_name(element: Element) -> str:
    """Return an element's name without its namespace; comments and the like have none."""
    return str(element.tag).rpartition("}")[2] if isinstance(element.tag, str) else ""


@lru_cache(maxsize=4096)
def parse_colour(text: str) -> tuple[Colour, float] | None:
    """Return a colour and its opacity, or None where it is "none" or cannot be read."""
    text = text.strip()
    function = _FUNCTION.match(text)
    if function:
        return _from_channels(re.split(r"[\s,/]+", function[1].strip()))
    if text.lower() in ("none", "", "transparent"):
        return None
    try:
        red, green, blue, *alpha = ImageColor.getrgb(text)
    except ValueError:
        return None
    return (red, green, blue), (alpha[0] / 255 if alpha else 1.0)


def _from_channels(words: list[str]) -> tuple[Colour, float] | None:
    """Return the colour of rgb() or rgba()."""
    try:
        values = [float(w[:-1]) / 100 if w.endswith("%") else float(w) for w in words]
    except ValueError:
        return None
    if len(values) not in (3, 4) or not all(map(math.isfinite, values)):
        return None
    scaled = (v * (255 if w.endswith("%") else 1) for v, w in zip(values, words, strict=True))
    red, green, blue = (round(min(max(v, 0.0), 255.0)) for v, _ in zip(scaled, range(3), strict=False))
    return (red, green, blue), (min(max(values[3], 0.0), 1.0) if len(values) == 4 else 1.0)
