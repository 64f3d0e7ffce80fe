"""Measure the digitizer: figures with known truth in, the table of its errors out.

    python tests/bench/digitize.py --profile full --count 200 --seed 1 --jobs 2 --real

Figures are generated once for a seed and kept. Each is digitized as a whole file, models loaded; its time is the
wall time of reading it and writing its files. With --real, the real figures in ../shared/real_figures are
measured too where they are there.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import multiprocessing
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_WAIT_POLICY", "passive")

from PIL import Image
from scoring import score_case
from summary import SMALL, Reading, report, show

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
REAL = ROOT.parent / "shared" / "real_figures"
VECTOR = (".pdf", ".svg")
HUNDRED = 100


def main() -> None:
    """Parse the command line, measure, print and write."""
    options = parse(sys.argv[1:])
    outcome: dict[str, Any] = {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "version": version("replicate"),
        "command": ["python", "tests/bench/digitize.py", *sys.argv[1:]],
    }
    if options.count:
        name = f"{options.profile}-{options.seed}"
        cases = options.out / "cases" / name
        prepare(cases, options.profile, options.count, options.seed)
        folders = sorted(
            p.parent for p in cases.glob("*/case.json") if number_of(p.parent.name) < options.count
        )
        outcome[name] = measure(name, folders, options)
        outcome["large"] = measure_large(options)
        outcome["folder"] = measure_folder(folders, options)
    if options.real and REAL.exists():
        outcome["real"] = measure("real", sorted(p.parent for p in REAL.glob("*/case.json")), options)
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(outcome, indent=1) + "\n")
    print(f"\nwritten: {options.json}")


def parse(words: Sequence[str]) -> argparse.Namespace:
    """Return the command line's options."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--profile", choices=("plain", "full", "vector"), default="full")
    parser.add_argument("--count", type=int, default=200, help="figures generated; 0 for none")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="figures read at once")
    parser.add_argument("--real", action="store_true", help="also the real figures, where they are there")
    parser.add_argument("--only", help="only cases whose name holds this")
    parser.add_argument("--verbose", action="store_true", help="a line for each case that is not hands-off")
    parser.add_argument("--out", type=Path, default=HERE / "out")
    parser.add_argument("--json", type=Path, default=None, help="default: OUT/digitize.json")
    options = parser.parse_args(words)
    options.json = options.json or options.out / "digitize.json"
    return options


def number_of(slug: str) -> int:
    """Return the number in a generated case's name, profile-seed-number[@panel]."""
    return int(slug.partition("@")[0].rpartition("-")[2])


def prepare(cases: Path, profile: str, count: int, seed: int) -> None:
    """Generate the cases that are missing; start anew where the generator has changed."""
    from generate import generate

    sources = sorted([*(HERE / "generator").glob("*.py"), HERE / "generate.py"])
    content = "".join(p.read_text() for p in sources) + "".join(
        map(version, ("matplotlib", "numpy", "pillow"))
    )
    mark, stamp = hashlib.sha256(content.encode()).hexdigest(), cases / "generator.sha256"
    if cases.exists() and (not stamp.exists() or stamp.read_text() != mark):
        shutil.rmtree(cases)
    cases.mkdir(parents=True, exist_ok=True)
    stamp.write_text(mark)
    print(f"generating {profile} figures, seed {seed} (those there are kept)", file=sys.stderr, flush=True)
    generate(profile, count, seed, cases)


def measure(name: str, folders: Sequence[Path], options: argparse.Namespace) -> dict[str, Any]:
    """Digitize and score the cases, print what comes of it, and return it."""
    figures: dict[str, Path] = {}
    cases: list[tuple[Path, str]] = []
    for folder in folders:
        case = json.loads((folder / "case.json").read_text())
        results = case.get("results", folder.name)
        figure = folder / case["figure"]
        if not options.only or options.only in folder.name:
            figures.setdefault(results, figure)
            cases.append((folder, results))
    out = options.out / "results" / name
    shutil.rmtree(out, ignore_errors=True)
    readings = list(read_all(figures, out, options.jobs))
    scores = [score_case(folder, out / results) for folder, results in cases]
    show(f"{name}: {len(figures)} figures", scores, readings, lost=options.verbose)
    return report(scores, readings)


def measure_large(options: argparse.Namespace) -> dict[str, float]:
    """Digitize a plain figure of ten megapixels in a process of its own; print and return what it took."""
    from generate import plan_figure
    from generator.case import write_case

    plan = plan_figure("plain", 1, 0)
    scale = math.sqrt(10e6 / (plan.width * plan.height))
    size = {"width": round(plan.width * scale), "height": round(plan.height * scale), "dpi": plan.dpi * scale}
    (folder,) = write_case(replace(plan, **size), "large", options.out / "cases")
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        reading = pool.submit(
            read_one, "large", folder / "figure.png", options.out / "results" / "large"
        ).result()
    hands_off = score_case(folder, options.out / "results" / "large").hands_off
    print(f"\nten megapixels: {reading.peak_mib:.0f} MiB, {reading.seconds:.1f} s, hands-off: {hands_off}")
    return {"peak_mib": reading.peak_mib, "seconds": reading.seconds, "hands_off": float(hands_off)}


def measure_folder(folders: Sequence[Path], options: argparse.Namespace) -> dict[str, float]:
    """Time the command on a folder of a hundred of the figures up to 640x480; print and return what it took.

    The time holds everything: two processes start and load their models, and all files are written. Where there
    are fewer such figures, they come again under other names.
    """
    figures = sorted(
        {folder / json.loads((folder / "case.json").read_text())["figure"] for folder in folders}
    )
    small = [f for f in figures if 0 < pixels_of(f) <= SMALL]
    if not small:
        return {}
    hundred, out = options.out / "hundred", options.out / "results" / "hundred"
    for folder in (hundred, out):
        shutil.rmtree(folder, ignore_errors=True)
    hundred.mkdir(parents=True)
    for number in range(HUNDRED):
        figure = small[number % len(small)]
        shutil.copyfile(figure, hundred / f"{number:03}{figure.suffix}")
    command = [sys.executable, "-m", "replicate", "digitize", str(hundred), "--jobs", "2", "--out", str(out)]
    start, busy = time.perf_counter(), processor_seconds()
    code = subprocess.run([*command, "--quiet"], stdout=subprocess.DEVNULL, check=False).returncode
    seconds, busy = time.perf_counter() - start, processor_seconds() - busy
    written = len(list(out.glob("*.csv")))
    took = f"{seconds:.0f} s ({busy:.0f} s of processor time)"
    print(f"a folder of {HUNDRED} figures up to 640x480, --jobs 2: {took}, {written} read, exit code {code}")
    return {
        "figures": HUNDRED,
        "different": len(small),
        "read": written,
        "seconds": seconds,
        "processor_seconds": busy,
        "exit_code": code,
    }


def processor_seconds() -> float:
    """Return the processor time of the child processes that have ended so far, seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def pixels_of(figure: Path) -> int:
    """Return a picture's width times height; 0 of a drawing."""
    if figure.suffix in VECTOR:
        return 0
    with Image.open(figure) as image:
        return image.width * image.height


def read_all(figures: dict[str, Path], out: Path, jobs: int) -> Iterable[Reading]:
    """Digitize every figure into a folder of its own under `out`."""
    work = [(results, figure, out / results) for results, figure in figures.items()]
    if jobs == 1:
        warm_up()
        yield from (progress(read_one(*w), i, len(work)) for i, w in enumerate(work))
        return
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=warm_up) as pool:
        for i, reading in enumerate(pool.map(read_one, *zip(*work, strict=True))):
            yield progress(reading, i, len(work))


def progress(reading: Reading, number: int, total: int) -> Reading:
    """Say on a terminal how far the run is; return the reading."""
    if sys.stderr.isatty():
        print(f"\r{number + 1}/{total} {reading.results:<40}", end="", file=sys.stderr, flush=True)
    return reading


def warm_up() -> None:
    """Load the models, so that no figure's time holds it."""
    from replicate.digitizer.pipeline import digitize_file

    digitize_file(ROOT / "figures" / "fig1.png")


def read_one(results: str, figure: Path, out: Path) -> Reading:
    """Digitize one figure, write its files, and return what it took; a refusal or a bug is kept as text."""
    from replicate.digitizer.pipeline import digitize_file
    from replicate.errors import ReplicateError

    pixels = pixels_of(figure)
    error, crashed, start = "", False, time.perf_counter()
    try:
        digitize_file(figure).write(out)
    except ReplicateError as refusal:
        error = str(refusal)
    except Exception as bug:  # the run goes on, and the table counts it
        error, crashed = f"{type(bug).__name__}: {bug}", True
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Reading(results, seconds, pixels, peak, error, crashed)


if __name__ == "__main__":
    main()
