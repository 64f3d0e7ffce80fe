"""Stretches of True in a mask."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def stretches(mask: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return the (first, last) index of every stretch of True in a mask, (n,) bool, in order."""
    edges = np.diff(np.concatenate(([0], mask.astype(np.int8), [0])))
    return list(
        zip(np.flatnonzero(edges == 1).tolist(), (np.flatnonzero(edges == -1) - 1).tolist(), strict=True)
    )
