"""A figure sheet to fill in, from what was read off the figure."""

from __future__ import annotations

import json
import math
import re
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

Record = Mapping[str, Any]

SHEET = """\
# What was published about {image}, and what it claims. Fill it in, then run: replicate audit {name} --no-rerun
source:
  title: {name}  # the figure's title
  # citation: who published it, where
  # url: its address

# What the text says of the figure. The axes are as read off the picture: write what the text says.
described:
  panel: 0  # of several, from 0 in reading order
  x_axis: {x_axis}
  y_axis: {y_axis}
  # series:  # values that the text gives, such as "about {y} at {x}"
  #   {first}: {{anchors: [{{x: {x}, y: {y}}}]}}

# A short name for every curve, with its name in the legend.
arms:
{arms}

# One published sentence each. replicate claims lists what can stand as kind, with its unit and its relations.
# A window is {{share: [0, 0.2]}} of the run, {{steps: [0, 1000]}}, or {{loss: [high, low]}}; by default all of it.
# claims:
{claims}
"""
ONE = """\
#   - id: falls
#     text: {first_name} falls monotonically.
#     kind: monotone
#     arms: [{first}]
#     expect: falls"""
TWO = """\
#   - id: lower
#     text: {second_name} is lower at every step.
#     kind: lower_everywhere
#     arms: [{second}, {first}]  # the one spoken of first
#     expect: lower
#   - id: faster
#     text: {second_name} is 20-30 % faster at first.
#     kind: speedup
#     arms: [{second}, {first}]
#     window: {{share: [0, 0.2]}}
#     expect: {{between: [20, 30], unit: "%"}}
#     definitions: {{kinds: [steps_saved, reduction_ratio]}}  # where the sentence leaves it open"""


def draft(name: str, image: str, record: Record) -> str:
    """Return a sheet with the axes and the curves of a figure's first panel, its claims to be written.

    Args:
        name: The figure's name.
        image: The picture's file name.
        record: The digitization record.
    """
    panel = record["panels"][0]
    names = [series["name"] for series in panel["series"]]
    keys = arm_names(names)
    shown = [*(_quoted(n).replace('"', "") for n in names), "", ""]
    slots = {"first": (keys or ["curve"])[0], "second": (keys or ["curve"])[-1]}
    slots |= {"first_name": shown[0] or "The curve", "second_name": shown[max(len(keys) - 1, 0)]}
    x_axis, y_axis = panel["x_axis"], panel["y_axis"]
    return SHEET.format(
        image=image,
        name=_quoted(name),
        x_axis=_axis(x_axis, "x"),
        y_axis=_axis(y_axis, "y"),
        x=f"{max(_values(x_axis)):.6g}",
        y=f"{min(_values(y_axis)):.6g}",
        first=_quoted(names[0] if names else "curve"),
        arms="\n".join(f"  {k}: {{series: {_quoted(n)}}}" for k, n in zip(keys, names, strict=True))
        or "  {}",
        claims=(TWO if len(keys) > 1 else ONE).format(**slots),
    )


def arm_names(series: Sequence[str]) -> list[str]:
    """Return a short name for every series: its letters and digits, numbered where two are alike."""
    found: list[str] = []
    for i, name in enumerate(series, 1):
        plain = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") or f"curve_{i}"
        found.append(plain if plain not in found else f"{plain}_{i}")
    return found


def _axis(axis: Record, fallback: str) -> str:
    """Return an axis as a line of YAML."""
    low, high = sorted(axis["limits"])
    log = axis["scale"] == "log"
    digits = 2 - math.floor(math.log10(high - low)) if high > low and not log else None
    ends = f"{low:.3g}, {high:.3g}" if digits is None else f"{_down(low, digits)}, {_down(-high, digits, -1)}"
    label, scale = _quoted(axis.get("label") or fallback), ", scale: log" if log else ""
    return f"{{label: {label}, range: [{ends}], tick: {1 if log else _tick(axis):.6g}{scale}}}"


def _down(value: float, digits: int, sign: int = 1) -> str:
    """Return a number rounded down to so many decimals, times a sign."""
    rounded = math.floor(round(value * 10.0**digits, 6)) / 10.0**digits * sign
    return f"{rounded + 0.0:.{max(digits, 0)}f}"


def _values(axis: Record) -> list[float]:
    """Return the values of an axis' ticks in order; its ends where it has none."""
    return sorted(tick["value"] for tick in axis["ticks"] if tick["used"]) or sorted(axis["limits"])


def _tick(axis: Record) -> float:
    """Return the usual distance of an axis' ticks."""
    values = _values(axis)
    gaps = [b - a for a, b in zip(values, values[1:], strict=False) if b > a]
    return statistics.median(gaps) if gaps else 1.0


def _quoted(text: str) -> str:
    """Return text as a YAML scalar."""
    return json.dumps(text, ensure_ascii=False)
