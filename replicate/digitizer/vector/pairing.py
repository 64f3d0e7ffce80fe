"""Which legend entry is which curve: they are drawn alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.optimize import linear_sum_assignment

from replicate.digitizer.model import Box, FloatArray
from replicate.digitizer.vector.curves import Chain, Ink
from replicate.digitizer.vector.drawing import Colour
from replicate.digitizer.vector.keys import Entry, Legend
from replicate.digitizer.vector.markers import MarkerKind, Markers, on_line


@dataclass(frozen=True)
class PairingSettings:
    """Costs of what may differ between a key and its curve.

    Attributes:
        colour: Largest difference of a colour channel of one colour.
        dash: Cost of another dash pattern.
        marker: Cost of another marker, or of one where there is none.
        opacity: Cost of another opacity.
        width: Cost of a line twice as wide.
        order: Cost of each place that keys and curves differ in their order.
        apart: Cost of a key that is not drawn with its curve as one path, where another's is.
        most: Largest cost at which they are one.
        corners: Fewest points of a line that is a curve although a legend does not name it.
        least: Least share of the panel's width that an unnamed curve spans.
        free_corners: The same for a line that is not clipped, where others are: arrows are not, and
        free_span: they are shorter than this share of the panel's width.
        on_line: Least share of markers on a line's points that makes them its own.
    """

    colour: int = 6
    dash: float = 2.0
    marker: float = 1.0
    opacity: float = 0.6
    width: float = 0.5
    order: float = 0.01
    apart: float = 0.3
    most: float = 1.9
    corners: int = 6
    least: float = 0.1
    free_corners: int = 12
    free_span: float = 0.3
    on_line: float = 0.6


@dataclass(frozen=True, eq=False)
class Candidate:
    """A line or a set of markers that may be a curve.

    Attributes:
        points: (n, 2) its points from left to right.
        ink: How its line is drawn, or None for markers alone.
        marker: Its markers, or None.
        first: Its first path.
        order: Its place in the painting order, as `Path.order`.
        backward: Share of its way along x that leads back.
        plain: Whether it is a straight line: a curve only if a legend says so or nothing speaks against it.
        level: Whether it keeps one height.
        clipped: Whether it is clipped to the panel.
    """

    points: FloatArray
    ink: Ink | None
    marker: MarkerKind | None
    first: int
    order: int
    backward: float
    plain: bool = False
    level: bool = False
    clipped: bool = False

    @property
    def colour(self) -> Colour:
        """The colour of its line, else of its markers."""
        if self.ink is not None:
            return self.ink.colour
        return self.marker.colour if self.marker else (0, 0, 0)


@dataclass(frozen=True, eq=False)
class Paired:
    """A curve and the legend's entry for it, or None."""

    curve: Candidate
    entry: Entry | None


def candidates_of(
    chains: Sequence[Chain], markers: Sequence[Markers], settings: PairingSettings | None = None
) -> tuple[list[Candidate], list[Markers]]:
    """Join lines with the markers on them, and take sets of markers without a line for curves if they may be.

    Returns:
        What may be a curve, and the sets of markers that are scattered: their x does not rise from each to the next.
    """
    settings = settings or PairingSettings()
    own: dict[int, MarkerKind] = {}
    loose = []
    for m in markers:
        shares = [on_line(m, c.points) for c in chains]
        best = int(np.argmax(shares)) if shares else -1
        if best >= 0 and shares[best] >= settings.on_line:
            own.setdefault(best, m.kind)
        else:
            loose.append(m)
    found = [
        Candidate(
            c.points,
            c.ink,
            own.get(k),
            c.paths[0],
            c.order,
            c.backward,
            c.straight and k not in own,
            c.level,
            c.clipped,
        )
        for k, c in enumerate(chains)
    ]
    scattered = []
    for m in loose:
        x = m.places[:, 0]
        rises = bool((np.diff(x) > 0).all() or (np.diff(x) < 0).all())
        if rises:
            found.append(Candidate(m.places[np.argsort(x)], None, m.kind, m.paths[0], m.order, 0.0))
        else:
            scattered.append(m)
    return found, scattered


def pair(
    found: Sequence[Candidate], legend: Legend | None, box: Box, settings: PairingSettings | None = None
) -> tuple[list[Paired], list[Entry]]:
    """Pair curves with a legend's entries, and leave out what is no curve.

    Args:
        found: What may be a curve, in painting order.
        legend: The panel's legend, or None.
        box: The panel.
        settings: Costs.

    Returns:
        The curves in painting order, and the entries for which there is none.
    """
    settings = settings or PairingSettings()
    entries = [e for e in legend.entries if e.key.line or e.key.marker] if legend else []
    found = _merged(found, entries, settings)
    owner = _assign(found, entries, settings)
    clips = any(c.clipped and not c.plain for c in found)
    kept = [
        Paired(c, owner.get(k))
        for k, c in enumerate(found)
        if k in owner or _may_be_unnamed(c, bool(entries), clips, box, settings)
    ]
    used = {id(e) for e in owner.values()}
    return kept, [e for e in entries if id(e) not in used]


def _assign(
    found: Sequence[Candidate], entries: Sequence[Entry], settings: PairingSettings
) -> dict[int, Entry]:
    """Return the entry of each curve that has one, at the least total cost."""
    if not found or not entries:
        return {}
    cost = np.array([[_cost(c, e, settings) for e in entries] for c in found])
    rank = np.abs(
        np.arange(len(found))[:, None] / len(found) - np.arange(len(entries))[None, :] / len(entries)
    )
    drawn = np.array([0.0 if len(c.points) > 2 else 0.05 for c in found])
    together = np.array([[c.order == e.key.order for e in entries] for c in found])
    total = np.minimum(cost, 50.0) + settings.order * rank + drawn[:, None] + settings.apart * ~together
    rows, columns = linear_sum_assignment(total)
    return {int(k): entries[j] for k, j in zip(rows, columns, strict=True) if cost[k, j] <= settings.most}


def _cost(c: Candidate, entry: Entry, settings: PairingSettings) -> float:
    """Return how much a curve differs from a key; 100 where their colours do."""
    key = entry.key
    if (c.ink is None) != (key.line is None):
        return 100.0 if c.ink is None or key.marker is None or c.marker is None else 1.5
    cost = 0.0
    if c.ink and key.line:
        cost += _ink_cost(c.ink, key.line, settings)
    if c.marker and key.marker:
        far = _differ(c.marker.colour, key.marker.colour) > settings.colour and c.ink is None
        cost += 100.0 if far else settings.marker * (c.marker.shape != key.marker.shape)
    elif c.marker or key.marker:
        cost += settings.marker
    return cost


def _ink_cost(a: Ink, b: Ink, settings: PairingSettings) -> float:
    """Return how much two lines differ in their drawing."""
    if _differ(a.colour, b.colour) > settings.colour:
        return 100.0
    cost = settings.opacity * min(abs(a.opacity - b.opacity) / 0.3, 1.0)
    cost += 0.0 if _one_dash(a.dash, b.dash) else settings.dash
    return cost + settings.width * min(abs(float(np.log2(max(a.width, 0.1) / max(b.width, 0.1)))), 1.0)


def _differ(a: Colour, b: Colour) -> int:
    """Return the largest difference of two colours' channels."""
    return max(abs(p - q) for p, q in zip(a, b, strict=True))


def _one_dash(a: Sequence[float], b: Sequence[float]) -> bool:
    """Whether two dash patterns are one."""
    return len(a) == len(b) and all(abs(p - q) <= 0.6 + 0.1 * max(p, q) for p, q in zip(a, b, strict=True))


def _merged(
    found: Sequence[Candidate], entries: Sequence[Entry], settings: PairingSettings
) -> list[Candidate]:
    """Join lines of one style that follow one another along x: one curve with gaps, unless each has a name."""
    styles: dict[tuple[Ink | None, MarkerKind | None], list[Candidate]] = {}
    for c in found:
        styles.setdefault((c.ink, c.marker), []).append(c)
    merged = []
    for (ink, marker), several in styles.items():
        in_order = sorted(several, key=lambda c: float(c.points[0, 0]))
        apart = all(a.points[:, 0].max() <= b.points[:, 0].min() + 0.5 for a, b in pairwise(in_order))
        named = sum(_cost(several[0], e, settings) <= settings.most for e in entries)
        parts = [c for c in in_order if not (c.plain and c.level)]
        if len(parts) < 2 or not apart or named >= len(parts):
            merged += several
            continue
        points = np.concatenate([c.points for c in parts])
        back = max(c.backward for c in parts)
        first, order = min((c.first, c.order) for c in parts)
        merged.append(Candidate(points, ink, marker, first, order, back, clipped=parts[0].clipped))
        merged += [c for c in several if c.plain and c.level]
    return sorted(merged, key=lambda c: c.first)


def _may_be_unnamed(c: Candidate, legend: bool, clips: bool, box: Box, settings: PairingSettings) -> bool:
    """Whether a line that no entry names is a curve all the same."""
    span = float(np.ptp(c.points[:, 0]))
    arrow = len(c.points) < settings.free_corners or span < settings.free_span * box.width
    if (clips and not c.clipped and c.ink is not None and arrow) or c.level or c.backward > 0.3:
        return False
    if span < settings.least * box.width or _pale(c):
        return False
    return len(c.points) >= settings.corners if legend else not (c.plain and not c.clipped)


def _pale(c: Candidate) -> bool:
    """Whether a line is white, or a hair-thin light grey one as grids are."""
    colour = c.colour
    grey = max(colour) - min(colour) < 10
    return min(colour) >= 250 or (grey and min(colour) >= 170 and c.plain)
