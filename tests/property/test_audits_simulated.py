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
from replicate.audit.findings import Audit, Estimate, Evidence
from replicate.audit.settings import AuditSettings
from replicate.claims import PREDICATES, Line
from replicate.curves import Curve, CurveSet, Run
from replicate.sheets import Definition, Expected, FigureSheet, load_sheet

FIGURES = Path(__file__).parents[2] / "figures"
AUDITS = 1000
FAST = AuditSettings(trials=20, most_seeds=5)  # without the search for seeds that would decide
EFFECT = 0.3  # nats by which the method ends lower
SPEEDUP = 30.0  # % by which it falls faster
X = np.linspace(0.0, 100.0, 41)
SHEET = """\
source: {title: Simulated}
described:
  x_axis: {label: Step, range: [0, 100], tick: 20}
  y_axis: {label: Loss, range: [3, 10], tick: 1}
experiment: simulated
arms: {old: {series: Old}, new: {series: New}}
claims:
  - {id: gap, text: New ends lower., kind: gap_at, arms: [new, old], window: {share: 1}, expect: below}
  - {id: speed, text: New is faster., kind: speedup, arms: [new, old], expect: faster}
  - {id: value, text: Four., kind: value_at, arms: [old], window: {steps: 100}, expect: {about: 4, unit: loss}}
"""


@pytest.fixture(scope="module")
def sheet(tmp_path_factory: pytest.TempPathFactory) -> FigureSheet:
    path = tmp_path_factory.mktemp("sheet") / "simulated.yaml"
    path.write_text(SHEET, encoding="utf-8")
    return load_sheet(path)


def rerun(rng: np.random.Generator, seeds: int) -> CurveSet:
    """Return runs of two arms whose noise is shared by seed: the method ends lower by a known mean."""
    curves = []
    for k in range(seeds):
        shared, own = rng.normal(0.0, 0.5), rng.normal(0.0, 0.1)
        faster = 1 + SPEEDUP / 100 + rng.normal(0.0, 0.05)
        falls = {"old": np.exp(-X / 25.0), "new": np.exp(-X * faster / 25.0)}
        falls = {arm: (y - y[-1]) / (1 - y[-1]) for arm, y in falls.items()}
        ends = {"old": 4.0 + shared, "new": 4.0 + shared - EFFECT + own}
        for arm, fall in falls.items():
            y = ends[arm] + (9.0 - 4.0) * fall
            curves.append(Curve.from_points(arm, X, y, run=Run(arm, k, "val")))
    return CurveSet(tuple(curves))


def primary(audit: Audit, claim: str, evidence: Evidence) -> Estimate:
    return next(f for f in audit.findings if f.claim == claim and f.evidence is evidence).estimates[0]


def held(found: Estimate, truth: float) -> bool:
    assert found.interval is not None
    return found.interval[0] <= truth <= found.interval[1]


@pytest.mark.parametrize("seeds", [3, 5])
def test_audits_of_reruns_hold_a_planted_gap_as_often_as_they_say(sheet: FigureSheet, seeds: int) -> None:
    rng = np.random.default_rng(seeds)
    gaps = sheet.model_copy(update={"claims": tuple(c for c in sheet.claims if c.id == "gap")})
    audits = (audit_figure(gaps, None, rerun(rng, seeds), {"scale": "quick"}, FAST) for _ in range(AUDITS))
    hits = [held(primary(audit, "gap", Evidence.RERUN), -EFFECT) for audit in audits]
    assert 0.93 <= np.mean(hits) <= 0.97


def pure(faster: float) -> dict[str, Line]:
    """Return two arms of which one falls as the other does, so many times as fast."""
    x = np.linspace(0.0, 100.0, 201)
    return {a: Line.of(x, 4 + 5 * np.exp(-x * f / 25.0)) for a, f in (("old", 1.0), ("new", faster))}


def test_audits_of_reruns_hold_a_planted_speedup_as_often_as_they_say() -> None:
    rng = np.random.default_rng(7)
    speed = Definition(PREDICATES["speedup"], ("new", "old"), None, "linear", Expected(0.0, 200.0))
    hits = []
    for _ in range(AUDITS):
        samples = tuple(pure(1 + SPEEDUP / 100 + rng.normal(0.0, 0.05)) for _ in range(3))
        hits.append(held(estimate(speed, Material(Evidence.RERUN, samples), FAST), SPEEDUP))
    assert 0.93 <= np.mean(hits) <= 0.97


def test_audits_of_figures_hold_the_drawn_value_as_often_as_they_say(sheet: FigureSheet) -> None:
    rng = np.random.default_rng(2)
    values = sheet.model_copy(update={"claims": tuple(c for c in sheet.claims if c.id == "value")})
    x, hits = np.linspace(0.0, 100.0, 21), []
    truth = 4.0 + 5.0 * np.exp(-x / 25.0)
    for i in range(AUDITS):
        error = 0.1 * np.interp(x, np.linspace(0.0, 100.0, 8), rng.uniform(-1.0, 1.0, 8))
        read = [
            Curve.from_points(n, x, truth + error, truth + error - 0.1, truth + error + 0.1)
            for n in ("Old", "New")
        ]
        audit = audit_figure(values, CurveSet(tuple(read)), None, None, AuditSettings(seed=i))
        hits.append(held(primary(audit, "value", Evidence.FIGURE), float(truth[-1])))
    assert 0.93 <= np.mean(hits) <= 0.97


def ends(rng: np.random.Generator, seeds: int) -> Material:
    """Return runs of two points in which the method ends lower by `EFFECT` on average."""
    samples = []
    for _ in range(seeds):
        common, own = rng.normal(0.0, 0.5), rng.normal(0.0, 0.1, 2)
        last = (5.0 - EFFECT + common + own[0], 5.0 + common + own[1])
        samples.append({a: Line.of([0.0, 1.0], [9.0, e]) for a, e in zip(("new", "old"), last, strict=True)})
    return Material(Evidence.RERUN, tuple(samples))


@pytest.mark.parametrize(
    ("expected", "wrongly_for", "wrongly_against"),
    [
        (Expected(-9.0, -EFFECT), 0.025, 0.025),  # on the edge: each error in one audit of forty
        (Expected(-EFFECT - 0.5, -EFFECT), 0.025, 0.025),  # an equivalence, on the edge
        (Expected(-9.0, 0.5), None, 0.0),  # far inside
        (Expected(0.5, 9.0), 0.0, None),  # far outside
    ],
)
def test_a_claim_is_wrongly_decided_as_rarely_as_designed(
    expected: Expected, wrongly_for: float | None, wrongly_against: float | None
) -> None:
    rng = np.random.default_rng(11)
    claim = Definition(PREDICATES["gap_at"], ("new", "old"), None, "linear", expected)
    votes = [estimate(claim, ends(rng, 5), FAST).supports for _ in range(AUDITS)]
    for answer, designed in ((True, wrongly_for), (False, wrongly_against)):
        if designed is not None:
            assert votes.count(answer) / AUDITS == pytest.approx(designed, abs=0.015)


falls = st.lists(st.floats(0.01, 1.0), min_size=8, max_size=8)
PLAIN = {"% of the axis", "times", "decades", "crossings"}


@settings(max_examples=25, deadline=None)
@given(falls, falls, st.floats(0.1, 50.0), st.floats(0.1, 50.0))
def test_a_change_of_units_changes_no_number_but_by_its_unit(
    one: list[float], two: list[float], kx: float, ky: float
) -> None:
    x = np.arange(9.0)
    ys = [20.0 - np.concatenate([[0.0], np.cumsum(f)]) for f in (one, two)]
    for name, predicate in PREDICATES.items():
        factor = ky if predicate.unit == "loss" else 1.0
        arms = max(1, min(2, predicate.arms[1]))
        window = (10.0, 20.0) if name == "range_contains" else (0.0, 8.0)
        by = ky if name == "range_contains" else kx
        plain = predicate.rule([Line.of(x, y) for y in ys[:arms]], window, "linear")
        scaled = predicate.rule(
            [Line.of(kx * x, ky * y) for y in ys[:arms]], (by * window[0], by * window[1]), "linear"
        )
        wanted = [factor * v for v in plain]
        assert scaled == pytest.approx(wanted, rel=1e-6, abs=1e-6 * factor, nan_ok=True), name


def published(rng: np.random.Generator, k: float = 1.0) -> CurveSet:
    """Return a digitized figure with bounds, its steps counted in other units."""
    x = np.linspace(0.0, 50_000.0, 101)
    curves = []
    for name, tau in (("Baseline", 15_000.0), ("Small Init Emb", 11_000.0)):
        y = 4.5 + 6 * np.exp(-x / tau) + rng.normal(0, 0.01, 101)
        curves.append(Curve.from_points(name, k * x, y, y - 0.02, y + 0.03))
    return CurveSet(tuple(curves))


def runs(k: float = 1.0) -> CurveSet:
    rng, x = np.random.default_rng(5), np.linspace(0.0, 100.0, 51)
    curves = [
        Curve.from_points(
            arm, k * x, 5 + 5 * np.exp(-x / tau) + rng.normal(0, 0.01, 51), run=Run(arm, s, "val")
        )
        for arm, tau in (("baseline", 30.0), ("small_init_emb", 22.0))
        for s in range(3)
    ]
    return CurveSet(tuple(curves))


def test_the_order_of_curves_does_not_matter() -> None:
    sheet, record = load_sheet(FIGURES / "fig2.yaml"), {"scale": "quick"}
    figure, rerun = published(np.random.default_rng(1)), runs()
    first = audit_figure(sheet, figure, rerun, record)
    turned = [CurveSet(tuple(reversed(c.curves))) for c in (figure, rerun)]
    assert audit_figure(sheet, turned[0], turned[1], record) == first


def test_the_unit_of_a_rerun_s_steps_does_not_matter() -> None:
    sheet, record = load_sheet(FIGURES / "fig2.yaml"), {"scale": "quick"}
    first, other = (audit_figure(sheet, None, runs(k), record) for k in (1.0, 512.0))
    for one, two in zip(first.findings, other.findings, strict=True):
        assert one.verdict is two.verdict
        for a, b in zip(one.estimates, two.estimates, strict=True):
            assert b.value == pytest.approx(a.value, rel=1e-6, abs=1e-9)
            assert b.interval == (a.interval and pytest.approx(a.interval, rel=1e-6, abs=1e-9))
