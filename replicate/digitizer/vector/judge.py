"""How sure a reading of drawn paths is: signs of trouble, as warnings and one number.

Numbers from paths are exact, so what can be wrong is what they were taken for: an axis misread, a key given to the
wrong curve, a drawing that is no curve. The number is a logistic model of these signs, its weights set by hand and
held against the generated figures.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from replicate.digitizer.model import AxisFit, Caution
from replicate.digitizer.record import Panel
from replicate.digitizer.vector.calibrate import CalibratedPanel
from replicate.digitizer.vector.keys import Entry, Legend

LABEL_ERROR = (
    1.2  # how far a label's middle may be from its place on a y axis, in units in which text is 20 high
)
INTERCEPT = 4.0
WEIGHTS: Mapping[str, float] = {
    "x_doubt": -6.0,
    "y_doubt": -6.0,
    "labels_unused": -3.0,
    "few_ticks": -1.0,
    "residual": -2.0,
    "unmarked": -3.0,
    "unnamed": -1.6,
    "strangers": -1.2,
    "missing": -3.0,
    "scattered": -1.6,
    "areas": -1.6,
    "bars": -1.6,
    "axis_guessed": -3.0,
    "turns_back": -5.0,
    "name_doubt": -1.0,
    "borrowed": -0.3,
}


@dataclass(frozen=True, eq=False)
class Findings:
    """What was found in a panel beside its curves.

    Attributes:
        panel: The calibrated panel.
        legend: Its legend, or None.
        missing: The legend's entries without a curve.
        scattered: How many markers are scattered.
        areas: How many filled areas are neither bands nor under a curve.
        bars: How many filled rectangles stand on one base.
        axis_guessed: Whether the curves' y axes had to be guessed.
        backward: The largest share of a curve's way along x that leads back.
    """

    panel: CalibratedPanel
    legend: Legend | None
    missing: tuple[Entry, ...]
    scattered: int
    areas: int
    bars: int
    axis_guessed: bool
    backward: float


def signs(panel: Panel, found: Findings) -> dict[str, float]:
    """Return the signs of trouble in a panel, each 0 (none) to 1: a value for each name in `WEIGHTS`."""
    fits = [a for a in (panel.x_axis, panel.y_axis, panel.y2_axis) if a and a.source == "auto"]
    unused = [1 - sum(t.used for t in a.ticks) / max(len(a.ticks), 1) for a in fits]
    named = [s for s in panel.series if s.name_from == "legend"]
    loose = [s for s in panel.series if s.name_from == "colour"]
    missing = 0 if found.legend and found.legend.shared else len(found.missing)
    scores = [e.text.text.score for e in found.legend.entries] if found.legend else []
    return {
        "x_doubt": _doubt(panel.x_axis),
        "y_doubt": max(_doubt(panel.y_axis), _doubt(panel.y2_axis)),
        "labels_unused": max(unused, default=0.0),
        "few_ticks": float(any(sum(t.used for t in a.ticks) <= 2 for a in fits)),
        "residual": min(max((a.residual_px for a in fits), default=0.0), 1.0),
        "unmarked": max(_unmarked(found, a, panel.box.height) for a in (panel.y_axis, panel.y2_axis)),
        "unnamed": float(len(loose) > 1 and not named),
        "strangers": float(bool(named) and bool(loose)),
        "missing": min(missing, 2) / 2,
        "scattered": float(found.scattered >= 3),
        "areas": float(found.areas > 0),
        "bars": float(found.bars >= 3),
        "axis_guessed": float(found.axis_guessed),
        "turns_back": min(10 * found.backward, 1.0),
        "name_doubt": 1 - min(scores, default=1.0),
        "borrowed": float(found.panel.borrowed),
    }


def _unmarked(found: Findings, axis: AxisFit | None, span: float) -> float:
    """Return how much labels without ticks may matter: 1 where they may shift a curve by half a percent."""
    if axis is None or axis.source == "person" or found.panel.is_marked(axis):
        return 0.0
    return min(LABEL_ERROR / (0.005 * max(span, 1.0)), 1.0)


def _doubt(axis: AxisFit | None) -> float:
    """Return an axis' doubt; none where a person calibrated it."""
    return axis.doubt if axis and axis.source == "auto" else 0.0


def judge(panel: Panel, found: Findings) -> tuple[Panel, list[Caution]]:
    """Return a panel with its confidence, and what a person should look at."""
    cautions = [Caution(code, said, panel.box) for code, said in _cautions(panel, found)]
    if not panel.series:
        return replace(panel, confidence=0.0), cautions
    odds = INTERCEPT + sum(WEIGHTS[name] * value for name, value in signs(panel, found).items())
    sure = 1 / (1 + math.exp(-odds))
    series = tuple(replace(s, confidence=sure) for s in panel.series)
    return replace(panel, confidence=sure, series=series), cautions


def _cautions(panel: Panel, found: Findings) -> list[tuple[str, str]]:
    """Return what a person should look at: a code and a sentence each."""
    said = []
    for axis, letter in ((panel.x_axis, "x"), (panel.y_axis, "y"), (panel.y2_axis, "y")):
        if axis and axis.source == "auto" and axis.doubt > 0.2:
            flag = f'--{letter}-ticks "POINT=VALUE,POINT=VALUE"'
            said.append(
                (f"{letter}-axis-doubtful", f"the {letter} axis may mean something else; give it with {flag}")
            )
    if not panel.series:
        said.append(("no-curve", "no curve is drawn in this panel that rises or falls along x"))
    if found.axis_guessed:
        text = "nothing tells which curve belongs to which y axis; the legend's order was followed"
        said.append(("axis-guessed", text))
    if not (found.legend and found.legend.shared):
        said += [("series-missing", f"no line is drawn like the legend's {e.name!r}") for e in found.missing]
    if found.scattered >= 3:
        said.append(("scattered-points", f"{found.scattered} scattered markers were not read as a curve"))
    if found.areas:
        said.append(("filled-area", f"{found.areas} filled areas were not read as curves"))
    if found.bars >= 3:
        said.append(("bars", f"{found.bars} bars were not read as a curve"))
    if found.backward > 0.01:
        said.append(("turns-back", "a line turns back along x, so it is no function of x"))
    return said
