"""The charts of a report: published and rerun curves, absolute and as share of the run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from replicate.audit.evidence import match_names
from replicate.curves import BOUND_SUFFIXES, Curve, CurveSet
from replicate.report.charts import LineChart, Series, WindowChart
from replicate.report.material import Material, Record, panel_of
from replicate.report.page import Figure, Table
from replicate.report.palette import Ink, assign
from replicate.report.scales import FloatArray, Scale, number, spanning

SPLITS = (
    "val",
    "validation",
    "test",
    "train",
)  # which loss is shown where a rerun has several: the first there is
WIDE_BAND = 0.015  # reading bounds are drawn where they are usually wider than this share of the axis
ROWS = 9
WINDOW_ROWS = 3
LONG = (
    50  # an axis' name with more characters than this is cut at its first comma, and stands whole in the note
)
RATE = "@"  # what parts an arm's name from another learning rate than the shared one
ZOOM_BELOW = 0.3  # a window shorter than this share of the axis gets a chart of its own
MARGIN = 0.25  # what that chart shows on either side of the window, as share of the window


def inks(material: Material) -> dict[str, Ink]:
    """Return the ink of every series, the same in all charts, as near to the published colours as may be.

    An arm has the ink of its published curve; at another learning rate it has another dash pattern.
    """
    colours: dict[str, str | None] = {}
    for panel in (material.digitization or {}).get("panels", ()):
        colours.update({s["name"]: s.get("color") for s in panel["series"]})
    for curve in _curves(material.published):
        if not curve.is_bound:
            colours.setdefault(curve.name, None)
    runs = {c.name: c.run.arm if c.run else "" for c in _curves(material.rerun)}
    alike = match_names([name for name, arm in runs.items() if RATE not in arm], list(colours))
    colours.update({name: None for name, arm in runs.items() if RATE not in arm and name not in alike})
    found = dict(zip(colours, assign(list(colours.values())), strict=True))
    found.update({name: found[published] for name, published in alike.items()})
    by_arm = {arm: found[name] for name, arm in runs.items() if RATE not in arm}
    for name, arm in runs.items():
        if RATE in arm:
            base = arm.partition(RATE)[0]
            by_arm[base] = found[name] = by_arm[base].next_dash() if base in by_arm else assign([None])[0]
    return found


def published_charts(material: Material, ink: dict[str, Ink]) -> tuple[LineChart, ...]:
    """Return a chart for each panel and y axis of the published figure."""
    if material.published is None:
        return ()
    groups: dict[tuple[int, str], list[Curve]] = {}
    for curve in material.published.curves:
        if not curve.is_bound:
            groups.setdefault((curve.panel, _axis(material.digitization, curve)), []).append(curve)
    charts: list[LineChart] = []
    for (panel, axis), found in sorted(groups.items()):
        curves = _as_in_legend(found, panel_of(material.digitization, panel))
        x = _published_scale(material.digitization, panel, "x", curves)
        y = _published_scale(material.digitization, panel, axis, curves)
        part = f", panel {panel + 1}" if len({p for p, _ in groups}) > 1 else ""
        part += ", second y axis" if axis == "y2" else ""
        series = tuple(_published_series(material.published, c, ink[c.name], y) for c in curves)
        name = "published" if not charts else f"published-{panel}-{axis}"
        charts.append(LineChart(f"{name}-chart", f"Published{part}, as digitized", x, y, series))
    return tuple(charts)


def rerun_charts(material: Material, ink: dict[str, Ink], *, log: bool) -> tuple[LineChart, ...]:
    """Return the charts of the rerun, every seed a strand: the published arms, then ablations and other rates.

    Args:
        material: Everything about the figure.
        ink: The ink of every series.
        log: Whether the published y axis is logarithmic, for both are to have the same form.
    """
    curves = shown_runs(material.rerun)
    run = material.run or {}
    published = {a["arm"] for a in run.get("arms", ()) if a.get("role", "published") == "published"}
    main = [
        c for c in curves if c.run and RATE not in c.run.arm and (not published or c.run.arm in published)
    ]
    others = [c for c in curves if all(c is not m for m in main)]
    scale = f", {run['scale']} scale" if run.get("scale") else ""
    named = ((f"Rerun{scale}", "rerun-chart", main), ("Rerun: other arms and rates", "others-chart", others))
    return tuple(_rerun_chart(material, ink, *each, log=log) for each in named if each[2])


def _rerun_chart(
    material: Material, ink: dict[str, Ink], title: str, name: str, curves: Sequence[Curve], *, log: bool
) -> LineChart:
    """Return a chart of some of the rerun's curves."""
    run = material.run or {}
    x_name, y_name = _title(run.get("x") or "step"), _title(run.get("y") or "loss")
    short = y_name.partition(",")[0] if len(y_name) > LONG else y_name
    x = spanning(np.concatenate([c.x for c in curves]), label=x_name, floor=0.0)
    y = spanning(np.concatenate([c.y for c in curves]), log=log, label=short)
    names = list(dict.fromkeys(c.name for c in curves))
    series = tuple(_rerun_series(n, [c for c in curves if c.name == n], ink[n]) for n in names)
    seeds = len({c.run.seed for c in curves if c.run})
    unfinished = "; not finished" if material.partial else ""
    note = f"{seeds} seed{'s' if seeds > 1 else ''}: each a line, their range shaded{unfinished}"
    note += f". {y_name}" if short != y_name else ""
    return LineChart(name, title, x, y, series, note)


def _title(name: str) -> str:
    """Return an axis' name as a title: its first letter large, the others as they are."""
    return name[:1].upper() + name[1:]


def as_shares(charts: Sequence[LineChart]) -> tuple[LineChart, ...]:
    """Return the charts with x as share of their own run, in per cent, and one y axis for all."""
    log = charts[0].y.log
    values = [v for c in charts for s in c.series for _, v in s.strands]
    y = spanning(np.concatenate(values), log=log)
    return tuple(_as_share(chart, replace(y, label=chart.y.label)) for chart in charts)


def zoomed(chart: LineChart, name: str, window: tuple[float, float]) -> LineChart | None:
    """Return the chart around a short window; None where the window is long enough to be seen in the whole.

    Args:
        chart: The whole chart.
        name: The id of the new one.
        window: First and last x of what is to be seen, data units.
    """
    low, high = sorted(window)
    ends = chart.x.share(np.array([low, high]))
    if chart.x.log or not 0 < ends[1] - ends[0] < ZOOM_BELOW:
        return None
    margin = MARGIN * (high - low)
    start, end = max(chart.x.low, low - margin), min(chart.x.high, high + margin)
    series = tuple(_cut(s, start, end) for s in chart.series)
    values = [y[np.isfinite(y)] for s in series for x, y in s.strands]
    y = spanning(np.concatenate(values), log=chart.y.log, label=chart.y.label)
    x = replace(chart.x, low=start, high=end)
    return LineChart(name, f"{chart.title}, {x.text(start)} to {x.text(end)}", x, y, series, chart.note)


def _cut(series: Series, start: float, end: float) -> Series:
    """Return a series between two x, with one point beyond each so that lines run to the edge."""

    def cut(x: FloatArray, *values: FloatArray) -> tuple[FloatArray, ...]:
        part = slice(max(0, int(x.searchsorted(start)) - 1), int(x.searchsorted(end, "right")) + 1)
        return (x[part], *(v[part] for v in values))

    strands = tuple((x, y) for x, y in (cut(x, y) for x, y in series.strands))
    band = None
    if series.band is not None:
        x, low, high = cut(*series.band)
        band = (x, low, high)
    return replace(series, strands=strands, band=band)


def figure(chart: LineChart) -> Figure:
    """Return the chart with a table of some of its readings."""
    return Figure(chart, _readings(chart))


def readings_in(chart: WindowChart) -> Table:
    """Return the readings of a window's series at its ends and in its middle; over the whole axis without one."""
    base = chart.base
    low, high = chart.window or (base.x.low, base.x.high)
    places = [low] if low == high else _spaced(replace(base.x, low=low, high=high), WINDOW_ROWS)
    shown = [s for s in base.series if not chart.names or s.name in chart.names]
    return _table(f"{chart.title}: readings", base.x, places, shown)


def shown_runs(curves: CurveSet | None) -> list[Curve]:
    """Return the curves of a rerun that a chart shows: those of the held-out loss where there is one."""
    runs = [c for c in _curves(curves) if not c.is_bound]
    splits = {c.run.split for c in runs if c.run}
    shown = next((s for s in SPLITS if s in splits), None) or next(iter(sorted(splits)), None)
    return [c for c in runs if shown is None or (c.run is not None and c.run.split == shown)]


def _curves(curves: CurveSet | None) -> tuple[Curve, ...]:
    """Return the curves of a set, none for None."""
    return curves.curves if curves is not None else ()


def _as_in_legend(curves: Sequence[Curve], panel: Record | None) -> list[Curve]:
    """Return a panel's curves in the order of its record, which is that of the legend; others after them."""
    order = [str(s["name"]) for s in (panel or {"series": ()})["series"]]
    return sorted(curves, key=lambda c: order.index(c.name) if c.name in order else len(order))


def _axis(record: Record | None, curve: Curve) -> str:
    """Return which y axis a published curve belongs to."""
    panel = panel_of(record, curve.panel) or {"series": ()}
    return next((s.get("axis", "y") for s in panel["series"] if s["name"] == curve.name), "y")


def _published_scale(record: Record | None, panel: int, axis: str, curves: Sequence[Curve]) -> Scale:
    """Return a published axis: the digitized limits where they are known, else what holds the curves."""
    known = (panel_of(record, panel) or {}).get(f"{axis}_axis")
    values = np.concatenate([c.x if axis == "x" else c.y for c in curves])
    if not known or None in known["limits"]:
        return spanning(values, label="x" if axis == "x" else "y")
    low, high = sorted(known["limits"])
    log = known["scale"] == "log" and low > 0
    marks = _marks(known) if known["scale"] in ("date", "category") else ()
    label = known.get("label") or ("x" if axis == "x" else "y")
    return Scale(low, high, log, label, marks, known["scale"] == "date")


def _marks(axis: Record) -> tuple[tuple[float, str], ...]:
    """Return the ticks of an axis as they stand in the figure, in the order of their values."""
    used = [t for t in axis["ticks"] if t["used"] and t["value"] is not None]
    return tuple(sorted({float(t["value"]): str(t["text"]) for t in used}.items()))


def _published_series(curves: CurveSet, curve: Curve, ink: Ink, y: Scale) -> Series:
    """Return a published curve with its drawn band, or with its reading bounds where those are wide."""
    edges = {c.name: c for c in curves.curves if c.panel == curve.panel}
    lower, upper = (edges.get(curve.name + suffix) for suffix in BOUND_SUFFIXES)
    band = None
    if lower is not None and upper is not None:
        band = (lower.x, lower.y, np.interp(lower.x, upper.x, upper.y))
    elif _is_wide(y.share(curve.y_hi) - y.share(curve.y_lo)):
        band = (curve.x, curve.y_lo, curve.y_hi)
    return Series(curve.name, ink, ((curve.x, curve.y),), band)


def _is_wide(widths: FloatArray) -> bool:
    """Return whether reading bounds, as shares of the axis, are usually wide enough to be drawn."""
    known = widths[np.isfinite(widths)]
    return bool(known.size and np.median(known) > WIDE_BAND)


def _rerun_series(name: str, curves: Sequence[Curve], ink: Ink) -> Series:
    """Return the seeds of one series and the range between them."""
    strands = tuple((c.x, c.y) for c in curves)
    band = None
    if len(curves) > 1 and all(np.array_equal(c.x, curves[0].x) for c in curves):
        stacked = np.stack([c.y for c in curves])
        band = (curves[0].x, stacked.min(axis=0), stacked.max(axis=0))
    return Series(name, ink, strands, band, tuple(c.run.seed for c in curves if c.run))


def _as_share(chart: LineChart, y: Scale) -> LineChart:
    """Return a chart with x as share of its run."""
    ends = [float(x[-1]) for s in chart.series for x, _ in s.strands if len(x)]
    end = max(ends, default=1.0) or 1.0
    x = Scale(0.0, 100.0, label="Share of the run, %")
    series = tuple(_scaled(s, 100.0 / end) for s in chart.series)
    return LineChart(
        chart.id.replace("-chart", "-share"), f"{chart.title}, as share of the run", x, y, series
    )


def _scaled(series: Series, factor: float) -> Series:
    """Return a series with x times a factor."""
    strands = tuple((x * factor, y) for x, y in series.strands)
    band = series.band and (series.band[0] * factor, series.band[1], series.band[2])
    return replace(series, strands=strands, band=band)


def _readings(chart: LineChart) -> Table:
    """Return the readings of all series at evenly spaced x (evenly in ratio on a log axis)."""
    return _table(f"{chart.title}: readings", chart.x, _spaced(chart.x, ROWS), chart.series)


def _spaced(x: Scale, count: int) -> list[float]:
    """Return places along an axis, evenly spaced as it is drawn; each category of one that has categories."""
    if x.marks and not x.dates:
        return [v for v, _ in x.marks if x.low <= v <= x.high]
    spaced = np.geomspace if x.log and x.low > 0 else np.linspace
    return [float(v) for v in spaced(x.low, x.high, count)]


def _table(caption: str, x: Scale, places: Sequence[float], series: Sequence[Series]) -> Table:
    """Return the readings of some series at some places."""
    rows = tuple((x.text(place), *(_reading(s, place) for s in series)) for place in places)
    header = (x.label, *(s.name for s in series))
    return Table(caption, header, rows, numeric=tuple(range(len(header))))


def _reading(series: Series, place: float) -> str:
    """Return a series' value at x, or the range over its strands; a dash outside its range."""
    values = [_interpolated(x, y, place) for x, y in series.strands]
    known = sorted(v for v in values if np.isfinite(v))
    if not known:
        return number(None)
    low, high = number(known[0], 4), number(known[-1], 4)
    return low if low == high else f"{low} to {high}"


def _interpolated(x: FloatArray, y: FloatArray, place: float) -> float:
    """Return the value between the neighbours of x; NaN outside the curve."""
    if not len(x) or not x[0] <= place <= x[-1]:
        return float("nan")
    return float(np.interp(place, x, y))
