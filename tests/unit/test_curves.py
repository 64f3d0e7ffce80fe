"""Curves, sets of them, and the table they are written to."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from replicate.curves import Curve, CurveSet, Run, format_curves, read_curves, write_curves
from replicate.errors import InputError


def test_points_are_sorted_and_bounds_default_to_the_value() -> None:
    curve = Curve.from_points("a", [3, 1, 2], [30, 10, 20])
    assert curve.x.tolist() == [1, 2, 3]
    assert curve.y.tolist() == curve.y_lo.tolist() == curve.y_hi.tolist() == [10, 20, 30]
    assert curve.observed.tolist() == [True] * 3
    assert len(curve) == 3


def test_bounds_enclose_the_value_whatever_was_given() -> None:
    curve = Curve.from_points("a", [0, 1], [5, 5], y_lo=[6, 4], y_hi=[4, 7])
    assert curve.y_lo.tolist() == [5, 4]
    assert curve.y_hi.tolist() == [5, 7]


def test_lengths_must_agree() -> None:
    with pytest.raises(ValueError, match="'a'.*one length"):
        Curve.from_points("a", [0, 1], [5])
    with pytest.raises(ValueError, match="one length"):
        Curve.from_points("a", [[0, 1]], [[5, 6]])


def test_values_between_points_are_interpolated() -> None:
    curve = Curve.from_points("a", [0, 10], [0, 20], [-1, 18], [1, 22])
    assert curve.y_at(5) == (10, 8.5, 11.5)
    assert curve.y_at(10) == (20, 18, 22)


@pytest.mark.parametrize("x", [-0.1, 10.1, math.nan])
def test_there_is_no_value_outside_the_range(x: float) -> None:
    assert all(math.isnan(v) for v in Curve.from_points("a", [0, 10], [0, 20]).y_at(x))


def test_an_empty_curve_has_no_value() -> None:
    assert math.isnan(Curve.from_points("a", [], []).y_at(0).value)


def test_the_edges_of_a_band_are_bounds() -> None:
    names = {"loss": False, "loss (lower)": True, "loss (upper)": True, "lower": False}
    assert {n: Curve.from_points(n, [0], [0]).is_bound for n in names} == names


def small(name: str, panel: int = 0, run: Run | None = None) -> Curve:
    """Return a curve of two points."""
    return Curve.from_points(name, [0, 1], [2, 3], panel=panel, run=run)


def test_a_set_is_a_mapping() -> None:
    curves = CurveSet((small("a"), small("b")))
    assert list(curves) == ["a", "b"]
    assert len(curves) == 2
    assert curves["b"].name == "b"
    assert "c" not in curves


def test_an_unknown_name_lists_those_there_are() -> None:
    with pytest.raises(KeyError, match="no curve 'c'; there are: a, b"):
        CurveSet((small("a"), small("b")))["c"]


def test_equal_names_are_told_apart_by_panel_and_run() -> None:
    curves = CurveSet((small("a"), small("a", 1), small("b")))
    assert list(curves) == ["a [panel 0]", "a [panel 1]", "b"]
    with pytest.raises(KeyError):
        curves["a"]
    runs = CurveSet((small("a", run=Run("new", 0, "val")), small("a", run=Run("new", 1, "val"))))
    assert list(runs) == ["a [panel 0, new, seed 0, val]", "a [panel 0, new, seed 1, val]"]


def test_selection() -> None:
    curves = CurveSet(
        (
            small("a"),
            small("a", 1),
            small("b", run=Run("new", 0, "val")),
            small("b", run=Run("old", 1, "val")),
        )
    )
    assert len(curves.select(panel=0)) == 3
    assert len(curves.select(series="a", panel=1)) == 1
    assert [c.run.seed for c in curves.select(arm="old").curves if c.run] == [1]
    assert len(curves.select(split="val", seed=0)) == 1
    assert len(curves.select(arm="none")) == 0


def test_the_table_keeps_every_digit_and_is_sorted() -> None:
    two = Curve.from_points("b", [0.1 + 0.2], [1e-7], [0], [1], [False])
    one = Curve.from_points("a, with comma", [2, 1], [4, 3], panel=0)
    assert format_curves([two, one]) == (
        "panel,series,x,y,y_lo,y_hi,observed\n"
        '0,"a, with comma",1.0,3.0,3.0,3.0,1\n'
        '0,"a, with comma",2.0,4.0,4.0,4.0,1\n'
        "0,b,0.30000000000000004,1e-07,0.0,1.0,0\n"
    )


def test_runs_add_their_columns_at_the_end() -> None:
    text = format_curves([small("a", run=Run("new", 3, "val"))])
    assert text.splitlines()[:2] == [
        "panel,series,x,y,y_lo,y_hi,observed,arm,seed,split",
        "0,a,0.0,2.0,2.0,2.0,1,new,3,val",
    ]


def test_what_is_written_is_read_back_exactly(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    y = rng.normal(size=50)
    curve = Curve.from_points(
        "ε, γ", rng.normal(size=50), y, y - 1e-9, y + 0.1, rng.random(50) > 0.5, panel=2
    )
    run = small("arm", run=Run("new", 7, "train"))
    again = read_curves(write_curves(tmp_path / "a.csv", [curve, run])).curves
    by_name = {c.name: c for c in again}
    for field in ("x", "y", "y_lo", "y_hi", "observed"):
        assert getattr(by_name["ε, γ"], field).tolist() == getattr(curve, field).tolist()
    assert by_name["ε, γ"].panel == 2
    assert by_name["arm"].run == Run("new", 7, "train")


def test_bounds_may_be_absent(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("series,x,y\na,1,2\na,2,3\n")
    curve = read_curves(tmp_path / "a.csv")["a"]
    assert curve.y_lo.tolist() == [2, 3]
    assert curve.observed.all()
    assert curve.panel == 0


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is not a curve table: no column series, x, y"),
        ("series,x\na,1\n", "no column y"),
        ("series,x,y\na,1,2\na,one,3\n", "line 3"),
        ("series,x,y\na,1\n", "line 2"),
    ],
)
def test_what_is_no_curve_table_is_refused(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "a.csv").write_text(content)
    with pytest.raises(InputError, match=said):
        read_curves(tmp_path / "a.csv")


def test_a_missing_or_binary_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        read_curves(tmp_path / "none.csv")
    (tmp_path / "b.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="cannot read"):
        read_curves(tmp_path / "b.csv")


def test_a_data_frame_has_the_columns_of_the_table() -> None:
    frame = CurveSet((small("a"),)).to_frame()
    assert list(frame.columns) == ["panel", "series", "x", "y", "y_lo", "y_hi", "observed"]
    assert frame["y"].tolist() == [2, 3]
