"""``replicate audit``: bad input ends it before anything is written; a figure without a rerun is audited whole."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from replicate.cli import run
from replicate.report.document import SCHEMA_FILE

FIGURES = Path(__file__).parents[2] / "figures"


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder with figure 2 and its sheet in figures/, as the current one."""
    (tmp_path / "figures").mkdir()
    for name in ("fig2.yaml", "fig2.png"):
        shutil.copy(FIGURES / name, tmp_path / "figures" / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def change(workplace: Path, old: str, new: str) -> None:
    """Change a text in the sheet."""
    sheet = workplace / "figures" / "fig2.yaml"
    text = sheet.read_text(encoding="utf-8")
    assert old in text
    sheet.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("experiment: small_init_emb", "experiment: no_such", "unknown experiment 'no_such'"),
        ("source:\n", "colour: red\nsource:\n", "figures/fig2.yaml, line 2: colour"),
    ],
)
def test_a_mistake_in_a_sheet_leaves_nothing_behind(
    workplace: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, told: str
) -> None:
    change(workplace, old, new)
    assert run(["audit"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert told in line
    assert [p.name for p in workplace.iterdir()] == ["figures"]


def test_an_unknown_scale_or_figure_is_bad_usage(workplace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", "--scale", "huge"]) == 2
    assert run(["audit", "fig9"]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert "no scale 'huge'" in first
    assert "fig9.yaml" in second


def test_a_picture_that_is_none_leaves_nothing_behind(
    workplace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (workplace / "figures" / "fig2.png").write_bytes(b"no picture")
    assert run(["audit", "--no-rerun"]) == 2
    assert "fig2.png" in capsys.readouterr().err
    assert [p.name for p in workplace.iterdir()] == ["figures"]


def test_without_a_rerun_text_and_figure_are_judged(
    workplace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ["--junit", "junit.xml", "--fail-on", "not replicated"]
    assert run(["audit", "fig2", "--no-rerun", "--json", *flags]) == 3
    (report,) = json.loads(capsys.readouterr().out)["reports"]
    verdicts = {(f["claim"], f["evidence"]): f["verdict"] for f in report["findings"]}
    assert verdicts["value-baseline-10000", "figure"] == "not replicated"
    assert verdicts["value-baseline-30000", "figure"] == "replicated"
    assert verdicts["lower-at-every-step", "figure"] == "not replicated"
    assert verdicts["lower-at-every-step", "rerun"] == "not run"
    assert '<failure message="not replicated (figure)"' in Path("junit.xml").read_text(encoding="utf-8")
    written = json.loads(Path("reports/fig2.json").read_text(encoding="utf-8"))
    assert written == report
    schema = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
    assert list(Draft202012Validator(schema).iter_errors(written)) == []
    made = ["figures", "junit.xml", "reference_curves", "reports"]
    assert sorted(p.name for p in workplace.iterdir()) == made
