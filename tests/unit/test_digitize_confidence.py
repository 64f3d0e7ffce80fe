"""Every sign of trouble lowers the confidence, and what is wrong is said with the flag that helps."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from digitization_sample import BOX, axis, sample, series

from replicate.digitizer.confidence import judge
from replicate.digitizer.record import Panel
from replicate.digitizer.series import SeriesReading

CLEAN = SeriesReading((41, 21), (), (), 0.0)


def panel(**changes: Any) -> Panel:
    """Return a panel that was read without any doubt, changed."""
    certain = [
        replace(a, doubt=0.0, ticks=tuple(replace(a.ticks[0], pixel=40.0 + 20 * i) for i in range(5)))
        for a in (
            axis("linear", (40.0, 240.0), (0.0, 2000.0), "step"),
            axis("log", (120.0, 20.0), (1.0, 100.0), None),
        )
    ]
    found = replace(series("loss", [10, 40, 60, 70]), color="#1f77b4", name_from="label")
    box = BOX._replace(x1=BOX.x0 + 400, y1=BOX.y0 + 300)
    clean = replace(
        sample().panels[0], box=box, x_axis=certain[0], y_axis=certain[1], y2_axis=None, series=(found,)
    )
    return replace(clean, **changes)


def confidence(p: Panel, reading: SeriesReading = CLEAN) -> float:
    """Return the panel's confidence."""
    return judge(p, None, reading)[0].confidence


def codes(p: Panel, reading: SeriesReading = CLEAN) -> list[str]:
    """Return the codes of the warnings."""
    return [c.code for c in judge(p, None, reading)[1]]


def test_a_clean_panel_is_sure() -> None:
    assert 0.8 <= confidence(panel()) < 1
    assert codes(panel()) == []


@pytest.mark.parametrize("letter", ["x", "y"])
def test_an_unread_axis_leaves_no_confidence_and_names_its_flag(letter: str) -> None:
    unread = panel(**{f"{letter}_axis": None, "series": ()})
    judged, (caution,) = judge(unread, None, CLEAN)
    assert judged.confidence == 0
    assert caution.code == f"{letter}-axis-unread"
    assert f"--{letter}-ticks" in caution.message


@pytest.mark.parametrize("letter", ["x", "y"])
def test_a_doubtful_axis_lowers_it_and_names_its_flag(letter: str) -> None:
    clean = panel()
    doubtful = replace(clean, **{f"{letter}_axis": replace(getattr(clean, f"{letter}_axis"), doubt=0.5)})
    assert confidence(doubtful) < 0.8 < confidence(clean)
    judged, (caution,) = judge(doubtful, None, CLEAN)
    assert caution.code == f"{letter}-axis-doubtful"
    assert f"--{letter}-ticks" in caution.message


def test_a_person_s_axis_is_not_doubted() -> None:
    clean = panel()
    assert clean.x_axis is not None
    given = replace(clean, x_axis=replace(clean.x_axis, doubt=0.9, source="person"))
    assert confidence(given) >= confidence(clean) - 1e-9
    assert codes(given) == []


def test_no_curve() -> None:
    assert confidence(panel(series=())) == 0
    assert codes(panel(series=())) == ["no-curve"]


def test_a_name_of_the_legend_without_ink() -> None:
    missing = replace(CLEAN, missing=("Ours",))
    assert confidence(panel(), missing) < confidence(panel())
    assert codes(panel(), missing) == ["series-missing"]
    assert "'Ours'" in judge(panel(), None, missing)[1][0].message


def test_ink_that_belongs_to_no_curve() -> None:
    loose = replace(CLEAN, unexplained=0.6)
    assert confidence(panel(), loose) < 0.8
    assert codes(panel(), loose) == ["unexplained-ink"]
    assert "60%" in judge(panel(), None, loose)[1][0].message


def test_axes_that_were_guessed() -> None:
    guessed = replace(CLEAN, axis_guessed=True)
    assert confidence(panel(), guessed) < 0.8
    assert codes(panel(), guessed) == ["axis-guessed"]
