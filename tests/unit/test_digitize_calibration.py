"""A saved record's axes come back as they were, scale with the picture, and are refused where they do not fit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from replicate.digitizer.calibration import Calibration, SavedPanel, load_calibration
from replicate.digitizer.model import AxisFit, Box, FittedTick
from replicate.digitizer.record import axis_to_json
from replicate.errors import InputError

BOX = Box(50.0, 20.5, 450.0, 320.5)
X = AxisFit("linear", -50.0, 1.0, (FittedTick(100.0, "50", 50.0, True),), 0.1, label="step")
Y = AxisFit("log", 3.0, -0.01, (FittedTick(300.0, "1", 1.0, True),), 0.2)
DATES = AxisFit("date", 2020.0, 0.01, (), 0.1)


def record(**changes: Any) -> dict[str, Any]:
    """Return the parts of a record that a calibration rests on."""
    panel = {
        "box": list(BOX),
        "x_axis": axis_to_json(X, (BOX.x0, BOX.x1)),
        "y_axis": axis_to_json(Y, (BOX.y1, BOX.y0)),
        "y2_axis": None,
    }
    source = {"kind": "raster", "width": 500, "height": 360}
    return {"schema": "replicate.digitization/1", "source": source, "panels": [panel]} | changes


def saved(folder: Path, content: Any) -> Path:
    """Write a record."""
    path = folder / "record.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def only(calibration: Calibration) -> SavedPanel:
    """Return a calibration's only panel."""
    (panel,) = calibration.panels
    return panel


def test_axes_come_back_as_they_were(tmp_path: Path) -> None:
    calibration = load_calibration(saved(tmp_path, record()))
    panel = only(calibration)
    assert calibration.size == (500, 360)
    assert panel.box == BOX
    assert panel.x is not None
    assert panel.y is not None
    assert panel.y2 is None
    pixels = np.array([0.0, 123.4, 499.0])
    assert panel.x.to_value(pixels) == pytest.approx(X.to_value(pixels), rel=1e-12)
    assert panel.y.to_value(pixels) == pytest.approx(Y.to_value(pixels), rel=1e-12)
    assert (panel.x.ticks, panel.x.label, panel.x.residual_px) == (X.ticks, "step", 0.1)
    assert (panel.y.scale, panel.y.source, panel.y.doubt) == ("log", "person", 0.0)


def test_dates_come_back_as_dates(tmp_path: Path) -> None:
    panel = record()["panels"][0] | {"x_axis": axis_to_json(DATES, (BOX.x0, BOX.x1))}
    axis = only(load_calibration(saved(tmp_path, record(panels=[panel])))).x
    assert axis is not None
    assert axis.scale == "date"
    assert axis.to_value(150.0) == pytest.approx(2021.5, rel=1e-12)


@pytest.mark.parametrize("factor", [0.5, 2, 3.7])
def test_a_larger_picture_has_the_same_values_at_the_same_places(tmp_path: Path, factor: float) -> None:
    calibration = load_calibration(saved(tmp_path, record()))
    scaled = only(calibration.for_picture("b.png", round(500 * factor), round(360 * factor)))
    pixel = 123.0
    there = (pixel + 0.5) * factor - 0.5  # the middle of the pixels that the pixel became
    assert scaled.x is not None
    assert scaled.y is not None
    assert float(scaled.x.to_value(there)) == pytest.approx(float(X.to_value(pixel)), rel=1e-9)
    assert float(scaled.y.to_value(there)) == pytest.approx(float(Y.to_value(pixel)), rel=1e-9)
    assert scaled.x.ticks[0].pixel == pytest.approx(100.5 * factor - 0.5)
    assert scaled.box.y1 == pytest.approx(321 * factor - 0.5)
    assert scaled.y.residual_px == pytest.approx(0.2 * factor)


def test_other_proportions_are_refused(tmp_path: Path) -> None:
    calibration = load_calibration(saved(tmp_path, record()))
    with pytest.raises(
        InputError, match=r"b\.png is 500 x 400, not in proportion to 500 x 360 of .*record\.json"
    ):
        calibration.for_picture("b.png", 500, 400)


def test_a_panel_is_found_where_it_stands_and_nowhere_else(tmp_path: Path) -> None:
    calibration = load_calibration(saved(tmp_path, record()))
    assert calibration.panel_at(Box(51, 21, 449, 321)) is only(calibration)
    assert calibration.panel_at(Box(53, 20.5, 450, 320.5)) is None


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "is no JSON"),
        ([], "is no digitization record"),
        (record(schema="replicate.digitization/2"), "is no digitization record"),
        (record(panels=[]), "calibrates no panel"),
        (record(panels=[{"box": [1, 2, 3]}]), "is a damaged record"),
        (record(source={"kind": "pdf", "width": 1, "height": 1}), "is the record of a drawing"),
        (record(source={"kind": "raster"}), "is a damaged record"),
        (record(panels=[record()["panels"][0] | {"x_axis": None, "y_axis": None}]), "calibrates no panel"),
        (
            record(
                panels=[record()["panels"][0] | {"x_axis": axis_to_json(X, (50, 450)) | {"limits": [1, 1]}}]
            ),  # type: ignore[operator]
            "is a damaged record",
        ),
    ],
)
def test_what_is_no_calibration_is_refused(tmp_path: Path, content: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        load_calibration(saved(tmp_path, content))


def test_a_missing_record_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        load_calibration(tmp_path / "absent.json")
