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
    lines = out.splitlines()
    assert lines[0] == "loss"
    assert "  root mean square difference                 1" in lines
    assert "    share of the range of y           33.3333 %" in lines
    assert "comparing 1 pairs" in err


def test_one_document_for_machines(tables: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", *tables, "--json", "--quiet", "--align", "share"]) == 0
    out, err = capsys.readouterr()
    document = json.loads(out)
    assert err == ""
    assert document["schema"] == "replicate.comparison/1"
    (pair,) = document["pairs"]
    assert (pair["alignment"], pair["rmse"], pair["end"], pair["intervals"]) == ("share", 1.0, 1.0, {})


def test_bounds_are_shown_as_intervals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a = Curve.from_points("loss", [0, 10], [4, 2], [3.9, 1.9], [4.1, 2.1])
    b = Curve.from_points("loss", [0, 10], [5, 3])
    paths = [str(write_curves(tmp_path / f"{n}.csv", [c])) for n, c in (("a", a), ("b", b))]
    assert run(["compare", *paths, "--quiet"]) == 0
    first = capsys.readouterr().out
    row = next(line for line in first.splitlines() if "mean difference" in line)
    low, high = row.split("[")[1].rstrip("]").split(", ")
    assert -1.1 <= float(low) < -1 < float(high) <= -0.9
    assert run(["compare", *paths, "--quiet"]) == 0
    assert capsys.readouterr().out == first
    assert run(["compare", *paths, "--quiet", "--seed", "1"]) == 0
    assert capsys.readouterr().out != first


def test_tokens_are_those_of_the_record_or_of_a_person(
    tables: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["compare", *tables, "--align", "tokens"]) == 2
    assert "no record.json beside" in capsys.readouterr().err
    record = Path(tables[0]).with_name("record.json")
    record.write_text('{"facts": {"tokens_per_step": 512}}', encoding="utf-8")
    assert run(["compare", *tables, "--align", "tokens", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pairs"][0]["end"] == 5120
    assert run(["compare", *tables, "--align", "tokens", "--tokens", "2,1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pairs"][0]["end"] == 10


def test_bad_usage_is_one_line(tables: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", tables[0], tables[0] + ".absent"]) == 2
    assert run(["compare", *tables, "--match", "loss"]) == 2
    assert run(["compare", *tables, "--align", "time"]) == 2
    for tokens in ("1", "a,b", "1,2,3", "0,1"):
        assert run(["compare", *tables, "--align", "tokens", "--tokens", tokens]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 7
