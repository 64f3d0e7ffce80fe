"""Bands are reported as the bounds of their curves, and do not disturb them."""

import numpy as np
import pytest
from drawing import draw_chart

from replicate.digitizer.bands import find_band
from replicate.digitizer.pipeline import digitize_bytes
from replicate.digitizer.trace import Trace

X = np.linspace(0, 1000, 400)


def drawn_band(curves, spread, **plot):
    def fill(ax):
        for line, width in zip(list(ax.lines), spread, strict=True):
            x, y = line.get_data()
            ax.fill_between(x, y - width, y + width, color=line.get_color(), alpha=0.2, linewidth=0)

    return draw_chart(curves, size=(640, 480), adjust=fill, **plot)


def test_a_band_is_two_bounds_and_no_curve():
    rng = np.random.default_rng(1)
    names = {"Baseline": 4 + 3 * np.exp(-X / 200), "Ours": 2 + 3 * np.exp(-X / 150)}
    curves = {n: (X, y + rng.normal(0, 0.03, len(X))) for n, y in names.items()}
    drawing = drawn_band(curves, (0.3, 0.5))
    digitization = digitize_bytes(drawing.png, "band.png")
    assert [s.name for s in digitization.panels[0].series] == ["Baseline", "Ours"]
    assert sorted(digitization.curves) == sorted(n + e for n in names for e in ("", " (lower)", " (upper)"))
    for name, width in (("Baseline", 0.3), ("Ours", 0.5)):
        assert np.percentile(drawing.errors(digitization.curves[name], name), 95) < 0.01
        for word, sign in (("lower", -1), ("upper", 1)):
            edge = digitization.curves[f"{name} ({word})"]
            expected = np.interp(edge.x, X, curves[name][1] + sign * width)
            off = np.abs(drawing.y.share(edge.y) - drawing.y.share(expected))
            assert np.median(off) < 0.003
            assert len(edge) > 0.8 * len(digitization.curves[name])


@pytest.mark.parametrize("jagged", [False, True])
def test_only_what_runs_along_with_its_curve_is_a_band(jagged):
    rng = np.random.default_rng(2)
    width, height = 300, 120
    columns = np.arange(width)
    rows = 60 + 5 * np.sin(columns / 3.0)
    half = 15 + (rng.normal(0, 4, width) if jagged else 2 * np.sin(columns / 60))
    y = np.arange(height)[:, None]
    line = (np.abs(y - rows) <= 1).astype(np.float32)
    area = ((np.abs(y - (60 if jagged else rows)) <= half) & (line == 0)).astype(np.float32)
    centre = np.full(width, 60.0) if jagged else rows
    traced = Trace(columns.astype(float), centre, centre - 1, centre + 1, np.ones(width, bool), 2.0)
    band = find_band(area, line, traced)
    if jagged:
        assert band is None
    else:
        assert band is not None
        assert band.top == pytest.approx(rows - half, abs=1.1)
        assert band.bottom == pytest.approx(rows + half, abs=1.1)
