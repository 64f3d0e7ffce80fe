"""Charts read from their drawn paths: exact numbers, names, bounds, several axes and panels, and what is no curve."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from vector_charts import Form, drawing_of, read, read_one

from replicate.digitizer.record import Panel, Series
from replicate.digitizer.settings import Settings
from replicate.digitizer.vector.page import make_page
from replicate.digitizer.vector.read import read_page

FORMS = ("pdf", "svg")
X = np.linspace(0, 1000, 60)


def chart(**settings: Any) -> tuple[Figure, Axes]:
    """Return an empty chart with axis titles."""
    figure = Figure(figsize=(5, 3.5), layout="constrained")
    ax = figure.subplots(**settings)
    ax.set_xlabel("Steps")
    ax.set_ylabel("Loss")
    return figure, ax


def decay(rate: float, x: np.ndarray = X) -> np.ndarray:
    """Return a falling curve with a wiggle, so that no vertex is simplified away."""
    return 5 * np.exp(-rate * x / 1000) + 1 + 0.2 * (-1.0) ** np.arange(x.size)


def named(panel: Panel, name: str) -> Series:
    """Return the series of a name."""
    (found,) = [s for s in panel.series if s.name == name]
    return found


def off(axis_span: float, got: np.ndarray, expected: np.ndarray) -> float:
    """Return the largest error as a share of an axis."""
    return float(np.abs(got - expected).max()) / axis_span


@pytest.mark.parametrize("form", FORMS)
def test_every_vertex_is_exact(form: Form) -> None:
    figure, ax = chart()
    for rate, name in ((1, "slow"), (4, "fast")):
        ax.plot(X, decay(rate), label=name)
    ax.legend()
    panel, codes = read_one(figure, form)
    assert [s.name for s in panel.series] == ["slow", "fast"]
    assert codes == []
    assert panel.confidence > 0.95
    for rate, name in ((1, "slow"), (4, "fast")):
        curve = named(panel, name).curve
        assert len(curve) == 60
        assert off(1100, curve.x, X) < 1e-5
        assert off(6, curve.y, decay(rate)) < 1e-5
        assert curve.observed.all()
        assert (curve.y_lo < curve.y).all() and (curve.y < curve.y_hi).all()


@pytest.mark.parametrize("form", FORMS)
def test_axes_have_their_scales_limits_and_titles(form: Form) -> None:
    figure, ax = chart()
    ax.plot(X + 1, np.exp(-X / 200))
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xlim(0.5, 5000)
    ax.set_ylim(1e-3, 10)
    panel, _ = read_one(figure, form)
    assert panel.x_axis and panel.y_axis
    assert (panel.x_axis.scale, panel.x_axis.label) == ("log", "Steps")
    assert (panel.y_axis.scale, panel.y_axis.label) == ("log", "Loss")
    ends = panel.x_axis.to_value(np.array([panel.box.x0, panel.box.x1]))
    assert ends == pytest.approx([0.5, 5000], rel=1e-5)
    assert panel.y_axis.to_value(panel.box.y1) == pytest.approx(1e-3, rel=1e-5)


@pytest.mark.parametrize("form", FORMS)
def test_an_offset_at_the_axis_end_scales_its_labels(form: Form) -> None:
    figure, ax = chart()
    ax.plot(X * 1e6, decay(2) * 1e-7)
    panel, _ = read_one(figure, form)
    (series,) = panel.series
    assert off(1.1e9, series.curve.x, X * 1e6) < 1e-5
    assert off(6e-7, series.curve.y, decay(2) * 1e-7) < 1e-5


def test_curves_of_one_colour_are_told_apart_by_their_dashes() -> None:
    figure, ax = chart()
    for rate, dash in ((1, "-"), (2, "--"), (3, ":"), (4, "-.")):
        ax.plot(X, decay(rate), dash, color="C0", label=f"rate {rate}")
    ax.legend()
    panel, _ = read_one(figure)
    styles = {s.name: s.style for s in panel.series}
    assert styles == {"rate 1": "solid", "rate 2": "dashed", "rate 3": "dotted", "rate 4": "dashdot"}
    assert all(off(6, named(panel, f"rate {r}").curve.y, decay(r)) < 1e-5 for r in (1, 2, 3, 4))


def test_hidden_parts_are_read_too() -> None:
    figure, ax = chart()
    ax.plot(X, decay(2), color="C0", lw=1, label="below")
    ax.plot(X, decay(2) + 0.001, color="C1", lw=6, label="above")
    ax.legend(loc="center", framealpha=1)
    panel, _ = read_one(figure)
    assert off(6, named(panel, "below").curve.y, decay(2)) < 1e-5


def test_what_lies_beyond_the_axes_is_cut_at_their_border() -> None:
    figure, ax = chart()
    ax.plot(X, X / 100, label="line", marker="")
    ax.plot(X, decay(1), label="other")
    ax.set_ylim(0, 4)
    ax.legend()
    curve = named(read_one(figure)[0], "line").curve
    assert curve.y.max() == pytest.approx(4, abs=1e-3)
    assert curve.x[-1] == pytest.approx(400, abs=0.2)


def test_a_band_bounds_the_curve_of_its_colour() -> None:
    figure, ax = chart()
    for rate, name in ((1, "a"), (3, "b")):
        ax.plot(X, decay(rate), label=name)
        ax.fill_between(X, decay(rate) - 0.5, decay(rate) + 0.8, alpha=0.2)
    ax.legend()
    panel, codes = read_one(figure)
    assert sorted(b.name for b in panel.bounds) == ["a (lower)", "a (upper)", "b (lower)", "b (upper)"]
    bounds = {b.name: b for b in panel.bounds}
    for rate, name in ((1, "a"), (3, "b")):
        assert off(7, bounds[f"{name} (lower)"].y, decay(rate) - 0.5) < 1e-5
        assert off(7, bounds[f"{name} (upper)"].y, decay(rate) + 0.8) < 1e-5
    assert codes == []


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("capsize", [0, 4])
def test_error_bars_bound_their_points(form: Form, capsize: int) -> None:
    figure, ax = chart()
    x = X[::10]
    ax.errorbar(
        x, decay(2, x), yerr=(np.full(6, 0.3), np.full(6, 0.6)), marker="o", capsize=capsize, label="a"
    )
    ax.legend()
    panel, _ = read_one(figure, form)
    assert [s.name for s in panel.series] == ["a"]
    bounds = {b.name: b for b in panel.bounds}
    assert off(7, bounds["a (lower)"].y, decay(2, x) - 0.3) < 1e-4
    assert off(7, bounds["a (upper)"].y, decay(2, x) + 0.6) < 1e-4


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("marker", ["o", "^", "s", "x", "*", "D"])
def test_markers_alone_are_points_at_their_centres(form: Form, marker: str) -> None:
    figure, ax = chart()
    ax.plot(X[::5], decay(2)[::5], marker, label="points")
    ax.legend()
    (series,) = read_one(figure, form)[0].series
    assert (series.name, series.style) == ("points", "markers")
    assert off(1100, series.curve.x, X[::5]) < 1e-4
    assert off(6, series.curve.y, decay(2)[::5]) < 1e-4


def test_steps_keep_their_corners() -> None:
    figure, ax = chart()
    x, y = np.arange(6.0), np.array([5.0, 3, 4, 2, 2.5, 1])
    ax.step(x, y, where="post", label="stairs")
    ax.legend()
    (series,) = read_one(figure)[0].series
    assert off(6, series.curve.x, np.repeat(x, 2)[1:]) < 1e-5
    assert off(5, series.curve.y, np.repeat(y, 2)[:-1]) < 1e-5
    assert (np.diff(series.curve.x) > 0).all()


def test_a_curve_with_a_gap_is_one() -> None:
    figure, ax = chart()
    y = decay(2)
    y[20:25] = np.nan
    ax.plot(X, y, label="broken")
    ax.legend()
    (series,) = read_one(figure)[0].series
    assert len(series.curve) == 55


@pytest.mark.parametrize("below", [True, False])
def test_twin_axes_by_painting_order(below: bool) -> None:
    figure, ax = chart()
    right = ax.twinx()
    for part in (ax, right):
        part.set_axisbelow(below)
    ax.plot(X, decay(2), "k-", label="loss")
    right.plot(X, 50 + X / 40, "k--", label="accuracy")
    right.set_ylabel("Accuracy")
    lines = [*ax.lines, *right.lines]
    right.legend(lines, [line.get_label() for line in lines])
    panel, codes = read_one(figure)
    assert {s.name: s.axis for s in panel.series} == {"loss": "y", "accuracy": "y2"}
    assert off(30, named(panel, "accuracy").curve.y[[0, -1]], np.array([50.0, 75])) < 1e-4
    assert "axis-guessed" not in codes


def test_panels_share_axes_and_a_legend() -> None:
    figure = Figure(figsize=(8, 5))
    axes = figure.subplots(2, 2, sharex=True, sharey=True)
    for k, ax in enumerate(axes.ravel()):
        for name in ("a", "b"):
            ax.plot(X, decay(1 + k + (name == "b")), label=name)
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="upper center", ncols=2)
    found = read(figure)
    assert len(found) == 4
    for k, (panel, _) in enumerate(found):
        assert [s.name for s in panel.series] == ["a", "b"]
        assert all(s.curve.panel == k for s in panel.series)
        assert off(6, panel.series[0].curve.y, decay(1 + k)) < 1e-4


@pytest.mark.parametrize("form", FORMS)
def test_grids_frames_keys_arrows_and_reference_lines_are_no_curves(form: Form) -> None:
    figure, ax = chart()
    ax.plot(X, decay(2), label="only")
    ax.grid(True, which="both")
    ax.minorticks_on()
    ax.axhline(2, color="k", ls="--")
    ax.axvline(500, color="r")
    ax.annotate("here", (400, 3), (700, 5), arrowprops={"arrowstyle": "->"})
    ax.text(600, 4, "note", bbox={"boxstyle": "round", "fc": "w"})
    ax.legend(shadow=True)
    panel, _ = read_one(figure, form)
    assert [s.name for s in panel.series] == ["only"]
    assert panel.bounds == ()


def test_scattered_points_and_bars_are_flagged_and_not_read() -> None:
    rng = np.random.default_rng(0)
    figure, ax = chart()
    ax.scatter(rng.uniform(0, 10, 40), rng.uniform(0, 10, 40))
    assert read_one(figure)[1] == ["no-curve", "scattered-points"]
    figure, ax = chart()
    ax.bar(np.arange(6), [3, 1, 4, 1, 5, 9])
    panel, codes = read_one(figure)
    assert codes == ["no-curve", "bars"]
    assert panel.series == ()
    assert panel.confidence == 0


def test_a_line_that_turns_back_is_doubted() -> None:
    figure, ax = chart()
    t = np.linspace(0, 12, 200)
    ax.plot(t + 3 * np.sin(t), t, label="loop")
    ax.legend()
    panel, codes = read_one(figure)
    assert "turns-back" in codes
    assert panel.confidence < 0.5


def test_curves_without_a_legend_take_the_names_beside_them() -> None:
    figure, ax = chart()
    for rate, color in ((1, "#d62728"), (4, "#1f77b4")):
        ax.plot(X, decay(rate), color=color)
        ax.text(1010, decay(rate)[-1], f"rate {rate}", color=color, va="center")
    panel, _ = read_one(figure)
    assert [(s.name, s.name_from) for s in panel.series] == [("rate 1", "label"), ("rate 4", "label")]


def test_a_person_names_curves_and_calibrates_axes_in_points() -> None:
    figure, ax = chart()
    ax.plot(X, decay(1), color="#d62728")
    ax.plot(X, decay(4), color="#1f77b4")
    box = read_one(figure)[0].box
    wishes = {"series": {"mine": "#d62728"}, "x_ticks": {box.x0: 0.0, box.x1: 1.0}}
    panel, _ = read_one(figure, **wishes)
    (series,) = panel.series
    assert (series.name, series.name_from) == ("mine", "person")
    assert series.curve.x[[0, -1]] == pytest.approx([0.5 / 11, 10.5 / 11], abs=1e-4)


def test_a_page_of_text_and_rules_has_no_panel() -> None:
    figure = Figure(figsize=(6, 8))
    for k in range(20):
        figure.text(0.1, 0.9 - 0.04 * k, f"{k}   12.5   0.31   words and numbers 4 5 6")
        figure.add_artist(Line2D([0.1, 0.9], [0.89 - 0.04 * k] * 2, color="k"))
    assert read_page(make_page(drawing_of(figure)), Settings()) == []


def test_dates_and_categories() -> None:
    figure, ax = chart()
    ax.plot(["Jan", "Feb", "Mar", "Apr", "May"], [5, 4, 3, 3.5, 1.0], label="months")
    ax.legend()
    panel, _ = read_one(figure)
    assert panel.x_axis and panel.x_axis.scale == "category"
    assert panel.series[0].curve.x == pytest.approx([0, 1, 2, 3, 4], abs=1e-4)


def test_months_at_the_bottom_go_before_numbers_at_the_top() -> None:
    figure, ax = chart()
    ax.plot(["Jan", "Feb", "Mar", "Apr", "May"], [5, 4, 3, 3.5, 1.0])
    ax.secondary_xaxis("top", functions=(lambda v: 1000 * v, lambda v: v / 1000))
    panel, _ = read_one(figure)
    assert panel.x_axis and panel.x_axis.scale == "category"


def test_names_at_the_ends_of_a_reversed_axis() -> None:
    figure, ax = chart()
    for rate, dash in ((1, "-"), (2, "--"), (4, ":")):
        ax.plot(X, decay(rate), dash, color="#1f77b4")
        ax.annotate(
            f"rate {rate}",
            (X[-1], decay(rate)[-1]),
            (5, 0),
            textcoords="offset points",
            color="#1f77b4",
            va="center",
        )
    ax.invert_xaxis()
    panel, _ = read_one(figure)
    assert {s.name: s.style for s in panel.series} == {
        "rate 1": "solid",
        "rate 2": "dashed",
        "rate 4": "dotted",
    }
