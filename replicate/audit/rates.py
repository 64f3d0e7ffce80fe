"""Learning rates that were swept: does the order of the arms depend on the rate?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from replicate.audit import words
from replicate.audit.findings import Consistency
from replicate.audit.settings import AuditSettings
from replicate.claims import Line
from replicate.claims.sampling import END_SHARE, tail_mean
from replicate.curves import CurveSet
from replicate.sheets import FigureSheet

Ends = Mapping[float, Mapping[str, float]]  # rate -> arm -> mean end over the seeds


def rate_dependence(
    sheet: FigureSheet, curves: CurveSet, record: Mapping[str, Any], settings: AuditSettings
) -> Iterator[Consistency]:
    """Yield the order of the arms' ends at the shared rate and each at its best, where several rates were run."""
    ends = _ends(sheet, curves, record, settings)
    if len(ends) < 2:
        return
    shared = next(iter(ends))
    arms = list(ends[shared])
    best = {arm: min((e[arm], rate) for rate, e in ends.items() if arm in e) for arm in arms}
    at_best = {arm: end for arm, (end, _) in best.items()}
    parts = [f"{sheet.arms[a].series} {words.number(at_best[a])} at {best[a][1]:g}" for a in _order(at_best)]
    orders = {tuple(_order(e)) for e in ends.values() if len(e) == len(arms)}
    same = "is the same at every rate" if len(orders) == 1 else "depends on the rate"
    message = (
        f"At the shared learning rate {shared:g} the arms end, from the lowest, at {_told(sheet, ends[shared])}; "
        f"each at its best rate, at {', '.join(parts)}. "
        f"The order of the arms {same} ({', '.join(f'{r:g}' for r in ends)})."
    )
    yield Consistency("set-up", message)


def _ends(sheet: FigureSheet, curves: CurveSet, record: Mapping[str, Any], settings: AuditSettings) -> Ends:
    """Return the arms' ends by rate, the shared rate first; a run that diverged counts at no rate."""
    told = {str(arm["arm"]): arm for arm in record.get("arms", ()) if arm.get("rate") is not None}
    found: dict[float, dict[str, list[float]]] = {}
    for curve in curves.curves:
        line, run = Line.of_curve(curve), curve.run
        if line is None or run is None or run.split != settings.split or run.arm not in told:
            continue
        arm, rate = run.arm.partition("@")[0], float(told[run.arm]["rate"])
        if arm in sheet.arms and run.seed not in (told[run.arm].get("diverged") or ()):
            found.setdefault(rate, {}).setdefault(arm, []).append(tail_mean(line.x, line.y, END_SHARE))
    ends = {rate: {arm: sum(v) / len(v) for arm, v in arms.items()} for rate, arms in found.items()}
    order = [float(r) for r in record.get("rates", ())]
    return {rate: ends[rate] for rate in order if rate in ends}


def _order(ends: Mapping[str, float]) -> list[str]:
    """Return the arms, the lowest first."""
    return sorted(ends, key=lambda arm: (ends[arm], arm))


def _told(sheet: FigureSheet, ends: Mapping[str, float]) -> str:
    """Return the arms with their ends, the lowest first."""
    return ", ".join(f"{sheet.arms[a].series} {words.number(ends[a])}" for a in _order(ends))
