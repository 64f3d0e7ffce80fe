"""The report's pages in a real browser: nothing asked for, nothing refused, every control by keyboard."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from report_sample import TOOL, digitization, hostile, hostile_material, material, published, rerun

from replicate.curves import Curve, CurveSet
from replicate.report.build import build_page
from replicate.report.document import build_document, build_index
from replicate.report.figures import inks
from replicate.report.picture import load_picture
from replicate.report.render import render_index, render_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    Open = Callable[..., "Watched"]

SCHEMES = ("light", "dark")
WATCH = """
window.refused = [];
document.addEventListener("securitypolicyviolation", (e) => refused.push(e.violatedDirective + " " + e.blockedURI));
"""
PIXELS = """(canvas) => {
  const {width, height} = canvas, data = canvas.getContext("2d").getImageData(0, 0, width, height).data;
  const found = {};
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3] !== 255) continue;
    const key = data[i] + "," + data[i + 1] + "," + data[i + 2];
    (found[key] ??= []).push(i / 4);
  }
  return {width, height, found: Object.fromEntries(Object.entries(found).filter(([, at]) => at.length > 3))};
}"""


class Watched:
    """A page, and everything in it that should not happen."""

    def __init__(self, page: Page) -> None:
        """Watch a page that is still empty."""
        self.page = page
        self.said: list[str] = []
        page.add_init_script(WATCH)
        page.on("console", lambda message: self.said.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: self.said.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (self.said.append("dialog"), dialog.dismiss()))
        page.on("request", lambda request: self._asked(request.url))

    def _asked(self, url: str) -> None:
        """Note a request for anything but the page itself and what is in it."""
        if url != self.page.url and not url.startswith(("data:", "blob:", "file:///")):
            self.said.append(f"request: {url}")

    def complaints(self) -> list[str]:
        """Return all that was noted."""
        return self.said + self.page.evaluate("window.refused")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a page, the index over it, and nothing else."""
    from PIL import Image

    folder = tmp_path_factory.mktemp("reports")
    Image.new("RGB", (400, 300), "white").save(folder / "made.png")
    source = material()
    ink = inks(source)
    picture = load_picture(folder / "made.png", "The figure", source.digitization, source.published, ink)
    (folder / "made.html").write_text(render_page(build_page(source, TOOL, ink, picture)))
    documents = [{**build_document(source, TOOL, []), "name": name, "title": name} for name in ("made", "b")]
    documents[1]["claims"] = documents[1]["claims"][:1]
    (folder / "index.html").write_text(render_index(build_index(documents, "1.2.3")))
    return folder


@pytest.fixture
def show(browser: Browser) -> Iterator[Open]:
    """Return what opens a file in a fresh page."""
    contexts = []

    def opened(path: Path, width: int = 1280, **options: Any) -> Watched:
        context = browser.new_context(viewport={"width": width, "height": 900}, **options)
        contexts.append(context)
        watched = Watched(context.new_page())
        watched.page.goto(path.as_uri())
        return watched

    yield opened
    for context in contexts:
        context.close()


def luminance(colour: tuple[int, ...]) -> float:
    """Return the relative luminance of an sRGB colour (WCAG 2.2)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in colour)]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(a: tuple[int, ...], b: tuple[int, ...]) -> float:
    """Return the contrast ratio of two colours (WCAG 2.2)."""
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def rgb(text: str) -> tuple[int, ...]:
    """Return a computed colour's channels."""
    return tuple(int(v) for v in re.findall(r"\d+", text)[:3])


def style(page: Page, selector: str, name: str) -> str:
    """Return a computed property of the first element found."""
    found = page.locator(selector).first.evaluate("(e, name) => getComputedStyle(e)[name]", name)
    return str(found)


def pixels(page: Page, chart: int = 0) -> tuple[int, int, dict[tuple[int, ...], list[int]]]:
    """Return a canvas' width and height, and where each of its opaque colours stands."""
    found = page.locator(".plot canvas").nth(chart).evaluate(PIXELS)
    return found["width"], found["height"], {rgb(key): at for key, at in found["found"].items()}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_nothing_is_asked_for_and_nothing_refused(show: Open, written: Path, scheme: str) -> None:
    for name in ("made.html", "index.html"):
        watched = show(written / name, color_scheme=scheme)
        for button in watched.page.locator("button:enabled").all():
            button.click()
        watched.page.wait_for_timeout(100)
        assert watched.complaints() == []


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", ["made.html", "index.html"])
def test_axe_finds_no_barrier(show: Open, written: Path, name: str, scheme: str) -> None:
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="no axe here: pip install .[e2e]"
    )
    page = show(written / name, color_scheme=scheme).page
    for closed in page.locator("summary").all():
        closed.click()
    found = axe.Axe().run(page)
    assert [(v["id"], v["nodes"][0]["html"]) for v in found.response["violations"]] == []


@pytest.mark.parametrize("scheme", SCHEMES)
def test_what_is_drawn_on_the_canvas_stands_out(show: Open, written: Path, scheme: str) -> None:
    page = show(written / "made.html", color_scheme=scheme).page
    paper = rgb(style(page, "body", "backgroundColor"))
    *_, found = pixels(page)
    for key in page.locator("figure .keys").first.locator("button").all():
        tone = rgb(str(key.evaluate("(e) => getComputedStyle(e).color")))
        assert len(found[tone]) > 100
        assert contrast(tone, paper) >= 4.5
    text = rgb(style(page, ".readout", "color"))
    assert text in found
    assert contrast(text, paper) >= 4.5


def test_the_colours_of_the_canvas_follow_the_scheme(show: Open, written: Path) -> None:
    page = show(written / "made.html", color_scheme="light").page
    before = style(page, ".key-series", "color")
    page.emulate_media(color_scheme="dark")
    after = style(page, ".key-series", "color")
    assert before != after
    *_, found = pixels(page)
    assert rgb(after) in found
    assert rgb(before) not in found


def test_every_control_is_reached_and_seen_by_keyboard(show: Open, written: Path) -> None:
    page = show(written / "made.html").page
    wanted = page.evaluate(
        """() => {
          const all = [...document.querySelectorAll("a[href], button:enabled, input, summary, [tabindex='0']")];
          window.wanted = all.filter((e) => e.checkVisibility());
          return window.wanted.length;
        }"""
    )
    reached = []
    for _ in range(wanted):
        page.keyboard.press("Tab")
        reached.append(
            page.evaluate(
                """() => {
                  const e = document.activeElement, s = getComputedStyle(e);
                  const ring = s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2;
                  return [window.wanted.indexOf(e), ring || e.className === "skip"];
                }"""
            )
        )
    assert [place for place, _ in reached] == list(range(wanted))
    assert all(ring for _, ring in reached)


def test_the_arrow_keys_read_values_off(show: Open, written: Path) -> None:
    page = show(written / "made.html").page
    page.locator(".plot").first.focus()
    page.keyboard.press("Home")
    readout = page.locator(".readout").first
    assert readout.inner_text() == "Step 0: Base 11, Small 11"
    assert readout.get_attribute("aria-live") == "polite"
    page.keyboard.press("ArrowRight")
    first = readout.inner_text()
    assert first == "Step 10: Base 10.58, Small 10.55"
    page.keyboard.press("PageDown")
    assert readout.inner_text() != first
    page.keyboard.press("End")
    assert readout.inner_text() == "Step 1,000: Base 4.508, Small 4.009"
    page.keyboard.press("ArrowRight")
    assert readout.inner_text() == "Step 1,000: Base 4.508, Small 4.009"


def test_odd_curves_can_be_explored(show: Open, tmp_path: Path) -> None:
    nan = float("nan")
    odd = {
        "nothing": ([0, 1, 2], [nan, nan, nan]),
        "negative": ([0, 1, 2], [-1, -2, -3]),
        "twice": ([0, 1, 1, 2], [0, 0, 2, 3]),
        "one": ([1], [5]),
        "none": ([], []),
        "gap": ([0, 1, 2, 3, 4], [1, 2, nan, 4, 5]),
    }
    curves = CurveSet(tuple(Curve.from_points(name, x, y) for name, (x, y) in odd.items()))
    source = material(digitization=None, published=curves)
    (tmp_path / "page.html").write_text(render_page(build_page(source, TOOL, inks(source), None)))
    watched = show(tmp_path / "page.html")
    page = watched.page
    page.locator(".plot").first.focus()
    page.keyboard.press("End")
    assert page.locator(".readout").first.inner_text() == "x 4: gap 5"
    log = page.get_by_role("button", name="Log axis").first
    log.click()
    log.click()
    for key in page.locator("figure").first.locator(".key-series").all():
        key.click()
    log.click()  # an axis with nothing on it that reaches below zero where it is linear
    assert log.get_attribute("aria-pressed") == "true"
    assert watched.complaints() == []


def test_dates_are_read_off_as_days(show: Open, tmp_path: Path) -> None:
    record = digitization()
    axis = record["panels"][0]["x_axis"]
    axis.update(scale="date", limits=[2020.0, 2021.0])
    for tick, value, text in zip(
        axis["ticks"], (2020.0, 2020.5, 2021.0), ("2020", "Jul", "2021"), strict=True
    ):
        tick.update(value=value, text=text)
    curves = CurveSet(tuple(replace(c, x=2020 + c.x / 1000) for c in published().curves))
    source = material(digitization=record, published=curves)
    (tmp_path / "page.html").write_text(render_page(build_page(source, TOOL, inks(source), None)))
    page = show(tmp_path / "page.html").page
    page.locator(".plot").first.focus()
    page.keyboard.press("Home")
    assert page.locator(".readout").first.inner_text() == "Step 2020-01-01: Base 11, Small 11"
    page.keyboard.press("End")
    assert page.locator(".readout").first.inner_text().startswith("Step 2021-01-01: ")


def test_pointing_reads_the_seeds_of_a_rerun(show: Open, written: Path) -> None:
    page = show(written / "made.html").page
    plot = page.locator(".plot").nth(1)
    plot.scroll_into_view_if_needed()
    over = plot.locator(".u-over")
    box = over.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] - 1, box["y"] + 20)
    text = page.locator(".readout").nth(1).inner_text()
    assert text == "Step 100: Base 5.027 to 5.227, Small 4.827 to 5.027"


def test_the_log_axis_can_be_had_and_left(show: Open, written: Path) -> None:
    page = show(written / "made.html").page
    tone = rgb(style(page, ".key-series", "color"))
    toggle = page.get_by_role("button", name="Log axis").first
    image = "(canvas) => canvas.toDataURL()"
    canvas = page.locator(".plot canvas").first

    def height_in_the_middle() -> float:
        width, _, found = pixels(page)
        return float(np.mean([at // width for at in found[tone] if abs(at % width - width / 2) < 20]))

    before, linear = canvas.evaluate(image), height_in_the_middle()
    toggle.focus()
    page.keyboard.press("Space")
    assert toggle.get_attribute("aria-pressed") == "true"
    # loss 4.5 to 11: the middle of the run stands higher where ratios count
    assert linear - height_in_the_middle() > 10
    page.keyboard.press("Space")
    assert toggle.get_attribute("aria-pressed") == "false"
    assert canvas.evaluate(image) == before


def test_zoom_by_keys_by_buttons_and_by_dragging(show: Open, written: Path) -> None:
    page = show(written / "made.html").page
    canvas, plot = page.locator(".plot canvas").first, page.locator(".plot").first
    image = "(canvas) => canvas.toDataURL()"
    whole = canvas.evaluate(image)
    back = page.get_by_role("button", name="Whole run").first
    assert back.is_disabled()
    plot.focus()
    page.keyboard.press("+")
    assert canvas.evaluate(image) != whole
    page.keyboard.press("-")
    assert canvas.evaluate(image) == whole
    page.get_by_role("button", name="Zoom in").first.click()
    assert canvas.evaluate(image) != whole
    back.click()
    assert canvas.evaluate(image) == whole
    box = plot.locator(".u-over").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 50, box["y"] + 50)
    page.mouse.down()
    page.mouse.move(box["x"] + 150, box["y"] + 60, steps=4)
    page.mouse.up()
    assert canvas.evaluate(image) != whole
    plot.focus()
    page.keyboard.press("Escape")
    assert canvas.evaluate(image) == whole


def test_a_series_can_be_put_away(show: Open, written: Path) -> None:
    page = show(written / "made.html").page
    key = page.locator(".key-series").first
    tone = rgb(style(page, ".key-series", "color"))
    key.focus()
    page.keyboard.press("Enter")
    assert key.get_attribute("aria-pressed") == "false"
    assert tone not in pixels(page)[2]
    page.locator(".plot").first.focus()
    page.keyboard.press("Home")
    assert page.locator(".readout").first.inner_text() == "Step 0: Small 11"
    key.click()
    assert len(pixels(page)[2][tone]) > 100


def rows(page: Page, chart: int) -> list[dict[str, str]]:
    """Return the rows of a chart's file."""
    with page.expect_download() as download:
        page.get_by_role("button", name="Download CSV").nth(chart).click()
    assert download.value.suggested_filename == f"made.{('published', 'rerun')[chart]}-chart.csv"
    return list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text())))


def test_the_file_holds_the_curves(show: Open, written: Path) -> None:
    page = show(written / "made.html").page
    found = rows(page, 0)
    assert list(found[0]) == ["series", "x", "y"]
    for curve in published().curves:
        mine = [r for r in found if r["series"] == curve.name]
        assert [float(r["x"]) for r in mine] == curve.x.tolist()
        assert np.allclose([float(r["y"]) for r in mine], curve.y, rtol=0, atol=np.ptp(curve.y) * 1e-5)
    found = rows(page, 1)
    assert list(found[0]) == ["series", "seed", "x", "y"]
    shown = [c for c in rerun().curves if c.run and c.run.split == "val"]
    assert len(found) == sum(len(c) for c in shown)
    for curve in shown:
        assert curve.run
        mine = [r for r in found if (r["series"], r["seed"]) == (curve.name, str(curve.run.seed))]
        assert np.allclose([float(r["y"]) for r in mine], curve.y, rtol=0, atol=np.ptp(curve.y) * 1e-5)


def test_the_slider_lays_the_reading_over_the_original(show: Open, written: Path) -> None:
    page = show(written / "made.html").page
    slider = page.get_by_role("slider")
    slider.focus()
    before = style(page, ".over .picture", "clipPath")
    page.keyboard.press("Home")
    assert slider.get_attribute("aria-valuetext") == "0 % digitized"
    assert style(page, ".over .picture", "clipPath") != before


def test_without_scripts_the_page_is_whole(show: Open, written: Path) -> None:
    page = show(written / "made.html", java_script_enabled=False).page
    charts = page.locator("svg.chart")
    assert charts.count() >= 4 + 3
    for chart in charts.all():
        box = chart.bounding_box()
        assert box is not None
        assert box["width"] > 250
    assert page.locator(".live").count() == 0
    assert page.locator(".compare figure").count() == 2
    assert page.get_by_role("table").first.is_visible()


def test_print_has_the_drawings_and_not_the_controls(show: Open, written: Path, tmp_path: Path) -> None:
    import pypdfium2

    page = show(written / "made.html", color_scheme="dark").page
    page.pdf(path=tmp_path / "page.pdf", format="A4", print_background=True)
    with pypdfium2.PdfDocument(tmp_path / "page.pdf") as document:
        sheets = [document[i] for i in range(len(document))]
        text = "\n".join(sheet.get_textpage().get_text_bounded() for sheet in sheets)
        paths = sum(1 for sheet in sheets for item in sheet.get_objects() if item.type == 2)
        light = document[0].render().to_numpy()[0, 0]
    for said in ("Published, as digitized", "Small is lower at every step.", "Reproducibility checklist"):
        assert said in text
    assert "Download CSV" not in text
    assert paths > 200
    assert min(light[:3]) > 240  # on white paper, whatever the screen's scheme
    page.emulate_media(media="print")
    assert not page.locator(".live").first.is_visible()
    for chart in page.locator(".pairs svg.chart").all():
        box = chart.bounding_box()
        assert box is not None
        assert box["width"] > 250


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_is_wider_than_the_screen(show: Open, written: Path, width: int) -> None:
    for name in ("made.html", "index.html"):
        page = show(written / name, width).page
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_chart_follows_the_width_of_the_page(show: Open, written: Path) -> None:
    page = show(written / "made.html").page
    page.set_viewport_size({"width": 390, "height": 900})
    for _ in range(50):
        box = page.locator(".plot canvas").first.bounding_box()
        if box and box["width"] < 370:
            break
        page.wait_for_timeout(100)
    assert box
    assert 300 < box["width"] < 370
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_index_is_sorted_by_keyboard(show: Open, written: Path) -> None:
    page = show(written / "index.html").page
    names = page.locator("tbody th a")
    assert names.all_inner_texts() == ["b", "made"]
    page.get_by_role("button", name="Claims").focus()
    page.keyboard.press("Enter")
    assert page.locator("th[aria-sort]").get_attribute("aria-sort") == "ascending"
    assert names.all_inner_texts() == ["b", "made"]
    page.keyboard.press("Enter")
    assert page.locator("th[aria-sort]").get_attribute("aria-sort") == "descending"
    assert names.all_inner_texts() == ["made", "b"]


def test_hostile_text_is_inert(show: Open, written: Path, tmp_path: Path) -> None:
    watched = show(written / "made.html")
    for number, payload in enumerate(hostile()):
        source = hostile_material(payload)
        path = tmp_path / f"{number}.html"
        path.write_text(render_page(build_page(source, TOOL, inks(source), None)))
        watched.page.goto(path.as_uri())
        watched.page.evaluate(
            "document.querySelectorAll('.key-series, .tools button').forEach((e) => e.click())"
        )
        watched.page.evaluate("document.querySelectorAll('.key-series').forEach((e) => e.click())")
        watched.page.locator(".plot").first.focus()
        watched.page.keyboard.press("Home")
        assert payload.split()[0] in watched.page.locator(".readout").first.inner_text(), payload
        assert watched.complaints() == [], payload
        assert watched.page.evaluate("window.hit") is None, payload
        assert payload.strip() in watched.page.locator(".key-series").first.evaluate("(e) => e.textContent")
