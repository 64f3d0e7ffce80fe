"""What a benchmark run comes to: the table of figures, the reliability of the confidence, failures by feature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scoring import CaseScore

BINS = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0)
SMALL = 640 * 480 * 1.3  # pixels; up to this a figure counts for the time at 640x480


@dataclass(frozen=True)
class Reading:
    """How long a figure took and what it needed.

    Attributes:
        results: The folder of its results, a case's `results`.
        seconds: Wall time, models loaded.
        pixels: Width times height; 0 of a vector file.
        peak_mib: The process' largest memory so far, MiB.
        error: What went wrong, or empty.
        crashed: Whether that was a bug rather than a refusal.
    """

    results: str
    seconds: float
    pixels: int
    peak_mib: float
    error: str = ""
    crashed: bool = False


@dataclass(frozen=True)
class Row:
    """One line of the table: what is measured, its value, and how it is written."""

    key: str
    text: str
    value: float | None
    form: str

    def __str__(self) -> str:
        """Return the line as text."""
        value = "-" if self.value is None else format(self.value, self.form)
        return f"{self.text:<46}{value:>12}"


def table(cases: Sequence[CaseScore], readings: Sequence[Reading]) -> list[Row]:
    """Return the table of a run."""
    series = [(c, n, s) for c in cases for n, s in c.series.items()]
    good = [(c, n, s) for c, n, s in series if s.good]
    clean = [s for c, n, s in good if n in c.case.get("clean", ())]
    named = [s.name_ok for c, _, s in series if not (c.case.get("names_unknown") or c.case.get("unnamed"))]
    times = [r.seconds for r in readings]
    small = [r.seconds for r in readings if 0 < r.pixels <= SMALL]
    rows = [
        Row("cases", "cases (panels and y axes)", len(cases), ".0f"),
        Row("series", "series", len(series), ".0f"),
        Row("hands_off", "hands-off", _mean([c.hands_off for c in cases]), ".1%"),
        Row("good_series", "series good", _mean([s.good for _, _, s in series]), ".1%"),
        Row("median_error", "median error, good series", _median([s.median for _, _, s in good]), ".4%"),
        Row(
            "clean_median_error", "median error, good clean series", _median([s.median for s in clean]), ".4%"
        ),
        Row(
            "clean_offset",
            "the same without the envelope's leeway",
            _median([s.offset for s in clean]),
            ".4%",
        ),
        Row("names_right", "names right", _mean(named), ".1%"),
        Row("silent_failures", "silent failures", _mean([c.silent_failure for c in cases]), ".1%"),
        Row("not_found", "without a result", _mean([not c.found for c in cases]), ".1%"),
        Row("icpr_6b", "ICPR 6b score, continuous", _mean([c.icpr for c in cases]), ".3f"),
        Row("seconds_small", "seconds a figure up to 640x480, median", _median(small), ".2f"),
        Row("seconds", "seconds a figure, median", _median(times), ".2f"),
        Row("slowest", "seconds, slowest figure", max(times, default=None), ".2f"),
        Row("peak_mib", "peak memory, MiB", max((r.peak_mib for r in readings), default=None), ".0f"),
        Row("crashes", "bugs met", sum(r.crashed for r in readings), ".0f"),
    ]
    return rows


def _mean(values: Sequence[float]) -> float | None:
    """Return the mean, or None of nothing."""
    return float(np.mean(values)) if values else None


def _median(values: Sequence[float]) -> float | None:
    """Return the median, or None of nothing."""
    return float(np.median(values)) if values else None


def reliability(cases: Sequence[CaseScore]) -> list[dict[str, float | int]]:
    """Return, for each range of the confidence, how often the case was hands-off."""
    rows: list[dict[str, float | int]] = []
    judged = [(c.confidence, c.hands_off) for c in cases if c.confidence is not None]
    for low, high in zip(BINS, BINS[1:], strict=False):
        inside = [(p, ok) for p, ok in judged if low <= p < high or (high == BINS[-1] and p == high)]
        if inside:
            said, right = (float(np.mean(column)) for column in zip(*inside, strict=True))
            rows.append(
                {"low": low, "high": high, "cases": len(inside), "confidence": said, "hands_off": right}
            )
    return rows


def by_feature(cases: Sequence[CaseScore]) -> list[dict[str, Any]]:
    """Return, for each feature, its cases and how many were hands-off; the costliest first."""
    groups: dict[str, list[bool]] = {}
    for case in cases:
        for feature in case.case.get("features", ()):
            groups.setdefault(feature, []).append(case.hands_off)
    rows = [
        {"feature": f, "cases": len(v), "lost": v.count(False), "hands_off": sum(v) / len(v)}
        for f, v in groups.items()
    ]
    return sorted(rows, key=lambda r: (-int(str(r["lost"])), str(r["feature"])))


def report(cases: Sequence[CaseScore], readings: Sequence[Reading]) -> dict[str, Any]:
    """Return everything of a run in a form that JSON can hold."""
    return {
        "table": {row.key: row.value for row in table(cases, readings)},
        "reliability": reliability(cases),
        "by_feature": by_feature(cases),
        "cases": [_case(c) for c in cases],
        "readings": [asdict(r) for r in readings],
    }


def _case(case: CaseScore) -> dict[str, Any]:
    """Return one case's scores."""
    return {
        "slug": case.slug,
        "hands_off": case.hands_off,
        "confidence": case.confidence,
        "invented": case.invented,
        "icpr_6b": case.icpr,
        "series": {n: asdict(s) | {"good": s.good} for n, s in case.series.items()},
        "features": case.case.get("features", []),
    }


def show(title: str, cases: Sequence[CaseScore], readings: Sequence[Reading], *, lost: bool = False) -> None:
    """Print the run; with `lost`, also a line for each case that is not hands-off and why."""
    print(f"\n{title}")
    for row in table(cases, readings):
        print(f"  {row}")
    print("\n  confidence       cases   said  hands-off")
    for r in reliability(cases):
        print(
            f"  {r['low']:.1f} to {r['high']:.1f}  {r['cases']:>10}  {r['confidence']:>5.2f}  {r['hands_off']:>9.1%}"
        )
    worst = [r for r in by_feature(cases) if r["lost"]]
    if worst:
        print("\n  feature                        lost  cases  hands-off")
    for r in worst[:40]:
        print(f"  {r['feature']:<30}{r['lost']:>5}{r['cases']:>7}{r['hands_off']:>11.0%}")
    for reading in (r for r in readings if r.crashed):
        print(f"  bug in {reading.results}: {reading.error}")
    for case in (c for c in cases if lost and not c.hands_off):
        print(f"  {case.slug}  confidence {case.confidence}  invented {case.invented}")
        for name, s in case.series.items():
            if not s.good:
                numbers = f"coverage {s.coverage:.2f} median {s.median:.4f} p95 {s.p95:.4f}"
                print(f"    {name!r} as {s.read_as!r}: {numbers}")
