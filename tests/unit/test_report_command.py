"""The command: what it prints, what it opens, how it ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer

import replicate.report
from replicate import cli
from replicate.report import ReportResult

FOLDER = Path("reports")


def result(name: str, *, undecided: tuple[str, ...] = (), doubtful: bool = False) -> ReportResult:
    """Return a report that was never written."""
    html, document, curves = (FOLDER / f"{name}{end}" for end in (".html", ".json", ".curves.csv"))
    return ReportResult(name, html, document, curves, {"name": name}, f"### {name}", undecided, doubtful)


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> tuple[list[ReportResult], list[str], list[dict[str, Any]]]:
    """Return the reports that will be written, the pages that were opened, and how writing was called."""
    results: list[ReportResult] = [result("a")]
    opened: list[str] = []
    calls: list[dict[str, Any]] = []

    def write(
        names: Any, figures: Path, curves: Path, runs: Path, out: Path, command: Any, **more: Any
    ) -> Any:
        calls.append({"names": names, "out": out, "command": command, **more})
        return results

    monkeypatch.setattr(replicate.report, "write_reports", write)
    monkeypatch.setattr(typer, "launch", lambda page: opened.append(page))
    return results, opened, calls


def test_the_place_of_the_page_is_printed(written: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["report", "a"]) == 0
    assert capsys.readouterr().out == "reports/a.html\n"
    assert written[2][0]["command"] == ("replicate", "report", "a")


@pytest.mark.parametrize("flags", [["--format", "json"], ["--json"]])
def test_the_document_is_printed(written: Any, flags: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["report", *flags]) == 0
    assert json.loads(capsys.readouterr().out) == {"reports": [{"name": "a"}]}


def test_the_summary_is_printed(written: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["report", "--format", "md"]) == 0
    assert capsys.readouterr().out == "### a\n"


def test_printing_does_not_change_what_is_written(written: Any) -> None:
    for flags in ([], ["--format", "md"], ["--json"], ["--open"]):
        cli.run(["report", "a", *flags])
    assert len({call["command"] for call in written[2]}) == 1


def test_one_report_is_opened_and_the_index_of_many(written: Any) -> None:
    results, opened, _ = written
    cli.run(["report"])
    assert opened == []
    cli.run(["report", "--open"])
    results.append(result("b"))
    cli.run(["report", "--open", "--out", "elsewhere"])
    assert opened == [str(Path("reports/a.html")), str(Path("elsewhere/index.html"))]


def test_what_needs_a_person_is_said(written: Any, capsys: pytest.CaptureFixture[str]) -> None:
    written[0][:] = [result("a", undecided=("one", "two"), doubtful=True)]
    assert cli.run(["report"]) == 3
    said = capsys.readouterr().err
    assert "a: undecided claims: one, two" in said
    assert "a: the figure's confidence is below the threshold" in said
