"""``replicate new``: from a picture to a sheet that loads, and ten lines that make an audit."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from replicate.cli import run
from replicate.curves import Curve, write_curves
from replicate.sheetdraft import arm_names, draft
from replicate.sheets import load_sheet

PICTURE = Path(__file__).parents[2] / "figures" / "fig2.png"
TEN_LINES = """\
source: {title: Mine}
described:
  x_axis: {label: Step, range: [0, 100], tick: 20}
  y_axis: {label: Loss, range: [1, 9], tick: 1}
arms: {old: {series: Old}, new: {series: New}}
claims:
  - {id: lower, text: New ends lower., kind: gap_at, arms: [new, old], window: {share: 1}, expect: below}
  - {id: half, text: New is twice as fast., kind: speedup, arms: [new, old], expect: {about: 100, tolerance: 9, unit: "%"}}
"""  # noqa: E501


def record(names: list[str], log: bool = False) -> dict[str, Any]:
    """Return a digitization record of one panel."""

    def axis(values: list[float], limits: list[float], scale: str) -> dict[str, Any]:
        ticks = [{"pixel": v, "text": f"{v:g}", "value": v, "used": True} for v in values]
        return {"scale": scale, "label": 'Loss: "test"', "limits": limits, "ticks": ticks}

    y = axis([10.0, 100.0], [8.0, 200.0], "log") if log else axis([4.0, 5.0], [3.99, 5.51], "linear")
    panel = {"x_axis": axis([0.0, 200.0, 400.0], [-20.0, 420.0], "linear"), "y_axis": y}
    return {"confidence": 0.9, "panels": [panel | {"series": [{"name": n} for n in names]}]}


def loaded(tmp_path: Path, text: str) -> Any:
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return load_sheet(path)


@pytest.mark.parametrize(
    "names", [["Baseline", "Small Init Emb"], ['a: "b" # c', "loss", "LOSS"], ["été"], []]
)
def test_a_draft_is_a_sheet(tmp_path: Path, names: list[str]) -> None:
    sheet = loaded(tmp_path, draft("mine", "mine.png", record(names)))
    assert [arm.series for arm in sheet.arms.values()] == names
    assert sheet.described.x_axis.range == (-20, 420)
    assert sheet.described.x_axis.label == 'Loss: "test"'
    assert sheet.described.y_axis.range == (3.99, 5.51)
    assert (sheet.described.x_axis.tick, sheet.described.y_axis.tick) == (200, 1)


def test_a_log_axis_counts_decades(tmp_path: Path) -> None:
    axis = loaded(tmp_path, draft("mine", "mine.png", record(["a"], log=True))).described.y_axis
    assert (axis.scale, axis.range, axis.tick) == ("log", (8, 200), 1)


@pytest.mark.parametrize("names", [["Old", "New"], ["Alone"]])
def test_the_example_claims_are_right_once_their_marks_are_gone(tmp_path: Path, names: list[str]) -> None:
    text = draft("mine", "mine.png", record(names))
    at = text.index("# claims:")
    lines = (line.removeprefix("# ").removeprefix("#") for line in text[at:].splitlines())
    sheet = loaded(tmp_path, text[:at] + "\n".join(lines))
    assert [c.id for c in sheet.claims][2:] == (["lower", "faster"] if len(names) > 1 else ["falls"])


def test_short_names_are_unique() -> None:
    assert arm_names(["w/ LN", "w LN", "損失", "Loss (a)"]) == ["w_ln", "w_ln_2", "curve_3", "loss_a"]


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "figures").mkdir()
    shutil.copy(PICTURE, tmp_path / "figures" / "mine.png")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_picture_becomes_a_sheet_and_an_audit(workplace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["new", "figures/mine.png", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["sheet"] == "figures/mine.yaml"
    sheet = load_sheet(Path("figures/mine.yaml"))
    assert [arm.series for arm in sheet.arms.values()] == ["Baseline", "Small Init Emb"]
    assert sheet.described.y_axis.range == pytest.approx((3.75, 11.21))
    assert run(["report", "mine", "--quiet"]) == 0
    assert run(["new", "figures/mine.png"]) == 2
    assert "figures/mine.yaml is there already" in capsys.readouterr().err


def test_a_reading_that_is_there_is_kept(workplace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known = Path("reference_curves/mine.json")
    known.parent.mkdir()
    known.write_text(json.dumps(record(["Old"]) | {"confidence": 0.5}), encoding="utf-8")
    assert run(["new", "figures/mine.png"]) == 3
    assert "taking the reading in" in capsys.readouterr().err
    assert list(load_sheet(Path("figures/mine.yaml")).arms) == ["old"]


@pytest.mark.parametrize("text", ["{", '{"confidence": 1}', '{"confidence": 1, "panels": []}'])
def test_a_reading_that_gives_no_axes_is_bad_input(
    workplace: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    Path("reference_curves").mkdir()
    Path("reference_curves/mine.json").write_text(text, encoding="utf-8")
    assert run(["new", "figures/mine.png"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 2  # what it takes, and the error
    assert not Path("figures/mine.yaml").exists()


def test_ten_lines_are_a_sheet(workplace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert len(TEN_LINES.splitlines()) <= 10
    Path("figures/mine.yaml").write_text(TEN_LINES, encoding="utf-8")
    x = [0.0, 10.0, 20.0, 40.0]
    curves = [Curve.from_points("Old", x, [9, 8, 7, 5]), Curve.from_points("New", x, [9, 7, 5, 3])]
    write_curves(Path("reference_curves/mine.csv"), curves)
    assert run(["report", "mine", "--json", "--quiet"]) in (0, 3)
    (document,) = json.loads(capsys.readouterr().out)["reports"]
    verdicts = {c["id"]: c["verdicts"]["figure"] for c in document["claims"]}
    assert verdicts["lower"] == "replicated"
