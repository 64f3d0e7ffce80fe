"""A chart that every program can draw, and its files as a case of the benchmark."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from generator.names import LOSS_LABELS, STEP_LABELS, TITLES, pick, series_names
from generator.shapes import FloatArray, family, sample

COLORS = ("#1f77b4", "#d95f02", "#2ca02c", "#9467bd", "#8c564b")
DASHES = ("solid", "dashed", "dotted", "dashdot")
DENSE = 2000  # rows of the truth


@dataclass(frozen=True)
class Series:
    """One curve: its name, data, "#rrggbb", dash and whether its points carry markers."""

    name: str
    x: FloatArray
    y: FloatArray
    color: str
    dash: str
    markers: bool


@dataclass(frozen=True)
class Chart:
    """A chart: its curves, the limits and scales of its axes, and their titles."""

    series: tuple[Series, ...]
    x_limits: tuple[float, float]
    y_limits: tuple[float, float]
    x_log: bool
    y_log: bool
    x_label: str
    y_label: str
    title: str
    grid: bool


def draw_chart(rng: np.random.Generator) -> Chart:
    """Draw what is in a chart; the same generator state gives the same chart."""
    x_log, y_log = bool(rng.random() < 0.2), bool(rng.random() < 0.4)
    x_limits = (
        (1.0, 10.0 ** int(rng.integers(3, 6))) if x_log else (0.0, float(rng.choice([100, 5000, 20000])))
    )
    y_limits = (
        (10.0 ** -int(rng.integers(1, 3)), 10.0 ** int(rng.integers(1, 3)))
        if y_log
        else (0.0, float(rng.choice([1, 5, 12])))
    )
    count, few = int(rng.integers(1, 6)), bool(rng.random() < 0.25)
    dashed, noise = bool(rng.random() < 0.3), float(rng.choice([0, 0.004, 0.01]))
    shapes = family(rng, count, "crossing" if rng.random() < 0.4 else "apart")
    series = []
    for number, (name, shape) in enumerate(zip(series_names(rng, count), shapes, strict=True)):
        points = int(rng.integers(8, 16)) if few else int(rng.integers(60, 400))
        shape = replace(shape, noise=noise, points=points, seed=int(rng.integers(2**31)))
        x, y = sample(shape)
        dash = DASHES[number % 4] if dashed else "solid"
        data = _on_axis(0.02 + 0.96 * x, x_limits, x_log), _on_axis(0.02 + 0.96 * y, y_limits, y_log)
        series.append(Series(name, *data, COLORS[number], dash, few))
    return Chart(
        tuple(series), x_limits, y_limits, x_log, y_log, pick(rng, STEP_LABELS), pick(rng, LOSS_LABELS),
        pick(rng, TITLES) if rng.random() < 0.5 else "", bool(rng.random() < 0.5),
    )  # fmt: skip


def _on_axis(share: FloatArray, limits: tuple[float, float], log: bool) -> FloatArray:
    """Return the values at shares of an axis, with as many digits as programs are given."""
    low, high = limits
    values = low * (high / low) ** share if log else low + (high - low) * share
    return np.array([float(f"{v:.9g}") for v in values.tolist()])


def write_case(chart: Chart, slug: str, figure: bytes, suffix: str, feature: str, out: Path) -> None:
    """Write a figure with its truth as a case of the benchmark."""
    folder = out / slug
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"figure.{suffix}").write_bytes(figure)
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(("series", "x", "y"))
    for s in chart.series:
        writer.writerows((s.name, f"{x:.10g}", f"{y:.10g}") for x, y in _dense(s, chart))
    (folder / "truth.csv").write_text(table.getvalue())
    case = {
        "slug": slug,
        "figure": f"figure.{suffix}",
        "x_scale": "log" if chart.x_log else "linear",
        "y_scale": "log" if chart.y_log else "linear",
        "xlim": chart.x_limits,
        "ylim": chart.y_limits,
        "series": [s.name for s in chart.series],
        "unnamed": len(chart.series) == 1,
        "features": [f"file:{feature}", f"curves:{len(chart.series)}", f"markers:{chart.series[0].markers}"],
    }
    (folder / "case.json").write_text(json.dumps(case, indent=1, ensure_ascii=False) + "\n")


def _dense(series: Series, chart: Chart) -> list[tuple[float, float]]:
    """Return the points of a curve with others between them, on the straight lines that are drawn."""
    x, y = (np.log(v) if log else v for v, log in ((series.x, chart.x_log), (series.y, chart.y_log)))
    at = np.union1d(np.linspace(x[0], x[-1], DENSE), x)
    between = np.interp(at, x, y)
    rows = (np.exp(v) if log else v for v, log in ((at, chart.x_log), (between, chart.y_log)))
    return list(zip(*(r.tolist() for r in rows), strict=True))
