"""The findings on both published figures are as they were, and say what a careful reader would."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from audits import FIGURES, FOLDER, findings

Golden = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def golden() -> Golden:
    return {n: json.loads((FOLDER / f"{n}.json").read_text(encoding="utf-8")) for n in FIGURES}


@pytest.mark.parametrize("name", FIGURES)
def test_the_findings_are_as_they_were(golden: Golden, name: str, tmp_path: Path) -> None:
    found = findings(name)
    actual = tmp_path / f"{name}.json"
    actual.write_text(json.dumps(found, indent=2, ensure_ascii=False), encoding="utf-8")
    wrong = [
        f"{f['claim']} ({f['evidence']}): {f['verdict']}"
        for f in found["findings"]
        if f not in golden[name]["findings"]
    ]
    assert found == golden[name], f"{wrong}; see {actual}; python tests/golden/audits.py writes them anew"


@pytest.mark.parametrize("name", FIGURES)
def test_every_claim_was_held_against_every_evidence(golden: Golden, name: str) -> None:
    rows = [(f["claim"], f["evidence"]) for f in golden[name]["findings"]]
    assert len(set(rows)) == len(rows) == 3 * len({claim for claim, _ in rows})


def verdict(golden: Golden, name: str, claim: str, evidence: str) -> str:
    found = {(f["claim"], f["evidence"]): f["verdict"] for f in golden[name]["findings"]}
    return str(found[claim, evidence])


@pytest.mark.parametrize(
    ("name", "claim", "evidence", "expected"),
    [
        ("fig2", "value-baseline-10000", "figure", "not replicated"),
        ("fig2", "lower-at-every-step", "figure", "not replicated"),
        ("fig2", "both-monotone", "figure", "not replicated"),
        ("fig2", "faster-by-20-to-30", "figure", "partly replicated"),
        ("fig2", "smaller-dimensions", "figure", "not run"),
        ("fig1", "value-svd_ln-17500", "text", "not replicated"),
        ("fig1", "value-random_init-17500", "text", "replicated"),
    ],
)
def test_what_is_known_of_the_figures_is_found(
    golden: Golden, name: str, claim: str, evidence: str, expected: str
) -> None:
    assert verdict(golden, name, claim, evidence) == expected


def test_what_does_not_add_up_is_found(golden: Golden) -> None:
    kinds = {name: {c["kind"] for c in golden[name]["consistency"]} for name in FIGURES}
    assert kinds["fig1"] >= {"text-text", "text-figure", "description-source", "figure-rerun", "set-up"}
    assert kinds["fig2"] >= {"text-text", "text-figure", "figure-rerun", "not-testable", "set-up"}
