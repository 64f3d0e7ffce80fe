"""From a calibrated panel to its series: colours, ink, traces, numbers, names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from replicate.curves import Curve
from replicate.digitizer import colours, ink, shades
from replicate.digitizer.bands import Band, bands_of
from replicate.digitizer.direct import LabelledText, name_directly
from replicate.digitizer.ground import Ground, Pixels
from replicate.digitizer.legend import Entry, Legend, Style
from replicate.digitizer.model import AxisFit, Box, TextBox
from replicate.digitizer.record import Series
from replicate.digitizer.settings import Settings
from replicate.digitizer.trace import Trace, extend_along, stray_share, trace_several, widen_covered_ends
from replicate.digitizer.twin import Assignment, assign_axes
from replicate.digitizer.veil import lift

Mask = NDArray[np.bool_]
NameSource = Literal["legend", "label", "colour", "person"]


@dataclass(frozen=True)
class SeriesSettings:
    """Thresholds of the choice of series.

    Attributes:
        least_columns: Share of the panel's width that a curve without a name must be seen in.
        least_named: The same for a curve with a name.
        level: Departure below which an unnamed line is a grid or reference line, pixels.
        text_score: Texts in the panel read at least this surely are no ink.
        key_refine: How much stronger than its key a curve's ink may be, as a factor.
    """

    least_columns: float = 0.1
    least_named: float = 0.01
    level: float = 0.7
    text_score: float = 0.8
    key_refine: float = 2.5


@dataclass(frozen=True, eq=False)
class SeriesReading:
    """What was read in a panel.

    Attributes:
        origin: (x, y) of the interior's first pixel.
        series: The curves.
        missing: Names in the legend for which no ink was found.
        unexplained: Share of the panel's strong ink that no curve explains.
        axis_guessed: Whether the curves' y axes had to be guessed.
        noise: The picture's noise (see `Ground.noise`), grey levels.
        stray: Largest share of a curve's ink that lies off its trace.
        bounds: The edges of the curves' bands.
        offset_unread: Whether a factor stands at an axis' end that could not be read.
        loose_text: Whether words stand in a panel without a legend that might name its curves.
        inks: The colours that the panel's ink was unmixed into, (3,) float32 RGB each.
        coverage: Their shares of every pixel.
    """

    origin: tuple[int, int]
    series: tuple[Series, ...]
    missing: tuple[str, ...]
    unexplained: float
    axis_guessed: bool = False
    noise: float = 0.0
    offset_unread: bool = False
    loose_text: bool = False
    stray: float = 0.0
    inks: tuple[Pixels, ...] = ()
    coverage: ink.Coverage | None = None
    bounds: tuple[Curve, ...] = ()


@dataclass(frozen=True, eq=False)
class Named:
    """A colour with the name of its curve."""

    colour: Pixels
    name: str
    name_from: NameSource
    style: Style


@dataclass(frozen=True, eq=False)
class PanelAxes:
    """A panel's axes as far as they could be read, and the colours of the y axes' labels."""

    x: AxisFit | None
    y: AxisFit | None
    y2: AxisFit | None = None
    left_colour: Pixels | None = None
    right_colour: Pixels | None = None


def read_series(
    ground: Ground,
    axes: PanelAxes,
    legend: Legend | None,
    texts: Sequence[TextBox],
    labels: Sequence[LabelledText],
    number: int,
    settings: Settings,
) -> SeriesReading:
    """Read the curves of a panel.

    Args:
        ground: The panel's interior and its ground.
        axes: The panel's axes.
        legend: The legend, if one was found.
        texts: Texts that are no tick labels.
        labels: Those of them that may name a curve beside it.
        number: The panel's number, for the curve table.
        settings: A person's wishes.

    Returns:
        The series; none where an axis is missing, since there are no numbers without it.
    """
    hidden = hidden_mask(ground, legend, texts)
    named = name_colours(ground, hidden, legend, settings)
    if legend and legend.framed:
        solid = [b for e in legend.entries for b in (e.key.box, e.text.box)]
        solid += [t.box for t in texts if t.box.x0 >= legend.box.x0 and t.box.x1 <= legend.box.x1]
        ground, hidden = lift(ground, hidden, legend.box, solid, [n.colour for n in named])
    groups = group_by_colour(named)
    inks = [group[0].colour for group in groups]
    coverage = shades.unmix(ground, inks, hidden)
    paired: list[tuple[Named, Trace | None]] = []
    stray = 0.0
    for group, own in zip(groups, coverage, strict=True):
        found = [_as_seen(t, own) for t in trace_several(own, len(group))]
        paired += match_styles(group, found)
        stray = max(stray, stray_share(own, [t for t in found if t is not None]))
    bands = _find_bands(groups, paired, coverage, ground)
    paired = [(n, t) for n, t in paired if not any(n is area for area, _, _ in bands)]
    width = ground.pixels.shape[1]
    missing = [
        n.name for n, t in paired if n.name_from in ("legend", "person") and not _is_curve(n, t, width)
    ]
    kept = [(n, t) for n, t in paired if t is not None and _is_curve(n, t, width)]
    traces = widen_covered_ends(extend_along([t for _, t in kept]))
    series, guessed = _to_series([n for n, _ in kept], traces, ground, axes, number)
    series = name_directly(series, labels, ground.origin)
    series = name_lone_curve(series, axes.y.label if axes.y else None)
    owners = [
        (next((s for (n, _), s in zip(kept, series, strict=False) if n is o), None), b) for _, o, b in bands
    ]
    bounds = [c for s, b in owners if s for c in bounds_of(s, b, ground.origin, axes)]
    loose = _unexplained(ground, coverage, hidden)
    return SeriesReading(
        ground.origin,
        series,
        tuple(missing),
        loose,
        guessed,
        ground.noise,
        stray=stray,
        bounds=tuple(bounds),
        inks=tuple(inks),
        coverage=coverage,
    )


def _find_bands(
    groups: Sequence[Sequence[Named]],
    paired: Sequence[tuple[Named, Trace | None]],
    coverage: ink.Coverage,
    ground: Ground,
) -> list[tuple[Named, Named, Band]]:
    """Return the bands: the colour without a name that each was found as, its curve, and its edges."""
    hues = [hue.members for hue in shades.families([g[0].colour for g in groups], ground.colour)]
    inner = {i for hue in hues if len(hue) > 1 for i in hue}
    areas = [i for i in inner if [n.name_from for n in groups[i]] == ["colour"]]
    if not areas:
        return []
    curves = [
        (i, coverage[i], t)
        for i in inner
        for n, t in paired
        if t is not None and len(groups[i]) == 1 and n is groups[i][0]
    ]
    found = bands_of([(i, coverage[i]) for i in areas], curves, hues)
    return [(groups[i][0], groups[owner][0], band) for i, (owner, band) in found.items()]


def bounds_of(series: Series, band: Band, origin: tuple[int, int], axes: PanelAxes) -> list[Curve]:
    """Return the edges of a curve's band as numbers: its lower and its upper bound."""
    fit = axes.y2 if series.axis == "y2" and axes.y2 else axes.y
    if axes.x is None or fit is None:
        return []
    x, panel = axes.x.to_value(band.columns + origin[0]), series.curve.panel
    edges = []
    for rows in (band.top, band.bottom):
        slack = 0.5 + fit.residual_px
        y, a, b = (fit.to_value(r + origin[1]) for r in (rows, rows - slack, rows + slack))
        edges.append((float(np.mean(y)), y, np.minimum(a, b), np.maximum(a, b)))
    edges.sort(key=lambda e: e[0])
    return [
        Curve.from_points(f"{series.name} ({word})", x, y, low, high, np.ones(len(x), bool), panel=panel)
        for word, (_, y, low, high) in zip(("lower", "upper"), edges, strict=True)
    ]


def _as_seen(traced: Trace | None, own: NDArray[np.float32]) -> Trace | None:
    """Mark the columns of a trace as not observed in which it runs unseen under its smoothed version."""
    if traced is None:
        return None
    unseen = shades.only_lent(own, traced.columns.astype(int))
    return replace(traced, observed=traced.observed & ~unseen)


def _to_series(
    named: Sequence[Named], traces: Sequence[Trace], ground: Ground, axes: PanelAxes, number: int
) -> tuple[tuple[Series, ...], bool]:
    """Turn traces into series with numbers; also whether their y axis had to be guessed."""
    if axes.x is None or axes.y is None:
        return (), False
    sides = Assignment(tuple("y" for _ in named), False)
    if axes.y2 is not None:
        names, inks = [n.name for n in named], [n.colour for n in named]
        sides = assign_axes(names, inks, axes.left_colour, axes.right_colour)
    found = []
    for n, traced, side in zip(named, traces, sides.axes, strict=True):
        fit = axes.y2 if side == "y2" and axes.y2 else axes.y
        curve = to_curve(traced, ground.origin, axes.x, fit, n.name, number)
        found.append(Series(n.name, n.name_from, colours.to_hex(n.colour), side, n.style, traced, curve, 1.0))
    return tuple(found), sides.guessed


def hidden_mask(ground: Ground, legend: Legend | None, texts: Sequence[TextBox]) -> Mask:
    """Return which pixels of the interior show no curve: under a legend or a text."""
    hidden = np.zeros(ground.pixels.shape[:2], bool)
    if legend:
        boxes = (
            [legend.box] if legend.framed else [b for e in legend.entries for b in (e.key.box, e.text.box)]
        )
        margin = 2 + round(0.15 * max(e.text.box.height for e in legend.entries))
        for box in boxes:
            _cover(hidden, box, ground.origin, margin)
    for text in texts:
        if text.score >= SeriesSettings().text_score and sum(c.isalnum() for c in text.text) >= 3:
            _cover(hidden, text.box, ground.origin, 1)
    return hidden


def _cover(mask: Mask, box: Box, origin: tuple[int, int], margin: int) -> None:
    """Set a box of the picture in a mask of the interior."""
    x0, y0 = round(box.x0) - origin[0] - margin, round(box.y0) - origin[1] - margin
    x1, y1 = round(box.x1) - origin[0] + margin + 1, round(box.y1) - origin[1] + margin + 1
    if x1 > 0 and y1 > 0:
        mask[max(y0, 0) : y1, max(x0, 0) : x1] = True


def name_colours(ground: Ground, hidden: Mask, legend: Legend | None, settings: Settings) -> list[Named]:
    """Return the curves' colours with their names: a person's, the legend's, or the colours' own."""
    if settings.series:
        given = {
            name: np.array([int(c[i : i + 2], 16) for i in (1, 3, 5)], np.float32)
            for name, c in settings.series.items()
        }
        return [Named(colour, name, "person", "solid") for name, colour in given.items()]
    entries = legend.entries if legend else ()
    known = [_as_drawn(e, ground, hidden, entries) for e in entries]
    named = [Named(c, e.name, "legend", e.key.style) for c, e in zip(known, entries, strict=True)]
    extra = ink.find_colours(ground, hidden, known)
    names = colours.distinct_names([colours.name_of(c) for c in extra])
    return named + [Named(c, n, "colour", "solid") for c, n in zip(extra, names, strict=True)]


def group_by_colour(named: Sequence[Named], ball: float = 24.0) -> list[list[Named]]:
    """Group curves that are drawn in one colour and told apart by their dashes."""
    groups: list[list[Named]] = []
    for n in named:
        home = next((g for g in groups if np.linalg.norm(g[0].colour - n.colour) < ball), None)
        if home is None:
            groups.append([n])
        else:
            home.append(n)
    return groups


SOLIDITY: dict[Style, float] = {"solid": 1.0, "dashdot": 0.75, "dashed": 0.65, "dotted": 0.5, "markers": 0.3}


def match_styles(group: Sequence[Named], traces: Sequence[Trace | None]) -> list[tuple[Named, Trace | None]]:
    """Pair curves of one colour with traces: the most solid key with the trace that has the fewest gaps."""
    if len(group) == 1:
        return [(group[0], traces[0])]
    by_key = sorted(group, key=lambda n: -SOLIDITY[n.style])
    by_gaps = sorted(traces, key=lambda t: -float(t.observed.mean()) if t else 1.0)
    return list(zip(by_key, by_gaps, strict=True))


def _is_curve(n: Named, traced: Trace | None, width: int) -> bool:
    """Whether enough of a curve was seen: hardly anything of a named one, much of an unnamed one.

    An unnamed line that is level to a fraction of a pixel all along is a grid or reference line.
    """
    settings = SeriesSettings()
    seen = 0.0 if traced is None else float(traced.observed.sum()) / width
    if traced is None or n.name_from in ("legend", "person"):
        return seen >= settings.least_named
    level = float(np.percentile(np.abs(traced.rows - np.median(traced.rows)), 90)) < settings.level
    return seen >= settings.least_columns and not level


def name_lone_curve(series: tuple[Series, ...], title: str | None) -> tuple[Series, ...]:
    """Name a single curve without a legend after its y axis: that is what it shows."""
    if len(series) != 1 or series[0].name_from != "colour" or not title:
        return series
    only = series[0]
    return (replace(only, name=title, name_from="label", curve=replace(only.curve, name=title)),)


def _as_drawn(entry: Entry, ground: Ground, hidden: Mask, entries: Sequence[Entry]) -> Pixels:
    """Return an entry's colour as the curve shows it: a thin key's ink is weaker than the curve's.

    Among the panel's pixels whose ink has the key's direction, the strongest tenth is the full colour, unless
    another key lies closer to it.
    """
    key = entry.key.colour - ground.colour
    strength = float(np.linalg.norm(key))
    ink_ = ground.ink_at(*np.nonzero((ground.strength > 0.89 * strength) & ~hidden))
    share = ink_ @ key / max(strength**2, 1e-6)
    off = np.linalg.norm(ink_ - share[:, None] * key, axis=1)
    same = (share > 0.9) & (share < SeriesSettings().key_refine) & (off < 0.12 * strength * share)
    if same.sum() < 20:
        return entry.key.colour
    full = float(np.percentile(share[same], 90))
    drawn = np.median(ink_[same & (share >= 0.95 * full)], axis=0) + ground.colour
    towards = drawn - ground.colour
    own = _cosine(towards, key)
    rivals = [
        _cosine(towards, e.key.colour - ground.colour)
        for e in entries
        if np.linalg.norm(e.key.colour - entry.key.colour) > 24
    ]
    if full < 1.08 or any(r >= own - 0.004 for r in rivals):
        return entry.key.colour
    return np.asarray(drawn, dtype=np.float32)


def _cosine(a: Pixels, b: Pixels) -> float:
    """Return the cosine of the angle between two differences from the ground."""
    return float(a @ b / max(float(np.linalg.norm(a) * np.linalg.norm(b)), 1e-6))


def to_curve(
    traced: Trace, origin: tuple[int, int], x_axis: AxisFit, y_axis: AxisFit, name: str, panel: int
) -> Curve:
    """Turn a trace into numbers; the axis' residual widens the bounds."""
    x = x_axis.to_value(traced.columns + origin[0])
    slack = y_axis.residual_px
    y, a, b = (
        y_axis.to_value(rows + origin[1]) for rows in (traced.rows, traced.top - slack, traced.bottom + slack)
    )
    return Curve.from_points(name, x, y, np.minimum(a, b), np.maximum(a, b), traced.observed, panel=panel)


def _unexplained(ground: Ground, coverage: ink.Coverage, hidden: Mask) -> float:
    """Return the share of the panel's strong ink that no curve explains."""
    strong = (ground.strength > 60) & ~hidden
    if not strong.any():
        return 0.0
    return float((strong & (coverage.strongest() <= 0.2)).sum() / strong.sum())
