"""``replicate claims`` lists every predicate, and docs/claims.md is in step with the code."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

import pytest

from replicate.claims import PREDICATES
from replicate.claims.reference import entries, relations_of
from replicate.cli import run

ROOT = Path(__file__).parents[2]
NAMED = {
    *("value_at", "final_value", "reduction_ratio", "steps_saved", "speedup_auc", "initial_slope_ratio"),
    *("ordering", "lower_everywhere", "gap_trend", "monotone", "roughness", "decades_dropped"),
    *("converges_by", "range_contains", "similar_end", "crossing"),
}


def test_every_predicate_is_listed_with_all_that_defines_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["claims"]) == 0
    out = capsys.readouterr().out
    assert set(PREDICATES) >= NAMED
    for name, kind in PREDICATES.items():
        assert f"{name}: " in out
        assert kind.source and kind.unit
    assert out.count("Source: ") == len(PREDICATES)


def test_one_predicate_for_machines(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["claims", "gap_trend", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "replicate.claims/1"
    (entry,) = document["predicates"]
    assert (entry["name"], entry["unit"], entry["arms"]) == ("gap_trend", "% of the mean gap", [2, 9])
    assert entry["relations"]["narrows"] == [None, 0.0]
    assert entry["definition"].startswith("By how much the distance")
    assert entry["source"] == "ordinary least squares"


def test_a_predicate_that_is_none_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["claims", "gap_trends"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "no predicate 'gap_trends'; there are: converges_by, crossing" in line


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("speedup", "faster: above 0; slower: below 0; persists: above 0"),
        ("monotone", "falls: 0 to 1; fluctuates: 1 or more"),
        ("crossing", "never: 0"),
        ("gap_trend", "narrows: below 0; widens: above 0; constant: between -20 and 20"),
        ("value_at", ""),
    ],
)
def test_relations_are_told_with_their_intervals(name: str, told: str) -> None:
    assert relations_of(next(e for e in entries() if e.name == name)) == told


def test_the_page_is_in_step_with_the_code() -> None:
    page = runpy.run_path(str(ROOT / "scripts" / "claims_reference.py"))["page"]()
    assert (ROOT / "docs" / "claims.md").read_text(encoding="utf-8") == page
    assert all(f"\n### {name}\n" in page for name in PREDICATES)
