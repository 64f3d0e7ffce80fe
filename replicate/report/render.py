"""Page data to HTML: one self-contained file that requests nothing and runs only its own hashed script."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from replicate.audit.findings import Evidence
from replicate.report import charts, gauges, packing, picture
from replicate.report.page import Index, Page

HERE = Path(__file__).parent
INDEX_STYLES = ("report.css",)
INDEX_SCRIPTS = ("index.js",)
PAGE_STYLES = ("uplot/uPlot.min.css", "report.css")
PAGE_SCRIPTS = ("uplot/LICENSE", "uplot/uPlot.iife.min.js", "charts.js", "slider.js")


def render_page(page: Page) -> str:
    """Return a report page as HTML."""
    data = packing.chart_data([figure.chart for figure in page.figures])
    return _render("report.html", PAGE_STYLES, PAGE_SCRIPTS, page.version, page=page, data=data)


def render_index(index: Index) -> str:
    """Return the list of all audits as HTML."""
    evidences = tuple(Evidence)
    return _render("index.html", INDEX_STYLES, INDEX_SCRIPTS, index.version, index=index, evidences=evidences)


def policy(css: str, script: str) -> str:
    """Return the content security policy of a page: its own style and script by hash, pictures inside it."""
    return "; ".join(
        (
            "default-src 'none'",
            f"style-src '{_digest(css)}'",
            f"script-src '{_digest(script)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _digest(text: str) -> str:
    """Return a text's hash as a content security policy writes it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _render(template: str, styles: Sequence[str], scripts: Sequence[str], version: str, **values: Any) -> str:
    """Return a template filled in, with its styles and scripts inside it."""
    css, script = ("\n".join(map(_static, names)) for names in (styles, scripts))
    trusted = {"css": Markup(css), "script": Markup(script)}  # noqa: S704 - the package's own files
    found = _environment().get_template(template)
    return found.render(policy=policy(css, script), version=version, **trusted, **values)


@cache
def _static(name: str) -> str:
    """Return a file of the package's own as text; a licence as a comment."""
    text = (HERE / "static" / name).read_text(encoding="utf-8")
    return f"/*\n{text}*/" if name.endswith("LICENSE") else text


@cache
def _environment() -> Environment:
    """Return the template environment: everything is escaped, a missing value is an error."""
    environment = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "ensure_ascii": False}
    environment.filters.update(
        slug=_slug,
        chart=charts.draw,
        window_chart=charts.draw_window,
        gauge=gauges.draw_gauge,
        ruler=gauges.draw_ruler,
        picture=picture.draw_picture,
        picture_again=picture.draw_again,
        overlay=picture.draw_overlay,
    )
    return environment


def _slug(text: str) -> str:
    """Return a text as a class name."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
