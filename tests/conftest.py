"""Fixtures that several tests share: charts with known truth, and the real figures where they are at hand."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from drawing import Drawing, draw_chart

os.environ.setdefault("OMP_WAIT_POLICY", "passive")

SHARED = Path(__file__).parents[1].parent / "shared"


@pytest.fixture(scope="session")
def draw() -> Callable[..., Drawing]:
    """Draw a chart; see `draw_chart`."""
    return draw_chart


@pytest.fixture(scope="session")
def decay() -> Callable[..., tuple[np.ndarray, np.ndarray]]:
    """Return (x, y) of a smooth falling curve, as a training loss is."""

    def curve(start: float, end: float, rate: float, last: float = 100.0) -> tuple[np.ndarray, np.ndarray]:
        x = np.linspace(0, last, 400)
        return x, end + (start - end) * np.exp(-rate * x / last)

    return curve


@pytest.fixture(scope="session")
def real_figures() -> Path:
    """The folder of real figures, which is not part of the repository."""
    folder = SHARED / "real_figures"
    if not folder.is_dir():
        pytest.skip("the real figures are not at hand")
    return folder


@pytest.fixture(scope="session")
def ocr_engine() -> None:
    """Load the OCR networks once, so that no single test is charged for it."""
    from replicate.digitizer import ocr

    ocr.engine()
