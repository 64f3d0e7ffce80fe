"""The record of a digitization has the documented layout, and its files are written whole."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from digitization_sample import sample

from replicate.curves import read_curves
from replicate.errors import OutputError

# The documented layout: a type for each key, in the documented order; keys may follow, none may be missing.
TICK = {"pixel": float, "text": str, "value": (float, type(None)), "used": bool}
AXIS = {"scale": str, "label": (str, type(None)), "limits": list, "ticks": [TICK], "residual_px": float}
SERIES = {
    "name": str,
    "name_from": str,
    "color": str,
    "axis": str,
    "style": str,
    "points": int,
    "observed_share": float,
    "confidence": float,
}
PANEL = {
    "box": list,
    "x_axis": AXIS,
    "y_axis": AXIS,
    "y2_axis": AXIS,
    "title": (str, type(None)),
    "confidence": float,
    "series": [SERIES],
}
RECORD = {
    "schema": str,
    "source": {
        "file": str,
        "sha256": str,
        "width": int,
        "height": int,
        "kind": str,
        "page": (int, type(None)),
    },
    "tool": {"version": str, "command": list},
    "confidence": float,
    "panels": [PANEL],
    "warnings": [{"code": str, "message": str, "where": (list, type(None))}],
}


def check(value: Any, layout: Any) -> None:
    """Hold a value against a layout."""
    if isinstance(layout, dict):
        assert list(value)[: len(layout)] == list(layout)
        for key, inner in layout.items():
            check(value[key], inner)
    elif isinstance(layout, list):
        for item in value:
            check(item, layout[0])
    else:
        assert isinstance(value, layout)


def test_the_record_has_the_documented_layout() -> None:
    record = json.loads(json.dumps(sample().to_json(), allow_nan=False))
    assert record["schema"] == "replicate.digitization/1"
    check(record, RECORD)


def test_limits_run_from_left_to_right_and_from_bottom_to_top() -> None:
    (panel,) = sample().to_json()["panels"]
    assert panel["x_axis"]["limits"] == pytest.approx([0, 2000])
    assert panel["y_axis"]["limits"] == pytest.approx([1, 100])
    assert panel["y2_axis"]["limits"] == pytest.approx([5, -5])  # they may descend


def test_an_axis_that_was_not_read_is_null() -> None:
    (panel,) = sample(readable=False).to_json()["panels"]
    assert panel["y_axis"] is None
    assert panel["y2_axis"] is None
    assert panel["x_axis"]["scale"] == "linear"
    assert panel["series"] == []


def test_a_label_without_a_number_has_a_null_value() -> None:
    (panel,) = sample().to_json()["panels"]
    assert panel["x_axis"]["ticks"][-1] == {"pixel": 140.0, "text": "?", "value": None, "used": False}


def test_a_limit_beyond_all_numbers_is_null() -> None:
    one = sample()
    endless = replace(one.panels[0], x_axis=replace(one.panels[0].x_axis, intercept=float("inf")))
    (panel,) = replace(one, panels=(endless,)).to_json()["panels"]
    assert panel["x_axis"]["limits"] == [None, None]


def test_the_confidence_is_the_least_of_the_panels() -> None:
    one = sample()
    two = replace(one, panels=(*one.panels, replace(one.panels[0], confidence=0.25)))
    assert (one.confidence, two.confidence) == (0.8125, 0.25)
    assert replace(one, panels=()).confidence == 0


def test_series_say_how_much_was_seen() -> None:
    (panel,) = sample().to_json()["panels"]
    assert [(s["points"], s["observed_share"]) for s in panel["series"]] == [(4, 1.0), (4, 0.75)]


def test_warnings_say_where() -> None:
    (warning,) = sample(readable=False).to_json()["warnings"]
    assert warning == {
        "code": "y-axis-unread",
        "message": "the y axis could not be read",
        "where": [40.0, 20.0, 240.0, 120.0],
    }


def test_curves_by_name() -> None:
    curves = sample().curves
    assert list(curves) == ["Baseline", "Ours"]
    assert curves["Baseline"].y_at(500).value == 6
    assert sample().to_frame()["series"].tolist() == ["Baseline"] * 4 + ["Ours"] * 4


def test_three_files_are_written(tmp_path: Path) -> None:
    paths = sample().write(tmp_path / "new")
    assert [p.name for p in paths] == ["fig.csv", "fig.json", "fig.overlay.png"]
    assert sorted(p.name for p in (tmp_path / "new").iterdir()) == ["fig.csv", "fig.json", "fig.overlay.png"]
    assert list(read_curves(paths[0])) == ["Baseline", "Ours"]
    assert json.loads(paths[1].read_text()) == json.loads(json.dumps(sample().to_json()))


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(OutputError, match="cannot write"):
        sample().write(tmp_path / "file" / "out")
