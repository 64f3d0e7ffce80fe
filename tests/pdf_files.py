"""Small PDF files, written by hand, for the tests of what is refused."""

from __future__ import annotations

from collections.abc import Mapping

PAGE = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Resources 5 0 R /Contents 4 0 R >>"


def write_pdf(objects: Mapping[int, str], trailer: str = "") -> bytes:
    """Return a PDF of numbered objects; object 1 is the catalogue."""
    out = b"%PDF-1.4\n"
    places = {}
    for number, text in objects.items():
        places[number] = len(out)
        out += f"{number} 0 obj\n{text}\nendobj\n".encode("latin-1")
    start, size = len(out), max(objects) + 1
    out += f"xref\n0 {size}\n0000000000 65535 f \n".encode()
    for number in range(1, size):
        out += f"{places.get(number, 0):010d} 00000 {'n' if number in places else 'f'} \n".encode()
    return out + f"trailer\n<< /Size {size} /Root 1 0 R {trailer} >>\nstartxref\n{start}\n%%EOF\n".encode()


def stream(content: str, entries: str = "") -> str:
    """Return a stream object."""
    return f"<< /Length {len(content)} {entries} >>\nstream\n{content}\nendstream"


def one_page(content: str, page: str = PAGE, resources: str = "<< >>", **extra: str) -> bytes:
    """Return a PDF of one page that draws some content."""
    objects = {
        1: "<< /Type /Catalog /Pages 2 0 R >>",
        2: "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        3: page,
        4: stream(content),
        5: resources,
    }
    return write_pdf(objects | {int(k[1:]): v for k, v in extra.items()})


def form(content: str, inner: int | None, matrix: str = "1 0 0 1 0 0") -> str:
    """Return a form that may use another one under the name of F."""
    resources = f"/Resources << /XObject << /F {inner} 0 R >> >>" if inner else "/Resources << >>"
    head = f"/Type /XObject /Subtype /Form /BBox [0 0 300 200] /Matrix [{matrix}] {resources}"
    return stream(content, head)


def nested(depth: int, content: str = "/F Do") -> bytes:
    """Return a page that draws a form in a form, `depth` deep; the innermost draws a line."""
    forms = {f"_{10 + k}": form(content, 11 + k) for k in range(depth - 1)}
    forms[f"_{9 + depth}"] = form("10 10 m 100 50 l S", None)
    return one_page("/F Do", resources="<< /XObject << /F 10 0 R >> >>", **forms)


def encrypted() -> bytes:
    """Return a PDF that asks for a password."""
    lock = f"<< /Filter /Standard /V 1 /R 2 /P -4 /O <{'5a' * 32}> /U <{'a5' * 32}> >>"
    objects = {
        1: "<< /Type /Catalog /Pages 2 0 R >>",
        2: "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        3: PAGE,
        4: stream("0 0 m 10 10 l S"),
        5: "<< >>",
        6: lock,
    }
    return write_pdf(objects, f"/Encrypt 6 0 R /ID [<{'01' * 16}> <{'01' * 16}>]")


def without_pages() -> bytes:
    """Return a PDF of no pages."""
    return write_pdf({1: "<< /Type /Catalog /Pages 2 0 R >>", 2: "<< /Type /Pages /Kids [] /Count 0 >>"})
