"""Charts, gauges and inks of the report."""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from replicate.report.charts import LineChart, Series, WindowChart, draw, draw_window
from replicate.report.gauges import Gauge, Mark, common_scale, draw_gauge
from replicate.report.palette import Ink, assign
from replicate.report.scales import Scale

INF = float("inf")
X = np.linspace(0, 100, 11)


def chart(names: tuple[str, ...] = ("up", "down"), y: Scale | None = None) -> LineChart:
    """Return a chart of straight lines."""
    series = tuple(
        Series(n, Ink("blue", i), ((X, X * (1 if i % 2 == 0 else -1) + 100 * (i % 2)),))
        for i, n in enumerate(names)
    )
    return LineChart("c", "A chart", Scale(0, 100, label="Step"), y or Scale(0, 100, label="Loss"), series)


def texts(svg: str) -> list[str]:
    """Return the texts of a drawing in order."""
    return ["".join(t.itertext()) for t in ET.fromstring(svg).iter("text")]  # noqa: S314 - our own


def test_a_chart_holds_its_axes_curves_and_names() -> None:
    svg = str(draw(chart()))
    root = ET.fromstring(svg)  # noqa: S314 - our own
    assert [g.get("id") for g in root.iter("g") if g.get("id")] == ["c-axes", "c-s0", "c-s1"]
    assert {"0", "20", "40", "60", "80", "100", "Step", "Loss", "up", "down"} <= set(texts(svg))
    assert root.findtext("desc") == (
        "Loss against Step. up: from 0 at 0 to 100 at 100; down: from 100 at 0 to 0 at 100."
    )


def test_a_power_of_ten_has_its_exponent_raised() -> None:
    svg = str(draw(chart(y=Scale(1, 1000, log=True, label="Loss"))))
    assert '10<tspan dy="-5" class="power">3</tspan>' in svg
    assert "log axis" in svg


def test_names_at_the_ends_do_not_overlap() -> None:
    names = tuple(f"series {i}" for i in range(12))
    svg = str(draw(chart(names)))
    spans = [t for t in ET.fromstring(svg).iter("tspan") if (t.text or "").startswith("series")]  # noqa: S314
    heights = sorted(float(t.get("y", "nan")) for t in spans)
    assert len(heights) == 12
    assert all(b - a >= 13 for a, b in itertools.pairwise(heights))


def test_markup_in_a_name_is_text() -> None:
    svg = str(draw(chart(("<script>alert(1)</script>", '"><img src=x>'))))
    ET.fromstring(svg)  # noqa: S314 - our own
    assert "<script" not in svg
    assert "<img" not in svg


def test_a_window_chart_refers_to_the_curves_of_its_base() -> None:
    svg = str(draw_window(WindowChart("w", "Part", chart(), ("up",), (20, 60))))
    root = ET.fromstring(svg)  # noqa: S314 - our own
    assert [u.get("href") for u in root.iter("use")] == ["#c-axes", "#c-s1", "#c-s0"]
    [window] = [r for r in root.iter("rect") if r.get("class") == "window"]
    whole = draw(chart())
    [area] = [r for r in ET.fromstring(str(whole)).iter("rect")]  # noqa: S314 - our own
    left, width = float(area.get("x", "nan")), float(area.get("width", "nan"))
    assert float(window.get("x", "nan")) == pytest.approx(left + 0.2 * width, abs=0.06)
    assert float(window.get("width", "nan")) == pytest.approx(0.4 * width, abs=0.06)
    assert "up" in texts(svg)
    assert "down" not in texts(svg)


def test_a_window_beside_the_axis_is_held_inside() -> None:
    svg = str(draw_window(WindowChart("w", "Part", chart(), (), (-50, 500))))
    [window] = [r for r in ET.fromstring(svg).iter("rect")]  # noqa: S314 - our own
    assert float(window.get("x", "nan")) == 46


def test_seeds_are_strands_with_their_range_shaded() -> None:
    strands = ((X, X), (X, X + 5))
    one = LineChart(
        "c", "Seeds", Scale(0, 100), Scale(0, 110), (Series("a", Ink("red", 1), strands, (X, X, X + 5)),)
    )
    classes = [p.get("class") for p in ET.fromstring(str(draw(one))).iter("path")]  # noqa: S314 - our own
    assert classes.count("line thin") == 2
    assert classes.count("band") == 1


def test_inks_look_like_the_published_colours_and_differ() -> None:
    names = [i.name for i in assign(["#1f77b4", "#ff7f0e", "#2ca02c", "#1f78b4", None, "#777777"])]
    assert names[:3] == ["blue", "orange", "green"]
    assert len(set(names)) == 6
    assert [i.dash for i in assign([None] * 6)] == [0, 1, 2, 3, 4, 0]


def test_more_series_than_inks() -> None:
    assert len(assign([None] * 20)) == 20


def test_a_gauge_shows_number_interval_and_expectation() -> None:
    mark = Mark(25, (20, 30), "yes", "figure")
    gauge = Gauge((mark,), Scale(0, 50), (20, INF), "%")
    svg = str(draw_gauge(gauge))
    root = ET.fromstring(svg)  # noqa: S314 - our own
    [disc] = list(root.iter("circle"))
    assert float(disc.get("cx", "nan")) == 84  # the middle of a scale of 168
    [band] = list(root.iter("rect"))
    assert float(band.get("x", "0")) + float(band.get("width", "0")) == 168
    assert root.get("aria-label") == "figure 25 % [20, 30]; expected [20, \N{INFINITY}]"


def test_an_interval_without_end_has_an_arrow() -> None:
    bounded = Gauge((Mark(25, (20, 50), "open"),), Scale(0, 50), None, "%")
    endless = Gauge((Mark(25, (20, INF), "open"),), Scale(0, 50), None, "%")
    assert "M68.2 9H163M68.2 6v6M163 6v6" in str(draw_gauge(bounded))
    assert "M68.2 9H163M68.2 6v6M159 6L163 9l-4 3" in str(draw_gauge(endless))


def test_support_shows_in_the_shape() -> None:
    shapes = {
        s: str(draw_gauge(Gauge((Mark(1, None, s),), Scale(0, 2), None, ""))) for s in ("yes", "no", "open")
    }
    assert "cross" in shapes["no"]
    assert "<circle" not in shapes["no"]
    assert 'class="mark open"' in shapes["open"]


def test_common_scale_holds_numbers_bounds_and_expectations() -> None:
    scale = common_scale([Mark(3, (2, INF), "open")], (20, 30))
    assert scale.low <= 2
    assert scale.high >= 30
