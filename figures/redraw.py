"""Redraw the two figures from their numbers: ``python figures/redraw.py [--out DIR]``.

Reads ``fig1.source.csv`` and ``fig2.source.csv`` beside this file and writes ``fig1.png`` and ``fig2.png``,
the same bytes each time on any machine with the versions of matplotlib and Pillow in ``constraints.txt``:
fixed style, the fonts that come with matplotlib, no metadata.
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Callable
from pathlib import Path

import matplotlib as mpl

mpl.use("agg")

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, MultipleLocator, NullFormatter, StrMethodFormatter

from replicate.curves import CurveSet, read_curves
from replicate.errors import ReplicateError
from replicate.files import write_atomic

HERE = Path(__file__).parent
FIG1_ORDER = ("Loss with SVD init, w/ LN", "Loss with SVD init, w/o LN", "Loss with random init")
FIG2_ORDER = ("Baseline", "Small Init Emb")
PLAIN = {"axes.unicode_minus": True, "font.family": "DejaVu Sans", "figure.dpi": 100}


def draw_fig1(curves: CurveSet, axes: Axes) -> None:
    """Draw the loss of three initialisations on a logarithmic axis.

    The axis is ticked at the powers of ten that its data reach: two curves are said to end at 10¹, so it goes
    on below the 10² at which the description lets it end.
    """
    for name in FIG1_ORDER:
        axes.plot(curves[name].x, curves[name].y, label=name)
    axes.set(yscale="log", xlabel="Steps", ylabel="Loss")
    axes.xaxis.set_major_locator(MultipleLocator(2_500))
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axes.yaxis.set_major_locator(LogLocator(base=10))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.legend(loc="upper right")


def draw_fig2(curves: CurveSet, axes: Axes) -> None:
    """Draw the loss of the baseline and of the small embedding initialisation."""
    for name in FIG2_ORDER:
        axes.plot(curves[name].x, curves[name].y, label=name)
    axes.set(xlabel="Step", ylabel="Loss")
    axes.xaxis.set_major_locator(MultipleLocator(10_000))
    axes.yaxis.set_major_locator(MultipleLocator(1))
    axes.legend(loc="upper right")


# The drawing, the size in inches at 100 dots an inch, and where the axes stand (left, bottom, width, height).
# Figure 2 keeps the size and the frame of the published picture.
Drawing = tuple[Callable[[CurveSet, Axes], None], tuple[float, float], tuple[float, float, float, float]]
FIGURES: dict[str, Drawing] = {
    "fig1": (draw_fig1, (7.2, 4.8), (0.11, 0.12, 0.86, 0.84)),
    "fig2": (draw_fig2, (5.7, 4.31), (0.1044, 0.1473, 0.7904, 0.7796)),
}


def render(name: str, curves: CurveSet) -> bytes:
    """Return a figure as the bytes of a PNG file.

    Args:
        name: "fig1" or "fig2".
        curves: The curves that the figure shows, by the names in its legend.
    """
    draw, size, place = FIGURES[name]
    with plt.style.context(["default", PLAIN]):
        figure = plt.figure(figsize=size)
        draw(curves, figure.add_axes(place))
        picture = io.BytesIO()
        figure.savefig(picture, format="png", metadata={"Software": None}, pil_kwargs={"compress_level": 9})
        plt.close(figure)
    return picture.getvalue()


def main() -> int:
    """Redraw both figures and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--out", type=Path, default=HERE, help="folder to write into (default: beside the script)"
    )
    out = parser.parse_args().out
    try:
        for name in FIGURES:
            print(write_atomic(out / f"{name}.png", render(name, read_curves(HERE / f"{name}.source.csv"))))
    except ReplicateError as error:
        print(f"redraw: {error}", file=sys.stderr)
        return int(error.exit_code)
    return 0


if __name__ == "__main__":
    sys.exit(main())
