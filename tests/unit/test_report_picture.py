"""The published picture in the page, with the curves over it."""

from __future__ import annotations

import base64
import io
from pathlib import Path

from report_sample import digitization, material, published

from replicate.report.figures import inks
from replicate.report.picture import load_picture


def test_picture_carries_curves_in_its_own_pixels(tmp_path: Path) -> None:
    from PIL import Image

    path = tmp_path / "made.png"
    Image.new("RGB", (400, 300), "white").save(path)
    source = material()
    picture = load_picture(path, "alt", source.digitization, published(points=3), inks(source))
    assert picture is not None
    assert (picture.width, picture.height) == (400, 300)
    start, *_ = picture.traces[0].path.split("l")
    assert start == "M50 50"  # step 0 and loss 11: 260 - 30 * (11 - 4)
    assert (50.0, 260) in picture.ticks
    kind, _, content = picture.uri.partition(";base64,")
    assert kind == "data:image/webp"  # without loss where that is smaller than the file
    with Image.open(io.BytesIO(base64.b64decode(content))) as shown:
        assert shown.convert("RGB").getcolors() == [(400 * 300, (255, 255, 255))]


def test_a_large_picture_is_made_smaller_for_the_page(tmp_path: Path) -> None:
    import numpy as np
    from PIL import Image

    noise = np.random.default_rng(0).integers(0, 255, (900, 1500, 3), dtype=np.uint8)
    path = tmp_path / "large.png"
    Image.fromarray(noise).save(path)
    picture = load_picture(path, "alt", None, None, {})
    assert picture is not None
    assert (picture.width, picture.height) == (1500, 900)
    assert picture.uri.startswith("data:image/webp;base64,")
    assert len(picture.uri) < path.stat().st_size


def test_a_figure_that_no_browser_shows_has_the_overlay_or_no_picture(tmp_path: Path) -> None:
    from PIL import Image

    path, overlay = tmp_path / "figure.pdf", tmp_path / "figure.overlay.png"
    assert load_picture(path, "alt", None, None, {}) is None
    path.write_bytes(b"%PDF-1.7")
    assert load_picture(path, "alt", None, None, {}, overlay) is None
    Image.new("RGB", (90, 60), "white").save(overlay)
    picture = load_picture(path, "alt", digitization(), published(), {}, overlay)
    assert picture is not None
    assert (picture.width, picture.height, picture.traces) == (90, 60, ())
    assert picture.note.startswith("The figure, faded")


def test_a_picture_that_was_turned_has_the_overlay(tmp_path: Path) -> None:
    from PIL import Image

    path, overlay = tmp_path / "made.png", tmp_path / "made.overlay.png"
    Image.new("RGB", (400, 300), "white").save(path)
    Image.new("RGB", (90, 60), "white").save(overlay)
    record = {**digitization(), "warnings": [{"code": "turned", "message": "Turned.", "where": None}]}
    picture = load_picture(path, "alt", record, published(), inks(material()), overlay)
    assert picture is not None
    assert (picture.width, picture.traces) == (90, ())


def test_an_svg_is_shown_in_its_own_units(tmp_path: Path) -> None:
    path = tmp_path / "made.svg"
    path.write_text('<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"/>')
    source = material()
    picture = load_picture(path, "alt", source.digitization, published(points=3), inks(source))
    assert picture is not None
    assert picture.uri.startswith("data:image/svg+xml;base64,")
    assert (picture.width, picture.height, picture.corner) == (400, 300, 0)
    assert picture.traces[0].path.startswith("M50 50l")
