"""Measure the elastic distances: time and memory at 10,000 points, and against similaritymeasures at 2,000.

    python tests/bench/compare.py [--out FILE]

Prints a table and writes it as JSON. Times are of the processor, the least of several runs, so that other work on the
machine does not count.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from replicate.comparator.elastic import discrete_frechet, time_warping
from replicate.curves import FloatArray

OUT = Path(__file__).parent / "out" / "compare.json"
LONG, SHORT = 10_000, 2_000
OURS: dict[str, Callable[[FloatArray, FloatArray], float]] = {
    "discrete Fréchet": discrete_frechet,
    "time warping": time_warping,
}


def theirs(name: str, a: FloatArray, b: FloatArray) -> float:
    """Return the distance by the other implementation, which is loaded only here: it counts in no memory of ours."""
    import similaritymeasures

    return float(
        similaritymeasures.frechet_dist(a, b)
        if name == "discrete Fréchet"
        else similaritymeasures.dtw(a, b)[0]
    )


def paths(points: int) -> tuple[FloatArray, FloatArray]:
    """Return two noisy curves as vertices, shape (points, 2) each."""
    rng = np.random.default_rng(0)
    x = np.linspace(0.0, 1.0, points)
    one, two = (np.exp(-k * x) + rng.normal(0.0, 0.02, points) for k in (5.0, 4.0))
    return np.column_stack([x, one]), np.column_stack([x, two])


def seconds(call: Callable[[], float], repeats: int) -> tuple[float, float]:
    """Return the least processor time of a call over several runs, and what it returned."""
    found, value = [], 0.0
    for _ in range(repeats):
        start = time.process_time()
        value = call()
        found.append(time.process_time() - start)
    return min(found), value


def memory(name: str) -> float:
    """Return the peak memory in MiB of a whole process, Python and NumPy included, that compares two long curves."""
    script = (
        "import resource, sys; sys.path.insert(0, sys.argv[1]); import compare\n"
        "compare.OURS[sys.argv[2]](*compare.paths(compare.LONG))\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)"
    )
    words = [sys.executable, "-c", script, str(Path(__file__).parent), name]
    return float(subprocess.run(words, check=True, capture_output=True, text=True).stdout)  # noqa: S603 (our own words)


def measure(name: str, mib: float) -> dict[str, Any]:
    """Return what one distance costs, its peak memory told, and how far it lies from the other implementation."""
    long, short = paths(LONG), paths(SHORT)
    cost, _ = seconds(lambda: OURS[name](*long), 3)
    ours, value = seconds(lambda: OURS[name](*short), 5)
    slow, other = seconds(lambda: theirs(name, *short), 2)
    return {
        "distance": name,
        "seconds_10000": round(cost, 3),
        "mib_10000": round(mib, 1),
        "seconds_2000": round(ours, 4),
        "similaritymeasures_seconds_2000": round(slow, 3),
        "times_faster": round(slow / ours, 1),
        "difference": abs(value - other),
    }


def main() -> None:
    """Print the table and write it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=OUT, help="where the JSON goes")
    out = parser.parse_args().out
    peaks = {
        name: memory(name) for name in OURS
    }  # first: a child counts what its parent held when it was started
    rows = [measure(name, mib) for name, mib in peaks.items()]
    result = {
        "date": date.today().isoformat(),
        "machine": platform.processor() or platform.machine(),
        "rows": rows,
    }
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    print(
        "| distance | 10,000 points | memory | 2,000 points | similaritymeasures | times faster | difference |"
    )
    print("|---|---|---|---|---|---|---|")
    for r in rows:
        print(
            f"| {r['distance']} | {r['seconds_10000']:.2f} s | {r['mib_10000']:.0f} MiB | "
            f"{1000 * r['seconds_2000']:.0f} ms | {r['similaritymeasures_seconds_2000']:.2f} s | "
            f"{r['times_faster']:.0f} | {r['difference']:.0e} |"
        )


if __name__ == "__main__":
    main()
