"""The stages in order: the only module that knows them all."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from replicate.digitizer import axes, confidence, layout, legend, lines, ocr, raster, skew, snapping
from replicate.digitizer.debug import PanelStages, Stages, write_stages
from replicate.digitizer.direct import LabelledText, may_name_a_curve
from replicate.digitizer.ground import Ground, build_ground
from replicate.digitizer.labels import SideText, read_side
from replicate.digitizer.layout import PanelCandidate
from replicate.digitizer.legend import Legend
from replicate.digitizer.model import AxisFit, Box, Caution, Direction, Image, TextBox, TickMark
from replicate.digitizer.raster import Picture
from replicate.digitizer.record import Digitization, Panel
from replicate.digitizer.series import PanelAxes, SeriesReading, read_series
from replicate.digitizer.settings import AxisScale, Settings
from replicate.digitizer.twin import text_colour
from replicate.digitizer.vector.figure import digitize_vector, is_vector
from replicate.errors import InputError

Observer = Callable[[Stages], object]


def digitize_file(path: Path | str, settings: Settings | None = None) -> Digitization:
    """Digitize a figure file; "-" reads standard input.

    Args:
        path: A picture (PNG, JPEG and others), a PDF or an SVG.
        settings: A person's wishes; with `debug`, a picture of every stage is written.

    Returns:
        The digitization; its confidence says how far it can be trusted.

    Raises:
        InputError: The file cannot be read.
    """
    settings = settings or Settings()
    observe = partial(write_stages, folder=settings.debug) if settings.debug else None
    if str(path) == "-":
        return digitize_bytes(sys.stdin.buffer.read(), "stdin.png", settings, observe)
    path = Path(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"cannot read {path}: {reason}", "check the path") from error
    return digitize_bytes(data, path.name, settings, observe)


def digitize_bytes(
    data: bytes, name: str, settings: Settings | None = None, observe: Observer | None = None
) -> Digitization:
    """Digitize a figure held in memory; see `digitize_file`. `observe` is shown what each stage of a picture made."""
    settings = settings or Settings()
    if is_vector(data):
        if settings.calibration:
            said = f"{name} is a drawing, to which no saved calibration applies"
            raise InputError(said, "leave --calibration out: a drawing's own axes are exact")
        return digitize_vector(data, name, settings, digitize_picture)
    return digitize_picture(raster.decode(data, name, settings.max_megapixels), settings, observe)


@dataclass(frozen=True, eq=False)
class _Calibrated:
    """A panel with what its four sides say."""

    candidate: PanelCandidate
    sides: dict[str, SideText]
    x: AxisFit | None
    y: AxisFit | None
    y2: AxisFit | None = None

    @property
    def support(self) -> int:
        """How many labels the calibration rests on."""
        return sum(t.used for axis in (self.x, self.y) if axis for t in axis.ticks)


def digitize_picture(picture: Picture, settings: Settings, observe: Observer | None = None) -> Digitization:
    """Digitize a decoded picture: panels, text, axes, legend, curves, confidence."""
    angle = skew.find_skew(picture.image)
    picture = replace(picture, image=skew.turn_level(picture.image, angle)) if angle else picture
    image = picture.image
    if settings.calibration:
        saved = settings.calibration.for_picture(picture.name, picture.width, picture.height)
        settings = replace(settings, calibration=saved)
    horizontal, vertical = lines.find_lines(image)
    texts = ocr.find_text(image)
    found = layout.find_panels(horizontal, vertical, (picture.width, picture.height))
    candidates = [layout.extend_open_top(c, texts) for c in found]
    calibrated = _share_axes(_calibrate(image, candidates, texts, settings))
    if not any(c.x and c.y for c in calibrated):
        guesses = layout.panels_without_frames(image, texts, horizontal)
        calibrated = _share_axes(_calibrate(image, guesses, texts, settings)) or calibrated
    if settings.panel is not None and settings.panel >= len(calibrated):
        said = f"{picture.name} has {len(calibrated)} panels, so there is no panel {settings.panel}"
        raise InputError(said, "panels are numbered from 0 in reading order")
    _check_calibration(picture.name, calibrated, settings)
    used = [box for c in calibrated for side in c.sides.values() for box in side.used]
    free = [t for t in texts if not _is_any(t.box, used)]
    panels, warnings, seen = [], [], []
    if angle:
        said = f"the picture was turned by {angle:.1f} degrees; the record's pixels are those of the overlay"
        warnings.append(Caution("turned", said))
    grounds = [_ground(image, c) for c in calibrated]
    legends = _find_legends(image, calibrated, grounds, free)
    for number, (c, ground, key) in enumerate(zip(calibrated, grounds, legends, strict=True)):
        if settings.panel not in (None, number):
            continue
        reading = _read_panel(image, c, ground, key, number, free, settings)
        panel, cautions = _judge_panel(c, key, reading, free)
        panels.append(panel)
        warnings += cautions
        if observe:
            seen.append(PanelStages(c.candidate.box, c.sides, c.x, c.y, c.y2, ground, key, reading))
    if observe:
        observe(Stages(image, horizontal, vertical, candidates, texts, seen))
    if not panels:
        message = "no panel with readable axes was found; give them with --x-ticks and --y-ticks"
        warnings.append(Caution("no-panel", message))
    return Digitization(
        picture.name,
        picture.sha256,
        (picture.width, picture.height),
        "raster",
        None,
        settings.command,
        tuple(panels),
        tuple(warnings),
        image,
    )


def _check_calibration(name: str, panels: Sequence[_Calibrated], settings: Settings) -> None:
    """Refuse a saved calibration that does not fit a figure.

    Raises:
        InputError: The figure has another number of panels, or one that stands elsewhere.
    """
    saved = settings.calibration
    if saved is None:
        return
    remedy = "leave --calibration out for this figure, or give --x-ticks and --y-ticks"
    if settings.panel is None and len(panels) != len(saved.panels):
        said = f"{name} has {len(panels)} panels, but {saved.file} calibrates {len(saved.panels)}"
        raise InputError(said, remedy)
    for number, panel in enumerate(panels):
        if settings.panel in (None, number) and not saved.panel_at(panel.candidate.box):
            raise InputError(f"panel {number} of {name} stands where {saved.file} has none", remedy)


def _calibrate(
    image: Image, candidates: Sequence[PanelCandidate], texts: Sequence[TextBox], settings: Settings
) -> list[_Calibrated]:
    """Calibrate the candidates and keep the best-supported ones that do not overlap."""
    read = [_calibrate_one(image, c, candidates, texts, settings) for c in candidates]
    kept: list[_Calibrated] = []
    for c in sorted(read, key=lambda c: -c.support):
        box = c.candidate.box
        enough = c.support >= 2 or (c.support == 1 and any(_in_one_grid(box, k.candidate.box) for k in kept))
        if enough and not any(_overlap(box, k.candidate.box) for k in kept):
            kept.append(c)
    order = layout.reading_order([k.candidate for k in kept])
    return [next(k for k in kept if k.candidate is candidate) for candidate in order]


def _calibrate_one(
    image: Image,
    candidate: PanelCandidate,
    candidates: Sequence[PanelCandidate],
    texts: Sequence[TextBox],
    settings: Settings,
) -> _Calibrated:
    """Read the sides of a panel and fit its axes."""
    others = [c.box for c in candidates if c is not candidate and not _overlap(c.box, candidate.box)]
    left = read_side(image, candidate, "left", texts, others)
    sides = {"left": left, "bottom": read_side(image, candidate, "bottom", texts, [*others, *left.used])}
    x = _fit(sides["bottom"], settings.x_scale)
    y = _fit(sides["left"], settings.y_scale)
    y2 = None
    gutters = [_gutter(candidate.box, o) for o in others]
    right = read_side(image, candidate, "right", texts, [*others, *(g for g in gutters if g)])
    fit = _fit(right, settings.y_scale)
    if _trusted(fit):
        sides["right"] = right
        y, y2 = (y, fit) if y else (fit, None)
    if x is None or x.scale == "category":
        top = read_side(image, candidate, "top", texts, others)
        fit = _fit(top, settings.x_scale)
        if _trusted(fit):
            sides["top"], x = top, fit
    else:
        top = read_side(image, candidate, "top", texts, others)
        if _trusted(_fit(top, settings.x_scale)):
            sides["top"] = top
    saved = settings.calibration.panel_at(candidate.box) if settings.calibration else None
    if saved:
        x, y, y2 = saved.x or x, saved.y or y, saved.y2
    if settings.x_ticks:
        x = axes.fit_person(settings.x_ticks, settings.x_scale)
    if settings.y_ticks:
        y = axes.fit_person(settings.y_ticks, settings.y_scale)
    return _Calibrated(candidate, sides, x, y, y2)


def _fit(side: SideText, scale: AxisScale) -> AxisFit | None:
    """Fit the axis of a side, to the last fraction of a pixel that its ticks allow."""
    fit = axes.fit_axis(side.evidence, scale)
    if fit is None or not np.isfinite(fit.to_value(np.array(side.evidence.span))).all():
        return None
    fit = snapping.sharpen(fit, side.evidence.marks)
    # a zero among the labels of a logarithmic axis speaks of another scale (symlog)
    zero = fit.scale == "log" and any(t.value == 0 for t in fit.ticks)
    return replace(fit, doubt=max(fit.doubt, 0.6)) if zero else fit


def _gutter(box: Box, other: Box) -> Box | None:
    """Return the half of the gap to a panel on the right that belongs to that panel's own labels."""
    level = min(box.y1, other.y1) > max(box.y0, other.y0)
    if not level or other.x0 <= box.x1:
        return None
    return Box(box.x1 + 0.35 * (other.x0 - box.x1), other.y0 - 20, other.x0, other.y1 + 20)


def _trusted(fit: AxisFit | None) -> bool:
    """Whether labels on an unusual side are an axis: at least three fit, and nothing else fits as well."""
    return (
        fit is not None
        and fit.scale != "category"
        and sum(t.used for t in fit.ticks) >= 3
        and fit.doubt < 0.3
    )


def _overlap(a: Box, b: Box) -> bool:
    """Whether two boxes share more than a rim."""
    width = min(a.x1, b.x1) - max(a.x0, b.x0)
    height = min(a.y1, b.y1) - max(a.y0, b.y0)
    return width > 4 and height > 4


def _share_axes(panels: list[_Calibrated]) -> list[_Calibrated]:
    """Give panels without labels the axis of a neighbour in the same row (y) or column (x); drop the rest."""
    shared = []
    for p in panels:
        box = p.candidate.box
        boxes = [q.candidate.box for q in panels]
        row = [q.y for q, b in zip(panels, boxes, strict=True) if q.y and _in_row(b, box)]
        column = [q.x for q, b in zip(panels, boxes, strict=True) if q.x and _in_column(b, box)]
        x, y = p.x or (column[0] if column else None), p.y or (row[0] if row else None)
        if x or y:
            shared.append(replace(p, x=x, y=y))
    supported = [p for p in shared if p.support >= 2]
    return [p for p in supported if (p.x and p.y) or not any(q.x and q.y for q in supported)]


def _in_row(a: Box, b: Box, slack: float = 3) -> bool:
    """Whether two panels stand side by side: their upper and lower edges agree to a few pixels."""
    return abs(a.y0 - b.y0) <= slack and abs(a.y1 - b.y1) <= slack


def _in_column(a: Box, b: Box, slack: float = 3) -> bool:
    """Whether two panels stand one above the other: their left and right edges agree to a few pixels."""
    return abs(a.x0 - b.x0) <= slack and abs(a.x1 - b.x1) <= slack


def _in_one_grid(a: Box, b: Box) -> bool:
    """Whether two panels are cells of one grid, so that one may have the other's labels."""
    return _in_row(a, b) or _in_column(a, b)


def _is_any(box: Box, boxes: Sequence[Box]) -> bool:
    """Whether a text's box covers a word that was used as a label."""
    for other in boxes:
        x, y = other.centre
        if box.x0 - 1 <= x <= box.x1 + 1 and box.y0 - 1 <= y <= box.y1 + 1:
            return True
    return False


def _ground(image: Image, c: _Calibrated) -> Ground:
    """Model a panel's ground, its grid at the ticks."""
    places = (grid_places(c.candidate, c.sides, "x"), grid_places(c.candidate, c.sides, "y"))
    return build_ground(image, c.candidate.box, *places)


def _find_legends(
    image: Image, panels: Sequence[_Calibrated], grounds: Sequence[Ground], texts: Sequence[TextBox]
) -> list[Legend | None]:
    """Return each panel's legend: its own, one outside of all panels, or else another panel's."""
    boxes = [c.candidate.box for c in panels]
    outside = [t for t in texts if not any(b.holds(t.box) for b in boxes)]
    found = []
    for box, ground in zip(boxes, grounds, strict=True):
        clean = ground.without_grid(image)
        own = legend.find_legend(clean, [t for t in texts if box.holds(t.box)], box)
        shared = legend.find_legend(clean, outside, box)
        found.append(max((own, shared), key=lambda k: len(k.entries) if k else 0))
    largest = max(found, key=lambda k: len(k.entries) if k else 0, default=None)
    if largest is None:
        return found
    # a lone entry beside another panel's full legend is a remark with an arrow
    lone = 1 if len(largest.entries) >= 3 else 0
    return [k if k and len(k.entries) > lone else replace(largest, borrowed=True) for k in found]


def _read_panel(
    image: Image,
    c: _Calibrated,
    ground: Ground,
    key: Legend | None,
    number: int,
    texts: Sequence[TextBox],
    settings: Settings,
) -> SeriesReading:
    """Read the curves of a calibrated panel."""
    box = c.candidate.box
    left, right = (
        text_colour(image, c.sides[s].used) if c.y2 and s in c.sides else None for s in ("left", "right")
    )
    axes_ = PanelAxes(c.x, c.y, c.y2, left, right)
    labels = [] if key else _labels_of_curves(image, box, texts)
    reading = read_series(ground, axes_, key, texts, labels, number, settings)
    unread = any(s.offset_unread for s in c.sides.values())
    return replace(reading, offset_unread=unread, loose_text=key is None and _has_words(box, texts))


def _judge_panel(
    c: _Calibrated, key: Legend | None, reading: SeriesReading, texts: Sequence[TextBox]
) -> tuple[Panel, list[Caution]]:
    """Return a panel with its curves and how sure they are."""
    box = c.candidate.box
    title = _panel_title(box, texts)
    panel = Panel(box, reading.origin, c.x, c.y, c.y2, title, reading.series, 0.0, reading.bounds)
    return confidence.judge(panel, key, reading)


def grid_places(panel: PanelCandidate, sides: Mapping[str, SideText], direction: Direction) -> list[TickMark]:
    """Return the places where grid lines may stand: all ticks of the axis, and the panel's long lines."""
    names = ("bottom", "top") if direction == "x" else ("left", "right")
    marks = [m for name in names if name in sides for m in sides[name].evidence.marks]
    lines = panel.vertical if direction == "x" else panel.horizontal
    length = panel.box.height if direction == "x" else panel.box.width
    places = [line.position for line in lines if line.length >= 0.5 * length]
    return marks + [TickMark(p, 0.0) for p in places if all(abs(p - m.pixel) > 2 for m in marks)]


def _labels_of_curves(image: Image, box: Box, texts: Sequence[TextBox]) -> list[LabelledText]:
    """Return the texts that may name a curve, each with the colour of its letters."""
    near = [t for t in texts if may_name_a_curve(t, box)]
    coloured = [(t, text_colour(image, [t.box])) for t in near]
    return [LabelledText(t, colour) for t, colour in coloured if colour is not None]


def _has_words(box: Box, texts: Sequence[TextBox]) -> bool:
    """Whether words stand in a panel."""
    inside = [t for t in texts if box.holds(t.box) and not t.vertical and t.score > 0.9]
    return any(sum(c.isalpha() for c in t.text) >= 3 for t in inside)


def _panel_title(box: Box, texts: Sequence[TextBox]) -> str | None:
    """Return the text just above a panel, near its middle."""
    above = [
        t
        for t in texts
        if not t.vertical
        and 0 <= box.y0 - t.box.y1 <= 3 * (t.box.height + 1)
        and abs(t.box.centre[0] - box.centre[0]) <= 0.3 * box.width
    ]
    return min(above, key=lambda t: box.y0 - t.box.y1).text if above else None
