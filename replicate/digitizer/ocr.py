"""Reading text off a picture: where it stands (a detector), and what it says (a recogniser).

The two networks are those of PP-OCRv6 as shipped inside the rapidocr wheel; they are run here by onnxruntime
directly, because tick labels need what the wheel's own wrapper hides: the recogniser's probabilities (for
second readings), many small crops in one batch, and no work on import.

Boxes from the detector follow "Real-time Scene Text Detection with Differentiable Binarization" (Liao et al.,
2020): threshold the probability map, take each region's smallest rectangle, and widen it by
area * ratio / perimeter.
"""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from replicate.digitizer import glyphs
from replicate.digitizer.model import Box, Image, TextBox
from replicate.errors import MissingComponentError

DETECTOR = "PP-OCRv6_det_small.onnx"
RECOGNISER = "PP-OCRv6_rec_small.onnx"
NUMERIC = "0123456789.,-−–+eE×x^%kKMGBTµm:/'· "

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class OcrSettings:
    """Sizes and thresholds of the text search.

    Attributes:
        least_size: Pictures smaller than this (geometric mean side) are enlarged for the detector, pixels.
        most_size: Larger ones are reduced to this for the detector, pixels.
        least_glyph: Where the median text is lower than this for the detector, the search is repeated on a
            larger picture, pixels.
        ink: Probability above which a pixel belongs to text.
        box: Least mean probability of a box.
        unclip: By how much the detector's shrunken regions are widened (share of area / perimeter).
        upright: Tilt below which a region is taken as level or upright, degrees.
        score: Least confidence of the recogniser for text to be reported.
        line_height: Height of the recogniser's input, pixels.
        batch: Most crops in one run of the recogniser.
        widening: How much wider than the narrowest the others of a run may be.
    """

    least_size: float = 600.0
    most_size: float = 1100.0
    least_glyph: float = 11.0
    ink: float = 0.3
    box: float = 0.5
    unclip: float = 1.6
    upright: float = 16.0
    score: float = 0.4
    line_height: int = 48
    batch: int = 8
    widening: float = 1.2


@dataclass(frozen=True, eq=False)
class Engine:
    """The two networks, loaded.

    Attributes:
        detector: Picture to probability of text, pixel by pixel.
        recogniser: Line of text to probability of each character, step by step.
        characters: The recogniser's alphabet; 0 is "no character".
        numeric: Which of them can occur in a tick label, bool.
    """

    detector: ort.InferenceSession
    recogniser: ort.InferenceSession
    characters: tuple[str, ...]
    numeric: Mask


class Region(NamedTuple):
    """A rotated rectangle that holds text: OpenCV's (centre, size, angle), size along and across the text."""

    centre: tuple[float, float]
    length: float
    height: float
    angle: float  # degrees clockwise from horizontal, -90 < angle <= 90


class Reading(NamedTuple):
    """What the recogniser says of a crop: best text, its confidence, best text of numeric characters."""

    text: str
    score: float
    numeric: str


@lru_cache(maxsize=1)
def engine() -> Engine:
    """Return the two networks, loaded once a process; OMP_NUM_THREADS sets their threads (2).

    Raises:
        MissingComponentError: The models are not where the rapidocr wheel puts them.
    """
    spec = importlib.util.find_spec("rapidocr")
    places = spec.submodule_search_locations if spec else None
    folder = Path(places[0]) / "models" if places else Path("models")
    if not all((folder / name).is_file() for name in (DETECTOR, RECOGNISER)):
        raise MissingComponentError(
            "the OCR models are missing", "pip install --force-reinstall 'rapidocr==3.10.*'"
        )
    options = ort.SessionOptions()
    threads = os.environ.get("OMP_NUM_THREADS", "")
    options.intra_op_num_threads = int(threads) if threads.isdigit() else min(2, os.cpu_count() or 1)
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    options.enable_cpu_mem_arena = False
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    providers = ["CPUExecutionProvider"]
    detector = ort.InferenceSession(str(folder / DETECTOR), options, providers=providers)
    recogniser = ort.InferenceSession(str(folder / RECOGNISER), options, providers=providers)
    listed = recogniser.get_modelmeta().custom_metadata_map["character"].splitlines()
    characters = ("", *listed, " ")
    numeric = np.array([c in NUMERIC for c in characters])
    return Engine(detector, recogniser, characters, numeric)


def find_text(image: Image, settings: OcrSettings | None = None) -> tuple[TextBox, ...]:
    """Find and read all text of a page.

    Args:
        image: (height, width, 3) uint8 RGB.
        settings: Thresholds.

    Returns:
        The texts in the detector's order, boxes shrunk to the ink, in pixels of the image.
    """
    settings = settings or OcrSettings()
    regions = _detect(image, settings)
    crops: list[Image] = []
    owners: list[tuple[int, float]] = []  # (region, quarter turns)
    for number, region in enumerate(regions):
        for turn in _turns(region):
            crops.append(_cut(image, region, turn, settings))
            owners.append((number, turn))
    readings = recognise(crops, settings)
    best: dict[int, tuple[float, int]] = {}
    for index, ((number, turn), reading) in enumerate(zip(owners, readings, strict=True)):
        merit = reading.score - (0.1 if turn and len(reading.text) < 3 else 0.0)
        if number not in best or merit > best[number][0]:
            best[number] = (merit, index)
    found = []
    for number, (_, index) in best.items():
        reading, turn = readings[index], owners[index][1]
        if reading.text.strip() and reading.score >= settings.score:
            found += _apart(image, _text_box(image, regions[number], reading, turn))
    return tuple(found)


def _apart(image: Image, text: TextBox) -> list[TextBox]:
    """Return the numbers of a text apart where the detector took a row of tick labels for one line."""
    words = text.text.split()
    if (
        len(words) < 2
        or text.vertical
        or not all(re.fullmatch(r"[-−–]?[\d.,]*\d[%kKMGBT]?", w) for w in words)
    ):
        return [text]
    if all(re.fullmatch(r"\d{3}", w) for w in words[1:]):  # 10 000 is one number
        return [text]
    boxes = glyphs.cut_at_gaps(image, text.box, len(words))
    return [TextBox(w, b, text.score) for w, b in zip(words, boxes, strict=True)] if boxes else [text]


def read_crops(
    image: Image, boxes: Sequence[Box], settings: OcrSettings | None = None
) -> tuple[TextBox, ...]:
    """Read each box again from its own enlarged crop, turned level, the raised exponent apart.

    Args:
        image: (height, width, 3) uint8 RGB.
        boxes: Where the texts' ink is, pixels.
        settings: Thresholds.

    Returns:
        One text for each box, in order; its alternatives hold the best reading in numeric characters, and
        "base^exponent" where a raised exponent was found.
    """
    settings = settings or OcrSettings()
    cut = [glyphs.label_crop(image, box) for box in boxes]
    angles = _common_slant(
        [glyphs.slant(crop) for crop in cut], [len(glyphs.pieces(crop, 8)) for crop in cut]
    )
    labels = [_label(box, crop, angle) for box, crop, angle in zip(boxes, cut, angles, strict=True)]
    crops = [crop for label in labels for crop in label.crops]
    readings = iter(recognise(crops, settings))
    return tuple(_read_label(label, [next(readings) for _ in label.crops]) for label in labels)


def split_exponent(crop: Image, settings: OcrSettings | None = None) -> tuple[str, str] | None:
    """Read base and raised exponent of a crop apart.

    Args:
        crop: (height, width, 3) uint8 RGB, one label with a margin of its background.
        settings: Thresholds.

    Returns:
        (base, exponent), or None where nothing is raised or one part cannot be read.
    """
    parts = glyphs.split_raised(crop)
    if parts is None:
        return None
    base, raised = recognise([parts.base, parts.exponent], settings)
    exponent = _exponent(raised, parts.most)
    return (base.numeric, exponent) if base.numeric and exponent else None


@dataclass(frozen=True, eq=False)
class _Label:
    """What is read of one label: the whole, base and exponent where one is raised, the other way up."""

    box: Box
    angle: float
    crops: tuple[Image, ...]
    most: int = 0  # characters that the exponent can have; 0 where nothing is raised


def _common_slant(angles: Sequence[float], counts: Sequence[int]) -> list[float]:
    """Return the slants of labels, those of short ones, which cannot be seen, taken from the long ones.

    Args:
        angles: Each label's own slant, degrees; 0 where it looks level.
        counts: How many pieces of ink each has.
    """
    slanted = [a for a in angles if a not in (0, 90)]
    level = any(a in (0, 90) and n >= 3 for a, n in zip(angles, counts, strict=True))
    if not slanted or level or max(slanted) - min(slanted) > 15:
        return list(angles)
    usual = float(np.median(slanted))
    return [usual if n >= 2 and a in (0, 90) else a for a, n in zip(angles, counts, strict=True)]


def _label(box: Box, crop: Image, angle: float) -> _Label:
    """Turn a label's crop level, and its raised exponent apart."""
    if angle == 90:
        return _Label(box, angle, (glyphs.levelled(crop, 90), glyphs.levelled(crop, -90)))
    if angle:
        crop = glyphs.levelled(crop, angle)
    parts = glyphs.split_raised(crop)
    return _Label(
        box, angle, (crop, parts.base, parts.exponent) if parts else (crop,), parts.most if parts else 0
    )


def _read_label(label: _Label, readings: Sequence[Reading]) -> TextBox:
    """Put the readings of a label's crops together."""
    if label.angle == 90:
        best = max(readings, key=lambda r: r.score)
        others = [best.numeric]
        return TextBox(best.text, label.box, best.score, True, _alternatives(best, others))
    whole, others = readings[0], [readings[0].numeric]
    if label.most:
        base, exponent = readings[1].numeric, _exponent(readings[2], label.most)
        others += [f"{base}^{exponent}"] if base and exponent else []
    return TextBox(whole.text, label.box, whole.score, alternatives=_alternatives(whole, others))


def _alternatives(reading: Reading, others: Sequence[str]) -> tuple[str, ...]:
    """Return the other readings that say something else."""
    return tuple(dict.fromkeys(t for t in others if t and t != reading.text))


def _exponent(reading: Reading, most: int) -> str:
    """Return an exponent with a plain minus sign, or "" where the text is no whole number or too long."""
    text = reading.numeric.strip().replace("−", "-").replace("–", "-").replace("+", "")
    return text if text.removeprefix("-").isdigit() and len(text) <= most else ""


# --- detector ---------------------------------------------------------------------------------------------


def _detect(image: Image, settings: OcrSettings) -> list[Region]:
    """Find text, first at a moderate size, then at a larger one where the text turns out small."""
    size = float(np.sqrt(image.shape[0] * image.shape[1]))
    scale = min(max(1.0, settings.least_size / size), max(settings.most_size / size, 1e-3))
    regions = _detect_at(image, scale, settings)
    if regions:
        height = (
            float(np.median([r.height for r in regions])) * scale / 1.5
        )  # of the glyphs, not the wide box
        if height < settings.least_glyph:
            larger = scale * min(2.0, settings.least_glyph / height * 1.2)
            regions = _detect_at(image, larger, settings)
    return regions


def _detect_at(image: Image, scale: float, settings: OcrSettings) -> list[Region]:
    """Run the detector on the picture scaled by a factor; regions in the picture's own pixels."""
    height, width = image.shape[:2]
    wide, high = (max(32, round(side * scale / 32) * 32) for side in (width, height))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    resized = np.asarray(cv2.resize(image, (wide, high), interpolation=how), dtype=np.uint8)
    net = engine().detector
    chance = net.run(None, {net.get_inputs()[0].name: _normalised(resized)[None]})[0][0, 0]
    mask = cv2.dilate((chance > settings.ink).astype(np.uint8), np.ones((2, 2), np.uint8))
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    regions = []
    for contour in contours:
        region = _region(np.asarray(contour, dtype=np.int32), chance, settings)
        if region is not None:
            centre = (
                (region.centre[0] + 0.5) * width / wide - 0.5,
                (region.centre[1] + 0.5) * height / high - 0.5,
            )
            factor = (width / wide + height / high) / 2
            regions.append(Region(centre, region.length * factor, region.height * factor, region.angle))
    return sorted(regions, key=lambda r: (round(r.centre[1] / 8), r.centre[0]))


def _region(contour: NDArray[np.int32], chance: Floats, settings: OcrSettings) -> Region | None:
    """Return the widened rectangle of one contour of the probability map, or None where it is no text."""
    (cx, cy), (a, b), angle = cv2.minAreaRect(contour)
    if min(a, b) < 3:
        return None
    x, y, w, h = cv2.boundingRect(contour)
    inside = np.zeros((h, w), np.uint8)
    cv2.fillPoly(inside, [contour - np.array([x, y])], 1)
    if cv2.mean(chance[y : y + h, x : x + w], inside)[0] < settings.box:
        return None
    if min(angle, 90 - angle) < settings.upright:  # short text tilts the rectangle; an exponent, too
        (a, b), (cx, cy), angle = (float(w), float(h)), (x + (w - 1) / 2, y + (h - 1) / 2), 0.0
    grow = settings.unclip * a * b / (2 * (a + b))
    length, height = a + 2 * grow, b + 2 * grow
    if height > length:
        length, height, angle = height, length, angle - 90 if angle > 0 else angle + 90
    return Region((cx, cy), length, height, float(angle))


def _turns(region: Region) -> tuple[float, ...]:
    """Return by which angles a region is turned before reading: both ways where it is upright."""
    tall = abs(region.angle) > 60
    if not tall:
        return (region.angle,)
    steep = (90.0, -90.0)
    return (0.0, *steep) if region.length < 2.2 * region.height else steep


# --- crops ------------------------------------------------------------------------------------------------


def _cut(image: Image, region: Region, turn: float, settings: OcrSettings) -> Image:
    """Cut a region out, turned so that its text is level."""
    tall = abs(region.angle) > 60
    length, height = region.length, region.height
    if tall and turn == 0:
        length, height = height, length
    zoom = settings.line_height / height
    matrix = cv2.getRotationMatrix2D(region.centre, turn, zoom)
    wide, high = max(8, round(length * zoom)), settings.line_height
    matrix[:, 2] += np.array([(wide - 1) / 2 - region.centre[0], (high - 1) / 2 - region.centre[1]])
    how = cv2.INTER_CUBIC if zoom > 0.7 else cv2.INTER_AREA
    turned = cv2.warpAffine(image, matrix, (wide, high), flags=how, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(turned, dtype=np.uint8)


def _text_box(image: Image, region: Region, reading: Reading, turn: float) -> TextBox:
    """Return a region's text with its box shrunk to the ink."""
    along = np.deg2rad(region.angle)
    c, s = abs(np.cos(along)), abs(np.sin(along))
    half_w = (region.length * c + region.height * s) / 2
    half_h = (region.length * s + region.height * c) / 2
    cx, cy = region.centre
    box = Box(cx - half_w, cy - half_h, cx + half_w, cy + half_h)
    if abs(region.angle) < 1 or abs(region.angle) > 89:
        box = glyphs.shrink_to_ink(image, box)
    others = (reading.numeric,) if reading.numeric and reading.numeric != reading.text else ()
    return TextBox(reading.text, box, reading.score, vertical=abs(turn) > 60, alternatives=others)


# --- recogniser -------------------------------------------------------------------------------------------


def recognise(crops: Sequence[Image], settings: OcrSettings | None = None) -> list[Reading]:
    """Read crops that hold one line of text each.

    Args:
        crops: (height, width, 3) uint8 RGB pictures of any size.
        settings: Thresholds.

    Returns:
        One reading for each crop, in order.
    """
    settings = settings or OcrSettings()
    lines = [_line(crop, settings.line_height) for crop in crops]
    readings: list[Reading] = [Reading("", 0.0, "")] * len(lines)
    for chosen in _batches([line.shape[1] for line in lines], settings):
        wide = max(lines[i].shape[1] for i in chosen)
        batch = np.zeros((len(chosen), 3, settings.line_height, wide), np.float32)
        for row, i in enumerate(chosen):
            batch[row, :, :, : lines[i].shape[1]] = _normalised(lines[i])
        net = engine().recogniser
        chances = net.run(None, {net.get_inputs()[0].name: batch})[0]
        for row, i in enumerate(chosen):
            readings[i] = _decode(chances[row])
    return readings


def _batches(widths: Sequence[int], settings: OcrSettings) -> list[list[int]]:
    """Group lines of similar width, so that little time goes into padding."""
    batches: list[list[int]] = []
    for i in sorted(range(len(widths)), key=lambda i: widths[i]):
        room = settings.widening * widths[batches[-1][0]] + settings.line_height if batches else 0
        if batches and len(batches[-1]) < settings.batch and widths[i] <= room:
            batches[-1].append(i)
        else:
            batches.append([i])
    return batches


def _line(crop: Image, height: int) -> Image:
    """Resize a crop to the recogniser's height; the width becomes a multiple of 8."""
    wide = max(16, int(np.ceil(crop.shape[1] * height / crop.shape[0])))
    how = cv2.INTER_AREA if crop.shape[0] > height else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(crop, (wide, height), interpolation=how), dtype=np.uint8)


def _normalised(image: Image) -> Floats:
    """Return a picture as the networks take it: (3, height, width) float32, BGR, -1 to 1."""
    return np.ascontiguousarray(image[..., ::-1].transpose(2, 0, 1), dtype=np.float32) / 127.5 - 1.0


def _decode(chances: Floats) -> Reading:
    """Turn the probabilities (steps, characters) of one line into text."""
    model = engine()
    text, score = _best_path(chances, np.arange(chances.shape[1]))
    allowed = np.flatnonzero(model.numeric | (np.arange(len(model.characters)) == 0))
    numeric, _ = _best_path(chances[:, allowed], allowed)
    return Reading(text, score, numeric.strip())


def _best_path(chances: Floats, ids: NDArray[np.intp]) -> tuple[str, float]:
    """Return the most probable text over some characters, and the mean probability of those it has."""
    best = chances.argmax(axis=1)
    change = np.concatenate([[True], best[1:] != best[:-1]])
    kept = np.flatnonzero(change & (ids[best] != 0))
    if not len(kept):
        return "", 0.0
    text = "".join(engine().characters[ids[best[k]]] for k in kept)
    return text, float(chances[kept, best[kept]].mean())
