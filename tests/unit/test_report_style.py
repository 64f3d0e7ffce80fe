"""The style sheet: contrast in light and dark, and that every class and colour it needs is there."""

from __future__ import annotations

import hashlib
import itertools
import re
from pathlib import Path

import pytest

import replicate.report
from replicate.report.palette import HUES

STATIC = Path(replicate.report.__file__).parent / "static"
CSS = (STATIC / "report.css").read_text(encoding="utf-8")
TEXT = ("ink", "soft", "link", "replicated", "partly", "not", "open", "none", *HUES)


def themes() -> dict[str, dict[str, str]]:
    """Return the colours of the light and of the dark theme by variable."""
    light, dark, *_ = re.findall(r":root \{(.*?)\}", CSS, re.S)
    return {
        name: dict(re.findall(r"--([a-z]+): (#[0-9a-f]{3,6})", block))
        for name, block in (("light", light), ("dark", dark))
    }


def luminance(colour: str) -> float:
    """Return the relative luminance of ``#rrggbb`` (WCAG 2.2)."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(a: str, b: str) -> float:
    """Return the contrast ratio of two colours (WCAG 2.2)."""
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(("theme", "name"), list(itertools.product(("light", "dark"), TEXT)))
def test_text_stands_out_from_the_paper(theme: str, name: str) -> None:
    colours = themes()[theme]
    assert contrast(colours[name], colours["paper"]) >= 4.5


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_curves_and_labels_stand_out_from_a_marked_window(theme: str) -> None:
    colours = themes()[theme]
    for name, ground in itertools.product((*HUES, "replicated", "not", "open"), ("window", "expected")):
        assert contrast(colours[name], colours[ground]) >= 3, (name, ground)


def test_contrast_of_black_and_white() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


def test_the_overlay_keeps_its_inks_on_the_white_picture() -> None:
    [block] = re.findall(r"\.picture \.trace \{(.*?)\}", CSS)
    inks = dict(re.findall(r"--([a-z]+): (#[0-9a-f]{6})", block))
    assert set(inks) == set(HUES)
    assert all(contrast(c, "#ffffff") >= 4.5 for c in inks.values())


def test_every_ink_and_dash_has_a_rule() -> None:
    assert all(f".ink-{name} {{" in CSS for name in HUES)
    assert all(f".dash-{i} .line {{" in CSS for i in range(1, 5))
    assert "@media print" in CSS
    assert "http" not in CSS


def test_the_plotting_library_is_the_published_one() -> None:
    folder = STATIC / "uplot"
    stated = dict(re.findall(r"^\| (\S+) \| ([0-9a-f]{64}) \|$", (folder / "README.md").read_text(), re.M))
    found = {
        p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in folder.iterdir() if p.name != "README.md"
    }
    assert found == stated
    assert found["uPlot.iife.min.js"] == "19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f"
    assert "MIT" in (folder / "LICENSE").read_text()
