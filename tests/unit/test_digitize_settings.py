"""What a person writes on the command line to help the digitizer."""

from __future__ import annotations

import pytest

from replicate.digitizer.settings import parse_series, parse_ticks
from replicate.errors import InputError


def test_ticks() -> None:
    assert parse_ticks("79=0,492=50_000,10.5=-1e-3", "--x-ticks") == {79: 0, 492: 50_000, 10.5: -1e-3}
    assert parse_ticks(None, "--x-ticks") == {}
    assert parse_ticks("", "--x-ticks") == {}


@pytest.mark.parametrize("text", ["79", "79=0", "79=0;492=5", "79=a,80=3", "=,=", "79=0,79=1", "79=0=1,5=2"])
def test_ticks_that_cannot_be_read(text: str) -> None:
    with pytest.raises(InputError, match="--y-ticks"):
        parse_ticks(text, "--y-ticks")


@pytest.mark.parametrize("text", ["nan=0,1=1", "0=nan,1=1", "0=inf,1=1", "inf=0,1=1"])
def test_ticks_that_are_no_numbers(text: str) -> None:
    with pytest.raises(InputError, match="--y-ticks"):
        parse_ticks(text, "--y-ticks")


def test_series() -> None:
    given = parse_series("Baseline=#1F77B4, lr=0.1=ff7f0e")
    assert given == {"Baseline": "#1f77b4", "lr=0.1": "#ff7f0e"}
    assert parse_series(None) == {}


@pytest.mark.parametrize("text", ["Baseline", "=#1f77b4", "a=#12345", "a=#gggggg", "a=#1f77b4,", "a=red"])
def test_series_that_cannot_be_read(text: str) -> None:
    with pytest.raises(InputError, match="--series"):
        parse_series(text)
