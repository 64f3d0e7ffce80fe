"""A digitization put together by hand, so that every number in its files is known."""

from __future__ import annotations

import numpy as np

from replicate.curves import Curve
from replicate.digitizer.model import AxisFit, Box, Caution, FittedTick
from replicate.digitizer.record import Digitization, Panel, Series
from replicate.digitizer.trace import Trace

BOX = Box(40.0, 20.0, 240.0, 120.0)


def axis(scale: str, at: tuple[float, float], values: tuple[float, float], label: str | None) -> AxisFit:
    """Return an axis through two ticks, with a third label that it does not use."""
    u = np.log10(values) if scale == "log" else np.array(values)
    slope = float(u[1] - u[0]) / (at[1] - at[0])
    ticks = [FittedTick(p, f"{v:g}", v, True) for p, v in zip(at, values, strict=True)]
    ticks.append(FittedTick(sum(at) / 2, "?", float("nan"), False))
    return AxisFit(scale, float(u[0]) - slope * at[0], slope, tuple(ticks), 0.125, 0.25, label)


def series(
    name: str, rows: list[float], axis_: str = "y", observed: tuple[bool, ...] = (True,) * 4
) -> Series:
    """Return a curve of four columns."""
    columns = np.array([0.0, 50.0, 100.0, 150.0])
    y = np.array(rows)
    trace = Trace(columns, y, y - 1, y + 1, np.array(observed), 2.0)
    value = 10 - y / 10
    curve = Curve.from_points(name, columns * 10, value, value - 0.1, value + 0.1, observed)
    return Series(name, "legend", "#1f77b4", axis_, "solid", trace, curve, 0.9)


def sample(*, readable: bool = True) -> Digitization:
    """Return the digitization; where it is not readable, without its y axis and curves."""
    x = axis("linear", (40.0, 240.0), (0.0, 2000.0), "step")
    y = axis("log", (120.0, 20.0), (1.0, 100.0), "loss")
    found = (
        series("Baseline", [10, 40, 60, 70]),
        series("Ours", [5, 30, 50, 55], "y2", (True, False, True, True)),
    )
    panel = Panel(
        BOX,
        (41, 21),
        x,
        y if readable else None,
        axis("linear", (120.0, 20.0), (5.0, -5.0), None) if readable else None,
        "Ablation",
        found if readable else (),
        0.8125 if readable else 0.0,
    )
    warnings = () if readable else (Caution("y-axis-unread", "the y axis could not be read", BOX),)
    picture = np.full((140, 260, 3), 255, np.uint8)
    command = ("replicate", "digitize", "fig.png")
    return Digitization(
        "fig.png", "ab" * 32, (260, 140), "raster", None, command, (panel,), warnings, picture
    )
