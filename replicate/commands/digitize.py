"""``replicate digitize``."""

from __future__ import annotations

import typer

from replicate.commands.options import Json, Out, Quiet, Verbose
from replicate.console import Console


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("digitize")(digitize_command)


def digitize_command(
    out: Out = None, json: Json = False, quiet: Quiet = False, verbose: Verbose = False
) -> int:
    """Not written yet."""
    Console(quiet, verbose, json).say(f"digitize: {out}")
    return 0
