"""Names of colours, and their notation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from skimage.color import rgb2lab

from replicate.digitizer.ground import Pixels

# A small set of words that people use for lines; several shades a word, matplotlib's default cycle among them.
NAMES: dict[str, tuple[tuple[int, int, int], ...]] = {
    "black": ((0, 0, 0), (30, 30, 30)),
    "grey": ((127, 127, 127), (90, 90, 90), (180, 180, 180)),
    "white": ((255, 255, 255),),
    "red": ((214, 39, 40), (255, 0, 0), (178, 34, 34)),
    "orange": ((255, 127, 14), (255, 165, 0), (237, 125, 49)),
    "yellow": ((230, 200, 20), (255, 255, 0), (188, 189, 34)),
    "green": ((44, 160, 44), (0, 128, 0), (0, 200, 0), (112, 173, 71)),
    "cyan": ((23, 190, 207), (0, 255, 255), (76, 200, 190)),
    "blue": ((31, 119, 180), (0, 0, 255), (70, 110, 200), (0, 0, 139)),
    "light blue": ((174, 199, 232), (173, 216, 230)),
    "purple": ((148, 103, 189), (128, 0, 128), (75, 0, 130)),
    "pink": ((227, 119, 194), (255, 105, 180), (255, 192, 203)),
    "brown": ((140, 86, 75), (139, 69, 19)),
}


def to_hex(colour: Pixels) -> str:
    """Return a colour as "#rrggbb"."""
    r, g, b = (int(v) for v in np.clip(np.rint(colour), 0, 255))
    return f"#{r:02x}{g:02x}{b:02x}"


def name_of(colour: Pixels) -> str:
    """Return the everyday name of a colour: that of the nearest named shade in CIELAB."""
    shades = [(name, shade) for name, several in NAMES.items() for shade in several]
    lab = rgb2lab(np.array([shade for _, shade in shades])[None] / 255)[0]
    own = rgb2lab(np.asarray(colour, dtype=np.float64)[None, None] / 255)[0, 0]
    return shades[int(np.linalg.norm(lab - own, axis=1).argmin())][0]


def distinct_names(names: Sequence[str]) -> list[str]:
    """Number names that occur more than once: blue, blue-2, blue-3."""
    seen: dict[str, int] = {}
    out = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        out.append(name if seen[name] == 1 else f"{name}-{seen[name]}")
    return out
