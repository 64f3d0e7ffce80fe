"""PDF files: what their pages show, and how they look.

All work is done by a child process (see `pdf_worker`), which a hostile file may crash or stall without harm.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess  # noqa: S404
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import replicate
from replicate.digitizer.model import Image
from replicate.digitizer.vector.drawing import Drawing
from replicate.errors import InputError


@dataclass(frozen=True)
class PdfLimits:
    """What reading a PDF may cost.

    Attributes:
        seconds: Most time, of the clock and of the processor, for each child process.
        megabytes: Most memory of a child process.
        megapixels: Larger embedded pictures are left out.
        processes: Child processes that share the pages of a file of at least
        shared: bytes.
    """

    seconds: int = 40
    megabytes: int = 2048
    megapixels: float = 80.0
    processes: int = 2
    shared: int = 100_000


def is_pdf(data: bytes) -> bool:
    """Whether bytes are a PDF: its header stands in the first kilobyte."""
    return b"%PDF-" in data[:1024]


def read_pdf(
    data: bytes, name: str, page: int | None = None, limits: PdfLimits | None = None
) -> tuple[list[Drawing], list[str]]:
    """Read the pages of a PDF.

    Args:
        data: The file's bytes.
        name: The file's name, for messages.
        page: Only this page (from 1), or all.
        limits: What it may cost.

    Returns:
        The pages' drawings in order, and one sentence on each page that could not be read.

    Raises:
        InputError: Encrypted, damaged, without pages or such a page, too large, or too slow.
    """
    limits = limits or PdfLimits()
    request = {"do": "read", "page": page, "megapixels": limits.megapixels, "first": 0, "step": 1}
    several = limits.processes if page is None and len(data) >= limits.shared else 1
    requests = [{**request, "first": k, "step": several} for k in range(several)]
    with ThreadPoolExecutor(len(requests)) as pool:
        answers = list(pool.map(lambda r: _ask(r, data, name, limits), requests))
    drawings = sorted((d for a in answers for d in a["drawings"]), key=lambda d: d.page or 0)
    failures = [f for a in answers for f in a["failures"]]
    if not drawings:
        raise InputError(
            f"{name}: {failures[0]}" if failures else f"{name} has no pages", "give another file"
        )
    return drawings, failures


def render_pages(
    data: bytes, name: str, views: Sequence[tuple[int, float]], limits: PdfLimits | None = None
) -> list[Image]:
    """Return pages as PDFium draws them.

    Args:
        data: The file's bytes.
        name: The file's name, for messages.
        views: Page (from 1) and pixels a point, of each picture.
        limits: What it may cost.

    Returns:
        (height, width, 3) uint8 RGB each.

    Raises:
        InputError: As `read_pdf`.
    """
    request = {"do": "render", "page": None, "views": list(views)}
    images: list[Image] = _ask(request, data, name, limits or PdfLimits())
    return images


def _ask(request: dict[str, Any], data: bytes, name: str, limits: PdfLimits) -> Any:
    """Have a child process answer a request."""
    request = {**request, "name": name, "seconds": limits.seconds, "megabytes": limits.megabytes}
    command = [sys.executable, "-P", "-m", "replicate.digitizer.vector.pdf_worker"]
    sent = json.dumps(request).encode() + b"\n" + data
    try:
        child = subprocess.run(  # noqa: S603 - our own module
            command, input=sent, capture_output=True, timeout=limits.seconds, env=_environment(), check=False
        )
    except subprocess.TimeoutExpired as error:
        said = f"{name} took longer than {limits.seconds} seconds"
        raise InputError(said, "give one page with --page N") from error
    if child.returncode != 0 or not child.stdout:
        if b"MissingComponent" in child.stderr or b"No module named 'pypdfium2'" in child.stderr:
            from replicate.errors import MissingComponentError

            raise MissingComponentError("reading PDFs needs pypdfium2", "pip install pypdfium2")
        raise InputError(f"{name} made the PDF reader fail", "give another file, or a PNG of the figure")
    answer = pickle.loads(child.stdout)  # noqa: S301 - written by our own child
    if "error" in answer:
        raise InputError(*answer["error"])
    return answer["result"]


def _environment() -> dict[str, str]:
    """Return the environment of a child: it must find this package, and needs no threads."""
    roots: Sequence[str] = [str(Path(replicate.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(r for r in roots if r), "OMP_NUM_THREADS": "1"}
