"""The audit for machines: JSON, research object, Markdown."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator
from report_sample import TOOL, material, run_record

from replicate.report.build import build_page
from replicate.report.crate import build_crate
from replicate.report.document import SCHEMA_FILE, build_document, build_index, schema
from replicate.report.figures import inks
from replicate.report.material import FileHash
from replicate.report.summary import escape, summarise

OUTPUTS = [
    FileHash("report", "out/made.html", 10, "ef" * 32),
    FileHash("curves", "out/made.curves.csv", 20, "12" * 32),
]


def crate() -> dict[str, dict]:
    """Return the entities of a crate with one audit by their ids."""
    written = [FileHash("audit for machines", "out/made.json", 30, "34" * 32)]
    graph = build_crate([build_document(material(), TOOL, OUTPUTS)], written)["@graph"]
    assert len({e["@id"] for e in graph}) == len(graph)
    return {e["@id"]: e for e in graph}


def test_document_holds_claims_verdicts_and_hashes() -> None:
    document = build_document(material(), TOOL, OUTPUTS)
    assert document["schema"] == "replicate.report/1"
    assert document["claims"][0]["verdicts"] == {
        "text": "not replicated",
        "figure": "replicated",
        "rerun": "partly replicated",
    }
    assert document["claims"][2]["verdicts"] == {"text": "not run", "figure": "not run", "rerun": "not run"}
    assert document["inputs"][0]["sha256"] == "ab" * 32
    assert [f["path"] for f in document["outputs"]] == ["out/made.html", "out/made.curves.csv"]
    assert document["scale"] == "quick"


def test_document_is_json_without_infinities() -> None:
    document = json.loads(json.dumps(build_document(material(), TOOL, []), allow_nan=False))
    [_, low, *_] = document["findings"]
    assert low["estimates"][0]["expected"] == [95.0, None]


def test_document_follows_the_committed_schema() -> None:
    committed = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
    assert committed == schema(), "python scripts/report_schema.py writes it anew"
    Draft202012Validator.check_schema(committed)
    validator = Draft202012Validator(committed)
    bare = material(published=None, digitization=None, rerun=None, run=None, findings=(), consistency=())
    for source in (material(), bare):
        document = json.loads(json.dumps(build_document(source, TOOL, OUTPUTS)))
        assert [e.message for e in validator.iter_errors(document)] == []
    assert not validator.is_valid({**document, "schema": "replicate.report/2"})
    assert not validator.is_valid({**document, "verdict": "replicated"})
    del document["claims"]
    assert not validator.is_valid(document)


def test_document_says_whether_the_authors_artifacts_were_used() -> None:
    used = material(run={**run_record(), "author_artifacts_used": True})
    assert build_document(used, TOOL, [])["author_artifacts_used"] is True
    assert build_document(material(), TOOL, [])["author_artifacts_used"] is False
    assert build_document(material(run=None, rerun=None), TOOL, [])["author_artifacts_used"] is None


def test_index_counts_verdicts_and_sorts_by_name() -> None:
    documents = [{**build_document(material(), TOOL, []), "name": name} for name in ("b", "a")]
    index = build_index(documents, "1.2.3")
    assert [row.name for row in index.rows] == ["a", "b"]
    text, figure, rerun = index.rows[0].tallies
    assert {str(v): n for v, n in figure.counts if n} == {"replicated": 1, "inconclusive": 1, "not run": 1}
    assert sum(n for _, n in text.counts) == sum(n for _, n in rerun.counts) == index.rows[0].claims == 3


def test_crate_follows_the_profile() -> None:
    entities = crate()
    assert entities["ro-crate-metadata.json"]["conformsTo"] == {"@id": "https://w3id.org/ro/crate/1.2"}
    root = entities["./"]
    assert root["conformsTo"] == {"@id": "https://w3id.org/ro/wfrun/process/0.5"}
    assert root["datePublished"] == "2026-05-06"
    for reference in root["hasPart"] + root["mentions"]:
        assert reference["@id"] in entities
    actions = [e for e in entities.values() if e["@type"] == "CreateAction"]
    assert [a["@id"] for a in actions] == ["#digitize-made", "#rerun-made", "#report-made"]
    for action in actions:
        tool = entities[action["instrument"]["@id"]]
        assert (tool["@type"], tool["version"], tool["url"]["@id"]) == (
            "SoftwareApplication",
            "1.2.3",
            "pkg:generic/replicate@1.2.3",
        )
        for key in ("object", "result"):
            found = action.get(key, {"@id": "made.json"})
            assert not isinstance(found, list) or len(found) > 1  # as compacted JSON-LD has it
            for reference in found if isinstance(found, list) else [found]:
                assert entities[reference["@id"]]["@type"] == "File"


def test_crate_has_what_the_specification_requires() -> None:
    entities = crate()
    context = build_crate([], [])["@context"]
    assert context[0] == "https://w3id.org/ro/crate/1.2/context"
    descriptor, root = entities["ro-crate-metadata.json"], entities["./"]
    assert (descriptor["@type"], descriptor["about"]) == ("CreativeWork", {"@id": "./"})
    assert root["@type"] == "Dataset"
    assert all(root[key] for key in ("name", "description", "datePublished", "license"))
    assert "Profile" in entities[root["conformsTo"]["@id"]]["@type"]
    assert entities[root["license"]["@id"]]["name"] == "Apache License 2.0"
    for entity in entities.values():
        assert entity["@id"]
        assert entity["@type"]
        if entity["@type"] == "File":
            assert all(entity[key] for key in ("name", "description", "contentSize", "sha256")), entity
    assert len(entities["made.json"]["sha256"]) == 64


def test_crate_names_files_as_relative_references() -> None:
    strange = material(name="a b#1")
    document = build_document(strange, TOOL, [FileHash("report", "out/a b#1.html", 10, "ef" * 32)])
    names = {e["@id"] for e in build_crate([document], [])["@graph"]}
    assert {"a%20b%231.html", "#report-a%20b%231"} <= names


def test_crate_names_inputs_by_their_hash_and_times_the_rerun() -> None:
    entities = crate()
    digest = "q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s"  # 32 bytes of ab, base64url
    assert entities[f"ni:///sha-256;{digest}"]["alternateName"] == "figures/made.png"
    assert entities["#rerun-made"]["startTime"] == "2026-05-06T07:08:09+00:00"
    assert entities["#rerun-made"]["endTime"] == "2026-05-06T07:09:11+00:00"


def test_summary_has_a_row_a_claim() -> None:
    source = material()
    text = summarise(build_page(source, TOOL, inks(source), None))
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len(rows) == 2 + 3
    assert rows[2].startswith("| 1 | Small is lower at every step. | \N{CROSS MARK} not replicated |")
    assert "figure: 99 % \\[98, 100\\]" in rows[2]
    assert "- Text against text: Two sentences disagree." in text


@pytest.mark.parametrize(
    ("raw", "safe"),
    [
        ("a|b", "a\\|b"),
        ("<img src=x>", "\\<img src=x\\>"),
        ("![x](y)", "\\!\\[x\\](y)"),
        ("two\nlines", "two lines"),
        ("@everyone", "\\@everyone"),
    ],
)
def test_markdown_is_escaped(raw: str, safe: str) -> None:
    assert escape(raw) == safe
