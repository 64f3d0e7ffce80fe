"""Which figure of a paper a panel belongs to: the caption nearest below it, else above it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from replicate.digitizer.model import Box
from replicate.digitizer.vector.lettering import Lettering

_CAPTION = re.compile(r"(?:Figure|FIGURE|Fig\.?|FIG\.?)\s*(?:[A-Z]\.?)?(\d+)\s*[:.|]?")


def find_captions(texts: Sequence[Lettering]) -> list[tuple[int, Box]]:
    """Return the number and the place of each caption; references in running text do not begin a line.

    Args:
        texts: The page's texts.
    """
    found = []
    for item in texts:
        match = _CAPTION.match(item.text.text)
        if match and not item.text.vertical and not _continues(item, texts):
            found.append((int(match[1]), item.text.box))
    return found


def _continues(item: Lettering, texts: Sequence[Lettering]) -> bool:
    """Whether another text stands close before a text in its line."""
    box = item.text.box
    return any(
        0 < box.x0 - t.text.box.x1 < 1.2 * item.size and abs(t.text.box.y1 - box.y1) < 0.5 * item.size
        for t in texts
        if t is not item
    )


def figure_of(panel: Box, captions: Sequence[tuple[int, Box]]) -> int | None:
    """Return the number of a panel's figure; None without captions on its page."""

    def badness(caption: tuple[int, Box]) -> tuple[bool, float]:
        box = caption[1]
        beside = max(panel.x0 - box.x1, box.x0 - panel.x1, 0.0)
        below = box.y0 - panel.y1
        return below < 0, (below if below >= 0 else panel.y0 - box.y1) + 2 * beside

    return min(captions, key=badness)[0] if captions else None
