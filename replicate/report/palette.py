"""Which ink a series is drawn in: the report's own colours, chosen to look like the published ones.

The published colours need not be legible on paper and on a dark screen alike. The report has eight inks, each
with a light and a dark form in the style sheet; a series takes the free one whose hue is nearest to its own.
"""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from dataclasses import dataclass

#: The inks and their hues in degrees. Their colours are in the style sheet under the same names.
HUES: dict[str, float] = {
    "blue": 215.0,
    "orange": 28.0,
    "green": 140.0,
    "red": 2.0,
    "purple": 270.0,
    "brown": 40.0,
    "pink": 325.0,
    "teal": 180.0,
}
DASHES = 5
GREY_BELOW = 0.12  # saturation under which a colour has no hue worth speaking of


@dataclass(frozen=True)
class Ink:
    """How a series is drawn: its colour and its dash pattern, which differ together.

    Attributes:
        name: The ink's name in the style sheet.
        dash: The number of its dash pattern there; 0 is a solid line.
    """

    name: str
    dash: int

    def next_dash(self) -> Ink:
        """Return the same ink with the next dash pattern."""
        return Ink(self.name, (self.dash + 1) % DASHES)

    @property
    def css(self) -> str:
        """The classes that give an element this ink and dash."""
        return f"ink-{self.name} dash-{self.dash}"


def assign(colours: Sequence[str | None]) -> tuple[Ink, ...]:
    """Return an ink for each series, no two alike while the inks last.

    Args:
        colours: The published colours as ``#rrggbb``, or None where there is none.

    Returns:
        One ink a series, in the same order.
    """
    free = list(HUES)
    inks = []
    for number, colour in enumerate(colours):
        free = free or list(HUES)
        name = _nearest(colour, free)
        free.remove(name)
        inks.append(Ink(name, number % DASHES))
    return tuple(inks)


def _nearest(colour: str | None, free: Sequence[str]) -> str:
    """Return the free ink that looks most like the colour; the first free one where there is none."""
    hue = _hue(colour)
    if hue is None:
        return free[0]
    return min(free, key=lambda name: abs((HUES[name] - hue + 180) % 360 - 180))


def _hue(colour: str | None) -> float | None:
    """Return a colour's hue in degrees, or None for grey, black, white and what is no colour."""
    try:
        digits = (colour or "").removeprefix("#")
        r, g, b = (int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4))
    except ValueError:
        return None
    hue, _, saturation = colorsys.rgb_to_hls(r, g, b)
    return hue * 360 if saturation >= GREY_BELOW else None
