"""Charts drawn by matplotlib as PDF and SVG, for the tests of what is read from drawn paths."""

from __future__ import annotations

import io
from typing import Any, Literal

import pypdfium2 as pdfium
from matplotlib import rc_context
from matplotlib.figure import Figure

from replicate.digitizer.model import Caution
from replicate.digitizer.record import Panel
from replicate.digitizer.settings import Settings
from replicate.digitizer.vector.drawing import Drawing
from replicate.digitizer.vector.page import make_page
from replicate.digitizer.vector.pdf_page import PageLimits
from replicate.digitizer.vector.pdf_page import read_page as read_pdf_page
from replicate.digitizer.vector.read import read_page
from replicate.digitizer.vector.svg import read_svg

Form = Literal["pdf", "svg"]


def save(figure: Figure, form: Form, **settings: Any) -> bytes:
    """Return a figure as a file."""
    out = io.BytesIO()
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "0", **settings}):
        figure.savefig(out, format=form)
    return out.getvalue()


def drawing_of(figure: Figure, form: Form = "pdf", **settings: Any) -> Drawing:
    """Return what a saved figure shows."""
    data = save(figure, form, **settings)
    if form == "svg":
        return read_svg(data, "a.svg")
    return read_pdf_page(pdfium.PdfDocument(data)[0], 1, 80.0, PageLimits())


def read(figure: Figure, form: Form = "pdf", **wishes: Any) -> list[tuple[Panel, list[Caution]]]:
    """Read a figure from its drawn paths."""
    return read_page(make_page(drawing_of(figure, form)), Settings(**wishes))


def read_one(figure: Figure, form: Form = "pdf", **wishes: Any) -> tuple[Panel, list[str]]:
    """Read a figure of one panel; also return the codes of what a person should look at."""
    ((panel, cautions),) = read(figure, form, **wishes)
    return panel, [c.code for c in cautions]
