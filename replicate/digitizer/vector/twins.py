"""Which curve belongs to which of two y axes, where the painting order may tell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from replicate.digitizer.twin import Assignment, AxisName, assign_axes
from replicate.digitizer.vector.calibrate import CalibratedPanel
from replicate.digitizer.vector.pairing import Candidate


def assign(names: Sequence[str], drawn: Sequence[Candidate], panel: CalibratedPanel) -> Assignment:
    """Assign curves to the left or the right y axis.

    Names and colours come first. Where they say nothing, the painting order may: one axes is painted after the
    other, each with its curves after its labels, or each before them.

    Args:
        names: The curves' names.
        drawn: The curves.
        panel: Their panel.

    Returns:
        "y" or "y2" for each curve.
    """
    if panel.y2 is None or "right" not in panel.sides or "left" not in panel.sides:
        return Assignment(tuple("y" for _ in names), False)
    left, right = panel.sides["left"], panel.sides["right"]
    inks = [np.array(c.colour, np.float32) for c in drawn]
    tint_left, tint_right = (
        None if s.colour is None else np.array(s.colour, np.float32) for s in (left, right)
    )
    said = assign_axes(names, inks, tint_left, tint_right)
    if not said.guessed:
        return said
    first, second = sorted((left, right), key=lambda side: side.order)
    places = [
        "before" if c.order < first.order else "after" if c.order > second.order else "between" for c in drawn
    ]
    if set(places) == {"between", "after"}:
        later = "after"
    elif set(places) == {"before", "between"}:
        later = "between"
    else:
        return said
    ours: tuple[AxisName, AxisName] = ("y", "y2") if first is left else ("y2", "y")
    return Assignment(tuple(ours[place == later] for place in places), False)
