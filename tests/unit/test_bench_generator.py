"""The benchmark's generator: repeatable, complete in its features, and its truth lies on the drawn ink."""

import csv
import importlib
import json
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))
generate, plans, drawing, shapes, case_files = (
    importlib.import_module(name)
    for name in ("generate", "generator.plan", "generator.draw", "generator.shapes", "generator.case")
)

EXPECTED = (
    "x:plain x:thousands x:si x:offset x:exponent x:date x:category x:negative x:log x:log-exponent "
    "x:log-plain x:log2 x:log-one-decade x:reversed x:rotated x:second y:plain y:percent y:log y:log-one-"
    "decade y:log-plain y:log-mantissa y:log2 y:si y:offset y:reversed y:twin text:hyphen-minus ticks:in "
    "ticks:none ticks:out grid:dashed grid:both spines:open spines:offset spines:bottom panels:many "
    "panels:shared-y panels:shared-x curves:1 curves:2-4 curves:5-10 curves:coinciding curves:clipped "
    "curves:same-colour curve:dashed curve:dotted curve:dashdot curve:markers-only curve:markers "
    "curve:stairs curve:bars curve:band curve:smoothed-named curve:smoothed-unnamed curve:translucent "
    "curve:spikes curve:drops curve:very-noisy curve:partial legend:inside legend:right legend:above "
    "legend:below legend:labels legend:none legend:columns legend:frameless legend:titled legend:see-"
    "through legend:opaque picture:rgb picture:rgba picture:rgb16 picture:grey picture:grey16 "
    "picture:palette picture:rotated picture:scanned picture:shrunk picture:browser picture:card "
    "picture:page width:under-450 width:large "
)


def test_every_feature_is_drawn_within_a_thousand_figures() -> None:
    found = Counter(f for n in range(1000) for f in plans.features(generate.plan_figure("full", 1, n)))
    assert [f for f in EXPECTED.split() if not found[f]] == []
    assert len([f for f in found if f.startswith("style:")]) >= 8


def test_a_figure_depends_on_seed_profile_and_number_alone() -> None:
    plan = generate.plan_figure("full", 3, 7)
    assert generate.plan_figure("full", 3, 7) == plan
    others = [generate.plan_figure(*key) for key in (("full", 4, 7), ("full", 3, 8), ("plain", 3, 7))]
    assert plan not in others


@pytest.mark.parametrize("profile", ["full", "vector"])
def test_the_same_plan_gives_the_same_files(tmp_path: Path, profile: str) -> None:
    for name in ("a", "b"):
        generate.generate(profile, 2, 5, tmp_path / name)
    first = sorted(p.relative_to(tmp_path / "a") for p in (tmp_path / "a").rglob("*.*"))
    assert first
    for path in first:
        assert (tmp_path / "a" / path).read_bytes() == (tmp_path / "b" / path).read_bytes()


@pytest.mark.parametrize("number", range(6))
def test_the_truth_lies_on_ink_of_the_curve(tmp_path: Path, number: int) -> None:
    """Map each true point into the picture by the case's limits and box: the curve's colour is there."""
    plan = generate.plan_figure("plain", 1, number)
    (folder,) = case_files.write_case(plan, "one", tmp_path)
    case = json.loads((folder / "case.json").read_text())
    image = cv2.cvtColor(cv2.imread(str(folder / case["figure"])), cv2.COLOR_BGR2RGB).astype(float)
    x0, y0, x1, y1 = case["panel_box"]

    def share(values: np.ndarray, scale: str, limits: list[float]) -> np.ndarray:
        low, high, v = (np.log(a) if scale == "log" else np.asarray(a) for a in (*limits, values))
        return (v - low) / (high - low)

    rows = list(csv.DictReader((folder / "truth.csv").read_text().splitlines()))
    colors = {
        c.name: np.array([int(c.color[i : i + 2], 16) for i in (1, 3, 5)]) for c in plan.panels[0].curves
    }
    last = plan.panels[0].curves[-1].name  # drawn over the others
    points = np.array([(float(r["x"]), float(r["y"])) for r in rows if r["series"] == last])
    px = x0 + share(points[:, 0], case["x_scale"], case["xlim"]) * (x1 - x0)
    py = y1 - share(points[:, 1], case["y_scale"], case["ylim"]) * (y1 - y0)
    here = image[py.round().astype(int), px.round().astype(int)]
    assert np.mean(np.abs(here - colors[last]).max(axis=1) < 60) > 0.95


def test_vector_figures_come_in_all_forms_and_in_points() -> None:
    figures = [generate.plan_figure("vector", 1, n) for n in range(40)]
    forms = {(p.vector.suffix, p.vector.fonts, p.vector.simplified) for p in figures}
    assert forms == {
        (suffix, fonts, simplified)
        for suffix, fonts in (("pdf", "42"), ("pdf", "3"), ("svg", "none"), ("svg", "path"))
        for simplified in (False, True)
    }
    assert {p.dpi for p in figures} == {72.0}
    assert not any(f.startswith("picture:") for p in figures for f in plans.features(p))


def test_the_text_of_a_vector_figure_is_text_or_outlines(tmp_path: Path) -> None:
    plan = generate.plan_figure("plain", 1, 0)
    for fonts, has_text in (("none", True), ("path", False)):
        vector = replace(plan, vector=plans.VectorPlan("svg", fonts, simplified=False))
        (folder,) = case_files.write_case(vector, fonts, tmp_path)
        assert (b"<text" in (folder / "figure.svg").read_bytes()) == has_text


def test_a_shape_without_noise_is_its_power_law() -> None:
    shape = shapes.Shape(0.9, 0.1, bend=0.5, power=1.0, points=3)
    x, y = shapes.sample(shape)
    assert x.tolist() == [0.0, 0.5, 1.0]
    # decay 1/(1 + t/0.5): 1, 1/2, 1/3; share left: 1, (1/2 - 1/3)/(2/3) = 1/4, 0
    assert y == pytest.approx([0.9, 0.3, 0.1])


def test_points_outside_the_frame_and_under_an_opaque_legend_are_hidden() -> None:
    axis = importlib.import_module("generator.axes").AxisPlan
    shape = shapes.Shape(1.0, 0.0, bend=1e6, points=200)  # a straight line from the top left
    panel = plans.PanelPlan(
        axis("plain", 0, 100), axis("plain", 0, 100, cut=0.25), (plans.CurvePlan("a", shape, "#ff0000"),)
    )
    legend = plans.LegendPlan("lower right", frame=True, opacity=1.0)
    series = drawing.draw(plans.FigurePlan(600, 400, 100, (panel,), legend)).panels[0].series[0]
    assert series.hidden[series.y > 80.7].all()  # the frame ends at 80
    assert not series.hidden[(series.y < 79.5) & (series.y > 40)].any()
    assert series.hidden[series.y < 8].any()
