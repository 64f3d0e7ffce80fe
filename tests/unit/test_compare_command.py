"""``replicate compare``: results on stdout, everything else on stderr."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from replicate.cli import run
from replicate.curves import Curve, write_curves


@pytest.fixture
def tables(tmp_path: Path) -> tuple[str, str]:
    a = Curve.from_points("loss", [0, 10], [4, 2])
    b = Curve.from_points("loss", [0, 10], [5, 3])
    paths = write_curves(tmp_path / "a.csv", [a]), write_curves(tmp_path / "b.csv", [b])
    return str(paths[0]), str(paths[1])


def test_a_table_for_people(tables: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", *tables]) == 0
    out, err = capsys.readouterr()
    assert "root mean square difference" in out
    assert "28.57" not in out and "33.3 % of the range of y" in out
    assert "comparing 1 pairs" in err


def test_one_document_for_machines(tables: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", *tables, "--json", "--quiet", "--align", "share"]) == 0
    out, err = capsys.readouterr()
    document = json.loads(out)
    assert err == ""
    assert document["schema"] == "replicate.comparison/1"
    (pair,) = document["pairs"]
    assert (pair["alignment"], pair["rmse"], pair["end"]) == ("share", 1.0, 1.0)


def test_bad_usage_is_one_line(tables: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", tables[0], tables[0] + ".absent"]) == 2
    assert run(["compare", *tables, "--match", "loss"]) == 2
    assert run(["compare", *tables, "--align", "tokens"]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 3
