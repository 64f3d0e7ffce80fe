"""What could be wrong, as warnings, and how likely it is that nothing is."""

from __future__ import annotations

from dataclasses import replace

from replicate.digitize.legend import Legend
from replicate.digitize.model import AxisFit, Caution
from replicate.digitize.record import Panel
from replicate.digitize.series import SeriesReading


def judge(panel: Panel, legend: Legend | None, reading: SeriesReading) -> tuple[Panel, list[Caution]]:
    """Return the panel with its confidence, and the warnings.

    Args:
        panel: The panel as read.
        legend: Its legend, if one was found.
        reading: How the curves were read.

    Returns:
        The panel with confidence set, and what a person should look at.
    """
    cautions: list[Caution] = []
    odds = 0.97
    for axis, letter in ((panel.x_axis, "x"), (panel.y_axis, "y")):
        chance, said = _axis_chance(axis, letter, panel)
        odds *= chance
        cautions += said
    if not panel.series:
        cautions.append(Caution("no-curve", "no curve was found; name its colour with --series", panel.box))
        odds = 0.0
    for name in reading.missing:
        message = f"no ink was found for {name!r} of the legend; give its colour with --series"
        cautions.append(Caution("series-missing", message, panel.box))
        odds *= 0.5
    if reading.axis_guessed:
        message = "nothing tells which curve belongs to which y axis; the order of the legend was followed"
        cautions.append(Caution("axis-guessed", message, panel.box))
        odds *= 0.6
    if reading.unexplained > 0.1:
        message = f"{reading.unexplained:.0%} of the ink belongs to no curve that was read"
        cautions.append(Caution("unexplained-ink", message, panel.box))
        odds *= 1 - reading.unexplained
    return replace(panel, confidence=odds), cautions


def _axis_chance(axis: AxisFit | None, letter: str, panel: Panel) -> tuple[float, list[Caution]]:
    """Return the chance that an axis is right, and what is wrong with it."""
    if axis is None:
        message = (
            f'the {letter} axis could not be read; give it with --{letter}-ticks "PIXEL=VALUE,PIXEL=VALUE"'
        )
        return 0.0, [Caution(f"{letter}-axis-unread", message, panel.box)]
    if axis.source == "person":
        return 1.0, []
    cautions = []
    if axis.doubt > 0.2:
        message = f"the {letter} axis can be read in another way; check it, or give it with --{letter}-ticks"
        cautions.append(Caution(f"{letter}-axis-doubtful", message, panel.box))
    return 1 - axis.doubt, cautions
