"""The figure held against the rerun, curve by curve: shape, ordering, speed-up and end.

Step counts and losses of a run of another size differ; what can be compared is relative to each run: shares of the
run, shares of the drop, ratios of steps.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from replicate.audit import words
from replicate.audit.estimate import estimate
from replicate.audit.evidence import Material
from replicate.audit.findings import Consistency, Estimate, Likeness
from replicate.audit.settings import AuditSettings
from replicate.claims import PREDICATES
from replicate.claims.sampling import tail_mean
from replicate.sheets import Definition, Expected, FigureSheet

ANYTHING = Expected(-math.inf, math.inf)


def likenesses(
    sheet: FigureSheet, figure: Material | None, rerun: Material | None, settings: AuditSettings
) -> tuple[Likeness, ...]:
    """Return the figure against the rerun in every respect; nothing where one of them is missing."""
    if figure is None or rerun is None:
        return ()
    arms = tuple(a for a in sheet.arms if a not in figure.missing and a not in rerun.missing)
    if not arms or not rerun.of(arms):
        return ()
    ordered = _lowest_first(arms, figure)
    cells: list[tuple[str, str, tuple[str, ...]]] = [("shape", "converges_by", (arm,)) for arm in arms]
    cells += [("ordering", "ordering", ordered)] if len(arms) > 1 else []
    for lower, higher in combinations(ordered, 2):  # the lower one is the faster, if any is
        cells += [("speed-up", "speedup", (lower, higher)), ("end", "similar_end", (lower, higher))]
    scale = sheet.described.y_axis.scale
    result = []
    for respect, kind, of in cells:
        definition = Definition(PREDICATES[kind], of, None, scale, ANYTHING)
        numbers = estimate(definition, figure, settings), estimate(definition, rerun, settings)
        series = tuple(sheet.arms[arm].series for arm in of)
        result.append(Likeness(respect, series, *numbers, _meet(*numbers, settings.alike[respect])))
    return tuple(result)


def _lowest_first(arms: Sequence[str], figure: Material) -> tuple[str, ...]:
    """Return the arms by where they end in the figure, the lowest first."""
    lines = figure.samples[0]
    return tuple(sorted(arms, key=lambda arm: tail_mean(lines[arm].x, lines[arm].y, 0.1)))


def _meet(one: Estimate, other: Estimate, leeway: float) -> bool | None:
    """Return whether two intervals come within a leeway of one another; None where there is one missing."""
    if one.interval is None or other.interval is None:
        return None
    return one.interval[0] - leeway <= other.interval[1] and other.interval[0] - leeway <= one.interval[1]


def unlike(found: Sequence[Likeness], record: Mapping[str, Any]) -> Iterator[Consistency]:
    """Yield the respects in which figure and rerun differ, and once what was scaled."""
    scale = f"the {record['scale']} scale" if record.get("scale") else "the scale of the rerun"
    scaled = ", ".join(str(d["what"]) for d in record.get("differences") or () if d.get("what"))
    note = f" Changed from the published run: {scaled}." if scaled else ""
    for respect in dict.fromkeys(item.respect for item in found):
        apart = [item for item in found if item.respect == respect and item.agree is False]
        if not apart:
            continue
        told = "; ".join(
            f"{' against '.join(item.series)}: {words.short(item.figure)} in the figure, "
            f"{words.short(item.rerun)} in the rerun"
            for item in apart
        )
        counted = apart[0].figure.definition
        yield Consistency(
            "figure-rerun", f"At {scale} the {respect} differs. {told}. What is counted: {counted}{note}"
        )
        note = ""
