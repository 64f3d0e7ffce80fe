"""The audit as JSON holds to the committed schema."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from pydantic import ValidationError

from replicate.audit.document import AuditDocument, audit_to_json
from replicate.audit.engine import audit_figure
from replicate.audit.findings import Audit, Estimate, Evidence, Finding, Verdict
from replicate.sheets import load_sheet

FIGURES = Path(__file__).parents[2] / "figures"


@pytest.mark.parametrize("name", ["fig1", "fig2"])
def test_an_audit_is_plain_json_and_fits_the_schema(name: str) -> None:
    value = audit_to_json(audit_figure(load_sheet(FIGURES / f"{name}.yaml"), None, None, None))
    again = json.loads(json.dumps(value, allow_nan=False))
    assert again == value
    assert AuditDocument.model_validate_json(json.dumps(value)).rule == value["rule"]


def test_open_ends_and_missing_numbers_are_null() -> None:
    numbers = Estimate("A number.", None, (1.0, math.inf), "%", (0.0, math.inf), None)
    finding = Finding("c", Evidence.FIGURE, "speedup", Verdict.INCONCLUSIVE, "Why.", (numbers,))
    (estimate,) = audit_to_json(Audit((finding,), ()))["findings"][0]["estimates"]
    assert (estimate["value"], estimate["interval"], estimate["expected"]) == (None, [1.0, None], [0.0, None])


def test_a_wrong_verdict_word_does_not_fit() -> None:
    value = audit_to_json(audit_figure(load_sheet(FIGURES / "fig2.yaml"), None, None, None))
    value["findings"][0]["verdict"] = "confirmed"
    with pytest.raises(ValidationError):
        AuditDocument.model_validate(value)
