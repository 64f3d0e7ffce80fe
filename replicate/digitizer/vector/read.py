"""A page of drawn paths to panels with curves: the stages in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from replicate.curves import Curve
from replicate.digitizer import colours
from replicate.digitizer.direct import LabelledText, may_name_a_curve, name_directly
from replicate.digitizer.legend import Style
from replicate.digitizer.model import AxisFit, Box, Caution, FloatArray
from replicate.digitizer.record import Panel, Series
from replicate.digitizer.series import name_lone_curve
from replicate.digitizer.settings import Settings
from replicate.digitizer.trace import Trace
from replicate.digitizer.vector import bounds, curves, keys, markers, pairing, scale
from replicate.digitizer.vector.bounds import Bounds
from replicate.digitizer.vector.calibrate import CalibratedPanel, calibrate
from replicate.digitizer.vector.curves import Ink, ink_of
from replicate.digitizer.vector.drawing import Colour
from replicate.digitizer.vector.judge import LABEL_ERROR, Findings, judge
from replicate.digitizer.vector.keys import Entry, Legend
from replicate.digitizer.vector.lettering import Lettering
from replicate.digitizer.vector.page import Page
from replicate.digitizer.vector.pairing import Candidate, Paired
from replicate.digitizer.vector.panels import find_candidates
from replicate.digitizer.vector.sides import is_number, tick_paths
from replicate.digitizer.vector.twins import assign

SLACK = 0.02  # a coordinate's rounding in the file, in units in which text is 20 high


def read_page(page: Page, wishes: Settings, first: int = 0) -> list[tuple[Panel, list[Caution]]]:
    """Read the line charts of a page.

    Args:
        page: The page.
        wishes: A person's wishes.
        first: Number of the page's first panel in the file.

    Returns:
        Its panels in reading order, in the units of the file, each with what a person should look at. Panels
        without any drawn data (tables, photographs) are left out.
    """
    numbers = [t for t in page.texts if is_number(t)]
    boxes = find_candidates(page.drawing, page.level, page.upright, numbers)
    panels = calibrate(boxes, page.texts, (page.level, page.upright), _scaled_wishes(wishes, page.factor))
    used = {id(t) for p in panels for s in p.sides.values() for t in s.used}
    free = [t for t in page.texts if id(t) not in used]
    ticks = {i for p in panels for i in tick_paths(p.box, page.level, page.upright) if not _has_area(page, i)}
    letters = {i for t in page.texts if not t.certain for i in page.within(t.text.box, 1.0)}
    legends = keys.find_legends(page, free, [p.box for p in panels], ticks | letters)
    free = [t for t in free if not any(t is e.text for k in legends if k for e in k.entries)]
    panels = [_without_named_titles(p, legends) for p in panels]
    known = keys.key_paths(page, legends) | letters | ticks
    found: list[tuple[Panel, list[Caution]]] = []
    for panel, legend in zip(panels, legends, strict=True):
        read = _read_panel(page, panel, legend, free, known, wishes, first + len(found))
        if read:
            found.append((_in_file_units(read[0], page.factor), [_caution(c, page.factor) for c in read[1]]))
    return found


def _has_area(page: Page, index: int) -> bool:
    """Whether a path is a filled shape, such as a square marker on a panel's edge, and no line."""
    x0, y0, x1, y1 = page.hulls[index]
    return page.drawing.paths[index].fill is not None and bool(min(x1 - x0, y1 - y0) > 1.0)


def _without_named_titles(panel: CalibratedPanel, legends: Sequence[Legend | None]) -> CalibratedPanel:
    """Return a panel without axis titles that turned out to be names in a legend."""
    names = {id(e.text) for legend in legends if legend for e in legend.entries}
    named = {s.title.text.text for s in panel.sides.values() if s.title and id(s.title) in names}

    def bare(axis: AxisFit | None) -> AxisFit | None:
        return replace(axis, label=None) if axis and axis.label in named else axis

    return replace(panel, x=bare(panel.x), y=bare(panel.y), y2=bare(panel.y2)) if named else panel


def _scaled_wishes(wishes: Settings, factor: float) -> Settings:
    """Return a person's calibrations in the page's units."""
    x, y = ({p * factor: v for p, v in ticks.items()} for ticks in (wishes.x_ticks, wishes.y_ticks))
    return replace(wishes, x_ticks=x, y_ticks=y)


def _read_panel(
    page: Page,
    panel: CalibratedPanel,
    legend: Legend | None,
    texts: Sequence[Lettering],
    known: set[int],
    wishes: Settings,
    number: int,
) -> tuple[Panel, list[Caution]] | None:
    """Read the curves of a panel; None where nothing is drawn in it."""
    box = panel.box
    marks = markers.find_markers(page, box, known)
    apart = known | {i for m in marks for i in m.paths}
    chains = curves.find_chains(page, box, apart)
    found, scattered = pairing.candidates_of(chains, marks)
    paired, missing = pairing.pair(found, legend, box)
    drawn = [p.curve for p in paired]
    bands, areas = bounds.find_bands(page, box, drawn, apart)
    bars = bounds.find_error_bars(page, box, drawn, apart)
    rectangles = _rectangles(page, box, apart)
    if not (found or bands or areas or scattered or rectangles >= 3):
        return None
    named = _with_names(paired, wishes)
    sides = assign([n.name for n in named], drawn, panel)
    series = _series(named, panel, sides.axes, number)
    inks = [n.curve.colour for n in named]
    series = _named_by_labels(series, inks, texts, legend, box)
    series = name_lone_curve(series, panel.y.label if panel.y else None)
    limits = _bounds([*bands, *bars], series, panel, legend, number)
    findings = Findings(
        panel,
        legend,
        tuple(e for e in missing if not _drawn_otherwise(e, page, box, scattered)),
        sum(len(m.places) for m in scattered),
        areas,
        rectangles,
        sides.guessed,
        max((c.backward for c in drawn), default=0.0),
    )
    assembled = Panel(box, (0, 0), panel.x, panel.y, panel.y2, _title(box, texts), series, 0.0, limits)
    return judge(assembled, findings)


# --- names ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Named:
    """A curve with its name."""

    curve: Candidate
    name: str
    name_from: str
    style: Style
    entry: Entry | None


def _with_names(paired: Sequence[Paired], wishes: Settings) -> list[_Named]:
    """Return the curves with their names: a person's, the legend's, or their colours' own."""
    given = {name: _rgb(c) for name, c in wishes.series.items()}
    if given:
        by_colour = [
            (p, next((n for n, c in given.items() if _near(c, p.curve.colour)), None)) for p in paired
        ]
        return [_Named(p.curve, n, "person", _style(p.curve), None) for p, n in by_colour if n]
    plain = [colours.name_of(np.array(_seen(p.curve), np.float32)) for p in paired if p.entry is None]
    distinct = iter(colours.distinct_names(plain))
    return [
        _Named(p.curve, p.entry.name, "legend", _style(p.curve), p.entry)
        if p.entry
        else _Named(p.curve, next(distinct), "colour", _style(p.curve), None)
        for p in paired
    ]


def _rgb(text: str) -> Colour:
    """Return "#rrggbb" as a colour."""
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def _near(a: Colour, b: Colour, slack: int = 24) -> bool:
    """Whether two colours are about the same."""
    return max(abs(p - q) for p, q in zip(a, b, strict=True)) <= slack


def _seen(curve: Candidate) -> Colour:
    """Return a curve's colour as it looks on white."""
    opacity = curve.ink.opacity if curve.ink else 1.0
    r, g, b = (round(255 - (255 - c) * opacity) for c in curve.colour)
    return r, g, b


def _style(curve: Candidate) -> Style:
    """Return how a curve's line is drawn."""
    if curve.ink is None:
        return "markers"
    return dash_style(curve.ink)


def dash_style(ink: Ink) -> Style:
    """Return the name of a dash pattern."""
    drawn = ink.dash[::2]
    if not drawn or not any(ink.dash[1::2]):
        return "solid"
    if len(ink.dash) >= 4 and max(drawn) >= 2 * min(drawn):
        return "dashdot"
    return "dotted" if max(drawn) <= 1.8 * max(ink.width, 1.0) else "dashed"


# --- numbers ----------------------------------------------------------------------------------------------


def _series(
    named: Sequence[_Named], panel: CalibratedPanel, sides: Sequence[str], number: int
) -> tuple[Series, ...]:
    """Return curves with numbers."""
    found = []
    for n, side in zip(named, sides, strict=True):
        y_axis = panel.y2 if side == "y2" else panel.y
        if panel.x is None or y_axis is None:
            continue
        points = n.curve.points
        curve = _to_curve(n.name, points, panel.x, y_axis, number, _slack(panel, y_axis))
        half = (n.curve.ink.width if n.curve.ink else 0.0) / 2
        seen = np.ones(len(points), bool)
        trace = Trace(points[:, 0], points[:, 1], points[:, 1] - half, points[:, 1] + half, seen, 2 * half)
        hex_ = colours.to_hex(np.array(_seen(n.curve), np.float32))
        axis = "y2" if side == "y2" else "y"
        found.append(Series(n.name, n.name_from, hex_, axis, n.style, trace, curve, 1.0))  # type: ignore[arg-type]
    return tuple(found)


def _slack(panel: CalibratedPanel, y_axis: AxisFit) -> float:
    """Return how far a vertex may be off: the axis' residual, and the file's rounding or that of labels' places."""
    return y_axis.residual_px + (SLACK if panel.is_marked(y_axis) else LABEL_ERROR)


def _to_curve(
    name: str, points: FloatArray, x_axis: AxisFit, y_axis: AxisFit, number: int, slack: float
) -> Curve:
    """Turn vertices into numbers that may be off by `slack` on the page."""
    points = _ascending(points)
    x = x_axis.to_value(points[:, 0])
    with np.errstate(over="ignore"):
        y, a, b = (y_axis.to_value(points[:, 1] + d) for d in (0.0, -slack, slack))
    sound = np.isfinite(x) & np.isfinite(y) & np.isfinite(a) & np.isfinite(b)
    kept = np.flatnonzero(sound)
    kept = kept[::-1] if len(x) > 1 and x[-1] < x[0] else kept
    x, y, a, b = (v[kept] for v in (x, y, a, b))
    return Curve.from_points(name, x, y, np.minimum(a, b), np.maximum(a, b), panel=number)


def _ascending(points: FloatArray, step: float = 1e-5) -> FloatArray:
    """Return points with those at one x a hair apart, so that a sorted table keeps the order of upright strokes."""
    same = np.diff(points[:, 0], prepend=np.nan) == 0
    if not same.any():
        return points
    runs = np.arange(len(points))
    rank = runs - np.maximum.accumulate(np.where(same, 0, runs))
    return np.column_stack((points[:, 0] + step * rank, points[:, 1]))


def _bounds(
    found: Sequence[Bounds],
    series: Sequence[Series],
    panel: CalibratedPanel,
    legend: Legend | None,
    number: int,
) -> tuple[Curve, ...]:
    """Return the edges of bands and the ends of error bars as curves named after theirs."""
    out: list[Curve] = []
    taken: set[str] = set()
    for b in found:
        owner = series[b.owner] if 0 <= b.owner < len(series) else None
        name = owner.name if owner else _name_of_band(b, legend)
        y_axis = panel.y2 if owner and owner.axis == "y2" else panel.y
        if panel.x is None or y_axis is None or name in taken:
            continue
        taken.add(name)
        slack = _slack(panel, y_axis)
        edges = [_to_curve(name, points, panel.x, y_axis, number, slack) for points in (b.lower, b.upper)]
        low, high = sorted(edges, key=lambda c: float(np.median(c.y)) if len(c) else 0.0)
        out += [replace(low, name=f"{name} (lower)"), replace(high, name=f"{name} (upper)")]
    return tuple(out)


def _name_of_band(band: Bounds, legend: Legend | None) -> str:
    """Return the name of a band that belongs to no curve: its legend's, else its colour's."""
    entries = legend.entries if legend else ()
    name = next((e.name for e in entries if e.key.patch and _near(e.key.patch, band.colour, 8)), None)
    return name or colours.name_of(np.array(band.colour, np.float32))


# --- texts and other drawings -----------------------------------------------------------------------------


def _named_by_labels(
    series: tuple[Series, ...],
    inks: Sequence[Colour],
    texts: Sequence[Lettering],
    legend: Legend | None,
    box: Box,
) -> tuple[Series, ...]:
    """Name curves by the texts written beside them, where there is no legend; a faint curve's label is not faint."""
    if legend is not None:
        return series
    near = [t for t in texts if may_name_a_curve(t.text, box)]
    labels = [LabelledText(t.text, np.array(t.colour, np.float32)) for t in near]
    inked = [replace(s, color="#{:02x}{:02x}{:02x}".format(*c)) for s, c in zip(series, inks, strict=True)]
    named = name_directly(inked, labels, (0, 0))
    return tuple(replace(n, color=s.color) for n, s in zip(named, series, strict=True))


def _drawn_otherwise(entry: Entry, page: Page, box: Box, scattered: Sequence[markers.Markers]) -> bool:
    """Whether an entry stands for something that is no curve: an upright line, or scattered points."""
    if entry.key.line is None:
        return any(entry.key.marker and m.kind.shape == entry.key.marker.shape for m in scattered)
    s = page.upright
    inside = (s.position > box.x0) & (s.position < box.x1) & (s.length > 0.3 * box.height)
    inks = (ink_of(page.drawing.paths[k]) for k in s.owner[inside].tolist())
    return any(ink is not None and ink.colour == entry.key.line.colour for ink in inks)


def _rectangles(page: Page, box: Box, without: set[int]) -> int:
    """Return how many filled rectangles stand on a common base: the bars of a bar chart or histogram."""
    h = page.hulls
    bases: dict[tuple[Colour | None, int], int] = {}
    for index in page.within(box, 1.0):
        path = page.drawing.paths[index]
        if index in without or path.fill is None or len(path.subpaths[0].points) not in (4, 5):
            continue
        if h[index][3] - h[index][1] > 2 and 2 < h[index][2] - h[index][0] < 0.5 * box.width:
            key = (path.fill, round(float(h[index][3])))
            bases[key] = bases.get(key, 0) + 1
    return max(bases.values(), default=0)


def _title(box: Box, texts: Sequence[Lettering]) -> str | None:
    """Return the text just above a panel, near its middle."""
    above = [
        t
        for t in texts
        if not t.text.vertical
        and 0 <= box.y0 - t.text.box.y1 <= 3 * t.size
        and abs(t.text.box.centre[0] - box.centre[0]) <= 0.3 * box.width
    ]
    return min(above, key=lambda t: box.y0 - t.text.box.y1).text.text if above else None


def _in_file_units(panel: Panel, factor: float) -> Panel:
    """Return a panel in the units of its file."""
    k = 1 / factor
    series = tuple(
        replace(s, trace=replace(
            s.trace, columns=s.trace.columns * k, rows=s.trace.rows * k, top=s.trace.top * k,
            bottom=s.trace.bottom * k, thickness=s.trace.thickness * k,
        ))
        for s in panel.series
    )  # fmt: skip
    x, y, y2 = (scale.scale_axis(axis, k) for axis in (panel.x_axis, panel.y_axis, panel.y2_axis))
    return replace(panel, box=scale.scale_box(panel.box, k), x_axis=x, y_axis=y, y2_axis=y2, series=series)


def _caution(caution: Caution, factor: float) -> Caution:
    """Return a caution with its place in the units of the file."""
    return replace(caution, where=scale.scale_box(caution.where, 1 / factor)) if caution.where else caution
