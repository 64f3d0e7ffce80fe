"""Windows by loss, the unigram entropy, conditions together, and speed-ups judged apart."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from replicate.audit.engine import audit_figure
from replicate.audit.estimate import estimate, resolve
from replicate.audit.evidence import Material
from replicate.audit.findings import Audit, Estimate, Evidence, Finding, Verdict
from replicate.audit.judge import WEAKEST_FIRST, _best
from replicate.audit.settings import AuditSettings
from replicate.claims import PREDICATES, Line
from replicate.curves import Curve, CurveSet, Run
from replicate.sheets import Definition, Expected, FigureSheet, Window, load_sheet

SETTINGS = AuditSettings(draws=20)
HEAD = """\
source: {title: Made up}
described:
  x_axis: {label: Step, range: [0, 100], tick: 20}
  y_axis: {label: Loss, range: [1, 10], tick: 1}
experiment: made_up
arms: {old: {series: Old}, new: {series: New}}
set_up: {vocabulary: 8000}
claims:
"""
X = [0.0, 10.0, 20.0, 40.0, 80.0]
OLD = Line.of(X, [9.0, 8.0, 6.0, 4.0, 3.0])
NEW = Line.of(X, [9.0, 6.0, 4.0, 3.5, 3.0])  # twice as fast down to 4, no faster at the end


def sheet_of(tmp_path: Path, claims: str) -> FigureSheet:
    path = tmp_path / "made.yaml"
    path.write_text(HEAD + claims, encoding="utf-8")
    return load_sheet(path)


def figure() -> CurveSet:
    return CurveSet(tuple(Curve.from_points(n, line.x, line.y) for n, line in (("Old", OLD), ("New", NEW))))


def rerun(seeds: int = 3) -> CurveSet:
    """Return runs whose seeds differ by a shift that the arms share."""
    arms = (("old", OLD), ("new", NEW))
    return CurveSet(
        tuple(
            Curve.from_points(a, line.x, line.y + 0.01 * k, run=Run(a, k, "val"))
            for a, line in arms
            for k in range(seeds)
        )
    )


def found(audit: Audit, claim: str, evidence: Evidence = Evidence.FIGURE) -> Finding:
    return next(f for f in audit.findings if f.claim == claim and f.evidence is evidence)


@pytest.mark.parametrize(
    ("loss", "window"),
    [
        (6.0, (20.0, 20.0)),
        (7.0, (15.0, 15.0)),
        ((9.0, 5.0), (0.0, 30.0)),
        ((math.inf, 8.0), (0.0, 10.0)),
        ((8.0, 3.0), (10.0, 80.0)),
    ],
)
def test_a_window_by_loss_is_where_the_last_arm_first_reaches_it(
    loss: float | tuple[float, float], window: tuple[float, float]
) -> None:
    assert resolve(Window(loss=loss), [NEW, OLD]) == window


def test_a_loss_that_is_never_reached_gives_no_number(tmp_path: Path) -> None:
    text = "  - {id: at, text: T., kind: gap_at, arms: [new, old], window: {loss: 2}, expect: below}\n"
    finding = found(audit_figure(sheet_of(tmp_path, text), figure(), None, None, SETTINGS), "at")
    assert (finding.verdict, finding.estimates[0].value, finding.window) == (Verdict.INCONCLUSIVE, None, None)


def test_a_claim_at_a_loss_has_its_exact_value(tmp_path: Path) -> None:
    text = """\
  - {id: gap, text: T., kind: gap_at, arms: [new, old], window: {loss: 6}, expect: below}
  - {id: saved, text: T., kind: steps_saved, arms: [new, old], window: {loss: 6}, expect: {about: 50, unit: "%"}}
"""
    audit = audit_figure(sheet_of(tmp_path, text), figure(), None, None, SETTINGS)
    assert found(audit, "gap").estimates[0].value == -2.0
    assert found(audit, "gap").window == (20.0, 20.0)
    assert "at step" not in found(audit, "gap").estimates[0].definition
    assert "where the baseline first reaches 6" in found(audit, "gap").estimates[0].definition
    assert found(audit, "saved").estimates[0].value == pytest.approx(50.0)  # 10 steps in place of 20


def test_a_loss_of_the_published_run_is_not_one_of_a_rerun(tmp_path: Path) -> None:
    text = "  - {id: gap, text: T., kind: gap_at, arms: [new, old], window: {loss: 6}, expect: below}\n"
    audit = audit_figure(sheet_of(tmp_path, text), None, rerun(), {"scale": "quick"}, SETTINGS)
    assert found(audit, "gap", Evidence.RERUN).verdict is Verdict.NOT_RUN


def late(entropy: float | None) -> float:
    """Return a speed-up on arms that part only below a loss of 6."""
    x = np.array([0.0, 10.0, 20.0, 40.0, 80.0, 160.0])
    old, new = Line.of(x, [9, 7, 6, 5, 4, 3]), Line.of(x, [9, 7, 6, 4, 3, 3])
    speed = Definition(PREDICATES["speedup"], ("new", "old"), None, "linear", Expected(0.0, 200.0))
    material = Material(Evidence.RERUN, ({"old": old, "new": new},) * 2, entropy=entropy)
    value = estimate(speed, material, SETTINGS).value
    assert value is not None
    return value


def test_a_speedup_is_counted_from_the_unigram_entropy_on() -> None:
    # The middle one of nine losses from 6 to 3, 4.5: the baseline takes 40 * 2**0.5 steps, the method 20 * 2**0.75.
    assert late(6.0) == pytest.approx(100 * (2**0.75 - 1))
    assert late(None) < late(6.0)
    assert late(99.0) == late(None)  # above the curve: nothing to leave out
    assert late(1.0) == late(None)  # never reached


def test_a_rerun_s_record_tells_the_entropy_of_its_data(tmp_path: Path) -> None:
    text = "  - {id: speed, text: T., kind: speedup, arms: [new, old], expect: faster}\n"
    sheet = sheet_of(tmp_path, text)
    record = {"scale": "quick", "facts": {"unigram_entropy": 6.5}}
    told = found(audit_figure(sheet, None, rerun(), record, SETTINGS), "speed", Evidence.RERUN)
    assert "once the baseline is below the unigram entropy of 6.5" in told.estimates[0].definition
    divergence = sheet.model_copy(update={"set_up": sheet.set_up.model_copy(update={"vocabulary": None})})
    other = found(audit_figure(divergence, None, rerun(), record, SETTINGS), "speed", Evidence.RERUN)
    assert "no unigram entropy being known" in other.estimates[0].definition


def test_a_speedup_is_judged_early_and_persistent_apart(tmp_path: Path) -> None:
    text = "  - {id: speed, text: T., kind: speedup, arms: [new, old], expect: {at_least: 50, unit: '%'}}\n"
    finding = found(audit_figure(sheet_of(tmp_path, text), figure(), None, None, SETTINGS), "speed")
    everything, early, persistent = finding.apart
    assert "over the whole run" in everything.definition
    assert "over the first 20 % of the run" in early.definition
    assert "from 80 to 100 % of the run" in persistent.definition
    assert early.value is not None and persistent.value is not None
    assert early.supports is True and persistent.supports is False
    assert "judged apart: over all losses" in finding.reason
    assert "(contradicts it)" in finding.reason


def test_other_claims_are_not_judged_apart(tmp_path: Path) -> None:
    text = "  - {id: gap, text: T., kind: mean_gap, arms: [new, old], expect: below}\n"
    assert found(audit_figure(sheet_of(tmp_path, text), figure(), None, None, SETTINGS), "gap").apart == ()


def test_of_several_definitions_the_best_for_the_claim_is_named(tmp_path: Path) -> None:
    text = """\
  - id: speed
    text: T.
    kind: speedup
    arms: [new, old]
    window: {share: [0.8, 1]}
    expect: {at_least: 50, unit: "%"}
    definitions: {kinds: [reduction_ratio], windows: [{share: [0, 0.25]}]}
"""
    finding = found(audit_figure(sheet_of(tmp_path, text), figure(), None, None, SETTINGS), "speed")
    assert [e.supports for e in finding.estimates] == [False, False, True, True]
    assert finding.verdict is Verdict.PARTLY
    assert finding.best == 2
    assert "the reading that supports it best is speedup over the first 25 % of the run" in finding.reason


def test_the_best_definition_is_farthest_inside_for_its_uncertainty() -> None:
    def number(value: float, half: float, supports: bool | None) -> Estimate:
        return Estimate("D.", value, (value - half, value + half), "%", (0.0, math.inf), supports)

    against, doubtful = number(-1.0, 0.5, False), number(3.0, 4.0, None)
    wide, narrow = number(9.0, 3.0, True), number(2.0, 0.1, True)
    assert _best([against, doubtful, wide, narrow]) == 3
    assert _best([against, doubtful]) == 1
    assert _best([Estimate("D.", None, None, "%"), against]) == 1
    assert _best([narrow]) is None


FALLS = "{kind: monotone, arms: [old], expect: falls}"  # true of the figure
RISES = "{kind: monotone, arms: [new], expect: fluctuates}"  # false
OPEN = "{kind: gap_at, arms: [new, old], window: {loss: 2}, expect: below}"  # never reached


@pytest.mark.parametrize(
    ("condition", "verdict"),
    [
        (f"all: [{FALLS}, {FALLS}]", Verdict.REPLICATED),
        (f"all: [{FALLS}, {RISES}]", Verdict.NOT_REPLICATED),
        (f"all: [{FALLS}, {OPEN}]", Verdict.INCONCLUSIVE),
        (f"all: [{RISES}, {OPEN}]", Verdict.NOT_REPLICATED),
        (f"any: [{FALLS}, {RISES}]", Verdict.REPLICATED),
        (f"any: [{RISES}, {OPEN}]", Verdict.INCONCLUSIVE),
        (f"any: [{RISES}, {RISES}]", Verdict.NOT_REPLICATED),
        (f"all: [{{any: [{RISES}, {FALLS}]}}, {FALLS}]", Verdict.REPLICATED),
    ],
)
def test_conditions_together_have_the_weakest_or_the_strongest_verdict(
    tmp_path: Path, condition: str, verdict: Verdict
) -> None:
    sheet = sheet_of(tmp_path, f"  - {{id: both, text: T., {condition}}}\n")
    finding = found(audit_figure(sheet, figure(), None, None, SETTINGS), "both")
    assert finding.verdict is verdict
    assert finding.predicate.startswith(condition[:3])
    assert len(finding.estimates) == condition.count("kind")


def test_the_parts_of_a_claim_name_their_curves(tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, f"  - {{id: both, text: T., all: [{FALLS}, {RISES}]}}\n")
    finding = found(audit_figure(sheet, figure(), None, None, SETTINGS), "both")
    assert finding.series == ("Old", "New")
    assert [e.definition.partition(":")[0] for e in finding.estimates] == ["Old", "New"]
    assert finding.reason.startswith("Old, replicated: 0 % of the drop")
    assert "New, not replicated: 0 % of the drop" in finding.reason


def test_a_part_that_cannot_be_judged_leaves_the_whole_unjudged(tmp_path: Path) -> None:
    sheet = sheet_of(
        tmp_path, f"  - {{id: both, text: T., all: [{FALLS}, {RISES.replace('fluctuates', 'falls')}]}}\n"
    )
    alone = CurveSet(tuple(c for c in figure().curves if c.name == "Old"))
    assert found(audit_figure(sheet, alone, None, None, SETTINGS), "both").verdict is Verdict.NOT_RUN


def test_every_verdict_has_its_rank() -> None:
    assert set(WEAKEST_FIRST) == set(Verdict)


def test_an_equivalence_is_tested_from_both_sides() -> None:
    runs = tuple(
        {"old": Line.of([0, 1], [9, 5]), "new": Line.of([0, 1], [9, 5 + d])} for d in (0.1, 0.2, -0.1, 0.3)
    )
    gap = Definition(PREDICATES["gap_at"], ("new", "old"), None, "linear", Expected(-0.5, 0.15))
    found = estimate(gap, Material(Evidence.RERUN, runs), SETTINGS)
    # Against -0.5 all four lie inside: 1/16. Against 0.15 the margins are 0.05, -0.05, 0.25, -0.15, their sum is 0.1:
    # of the 16 sums seven are as large.
    assert found.p_value == 7 / 16
