"""The files of a digitization, byte for byte: other programs read them."""

from __future__ import annotations

from pathlib import Path

import pytest
from digitization_sample import sample

from replicate._version import __version__

GOLDEN = Path(__file__).parent / "digitize"


@pytest.mark.parametrize("name", ["fig.csv", "fig.json"])
def test_the_files_are_as_they_were(tmp_path: Path, name: str) -> None:
    sample().write(tmp_path)
    actual = (tmp_path / name).read_text(encoding="utf-8").replace(f'"{__version__}"', '"VERSION"')
    assert actual == (GOLDEN / name).read_text(encoding="utf-8")
