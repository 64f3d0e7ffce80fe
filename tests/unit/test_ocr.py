"""Reading text off pictures drawn here."""

from __future__ import annotations

import io
import logging
import subprocess
import sys
from collections.abc import Callable

import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image as PillowImage

from replicate.digitizer import glyphs, ocr, ticklabels
from replicate.digitizer.model import Box, Image
from replicate.errors import MissingComponentError


def drawn(figure: Figure) -> Image:
    buffer = io.BytesIO()
    with matplotlib.rc_context({"savefig.facecolor": "auto"}):
        figure.savefig(buffer, format="png", dpi=figure.dpi)
    return np.asarray(PillowImage.open(buffer).convert("RGB"))


def text_picture(text: str, size: float = 11, rotation: float = 0, dark: bool = False) -> tuple[Image, Box]:
    """Return a picture of one text, and the box of its ink."""
    figure = Figure(figsize=(2.4, 1.6), dpi=100, facecolor="#101820" if dark else "white")
    colour = "white" if dark else "black"
    figure.text(0.5, 0.5, text, fontsize=size, rotation=rotation, ha="center", va="center", color=colour)
    image = drawn(figure)
    ys, xs = np.nonzero(np.abs(image.astype(int) - image[0, 0]).max(axis=2) > 90)
    return image, Box(float(xs.min()), float(ys.min()), float(xs.max()), float(ys.max()))


def chart(width: float, dpi: int, font: float) -> Image:
    figure = Figure(figsize=(width, 0.75 * width), dpi=dpi)
    axes = figure.add_axes((0.2, 0.2, 0.7, 0.7))
    axes.plot([0, 50000], [3.2, 7.9], label="Baseline")
    axes.set_xlabel("Training steps", fontsize=font)
    axes.set_ylabel("Validation loss", fontsize=font)
    axes.tick_params(labelsize=font)
    axes.legend(fontsize=font)
    return drawn(figure)


@pytest.mark.parametrize(
    "text", ["17,500", "-0.25", "1e-3", "20k", "1.2M", "30%", "0.0025", "2010-07-02", "Validation loss"]
)
def test_level_text_is_read_from_its_box(text: str) -> None:
    image, box = text_picture(text)
    assert ocr.read_crops(image, [box])[0].text.replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize("dark", [False, True])
def test_many_boxes_come_back_in_order(dark: bool) -> None:
    pictures = [text_picture(t, dark=dark) for t in ("7", "123456", "0.5", "40")]
    page = np.concatenate([p for p, _ in pictures])
    boxes = [Box(b.x0, b.y0 + k * 160, b.x1, b.y1 + k * 160) for k, (_, b) in enumerate(pictures)]
    assert [t.text for t in ocr.read_crops(page, boxes)] == ["7", "123456", "0.5", "40"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$10^{2}$", 1e2),
        ("$10^{-3}$", 1e-3),
        ("$10^{13}$", 1e13),
        ("$2^{5}$", 32),
        (r"$3\times10^{-2}$", 3e-2),
        (r"$6\times10^{0}$", 6),
    ],
)
@pytest.mark.parametrize("size", [8, 14])
@pytest.mark.parametrize("fontset", ["dejavusans", "cm"])
def test_raised_exponents_are_found(text: str, value: float, size: float, fontset: str) -> None:
    with matplotlib.rc_context({"mathtext.fontset": fontset}):
        image, box = text_picture(text, size)
    read = ocr.read_crops(image, [box])[0]
    first = ticklabels.parse(read.text, read.alternatives)[0]
    assert (first.value, first.form) == (value, "power")


@pytest.mark.parametrize("text", ["102", "10", "-0.5", "1e-3", "1,000", "5%"])
def test_level_text_has_no_exponent(text: str) -> None:
    image, box = text_picture(text, 12)
    assert glyphs.split_raised(glyphs.label_crop(image, box)) is None


def test_split_exponent_reads_both_parts() -> None:
    image, box = text_picture("$10^{-4}$", 12)
    assert ocr.split_exponent(glyphs.label_crop(image, box)) == ("10", "-4")


@pytest.mark.parametrize("rotation", [30, 45, 60, 90, -45])
def test_turned_labels_are_read(rotation: float) -> None:
    image, box = text_picture("2500", 11, rotation)
    read = ocr.read_crops(image, [box])[0]
    assert read.text == "2500"
    assert read.vertical == (rotation == 90)


def test_the_slant_of_a_label_is_measured() -> None:
    image, box = text_picture("20000", 12, 45)
    assert glyphs.slant(glyphs.label_crop(image, box)) == pytest.approx(45, abs=4)
    image, box = text_picture("20000", 12)
    assert glyphs.slant(glyphs.label_crop(image, box)) == 0


@pytest.mark.parametrize(
    "page",
    [lambda: chart(6.4, 100, 10), lambda: chart(3.0, 100, 7), lambda: chart(8, 250, 10)],
    ids=["usual", "small", "large"],
)
def test_a_page_is_read_at_any_size(page: Callable[[], Image]) -> None:
    texts = ocr.find_text(page())
    plain = {t.text.strip() for t in texts}
    assert {"Baseline", "Training steps", "20000", "30000", "40000"} <= plain
    assert [t.text for t in texts if t.vertical] == ["Validation loss"]


def test_a_row_of_numbers_taken_for_one_line_comes_apart() -> None:
    image, _ = text_picture("40000  50000  60000", 10)
    texts = ocr.find_text(image)
    assert [t.text for t in texts] == ["40000", "50000", "60000"]
    assert all(a.box.x1 + 5 < b.box.x0 for a, b in zip(texts, texts[1:], strict=False))


def test_a_number_with_spaces_stays_one() -> None:
    image, _ = text_picture("10 000", 11)
    assert [t.text.replace(" ", "") for t in ocr.find_text(image)] == ["10000"]


def test_boxes_are_those_of_the_ink() -> None:
    image, ink = text_picture("Training loss", 11)
    (found,) = ocr.find_text(image)
    assert np.abs(np.subtract(found.box, ink)).max() <= 1


def test_tick_marks_are_no_part_of_a_label() -> None:
    image, ink = text_picture("40", 11)
    image = image.copy()
    row = int(ink.centre[1])
    image[row, int(ink.x1) + 5 : int(ink.x1) + 9] = 0
    loose = Box(ink.x0 - 6, ink.y0 - 6, ink.x1 + 6, ink.y1 + 6)
    assert glyphs.shrink_to_ink(image, loose) == ink


def test_an_empty_page_has_no_text() -> None:
    assert ocr.find_text(np.full((200, 300, 3), 255, np.uint8)) == ()
    assert ocr.read_crops(np.full((200, 300, 3), 255, np.uint8), []) == ()


def test_a_box_without_ink_reads_as_nothing() -> None:
    (read,) = ocr.read_crops(np.full((60, 80, 3), 255, np.uint8), [Box(10, 10, 40, 30)])
    assert ticklabels.parse(read.text, read.alternatives) == ()


def test_boxes_beyond_the_picture_are_clipped() -> None:
    image, _ = text_picture("40", 11)
    assert len(ocr.read_crops(image, [Box(-20, -20, -5, -5), Box(230, 150, 400, 400)])) == 2


def test_the_engine_is_loaded_once_and_silent(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        assert ocr.engine() is ocr.engine()
    assert not caplog.records


def test_missing_models_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "DETECTOR", "nowhere.onnx")
    ocr.engine.cache_clear()
    try:
        with pytest.raises(MissingComponentError, match="OCR models"):
            ocr.engine()
    finally:
        ocr.engine.cache_clear()


def test_importing_loads_no_network_library_of_the_wheel() -> None:
    code = "import sys, replicate.digitizer.ocr; print('rapidocr' in sys.modules, 'requests' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
