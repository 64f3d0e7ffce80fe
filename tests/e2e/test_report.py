"""The report of a committed figure, from its files to the pages and what lies beside them."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from replicate.curves import Curve, Run, write_curves
from replicate.files import write_json
from replicate.sheets import load_sheet

ROOT = Path(__file__).parents[2]
SHEET = load_sheet(ROOT / "figures" / "fig1.yaml")
ARMS = {name: (arm.series, 9.0 + 6 * i) for i, (name, arm) in enumerate(SHEET.arms.items())}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a figure, its sheet, its curves as digitized, and a made-up rerun."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "figures").mkdir()
    for name in ("fig1.png", "fig1.yaml"):
        shutil.copy(ROOT / "figures" / name, folder / "figures" / name)
    (folder / "reference_curves").mkdir()
    shutil.copy(ROOT / "figures" / "fig1.source.csv", folder / "reference_curves" / "fig1.csv")
    write_json(folder / "reference_curves" / "fig1.json", digitization())
    x = np.arange(0, 81, 4.0)
    curves = [
        Curve.from_points(series, x, 3000 * np.exp(-x / tau) + 40 + seed, run=Run(arm, seed, "validation"))
        for arm, (series, tau) in ARMS.items()
        for seed in range(3)
    ]
    write_curves(folder / "runs" / "svd_init" / "curves.csv", curves)
    write_json(folder / "runs" / "svd_init" / "record.json", record())
    return folder


def axis(scale: str, label: str, values: list[float], pixels: list[float], limits: list[float]) -> dict:
    """Return an axis of the digitization record."""
    ticks = [
        {"pixel": p, "text": f"{v:g}", "value": v, "used": True} for v, p in zip(values, pixels, strict=True)
    ]
    return {"scale": scale, "label": label, "limits": limits, "ticks": ticks, "residual_px": 0.1}


def digitization() -> dict:
    """Return the record of a digitized fig1."""
    names = [
        {
            "name": series,
            "name_from": "legend",
            "color": colour,
            "axis": "y",
            "style": "solid",
            "points": 701,
            "observed_share": 1.0,
            "confidence": 0.95,
        }
        for (series, _), colour in zip(ARMS.values(), ("#1f77b4", "#ff7f0e", "#2ca02c"), strict=True)
    ]
    panel = {
        "box": [80, 20, 690, 420],
        "x_axis": axis("linear", "Steps", [0, 17500], [106.5, 669.5], [-820, 18130]),
        "y_axis": axis("log", "Loss", [10000, 10], [39.5, 399.5], [6.5, 15000]),
        "y2_axis": None,
        "title": None,
        "confidence": 0.95,
        "series": names,
    }
    return {
        "schema": "replicate.digitization/1",
        "source": {
            "file": "fig1.png",
            "sha256": "0" * 64,
            "width": 700,
            "height": 450,
            "kind": "raster",
            "page": None,
        },
        "tool": {"version": "0", "command": ["replicate", "digitize", "figures/fig1.png"]},
        "confidence": 0.95,
        "panels": [panel],
        "warnings": [],
    }


def record() -> dict:
    """Return the record of the made-up rerun."""
    return {
        "schema": "replicate.rerun/1",
        "experiment": "svd_init",
        "figure": "fig1",
        "scale": "smoke",
        "x": "step",
        "y": "loss",
        "arms": [
            {"arm": arm, "series": series, "role": "published", "diverged": False}
            for arm, (series, _) in ARMS.items()
        ],
        "seeds": [0, 1, 2],
        "rates": [8e-5],
        "differences": [{"what": "Teacher", "published": "1B", "ours": "tiny", "why": "Seconds."}],
        "facts": {},
        "configuration": {"lr": 8e-5},
        "environment": {"device": "cpu", "threads": 1},
        "data": {"name": "made up", "sha256": "0" * 64, "tokens": 1000},
        "wall_seconds": 2.0,
        "started": "2026-01-02T03:04:05+00:00",
        "tool": {"version": "0", "command": ["replicate", "rerun", "--experiment", "svd_init"]},
    }


def report(project: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the command in the project."""
    command = [sys.executable, "-m", "replicate", "report", *words]
    # without git, so that a commit made meanwhile does not change the provenance
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "GIT_DIR": str(project / "none")}
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False, env=environment)


@pytest.fixture(scope="module")
def page(project: Path) -> Path:
    """Return the written page."""
    done = report(project)
    assert done.returncode in (0, 3), done.stderr
    assert done.stdout.splitlines() == ["reports/fig1.html"]
    return project / "reports" / "fig1.html"


def test_everything_is_written_and_hashed(page: Path) -> None:
    folder = page.parent
    assert sorted(p.name for p in folder.iterdir()) == [
        "fig1.curves.csv",
        "fig1.html",
        "fig1.json",
        "index.html",
        "ro-crate-metadata.json",
    ]
    document = json.loads((folder / "fig1.json").read_text())
    for file in (*document["inputs"], *document["outputs"]):
        assert hashlib.sha256((page.parents[1] / file["path"]).read_bytes()).hexdigest() == file["sha256"]
    assert {f["role"] for f in document["inputs"]} == {
        "sheet",
        "figure",
        "curves",
        "digitization record",
        "rerun curves",
        "rerun record",
    }
    assert all(set(c["verdicts"]) == {"text", "figure", "rerun"} for c in document["claims"])
    [order] = [c for c in document["claims"] if c["id"] == "order"]
    assert "not run" not in (order["verdicts"]["figure"], order["verdicts"]["rerun"])


def test_the_same_inputs_give_the_same_files(project: Path, page: Path) -> None:
    before = {p.name: p.read_bytes() for p in page.parent.iterdir()}
    report(project)
    assert {p.name: p.read_bytes() for p in page.parent.iterdir()} == before


def test_a_lone_figure_is_reported_with_everything_not_run(project: Path, tmp_path: Path) -> None:
    done = report(project, "fig1", "--curves", "none", "--runs", "none", "--out", str(tmp_path), "--json")
    assert done.returncode in (0, 3), done.stderr
    [document] = json.loads(done.stdout)["reports"]
    assert {c["verdicts"]["figure"] for c in document["claims"]} == {"not run"}
    assert {c["verdicts"]["rerun"] for c in document["claims"]} == {"not run"}
    assert "has not been rerun" in (tmp_path / "fig1.html").read_text()


def test_markdown_goes_to_stdout(project: Path, tmp_path: Path) -> None:
    done = report(project, "--format", "md", "--out", str(tmp_path), "--quiet")
    assert done.stdout.startswith("### Audit: ")
    assert done.stderr == ""


def test_an_unknown_figure_is_one_line(project: Path, tmp_path: Path) -> None:
    done = report(project, "fig9", "--out", str(tmp_path / "out"))
    assert done.returncode == 2
    assert done.stderr == "replicate: no sheet figures/fig9.yaml; there are: fig1\n"
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_written_is_exit_5(project: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = report(project, "--out", str(tmp_path / "file" / "reports"))
    assert done.returncode == 5
    assert len(done.stderr.splitlines()) == 1
