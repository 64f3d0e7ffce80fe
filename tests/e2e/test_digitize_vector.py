"""The command on PDFs and SVGs: papers of many pages, pictures in them, outlined text, and files it must refuse."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pdf_files
import pypdfium2 as pdfium
import pytest
from matplotlib.figure import Figure
from vector_charts import save

from replicate.cli import run

X = np.linspace(0, 10_000, 50)


def chart(rate: float, name: str) -> Figure:
    """Return a figure of one named curve."""
    figure = Figure(figsize=(5, 3.5))
    ax = figure.add_axes((0.15, 0.17, 0.8, 0.75))
    ax.plot(X, values(rate), label=name)
    ax.set_xlabel("Steps")
    ax.set_ylabel("Loss")
    ax.legend()
    return figure


def values(rate: float) -> np.ndarray:
    """Return the curve of a rate; its wiggle keeps every vertex."""
    return 6 * np.exp(-rate * X / 10_000) + 1 + 0.2 * (-1.0) ** np.arange(X.size)


def page_of(rate: float, number: int) -> bytes:
    """Return a paper's page with text and a captioned chart."""
    figure = Figure(figsize=(8.5, 11))
    for k in range(12):
        figure.text(
            0.1, 0.95 - 0.02 * k, "words of the paper that run from one side of the page to the other", size=9
        )
    ax = figure.add_axes((0.2, 0.3, 0.6, 0.3))
    ax.plot(X, values(rate), label=f"run {number}")
    ax.legend()
    ax.set_xlabel("Steps")
    ax.set_ylabel("Loss")
    figure.text(0.2, 0.2, f"Figure {number}: The loss of run {number} against training steps.", size=9)
    return save(figure, "pdf")


def paper(*pages: bytes) -> bytes:
    """Return several PDFs as one."""
    out = pdfium.PdfDocument.new()
    for data in pages:
        out.import_pages(pdfium.PdfDocument(data))
    made = io.BytesIO()
    out.save(made)
    return made.getvalue()


def digitize(*words: str | Path) -> int:
    """Run the command."""
    return run(["digitize", *map(str, words)])


def table(path: Path) -> dict[tuple[str, str], np.ndarray]:
    """Return the x and y of each panel's series."""
    found: dict[tuple[str, str], list[tuple[float, float]]] = {}
    with path.open() as file:
        for row in csv.DictReader(file):
            found.setdefault((row["panel"], row["series"]), []).append((float(row["x"]), float(row["y"])))
    return {k: np.array(v) for k, v in found.items()}


def record(path: Path) -> Any:
    """Return a record."""
    return json.loads(path.read_text())


@pytest.mark.parametrize("form", ["pdf", "svg"])
def test_a_figure_becomes_a_table_a_record_and_an_overlay(form: str, tmp_path: Path, capsys: Any) -> None:
    figure = tmp_path / f"fig.{form}"
    figure.write_bytes(save(chart(2, "Baseline"), form))  # type: ignore[arg-type]
    assert digitize(figure, "--out", tmp_path / "out") == 0
    assert "Baseline (50 points)" in capsys.readouterr().out
    points = table(tmp_path / "out" / "fig.csv")["0", "Baseline"]
    assert np.abs(points[:, 0] - X).max() < 1e-4 * 10_000
    assert np.abs(points[:, 1] - values(2)).max() < 1e-4 * 6
    made = record(tmp_path / "out" / "fig.json")
    assert made["source"]["kind"] == form
    assert (made["source"]["width"], made["source"]["height"]) == (360, 252)
    assert made["source"]["page"] == (1 if form == "pdf" else None)
    box = [0.15 * 360, 0.08 * 252, 0.95 * 360, 0.83 * 252]
    assert made["panels"][0]["box"] == pytest.approx(box, abs=0.02)
    assert made["panels"][0]["x_axis"]["label"] == "Steps"
    assert made["confidence"] > 0.9
    assert (tmp_path / "out" / "fig.overlay.png").read_bytes()[:4] == b"\x89PNG"


def test_every_page_of_a_paper_is_read_and_listed(tmp_path: Path, capsys: Any) -> None:
    text = Figure(figsize=(8.5, 11))
    text.text(0.1, 0.5, "a page without a chart")
    file = tmp_path / "paper.pdf"
    file.write_bytes(paper(save(text, "pdf"), page_of(1, 3), page_of(4, 7)))
    assert digitize(file, "--out", tmp_path) == 0
    points = table(tmp_path / "paper.csv")
    assert sorted(points) == [("0", "run 3"), ("1", "run 7")]
    assert np.abs(points["1", "run 7"][:, 1] - values(4)).max() < 1e-3
    panels = record(tmp_path / "paper.json")["panels"]
    assert [(p["page"], p["figure"]) for p in panels] == [(2, 3), (3, 7)]
    capsys.readouterr()
    assert digitize("--list", file, "--out", tmp_path) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "panel 0: page 2, figure 3, box 122 317 490 554: Loss against Steps: run 3" in lines[0]
    assert (tmp_path / "paper.panels" / "1.png").is_file()


@pytest.mark.parametrize(
    ("flag", "expected"), [("--page", "run 7"), ("--figure", "run 3"), ("--panel", "run 7")]
)
def test_a_page_a_figure_or_a_panel_may_be_chosen(flag: str, expected: str, tmp_path: Path) -> None:
    file = tmp_path / "paper.pdf"
    file.write_bytes(paper(page_of(1, 3), page_of(4, 7)))
    chosen = {"--page": "2", "--figure": "3", "--panel": "1"}[flag]
    assert digitize(file, flag, chosen, "--out", tmp_path) == 0
    assert [name for _, name in table(tmp_path / "paper.csv")] == [expected]


def test_a_page_or_figure_that_is_not_there_is_refused(tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "paper.pdf"
    file.write_bytes(page_of(1, 3))
    assert digitize(file, "--page", "9", "--out", tmp_path) == 2
    assert "has 1 pages, so there is no page 9" in capsys.readouterr().err
    assert digitize(file, "--figure", "4", "--out", tmp_path) == 2
    assert "has no chart in a figure 4 (captions with charts: 3)" in capsys.readouterr().err


def test_a_page_that_is_a_picture_is_read_at_its_own_resolution(tmp_path: Path, ocr_engine: None) -> None:
    from PIL import Image

    picture = io.BytesIO()
    chart(2, "Baseline").savefig(picture, format="png", dpi=130)
    image = Image.open(picture).convert("RGB")
    file = tmp_path / "scan.pdf"
    image.save(file, resolution=65.0)  # twice as large on the page as it was drawn
    assert digitize(file, "--out", tmp_path) == 0
    points = table(tmp_path / "scan.csv")["0", "Baseline"]
    assert np.abs(np.interp(points[:, 0], X, values(2)) - points[:, 1]).mean() < 0.1
    made = record(tmp_path / "scan.json")
    assert made["source"]["kind"] == "pdf"
    assert made["panels"][0]["box"] == pytest.approx([108, 40, 684, 418], abs=3)


def test_text_drawn_as_outlines_is_read_by_its_shapes(tmp_path: Path, ocr_engine: None) -> None:
    outlined = save(chart(2, "Baseline"), "svg", **{"svg.fonttype": "path"})
    silent = re.sub(rb"<!--.*?-->", b"", outlined, flags=re.DOTALL)
    assert b"<text" not in silent
    file = tmp_path / "fig.svg"
    file.write_bytes(silent)
    assert digitize(file, "--out", tmp_path) == 0
    points = table(tmp_path / "fig.csv")["0", "Baseline"]
    assert np.abs(points[:, 1] - values(2)).max() < 1e-3


def test_folders_hold_vector_figures_too(tmp_path: Path) -> None:
    folder = tmp_path / "figures"
    folder.mkdir()
    (folder / "a.pdf").write_bytes(save(chart(1, "one"), "pdf"))
    (folder / "b.svg").write_bytes(save(chart(2, "two"), "svg"))
    assert digitize(folder, "--out", tmp_path / "out") == 0
    assert sorted(p.name for p in (tmp_path / "out").glob("*.csv")) == ["a.csv", "b.csv"]


BAD = {
    "encrypted.pdf": (pdf_files.encrypted(), "encrypted.pdf is encrypted; remove its password first"),
    "cut.pdf": (save(chart(1, "one"), "pdf")[:2000], "cut.pdf is damaged or no PDF"),
    "bomb.svg": (
        b'<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><svg xmlns="http://www.w3.org/2000/svg">'
        b"<text>&b;</text></svg>",
        "bomb.svg",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_hostile_files_end_with_one_line_and_two(name: str, tmp_path: Path, capsys: Any) -> None:
    data, expected = BAD[name]
    (tmp_path / name).write_bytes(data)
    assert digitize(tmp_path / name, "--out", tmp_path / "out") == 2
    said = capsys.readouterr().err
    assert expected in said
    assert len(said.strip().splitlines()) == 1
    assert not (tmp_path / "out").exists()


def test_a_paper_without_charts_needs_a_person(tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "text.pdf"
    file.write_bytes(pdf_files.one_page("0 0 m 9 9 l S"))
    assert digitize(file, "--out", tmp_path) == 3
    assert "no panel with readable axes was found" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["datablations_validation_c4_pdf@0y", "spinningup_bench_halfcheetah_svg"])
def test_real_figures(name: str, real_figures: Path, tmp_path: Path) -> None:
    figure = next((real_figures / name).glob("figure.*"))
    assert digitize(figure, "--out", tmp_path) == 0
    case = record(real_figures / name / "case.json")
    names = {series for panel, series in table(tmp_path / "figure.csv") if panel == "0"}
    assert set(case["series"]) <= names
    truth = table_of_truth(real_figures / name / "truth.csv")
    got = table(tmp_path / "figure.csv")
    span = np.ptp(case["ylim"])
    for series, points in truth.items():
        curve = got["0", series]
        inside = (points[:, 0] >= curve[0, 0]) & (points[:, 0] <= curve[-1, 0])
        expected = np.clip(points[inside, 1], *case["ylim"])
        error = np.abs(np.interp(points[inside, 0], curve[:, 0], curve[:, 1]) - expected) / span
        assert np.median(error) < 1e-3


def table_of_truth(path: Path) -> dict[str, np.ndarray]:
    """Return the points of each series of a truth table."""
    found: dict[str, list[tuple[float, float]]] = {}
    with path.open() as file:
        for row in csv.DictReader(file):
            found.setdefault(row["series"], []).append((float(row["x"]), float(row["y"])))
    return {k: np.array(sorted(v)) for k, v in found.items()}
