"""Fit the weights of the digitizer's confidence on generated figures.

    python tests/bench/calibrate.py --count 150 --seed 7

Generates figures with known truth (another seed than the benchmark's; two hard ones for each plain one, since what
people digitize is a mixture), reads them, and fits a logistic model of
"this panel was read hands-off" to the signs of trouble, with weights that can only lower the confidence and a
ridge that keeps signs without evidence at nothing. Prints INTERCEPT and WEIGHTS for confidence.py.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

sys.path.insert(0, str(Path(__file__).parent))
import digitize as bench
import scoring

from replicate.digitizer import confidence, pipeline

OUT = Path(__file__).parent / "out" / "calibrate"


def collect(cases: Path, results: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return the signs of every panel, (n, k), and whether it was read hands-off, (n,)."""
    seen: list[dict[str, float]] = []
    judge = confidence.judge

    def spy(panel, legend, reading):  # type: ignore[no-untyped-def]
        seen.append(confidence.signs(panel, legend, reading))
        return judge(panel, legend, reading)

    pipeline.confidence.judge = spy
    rows, right = [], []
    by_figure: dict[str, list[Path]] = {}
    for folder in sorted(p.parent for p in cases.glob("*/case.json")):
        case = json.loads((folder / "case.json").read_text())
        by_figure.setdefault(case.get("results", folder.name), []).append(folder)
    for name, folders in by_figure.items():
        seen.clear()
        case = json.loads((folders[0] / "case.json").read_text())
        digitization = pipeline.digitize_file(folders[0] / case["figure"])
        digitization.write(results / name)
        panels = list(zip(digitization.panels, list(seen), strict=True))
        verdicts: dict[int, bool] = {}
        for folder in folders:
            score = scoring.score_case(folder, results / name)
            box = json.loads((folder / "case.json").read_text()).get("panel_box")
            best = max(range(len(panels)), key=lambda i: _overlap(box, panels[i][0].box), default=None)
            if best is not None:
                verdicts[best] = verdicts.get(best, True) and score.hands_off
        for index, verdict in verdicts.items():
            if panels[index][0].series:
                rows.append([panels[index][1][key] for key in confidence.WEIGHTS])
                right.append(verdict)
    return np.array(rows), np.array(right)


def _overlap(a, b) -> float:  # type: ignore[no-untyped-def]
    """Return the shared area of two boxes; 1 where a case has one panel only."""
    if a is None:
        return 1.0
    return max(min(a[2], b[2]) - max(a[0], b[0]), 0) * max(min(a[3], b[3]) - max(a[1], b[1]), 0)


def fit(signs: np.ndarray, right: np.ndarray, ridge: float = 0.02) -> tuple[float, np.ndarray]:
    """Return intercept and weights (all <= 0) of the most likely logistic model."""

    def loss(p: np.ndarray) -> float:
        z = p[0] + signs @ p[1:]
        return float(np.mean(np.logaddexp(0, np.where(right, -z, z))) + ridge * np.mean(p[1:] ** 2))

    bounds = [(None, 6.0)] + [(None, 0.0)] * signs.shape[1]
    best = minimize(loss, np.zeros(signs.shape[1] + 1), bounds=bounds, method="L-BFGS-B")
    return float(best.x[0]), best.x[1:]


def main() -> None:
    """Fit and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=7)
    arguments = parser.parse_args()
    parts = []
    for profile, count in (("full", arguments.count), ("plain", arguments.count // 2)):
        cases = OUT / f"cases-{profile}-{arguments.seed}"
        bench.prepare(cases, profile, count, arguments.seed)
        parts.append(collect(cases, OUT))
    signs, right = (np.concatenate(part) for part in zip(*parts, strict=True))
    OUT.mkdir(parents=True, exist_ok=True)
    np.savez(OUT / "signs.npz", signs=signs, right=right)
    intercept, weights = fit(signs, right)
    print(f"{len(right)} panels, {right.mean():.0%} right")
    print(f"INTERCEPT = {intercept:.2f}")
    for name, weight in zip(confidence.WEIGHTS, weights, strict=True):
        print(f'    "{name}": {weight:.2f},')


if __name__ == "__main__":
    main()
