"""Simulated audits: intervals hold a planted effect as often as they say, and what must not matter does not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replicate.audit.engine import audit_figure
from replicate.audit.estimate import estimate
from replicate.audit.evidence import Material
from replicate.audit.findings import Evidence
from replicate.audit.settings import AuditSettings
from replicate.claims import PREDICATES, Line
from replicate.curves import Curve, CurveSet, Run
from replicate.sheets import Definition, Expected, load_sheet

FIGURES = Path(__file__).parents[2] / "figures"
AUDITS = 1000
EFFECT = 0.3


def simulated(rng: np.random.Generator, seeds: int) -> Material:
    """Return runs in which the method ends lower by `EFFECT` on average, with noise that both arms share."""
    samples = []
    for _ in range(seeds):
        common, own = rng.normal(0.0, 0.5), rng.normal(0.0, 0.1, 2)
        ends = (5.0 - EFFECT + common + own[0], 5.0 + common + own[1])
        samples.append({a: Line.of([0.0, 1.0], [9.0, e]) for a, e in zip(("new", "old"), ends, strict=True)})
    return Material(Evidence.RERUN, tuple(samples))


@pytest.mark.parametrize("seeds", [3, 5])
def test_intervals_hold_a_planted_effect_as_often_as_they_say(seeds: int) -> None:
    rng = np.random.default_rng(seeds)
    gap = Definition(PREDICATES["gap_at"], ("new", "old"), None, "linear", Expected(-1.0, 0.0))
    held = 0
    for _ in range(AUDITS):
        interval = estimate(gap, simulated(rng, seeds), AuditSettings()).interval
        assert interval is not None
        held += interval[0] <= -EFFECT <= interval[1]
    assert 0.93 <= held / AUDITS <= 0.97


def test_a_claim_on_the_edge_is_wrongly_decided_as_rarely_as_designed() -> None:
    rng = np.random.default_rng(11)
    edge = Definition(PREDICATES["gap_at"], ("new", "old"), None, "linear", Expected(-9.0, -EFFECT))
    votes = [estimate(edge, simulated(rng, 3), AuditSettings()).supports for _ in range(AUDITS)]
    assert votes.count(True) / AUDITS == pytest.approx(0.025, abs=0.015)
    assert votes.count(False) / AUDITS == pytest.approx(0.025, abs=0.015)


falls = st.lists(st.floats(0.01, 1.0), min_size=8, max_size=8)


@settings(max_examples=25, deadline=None)
@given(falls, falls, st.floats(0.1, 50.0), st.floats(0.1, 50.0))
def test_units_do_not_matter_to_what_has_none(
    one: list[float], two: list[float], kx: float, ky: float
) -> None:
    x = np.arange(9.0)
    ys = [20.0 - np.concatenate([[0.0], np.cumsum(f)]) for f in (one, two)]
    for name, predicate in PREDICATES.items():
        if predicate.unit not in ("%", "% of the drop", "% of the window", "% of the mean gap", "crossings"):
            continue
        arms = max(1, min(2, predicate.arms[1]))
        plain = predicate.rule([Line.of(x, y) for y in ys[:arms]], (0.0, 8.0), "linear")
        scaled = predicate.rule([Line.of(kx * x, ky * y) for y in ys[:arms]], (0.0, kx * 8.0), "linear")
        assert scaled == pytest.approx(plain, rel=1e-6, abs=1e-6, nan_ok=True), name


def test_the_order_of_curves_does_not_matter() -> None:
    sheet = load_sheet(FIGURES / "fig2.yaml")
    x = np.linspace(0.0, 100.0, 51)
    rng = np.random.default_rng(5)
    curves = [
        Curve.from_points(arm, x, 5 + 5 * np.exp(-x / tau) + rng.normal(0, 0.01, 51), run=Run(arm, k, "val"))
        for arm, tau in (("baseline", 30.0), ("small_init_emb", 22.0))
        for k in range(3)
    ]
    record = {"scale": "quick"}
    first = audit_figure(sheet, None, CurveSet(tuple(curves)), record)
    assert audit_figure(sheet, None, CurveSet(tuple(reversed(curves))), record) == first
