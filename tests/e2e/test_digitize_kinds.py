"""Kinds of figures beyond the plain one, each with the value that must come out."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from drawing import as_png
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator
from PIL import Image

from replicate.digitizer.pipeline import digitize_bytes
from replicate.digitizer.record import Digitization, Series

pytestmark = pytest.mark.usefixtures("ocr_engine")

X = np.linspace(0, 10_000, 400)
FALL = 1.5 + 6 * np.exp(-X / 2000)


def chart(
    paint: Callable[[Any], None], style: str = "default", size: tuple[float, float] = (5.2, 3.9)
) -> bytes:
    """Return a chart as PNG bytes, drawn in one of matplotlib's styles."""
    with plt.style.context(style):
        figure, ax = plt.subplots(figsize=size, dpi=100, layout="constrained")
        paint(ax)
        return as_png(figure)


def only(read: Digitization) -> Series:
    """Return the one series of the one panel."""
    (panel,) = read.panels
    (series,) = panel.series
    return series


def off(series: Series, x: np.ndarray, y: np.ndarray, span: float) -> float:
    """Return the median distance of a reading from the truth, as a share of the y axis."""
    order = np.argsort(x)
    return float(np.median(np.abs(series.curve.y - np.interp(series.curve.x, x[order], y[order])))) / span


def test_a_grid_without_a_frame_whose_curve_rises_above_its_topmost_line() -> None:
    def paint(ax: Any) -> None:
        ax.plot(X, 1e5 * FALL, color="C0")
        ax.grid(axis="y", color="#d8dbe2")
        ax.spines[["top", "left", "right"]].set_visible(False)
        ax.tick_params(left=False)
        ax.ticklabel_format(axis="y", style="sci", scilimits=(0, 0), useMathText=True)
        ax.set(xlabel="Step", ylabel="Loss", ylim=(1e5, 7.9e5))

    read = digitize_bytes(chart(paint), "open.png")
    series = only(read)
    assert series.curve.y[0] == pytest.approx(
        7.5e5, abs=0.05e5
    )  # the part above 7e5, and the factor above it
    assert off(series, X, 1e5 * FALL, 6.9e5) < 0.002


@pytest.mark.parametrize("style", ["ggplot", "bmh", "Solarize_Light2", "dark_background", "fivethirtyeight"])
def test_ticks_and_grounds_of_styles(style: str) -> None:
    def paint(ax: Any) -> None:
        ax.plot(X, FALL, label="run")
        ax.set(xlabel="Step", ylabel="Loss")
        ax.legend()

    series = only(digitize_bytes(chart(paint, style), "style.png"))
    assert series.name == "run"
    assert off(series, X, FALL, 6.6) < 0.003


@pytest.mark.parametrize("degrees", [90, 45, 30])
def test_labels_that_are_turned(degrees: int) -> None:
    years = 2016 + X / 2000

    def paint(ax: Any) -> None:
        ax.plot(years, FALL)
        ax.set_xticks([2016, 2018, 2020])
        ax.tick_params(axis="x", rotation=degrees)
        if degrees != 90:
            plt.setp(ax.get_xticklabels(), ha="right", rotation_mode="anchor")
        ax.set(ylabel="Loss")

    read = digitize_bytes(chart(paint), "turned.png")
    series = only(read)
    assert off(series, years, FALL, 6.6) < 0.003
    assert (series.curve.x[0], series.curve.x[-1]) == pytest.approx((2016, 2021), abs=0.03)


def test_months_at_equal_distances_are_categories() -> None:
    y = np.array([5.0, 3.8, 3.5, 3.3, 3.25, 3.2, 3.1])

    def paint(ax: Any) -> None:
        ax.plot(["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul"], y)
        ax.set(ylabel="Loss")

    read = digitize_bytes(chart(paint), "months.png")
    assert read.panels[0].x_axis is not None
    assert read.panels[0].x_axis.scale == "category"
    curve = only(read).curve
    assert np.interp(np.arange(1, 6), curve.x, curve.y) == pytest.approx(y[1:6], abs=0.02)


def test_one_labelled_decade_and_minor_ticks_outside_a_grid() -> None:
    def paint(ax: Any) -> None:
        ax.plot(X, 0.7 + FALL)
        ax.set_yscale("log")
        ax.yaxis.set_major_locator(FixedLocator([1.0, 10.0]))
        ax.set(ylim=(1.7, 30), xlabel="Step", ylabel="Loss")
        ax.tick_params(which="major", length=0)
        ax.tick_params(axis="y", which="minor", length=3)
        ax.yaxis.set_minor_formatter(FuncFormatter(lambda v, _: ""))
        ax.grid(which="major", color="#cccccc")

    read = digitize_bytes(chart(paint), "decade.png")
    axis = read.panels[0].y_axis
    assert axis is not None
    assert axis.scale == "log"
    assert off(only(read), X, 0.7 + FALL, 28) < 0.001


def test_two_plain_labels_that_are_decades() -> None:
    y = 0.3 * np.exp(-X / 2500) + 0.004

    def paint(ax: Any) -> None:
        ax.plot(X, y)
        ax.set_yscale("log")
        ax.yaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g}"))
        ax.yaxis.set_minor_locator(NullLocator())
        ax.set(ylim=(0.002, 0.5), xlabel="Step", ylabel="Loss")

    read = digitize_bytes(chart(paint), "plain.png")
    axis = read.panels[0].y_axis
    assert axis is not None
    assert axis.scale == "log"
    assert float(axis.to_value(read.panels[0].box.y0)) == pytest.approx(0.5, rel=0.02)


@pytest.mark.parametrize("degrees", [-1.7, 0.6])
def test_a_page_that_was_scanned_at_a_slant(degrees: float) -> None:
    def paint(ax: Any) -> None:
        ax.plot(X, FALL, label="run")
        ax.set(xlabel="Step", ylabel="Loss")
        ax.legend()

    level = Image.open(io.BytesIO(chart(paint, size=(7, 5)))).convert("RGB")
    slanted = level.rotate(degrees, Image.Resampling.BICUBIC, expand=True, fillcolor="white")
    buffer = io.BytesIO()
    slanted.save(buffer, "PNG")
    read = digitize_bytes(buffer.getvalue(), "scan.png")
    assert [w.code for w in read.warnings] == ["turned"]
    series = only(read)
    assert series.name == "run"
    assert off(series, X, FALL, 6.6) < 0.003


def test_a_legend_of_curves_with_error_bars() -> None:
    x = np.arange(12.0)

    def paint(ax: Any) -> None:
        for k, name in enumerate(("8k context", "512 wide")):
            ax.errorbar(x, 4 + 3 * np.exp(-x / 3) + k, yerr=0.2, marker="o", capsize=2, label=name)
        ax.set(xlabel="Epoch", ylabel="Loss")
        ax.legend()

    (panel,) = digitize_bytes(chart(paint), "bars.png").panels
    assert {"8k context", "512 wide"} <= {s.name for s in panel.series}


def test_a_key_in_front_of_the_noise_that_its_legend_lets_through() -> None:
    rng = np.random.default_rng(0)
    y = 20 + 40 * np.exp(-X / 2000) + rng.normal(0, 3, len(X))

    def paint(ax: Any) -> None:
        ax.plot(X, y, label="Lion")
        ax.set(xlabel="Step", ylabel="Score")
        ax.legend(loc="upper left", title="Runs", framealpha=0.8)

    assert only(digitize_bytes(chart(paint), "veiled.png")).name == "Lion"


def test_a_curve_that_starts_under_another() -> None:
    rng = np.random.default_rng(0)
    common = FALL + rng.normal(0, 0.03, len(X))
    part = np.maximum(X - 4000, 0) / 6000
    low, high = common - 0.9 * part, common + 1.2 * part

    def paint(ax: Any) -> None:
        ax.plot(X, low, label="low")
        ax.plot(X, high, label="high")
        ax.set(xlabel="Step", ylabel="Loss")
        ax.legend()

    (panel,) = digitize_bytes(chart(paint), "common.png").panels
    found = {s.name: s for s in panel.series}
    for name, y in (("low", low), ("high", high)):
        assert found[name].curve.x[0] < 200
        assert off(found[name], X, y, 7) < 0.005


def test_spines_that_stand_off() -> None:
    def paint(ax: Any) -> None:
        ax.plot(X, 1e-5 * FALL)
        ax.spines[["left", "bottom"]].set_position(("outward", 8))
        ax.spines[["top", "right"]].set_visible(False)
        ax.yaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g}".replace("e-0", "e-")))
        ax.set(xlabel="Step", ylabel="Loss")

    series = only(digitize_bytes(chart(paint), "offset.png"))
    assert off(series, X, 1e-5 * FALL, 6.6e-5) < 0.003


def test_panels_that_share_labels_below_and_at_the_left() -> None:
    figure, axs = plt.subplots(2, 2, figsize=(7.6, 5.6), dpi=100, sharex=True, layout="constrained")
    truth = [FALL, 2 * FALL, 100 * np.exp(-X / 3000), 3e4 * FALL]
    for ax, y in zip(axs.flat, truth, strict=True):
        ax.plot(X, y)
        ax.set_ylabel("Validation loss")
    for ax in axs[1]:
        ax.set_xlabel("Step")
    read = digitize_bytes(as_png(figure), "grid.png")
    assert len(read.panels) == 4
    for panel, y in zip(read.panels, truth, strict=True):
        (series,) = panel.series
        assert off(series, X, y, float(np.ptp(y))) < 0.003
