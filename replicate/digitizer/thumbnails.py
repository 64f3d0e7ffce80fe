"""What a figure holds, panel by panel: where it stands, what its axes are, and a small picture of it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from replicate.digitizer.model import Image
from replicate.digitizer.record import Digitization, Panel
from replicate.files import write_atomic

MARGIN = 0.2  # of the panel's size that is shown around it
SIDE = 480  # longest side of a thumbnail, pixels


def list_panels(digitization: Digitization, folder: Path) -> list[dict[str, Any]]:
    """Describe the panels of a figure and write a thumbnail of each.

    Args:
        digitization: The figure.
        folder: Where the thumbnails' folder ``<stem>.panels/`` goes.

    Returns:
        For each panel its number, page, figure, box, axis labels, names of series, confidence and thumbnail.

    Raises:
        OutputError: A thumbnail cannot be written.
    """
    rows = []
    for number, panel in enumerate(digitization.panels):
        path = folder / f"{Path(digitization.file).stem}.panels" / f"{number}.png"
        done, png = cv2.imencode(".png", thumbnail(digitization.picture, panel)[..., ::-1])
        if not done:
            raise RuntimeError("the thumbnail could not be encoded")
        write_atomic(path, png.tobytes())
        rows.append(
            {
                "panel": number,
                "page": panel.page,
                "figure": panel.figure,
                "box": [round(v, 2) for v in panel.box],
                "x_label": panel.x_axis.label if panel.x_axis else None,
                "y_label": panel.y_axis.label if panel.y_axis else None,
                "title": panel.title,
                "series": [s.name for s in panel.series],
                "confidence": round(panel.confidence, 3),
                "thumbnail": str(path),
            }
        )
    return rows


def thumbnail(picture: Image, panel: Panel) -> Image:
    """Return a panel and what stands around it, as a small picture."""
    box, view = panel.box, panel.view
    wide, tall = MARGIN * box.width, MARGIN * box.height
    x0, y0 = view.x + view.scale * (box.x0 - wide), view.y + view.scale * (box.y0 - tall)
    x1, y1 = view.x + view.scale * (box.x1 + wide), view.y + view.scale * (box.y1 + tall)
    part = picture[max(int(y0), 0) : math.ceil(y1) + 1, max(int(x0), 0) : math.ceil(x1) + 1]
    shrink = min(SIDE / max(part.shape[:2]), 1.0)
    size = max(round(part.shape[1] * shrink), 1), max(round(part.shape[0] * shrink), 1)
    return np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
