"""The tables of a report: the checklist, the provenance, the figure against the rerun."""

from __future__ import annotations

from pathlib import Path

import pytest
from report_sample import material, page_of, run_record

from replicate.audit.findings import Estimate, Likeness
from replicate.report.render import render_page
from replicate.report.tables import CHECKLIST
from replicate.report.words import basis
from replicate.sheets import load_sheet


def test_the_figure_is_held_against_the_rerun() -> None:
    here = Estimate("The share of the run.", 49.1, (48.9, 49.4), "% of the run")
    there = Estimate("The share of the run.", 81.8, (79.3, 84.3), "% of the run")
    held = (
        Likeness("shape", ("Base",), here, there, False),
        Likeness("ordering", ("Small", "Base"), here, there, True),
        Likeness("end", ("Small", "Base"), here, Estimate("", None, None, "%"), None),
    )
    page = page_of(material(likeness=held))
    assert page.rerun.likeness is not None
    rows = page.rerun.likeness.rows
    share = "49.1\N{NO-BREAK SPACE}% of the run [48.9, 49.4]"
    assert rows[0][:3] == ("Shape", "Base", share)
    assert rows[1][1] == "Small below Base"
    assert [row[4] for row in rows] == ["differ", "agree", "undecided"]
    assert rows[2][3] == "no number"
    assert "The figure held against the rerun" in render_page(page)


@pytest.mark.parametrize(
    ("needed", "said"),
    [
        (None, "3 seeds, p = 0.25"),
        (11.2, "3 seeds, p = 0.25, about 12 seeds would decide it"),
        (float("inf"), "3 seeds, p = 0.25, no thinkable number of seeds would decide it"),
    ],
)
def test_how_many_seeds_would_decide_is_said(needed: float | None, said: str) -> None:
    assert basis(Estimate("", 1.0, None, "", seeds=3, p_value=0.25, seeds_needed=needed)) == said


def test_checklist_says_what_is_not_stated() -> None:
    rows = {r[0]: r[1:] for r in page_of(material()).checklist.rows}
    assert rows["Seeds, number of runs"] == ("one", "3 an arm: 0, 1, 2")
    assert rows["Hardware"] == ("not stated", "cpu, 2 threads")
    assert rows["Size of the model"] == ("not stated", "3,241,984 parameters")


def test_what_the_sheets_state_is_on_the_checklist() -> None:
    folder = Path(__file__).parents[2] / "figures"
    known = {key for key, _ in CHECKLIST}
    stated = {p.stem: set(load_sheet(p).stated) for p in folder.glob("*.yaml")}
    assert stated
    assert all(keys <= known for keys in stated.values()), stated


def test_provenance_lists_commands_files_and_configuration() -> None:
    tables = {t.caption: t for t in page_of(material()).provenance}
    assert [r[0] for r in tables["Commands"].rows] == ["digitize", "rerun", "report"]
    assert tables["Files"].rows == (("figures/made.png", "figure", "1,234", "ab" * 32),)
    assert ("model.width", "128") in tables["Configuration of the rerun"].rows
    arms = {"arms": [{"name": "base", "width": 128}, {"name": "small", "width": 64}], "rates": [1e-8, 2]}
    tables = {t.caption: t for t in page_of(material(run={**run_record(), "configuration": arms})).provenance}
    assert tables["Configuration of the rerun"].rows == (
        ("arms.base.name", "base"),
        ("arms.base.width", "128"),
        ("arms.small.name", "small"),
        ("arms.small.width", "64"),
        ("rates", "1e\N{MINUS SIGN}8, 2"),
    )


@pytest.mark.parametrize(("clean", "said"), [(True, "clean"), (False, "with changes")])
def test_provenance_says_whether_the_commit_was_clean(clean: bool, said: str) -> None:
    machine = {"git_commit": "ab" * 20, "git_clean": clean}
    tables = page_of(material(run={**run_record(), "environment": machine})).provenance
    assert [row[3] for row in tables[0].rows] == ["not stated", f"{'ab' * 6}, {said}", "c0ffeec0ffee, clean"]


def test_checklist_of_a_figure_that_was_not_rerun() -> None:
    rows = page_of(material(rerun=None, run=None)).checklist.rows
    assert {row[2] for row in rows} == {"not run"}
