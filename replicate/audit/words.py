"""The audit's sentences: numbers, windows and expectations in words."""

from __future__ import annotations

import math

from replicate.audit.findings import Estimate
from replicate.sheets import Definition, Window

Interval = tuple[float, float]


def sentence(text: str, stop: str = ".") -> str:
    """Return text that begins with a capital."""
    return text[:1].upper() + text[1:] + stop


def number(value: float) -> str:
    """Return a number with four significant digits and thousands separators."""
    if math.isinf(value):
        return "-infinity" if value < 0 else "infinity"
    if value != 0 and abs(value) < 1e-3:
        return f"{value:.2g}"
    digits = max(0, 3 - math.floor(math.log10(abs(value)))) if value else 0
    text = f"{value:,.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def measure(value: float, unit: str) -> str:
    """Return a number with its unit."""
    return f"{number(value)} {unit}".rstrip()


def bounds(interval: Interval) -> str:
    """Return an interval in words; an open end is said as such."""
    low, high = interval
    if math.isinf(low) and math.isinf(high):
        return "any value"
    if math.isinf(high):
        return f"at least {number(low)}"
    if math.isinf(low):
        return f"at most {number(high)}"
    return number(low) if low == high else f"{number(low)} to {number(high)}"


def stretch(window: Window | None) -> str:
    """Return a window in words."""
    if window is None:
        return "over the whole run"
    low, high = window.span
    if window.values is not None:
        return f"from {number(low)} to {number(high)}"
    if window.loss is not None:
        reach = f"where the baseline first reaches {number(high)}"
        start = (
            "from the start" if math.isinf(low) else f"from where the baseline first reaches {number(low)}"
        )
        return reach if low == high else f"{start} to {reach}"
    if window.steps is not None:
        return f"at step {number(high)}" if low == high else f"over steps {number(low)} to {number(high)}"
    if low == high:
        ends = {0.0: "at the start of the run", 1.0: "at the end of the run"}
        return ends.get(low, f"at {number(100 * low)} % of the run")
    if low == 0:
        return f"over the first {number(100 * high)} % of the run"
    return f"from {number(100 * low)} to {number(100 * high)} % of the run"


def where(definition: Definition, entropy: float | None = None) -> str:
    """Return a definition's sentence with its window, its scale of y, and the unigram entropy if it starts there."""
    scale = ", on a log scale of y" if definition.scale == "log" else ""
    start = ""
    if definition.predicate.contextual:
        known = f"once the baseline is below the unigram entropy of {number(entropy)}" if entropy else ""
        start = f", {known or 'no unigram entropy being known'}"
    return f"{definition.predicate.definition.rstrip('.')} ({stretch(definition.window)}{scale}{start})."


def label(definition: Definition) -> str:
    """Return a definition in a few words: its predicate, window and scale."""
    return f"{definition.predicate.name} {stretch(definition.window)}" + (
        ", log y" if definition.scale == "log" else ""
    )


def seeds(count: float) -> str:
    """Return how many seeds would decide something."""
    return f"about {count:.0f} seeds" if math.isfinite(count) else "no number of seeds that can be run"


def short(estimate: Estimate) -> str:
    """Return an estimate with its interval."""
    if estimate.value is None:
        return "no number"
    text = measure(estimate.value, estimate.unit)
    if estimate.interval and estimate.interval[0] != estimate.interval[1]:
        text += f", 95 % interval {bounds(estimate.interval)}"
    return text


def finding(estimate: Estimate) -> str:
    """Return what an estimate found against what was claimed, as the beginning of a sentence."""
    if estimate.value is None:
        return "The curves do not give this number"
    text = short(estimate)
    if estimate.expected:
        text += f", where the claim asks for {bounds(estimate.expected)}"
    return text
