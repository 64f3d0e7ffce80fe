"""An audit as a gate: which claims fail, as JUnit XML, and how many seeds would decide the rest.

All of it reads the document of an audit (``reports/<name>.json``) and computes nothing anew.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

from replicate.audit.findings import Evidence, Verdict

Document = Mapping[str, Any]
DECIDED = {Verdict.REPLICATED, Verdict.PARTLY, Verdict.NOT_REPLICATED}


def failing(document: Document, verdicts: Collection[str]) -> list[str]:
    """Return the ids of the claims that have one of these verdicts on some evidence."""
    return [c["id"] for c in document["claims"] if set(c["verdicts"].values()) & set(verdicts)]


def junit(documents: Sequence[Document], verdicts: Collection[str]) -> str:
    """Return audits as JUnit XML: a suite a figure, a test case a claim.

    Args:
        documents: The audits.
        verdicts: The verdicts that fail a claim; one that no evidence decides is skipped.
    """
    root = ElementTree.Element("testsuites", name="replicate")
    for document in documents:
        suite = ElementTree.SubElement(root, "testsuite", name=document["name"])
        for claim in document["claims"]:
            _case(suite, document, claim, set(verdicts))
        _count(suite)
    _count(root)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _case(suite: ElementTree.Element, document: Document, claim: Document, verdicts: set[str]) -> None:
    """Add a claim's test case to a suite."""
    case = ElementTree.SubElement(suite, "testcase", classname=document["name"], name=claim["id"], time="0")
    found = [f for f in document["findings"] if f["claim"] == claim["id"]]
    against = [f for f in found if f["verdict"] in verdicts]
    if against:
        told = ", ".join(f"{f['verdict']} ({f['evidence']})" for f in against)
        failure = ElementTree.SubElement(case, "failure", message=told, type="verdict")
        failure.text = "\n".join(f["reason"] for f in against)
    elif not set(claim["verdicts"].values()) & DECIDED:
        ElementTree.SubElement(case, "skipped", message="no evidence decides it")
    lines = [claim["text"], *(f"{f['evidence']}: {f['verdict']}: {f['reason']}" for f in found)]
    ElementTree.SubElement(case, "system-out").text = "\n".join(lines)


def _count(suite: ElementTree.Element) -> None:
    """Write how many cases a suite holds, and how many failed or were skipped."""
    for name, tag in (("tests", "testcase"), ("failures", "failure"), ("skipped", "skipped")):
        suite.set(name, str(len(list(suite.iter(tag)))))
    suite.set("errors", "0")


@dataclass(frozen=True)
class Power:
    """How many seeds would decide what a rerun left open.

    Attributes:
        claim: The claim's id.
        verdict: What the rerun made of it.
        seeds: How many seeds it rests on.
        primary: How many would decide its primary definition; None where that is decided, or they cannot be told.
        every: How many would decide every definition of it that is open; None where they cannot be told.
        note: Why they cannot be told, or empty.
    """

    claim: str
    verdict: str
    seeds: int
    primary: float | None
    every: float | None
    note: str


def power(document: Document) -> list[Power]:
    """Return what is known of every claim that the rerun leaves open in one of its definitions."""
    result = []
    for finding in document["findings"]:
        undecided = [e for e in finding["estimates"] if e["supports"] is None]
        if finding["evidence"] != Evidence.RERUN or not undecided:
            continue
        seeds = max(e["seeds"] for e in undecided)
        needed = [e["seeds_needed"] for e in undecided]
        unknown = sum(n is None for n in needed)
        note = ""
        if seeds < 2:
            note = "one seed says nothing of the spread: run two at least"
        elif unknown:
            what = "definition" if unknown == 1 else "definitions"
            note = f"of {unknown} {what} no number of seeds up to 1,000 would, or a loss is never reached"
        every = None if unknown else max(needed)
        primary = finding["estimates"][0]["seeds_needed"]
        result.append(Power(finding["claim"], finding["verdict"], seeds, primary, every, note))
    return result
