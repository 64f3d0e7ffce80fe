"""One rule for all verdicts, and what each kind of evidence may and may not decide."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from replicate.audit.engine import audit_figure
from replicate.audit.estimate import decide
from replicate.audit.evidence import match_names
from replicate.audit.findings import Audit, Evidence, Finding, Verdict
from replicate.audit.judge import verdict_of
from replicate.audit.settings import AuditSettings
from replicate.curves import Curve, CurveSet, Run
from replicate.sheets import Expected, FigureSheet, load_sheet

FIGURES = Path(__file__).parents[2] / "figures"
STEPS = np.linspace(0.0, 400.0, 81)


@pytest.fixture(scope="module")
def sheet() -> FigureSheet:
    return load_sheet(FIGURES / "fig2.yaml")


def falling(rate: float, offset: float = 0.0) -> np.ndarray:
    return 4.0 + offset + 5.0 * np.exp(-rate * STEPS / 400.0)


def rerun(seeds: Sequence[int], advantage: float = 1.4, spread: float = 0.01) -> CurveSet:
    """Return a rerun in which the method falls faster by a factor, with a little difference between seeds."""
    curves = []
    for k in seeds:
        for arm, rate in (("baseline", 3.0), ("small_init_emb", 3.0 * advantage * (1 + spread * k))):
            curves.append(Curve.from_points(arm, STEPS, falling(rate), run=Run(arm, k, "val")))
    return CurveSet(tuple(curves))


def found(audit: Audit, claim: str, evidence: Evidence) -> Finding:
    return next(f for f in audit.findings if f.claim == claim and f.evidence is evidence)


@pytest.mark.parametrize(
    ("interval", "expected", "supports"),
    [
        ((1.0, 2.0), Expected(0.0, 3.0), True),
        ((1.0, 3.5), Expected(0.0, 3.0), None),
        ((3.1, 3.5), Expected(0.0, 3.0), False),
        ((0.0, 3.0), Expected(0.0, 3.0), True),
        ((0.0, 1.0), Expected(0.0, math.inf, strict=True), None),
        ((0.1, math.inf), Expected(0.0, math.inf, strict=True), True),
        ((-1.0, 0.0), Expected(0.0, math.inf, strict=True), False),
        ((0.0, 0.0), Expected(0.0, math.inf, strict=True), False),
        (None, Expected(0.0, 3.0), None),
        ((math.nan, math.nan), Expected(0.0, 3.0), None),
    ],
)
def test_a_number_supports_contradicts_or_decides_nothing(
    interval: tuple[float, float] | None, expected: Expected, supports: bool | None
) -> None:
    assert decide(interval, expected) is supports


@pytest.mark.parametrize(
    ("votes", "verdict"),
    [
        ([True], Verdict.REPLICATED),
        ([False], Verdict.NOT_REPLICATED),
        ([None], Verdict.INCONCLUSIVE),
        ([True, True], Verdict.REPLICATED),
        ([True, False, None], Verdict.PARTLY),
        ([False, None], Verdict.INCONCLUSIVE),
        ([False, False, None], Verdict.NOT_REPLICATED),
        ([], Verdict.INCONCLUSIVE),
    ],
)
def test_the_verdict_follows_from_the_definitions(votes: list[bool | None], verdict: Verdict) -> None:
    assert verdict_of(votes) is verdict


def test_every_claim_is_held_against_every_evidence(sheet: FigureSheet) -> None:
    audit = audit_figure(sheet, None, None, None)
    assert [(f.claim, f.evidence) for f in audit.findings] == [
        (c.id, e) for c in sheet.claims for e in Evidence
    ]
    verdicts = {f.verdict for f in audit.findings if f.evidence is not Evidence.TEXT}
    assert verdicts == {Verdict.NOT_RUN}


def test_a_rerun_decides_relations_and_says_its_scale(sheet: FigureSheet) -> None:
    audit = audit_figure(sheet, None, rerun([0, 1, 2]), {"scale": "quick"})
    faster = found(audit, "faster-initially", Evidence.RERUN)
    assert faster.verdict is Verdict.REPLICATED
    assert faster.reason.startswith("At the quick scale: 41")
    assert "3 seeds paired by seed" in faster.reason
    first = faster.estimates[0]
    # The rates differ by the factors 1.4 * (1, 1.01, 1.02): so do the steps to any loss.
    assert first.value == pytest.approx(41.4, abs=0.6)
    assert first.interval is not None
    assert first.interval[0] < 41.4 < first.interval[1]
    assert (first.seeds, first.p_value) == (3, 0.125)
    assert first.p_holm is not None and first.p_holm > 0.125


def test_a_rerun_at_another_scale_does_not_speak_of_published_losses_and_steps(sheet: FigureSheet) -> None:
    audit = audit_figure(sheet, None, rerun([0, 1, 2]), {"scale": "quick"})
    for claim in ("value-baseline-10000", "axis-y", "axis-x", "baseline-fluctuates"):
        finding = found(audit, claim, Evidence.RERUN)
        assert finding.verdict is Verdict.NOT_RUN
        assert "a rerun of another size cannot be held against it" in finding.reason


def test_one_seed_decides_nothing(sheet: FigureSheet) -> None:
    audit = audit_figure(sheet, None, rerun([0]), {"scale": "quick"})
    decided = [f for f in audit.findings if f.evidence is Evidence.RERUN and f.verdict is not Verdict.NOT_RUN]
    assert decided
    assert {f.verdict for f in decided} == {Verdict.INCONCLUSIVE}
    assert all("one seed, which decides nothing" in f.reason for f in decided)


def test_seeds_that_only_one_arm_has_are_left_out(sheet: FigureSheet) -> None:
    curves = [c for c in rerun([0, 1, 2, 3]).curves if c.run != Run("baseline", 3, "val")]
    audit = audit_figure(sheet, None, CurveSet(tuple(curves)), None)
    assert found(audit, "lower-at-every-step", Evidence.RERUN).estimates[0].seeds == 3


def test_an_arm_that_was_not_run_is_named(sheet: FigureSheet) -> None:
    audit = audit_figure(sheet, None, rerun([0, 1]).select(arm="baseline"), None)
    finding = found(audit, "lower-at-every-step", Evidence.RERUN)
    assert (finding.verdict, finding.reason) == (Verdict.NOT_RUN, "The rerun has no arm small_init_emb.")


def test_a_diverged_arm_is_named(sheet: FigureSheet) -> None:
    record = {"scale": "quick", "arms": [{"arm": "baseline", "diverged": [1]}]}
    audit = audit_figure(sheet, None, rerun([0, 1, 2]), record)
    assert "Baseline diverged" in found(audit, "lower-at-every-step", Evidence.RERUN).reason


def test_a_loss_that_is_no_number_ends_the_curve(sheet: FigureSheet) -> None:
    broken = falling(3.0).copy()
    broken[40:] = np.nan
    curves = [c for c in rerun([0, 1]).curves if c.run and c.run.arm != "baseline"]
    curves += [Curve.from_points("baseline", STEPS, broken, run=Run("baseline", k, "val")) for k in (0, 1)]
    window = found(audit_figure(sheet, None, CurveSet(tuple(curves)), None), "starts-higher", Evidence.RERUN)
    assert window.estimates[0].value == 0.0


def figure(noise: float = 0.0) -> CurveSet:
    x = np.linspace(0.0, 50_000.0, 401)
    bound = np.full(401, noise)
    curves = []
    for name, low in (("Baseline", 4.7), ("Small Init Emb", 4.2)):
        y = low + (10.8 - low) * np.exp(-x / 8000.0)
        curves.append(Curve.from_points(name, x, y, y - bound, y + bound))
    return CurveSet(tuple(curves))


def test_reading_bounds_turn_a_decision_into_a_doubt(sheet: FigureSheet) -> None:
    sharp = audit_figure(sheet, figure(), None, None)
    blurred = audit_figure(sheet, figure(1.0), None, None, AuditSettings(draws=40))
    claim = "value-baseline-50000"
    assert found(sharp, claim, Evidence.FIGURE).verdict is Verdict.REPLICATED
    finding = found(blurred, claim, Evidence.FIGURE)
    assert finding.verdict is Verdict.INCONCLUSIVE
    interval = finding.estimates[0].interval
    assert interval is not None
    assert 3.7 <= interval[0] < 3.9 and 5.5 < interval[1] <= 5.72
    assert found(blurred, claim, Evidence.FIGURE) == found(
        audit_figure(sheet, figure(1.0), None, None, AuditSettings(draws=40)), claim, Evidence.FIGURE
    )


def test_a_value_at_a_step_is_what_the_figure_shows_there(sheet: FigureSheet) -> None:
    finding = found(audit_figure(sheet, figure(), None, None), "value-baseline-10000", Evidence.FIGURE)
    assert finding.verdict is Verdict.NOT_REPLICATED
    assert finding.estimates[0].value == pytest.approx(4.7 + 6.1 * math.exp(-1.25))
    assert finding.window == (10_000, 10_000)
    assert finding.series == ("Baseline",)


def test_a_described_value_lies_on_its_axis_or_not() -> None:
    audit = audit_figure(load_sheet(FIGURES / "fig1.yaml"), None, None, None)
    assert found(audit, "value-svd_ln-17500", Evidence.TEXT).verdict is Verdict.NOT_REPLICATED
    assert found(audit, "value-svd_ln-2500", Evidence.TEXT).verdict is Verdict.REPLICATED
    assert found(audit, "value-svd_ln-0", Evidence.TEXT).verdict is Verdict.REPLICATED


def test_a_few_described_values_refute_but_do_not_prove(sheet: FigureSheet) -> None:
    audit = audit_figure(sheet, None, None, None)
    assert found(audit, "both-monotone", Evidence.TEXT).verdict is Verdict.INCONCLUSIVE
    assert found(audit, "smoother", Evidence.TEXT).verdict is Verdict.NOT_RUN
    assert found(audit, "faster-initially", Evidence.TEXT).estimates[0].value == pytest.approx(100 / 3)


def test_an_untestable_sentence_is_not_run_and_says_why(sheet: FigureSheet) -> None:
    for finding in audit_figure(sheet, figure(), None, None).findings:
        if finding.claim == "smaller-dimensions":
            assert finding.verdict is Verdict.NOT_RUN
            assert "changes no dimension" in finding.reason


def test_a_series_that_the_figure_lacks_is_named(sheet: FigureSheet) -> None:
    curves = CurveSet(tuple(c for c in figure().curves if c.name == "Baseline"))
    finding = found(audit_figure(sheet, curves, None, None), "lower-at-every-step", Evidence.FIGURE)
    assert finding.verdict is Verdict.NOT_RUN
    assert finding.reason == "The figure has no curve 'Small Init Emb'; it has: Baseline."


def test_of_several_panels_the_described_one_is_read(sheet: FigureSheet) -> None:
    other = [Curve.from_points(c.name, c.x, c.y + 2, panel=1) for c in figure().curves]
    curves = CurveSet((*figure().curves, *other))
    assert audit_figure(sheet, curves, None, None) == audit_figure(sheet, figure(), None, None)
    second = sheet.model_copy(update={"described": sheet.described.model_copy(update={"panel": 1})})
    finding = found(audit_figure(second, curves, None, None), "value-baseline-10000", Evidence.FIGURE)
    assert finding.estimates[0].value == pytest.approx(6.7 + 6.1 * math.exp(-1.25))


@pytest.mark.parametrize(
    ("wanted", "available", "matched"),
    [
        (["Small Init Emb"], ["Small lnit Emb", "Baseline"], {"Small Init Emb": "Small lnit Emb"}),
        (["Baseline"], ["blue", "orange"], {}),
        (
            ["SVD w/ LN", "SVD w/o LN"],
            ["SVD w/ LN", "SVD w/o LN"],
            {"SVD w/ LN": "SVD w/ LN", "SVD w/o LN": "SVD w/o LN"},
        ),
        (["SVD w/ LN"], ["SVD w LN a", "SVD w LN b"], {}),
    ],
)
def test_a_slip_of_the_reader_is_forgiven_but_a_guess_is_not(
    wanted: list[str], available: list[str], matched: dict[str, str]
) -> None:
    assert match_names(wanted, available) == matched
