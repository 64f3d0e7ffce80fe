"""What does not add up in both figures' descriptions, found from their values and relations."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from replicate.audit.engine import audit_figure
from replicate.audit.exclusion import Statement, clash
from replicate.audit.findings import Consistency
from replicate.audit.settings import AuditSettings
from replicate.curves import Curve, CurveSet, Run
from replicate.sheets import Anchor, DescribedSeries, FigureSheet, Window, load_sheet

FAST = AuditSettings(draws=20)
FIGURES = Path(__file__).parents[2] / "figures"


@pytest.fixture(scope="module")
def fig1() -> FigureSheet:
    return load_sheet(FIGURES / "fig1.yaml")


@pytest.fixture(scope="module")
def fig2() -> FigureSheet:
    return load_sheet(FIGURES / "fig2.yaml")


def told(sheet: FigureSheet, kind: str, *claims: str, curves: CurveSet | None = None) -> list[str]:
    """Return the messages of a kind that concern all of these claims."""
    found = audit_figure(sheet, curves, None, None, FAST).consistency
    return [c.message for c in found if c.kind == kind and set(claims) <= set(c.claims)]


def test_values_below_their_own_axis_are_noticed(fig1: FigureSheet) -> None:
    for claim in ("value-svd_ln-17500", "value-svd_no_ln-17500"):
        (message,) = told(fig1, "text-text", claim, "axis-y")
        assert "about 10 at step 17,500" in message
        assert "from 100 to 10,000 only" in message
    assert not told(fig1, "text-text", "value-random-17500")


def test_the_description_is_held_against_its_source(fig1: FigureSheet) -> None:
    (message,) = told(fig1, "description-source", "ln-below-no-ln")
    assert "Removing the layer normalisation leads to lower loss" in message
    assert "With LN the loss is consistently below that without LN" in message


def test_statements_of_the_source_are_held_against_one_another(fig1: FigureSheet, fig2: FigureSheet) -> None:
    assert any("(batch size): 96" in m and "192" in m for m in told(fig1, "set-up"))
    assert any("normal" in m and "uniform" in m for m in told(fig2, "set-up"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("starts-higher", "lower-at-every-step"),
        ("both-monotone", "baseline-fluctuates"),
        ("gap-narrows", "advantage-persists"),
        ("similar-end", "advantage-persists"),
    ],
)
def test_sentences_that_do_not_go_together_are_noticed(fig2: FigureSheet, one: str, other: str) -> None:
    assert len(told(fig2, "text-text", one, other)) == 1


def test_sentences_that_go_together_are_left_alone(fig2: FigureSheet) -> None:
    assert not told(fig2, "text-text", "faster-initially")
    assert not told(fig2, "text-text", "smoother")
    assert not told(fig2, "text-text", "smoother", "baseline-fluctuates")


def test_a_relation_that_the_described_values_deny_is_noticed(fig2: FigureSheet) -> None:
    rising = DescribedSeries(
        anchors=tuple(Anchor(x=x, y=y, tolerance=0.1) for x, y in ((0, 9), (20_000, 5), (50_000, 6)))
    )
    series = fig2.described.series | {"Baseline": rising}
    described = fig2.described.model_copy(update={"series": series})
    (message,) = told(fig2.model_copy(update={"described": described}), "text-text", "both-monotone")[:1]
    assert "does not fit the values that the same text gives" in message


def test_windows_that_do_not_meet_do_not_clash(fig2: FigureSheet) -> None:
    arms = ("small_init_emb", "baseline")
    lower = Statement("lower_everywhere", arms, Window(share=(0.5, 1.0)), "lower")
    higher = Statement("gap_at", arms, Window(share=0.0), "above")
    assert clash(lower, higher, fig2) == ""
    assert "lies below" in clash(Statement("lower_everywhere", arms, None, "lower"), higher, fig2)


def test_arms_that_differ_in_two_factors_are_noticed(fig1: FigureSheet, fig2: FigureSheet) -> None:
    (message,) = [m for m in told(fig2, "set-up") if "differ in" in m]
    assert message.startswith("Baseline and Small Init Emb differ in 2 factors at once")
    assert not [m for m in told(fig1, "set-up") if "differ in" in m]


def test_an_untrained_model_starts_at_the_log_of_its_vocabulary(fig2: FigureSheet) -> None:
    def figure(start: float) -> CurveSet:
        x, fall = np.linspace(0, 50_000, 101), np.linspace(0, 5, 101)
        return CurveSet(tuple(Curve.from_points(n, x, start - fall) for n in ("Baseline", "Small Init Emb")))

    assert not [m for m in told(fig2, "set-up", curves=figure(10.8)) if "ln(48,833)" in m]
    assert len([m for m in told(fig2, "set-up", curves=figure(9.5)) if "ln(48,833) = 10.8" in m]) == 2


def test_units_of_the_axes_are_worked_out(fig1: FigureSheet, fig2: FigureSheet) -> None:
    assert any("50,000 would then be 6,250 optimiser steps" in m for m in told(fig2, "set-up"))
    assert any("10,000 is 4.883" in m for m in told(fig1, "set-up"))


def test_tokens_are_steps_times_batch_times_context(fig1: FigureSheet) -> None:
    def told_of(**run: float | None) -> list[str]:
        set_up = fig1.set_up.model_copy(update=run)
        return [m for m in told(fig1.model_copy(update={"set_up": set_up}), "set-up") if "sequences of" in m]

    assert told_of() == []  # 17,500 steps of 96 x 2,048 are 3.44 billion, and 3.6 are reported
    (message,) = told_of(batch=192.0)
    assert message == (
        "17,500 steps of 192 sequences of 2,048 tokens are 6,881,280,000 tokens, but the publication counts "
        "3,600,000,000: one of the four numbers means something else."
    )
    (message,) = told_of(tokens=None)
    assert message.endswith("are 3,440,640,000 tokens; how many were trained on is not stated.")
    assert told_of(context=None) == []


def test_a_picture_built_from_the_description_is_no_evidence_for_it(
    fig1: FigureSheet, fig2: FigureSheet
) -> None:
    curves = CurveSet((Curve.from_points("Loss with random init", [0, 17_500], [1e4, 1e2]),))
    assert any("no evidence for either" in m for m in told(fig1, "set-up", curves=curves))
    assert not any("no evidence for either" in m for m in told(fig1, "set-up"))


def test_an_untestable_sentence_is_listed(fig2: FigureSheet) -> None:
    (message,) = told(fig2, "not-testable", "smaller-dimensions")
    assert "changes no dimension" in message


def curves_of(lead: float, run: bool) -> CurveSet:
    """Return two straight falls, the method ahead of the baseline by a lead."""
    x = np.linspace(0, 50_000, 101)
    names = {"Baseline": ("baseline", 0.0), "Small Init Emb": ("small_init_emb", lead)}
    curves = []
    for name, (arm, ahead) in names.items():
        for k in range(3) if run else (0,):
            curves.append(
                Curve.from_points(name, x, 10.8 - ahead - x / 1e4, run=Run(arm, k, "val") if run else None)
            )
    return CurveSet(tuple(curves))


def test_figure_and_rerun_are_held_against_one_another(fig2: FigureSheet) -> None:
    def conflicts(rerun: CurveSet) -> list[Consistency]:
        found = audit_figure(fig2, curves_of(0.5, run=False), rerun, {"scale": "quick"}, FAST).consistency
        return [c for c in found if c.kind == "figure-rerun" and "lower-at-every-step" in c.claims]

    (conflict,) = conflicts(curves_of(-0.5, run=True))
    assert "is replicated on the figure" in conflict.message
    assert "not replicated by the rerun, at its scale" in conflict.message
    assert not conflicts(curves_of(0.5, run=True))


def test_figure_and_rerun_are_alike_or_not_in_four_respects(fig2: FigureSheet) -> None:
    record = {"scale": "quick", "differences": [{"what": "steps"}, {"what": "model"}]}
    same = audit_figure(fig2, curves_of(0.5, run=False), curves_of(0.5, run=True), record, FAST)
    assert [item.respect for item in same.likeness] == ["shape", "shape", "ordering", "speed-up", "end"]
    assert all(item.agree for item in same.likeness)
    assert not [c for c in same.consistency if "differs" in c.message]

    other = audit_figure(fig2, curves_of(1.0, run=False), curves_of(0.1, run=True), record, FAST)
    agree = {item.respect: item.agree for item in other.likeness}
    assert (agree["shape"], agree["ordering"], agree["end"]) == (True, True, False)
    (speed, end) = [c.message for c in other.consistency if "differs" in c.message]
    assert speed.startswith("At the quick scale the speed-up differs. Small Init Emb against Baseline: ")
    assert speed.endswith("Changed from the published run: steps, model.")  # told once
    assert "-20.2 % of the drop in the figure, -2.02 % of the drop in the rerun" in end
    assert "Changed" not in end

    turned = audit_figure(fig2, curves_of(0.5, run=False), curves_of(-0.5, run=True), record, FAST)
    ordering = next(item for item in turned.likeness if item.respect == "ordering")
    assert (ordering.figure.value, ordering.rerun.value, ordering.agree) == (pytest.approx(100), 0, False)


def test_one_seed_or_one_side_is_held_against_nothing(fig2: FigureSheet) -> None:
    single = CurveSet(tuple(c for c in curves_of(0.5, run=True).curves if c.run and c.run.seed == 0))
    audit = audit_figure(fig2, curves_of(0.5, run=False), single, {"scale": "quick"}, FAST)
    assert {item.agree for item in audit.likeness} == {None}
    assert audit_figure(fig2, curves_of(0.5, run=False), None, None, FAST).likeness == ()


def test_every_kind_is_one_that_the_report_knows(fig1: FigureSheet, fig2: FigureSheet) -> None:
    known = {"text-text", "text-figure", "description-source", "figure-rerun", "not-testable", "set-up"}
    for sheet in (fig1, fig2):
        audit = audit_figure(sheet, None, None, None, FAST)
        ids = {c.id for c in sheet.claims}
        assert {c.kind for c in audit.consistency} <= known
        assert all(set(c.claims) <= ids for c in audit.consistency)


def swept(ends: dict[tuple[str, float], float], sheet: FigureSheet) -> str:
    """Return what is said of a rerun whose arms end at given losses at two rates."""
    curves, arms = [], []
    for (arm, rate), end in ends.items():
        name = arm if rate == 4e-4 else f"{arm}@lr={rate:g}"
        arms.append({"arm": name, "rate": rate, "diverged": []})
        curves.append(Curve.from_points(name, [0, 10], [900, end], run=Run(name, 0, "val")))
    record = {"scale": "quick", "arms": arms, "rates": [4e-4, 2e-3]}
    found = audit_figure(sheet, None, CurveSet(tuple(curves)), record, FAST).consistency
    return next((c.message for c in found if "shared learning rate" in c.message), "")


def test_an_order_that_depends_on_the_learning_rate_is_noticed(fig1: FigureSheet) -> None:
    ends = {
        ("svd_ln", 4e-4): 50.0,
        ("svd_no_ln", 4e-4): 20.0,
        ("svd_ln", 2e-3): 10.0,
        ("svd_no_ln", 2e-3): 40.0,
    }
    message = swept(ends, fig1)
    assert "The order of the arms depends on the rate (0.0004, 0.002)" in message
    assert message.index("w/o LN") < message.index("w/ LN")  # at the shared rate, without LN ends lower
    same = ends | {("svd_no_ln", 2e-3): 5.0}
    assert "The order of the arms is the same at every rate" in swept(same, fig1)
    assert swept({k: v for k, v in ends.items() if k[1] == 4e-4}, fig1) == ""
