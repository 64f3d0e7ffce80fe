"""Generate figures with known truth for the digitizer's benchmark.

    python tests/bench/generate.py --profile full --count 200 --seed 1 OUT

Writes OUT/<slug>/case.json, truth.csv and figure.*. The same seed gives the same cases with the same versions
of matplotlib and Pillow, and case k does not depend on how many are asked for.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from generator.case import write_case
from generator.full import plan_full
from generator.plain import plan_plain
from generator.plan import FigurePlan
from generator.vector import plan_vector

PROFILES = {"plain": plan_plain, "full": plan_full, "vector": plan_vector}


def plan_figure(profile: str, seed: int, number: int) -> FigurePlan:
    """Return figure `number` of a profile."""
    return PROFILES[profile](np.random.default_rng([seed, number, *profile.encode()]))


def generate(profile: str, count: int, seed: int, out: Path) -> None:
    """Write `count` figures of a profile under `out`; those that are there already are kept."""
    for number in range(count):
        slug = f"{profile}-{seed}-{number:03d}"
        if not list(out.glob(f"{slug}*/case.json")):
            write_case(plan_figure(profile, seed, number), slug, out)


def main() -> None:
    """Parse the command line and generate."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--profile", choices=sorted(PROFILES), default="full")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    generate(options.profile, options.count, options.seed, options.out)


if __name__ == "__main__":
    main()
