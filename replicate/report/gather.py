"""Reading what a report is built from: sheet, digitized curves, rerun; what is not there is left out."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from replicate.curves import CurveSet, read_curves
from replicate.errors import InputError
from replicate.files import sha256
from replicate.report.material import FileHash

IMAGES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".svg", ".pdf")


@dataclass(frozen=True, eq=False)
class Rerun:
    """What a rerun left.

    Attributes:
        curves: Its curves, or None where nothing was run or what was run is not wanted yet.
        record: Its record, or None likewise.
        unfinished: Whether some of its runs are still to come.
        paths: The files read, each with its role.
    """

    curves: CurveSet | None
    record: dict[str, Any] | None
    unfinished: bool
    paths: tuple[tuple[str, Path], ...]


def sheet_paths(names: tuple[str, ...], folder: Path) -> list[Path]:
    """Return the sheets of the named figures, or of all figures, by name.

    Raises:
        InputError: A named sheet, or every sheet, is missing.
    """
    there = sorted(folder.glob("*.yaml"))
    if not names:
        if not there:
            raise InputError(f"no figure sheet in {folder}", "name the folder that holds them with --figures")
        return there
    known = {p.stem: p for p in there}
    missing = [n for n in names if n not in known]
    if missing:
        remedy = f"there are: {', '.join(known)}" if known else "name the folder with --figures"
        raise InputError(f"no sheet {folder / missing[0]}.yaml", remedy)
    return [known[n] for n in dict.fromkeys(names)]


def find_image(sheet: Path) -> Path:
    """Return the picture beside a sheet; where there is none, where it should be."""
    return next((p for p in map(sheet.with_suffix, IMAGES) if p.is_file()), sheet.with_suffix(".png"))


def read_json(path: Path) -> dict[str, Any] | None:
    """Return a JSON object, or None where there is no such file.

    Raises:
        InputError: The file holds no JSON object.
    """
    if not path.is_file():
        return None
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {path}: {error}", "write it anew with replicate") from error
    if not isinstance(value, dict):
        raise InputError(f"{path} holds no JSON object", "write it anew with replicate")
    return value


def read_published(folder: Path, name: str) -> CurveSet | None:
    """Return a figure's digitized curves, or None where it has not been digitized."""
    path = folder / f"{name}.csv"
    return read_curves(path) if path.is_file() else None


def read_rerun(folder: Path, experiment: str, *, partial: bool) -> Rerun:
    """Return what a rerun left; nothing where nothing was run.

    Args:
        folder: The folder of all runs.
        experiment: The experiment's name; empty for none.
        partial: Take what there is of a rerun that has not finished.
    """
    home = folder / experiment
    curves, record = home / "curves.csv", home / "record.json"
    if not experiment or not curves.is_file():
        return Rerun(None, None, False, ())
    content = read_json(record) or {}
    unfinished = not content.get("complete", bool(content))
    if unfinished and not partial:
        return Rerun(None, None, True, ())
    paths = (("rerun curves", curves), ("rerun record", record))
    return Rerun(read_curves(curves), content or None, unfinished, tuple(p for p in paths if p[1].is_file()))


def hashed(role: str, path: Path) -> FileHash:
    """Return a file's role, path, size and hash."""
    return FileHash(role, path.as_posix(), path.stat().st_size, sha256(path))
