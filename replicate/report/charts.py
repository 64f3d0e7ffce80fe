"""Line charts as inline SVG: drawn here, so that they show with scripts off, on paper and to a screen reader.

A chart is drawn once. The small charts that mark a claim's window refer to its axes and series by id, so that
a report with ten claims holds its curves one time.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field

import numpy as np
from markupsafe import Markup

from replicate.report.palette import Ink
from replicate.report.paths import band_path, line_path
from replicate.report.scales import FloatArray, Scale, Tick, number
from replicate.report.svg import element, join

LINE_HEIGHT = 13.0
CHARACTER = 6.8  # mean width of a character at the charts' text size, drawing units


@dataclass(frozen=True)
class Layout:
    """The measures of a chart, in drawing units (about a CSS pixel where the page is wide)."""

    width: float = 440.0
    height: float = 286.0
    left: float = 46.0
    top: float = 24.0
    bottom: float = 42.0
    tick: float = 4.0
    label_gap: float = 12.0
    label_characters: int = 15
    ticks_x: int = 6
    ticks_y: int = 5


@dataclass(frozen=True, eq=False)
class Series:
    """A named curve of a chart: one strand, or one a seed with the spread between them.

    Attributes:
        name: What it is called at its end.
        ink: Its colour and dashes.
        strands: Pairs of x and y, each (n,) float64 in data units.
        band: x, lower and upper edge of what is shaded, or None.
    """

    name: str
    ink: Ink
    strands: tuple[tuple[FloatArray, FloatArray], ...]
    band: tuple[FloatArray, FloatArray, FloatArray] | None = None


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


@dataclass(frozen=True)
class _Frame:
    """Where the plot area lies."""

    left: float
    top: float
    right: float
    bottom: float

    def x(self, scale: Scale, values: FloatArray | float) -> FloatArray:
        """Return horizontal drawing coordinates."""
        return self.left + scale.share(values) * (self.right - self.left)

    def y(self, scale: Scale, values: FloatArray | float) -> FloatArray:
        """Return vertical drawing coordinates."""
        return self.bottom - scale.share(values) * (self.bottom - self.top)


def draw(chart: LineChart) -> Markup:
    """Return the chart as an SVG element."""
    frame = _frame(chart)
    curves = [_series(chart, frame, i) for i in range(len(chart.series))]
    body = (
        _clip(chart, frame),
        element("g", _axes(chart, frame), id=f"{chart.id}-axes", class_="axes"),
        *curves,
        _labels(chart, frame, chart.series),
    )
    return _picture(chart.id, chart.title, describe(chart), chart.layout, body)


def draw_window(chart: WindowChart) -> Markup:
    """Return the small chart as an SVG element."""
    base = chart.base
    frame = _frame(base)
    shown = [i for i, s in enumerate(base.series) if not chart.names or s.name in chart.names]
    others = [i for i in range(len(base.series)) if i not in shown]
    if chart.in_page:
        axes = element("use", href=f"#{base.id}-axes")
        curves = {i: element("use", href=f"#{base.id}-s{i}") for i in range(len(base.series))}
    else:
        axes = join((_clip(base, frame), element("g", _axes(base, frame), class_="axes")))
        curves = {i: _series(base, frame, i) for i in range(len(base.series))}
    body = (
        _window(base, frame, chart.window),
        axes,
        *(element("g", curves[i], class_="muted") for i in others),
        *(curves[i] for i in shown),
        _labels(base, frame, tuple(base.series[i] for i in shown)),
    )
    text = describe(base)
    if chart.window:
        text = f"Marked: {base.x.label or 'x'} {number(chart.window[0])} to {number(chart.window[1])}. {text}"
    return _picture(chart.id, chart.title, text, base.layout, body)


def describe(chart: LineChart) -> str:
    """Return the chart in words: its axes, and where each series starts and ends."""
    kinds = f"{chart.y.label or 'y'}{' (log axis)' if chart.y.log else ''} against {chart.x.label or 'x'}"
    kinds += " (log axis)" if chart.x.log else ""
    lines = [f"{s.name}: {_start_and_end(s)}" for s in chart.series]
    return f"{kinds}. {'; '.join(lines)}."


def _start_and_end(series: Series) -> str:
    """Return a series' first and last reading in words."""
    known = [(x[np.isfinite(y)], y[np.isfinite(y)]) for x, y in series.strands]
    known = [(x, y) for x, y in known if x.size]
    if not known:
        return "no reading"
    x, y = known[len(known) // 2]
    start, end = (f"{number(float(y[i]))} at {number(float(x[i]))}" for i in (0, -1))
    return f"from {start} to {end}"


def _picture(name: str, title: str, text: str, layout: Layout, body: tuple[Markup, ...]) -> Markup:
    """Return the outer element with its name and description for a screen reader."""
    return element(
        "svg",
        element("title", title, id=f"{name}-t"),
        element("desc", text, id=f"{name}-d"),
        *body,
        id=name,
        class_="chart",
        viewBox=f"0 0 {layout.width:g} {layout.height:g}",
        role="img",
        aria_labelledby=f"{name}-t {name}-d",
    )


def _frame(chart: LineChart) -> _Frame:
    """Return the plot area: what the labels at the lines' ends leave."""
    layout = chart.layout
    lines = [line for s in chart.series for line in _wrapped(s.name, layout)]
    room = max((len(line) for line in lines), default=0) * CHARACTER + layout.label_gap + 2
    return _Frame(layout.left, layout.top, layout.width - max(room, 14.0), layout.height - layout.bottom)


def _wrapped(name: str, layout: Layout) -> list[str]:
    """Return a series' name in at most three short lines."""
    return textwrap.wrap(
        name, layout.label_characters, max_lines=3, placeholder="\N{HORIZONTAL ELLIPSIS}"
    ) or [""]


def _axes(chart: LineChart, frame: _Frame) -> Markup:
    """Return grid, tick labels and titles of both axes."""
    layout = chart.layout
    parts = []
    for tick in chart.y.ticks(layout.ticks_y):
        at = float(frame.y(chart.y, tick.value))
        parts.append(element("path", d=f"M{frame.left:.1f} {at:.1f}H{frame.right:.1f}", class_=_grid(tick)))
        if tick.text:
            parts.append(_tick_text(tick, frame.left - 6, at + 4, "end"))
    parts.append(element("path", d=f"M{frame.left:.1f} {frame.bottom:.1f}H{frame.right:.1f}", class_="base"))
    for tick in _fitting(chart.x, layout.ticks_x, frame.right - frame.left):
        at = float(frame.x(chart.x, tick.value))
        length = layout.tick if tick.text else layout.tick / 2
        parts.append(element("path", d=f"M{at:.1f} {frame.bottom:.1f}v{length:.1f}", class_="base"))
        if tick.text:
            parts.append(_tick_text(tick, at, frame.bottom + 17, "middle"))
    middle = (frame.left + frame.right) / 2
    parts.append(element("text", chart.y.label, x=0.0, y=11.0, class_="axis"))
    parts.append(
        element("text", chart.x.label, x=middle, y=layout.height - 6, class_="axis", text_anchor="middle")
    )
    return join(parts)


def _fitting(scale: Scale, count: int, width: float) -> tuple[Tick, ...]:
    """Return the most ticks whose labels stand apart on an axis of that width."""
    while count > 1:
        ticks = scale.ticks(count)
        labelled = [t for t in ticks if t.text]
        room = max((len(t.text) for t in labelled if t.power is None), default=3) * CHARACTER + 8
        if room * len(labelled) <= width + room:
            return ticks
        count -= 1
    return scale.ticks(1)


def _grid(tick: Tick) -> str:
    """Return the class of a tick's grid line."""
    return "grid" if tick.text else "grid minor"


def _tick_text(tick: Tick, x: float, y: float, anchor: str) -> Markup:
    """Return a tick's label; a power of ten has its exponent raised."""
    if tick.power is None:
        return element("text", tick.text, x=x, y=y, text_anchor=anchor)
    power = str(tick.power).replace("-", "\N{MINUS SIGN}")
    raised = element("tspan", power, dy=-5.0, class_="power")
    return element("text", "10", raised, x=x, y=y, text_anchor=anchor)


def _clip(chart: LineChart, frame: _Frame) -> Markup:
    """Return the clipping area that holds curves inside the frame."""
    width, height = frame.right - frame.left, frame.bottom - frame.top + 2
    area = element("rect", x=frame.left, y=frame.top - 1, width=width, height=height)
    return element("defs", element("clipPath", area, id=f"{chart.id}-clip"))


def _series(chart: LineChart, frame: _Frame, index: int) -> Markup:
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


def _window(chart: LineChart, frame: _Frame, window: tuple[float, float] | None) -> Markup:
    """Return the marked stretch of x, at least a line wide."""
    if window is None:
        return Markup("")
    ends = np.clip(np.nan_to_num(chart.x.share(np.array(sorted(window))), nan=0.0), 0, 1)
    x0, x1 = (float(v) for v in frame.left + ends * (frame.right - frame.left))
    height = frame.bottom - frame.top
    return element("rect", x=x0, y=frame.top, width=max(x1 - x0, 1.5), height=height, class_="window")


def _labels(chart: LineChart, frame: _Frame, series: tuple[Series, ...]) -> Markup:
    """Return the series' names at the ends of their lines, moved apart where they would overlap."""
    ends = [(s, _end(chart, frame, s)) for s in series]
    known = sorted(((s, end) for s, end in ends if end is not None), key=lambda pair: pair[1][1])
    blocks = [_wrapped(s.name, chart.layout) for s, _ in known]
    heights = [len(block) * LINE_HEIGHT + 3 for block in blocks]
    wanted = [end[1] for _, end in known]
    centres = _spread(wanted, heights, frame.top - 8, frame.bottom + 10)
    x = frame.right + chart.layout.label_gap
    parts = []
    for (s, end), block, centre in zip(known, blocks, centres, strict=True):
        bend = frame.right + chart.layout.label_gap / 2
        leader = f"M{end[0] + 1:.1f} {end[1]:.1f}H{bend - 3:.1f}L{x - 3:.1f} {centre:.1f}"
        first = centre - (len(block) - 1) * LINE_HEIGHT / 2 + 4
        lines = [element("tspan", t, x=x, y=first + i * LINE_HEIGHT) for i, t in enumerate(block)]
        parts.append(element("path", d=leader, class_="leader"))
        parts.append(element("text", *lines, class_="name"))
        parts[-2:] = [element("g", *parts[-2:], class_=f"ink-{s.ink.name}")]
    return join(parts)


def _end(chart: LineChart, frame: _Frame, series: Series) -> tuple[float, float] | None:
    """Return where a series' middle strand ends inside the frame, or None where it has no point."""
    ends = []
    for x, y in series.strands:
        px, py = frame.x(chart.x, x), frame.y(chart.y, y)
        seen = np.flatnonzero(np.isfinite(px) & np.isfinite(py) & (px <= frame.right + 1))
        if seen.size:
            ends.append((float(px[seen[-1]]), float(np.clip(py[seen[-1]], frame.top, frame.bottom))))
    ends.sort(key=lambda end: end[1])
    return ends[len(ends) // 2] if ends else None


def _spread(wanted: list[float], heights: list[float], top: float, bottom: float) -> list[float]:
    """Return the centres of stacked labels as near to where they are wanted as fits, in the same order.

    Neighbours that overlap are joined into a block, which is then centred on what its members wanted (pool
    adjacent violators); the whole stays between top and bottom where it fits there.
    """
    blocks: list[list[int]] = []
    starts: list[float] = []
    for i in range(len(wanted)):
        blocks.append([i])
        starts.append(_start(blocks[-1], wanted, heights, top, bottom))
        while len(blocks) > 1 and starts[-2] + sum(heights[j] for j in blocks[-2]) > starts[-1]:
            last = blocks.pop()
            starts.pop()
            blocks[-1] = blocks[-1] + last
            starts[-1] = _start(blocks[-1], wanted, heights, top, bottom)
    centres = []
    for block, start in zip(blocks, starts, strict=True):
        for j in block:
            centres.append(start + heights[j] / 2)
            start += heights[j]
    return centres


def _start(block: list[int], wanted: list[float], heights: list[float], top: float, bottom: float) -> float:
    """Return where a block of labels begins so that they lie nearest to where they are wanted."""
    offsets = np.cumsum([0.0] + [heights[j] for j in block])
    starts = [wanted[j] - heights[j] / 2 - offsets[k] for k, j in enumerate(block)]
    return max(top, min(float(np.mean(starts)), bottom - float(offsets[-1])))
