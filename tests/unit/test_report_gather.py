"""What a report is read from, and what happens where something is missing or broken."""

from __future__ import annotations

from pathlib import Path

import pytest
from report_sample import rerun, run_record

from replicate.curves import write_curves
from replicate.errors import InputError
from replicate.files import write_json
from replicate.report import gather
from replicate.report.tool import current_tool


def test_sheets_are_found_by_name(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / f"{name}.yaml").write_text("")
    assert [p.stem for p in gather.sheet_paths((), tmp_path)] == ["a", "b"]
    assert [p.stem for p in gather.sheet_paths(("b", "b"), tmp_path)] == ["b"]
    with pytest.raises(InputError, match=r"no sheet .*c\.yaml; there are: a, b"):
        gather.sheet_paths(("a", "c"), tmp_path)


def test_no_sheet_at_all(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no figure sheet in"):
        gather.sheet_paths((), tmp_path)


def test_the_picture_beside_a_sheet(tmp_path: Path) -> None:
    sheet = tmp_path / "a.yaml"
    assert gather.find_image(sheet) == tmp_path / "a.png"
    (tmp_path / "a.jpg").write_bytes(b"")
    assert gather.find_image(sheet) == tmp_path / "a.jpg"


def test_a_finished_rerun(tmp_path: Path) -> None:
    write_curves(tmp_path / "made_up" / "curves.csv", rerun())
    write_json(tmp_path / "made_up" / "record.json", run_record())
    found = gather.read_rerun(tmp_path, "made_up", partial=False)
    assert found.curves is not None
    assert len(found.curves) == 12
    assert found.record == run_record()
    assert not found.unfinished
    assert [role for role, _ in found.paths] == ["rerun curves", "rerun record"]


def test_an_unfinished_rerun_counts_only_when_asked_for(tmp_path: Path) -> None:
    write_curves(tmp_path / "made_up" / "curves.csv", rerun(seeds=1))
    write_json(tmp_path / "made_up" / "record.json", {**run_record(), "complete": False})
    found = gather.read_rerun(tmp_path, "made_up", partial=False)
    assert (found.curves, found.record, found.unfinished) == (None, None, True)
    found = gather.read_rerun(tmp_path, "made_up", partial=True)
    assert found.curves is not None
    assert found.unfinished


def test_curves_without_a_record_are_unfinished(tmp_path: Path) -> None:
    write_curves(tmp_path / "made_up" / "curves.csv", rerun())
    assert gather.read_rerun(tmp_path, "made_up", partial=False).unfinished


def test_nothing_was_rerun(tmp_path: Path) -> None:
    for experiment in ("made_up", ""):
        found = gather.read_rerun(tmp_path, experiment, partial=True)
        assert (found.curves, found.unfinished, found.paths) == (None, False, ())


@pytest.mark.parametrize("content", ["{", "[1]", "\xff"])
def test_a_broken_record_is_named(tmp_path: Path, content: str) -> None:
    path = tmp_path / "record.json"
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(InputError, match=r"record\.json"):
        gather.read_json(path)


def test_the_tool_names_its_commit_or_nothing() -> None:
    tool = current_tool(("replicate", "report"))
    assert tool.command == ("replicate", "report")
    assert (len(tool.commit), len(tool.committed)) in {(40, 10), (0, 0)}
