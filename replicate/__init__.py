"""Audit published training curves: read a figure's numbers, rerun the experiment, judge each claim."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from replicate._version import __version__
from replicate.curves import Curve, CurveSet, read_curves, write_curves

if TYPE_CHECKING:
    from replicate.digitizer.record import Digitization

__all__ = ["Curve", "CurveSet", "__version__", "digitize", "read_curves", "write_curves"]


def digitize(figure: Path | str, **wishes: Any) -> Digitization:
    """Digitize a figure.

    Args:
        figure: Path of a picture.
        wishes: Fields of `replicate.digitizer.settings.Settings`, such as ``x_ticks={79: 0, 492: 50_000}``.

    Returns:
        The digitization: ``.curves`` maps names to curves, ``.confidence`` says how far to trust them.

    Raises:
        InputError: The file cannot be read as a picture.
        MissingComponentError: A system library is missing.
    """
    from replicate.commands.digitize import load_pipeline

    pipeline = load_pipeline()
    from replicate.digitizer.settings import Settings

    return pipeline(figure, Settings(**wishes))
