"""Draw charts of known truth with other programs, for tests/bench/vector.py.

    apt-get install gnuplot-nox r-base-core r-cran-ggplot2 r-cran-svglite texlive-pictures
    python -m venv V && V/bin/pip install numpy plotly kaleido vl-convert-python
    V/bin/python tests/bench/producers/make.py --count 12

Programs that are not there are left out.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
from producers.chart import draw_chart, write_case  # noqa: E402
from producers.programs import PRODUCERS, is_there  # noqa: E402


def main() -> None:
    """Parse the command line and draw."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=12, help="charts of each program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="only programs whose name holds this")
    parser.add_argument("--out", type=Path, default=HERE.parent / "out" / "cases" / "producers")
    options = parser.parse_args()
    for place, (name, (draw, target, suffix, needed)) in enumerate(PRODUCERS.items()):
        if options.only not in name:
            continue
        if not is_there(needed):
            print(f"{name}: {needed} is not installed")
            continue
        for number in range(options.count):
            chart = draw_chart(np.random.default_rng([options.seed, place, number]))
            try:
                figure = draw(chart, target)
            except subprocess.CalledProcessError as error:
                raise SystemExit(
                    f"{name} {number}: {(error.stdout + error.stderr).decode()[-800:]}"
                ) from error
            write_case(chart, f"{name}-{number:02d}", figure, suffix, name, options.out / name)
        print(f"{name}: {options.count} charts")


if __name__ == "__main__":
    main()
