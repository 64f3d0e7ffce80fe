"""``replicate report``."""

from __future__ import annotations

import typer

from replicate.commands.options import Json, Out, Quiet, Verbose
from replicate.console import Console


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("report")(report_command)


def report_command(
    out: Out = None, json: Json = False, quiet: Quiet = False, verbose: Verbose = False
) -> int:
    """Not written yet."""
    Console(quiet, verbose, json).say(f"report: {out}")
    return 0
