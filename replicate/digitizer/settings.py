"""What a person may set for a digitization."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from replicate.digitizer.calibration import Calibration
from replicate.digitizer.raster import MAX_MEGAPIXELS
from replicate.errors import InputError

AxisScale = Literal["linear", "log", "auto"]


@dataclass(frozen=True)
class Settings:
    """A person's wishes, which win over what the machine finds.

    Attributes:
        page: Page of a PDF, from 1; None for all.
        figure: Only the figure with this number in its caption, or all.
        panel: Only this panel (from 0), or all.
        x_scale: Scale of the x axes.
        y_scale: Scale of the y axes.
        x_ticks: Pixel to value, a calibration of the x axis; empty for the automatic one.
        y_ticks: The same for y.
        calibration: The axes of a saved record; ticks given by hand win over it.
        series: Name to "#rrggbb", a legend; empty for the automatic one.
        max_megapixels: Pictures with more pixels are refused.
        min_confidence: Figures below this need a person.
        command: The command line, for the record.
        debug: Folder for numbered pictures of the stages of a picture's reading, or None.
    """

    page: int | None = None
    figure: int | None = None
    panel: int | None = None
    x_scale: AxisScale = "auto"
    y_scale: AxisScale = "auto"
    x_ticks: Mapping[float, float] = field(default_factory=dict)
    y_ticks: Mapping[float, float] = field(default_factory=dict)
    calibration: Calibration | None = None
    series: Mapping[str, str] = field(default_factory=dict)
    max_megapixels: float = MAX_MEGAPIXELS
    min_confidence: float = 0.8
    command: tuple[str, ...] = ()
    debug: Path | None = None


def parse_ticks(text: str | None, flag: str) -> dict[float, float]:
    """Parse "PIXEL=VALUE,PIXEL=VALUE,...".

    Raises:
        InputError: Not of that form, or fewer than two ticks.
    """
    if not text:
        return {}
    try:
        ticks = {float(a): float(b) for a, b in (pair.split("=") for pair in text.split(","))}
    except ValueError as error:
        raise InputError(
            f"{flag} {text!r} is not PIXEL=VALUE,PIXEL=VALUE", f'write {flag} "79=0,492=50000"'
        ) from error
    if not all(math.isfinite(v) for pair in ticks.items() for v in pair):
        raise InputError(f"{flag} {text!r} holds a value that is no number", f'write {flag} "79=0,492=50000"')
    if len(ticks) < 2:
        raise InputError(f"{flag} {text!r} names fewer than two pixels", f'write {flag} "79=0,492=50000"')
    return ticks


def parse_series(text: str | None) -> dict[str, str]:
    """Parse "NAME=#rrggbb,NAME=#rrggbb,...".

    Raises:
        InputError: Not of that form.
    """
    if not text:
        return {}
    series: dict[str, str] = {}
    for pair in text.split(","):
        name, _, colour = pair.rpartition("=")
        digits = colour.strip().lstrip("#")
        if not name or len(digits) != 6 or any(c not in "0123456789abcdefABCDEF" for c in digits):
            remedy = 'write --series "Baseline=#1f77b4,Ours=#ff7f0e"'
            raise InputError(f"--series {pair.strip()!r} is not NAME=#rrggbb", remedy)
        series[name.strip()] = "#" + digits.lower()
    return series
