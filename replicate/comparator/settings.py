"""How curves are compared, all in one place."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """How curves are compared.

    Attributes:
        levels: Losses at which steps are compared when curves are aligned by loss.
        band: How far dynamic time warping may stray from the diagonal, as share of the longer curve.
        crossing: Share of the largest gap beyond which the curves count as having changed places.
        level: Of every interval.
        draws: Readings redrawn for an interval.
        means: Means over the seeds redrawn for an interval, each from the next reading.
        vertices: Of a curve in the redrawn distances of paths, whose change is what counts.
        cells: Redrawn values held at once.
        knots: Places along a curve at which a redrawn reading error is independent.
        seed: Of every random draw: the same seed gives the same intervals.
        split: The data split of a rerun's loss that is preferred.
    """

    levels: int = 101
    band: float = 0.1
    crossing: float = 0.02
    level: float = 0.95
    draws: int = 100
    means: int = 2000
    vertices: int = 400
    cells: int = 500_000
    knots: int = 8
    seed: int = 0
    split: str = "val"
