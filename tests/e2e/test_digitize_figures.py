"""Plain figures are read without help: names, scales, and every value to a few hundredths of a percent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from drawing import Drawing
from matplotlib.ticker import FuncFormatter, LogFormatterSciNotation, MultipleLocator, NullFormatter

from replicate.digitizer.pipeline import digitize_bytes
from replicate.digitizer.record import Digitization

pytestmark = pytest.mark.usefixtures("ocr_engine")

MEDIAN = 0.0005  # of the y axis: a careful person's error with a point-and-click tool
# Matplotlib draws ticks on whole pixels; with eight ticks on a panel of 300 pixels that alone leaves this much.
ROUNDED = 0.0012


def expect_right(
    chart: Drawing, scales: tuple[str, str], names: set[str] | None = None, median: float = MEDIAN
) -> Digitization:
    """Digitize a drawing and hold everything against the truth."""
    read = digitize_bytes(chart.png, "fig.png")
    (panel,) = read.panels
    assert panel.x_axis is not None
    assert panel.y_axis is not None
    assert (panel.x_axis.scale, panel.y_axis.scale) == scales
    for fit, true in ((panel.x_axis, chart.x), (panel.y_axis, chart.y)):
        assert fit.to_pixel(np.array(true.limits)) == pytest.approx(np.array(true.ends), abs=0.5)
    assert set(read.curves) == (names or set(chart.curves))
    for found, true_name in zip(sorted(read.curves), sorted(chart.curves), strict=True):
        curve = read.curves[found]
        assert np.median(chart.errors(curve, true_name)) < median
        assert np.percentile(chart.errors(curve, true_name), 95) < 0.02
        seen = chart.x.share(curve.x)
        true_x = chart.x.share(chart.curves[true_name][0])
        assert seen.min() < true_x.min() + 0.02
        assert seen.max() > true_x.max() - 0.02
        assert (curve.y_lo <= curve.y).all()
        assert (curve.y <= curve.y_hi).all()
    assert read.confidence >= 0.8
    return read


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_curves_on_linear_axes(draw: Callable[..., Drawing], decay: Any, number: int) -> None:
    all_names = ("Baseline", "Small Init Emb", "SVD init", "warmup only")
    curves = {name: decay(9 - k, 2 + 0.9 * k, 4 + k, 5000) for k, name in enumerate(all_names[:number])}
    expect_right(draw(curves, size=(520, 400)), ("linear", "linear"))


def test_a_log_y_axis(draw: Callable[..., Drawing], decay: Any) -> None:
    curves = {"train": decay(300, 3, 9, 100), "test": decay(500, 30, 6, 100)}
    chart = draw(curves, adjust=lambda ax: ax.set_yscale("log"))
    expect_right(chart, ("linear", "log"))


def test_a_log_x_axis(draw: Callable[..., Drawing]) -> None:
    x = np.geomspace(1, 1e5, 300)
    chart = draw(
        {"Adam": (x, 8 * x**-0.08), "Muon": (x, 7 * x**-0.05)}, adjust=lambda ax: ax.set_xscale("log")
    )
    expect_right(chart, ("log", "linear"))


def test_both_axes_logarithmic(draw: Callable[..., Drawing]) -> None:
    x = np.geomspace(1e-2, 1e4, 300)
    chart = draw({"law": (x, 40 * x**-0.5)}, adjust=lambda ax: ax.set(xscale="log", yscale="log"))
    expect_right(chart, ("log", "log"))


def plain(value: float, _: Any) -> str:
    """Write a number without an exponent."""
    return f"{value:g}"


def suffixed(value: float, _: Any) -> str:
    """Write a number with k or M."""
    for factor, suffix in ((1e6, "M"), (1e3, "k")):
        if abs(value) >= factor:
            return f"{value / factor:g}{suffix}"
    return f"{value:g}"


@pytest.mark.parametrize(
    ("form", "last", "step", "write"),
    [
        ("17,500", 20_000, 2_500, lambda v, _: f"{v:,.0f}"),
        ("20k", 100_000, 20_000, suffixed),
        ("1.2M", 2_400_000, 400_000, suffixed),
        ("1e-3", 6e-3, 1e-3, lambda v, _: f"{v:.0e}"),
        ("-5", -30, None, plain),
        ("40%", 100, 20, lambda v, _: f"{v:.0f}%"),
    ],
)
def test_label_forms_on_a_linear_axis(
    draw: Callable[..., Drawing], decay: Any, form: str, last: float, step: float | None, write: Any
) -> None:
    def adjust(ax: Any) -> None:
        if step:
            ax.xaxis.set_major_locator(MultipleLocator(step))
        ax.xaxis.set_major_formatter(FuncFormatter(write))

    chart = draw({"Adam": decay(9, 2, 4, last), "Muon": decay(8, 4, 3, last)}, size=(600, 380), adjust=adjust)
    expect_right(chart, ("linear", "linear"), median=ROUNDED)


@pytest.mark.parametrize(
    ("form", "write"),
    [
        ("10²", LogFormatterSciNotation()),
        ("1e2", FuncFormatter(lambda v, _: f"{v:.0e}")),
        ("100", FuncFormatter(plain)),
    ],
)
def test_label_forms_on_a_log_axis(draw: Callable[..., Drawing], decay: Any, form: str, write: Any) -> None:
    def adjust(ax: Any) -> None:
        ax.set_yscale("log")
        ax.yaxis.set_major_formatter(write)
        ax.yaxis.set_minor_formatter(NullFormatter())

    expect_right(
        draw({"Adam": decay(3000, 2, 12), "Muon": decay(900, 20, 7)}, adjust=adjust), ("linear", "log")
    )


@pytest.mark.parametrize("mathematical", [False, True])
def test_an_offset_at_the_axis_end(draw: Callable[..., Drawing], decay: Any, mathematical: bool) -> None:
    def adjust(ax: Any) -> None:
        ax.ticklabel_format(scilimits=(-3, 3), useMathText=mathematical)

    chart = draw({"Adam": decay(9e4, 2e4, 4, 2e6), "Muon": decay(8e4, 4e4, 3, 2e6)}, adjust=adjust)
    expect_right(chart, ("linear", "linear"), median=ROUNDED)


def test_a_grid_changes_nothing(draw: Callable[..., Drawing], decay: Any) -> None:
    curves = {"Adam": decay(9, 2, 4), "Muon": decay(8, 4, 3)}
    expect_right(draw(curves, adjust=lambda ax: ax.grid()), ("linear", "linear"))


def test_two_spines_only(draw: Callable[..., Drawing], decay: Any) -> None:
    def adjust(ax: Any) -> None:
        ax.spines[["top", "right"]].set_visible(False)

    expect_right(draw({"Adam": decay(9, 2, 4), "Muon": decay(8, 4, 3)}, adjust=adjust), ("linear", "linear"))


def test_axes_that_descend(draw: Callable[..., Drawing], decay: Any) -> None:
    chart = draw({"Adam": decay(9, 2, 4), "Muon": decay(8, 4, 3)}, adjust=lambda ax: ax.invert_xaxis())
    (panel,) = expect_right(chart, ("linear", "linear")).to_json()["panels"]
    left, right = panel["x_axis"]["limits"]
    assert left > right


def test_a_lone_curve_is_named_after_its_axis(draw: Callable[..., Drawing], decay: Any) -> None:
    chart = draw({"Adam": decay(9, 2, 4)}, legend=False, adjust=lambda ax: ax.set(ylabel="validation loss"))
    read = expect_right(chart, ("linear", "linear"), {"validation loss"})
    assert read.panels[0].series[0].name_from == "label"


def test_curves_without_a_legend_are_named_by_their_colours(draw: Callable[..., Drawing], decay: Any) -> None:
    chart = draw({"1": decay(9, 2, 4), "2": decay(8, 4, 3)}, legend=False)
    read = expect_right(chart, ("linear", "linear"), {"blue", "orange"})
    assert {s.name_from for s in read.panels[0].series} == {"colour"}


def test_dashed_curves(draw: Callable[..., Drawing], decay: Any) -> None:
    chart = draw({"Adam": decay(9, 2, 4), "Muon": decay(8, 4, 3)}, linestyle="--")
    read = expect_right(chart, ("linear", "linear"))
    assert {s.style for s in read.panels[0].series} == {"dashed"}
    assert all(0.4 < s.curve.observed.mean() < 0.95 for s in read.panels[0].series)
