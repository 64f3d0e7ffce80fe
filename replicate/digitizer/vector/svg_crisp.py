"""Axes that Vega and D3 draw half a pixel off, so that their hairlines are crisp on a screen.

Both move an axis, but not the data, by (0.5, 0.5). Here the axis is put back to where it means to stand.
"""

from __future__ import annotations

from replicate.digitizer.vector.svg_geometry import NUMBER, Matrix
from replicate.digitizer.vector.svg_style import Element, local_name

HALF = 0.5
BACK = Matrix(e=-HALF, f=-HALF)


def is_crisp_axis(element: Element) -> bool:
    """Whether an element is an axis of Vega or D3, or the frame of Vega's plot, that stands half a pixel off."""
    classes = (element.get("class") or "").split()
    if "role-axis" in classes:
        inner = element.find("{*}g")
        return inner is not None and _halves(inner.get("transform") or "") == 2
    if "background" in classes:
        return _halves((element.get("d") or "")[:8]) == 2
    lines = (c.get("d") or "" for c in element if local_name(c) == "path" and c.get("class") == "domain")
    return any(_halves(line) >= 3 for line in lines)


def _halves(text: str) -> int:
    """Return how many numbers of a text lie halfway between two whole ones."""
    return sum(float(n) % 1 == HALF for n in NUMBER.findall(text))
