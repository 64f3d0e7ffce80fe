"""The report's sentences: numbers, expectations and what was audited, in words."""

from __future__ import annotations

import math
from collections.abc import Sequence

from replicate.audit.findings import Estimate, Evidence
from replicate.report.material import Material
from replicate.report.scales import interval, number

KINDS = {
    "text-text": "Text against text",
    "text-figure": "Text against figure",
    "description-source": "Description against source",
    "figure-rerun": "Figure against rerun",
    "not-testable": "Cannot be tested by curves",
    "set-up": "Set-up",
}
APART = "Over all losses, early and late, judged apart"
RESPECTS = {
    "shape": "Shape",
    "ordering": "Ordering",
    "speed-up": "Speed-up",
    "end": "End",
}
AGREE = {True: "agree", False: "differ", None: "undecided"}
SUPPORT = {True: "supports", False: "does not support", None: "undecided"}
BEYOND_VERDICTS = ("text-text", "description-source", "set-up")  # what a claim's own verdicts do not say yet
VOTES = ((True, "for the claim"), (False, "against"), (None, "undecided"))
NOT_JUDGED = {
    Evidence.TEXT: "The published text alone has nothing to hold this against.",
    Evidence.FIGURE: "This cannot be read off the figure.",
    Evidence.RERUN: "This cannot be read off the rerun's curves.",
}
NO_EVIDENCE = {
    Evidence.TEXT: NOT_JUDGED[Evidence.TEXT],
    Evidence.FIGURE: "The figure has not been digitized.",
    Evidence.RERUN: "The experiment has not been rerun.",
}


def measure(estimate: Estimate, *, short: bool = False) -> str:
    """Return a number with its unit; short: without what the unit is a share of."""
    if estimate.value is None:
        return "no number"
    unit = estimate.unit.split(" of ")[0] if short else estimate.unit
    space = "\N{NO-BREAK SPACE}" if unit.startswith("%") else " "
    return f"{number(estimate.value)}{space}{unit}".rstrip()


def with_interval(estimate: Estimate) -> str:
    """Return a number with its unit and its interval."""
    return f"{measure(estimate)} {interval(estimate.interval)}".rstrip()


def basis(estimate: Estimate) -> str:
    """Return how many seeds a number rests on, their test, and how many would decide it; empty for no runs."""
    if estimate.seeds is None:
        return ""
    parts = [counted(estimate.seeds, "seed")]
    if estimate.p_value is not None:
        parts.append(f"p = {number(estimate.p_value, 2)}")
    if estimate.p_holm is not None:
        parts.append(f"{number(estimate.p_holm, 2)} after Holm")
    if estimate.seeds_needed is not None:
        needed = "no thinkable number of seeds"
        if math.isfinite(estimate.seeds_needed):
            needed = f"about {counted(math.ceil(estimate.seeds_needed), 'seed')}"
        parts.append(f"{needed} would decide it")
    return ", ".join(parts)


def agreement(estimates: Sequence[Estimate]) -> str:
    """Return how many of the definitions support the claim."""
    votes = [e.supports for e in estimates if e.value is not None]
    parts = [f"{votes.count(answer)} {word}" for answer, word in VOTES if votes.count(answer)]
    silent = len(estimates) - len(votes)
    parts += [f"{silent} gave no number"] if silent else []
    return f"{counted(len(estimates), 'definition')}: {', '.join(parts)}."


def expected(bounds: tuple[float, float] | None) -> str:
    """Return what a claim expects; empty where it expects no number."""
    if bounds is None or (math.isinf(bounds[0]) and math.isinf(bounds[1])):
        return ""
    low, high = bounds
    if math.isinf(high):
        return f"at least {number(low)}"
    if math.isinf(low):
        return f"at most {number(high)}"
    return number(low) if low == high else f"{number(low)} to {number(high)}"


def lead(material: Material) -> str:
    """Return what was audited and against what, in one or two sentences."""
    held = ["its text"]
    if material.published is not None:
        held.append("the figure as digitized")
    if material.rerun is not None:
        held.append(f"a rerun at the {(material.run or {}).get('scale', 'given')} scale")
    against = held[0] if len(held) == 1 else f"{', '.join(held[:-1])} and {held[-1]}"
    claims = counted(len(material.subject.claims), "claim")
    sentence = f"{claims} about this figure, each held against {against}."
    if material.consistency:
        count = len(material.consistency)
        verb = "does" if count == 1 else "do"
        sentence += f" {counted(count, 'thing')} {verb} not add up or cannot be tested."
    return sentence


def counted(count: int, noun: str) -> str:
    """Return a count with its noun."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def rerun_statement(material: Material) -> str:
    """Return at which scale the verdicts on the rerun hold, or that nothing was rerun."""
    if material.rerun is None and material.partial:
        return (
            "The rerun has not finished, so that every rerun verdict reads not run; replicate report --partial "
            "takes what there is."
        )
    if material.rerun is None:
        experiment = material.subject.experiment
        remedy = f" replicate rerun --experiment {experiment} does it." if experiment else ""
        return f"The experiment has not been rerun: every rerun verdict reads not run.{remedy}"
    scale = str((material.run or {}).get("scale", "given"))
    if scale == "paper":
        text = "Rerun at the published scale. What was not published had to be chosen; it is listed below."
    else:
        text = (
            f"Rerun at the {scale} scale, with the changes listed below. A verdict on the rerun holds at "
            "that scale and with those changes; it is not a verdict on the published run."
        )
    return f"{text} The rerun had not finished when this page was written." if material.partial else text


def missing_curves(material: Material) -> str:
    """Return why there are no digitized curves and what brings them; empty where there are."""
    if material.published is not None:
        return ""
    return (
        f"The figure has not been digitized: every figure verdict reads not run. "
        f"replicate digitize {material.image} does it."
    )
