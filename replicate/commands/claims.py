"""``replicate claims``: what a claim can say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from replicate.commands.options import Json, Quiet, Verbose
from replicate.console import Console
from replicate.errors import InputError

if TYPE_CHECKING:
    from replicate.claims.reference import Entry

Names = Annotated[list[str] | None, typer.Argument(help="Predicates to list; all of them by default.")]


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("claims")(claims_command)


def claims_command(
    names: Names = None, json: Json = False, quiet: Quiet = False, verbose: Verbose = False
) -> int:
    """List the predicates that a claim can use: definition, unit, arms, relations and source of each."""
    from dataclasses import asdict

    from replicate.claims.reference import entries

    console = Console(quiet, verbose, json)
    known = {entry.name: entry for entry in entries()}
    unknown = [name for name in names or () if name not in known]
    if unknown:
        raise InputError(f"no predicate {unknown[0]!r}", f"there are: {', '.join(known)}")
    listed = [known[name] for name in names or known]
    console.document({"schema": "replicate.claims/1", "predicates": [asdict(entry) for entry in listed]})
    for entry in listed:
        console.result(_text(entry))
    return 0


def _text(entry: Entry) -> str:
    """Return a predicate as lines of text."""
    import textwrap

    from replicate.claims.reference import arms_of, relations_of, unit_of

    lines = [f"{entry.name}: {arms_of(entry)}, in {unit_of(entry)}"]
    lines += textwrap.wrap(f"{entry.definition} {entry.details}".strip(), 96)
    if entry.relations:
        lines.append(f"Expects {relations_of(entry)}.")
    lines.append(f"Source: {entry.source}.")
    return "\n".join([lines[0], *(f"    {line}" for line in lines[1:])]) + "\n"
