"""A saved record calibrates figures of one layout, and is refused for others."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from drawing import Drawing

from replicate.cli import run
from replicate.curves import read_curves

pytestmark = pytest.mark.usefixtures("ocr_engine")


@pytest.fixture(scope="module")
def chart(draw: Callable[..., Drawing], decay: Any) -> Drawing:
    """The figure that is calibrated once."""
    return draw({"Baseline": decay(9, 2, 4, 5000), "Ours": decay(8, 1.5, 6, 5000)})


@pytest.fixture(scope="module")
def record(chart: Drawing, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its record."""
    folder = tmp_path_factory.mktemp("calibrated")
    (folder / "first.png").write_bytes(chart.png)
    assert run(["digitize", str(folder / "first.png"), "--out", str(folder)]) == 0
    return folder / "first.json"


def without_numbers(chart: Drawing) -> np.ndarray:
    """Return the figure without its tick labels, which alone calibrate it."""
    image = chart.image.copy()
    image[:, : int(chart.x.ends[0]) - 8] = 255
    image[int(chart.y.ends[0]) + 9 :] = 255
    return image


def written(folder: Path, name: str, image: np.ndarray) -> Path:
    """Write a picture."""
    path = folder / name
    cv2.imwrite(str(path), image[..., ::-1])
    return path


@pytest.mark.parametrize("zoom", [1, 2])
def test_a_figure_without_numbers_is_read_by_anothers_axes(
    chart: Drawing, record: Path, tmp_path: Path, zoom: int
) -> None:
    image = without_numbers(chart).repeat(zoom, axis=0).repeat(zoom, axis=1)
    figure = written(tmp_path, "second.png", image)
    assert run(["digitize", str(figure), "--out", str(tmp_path / "alone")]) == 3
    run(["digitize", str(figure), "--out", str(tmp_path), "--calibration", str(record)])
    curves = read_curves(tmp_path / "second.csv")
    assert np.median(chart.errors(curves["Ours"], "Ours")) < 1e-3
    said = json.loads((tmp_path / "second.json").read_text())
    assert said["tool"]["command"][-2:] == ["--calibration", str(record)]
    assert said["panels"][0]["x_axis"]["source"] == "person"


def test_ticks_given_by_hand_win_over_a_record(chart: Drawing, record: Path, tmp_path: Path) -> None:
    figure = written(tmp_path, "second.png", chart.image)
    (a, b), (left, right) = chart.x.limits, chart.x.ends
    ticks = f"{left}={2 * a},{right}={2 * b}"
    run(["digitize", str(figure), "--out", str(tmp_path), "--calibration", str(record), "--x-ticks", ticks])
    curve = read_curves(tmp_path / "second.csv")["Ours"]
    assert curve.x[-1] == pytest.approx(2 * 5000, rel=0.003)
    assert curve.y[0] == pytest.approx(8, abs=0.1)


def refused(figure: Path, record: Path, capsys: Any) -> str:
    """Return the one line with which a figure is refused."""
    out = figure.parent / "out"
    assert run(["digitize", str(figure), "--out", str(out), "--calibration", str(record)]) == 2
    assert not out.exists()
    (line,) = capsys.readouterr().err.splitlines()
    return str(line)


def test_other_proportions_are_refused(chart: Drawing, record: Path, tmp_path: Path, capsys: Any) -> None:
    figure = written(
        tmp_path, "wide.png", np.pad(chart.image, ((0, 0), (0, 40), (0, 0)), constant_values=255)
    )
    assert "wide.png is 520 x 360, not in proportion to 480 x 360" in refused(figure, record, capsys)


def test_a_panel_that_stands_elsewhere_is_refused(
    chart: Drawing, record: Path, tmp_path: Path, capsys: Any
) -> None:
    figure = written(tmp_path, "moved.png", np.roll(chart.image, 6, axis=0))
    assert "panel 0 of moved.png stands where" in refused(figure, record, capsys)


def test_another_number_of_panels_is_refused(
    chart: Drawing, record: Path, tmp_path: Path, capsys: Any
) -> None:
    half = cv2.resize(chart.image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    page = np.full_like(chart.image, 255)
    page[90:270, :240], page[90:270, 240:] = half, half
    figure = written(tmp_path, "two.png", page.repeat(2, axis=0).repeat(2, axis=1))
    assert "two.png has 2 panels, but" in refused(figure, record, capsys)


def test_a_drawing_needs_no_saved_calibration(record: Path, tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "a.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>')
    assert "a.svg is a drawing" in refused(tmp_path / "a.svg", record, capsys)


def test_what_is_no_record_is_refused_before_anything_is_read(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "notes.json").write_text('{"schema": "other"}')
    assert run(["digitize", str(tmp_path), "--calibration", str(tmp_path / "notes.json")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "notes.json is no digitization record" in line
