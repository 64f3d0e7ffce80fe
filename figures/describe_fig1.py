"""Build fig1.source.csv from what the figure's published description says of its three curves.

The original picture is not at hand, so these are not its measurements: they are the simplest curves that hold
to every value and every ordering that the description gives, with fluctuations of the roughness it names.
Run it again with ``python figures/describe_fig1.py``; it writes the same bytes each time.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from replicate.curves import Curve, write_curves

LAST_STEP = 17_500
STEP = 25
ANCHOR_STEP = 2_500
MEMORY = 0.6  # share of a fluctuation that is left one point later


@dataclass(frozen=True)
class Description:
    """What is said of one curve, as decimal logarithms of the loss.

    Attributes:
        name: The legend's text.
        start: log10 of the loss at step 0.
        anchor: log10 of the loss at `ANCHOR_STEP`.
        end: log10 of the loss at `LAST_STEP`.
        roughness: Standard deviation of the fluctuations in log10 units.
        seed: Of the fluctuations.
    """

    name: str
    start: float
    anchor: float
    end: float
    roughness: float
    seed: int


# Stated: 10⁴ at the start for all; blue 10² at 2,500 and 10¹ at the end; orange 10¹ at the end, slightly
# above blue; green 10² at the end. Chosen here: the anchors of orange and green at 2,500, which are only said
# to lie in that order above blue; starts a few hundredths of a decade apart, so that the order holds from the
# first step.
CURVES = (
    Description("Loss with SVD init, w/ LN", 3.98, 2.0, 1.0, 0.012, 1),
    Description("Loss with SVD init, w/o LN", 4.0, 2.55, 1.12, 0.016, 2),
    Description("Loss with random init", 4.02, 3.25, 2.0, 0.004, 3),
)


def trend(description: Description, step: float) -> float:
    """Return log10 of the loss without fluctuations.

    The share of the whole fall that is still to come is (1 - t/T) / (1 + t/τ): 1 at the start, 0 at the end
    T, convex between (early progress is fast, later progress slow), with τ set by the anchor.
    """
    fall = description.start - description.end
    left_at_anchor = (description.anchor - description.end) / fall
    tau = ANCHOR_STEP / ((1 - ANCHOR_STEP / LAST_STEP) / left_at_anchor - 1)
    return description.end + fall * (1 - step / LAST_STEP) / (1 + step / tau)


def build(description: Description) -> Curve:
    """Return a curve with one point each `STEP` steps: the trend and a first-order autoregression around it.

    The first and the last point stay on the trend, since those values are stated.
    """
    noise = random.Random(description.seed)  # noqa: S311 - fluctuations, not secrets
    kick = description.roughness * (1 - MEMORY**2) ** 0.5
    steps = range(0, LAST_STEP + 1, STEP)
    losses, offset = [], 0.0
    for step in steps:
        offset = MEMORY * offset + noise.gauss(0.0, kick)
        inside = 0 < step < LAST_STEP
        losses.append(float(f"{10 ** (trend(description, step) + inside * offset):.6g}"))
    return Curve.from_points(description.name, steps, losses)


if __name__ == "__main__":
    print(write_curves(Path(__file__).with_name("fig1.source.csv"), [build(d) for d in CURVES]))
