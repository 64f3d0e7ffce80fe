"""Where the parts of a chart lie, in drawing units (about a CSS pixel where the page is wide)."""

from __future__ import annotations

from dataclasses import dataclass

from replicate.report.scales import FloatArray, Scale

LINE_HEIGHT = 13.0
CHARACTER = 6.8  # mean width of a character at the charts' text size


@dataclass(frozen=True)
class Layout:
    """The measures of a chart."""

    width: float = 440.0
    height: float = 286.0
    left: float = 46.0
    top: float = 24.0
    bottom: float = 42.0
    tick: float = 4.0
    label_gap: float = 12.0
    label_characters: int = 15
    ticks_x: int = 6
    ticks_y: int = 5


@dataclass(frozen=True)
class Frame:
    """Where the plot area lies."""

    left: float
    top: float
    right: float
    bottom: float

    def x(self, scale: Scale, values: FloatArray | float) -> FloatArray:
        """Return horizontal drawing coordinates."""
        return self.left + scale.share(values) * (self.right - self.left)

    def y(self, scale: Scale, values: FloatArray | float) -> FloatArray:
        """Return vertical drawing coordinates."""
        return self.bottom - scale.share(values) * (self.bottom - self.top)
