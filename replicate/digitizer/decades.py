"""Labels between the decades of a logarithmic axis that say their first digit alone, as plotly writes them.

1, 2, 5, 10, 2, 5, 100 stands for 1, 2, 5, 10, 20, 50, 100.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from replicate.digitizer.model import AxisEvidence, LabelReading, TickLabel


def with_decades(evidence: AxisEvidence) -> AxisEvidence:
    """Return the evidence with single digits between decades made whole.

    Nothing changes unless the labels, as they stand, go up and down along the axis, and their digits, multiplied by
    the decade that they follow, make them ascend.
    """
    ordered = sorted(evidence.labels, key=lambda label: label.pixel)
    for labels in (ordered, ordered[::-1]):
        whole = _unfold(labels)
        if whole is not None and not _ascends([_value(label) for label in labels]):
            changed = dict(zip(map(id, labels), whole, strict=True))
            return replace(evidence, labels=tuple(changed[id(label)] for label in evidence.labels))
    return evidence


def _unfold(labels: Sequence[TickLabel]) -> list[TickLabel] | None:
    """Return the labels, in ascending order, with digits made whole; None where that does not make them ascend."""
    values = [_value(label) for label in labels]
    decades = [i for i, v in enumerate(values) if _is_decade(v)]
    if not decades or len(labels) < 4:
        return None
    factor = values[decades[0]] / 10  # of digits before the first decade
    whole, out = [], []
    for label, value in zip(labels, values, strict=True):
        factor = value if _is_decade(value) else factor
        digit = len(label.text.strip()) == 1 and value in range(2, 10)
        if not digit and not _is_decade(value):
            return None
        whole.append(value * factor if digit else value)
        reading = LabelReading(value * factor, "plain", 1.0)
        out.append(replace(label, readings=(reading,)) if digit else label)
    return out if _ascends(whole) else None


def _value(label: TickLabel) -> float:
    """Return the likeliest value of a label; NaN where it has none."""
    return label.readings[0].value if label.readings else math.nan


def _is_decade(value: float) -> bool:
    """Whether a value is a power of ten."""
    return value > 0 and math.isclose(value, 10.0 ** round(math.log10(value)), rel_tol=1e-9)


def _ascends(values: Sequence[float]) -> bool:
    """Whether values rise from one to the next."""
    return all(a < b for a, b in zip(values, values[1:], strict=False))
