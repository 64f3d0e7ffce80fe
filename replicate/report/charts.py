"""Line charts as inline SVG: drawn here, so that they show with scripts off, on paper and to a screen reader.

A chart is drawn once. The small charts that mark a claim's window refer to its axes and series by id, so that
a report with ten claims holds its curves one time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from markupsafe import Markup

from replicate.report.axes import draw_axes
from replicate.report.labels import Label, draw_labels, wrapped
from replicate.report.layout import CHARACTER, Frame, Layout
from replicate.report.palette import Ink
from replicate.report.paths import band_path, line_path
from replicate.report.scales import FloatArray, Scale, number
from replicate.report.svg import element, join


@dataclass(frozen=True, eq=False)
class Series:
    """A named curve of a chart: one strand, or one a seed with the spread between them.

    Attributes:
        name: What it is called at its end.
        ink: Its colour and dashes.
        strands: Pairs of x and y, each (n,) float64 in data units.
        band: x, lower and upper edge of what is shaded, or None.
        seeds: The seed of each strand; empty for a published curve.
    """

    name: str
    ink: Ink
    strands: tuple[tuple[FloatArray, FloatArray], ...]
    band: tuple[FloatArray, FloatArray, FloatArray] | None = None
    seeds: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class LineChart:
    """A line chart.

    Attributes:
        id: Its id in the page; series i is ``<id>-s<i>``.
        title: What it shows, one line.
        x: Its horizontal axis.
        y: Its vertical axis.
        series: Its curves.
        note: A sentence under the title, or empty.
        layout: Its measures.
    """

    id: str
    title: str
    x: Scale
    y: Scale
    series: tuple[Series, ...]
    note: str = ""
    layout: Layout = field(default_factory=Layout)


@dataclass(frozen=True, eq=False)
class WindowChart:
    """A chart drawn again with a stretch of x marked and only some of its series.

    Attributes:
        id: Its id in the page.
        title: What it shows, one line.
        base: The chart whose curves it shows.
        names: The series that matter here; empty for all of them.
        window: First and last x of the marked stretch, data units, or None.
        in_page: Whether the base is drawn elsewhere in the page, so that its parts are only referred to.
    """

    id: str
    title: str
    base: LineChart
    names: tuple[str, ...] = ()
    window: tuple[float, float] | None = None
    in_page: bool = True


def draw(chart: LineChart) -> Markup:
    """Return the chart as an SVG element."""
    frame = _frame(chart)
    curves = [_series(chart, frame, i) for i in range(len(chart.series))]
    body = (
        _clip(chart, frame),
        _axes_of(chart, frame),
        *curves,
        _labels(chart, frame, chart.series),
    )
    described = element("desc", describe(chart), id=f"{chart.id}-d")
    return _picture(chart.id, chart.title, f"{chart.id}-d", chart.layout, (described, *body))


def draw_window(chart: WindowChart) -> Markup:
    """Return the small chart as an SVG element."""
    base = chart.base
    frame = _frame(base)
    shown = [i for i, s in enumerate(base.series) if not chart.names or s.name in chart.names]
    others = [i for i in range(len(base.series)) if i not in shown]
    if chart.in_page:
        axes, described = element("use", href=f"#{base.id}-axes"), Markup("")
        curves = {i: element("use", href=f"#{base.id}-s{i}") for i in range(len(base.series))}
    else:
        axes = join((_clip(base, frame), _axes_of(base, frame)))
        described = element("desc", describe(base), id=f"{base.id}-d")
        curves = {i: _series(base, frame, i) for i in range(len(base.series))}
    body = (
        described,
        _window(base, frame, chart.window),
        axes,
        element("g", *(curves[i] for i in others), class_="muted") if others else Markup(""),
        *(curves[i] for i in shown),
        _labels(base, frame, tuple(base.series[i] for i in shown)),
    )
    title = chart.title
    if chart.window:
        start, end = map(base.x.text, chart.window)
        title += f"; marked: {base.x.label or 'x'} {start} to {end}"
    return _picture(chart.id, title, f"{base.id}-d", base.layout, body)


def describe(chart: LineChart) -> str:
    """Return the chart in words: its axes, and where each series starts and ends."""
    kinds = f"{chart.y.label or 'y'}{' (log axis)' if chart.y.log else ''} against {chart.x.label or 'x'}"
    kinds += " (log axis)" if chart.x.log else ""
    lines = [f"{s.name}: {_start_and_end(s, chart.x)}" for s in chart.series]
    return f"{kinds}. {'; '.join(lines)}."


def _start_and_end(series: Series, axis: Scale) -> str:
    """Return a series' first and last reading in words."""
    known = [(x[np.isfinite(y)], y[np.isfinite(y)]) for x, y in series.strands]
    known = [(x, y) for x, y in known if x.size]
    if not known:
        return "no reading"
    x, y = known[len(known) // 2]
    start, end = (f"{number(float(y[i]))} at {axis.text(float(x[i]))}" for i in (0, -1))
    return f"from {start} to {end}"


def _picture(name: str, title: str, described: str, layout: Layout, body: tuple[Markup, ...]) -> Markup:
    """Return the outer element; for a screen reader it has a title and is described by the element named."""
    return element(
        "svg",
        element("title", title, id=f"{name}-t"),
        *body,
        id=name,
        class_="chart",
        viewBox=f"0 0 {layout.width:g} {layout.height:g}",
        role="img",
        aria_labelledby=f"{name}-t",
        aria_describedby=described,
    )


def _frame(chart: LineChart) -> Frame:
    """Return the plot area: what the labels at the lines' ends leave."""
    layout = chart.layout
    lines = [line for s in chart.series for line in wrapped(s.name, layout)]
    room = max((len(line) for line in lines), default=0) * CHARACTER + layout.label_gap + 2
    return Frame(layout.left, layout.top, layout.width - max(room, 14.0), layout.height - layout.bottom)


def _clip(chart: LineChart, frame: Frame) -> Markup:
    """Return the clipping area that holds curves inside the frame."""
    width, height = frame.right - frame.left, frame.bottom - frame.top + 2
    area = element("rect", x=frame.left, y=frame.top - 1, width=width, height=height)
    return element("defs", element("clipPath", area, id=f"{chart.id}-clip"))


def _series(chart: LineChart, frame: Frame, index: int) -> Markup:
    """Return the strands and the spread of one series."""
    series = chart.series[index]
    parts = []
    if series.band is not None:
        x, low, high = series.band
        d = band_path(frame.x(chart.x, x), frame.y(chart.y, low), frame.y(chart.y, high))
        parts.append(element("path", d=d, class_="band"))
    several = len(series.strands) > 1
    for x, y in series.strands:
        d = line_path(frame.x(chart.x, x), frame.y(chart.y, y))
        parts.append(element("path", d=d, class_="line thin" if several else "line"))
    clip = f"url(#{chart.id}-clip)"
    return element("g", *parts, id=f"{chart.id}-s{index}", class_=series.ink.css, clip_path=clip)


def _window(chart: LineChart, frame: Frame, window: tuple[float, float] | None) -> Markup:
    """Return the marked stretch of x, at least a line wide."""
    if window is None:
        return Markup("")
    ends = np.clip(np.nan_to_num(chart.x.share(np.array(sorted(window))), nan=0.0), 0, 1)
    x0, x1 = (float(v) for v in frame.left + ends * (frame.right - frame.left))
    height = frame.bottom - frame.top
    return element("rect", x=x0, y=frame.top, width=max(x1 - x0, 1.5), height=height, class_="window")


def _axes_of(chart: LineChart, frame: Frame) -> Markup:
    """Return the chart's axes, to be referred to by other charts."""
    axes = draw_axes(chart.x, chart.y, frame, chart.layout)
    return element("g", axes, id=f"{chart.id}-axes", class_="axes")


def _labels(chart: LineChart, frame: Frame, series: Sequence[Series]) -> Markup:
    """Return the names of the series that have a point in the frame."""
    ends = [(s, _end(chart, frame, s)) for s in series]
    labels = [Label(s.name, s.ink, end) for s, end in ends if end is not None]
    return draw_labels(labels, frame, chart.layout)


def _end(chart: LineChart, frame: Frame, series: Series) -> tuple[float, float] | None:
    """Return where a series' middle strand ends inside the frame, or None where it has no point."""
    ends = []
    for x, y in series.strands:
        px, py = frame.x(chart.x, x), frame.y(chart.y, y)
        seen = np.flatnonzero(np.isfinite(px) & np.isfinite(py) & (px <= frame.right + 1))
        if seen.size:
            ends.append((float(px[seen[-1]]), float(np.clip(py[seen[-1]], frame.top, frame.bottom))))
    ends.sort(key=lambda end: end[1])
    return ends[len(ends) // 2] if ends else None
