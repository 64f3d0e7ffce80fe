"""``replicate digitize`` from the words of the command to its files, its exit code and what it says."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from drawing import Drawing, as_png

from replicate.cli import run
from replicate.curves import read_curves

pytestmark = pytest.mark.usefixtures("ocr_engine")


@pytest.fixture(scope="module")
def chart(draw: Callable[..., Drawing], decay: Any) -> Drawing:
    """A figure that reads well."""
    return draw({"Baseline": decay(9, 2, 4, 5000), "Ours": decay(8, 1.5, 6, 5000)})


@pytest.fixture
def figure(chart: Drawing, tmp_path: Path) -> Path:
    """Its file."""
    path = tmp_path / "fig1.png"
    path.write_bytes(chart.png)
    return path


@pytest.fixture(scope="module")
def unlabelled(draw: Callable[..., Drawing], decay: Any) -> Drawing:
    """A figure whose y axis carries no number."""
    return draw(
        {"Baseline": decay(9, 2, 4, 5000), "Ours": decay(8, 1.5, 6, 5000)},
        adjust=lambda ax: ax.set_yticklabels([]),
    )


def digitize(*words: str | Path) -> int:
    """Run the command."""
    return run(["digitize", *(str(w) for w in words)])


def one_line(text: str) -> str:
    """Return the only line of a text."""
    (line,) = text.splitlines()
    return line


def test_a_readable_figure(figure: Path, tmp_path: Path, chart: Drawing, capsys: Any) -> None:
    out = tmp_path / "out"
    assert digitize(figure, "--out", out) == 0
    assert sorted(p.name for p in out.iterdir()) == ["fig1.csv", "fig1.json", "fig1.overlay.png"]
    curves = read_curves(out / "fig1.csv")
    assert set(curves) == {"Baseline", "Ours"}
    assert np.median(chart.errors(curves["Ours"], "Ours")) < 5e-4
    record = json.loads((out / "fig1.json").read_text())
    assert record["confidence"] >= 0.8
    assert record["source"]["file"] == "fig1.png"
    assert record["tool"]["command"][:2] == ["replicate", "digitize"]
    said = capsys.readouterr()
    assert "Baseline" in said.out
    assert said.err == ""


def test_the_default_folder_is_reference_curves(
    figure: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert digitize("fig1.png") == 0
    assert (tmp_path / "reference_curves" / "fig1.csv").is_file()


def test_json_is_one_document_and_nothing_else(figure: Path, tmp_path: Path, capsys: Any) -> None:
    assert digitize(figure, "--out", tmp_path / "out", "--json") == 0
    said = capsys.readouterr()
    document = json.loads(said.out)
    assert document["schema"] == "replicate.digitization/1"
    assert document["files"]["curves"] == str(tmp_path / "out" / "fig1.csv")
    assert said.err == ""


def test_quiet_says_nothing_on_stderr(unlabelled: Drawing, tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "a.png").write_bytes(unlabelled.png)
    assert digitize(tmp_path / "a.png", "--out", tmp_path, "--quiet") == 3
    assert capsys.readouterr().err == ""


def test_standard_input(chart: Drawing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdin:
        buffer = io.BytesIO(chart.png)

    monkeypatch.setattr(sys, "stdin", Stdin)
    assert digitize("-", "--out", tmp_path) == 0
    assert set(read_curves(tmp_path / "stdin.csv")) == {"Baseline", "Ours"}


def test_a_folder(figure: Path, tmp_path: Path, capsys: Any) -> None:
    (figure.parent / "fig2.PNG").write_bytes(figure.read_bytes())
    (figure.parent / "notes.txt").write_text("no picture")
    (figure.parent / "old.overlay.png").write_bytes(figure.read_bytes())
    assert digitize(figure.parent, "--out", tmp_path / "out", "--json") == 0
    assert [d["source"]["file"] for d in json.loads(capsys.readouterr().out)] == ["fig1.png", "fig2.PNG"]
    assert {p.stem for p in (tmp_path / "out").glob("*.csv")} == {"fig1", "fig2"}


def test_an_empty_folder_is_refused(tmp_path: Path, capsys: Any) -> None:
    assert digitize(tmp_path) == 2
    assert "holds no picture" in one_line(capsys.readouterr().err)


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"", "is empty"), (b"just some text", "not a picture"), (b"%PDF-1.7 broken", "bad")],
)
def test_bad_input_is_said_in_one_line_and_leaves_nothing(
    tmp_path: Path, capsys: Any, content: bytes, said: str
) -> None:
    path = tmp_path / "bad.png"
    path.write_bytes(content)
    assert digitize(path, "--out", tmp_path / "out") == 2
    captured = capsys.readouterr()
    line = one_line(captured.err)
    assert line.startswith("replicate: ")
    assert "bad.png" in line
    assert said in line
    assert captured.out == ""
    assert not (tmp_path / "out").exists()


def test_a_truncated_figure(figure: Path, tmp_path: Path, capsys: Any) -> None:
    figure.write_bytes(figure.read_bytes()[:4000])
    assert digitize(figure, "--out", tmp_path / "out") == 2
    assert "truncated" in one_line(capsys.readouterr().err)
    assert not (tmp_path / "out").exists()


def test_too_many_megapixels(figure: Path, tmp_path: Path, capsys: Any) -> None:
    assert digitize(figure, "--out", tmp_path / "out", "--max-megapixels", "0.1") == 2
    assert "--max-megapixels" in one_line(capsys.readouterr().err)


def test_a_bad_file_among_good_ones_does_not_stop_them(figure: Path, tmp_path: Path, capsys: Any) -> None:
    bad = tmp_path / "bad.png"
    bad.write_bytes(b"no picture")
    assert digitize(bad, figure, "--out", tmp_path / "out") == 2
    assert (tmp_path / "out" / "fig1.csv").is_file()
    assert "bad.png" in one_line(capsys.readouterr().err)


def test_unreadable_axes_need_a_person_and_give_no_number(
    unlabelled: Drawing, tmp_path: Path, capsys: Any
) -> None:
    (tmp_path / "a.png").write_bytes(unlabelled.png)
    assert digitize(tmp_path / "a.png", "--out", tmp_path) == 3
    assert "--y-ticks" in capsys.readouterr().err
    assert (tmp_path / "a.csv").read_text() == "panel,series,x,y,y_lo,y_hi,observed\n"
    record = json.loads((tmp_path / "a.json").read_text())
    assert record["confidence"] == 0
    assert "y-axis-unread" in [w["code"] for w in record["warnings"]]


def test_a_person_s_calibration_wins(unlabelled: Drawing, tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(unlabelled.png)
    ticks = ",".join(f"{unlabelled.y.pixel(v):.3f}={v}" for v in (2, 8))
    assert digitize(tmp_path / "a.png", "--out", tmp_path, "--y-ticks", ticks) == 0
    curves = read_curves(tmp_path / "a.csv")
    assert set(curves) == {"Baseline", "Ours"}
    for name in curves:
        assert np.median(unlabelled.errors(curves[name], name)) < 5e-4


def test_a_person_s_calibration_wins_over_what_was_read(figure: Path, chart: Drawing, tmp_path: Path) -> None:
    ticks = ",".join(f"{chart.x.pixel(v):.3f}={v / 1000}" for v in (0, 5000))
    assert digitize(figure, "--out", tmp_path, "--x-ticks", ticks) == 0
    assert read_curves(tmp_path / "fig1.csv")["Ours"].x[[0, -1]] == pytest.approx([0, 5], abs=0.02)


def test_a_person_s_legend_wins(figure: Path, tmp_path: Path) -> None:
    assert digitize(figure, "--out", tmp_path, "--series", "One=#1f77b4,Two=#ff7f0e") == 0
    assert set(read_curves(tmp_path / "fig1.csv")) == {"One", "Two"}
    record = json.loads((tmp_path / "fig1.json").read_text())
    assert {s["name_from"] for s in record["panels"][0]["series"]} == {"person"}


def two_panels() -> bytes:
    """Return a figure of two panels with different y axes."""
    import matplotlib.pyplot as plt

    x = np.linspace(0, 10, 50)
    figure, axes = plt.subplots(1, 2, figsize=(8, 3.4), dpi=100, layout="constrained")
    axes[0].plot(x, 1 + x, label="left")
    axes[1].plot(x, 90 - 5 * x, label="right")
    for ax in axes:
        ax.legend()
    return as_png(figure)


def test_panels_are_numbered_and_one_can_be_asked_for(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "two.png").write_bytes(two_panels())
    assert digitize(tmp_path / "two.png", "--out", tmp_path) == 0
    curves = read_curves(tmp_path / "two.csv")
    assert {(c.name, c.panel) for c in curves.curves} == {("left", 0), ("right", 1)}
    assert curves["right"].y_at(5).value == pytest.approx(65, abs=0.1)
    assert digitize(tmp_path / "two.png", "--out", tmp_path, "--panel", "1") == 0
    assert set(read_curves(tmp_path / "two.csv")) == {"right"}
    capsys.readouterr()
    assert digitize(tmp_path / "two.png", "--out", tmp_path, "--panel", "7") == 2
    assert "2 panels" in one_line(capsys.readouterr().err)


def test_a_folder_that_cannot_be_written(figure: Path, tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "file").write_text("no folder")
    assert digitize(figure, "--out", tmp_path / "file" / "out") == 5
    captured = capsys.readouterr()
    assert "cannot write" in one_line(captured.err)
    assert captured.out == ""


def test_a_strict_threshold_asks_for_a_person(figure: Path, tmp_path: Path) -> None:
    assert digitize(figure, "--out", tmp_path, "--min-confidence", "1") == 3


def test_from_python(figure: Path) -> None:
    import replicate

    read = replicate.digitize(figure)
    assert list(read.curves) == ["Baseline", "Ours"]
    assert len(read.to_frame()) == sum(len(c) for c in read.curves.values())


def test_as_a_program(figure: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "replicate", "digitize", str(figure), "--out", str(tmp_path), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["confidence"] >= 0.8
