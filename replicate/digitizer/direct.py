"""Names written beside the curves instead of in a legend.

A label has its curve's colour, or stands just behind the curve's end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import linear_sum_assignment

from replicate.digitizer.ground import Pixels
from replicate.digitizer.model import Box, TextBox
from replicate.digitizer.record import Series


@dataclass(frozen=True)
class LabelledText:
    """A text in or beside a panel, and the colour of its letters, (3,) float32."""

    text: TextBox
    colour: Pixels


@dataclass(frozen=True)
class DirectSettings:
    """Thresholds of the pairing.

    Attributes:
        chroma: Least spread of a text's colour channels for its colour to name a curve, grey levels.
        hue: Largest distance between a text's and a curve's colour, grey levels.
        beside: Largest distance of a text from a curve's end, text heights.
    """

    chroma: float = 30.0
    hue: float = 80.0
    beside: float = 1.6


def may_name_a_curve(text: TextBox, panel: Box) -> bool:
    """Whether a text stands where names of curves do: in the panel or just right of it, and reads like a word."""
    x, y = text.box.centre
    level = panel.y0 - text.box.height <= y <= panel.y1 + text.box.height
    near = panel.x0 <= x and text.box.x0 <= panel.x1 + 0.4 * panel.width
    word = sum(c.isalnum() for c in text.text) >= 2
    return not text.vertical and text.score >= 0.7 and level and near and word


def name_directly(
    series: Sequence[Series], texts: Sequence[LabelledText], origin: tuple[int, int]
) -> tuple[Series, ...]:
    """Give unnamed curves the names written beside them.

    Args:
        series: A panel's curves.
        texts: Texts that may name a curve.
        origin: (x, y) of the interior's first pixel in the picture.

    Returns:
        The curves; those with a label of their own renamed.
    """
    settings = DirectSettings()
    unnamed = [i for i, s in enumerate(series) if s.name_from == "colour"]
    if not unnamed or not texts:
        return tuple(series)
    far = 1e3
    cost = np.array([[_cost(series[i], t, origin, settings, far) for t in texts] for i in unnamed])
    named = list(series)
    for row, column in zip(*linear_sum_assignment(cost), strict=True):
        if cost[row, column] < far:
            s, name = series[unnamed[row]], texts[column].text.text.strip()
            named[unnamed[row]] = replace(s, name=name, name_from="label", curve=replace(s.curve, name=name))
    return tuple(named)


def _end_beside(series: Series, label: LabelledText, origin: tuple[int, int]) -> tuple[float, float]:
    """Return the end of a curve that a text stands beside: the right one, but for a text at its left end."""
    trace, x = series.trace, label.text.box.x0 - origin[0]
    at_left = abs(x - trace.columns[0]) < min(3 * (label.text.box.height + 1), abs(x - trace.columns[-1]))
    k = 0 if at_left else -1
    return float(trace.columns[k]) + origin[0], float(trace.rows[k]) + origin[1]


def _cost(
    series: Series, label: LabelledText, origin: tuple[int, int], settings: DirectSettings, far: float
) -> float:
    """Return how badly a text fits a curve: 0 to about 2, or `far` where it does not."""
    height = label.text.box.height + 1
    end_x, end_y = _end_beside(series, label, origin)
    apart = abs(label.text.box.centre[1] - end_y) / (settings.beside * height)
    behind = -height <= label.text.box.x0 - end_x <= 4 * height
    own = np.array([int(series.color[i : i + 2], 16) for i in (1, 3, 5)], np.float32)
    off = float(np.linalg.norm(own - label.colour)) / settings.hue
    if float(np.ptp(label.colour)) >= settings.chroma:
        # steeper with distance, so that labels of one colour keep the order of their curves
        return off + 0.13 * min(apart, 5.0) ** 1.25 if off <= 1 else far
    return apart if behind and apart <= 1 else far
