"""Files are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from replicate.errors import OutputError
from replicate.files import sha256, write_atomic, write_json


def test_text_and_bytes_are_written_as_they_are(tmp_path: Path) -> None:
    assert write_atomic(tmp_path / "a.txt", "é\r\n").read_bytes() == b"\xc3\xa9\r\n"
    assert write_atomic(tmp_path / "b.bin", b"\x00\xff").read_bytes() == b"\x00\xff"


def test_folders_are_made(tmp_path: Path) -> None:
    path = tmp_path / "new" / "deeper" / "a.txt"
    assert write_atomic(path, "x") == path
    assert path.read_text() == "x"


def test_an_existing_file_is_replaced_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    path = write_atomic(tmp_path / "a.txt", "old and long")
    write_atomic(path, "new")
    assert path.read_text() == "new"
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]


def test_others_may_read_the_file(tmp_path: Path) -> None:
    assert write_atomic(tmp_path / "a.txt", "x").stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize("place", ["file/a.txt", "file/deeper/a.txt"])
def test_a_folder_that_cannot_be_made_is_said_in_one_line(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(OutputError, match=r"cannot write .*a\.txt: .*; choose another folder with --out"):
        write_atomic(tmp_path / place, "x")


def test_a_failed_write_keeps_the_old_file_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_atomic(tmp_path / "a.txt", "old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match="No space left on device"):
        write_atomic(path, "new")
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]


def test_json_keeps_every_digit_and_every_letter(tmp_path: Path) -> None:
    path = write_json(tmp_path / "a.json", {"x": 0.1 + 0.2, "name": "Größe"})
    assert path.read_text() == '{\n  "x": 0.30000000000000004,\n  "name": "Größe"\n}\n'


def test_json_holds_no_nan(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="JSON"):
        write_json(tmp_path / "a.json", {"x": float("nan")})
    assert list(tmp_path.iterdir()) == []


def test_the_hash_of_a_file(tmp_path: Path) -> None:
    path = write_atomic(tmp_path / "a", b"abc")
    assert sha256(path) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
