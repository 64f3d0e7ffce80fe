"""Why a verdict is what it is, in parts of a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from replicate.audit import words
from replicate.audit.evidence import Material
from replicate.audit.findings import Estimate, Evidence
from replicate.sheets import Condition, Definition, FigureSheet


def grounds(
    estimates: Sequence[Estimate], material: Material, condition: Condition, sheet: FigureSheet
) -> Iterator[str]:
    """Yield why the verdict is what it is: the primary number, its seeds, and what it rests on."""
    first = words.finding(estimates[0])
    rerun = material.evidence is Evidence.RERUN
    yield f"{at(material)} {first[:1].lower()}{first[1:]}" if rerun else words.sentence(first, "")
    yield from _seeds(estimates[0])
    diverged = [sheet.arms[arm].series for arm in condition.arms if arm in material.diverged]
    if diverged:
        yield f"{' and '.join(diverged)} diverged"
    if material.evidence is Evidence.FIGURE and sheet.source.redrawn_from == "description":
        yield "the picture was built from the description, so this shows no more than that"


def _seeds(found: Estimate) -> Iterator[str]:
    """Yield what the seeds of a number can carry, and how many would decide it."""
    if found.seeds == 1:
        yield "one seed, which decides nothing"
        return
    if not found.seeds:
        return
    yield f"{found.seeds} seeds paired by seed"
    if found.p_value is not None:
        floor = 0.5**found.seeds
        nothing = "; nothing is significant at 0.05 with so few" if floor > 0.05 else ""
        yield f"exact sign-flip p = {found.p_value:.3g} (its floor: {floor:.3g}{nothing})"
    if found.seeds_needed is not None:
        yield f"{words.seeds(found.seeds_needed)} would decide it, were mean and spread as they are"


def beside(found: Sequence[tuple[Definition, Estimate]], best: int | None) -> Iterator[str]:
    """Yield how many definitions support the claim, contradict it, or leave it open, and the best for it."""
    estimates = [e for _, e in found]
    if len(estimates) < 2:
        return
    votes = [e.supports for e in estimates]
    text = (
        f"of {len(votes)} definitions {votes.count(True)} support it, {votes.count(False)} contradict it, "
        f"{votes.count(None)} decide nothing"
    )
    values = [e.value for e in estimates if e.value is not None and e.unit == estimates[0].unit]
    if values:
        text += f", their numbers run from {words.number(min(values))} to {words.number(max(values))}"
    yield text
    if best is not None:
        definition, number = found[best]
        value = words.measure(number.value or 0.0, number.unit)
        yield f"the reading that supports it best is {words.label(definition)}, {value}"


def phases(apart: Mapping[str, Estimate]) -> Iterator[str]:
    """Yield a speed-up over all losses, early and persistent, each with what it says of the claim."""
    told = {True: "supports it", False: "contradicts it", None: "decides nothing"}
    parts = [
        f"{name} {words.measure(e.value, e.unit)} ({told[e.supports]})"
        for name, e in apart.items()
        if e.value is not None
    ]
    if parts:
        yield f"judged apart: {', '.join(parts)}"


def at(material: Material) -> str:
    """Return the scale that a rerun's verdict holds at."""
    return f"At the {material.scale} scale:" if material.scale else "At the scale of this rerun:"
