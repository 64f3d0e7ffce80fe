"""What could be wrong, as warnings, and how likely it is that nothing is.

The confidence of a panel is the chance that it was read right: a logistic model of signs of trouble, each of which
can only lower it. Its weights were fitted on generated figures with known truth (``tests/bench/calibrate.py``: 173
panels of 90 hard and 45 plain figures, 2026-12-01); the benchmark prints how often figures of each confidence were
right. Signs that occurred too seldom to be fitted (a guessed axis, an unread factor, loose ink, an unsure name, bars)
have weights set by hand, and x and y share the stronger of theirs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from replicate.digitizer.legend import Legend
from replicate.digitizer.model import AxisFit, Caution
from replicate.digitizer.record import Panel, Series
from replicate.digitizer.runs import stretches
from replicate.digitizer.series import SeriesReading

INTERCEPT = 2.79
WEIGHTS: Mapping[str, float] = {
    "x_doubt": -2.90,
    "y_doubt": -2.90,
    "x_labels_unused": -2.40,
    "y_labels_unused": -2.40,
    "few_x_ticks": -0.90,
    "few_y_ticks": -0.90,
    "unnamed": -1.05,
    "strangers": -1.62,
    "missing": -1.61,
    "unexplained": -2.50,
    "noise": -0.45,
    "unseen": -2.72,
    "short": -1.45,
    "jumps": -0.67,
    "one_colour": -1.34,
    "axis_guessed": -2.00,
    "name_doubt": -0.50,
    "many": -0.47,
    "residual": -0.38,
    "offset_unread": -2.50,
    "small": -1.90,
    "stray": -4.45,
    "standing": -5.00,
}


def signs(panel: Panel, legend: Legend | None, reading: SeriesReading) -> dict[str, float]:
    """Return the signs of trouble in a panel, each 0 (none) to about 1.

    Args:
        panel: The panel as read.
        legend: Its legend, if one was found.
        reading: How the curves were read.

    Returns:
        A value for each name in `WEIGHTS`.
    """
    series, box = panel.series, panel.box
    fitted = [a for a in (panel.x_axis, panel.y_axis, panel.y2_axis) if a and a.source == "auto"]
    spans = [float(np.ptp(s.trace.columns)) for s in series]
    named = [s for s in series if s.name_from == "legend"]
    inks = [s.color for s in series]
    return {
        **_axis_signs("x", panel.x_axis),
        **_axis_signs("y", panel.y_axis),
        "unnamed": float(legend is None and (len(series) > 1 or reading.loose_text)),
        "strangers": float(bool(named) and any(s.name_from == "colour" for s in series)),
        "missing": min(len(reading.missing), 2) / 2,
        "unexplained": min(reading.unexplained, 1.0),
        "noise": min(reading.noise / 20, 1.0),
        "unseen": max((_unseen(s) for s in series), default=0.0),
        "short": 1 - min(spans) / max(max(spans), 1.0) if spans else 0.0,
        "jumps": min(max((_jumps(s) for s in series), default=0.0) / max(box.height, 1.0), 1.0),
        "one_colour": float(len(set(inks)) < len(inks)),
        "axis_guessed": float(reading.axis_guessed),
        "name_doubt": 1 - min((e.text.score for e in legend.entries), default=1.0) if legend else 0.0,
        "many": float(len(series) > 5),
        "residual": min(max((a.residual_px for a in fitted), default=0.0), 2.0) / 2,
        "offset_unread": float(reading.offset_unread),
        "stray": min(reading.stray, 1.0),
        "small": float(min(box.width, box.height) < 200),
        "standing": max((_standing(s, box.y1 - panel.origin[1], box.height) for s in series), default=0.0),
    }


def _axis_signs(letter: str, axis: AxisFit | None) -> dict[str, float]:
    """Return the signs of trouble of one axis; none where a person calibrated it."""
    doubt, unused, few = 0.0, 0.0, 0.0
    if axis and axis.source == "auto":
        used = sum(t.used for t in axis.ticks)
        doubt, few = axis.doubt, float(used <= 2)
        unused = 1 - used / max(len(axis.ticks), 1)
    return {f"{letter}_doubt": doubt, f"{letter}_labels_unused": unused, f"few_{letter}_ticks": few}


def _unseen(series: Series, dash: int = 12) -> float:
    """Return the share of a curve that was not seen, gaps between dashes (up to `dash` columns) left out."""
    gone = ~series.trace.observed
    lengths = [last - first + 1 for first, last in stretches(gone)]
    return float(sum(n for n in lengths if n > dash)) / len(gone)


def _standing(series: Series, floor: float, height: float) -> float:
    """Return the share of columns in which a curve's ink stands on the panel's floor: bars, or a filled area."""
    t = series.trace
    tall = t.bottom - t.top > max(0.05 * height, 3 * t.thickness)
    on_floor = t.bottom + t.thickness >= floor - 3
    return float((tall & on_floor & t.observed).mean())


def _jumps(series: Series) -> float:
    """Return how far a curve jumps between neighbouring columns beyond what its ink spans, pixels in all."""
    t = series.trace
    apart = np.maximum(t.top[1:] - t.bottom[:-1], t.top[:-1] - t.bottom[1:]) - t.thickness - 1
    return float(np.maximum(apart, 0).sum())


def judge(panel: Panel, legend: Legend | None, reading: SeriesReading) -> tuple[Panel, list[Caution]]:
    """Return the panel with its confidence, and the warnings.

    Args:
        panel: The panel as read.
        legend: Its legend, if one was found.
        reading: How the curves were read.

    Returns:
        The panel with confidence set, and what a person should look at.
    """
    cautions = _cautions(panel, reading)
    if not panel.series:
        return replace(panel, confidence=0.0), cautions
    found = signs(panel, legend, reading)
    odds = INTERCEPT + sum(WEIGHTS[name] * value for name, value in found.items())
    return replace(panel, confidence=1 / (1 + math.exp(-odds))), cautions


def _cautions(panel: Panel, reading: SeriesReading) -> list[Caution]:
    """Return what a person should look at."""
    said: list[tuple[str, str]] = []
    for axis, letter in ((panel.x_axis, "x"), (panel.y_axis, "y")):
        flag = f'--{letter}-ticks "PIXEL=VALUE,PIXEL=VALUE"'
        if axis is None:
            said.append(
                (f"{letter}-axis-unread", f"the {letter} axis could not be read; give it with {flag}")
            )
        elif axis.source == "auto" and axis.doubt > 0.2:
            said.append(
                (f"{letter}-axis-doubtful", f"the {letter} axis may mean something else; give it with {flag}")
            )
    if panel.x_axis and panel.y_axis and not panel.series:
        said.append(("no-curve", 'no curve was found; name its colour with --series "NAME=#rrggbb"'))
    if reading.offset_unread:
        said.append(
            (
                "offset-unread",
                "a factor at an axis' end could not be read; give the axis with --x-ticks or --y-ticks",
            )
        )
    if reading.axis_guessed:
        said.append(
            (
                "axis-guessed",
                "nothing tells which curve belongs to which y axis; the legend's order was followed",
            )
        )
    for name in reading.missing:
        said.append(
            ("series-missing", f"no ink was found for {name!r} of the legend; give its colour with --series")
        )
    floor = panel.box.y1 - panel.origin[1]
    for s in panel.series:
        if _standing(s, floor, panel.box.height) > 0.3:
            said.append(("no-line", f"{s.name!r} stands on the axis: bars or an area are not read as curves"))
    if reading.unexplained > 0.1:
        said.append(
            ("unexplained-ink", f"{reading.unexplained:.0%} of the ink belongs to no curve that was read")
        )
    return [Caution(code, message, panel.box) for code, message in said]
