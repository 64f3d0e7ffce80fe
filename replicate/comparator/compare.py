"""Two series held against one another: every distance, with an interval from reading bounds and seeds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from replicate.claims import Line
from replicate.claims.redraw import redraw, uncertain
from replicate.comparator.align import Alignment, Pair, Reading, align, by_loss, cut, shared_levels
from replicate.comparator.groups import Group, group_series, match_series, seed_pairs
from replicate.comparator.measures import (
    SHARES,
    SIGNED,
    crossings_at,
    integrals,
    path_changes,
    path_distances,
)
from replicate.comparator.settings import Settings
from replicate.curves import Curve, CurveSet, FloatArray

Interval = tuple[float, float]


@dataclass(frozen=True)
class Comparison:
    """How far series A lies from series B over the stretch that both have; means over the seeds where there are any.

    Distances are in units of y (in steps where curves are aligned by loss); a `_share` is relative to the range of
    y of both curves together; decades are of log10 y, None where a value is not positive.

    Attributes:
        a: Name of the first series.
        b: Name of the second.
        alignment: "steps", "share", "tokens" or "loss".
        start: Where the common stretch begins, on the aligned axis.
        end: Where it ends.
        rmse: Root mean square difference over the stretch.
        rmse_share: The same, share of the range of y.
        rmse_decades: The same of log10 y.
        mean_difference: Mean of A minus B; negative where A is lower.
        mean_absolute: Mean absolute difference: the area between over the length of the stretch.
        mean_absolute_share: The same, share of the range of y.
        mean_absolute_decades: The same of log10 y.
        area_between: Area between the curves, y times the axis.
        area_ratio: Area under A over area under B, down to y = 0; None where that under B is none.
        max_gap: Largest absolute difference.
        max_gap_share: The same, share of the range of y.
        max_gap_at: Where it is, on the aligned axis.
        frechet: Discrete Fréchet distance of the curves' own points, as they are (units of both axes mixed).
        frechet_share: The same with both axes scaled to 0 to 1 by the range of both curves.
        warping: Dynamic time warping distance within the band, the sum over paired points, axes as they are.
        warping_share: The same a point, both axes scaled to 0 to 1.
        below: Share of the stretch in which A lies below B.
        crossings: How often they change places.
        crossings_at: Where they do, of the first pair of seeds, on the aligned axis.
        pairs: How many pairs of curves it is the mean of.
        intervals: The 95 % interval of each number by its name; empty where neither bounds nor seeds give any.
    """

    a: str
    b: str
    alignment: Alignment
    start: float
    end: float
    rmse: float
    rmse_share: float
    rmse_decades: float | None
    mean_difference: float
    mean_absolute: float
    mean_absolute_share: float
    mean_absolute_decades: float | None
    area_between: float
    area_ratio: float | None
    max_gap: float
    max_gap_share: float
    max_gap_at: float
    frechet: float
    frechet_share: float
    warping: float
    warping_share: float
    below: float
    crossings: float
    crossings_at: tuple[float, ...]
    pairs: int = 1
    intervals: Mapping[str, Interval] = field(default_factory=dict)


def compare_tables(
    a: CurveSet,
    b: CurveSet,
    how: Alignment = "steps",
    match: Sequence[str] = (),
    tokens: tuple[float, float] | None = None,
    settings: Settings | None = None,
) -> list[Comparison]:
    """Return the distances between the series of two tables, a pair each.

    Args:
        a: The first table.
        b: The second.
        how: How curves are aligned (see `replicate.comparator.align.align`).
        match: Pairs "name in A=name in B"; without any, series of the same name are paired.
        tokens: Tokens of a step in the first and in the second table.
        settings: The comparison's settings.

    Raises:
        InputError: Nothing can be paired, a curve holds no numbers, or two share no stretch.
    """
    settings = settings or Settings()
    groups = group_series(a, settings.split), group_series(b, settings.split)
    return [compare_groups(*pair, how, tokens, settings) for pair in match_series(*groups, match)]


def compare_curves(
    a: Curve, b: Curve, how: Alignment = "steps", settings: Settings | None = None
) -> Comparison:
    """Return the distances between two curves; see `compare_tables`."""
    groups = [
        Group(c.name, {} if line is None or len(line.x) < 2 else {None: line})
        for c, line in ((c, Line.of_curve(c)) for c in (a, b))
    ]
    return compare_groups(groups[0], groups[1], how, None, settings or Settings())


def compare_groups(
    a: Group, b: Group, how: Alignment, tokens: tuple[float, float] | None, settings: Settings
) -> Comparison:
    """Return the distances between two series: means over their seeds; see `compare_tables`."""
    lines = [align(one, other, how, tokens) for one, other in seed_pairs(a, b)]
    rng = np.random.default_rng(settings.seed)
    read = [_read(pair, how, settings) for pair in lines]
    values = {name: np.array([found[name] for found, _ in read]) for name in read[0][0]}
    means = {name: float(column.mean()) for name, column in values.items()}
    draws = _draws(lines, how, values, rng, settings)
    first = read[0][1]
    sign = -1.0 if how == "loss" else 1.0  # the aligned axis runs through falling losses
    means["max_gap_at"] *= sign
    intervals = {name: _interval(name, row, means[name], sign, settings) for name, row in draws.items()}
    turns = crossings_at(first.x, first.ya - first.yb, settings.crossing)
    return Comparison(
        a=a.name,
        b=b.name,
        alignment=how,
        start=sign * float(first.x[0]),
        end=sign * float(first.x[-1]),
        crossings_at=tuple(sign * x for x in turns),
        pairs=len(lines),
        intervals={name: interval for name, interval in intervals.items() if interval is not None},
        **{name: None if math.isnan(value) else value for name, value in means.items()},  # type: ignore[arg-type]
    )


def _read(lines: tuple[Line, Line], how: Alignment, settings: Settings) -> tuple[dict[str, FloatArray], Pair]:
    """Return every measure of two lines as they were read, and the lines on one axis."""
    pair = _on_axis(lines, (lines[0].y, lines[1].y), how, settings)
    reach = _reach(pair)
    return integrals(pair, reach, settings) | path_distances(pair, reach, settings), pair


def _redrawn(
    lines: tuple[Line, Line], how: Alignment, rng: np.random.Generator, settings: Settings
) -> dict[str, FloatArray]:
    """Return every measure of two lines whose readings are redrawn, shape (draws,) each, in parts of bounded size."""
    found, plain = _read(lines, how, settings)
    reach = _reach(plain)
    readings = [redraw(line, settings.draws, settings.knots, rng) for line in lines]
    rows = max(1, settings.cells // max(len(line.x) for line in lines))
    parts = []
    for start in range(0, settings.draws, rows):
        ya, yb = (y[start : start + rows] for y in readings)
        pair = _on_axis(lines, (ya, yb), how, settings)
        changes = path_changes(pair, plain, reach, settings)
        parts.append(integrals(pair, reach, settings) | {k: found[k] + v for k, v in changes.items()})
    return {name: np.concatenate([part[name] for part in parts]) for name in found}


def _reach(pair: Pair) -> float:
    """Return the range of y of both curves, 1 where there is none."""
    return float(max(pair.ya.max(), pair.yb.max()) - min(pair.ya.min(), pair.yb.min())) or 1.0


def _on_axis(
    lines: tuple[Line, Line], readings: tuple[FloatArray, FloatArray], how: Alignment, settings: Settings
) -> Pair:
    """Return readings of two lines on the aligned axis, cut to the stretch that both have."""
    (a, b), (ya, yb) = lines, readings
    if how != "loss":
        return cut(Reading(a.x, ya), Reading(b.x, yb), how)
    levels = shared_levels(a, b, settings.levels)
    return cut(by_loss(a, ya, levels), by_loss(b, yb, levels), how)


def _draws(
    lines: Sequence[tuple[Line, Line]],
    how: Alignment,
    values: Mapping[str, FloatArray],
    rng: np.random.Generator,
    settings: Settings,
) -> dict[str, FloatArray]:
    """Return what the means may be: readings redrawn within their bounds, and the seeds' mean by Student's t.

    Returns:
        An array a measure, of shape (draws,) or, with several seeds, (means,); empty where there are neither bounds
        nor several seeds.
    """
    pairs = len(lines)
    doubtful = any(uncertain(line) for pair in lines for line in pair)
    if not doubtful and pairs < 2:
        return {}
    centres = {name: np.full(settings.draws, column.mean()) for name, column in values.items()}
    if doubtful:
        again = [_redrawn(pair, how, rng, settings) for pair in lines]
        centres = {name: np.mean([found[name] for found in again], axis=0) for name in values}
    if pairs < 2:
        return centres
    shifts = rng.standard_t(pairs - 1, settings.means) / math.sqrt(pairs)
    return {
        name: np.resize(centre, settings.means) + shifts * values[name].std(ddof=1)
        for name, centre in centres.items()
    }


def _interval(name: str, draws: FloatArray, value: float, sign: float, settings: Settings) -> Interval | None:
    """Return the interval of a number, which holds the number itself; None where it does not exist."""
    if math.isnan(value) or np.isnan(draws).any():
        return None
    tail = (1 - settings.level) / 2
    ends = np.quantile(draws, [tail, 1 - tail]) * (sign if name == "max_gap_at" else 1.0)
    low, high = min(*ends.tolist(), value), max(*ends.tolist(), value)
    if name not in SIGNED:
        low = max(low, 0.0)
    return low, min(high, 1.0) if name in SHARES else high
