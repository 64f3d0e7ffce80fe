"""Figures of every kind as PDF and SVG, with letters as text or as outlines, and with all or some vertices."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from generator.full import plan_full
from generator.plan import FigurePlan, PicturePlan, VectorPlan

FORMS = (("pdf", "42"), ("pdf", "3"), ("svg", "none"), ("svg", "path"))


def plan_vector(rng: np.random.Generator) -> FigurePlan:
    """Draw a figure and how it is written; its size is that of the picture in points."""
    plan = plan_full(rng)
    suffix, fonts = FORMS[int(rng.integers(len(FORMS)))]
    points = 72 / plan.dpi
    return replace(
        plan,
        width=round(plan.width * points),
        height=round(plan.height * points),
        dpi=72.0,
        picture=PicturePlan(),
        vector=VectorPlan(suffix, fonts, bool(rng.random() < 0.5)),
    )
