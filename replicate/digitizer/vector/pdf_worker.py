"""The child process that reads PDFs: ``python -m replicate.digitizer.vector.pdf_worker``.

PDFium is native code that is fed files from anywhere, and it is not thread-safe: it gets a process of its own with
limits on time and memory, and whatever happens to it is one error in the parent. A request comes as a line of JSON
and the file's bytes on standard input; the answer is a pickle on standard output.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
from typing import Any

from replicate.errors import InputError


def main() -> None:
    """Answer one request."""
    answer_to = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # whatever native code prints is no answer
    request = json.loads(sys.stdin.buffer.readline())
    data = sys.stdin.buffer.read()
    _limit(request["seconds"], request["megabytes"])
    try:
        answer = {"result": _answer(request, data)}
    except InputError as error:
        answer = {"error": (error.message, error.remedy)}
    except MemoryError:
        answer = {"error": (f"{request['name']} needs too much memory", "give one page with --page N")}
    pickle.dump(answer, answer_to, protocol=pickle.HIGHEST_PROTOCOL)
    answer_to.close()


def _limit(seconds: int, megabytes: int) -> None:
    """Limit this process' time and memory, where the system can."""
    try:
        import resource
    except ImportError:  # Windows: the parent's timeout still holds
        return
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _answer(request: dict[str, Any], data: bytes) -> Any:
    """Return the pages' drawings, or the picture of one page."""
    import pypdfium2 as pdfium

    name = request["name"]
    try:
        document = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        if error.err_code == 4:  # FPDF_ERR_PASSWORD
            raise InputError(f"{name} is encrypted", "remove its password first") from error
        raise InputError(f"{name} is damaged or no PDF", "fetch the file again") from error
    count = len(document)
    if count == 0:
        raise InputError(f"{name} has no pages", "fetch the file again")
    page = request["page"]
    if page is not None and page > count:
        raise InputError(f"{name} has {count} pages, so there is no page {page}", "pages are numbered from 1")
    if request["do"] == "render":
        return [_render(document, number, scale) for number, scale in request["views"]]
    chosen = range(request["first"], count, request["step"]) if page is None else [page - 1]
    return _read(document, chosen, request)


def _read(document: Any, chosen: Any, request: dict[str, Any]) -> dict[str, Any]:
    """Return the drawings of pages, and what was wrong with those that could not be read."""
    import pypdfium2 as pdfium

    from replicate.digitizer.vector.pdf_page import PageLimits, TooMuchError, read_page

    drawings, failures = [], []
    for index in chosen:
        try:
            page = document[index]
            drawing = read_page(page, index + 1, request["megapixels"], PageLimits())
            page.close()
        except TooMuchError as error:
            failures.append(str(error))
        except pdfium.PdfiumError:
            failures.append(f"page {index + 1} is damaged")
        else:
            drawings.append(drawing)
    return {"pages": len(document), "drawings": drawings, "failures": failures}


def _render(document: Any, page: int, scale: float) -> Any:
    """Return a page as (height, width, 3) uint8 RGB."""
    bitmap = document[page - 1].render(scale=scale, rev_byteorder=True)
    return bitmap.to_numpy()[..., :3].copy()


if __name__ == "__main__":
    main()
