"""Measure the reading of PDF and SVG files: figures with known truth in, the table of their errors out.

    python tests/bench/vector.py --count 200 --seed 1 --jobs 2 --real

Figures as in the raster benchmark, written by matplotlib as PDF and SVG; those of other programs too, where
tests/bench/producers/make.py has made them. Beside the table of digitize.py, the error of a vertex is its distance
from the true line, in shares of the axes.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from digitize import HERE, REAL, VECTOR, number_of, prepare, read_all
from numpy.typing import NDArray
from scoring import CaseScore, score_case
from summary import report, show

FloatArray = NDArray[np.float64]
MOST = 500  # vertices of one series that count, evenly taken
NEAR = 1e-4  # of the axis: what a vertex may be off


def main() -> None:
    """Parse the command line, measure, print and write."""
    options = parse(sys.argv[1:])
    outcome: dict[str, Any] = {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "version": version("replicate"),
        "command": ["python", "tests/bench/vector.py", *sys.argv[1:]],
    }
    if options.count:
        name = f"vector-{options.seed}"
        cases = options.out / "cases" / name
        prepare(cases, "vector", options.count, options.seed)
        folders = [p.parent for p in cases.glob("*/case.json") if number_of(p.parent.name) < options.count]
        outcome[name] = measure(name, folders, options)
    for made in sorted((options.out / "cases" / "producers").glob("*")):
        outcome[made.name] = measure(made.name, [p.parent for p in made.glob("*/case.json")], options)
    if options.real and REAL.exists():
        outcome["real"] = measure("real", [p.parent for p in REAL.glob("*/case.json")], options)
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(outcome, indent=1) + "\n")
    print(f"\nwritten: {options.json}")


def parse(words: Sequence[str]) -> argparse.Namespace:
    """Return the command line's options."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=200, help="figures generated; 0 for none")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="figures read at once")
    parser.add_argument("--real", action="store_true", help="also the real figures, where they are there")
    parser.add_argument("--only", default="", help="only cases whose name holds this")
    parser.add_argument("--verbose", action="store_true", help="a line for each case that is not hands-off")
    parser.add_argument("--out", type=Path, default=HERE / "out")
    parser.add_argument("--json", type=Path, default=None, help="default: OUT/vector.json")
    options = parser.parse_args(words)
    options.json = options.json or options.out / "vector.json"
    return options


def measure(name: str, folders: Sequence[Path], options: argparse.Namespace) -> dict[str, Any]:
    """Digitize and score the cases of vector files, print what comes of it, and return it."""
    figures: dict[str, Path] = {}
    cases: list[tuple[Path, str]] = []
    for folder in sorted(folders):
        case = json.loads((folder / "case.json").read_text())
        results = case.get("results", folder.name)
        if Path(case["figure"]).suffix in VECTOR and options.only in folder.name:
            figures.setdefault(results, folder / case["figure"])
            cases.append((folder, results))
    if not cases:
        return {}
    out = options.out / "results" / name
    readings = list(read_all(figures, out, options.jobs))
    scores = [score_case(folder, out / results) for folder, results in cases]
    show(f"{name}: {len(figures)} figures", scores, readings, lost=options.verbose)
    groups: dict[str, list[FloatArray]] = {}
    for score, (folder, results) in zip(scores, cases, strict=True):
        found = vertex_errors(score, folder, out / results)
        for group in ("all", *(f for f in score.case.get("features", ()) if f.startswith("file:"))):
            groups.setdefault(group, []).extend(found)
    vertices = {g: _summary(e) for g, e in sorted(groups.items()) if e}
    print("\n  vertices of good series        count     median        p95   within 1e-4")
    for group, v in vertices.items():
        print(f"  {group:<26}{v['count']:>10}{v['median']:>11.2e}{v['p95']:>11.2e}{v['within']:>14.2%}")
    return report(scores, readings) | {"vertices": vertices}


def _summary(errors: Sequence[FloatArray]) -> dict[str, float]:
    """Return the distribution of the errors of all vertices."""
    e = np.concatenate(errors)
    return {
        "count": len(e),
        "median": float(np.median(e)),
        "p95": float(np.percentile(e, 95)),
        "within": float(np.mean(e <= NEAR)),
    }


def vertex_errors(score: CaseScore, folder: Path, results: Path) -> list[FloatArray]:
    """Return, for each good series of a case, how far its vertices are from the true line, in shares of the axes.

    Args:
        score: The case's score.
        folder: Holds truth.csv.
        results: Holds the figure's curve table.
    """
    case = score.case
    if not score.found or not (case.get("xlim") and case.get("ylim")):
        return []
    truth = _lines(folder / "truth.csv", case)
    read = _lines(results / f"{Path(case['figure']).stem}.csv", case)
    out = []
    for name, s in score.series.items():
        lines = [line for (_, series), line in read.items() if series == s.read_as]
        if s.good and len(lines) == 1 and len(truth["", name]) > 1:
            line = lines[0]
            taken = line[np.unique(np.linspace(0, len(line) - 1, MOST).astype(int))]
            out.append(_distances(taken, truth["", name]))
    return out


def _lines(path: Path, case: Mapping[str, Any]) -> dict[tuple[str, str], FloatArray]:
    """Return the (n, 2) points of each panel and series, in shares of the axes, in the order of the table."""
    rows: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for row in csv.DictReader(path.read_text(encoding="utf-8").splitlines()):
        if row.get("observed", "1") == "1":
            rows.setdefault((row.get("panel") or "", row["series"]), []).append(
                (float(row["x"]), float(row["y"]))
            )
    return {
        key: np.column_stack([_share(v, case, w) for v, w in zip(np.array(r).T, "xy", strict=True)])
        for key, r in rows.items()
    }


def _share(values: FloatArray, case: Mapping[str, Any], which: str) -> FloatArray:
    """Return where values lie on an axis, 0 to 1."""
    low, high = case[f"{which}lim"]
    if case[f"{which}_scale"] == "log":
        values, low, high = np.log(np.maximum(values, 1e-300)), np.log(low), np.log(high)
    return np.asarray((values - low) / (high - low))


def _distances(points: FloatArray, line: FloatArray) -> FloatArray:
    """Return the distance of each point from a polyline."""
    a, step = line[:-1], np.diff(line, axis=0)
    square = np.maximum((step**2).sum(axis=1), 1e-300)
    out = np.empty(len(points))
    for i, p in enumerate(points):
        t = np.clip(((p - a) * step).sum(axis=1) / square, 0, 1)
        out[i] = np.hypot(*(a + t[:, None] * step - p).T).min()
    return out


if __name__ == "__main__":
    main()
