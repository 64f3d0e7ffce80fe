"""Scores of digitized curves against known truth.

Two yardsticks:

* This project's own. Both axes are mapped to shares of their length (in log space on a log axis). The truth is
  widened to its envelope within 1/400 of the x axis, and a prediction's error at 400 positions is its distance to
  that envelope as a share of the y axis. A series is good with coverage >= 0.9, median error <= 0.005, 95th
  percentile <= 0.02 and the right name; a figure is hands-off when every series is good and none is invented; a
  silent failure is a figure that is not hands-off though its confidence is at least 0.8.
* Task 6b of the ICPR chart challenges for continuous series, whose errors are relative to the value.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

FloatArray = NDArray[np.float64]

POSITIONS = 400  # at which a prediction is held against the truth
HALF_WINDOW = 1 / 400  # of the truth's envelope, share of the x axis
SPARSE = 40  # truth of fewer points is scored at its points alone
WIDEST_GAP = 0.02  # in the x of a prediction's rows; over a wider one the curve counts as not read
REACH = 0.005  # how far beyond its ends a prediction still counts
MIN_COVERAGE, MAX_MEDIAN, MAX_P95, MIN_SIMILARITY = 0.9, 0.005, 0.02, 0.8
INVENTED = 20  # an unmatched series at more than this many of the positions is an invented one
SURE = 0.8
BOUNDS = ("(lower)", "(upper)")


@dataclass(frozen=True)
class Axis:
    """An axis of a case: "linear" or "log", and the values at its two ends."""

    scale: str
    limits: tuple[float, float]

    def share(self, values: FloatArray) -> FloatArray:
        """Return where values lie on the axis, 0 to 1."""
        if self.scale != "log":
            low, high = self.limits
            return np.asarray((values - low) / (high - low))
        low, high = (math.log10(max(v, 1e-300)) for v in self.limits)
        return np.asarray((np.log10(np.maximum(values, 1e-300)) - low) / (high - low))


@dataclass(frozen=True)
class Truth:
    """What is compared with, in shares of the axes: positions, the right value there, and its bounds."""

    x: FloatArray
    middle: FloatArray
    low: FloatArray
    high: FloatArray


@dataclass(frozen=True)
class SeriesScore:
    """How one true series was read; errors are shares of the y axis, `offset` is without the envelope."""

    coverage: float = 0.0
    median: float = 1.0
    p95: float = 1.0
    name_ok: bool = False
    read_as: str | None = None
    offset: float = 1.0

    @property
    def good(self) -> bool:
        """Whether a person would leave it as it is."""
        exact = self.coverage >= MIN_COVERAGE and self.median <= MAX_MEDIAN and self.p95 <= MAX_P95
        return exact and self.name_ok


@dataclass(frozen=True)
class CaseScore:
    """How one case (a panel and y axis of a figure) was read."""

    slug: str
    found: bool
    series: Mapping[str, SeriesScore]
    invented: int = 0
    confidence: float | None = None
    icpr: float = 0.0
    case: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def hands_off(self) -> bool:
        """Whether nothing would have to be changed."""
        return self.invented == 0 and all(s.good for s in self.series.values())

    @property
    def silent_failure(self) -> bool:
        """Whether it is wrong though the record says that it is right."""
        return not self.hands_off and self.confidence is not None and self.confidence >= SURE


def score_case(folder: Path, results: Path) -> CaseScore:
    """Score one case.

    Args:
        folder: Holds case.json and truth.csv.
        results: Holds the figure's curve table and record, <figure stem>.csv and .json.
    """
    case = json.loads((folder / "case.json").read_text())
    truth = {name: rows for (_, name), rows in _read_rows(folder / "truth.csv", truth=True).items()}
    table = results / f"{Path(case['figure']).stem}.csv"
    if not table.exists():
        return CaseScore(folder.name, False, {name: SeriesScore() for name in truth}, case=case)
    panel, confidence, vertices = _record(table.with_suffix(".json"), case)
    read = {
        name: rows
        for (where, name), rows in _read_rows(table).items()
        if (panel is None or where == str(panel)) and (name in truth or not name.endswith(BOUNDS))
    }
    x_axis, y_axis = (_axis(case, which, truth) for which in "xy")
    grids = {name: _envelope(rows, x_axis, y_axis) for name, rows in truth.items()}
    curves = {name: (x_axis.share(r[:, 0]), y_axis.share(r[:, 1])) for name, r in read.items()}
    series, spare = _pair(grids, curves, case, vertices)
    invented = 0 if case.get("partial_truth") else sum(_reaches_wide(curves[name][0]) for name in spare)
    icpr = icpr_6b(read, truth, names=not case.get("names_unknown", False))
    return CaseScore(folder.name, True, series, invented, confidence, icpr, case)


def _read_rows(path: Path, *, truth: bool = False) -> dict[tuple[str, str], FloatArray]:
    """Return the rows (x, y, tolerance) of each panel and series, sorted; hidden truth is left out."""
    rows: dict[tuple[str, str], list[tuple[float, float, float]]] = {}
    for row in csv.DictReader(path.read_text(encoding="utf-8").splitlines()):
        try:
            x, y = float(row["x"]), float(row["y"])
        except (ValueError, TypeError):
            continue
        if not (math.isfinite(x) and math.isfinite(y)) or (truth and row.get("hidden") == "1"):
            continue
        tolerance = float(row.get("tolerance") or 0) if truth else 0.0
        key = ("0" if truth else row.get("panel") or "0", row["series"])
        rows.setdefault(key, []).append((x, y, tolerance))
    return {key: np.array(sorted(points)) for key, points in rows.items()}


def _record(path: Path, case: Mapping[str, Any]) -> tuple[int | None, float | None, bool]:
    """Return the panel that the case is about, the confidence, and whether rows are a drawing's vertices."""
    if not path.exists():
        return case.get("panel"), None, False
    record = json.loads(path.read_text(encoding="utf-8"))
    vertices = record.get("source", {}).get("kind") in ("svg", "pdf")
    panels = record.get("panels") or []
    if not case.get("panel_box") or not panels:
        return case.get("panel"), record.get("confidence"), vertices
    overlaps = [_overlap(case["panel_box"], p["box"]) for p in panels]
    panel = int(np.argmax(overlaps))
    return panel, panels[panel].get("confidence", record.get("confidence")), vertices


def _overlap(a: Sequence[float], b: Sequence[float]) -> float:
    """Return the intersection over the union of two boxes."""
    shared = max(min(a[2], b[2]) - max(a[0], b[0]), 0) * max(min(a[3], b[3]) - max(a[1], b[1]), 0)
    areas = sum(max(r[2] - r[0], 0) * max(r[3] - r[1], 0) for r in (a, b))
    return float(shared / max(areas - shared, 1e-9))


def _axis(case: Mapping[str, Any], which: str, truth: Mapping[str, FloatArray]) -> Axis:
    """Return an axis of the case; limits that are not known are those of the truth."""
    limits = case.get(f"{which}lim")
    if not limits:
        values = np.concatenate([rows[:, "xy".index(which)] for rows in truth.values()])
        limits = (float(values.min()), float(values.max()))
    return Axis(case[f"{which}_scale"], (limits[0], limits[1]))


def _envelope(rows: FloatArray, x_axis: Axis, y_axis: Axis) -> Truth | None:
    """Return where the truth is compared and the bounds there, or None where nothing of it is in the frame."""
    x, y = x_axis.share(rows[:, 0]), y_axis.share(rows[:, 1])
    slack = np.abs(y_axis.share(rows[:, 1] + rows[:, 2]) - y_axis.share(rows[:, 1] - rows[:, 2])) / 2
    inside = np.flatnonzero((x >= -0.001) & (x <= 1.001) & np.isfinite(y))
    order = inside[np.argsort(x[inside], kind="stable")]
    x, y, slack = x[order], y[order], slack[order]
    if not len(x):
        return None
    at = x
    if len(x) >= SPARSE:
        even = np.linspace(x.min(), x.max(), POSITIONS)
        first, last = _window(x, even)
        near = even[last > first]
        at = near if len(near) >= SPARSE else x
    middle = np.interp(at, x, y)
    low, high = middle.copy(), middle.copy()
    if len(x) >= SPARSE:
        for i, (a, b) in enumerate(zip(*_window(x, at), strict=True)):
            if b > a:
                low[i], high[i] = min(middle[i], y[a:b].min()), max(middle[i], y[a:b].max())
    room = np.interp(at, x, slack)
    return Truth(at, middle, np.clip(low, 0, 1) - room, np.clip(high, 0, 1) + room)


def _window(x: FloatArray, at: FloatArray) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the first and the last plus one index of the rows within the half window of each position."""
    return np.searchsorted(x, at - HALF_WINDOW), np.searchsorted(x, at + HALF_WINDOW, side="right")


def _measure(truth: Truth | None, curve: tuple[FloatArray, FloatArray], vertices: bool) -> SeriesScore:
    """Hold a prediction, in shares of the axes, against the truth."""
    if truth is None or len(curve[0]) < 2:
        return SeriesScore()
    order = np.argsort(curve[0])
    x, y = curve[0][order], curve[1][order]
    after = np.clip(np.searchsorted(x, truth.x), 1, len(x) - 1)
    gaps = x[after] - x[after - 1]
    covered = (
        (truth.x >= x[0] - REACH) & (truth.x <= x[-1] + REACH) & (gaps <= (2 if vertices else WIDEST_GAP))
    )
    if not covered.any():
        return SeriesScore()
    value = np.clip(np.interp(truth.x, x, y), -1, 2)
    error = np.maximum(np.maximum(truth.low - value, value - truth.high), 0)[covered]
    offset = float(np.median(np.abs(value - truth.middle)[covered]))
    return SeriesScore(
        float(covered.mean()), float(np.median(error)), float(np.percentile(error, 95)), offset=offset
    )


def _pair(
    truths: Mapping[str, Truth | None],
    curves: Mapping[str, tuple[FloatArray, FloatArray]],
    case: Mapping[str, Any],
    vertices: bool,
) -> tuple[dict[str, SeriesScore], list[str]]:
    """Pair true and read series by least cost; return the scores and the names of the series left over."""
    names, read = list(truths), list(curves)
    scores = [[_measure(truths[n], curves[r], vertices) for r in read] for n in names]
    cost = np.full((len(names), max(len(read), 1)), 3.0)
    for i, row in enumerate(scores):
        for j, s in enumerate(row):
            cost[i, j] = s.median + (1 - s.coverage) + 0.3 * (similarity(names[i], read[j]) < MIN_SIMILARITY)
    any_name = case.get("names_unknown", False) or (case.get("unnamed", False) and len(names) == 1)
    out, spare = {name: SeriesScore() for name in names}, set(read)
    for i, j in zip(*linear_sum_assignment(cost), strict=True):
        if j < len(read):
            s, name_ok = scores[i][j], any_name or similarity(names[i], read[j]) >= MIN_SIMILARITY
            out[names[i]] = replace(s, name_ok=bool(name_ok), read_as=read[j])
            spare.discard(read[j])
    return out, sorted(spare)


def _reaches_wide(x: FloatArray) -> bool:
    """Return whether a series covers more than a twentieth of the x axis."""
    return len(np.unique(np.round(x * POSITIONS))) > INVENTED


def similarity(a: str, b: str) -> float:
    """Return how alike two names are, 0 to 1, without regard to case and spaces."""
    one, other = ("".join(n.casefold().split()) for n in (a, b))
    return SequenceMatcher(None, one, other).ratio()


def icpr_6b(read: Mapping[str, FloatArray], truth: Mapping[str, FloatArray], *, names: bool = True) -> float:
    """Return the figure's score in task 6b of the ICPR chart challenges for continuous series, 0 to 1.

    Args:
        read: (n, 2 or more) rows of x and y in data units for each name, sorted by x.
        truth: The same for the true series.
        names: Whether names count; else every name is taken as right.
    """
    if not read or not truth:
        return 0.0
    cost = np.ones((max(len(read), len(truth)),) * 2)
    for i, (p_name, p) in enumerate(read.items()):
        for j, (g_name, g) in enumerate(truth.items()):
            s = _agreement(p, g)
            alike = 1 - _edit_distance(p_name, g_name) / max(len(p_name), len(g_name), 1) if names else 1.0
            cost[i, j] = min(1 - s / 2, 1 - alike * s)
    return float(1 - cost[linear_sum_assignment(cost)].sum() / len(cost))


def _agreement(p: FloatArray, g: FloatArray) -> float:
    """Return the harmonic mean of recall and precision of a read series and a true one."""
    eps = (g[:, 1].max() - g[:, 1].min()) / 100
    recall, precision = _recall(p, g, eps), _recall(g, p, eps)
    return 2 * recall * precision / (recall + precision) if recall + precision else 0.0


def _recall(p: FloatArray, g: FloatArray, eps: float) -> float:
    """Return the share of g that p tells, each point by its part of the x range."""
    weights = np.full(len(g), 1.0)
    if len(g) > 1 and g[-1, 0] > g[0, 0]:
        steps = np.diff(g[:, 0])
        weights = (np.append(steps, 0) + np.insert(steps, 0, 0)) / 2
    off = np.abs(g[:, 1] - np.interp(g[:, 0], p[:, 0], p[:, 1])) / np.maximum(np.abs(g[:, 1]) + eps, 1e-300)
    return float(np.sum(weights * (1 - np.minimum(off, 1))) / np.sum(weights))


def _edit_distance(a: str, b: str) -> int:
    """Return the Levenshtein distance of two strings."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        corner, row[0] = row[0], i
        for j, y in enumerate(b, start=1):
            corner, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, corner + (x != y))
    return row[-1]
