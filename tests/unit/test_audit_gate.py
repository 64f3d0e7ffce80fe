"""An audit as a gate: exit codes, JUnit XML, and seeds that would decide."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from replicate.audit.gate import power
from replicate.cli import run
from replicate.curves import Curve, Run, write_curves

SHEET = """\
source: {title: Mine}
described:
  x_axis: {label: Step, range: [0, 100], tick: 20}
  y_axis: {label: Loss, range: [1, 10], tick: 1}
experiment: made_up
arms: {old: {series: Old}, new: {series: New}}
claims:
  - {id: lower, text: "New ends lower & <first>.", kind: gap_at, arms: [new, old], window: {share: 1}, expect: below}
  - {id: higher, text: New ends higher., kind: gap_at, arms: [new, old], window: {share: 1}, expect: above}
  - id: near
    text: New ends 0.3 lower.
    kind: gap_at
    arms: [new, old]
    window: {share: 1}
    expect: {about: -0.3, tolerance: 0.05, unit: loss}
  - {id: why, text: It is the width., testable: false, reason: No curve shows a cause.}
"""
X = np.array([0.0, 50.0, 100.0])
GAPS = (0.2, 0.3, 0.4)


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a sheet and its digitized curves, as the current one."""
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures" / "mine.yaml").write_text(SHEET, encoding="utf-8")
    curves = [Curve.from_points(n, X, [9, 5, e]) for n, e in (("Old", 3.0), ("New", 2.7))]
    write_curves(tmp_path / "reference_curves" / "mine.csv", curves)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def rerun(gaps: Sequence[float] = GAPS) -> None:
    """Leave a rerun whose arms end apart by a gap a seed."""
    ends = [("old", k, 3.0) for k in range(len(gaps))] + [("new", k, 3.0 - g) for k, g in enumerate(gaps)]
    curves = [Curve.from_points(arm, X, [9, 5, e], run=Run(arm, k, "val")) for arm, k, e in ends]
    write_curves(Path("runs/made_up/curves.csv"), curves)
    Path("runs/made_up/record.json").write_text('{"scale": "quick", "complete": true}', encoding="utf-8")


@pytest.mark.parametrize(
    ("flags", "code"),
    [
        ([], 0),  # nothing is left open
        (["--fail-on", "not replicated"], 3),
        (["--fail-on", "inconclusive"], 0),
        (["--fail-on", "inconclusive", "--fail-on", "replicated"], 3),
        (["--fail-on", "refuted"], 2),
    ],
)
def test_the_exit_code_is_set_by_the_verdicts_asked_for(workplace: Path, flags: list[str], code: int) -> None:
    assert run(["report", "mine", "--quiet", *flags]) == code


def test_an_open_claim_does_not_fail_where_another_verdict_is_asked_for(workplace: Path) -> None:
    rerun([0.3, -0.3, 0.1])
    assert run(["report", "mine", "--quiet"]) == 3
    assert run(["report", "mine", "--quiet", "--fail-on", "partly replicated"]) == 0


def test_every_claim_is_a_test_case(workplace: Path) -> None:
    assert run(["report", "mine", "--quiet", "--junit", "out/junit.xml"]) == 0
    root = ElementTree.parse("out/junit.xml").getroot()  # noqa: S314 (our own file)
    counts = {k: root.get(k) for k in ("tests", "failures", "skipped", "errors")}
    assert counts == {"tests": "6", "failures": "1", "skipped": "1", "errors": "0"}
    (suite,) = root
    assert suite.get("name") == "mine"
    cases = {case.get("name"): case for case in suite}
    assert list(cases) == ["lower", "higher", "near", "why", "axis-x", "axis-y"]
    failure = cases["higher"].find("failure")
    assert failure is not None
    assert failure.get("message") == "not replicated (figure)"
    assert failure.text == "-0.3 loss, where the claim asks for at least 0."
    assert cases["why"].find("skipped") is not None
    told = cases["lower"].findtext("system-out") or ""
    assert told.startswith("New ends lower & <first>.\ntext: not run: ")


def test_the_verdicts_asked_for_fail_a_test_case(workplace: Path) -> None:
    assert run(["report", "mine", "--quiet", "--junit", "j.xml", "--fail-on", "replicated"]) == 3
    root = ElementTree.parse("j.xml").getroot()  # noqa: S314 (our own file)
    failed = [case.get("name") for case in root.iter("testcase") if case.find("failure") is not None]
    assert failed == ["lower", "near", "axis-x", "axis-y"]


def test_a_file_that_cannot_be_written_ends_with_5(workplace: Path) -> None:
    (workplace / "taken").write_text("", encoding="utf-8")
    assert run(["report", "mine", "--quiet", "--junit", "taken/j.xml"]) == 5


def test_power_names_the_seeds_that_would_decide(workplace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rerun()
    assert run(["report", "mine", "--power", "--quiet"]) == 3
    lines = [line for line in capsys.readouterr().out.splitlines() if "seeds" in line]
    # Gaps of 0.3 give or take 0.1, wanted within 0.05: by the normal distribution (1.96 + 1.28)^2 * 2^2 = 42.
    assert len(lines) == 1
    assert lines[0].startswith("mine: near: inconclusive with 3 seeds; ")
    needed = int(lines[0].split("; ")[1].split()[0])
    assert 42 <= needed <= 46


def test_one_seed_says_nothing_of_the_spread(workplace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rerun([0.3])
    assert run(["report", "mine", "--power", "--quiet"]) == 3
    lines = [line for line in capsys.readouterr().out.splitlines() if "mine: " in line]
    assert [line.split("; ")[1] for line in lines] == [
        "one seed says nothing of the spread: run two at least"
    ] * 3


def test_what_no_number_of_seeds_decides_is_said(workplace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rerun([0.3, -0.3, 0.0001])
    run(["report", "mine", "--json", "--quiet"])
    (document,) = json.loads(capsys.readouterr().out)["reports"]
    found = {p.claim: p for p in power(document)}
    assert found["lower"].primary is None
    assert "no number of seeds up to 1,000" in found["lower"].note
