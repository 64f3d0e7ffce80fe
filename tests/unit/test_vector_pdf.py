"""PDF pages as drawings: paths through nested matrices, clips, styles, texts, pictures, and what is refused."""

from __future__ import annotations

import io

import numpy as np
import pdf_files
import pypdfium2 as pdfium
import pytest

from replicate.digitizer.model import Box
from replicate.digitizer.vector.drawing import Drawing
from replicate.digitizer.vector.pdf import PdfLimits, is_pdf, read_pdf, render_pages
from replicate.digitizer.vector.pdf_page import PageLimits, read_page
from replicate.errors import InputError


def read(data: bytes) -> Drawing:
    """Read the first page, in this process."""
    return read_page(pdfium.PdfDocument(data)[0], 1, 80.0, PageLimits())


def matplotlib_pdf(**settings: object) -> bytes:
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(settings):
        figure = Figure(figsize=(4, 3))
        ax = figure.add_axes((0.2, 0.2, 0.7, 0.7))
        ax.plot([0, 1, 2], [1, 100, 10], color="#ff0000", linestyle="--")
        ax.set_yscale("log")
        ax.set_ylim(1, 1000)
        out = io.BytesIO()
        figure.savefig(out, format="pdf")
    return out.getvalue()


def test_a_path_stands_y_down_with_its_style() -> None:
    content = "1 0 0 RG 3 w [4 2] 0 d 10 20 m 110 70 l S"
    drawing = read(pdf_files.one_page(content))
    (path,) = drawing.paths
    assert (drawing.width, drawing.height, drawing.kind, drawing.page) == (300, 200, "pdf", 1)
    assert path.subpaths[0].points.tolist() == [[10, 180], [110, 130]]
    assert (path.stroke, path.fill, path.width, path.dash) == ((255, 0, 0), None, 3.0, (4.0, 2.0))


def test_matrices_of_nested_forms_multiply() -> None:
    outer = pdf_files.form("2 0 0 2 10 0 cm /F Do", 11)
    inner = pdf_files.form("1 w 0 0 m 5 10 l S 0 0 m 5 5 l 9 0 l S", None, "1 0 0 1 7 3")
    resources = "<< /XObject << /F 10 0 R >> >>"
    drawing = read(pdf_files.one_page("1 0 0 1 100 50 cm /F Do", resources=resources, _10=outer, _11=inner))
    x0, y0 = 100 + 10 + 2 * 7, 50 + 2 * 3
    line, corner = drawing.paths
    assert line.subpaths[0].points.tolist() == [[x0, 200 - y0], [x0 + 10, 200 - y0 - 20]]
    assert corner.subpaths[0].points.tolist() == [
        [x0, 200 - y0], [x0 + 10, 200 - y0 - 10], [x0 + 18, 200 - y0],
    ]  # fmt: skip
    assert line.width == pytest.approx(2.0)


def test_clips_are_intersected_and_stand_on_the_page() -> None:
    content = "0 0 m 1 1 l S q 20 20 100 100 re W n 50 10 100 60 re W n 0 0 m 300 200 l S Q"
    free, clipped = read(pdf_files.one_page(content)).paths
    assert free.clip is None
    assert clipped.clip == Box(50, 200 - 70, 120, 200 - 20)


def test_curves_are_flattened_and_their_ends_remembered() -> None:
    content = "0 0 m 0 55.228 44.772 100 100 100 c S"  # a quarter of a circle around (100, 0)
    (subpath,) = read(pdf_files.one_page(content)).paths[0].subpaths
    radii = np.hypot(subpath.points[:, 0] - 100, subpath.points[:, 1] - 200)
    assert np.abs(radii - 100).max() < 0.08
    assert subpath.vertices.tolist() == [True, *[False] * (len(radii) - 2), True]
    assert subpath.points[-1].tolist() == [100, 100]


def test_closed_and_filled_areas_do_not_repeat_their_first_point() -> None:
    (path,) = read(pdf_files.one_page("0 0 1 rg 10 10 30 20 re f")).paths
    assert (path.fill, path.stroke) == ((0, 0, 255), None)
    assert path.subpaths[0].closed
    assert len(path.subpaths[0].points) == 4


def test_invisible_paths_are_left_out() -> None:
    assert read(pdf_files.one_page("0 0 m 10 10 l n")).paths == ()


@pytest.mark.parametrize(
    ("turn", "expected"), [(90, [20.0, 10.0]), (180, [290.0, 20.0]), (270, [180.0, 290.0])]
)
def test_turned_pages_are_read_as_they_are_seen(turn: int, expected: list[float]) -> None:
    page = pdf_files.PAGE.replace("/Resources", f"/Rotate {turn} /Resources")
    drawing = read(pdf_files.one_page("10 20 m 110 70 l S", page=page))
    assert drawing.paths[0].subpaths[0].points[0].tolist() == expected


def test_the_crop_box_is_the_page() -> None:
    page = pdf_files.PAGE.replace("/Resources", "/CropBox [50 40 250 140] /Resources")
    drawing = read(pdf_files.one_page("60 50 m 110 70 l S", page=page))
    assert (drawing.width, drawing.height) == (200, 100)
    assert drawing.paths[0].subpaths[0].points[0].tolist() == [10, 90]


@pytest.mark.parametrize("kind", [3, 42])
def test_letters_have_their_own_places_and_sizes(kind: int) -> None:
    drawing = read(matplotlib_pdf(**{"pdf.fonttype": kind}))
    glyphs = [g for t in drawing.texts for g in t.glyphs if t.angle == 0]
    raised = [g for g in glyphs if g.size < 8]
    assert sorted(g.text for g in raised) == ["0", "1", "2", "3"]  # exponents of 10
    assert {round(g.size, 3) for g in glyphs if g.size > 8} == {10.0}
    assert all(g.box.x0 < g.box.x1 and g.box.y0 < g.box.y1 <= g.origin[1] + 0.2 for g in raised)


def test_painting_order_counts_paths_and_texts_together() -> None:
    drawing = read(matplotlib_pdf())
    orders = [x.order for x in (*drawing.paths, *drawing.texts)]
    assert len(set(orders)) == len(orders)


def test_pictures_come_at_their_own_resolution() -> None:
    from PIL import Image

    pixels = np.zeros((200, 320, 3), np.uint8)
    pixels[:50, :80] = (255, 0, 0)  # the upper left corner
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, format="PDF", resolution=72.0)
    (picture,) = read(out.getvalue()).pictures
    assert picture.image.shape == (200, 320, 3)
    assert picture.box == Box(0, 0, 320, 200)
    assert picture.image[10, 10, 0] > 200 > 60 > picture.image[190, 10, 0]


def test_pages_are_rendered_at_the_scale_asked_for() -> None:
    (image,) = render_pages(pdf_files.one_page("0 0 1 rg 0 0 150 200 re f"), "a.pdf", [(1, 2.0)])
    assert image.shape == (400, 600, 3)
    assert image[200, 100].tolist() == [0, 0, 255]
    assert image[200, 500].tolist() == [255, 255, 255]


def test_only_the_page_asked_for_is_read() -> None:
    drawings, _ = read_pdf(pdf_files.one_page("0 0 m 9 9 l S"), "a.pdf", page=1)
    assert [d.page for d in drawings] == [1]
    with pytest.raises(InputError, match="has 1 pages, so there is no page 2"):
        read_pdf(pdf_files.one_page("0 0 m 9 9 l S"), "a.pdf", page=2)


REFUSED = {
    "encrypted": (pdf_files.encrypted(), "is encrypted"),
    "no pages": (pdf_files.without_pages(), "is damaged|no pages"),
    "truncated": (pdf_files.nested(3)[:200], "is damaged or no PDF"),
    "a million points": (
        pdf_files.one_page("0 0 m 9 9 l S", page=pdf_files.PAGE.replace("300 200", "1000000 1000000")),
        "1000000 x 1000000 points",
    ),
    "nested forms": (pdf_files.nested(10_000), "nests forms more than 12 deep"),
    "objects": (pdf_files.one_page("0 0 m 9 9 l S\n" * 200_001), "more than 200000 objects"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_read_is_refused_in_one_line(case: str) -> None:
    data, said = REFUSED[case]
    with pytest.raises(InputError, match=said) as caught:
        read_pdf(data, "a.pdf")
    assert "\n" not in str(caught.value)


def test_a_file_that_takes_too_much_is_stopped() -> None:
    doubling = pdf_files.nested(26, "/F Do /F Do")
    with pytest.raises(InputError, match="made the PDF reader fail|took longer"):
        read_pdf(doubling, "a.pdf", limits=PdfLimits(seconds=2, megabytes=700))


def test_scripts_in_a_file_are_not_run() -> None:
    action = "/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>"
    data = pdf_files.one_page("0 0 m 9 9 l S").replace(
        b"/Pages 2 0 R >>", f"/Pages 2 0 R {action} >>".encode()
    )
    assert len(read_pdf(data, "a.pdf")[0]) == 1  # read by its objects alone, whatever its actions say


def test_a_pdf_is_known_by_its_header() -> None:
    assert is_pdf(b"junk\n%PDF-1.4\n")
    assert not is_pdf(b"\x89PNG")
