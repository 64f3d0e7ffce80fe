"""Curves that start steeply, and that start together: the first value is what people quote."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from drawing import Drawing

from replicate.digitizer.pipeline import digitize_bytes

pytestmark = pytest.mark.usefixtures("ocr_engine")

X = np.arange(0, 50_000, 120.0)


def test_curves_that_start_together_and_fall_steeply(draw: Callable[..., Drawing]) -> None:
    rng = np.random.default_rng(1)
    curves = {
        "slow": (X, 4.9 + 6 * np.exp(-X / 900) + rng.normal(0, 0.03, len(X))),
        "fast": (X, 4.2 + 6.7 * np.exp(-X / 1400) + rng.normal(0, 0.03, len(X))),
    }
    drawing = draw(curves)
    found = {s.name: s.curve for s in digitize_bytes(drawing.png, "steep.png").panels[0].series}
    for name, (x, y) in curves.items():
        curve = found[name]
        column = curve.x[2] - curve.x[1]
        start = np.interp(curve.x[0], x, y)
        assert abs(curve.x[0]) < column
        assert curve.y_lo[0] <= start <= curve.y_hi[0]
        assert curve.y_hi[0] >= y[0] - 0.07  # the true start, hidden under the other curve or not
        assert abs(curve.y[0] - y[0]) < 0.04 * (
            11 - 4
        )  # the curve falls by a tenth of the axis in one column
