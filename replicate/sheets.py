"""The figure sheet: where a figure comes from, what its text says, and the claims that an audit holds it to.

A sheet is a YAML file beside the figure. It is validated on load; an error names file, line and key.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from replicate import yamlfile
from replicate.claims import PREDICATES, Predicate
from replicate.errors import InputError
from replicate.sheetclaims import Claim, Condition, Definition, Expect, Expected, Key, Part, Window
from replicate.sheetparts import (
    Anchor,
    Arm,
    Axis,
    Described,
    DescribedSeries,
    SetUp,
    Source,
    SourceStatement,
)

__all__ = [
    "Anchor",
    "Arm",
    "Axis",
    "Claim",
    "Condition",
    "Definition",
    "Described",
    "DescribedSeries",
    "Expect",
    "Expected",
    "FigureSheet",
    "SetUp",
    "Source",
    "SourceStatement",
    "Window",
    "described_claims",
    "load_sheet",
]


class FigureSheet(Part):
    """A figure, what its text says, and what is to be audited.

    Attributes:
        source: Where the figure comes from.
        described: What the text says of axes and values.
        experiment: The experiment that reruns it, or empty.
        arms: The experiment's arms by name, each with its legend name.
        claims: All claims. `load_sheet` puts those that follow from `described` (axis ranges, values) first.
        source_statements: What the publication itself says.
        set_up: Numbers of the published run.
        stated: What the publication states of its set-up, by item of the reproducibility checklist.
    """

    source: Source
    described: Described
    experiment: str = ""
    arms: dict[Key, Arm] = {}
    claims: tuple[Claim, ...] = ()
    source_statements: tuple[SourceStatement, ...] = ()
    set_up: SetUp = SetUp()
    stated: dict[str, str] = {}

    def arm_of(self, series: str) -> str:
        """Return the arm with that legend name.

        Raises:
            KeyError: No arm has it.
        """
        return next(name for name, arm in self.arms.items() if arm.series == series)


def load_sheet(path: Path) -> FigureSheet:
    """Read a figure sheet and add the claims that its description makes.

    Args:
        path: The YAML file.

    Returns:
        The sheet; its claims begin with the described axis ranges and values.

    Raises:
        InputError: The file cannot be read, or something in it is wrong; names file, line and key.
    """
    document = yamlfile.read(path)
    try:
        sheet = FigureSheet.model_validate(document.data)
    except ValidationError as error:
        # Of the kinds that a value may be, the one that got farthest is the one that was meant; a word is not.
        first = max(error.errors(), key=lambda e: (len(e["loc"]), e["type"] != "string_type"))
        message = f"{_claim_at(document.data, first['loc'])}{first['msg'].removeprefix('Value error, ')}"
        raise document.error(first["loc"], message, "see the sheets in figures/ for an example") from error
    for place, message in _problems(sheet):
        raise document.error(place, message, "correct the sheet")
    sheet = sheet.model_copy(update={"claims": described_claims(sheet) + sheet.claims})
    ids = [claim.id for claim in sheet.claims]
    for claim in sheet.claims:
        if ids.count(claim.id) > 1:
            raise InputError(f"{path}: two claims have the id {claim.id!r}", "give each its own")
    return sheet


Place = tuple[str | int, ...]


def _claim_at(data: Any, place: Place) -> str:
    """Return the id of the claim that a place in a document belongs to, as the beginning of a message."""
    match place:
        case ("claims", int(i), *_):
            claim = data["claims"][i]
            name = claim.get("id") if isinstance(claim, dict) else None
            return f"claim {name!r}: " if name else ""
    return ""


def _problems(sheet: FigureSheet) -> Iterator[tuple[Place, str]]:
    """Yield what is wrong across keys: the place in the document and the message."""
    names = {arm.series for arm in sheet.arms.values()}
    for series in sheet.described.series:
        if series not in names:
            yield ("described", "series", series), f"no arm has the legend name {series!r}"
    for i, claim in enumerate(sheet.claims):
        for key, message in (
            _condition_problems(claim, sheet) if claim.testable else _arm_problems(claim, sheet)
        ):
            yield ("claims", i, *key), f"claim {claim.id!r}: {message}"
    for i, statement in enumerate(sheet.source_statements):
        if statement.kind is None:
            continue
        condition = Condition.model_construct(**{k: v for k, v in statement if k in Condition.model_fields})
        for key, message in _condition_problems(condition, sheet):
            yield ("source_statements", i, *key), message


def _arm_problems(condition: Condition, sheet: FigureSheet) -> Iterator[tuple[Place, str]]:
    """Yield arms that the sheet lacks."""
    for arm in condition.arms:
        if arm not in sheet.arms:
            yield ("arms",), f"no arm {arm!r}; there are: {', '.join(sheet.arms)}"


def _condition_problems(condition: Condition, sheet: FigureSheet) -> Iterator[tuple[Place, str]]:
    """Yield what is wrong with a condition, parts included."""
    for way in ("all", "any"):
        for i, part in enumerate(getattr(condition, way)):
            for key, message in _condition_problems(part, sheet):
                yield (way, i, *key), message
    yield from _arm_problems(condition, sheet)
    for kind in (condition.kind, *condition.definitions.kinds) if condition.kind is not None else ():
        place: Place = ("kind",) if kind == condition.kind else ("definitions", "kinds")
        if kind not in PREDICATES:
            yield place, f"no predicate {kind!r}; there are: {', '.join(sorted(PREDICATES))}"
            return
        yield from _predicate_problems(condition, PREDICATES[kind], place)
    yield from _window_problems(condition.window, sheet, ("window",))
    for window in condition.definitions.windows:
        yield from _window_problems(window, sheet, ("definitions", "windows"))


def _window_problems(window: Window | None, sheet: FigureSheet, place: Place) -> Iterator[tuple[Place, str]]:
    """Yield where a window lies outside the described run."""
    if window is None:
        return
    low, high = sheet.described.x_axis.range
    if window.steps is not None and not low <= window.span[0] <= window.span[1] <= high:
        yield place, f"the window {window.span} lies outside the run, {low:g} to {high:g}"
    low, high = sheet.described.y_axis.range
    if window.loss is not None and not (low <= window.span[1] <= high):
        yield place, f"the window by loss {window.span} ends outside the y axis, {low:g} to {high:g}"


def _predicate_problems(condition: Condition, kind: Predicate, place: Place) -> Iterator[tuple[Place, str]]:
    """Yield where a condition does not fit one of its predicates."""
    least, most = kind.arms
    if not least <= len(condition.arms) <= most:
        count = str(least) if least == most else f"{least} or more"
        yield ("arms",), f"{kind.name} takes {count} arms, here are {len(condition.arms)}"
    expect = condition.expect
    relation = (expect.relation or None) if isinstance(expect, Expect) else expect
    if relation is not None and relation not in kind.relations:
        known = ", ".join(kind.relations) or "none; give an interval with its unit"
        yield ("expect",), f"{kind.name} knows no relation {relation!r}; there are: {known}"
    for scale in (condition.scale, *condition.definitions.scales):
        unit = kind.unit_on(scale)
        if isinstance(expect, Expect) and expect.unit != unit:
            yield ("expect", "unit"), f"{kind.name} on a {scale} scale is in {unit!r}, not {expect.unit!r}"


def described_claims(sheet: FigureSheet) -> tuple[Claim, ...]:
    """Return the claims that the described axis ranges and values make."""
    described, claims = sheet.described, []
    known = {arm.series: name for name, arm in sheet.arms.items()}
    everything = tuple(known.values())
    for axis, name in ((described.x_axis, "x"), (described.y_axis, "y")):
        text = f"The {name} axis ({axis.label}) runs from {axis.range[0]:,g} to {axis.range[1]:,g}."
        window = Window(values=axis.range)
        kind = "range_contains" if name == "y" else "domain_contains"
        claim = Claim(
            id=f"axis-{name}",
            text=text,
            kind=kind,
            arms=everything,
            window=window,
            scale=axis.scale,
            expect="inside",
        )
        claims += [claim] if everything else []
    for series, said in described.series.items():
        claims += [_anchor_claim(known[series], series, anchor, described) for anchor in said.anchors]
    return tuple(claims)


def _anchor_claim(arm: str, series: str, anchor: Anchor, described: Described) -> Claim:
    """Return the claim that a series has a described value."""
    low, high = anchor.bounds(described.y_axis)
    return Claim(
        id=f"value-{arm}-{anchor.x:g}".replace(".", "_"),
        text=f"{series} is at about {anchor.y:,g} at step {anchor.x:,g}.",
        kind="value_at",
        arms=(arm,),
        window=Window(steps=anchor.x),
        expect=Expect(between=(low, high), unit=PREDICATES["value_at"].unit),
        reason=f"About: from {low:.4g} to {high:.4g}.",
    )
