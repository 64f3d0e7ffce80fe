"""Ink to curves: one path through each curve's ink, column by column.

In every column the ink of a curve stands in runs; the path takes at most one run a column, and the best path is
found over all columns at once (dynamic programming, as in Viterbi's algorithm): it gathers ink and pays for
jumps. The curve's position in a column is the centroid of its run, weighted by coverage; nothing is smoothed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from replicate.digitizer.model import FloatArray
from replicate.digitizer.runs import stretches

Coverage = NDArray[np.float32]


@dataclass(frozen=True)
class TraceSettings:
    """Thresholds and costs of the path search.

    Attributes:
        least: Coverage above which a pixel holds ink.
        runs: Most runs looked at in a column.
        reach: How many columns with ink of its colour a path may pass over, to leave out what is not its own.
        jump: Cost of a jump of the panel's whole height.
        skip: Cost of a column without ink.
        weak: Least total coverage of a run, relative to the line's thickness.
    """

    least: float = 0.15
    runs: int = 6
    reach: int = 40
    jump: float = 60.0
    skip: float = 0.35
    weak: float = 0.3


@dataclass(frozen=True, eq=False)
class Trace:
    """A curve in pixels of the panel's interior.

    Attributes:
        columns: (n,) float64, pixel columns, ascending.
        rows: (n,) float64, the curve's row.
        top: (n,) float64, the highest row (smallest number) that the drawing allows.
        bottom: (n,) float64, the lowest row that it allows.
        observed: (n,) bool, False where interpolated.
        thickness: The line's thickness, pixels.
    """

    columns: FloatArray
    rows: FloatArray
    top: FloatArray
    bottom: FloatArray
    observed: NDArray[np.bool_]
    thickness: float

    def __len__(self) -> int:
        """Return the number of columns."""
        return len(self.columns)


@dataclass(frozen=True, eq=False)
class Runs:
    """The runs of ink of every column, padded to the same number.

    Attributes:
        centre: (w, r) float64 centroids; NaN where there is no run.
        first: (w, r) float64 first rows.
        last: (w, r) float64 last rows.
        mass: (w, r) float64 total coverage; 0 where there is no run.
        peak: (w, r) float64 strongest coverage.
    """

    centre: FloatArray
    first: FloatArray
    last: FloatArray
    mass: FloatArray
    peak: FloatArray


def find_runs(coverage: Coverage, settings: TraceSettings | None = None) -> Runs:
    """Find the vertical runs of ink in each column.

    Args:
        coverage: (h, w) float32, the curve's share of each pixel.
        settings: Thresholds.

    Returns:
        The strongest runs of each column.
    """
    settings = settings or TraceSettings()
    height, width = coverage.shape
    inked_row, inked_column = np.nonzero(coverage)
    place = np.sort(inked_column * (height + 2) + inked_row)  # down each column; columns never touch
    column, row = np.divmod(place, height + 2)
    share = np.append(coverage[row, column], np.float32(0)).astype(np.float64)
    first, last = _solid_stretches(place, share[:-1] > settings.least)
    start_column, start_row, end_row = column[first], row[first], row[last]
    peaks = _over(np.maximum, share, first, last + 1)
    # one faint pixel on either side belongs to the run: it is the rim of the line
    low, high = np.searchsorted(place, place[first] - 1), np.searchsorted(place, place[last] + 2)
    mass = _over(np.add, share, low, high)
    moment = _over(np.add, share * np.append(row, 0), low, high)
    order = np.lexsort((-mass, start_column))
    rank = np.arange(len(order)) - np.searchsorted(start_column[order], start_column[order])
    out = Runs(*(np.full((width, settings.runs), np.nan) for _ in range(5)))
    keep = rank < settings.runs
    at = (start_column[order][keep], rank[keep])
    out.centre[at] = (moment / np.maximum(mass, 1e-9))[order][keep]
    out.first[at], out.last[at] = start_row[order][keep], end_row[order][keep]
    out.mass[at], out.peak[at] = mass[order][keep], peaks[order][keep]
    np.nan_to_num(out.mass, copy=False)
    np.nan_to_num(out.peak, copy=False)
    return out


def _solid_stretches(
    place: NDArray[np.intp], solid: NDArray[np.bool_]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the indices of the first and last of each stretch of solid pixels at successive places."""
    follows = solid[1:] & solid[:-1] & (np.diff(place) == 1)
    begins, ends = solid.copy(), solid.copy()
    begins[1:] &= ~follows
    ends[:-1] &= ~follows
    return np.flatnonzero(begins), np.flatnonzero(ends)


def _over(
    operation: np.ufunc, values: FloatArray, low: NDArray[np.intp], high: NDArray[np.intp]
) -> FloatArray:
    """Return an operation's result over the values from each `low` to before its `high`; one more value ends them."""
    bounds = np.stack((low, high), axis=1).ravel()
    return np.asarray(operation.reduceat(values, bounds)[::2]) if len(bounds) else np.empty(0)


def line_thickness(runs: Runs) -> float:
    """Return a line's thickness in pixels: the usual mass of the strongest runs where the curve is flat.

    A curve whose noise fills its columns is never flat; lines are hardly ever thicker than a hundredth of the
    panel's width, which bounds the estimate.
    """
    strongest = runs.mass[:, 0]
    strongest = strongest[strongest > 0]
    thickest = max(6.0, 0.012 * len(runs.mass))
    return float(np.clip(np.percentile(strongest, 25), 0.5, thickest)) if len(strongest) else 1.0


def best_path(runs: Runs, height: int, settings: TraceSettings | None = None) -> NDArray[np.intp]:
    """Return the run taken in each column, (w,) int, -1 where none is.

    A path gains a column's worth for each column in which it finds solid ink, and pays for the distance between
    the runs of neighbouring columns (runs that touch cost nothing, whatever their centroids) and for columns
    that it jumps over.
    """
    settings = settings or TraceSettings()
    width, count = runs.mass.shape
    thickness = line_thickness(runs)
    gain = np.minimum(runs.mass / thickness, 1.0) * np.clip(runs.peak / 0.6, 0, 1)
    usable = (runs.mass >= settings.weak * thickness) & np.isfinite(runs.centre)
    nodes = np.flatnonzero(usable)
    if not len(nodes):
        return np.full(width, -1, np.intp)
    column = nodes // count
    inked, begin = np.unique(column, return_index=True)
    score, back = gain.ravel()[nodes], np.full(len(nodes), -1, np.intp)
    first, last = runs.first.ravel()[nodes], runs.last.ravel()[nodes]
    price, skip = settings.jump / height, settings.skip * np.sqrt(np.arange(width))
    begin = np.append(begin, len(nodes))
    for position in range(1, len(inked)):
        a, b, c = begin[max(position - settings.reach, 0)], begin[position], begin[position + 1]
        before = score[a:b]
        best = int(before.argmax())
        free = skip[column[b] - column[a + best] - 1]
        for node in range(b, c):
            # the best of all, next to this run and in the nearest column, cannot be beaten
            if column[a + best] == column[b - 1] and _apart(first, last, a + best, node) == 0:
                choice, value = best, before[best] - free
            else:
                distance = np.maximum(first[node] - last[a:b], first[a:b] - last[node]) - 1
                total = before - price * np.maximum(distance, 0) - skip[column[b] - column[a:b] - 1]
                choice = int(total.argmax())
                value = total[choice]
            if value > 0:
                score[node] += value
                back[node] = a + choice
    return _follow(nodes, score, back, width, count)


def _apart(first: FloatArray, last: FloatArray, one: int, other: int) -> float:
    """Return how many rows lie between two runs."""
    return max(float(first[one] - last[other]), float(first[other] - last[one]), 1.0) - 1


def _follow(
    nodes: NDArray[np.intp], score: FloatArray, back: NDArray[np.intp], width: int, count: int
) -> NDArray[np.intp]:
    """Walk the best path back from its end; node k is run nodes[k] % count of column nodes[k] // count."""
    path = np.full(width, -1, np.intp)
    k = int(score.argmax())
    while k >= 0:
        column, run = divmod(int(nodes[k]), count)
        path[column] = run
        k = int(back[k])
    return path


def trace(coverage: Coverage, settings: TraceSettings | None = None) -> Trace | None:
    """Trace one curve through its ink.

    Args:
        coverage: (h, w) float32, the curve's share of each pixel.
        settings: Thresholds and costs.

    Returns:
        The curve from its first to its last column of ink, interpolated over gaps; None where there is no ink.
    """
    return trace_several(coverage, 1, settings)[0]


def trace_several(
    coverage: Coverage, number: int, settings: TraceSettings | None = None
) -> list[Trace | None]:
    """Trace curves of one colour, one after another; each takes its ink away.

    Args:
        coverage: (h, w) float32, the colour's share of each pixel.
        number: How many curves to look for.
        settings: Thresholds and costs.

    Returns:
        As many traces as asked for, the one with the most ink first; None where no ink was left.
    """
    settings = settings or TraceSettings()
    left = coverage.copy() if number > 1 else coverage
    traces: list[Trace | None] = []
    for _ in range(number):
        runs = find_runs(left, settings)
        path = best_path(runs, left.shape[0], settings) if runs.mass.any() else np.full(left.shape[1], -1)
        traces.append(assemble(runs, path))
        if number > 1:
            _erase(left, runs, path)
    return traces


def _erase(coverage: Coverage, runs: Runs, path: NDArray[np.intp]) -> None:
    """Take a path's ink away; where its run is much taller than the line, others may run there too: it stays."""
    thickness = line_thickness(runs)
    for column in np.flatnonzero(path >= 0).tolist():
        run = path[column]
        if runs.mass[column, run] <= 3 * thickness:
            first, last = int(runs.first[column, run]), int(runs.last[column, run])
            coverage[max(first - 1, 0) : last + 2, column] = 0


def assemble(runs: Runs, path: NDArray[np.intp]) -> Trace | None:
    """Turn a path through runs into a curve, with its bounds.

    The bounds take the run's whole vertical extent less the line's own thickness: a noisy curve may have been
    anywhere in there.
    """
    seen = np.flatnonzero(path >= 0)
    if len(seen) < 2:
        return None
    thickness = line_thickness(runs)
    pick = (seen, path[seen])
    rows, mass = runs.centre[pick].copy(), runs.mass[pick]
    slack = np.maximum(mass - thickness, 0) / 2 + 0.1
    top, bottom = rows - slack, rows + slack
    first, last = _without_caps(seen, thickness)
    columns = np.arange(first, last + 1, dtype=np.float64)
    full, upper, lower = (np.interp(columns, seen, values) for values in (rows, top, bottom))
    for end, cap in ((0, seen <= first), (-1, seen >= last)):
        if mass[cap].max() > 2.5 * thickness:
            inward = full[min(2, len(full) - 1)] if end == 0 else full[max(-3, -len(full))]
            full[end] = _tip(runs.first[pick][cap], runs.last[pick][cap], inward, thickness)
    upper[[0, -1]] = np.minimum(upper[[0, -1]], full[[0, -1]])
    lower[[0, -1]] = np.maximum(lower[[0, -1]], full[[0, -1]])
    return Trace(columns, full, upper, lower, path[first : last + 1] >= 0, thickness)


def _without_caps(seen: NDArray[np.intp], thickness: float) -> tuple[int, int]:
    """Return the first and last column of the curve itself: a drawn line reaches half its thickness further."""
    cap = int(thickness / 2)
    if seen[-1] - seen[0] < 4 * cap + 2:
        return int(seen[0]), int(seen[-1])
    return int(seen[0]) + cap, int(seen[-1]) - cap


def _tip(first: FloatArray, last: FloatArray, inward: float, thickness: float) -> float:
    """Return the row at which a steep curve starts or ends: the end of its ink, not the middle of it.

    Args:
        first: First rows of the ink in the columns of the end's cap.
        last: Last rows of it.
        inward: The curve's row a little way in.
        thickness: The line's thickness: the ink reaches half of it beyond the curve.
    """
    top, bottom = float(first.min()) + thickness / 2, float(last.max()) - thickness / 2
    return top if inward - top > bottom - inward else bottom


def widen_covered_ends(traces: Sequence[Trace]) -> list[Trace]:
    """Widen the bounds of ends that touch another curve's ink: the curve may go on underneath, unseen.

    Curves that start at one point and fall steeply are the rule: the one drawn last covers the start of the others.

    Args:
        traces: The panel's traces.

    Returns:
        The traces with the bounds of such ends reaching to the far side of the other's ink.
    """
    widened = []
    for t in traces:
        top, bottom = t.top.copy(), t.bottom.copy()
        for end in (0, -1):
            column = t.columns[end]
            for o in traces:
                if o is t or not o.columns[0] - 1 <= column <= o.columns[-1] + 1:
                    continue
                high, low = (float(np.interp(column, o.columns, v)) for v in (o.top, o.bottom))
                reach = (t.thickness + o.thickness) / 2 + 1
                if high - reach <= t.bottom[end] and low + reach >= t.top[end]:
                    slack = (o.thickness - t.thickness) / 2
                    top[end], bottom[end] = min(top[end], high - slack), max(bottom[end], low + slack)
        widened.append(replace(t, top=top, bottom=bottom))
    return widened


def extend_along(traces: Sequence[Trace], least: float = 0.02) -> list[Trace]:
    """Continue curves that vanish under another: from where their ink ends they follow that curve's.

    Curves of one panel mostly span one range of x. Where a curve's ink ends well inside the common range, and
    ends on another curve, it runs on underneath; the added points are not observed.

    Args:
        traces: The panel's traces.
        least: Shortest stretch that is worth continuing, as a share of the common range.

    Returns:
        The traces, continued where that is so.
    """
    if not traces:
        return []
    first, last = min(t.columns[0] for t in traces), max(t.columns[-1] for t in traces)
    room = least * (last - first)
    extended = list(traces)
    for _ in traces:  # a curve may run under one that itself runs on under a third
        before = list(extended)
        for i, t in enumerate(before):
            others = [o for o in before if o is not t]
            if last - t.columns[-1] > room:
                extended[i] = _continue(extended[i], others, forward=True)
            if t.columns[0] - first > room:
                extended[i] = _continue(extended[i], others, forward=False)
        if all(a is b for a, b in zip(before, extended, strict=True)):
            break
    return extended


def _off(trace: Trace, column: float, row: float) -> float:
    """Return how far a place is from a trace's ink in its column, pixels."""
    top, bottom = (float(np.interp(column, trace.columns, v)) for v in (trace.top, trace.bottom))
    return max(top - row, row - bottom, 0.0)


def _continue(trace: Trace, others: Sequence[Trace], *, forward: bool) -> Trace:
    """Append the stretch of the curve that a trace ends on, if it runs into one at a small angle."""
    end = -1 if forward else 0
    column, row = trace.columns[end], trace.rows[end]
    gaps = [last - first + 1 for first, last in stretches(~trace.observed)]
    hidden = float(np.median(gaps or [0])) * (1 if forward else -1)  # a gap between dashes may lie at the end
    for other in sorted(others, key=lambda o: -o.columns[-1] if forward else o.columns[0]):
        if not other.columns[0] <= column <= other.columns[-1]:
            continue
        reach = (trace.thickness + other.thickness) / 2 + 1
        back = column - 2 * trace.thickness if forward else column + 2 * trace.thickness
        earlier = float(np.interp(back, trace.columns, trace.rows))
        # where both are noisy, they part within a stroke's width
        near = min(_off(other, column + k, row) for k in (0.0, hidden, trace.thickness, -trace.thickness))
        if near > reach or _off(other, back, earlier) > reach + 3 * trace.thickness:
            continue
        beyond = other.columns > column if forward else other.columns < column
        slack = other.thickness / 2
        parts = [
            (trace.columns, other.columns[beyond]),
            (trace.rows, other.rows[beyond]),
            (trace.top, other.top[beyond] - slack),
            (trace.bottom, other.bottom[beyond] + slack),
            (trace.observed, np.zeros(int(beyond.sum()), bool)),
        ]
        columns, rows, upper, lower, observed = (np.concatenate(p if forward else p[::-1]) for p in parts)
        return Trace(columns, rows, upper, lower, observed.astype(bool), trace.thickness)
    return trace


def stray_share(coverage: Coverage, traces: Sequence[Trace]) -> float:
    """Return the share of a colour's ink that lies on none of its traces' strokes: 0 for a curve alone.

    Args:
        coverage: (h, w) float32, the colour's share of each pixel.
        traces: The curves of that colour.
    """
    total = float(coverage.sum())
    if total == 0 or not traces:
        return 0.0
    rows, columns = np.nonzero(coverage)
    covered = np.zeros(len(rows), bool)
    for t in traces:
        reach = t.thickness + 1
        top, bottom = np.full(coverage.shape[1], np.inf), np.full(coverage.shape[1], -np.inf)
        on = t.columns.astype(int)
        top[on], bottom[on] = t.top - reach, t.bottom + reach
        covered |= (rows >= top[columns]) & (rows <= bottom[columns])
    return float(coverage[rows[~covered], columns[~covered]].sum()) / total
