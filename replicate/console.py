"""What a command says: messages and progress on stderr, results on stdout."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.progress import Progress


@dataclass(frozen=True)
class Console:
    """How much a command says.

    Attributes:
        quiet: Say nothing but errors.
        verbose: Say more, and show tracebacks.
        json: One JSON document on stdout and nothing else there.
    """

    quiet: bool = False
    verbose: bool = False
    json: bool = False

    def say(self, message: str) -> None:
        """Print a message to stderr, unless quiet."""
        if not self.quiet:
            print(message, file=sys.stderr, flush=True)

    def detail(self, message: str) -> None:
        """Print a message to stderr when verbose."""
        if self.verbose:
            self.say(message)

    def result(self, text: str) -> None:
        """Print a result for people to stdout, unless JSON was asked for."""
        if not self.json:
            print(text, flush=True)

    def document(self, value: Any) -> None:
        """Print a result for machines to stdout, if JSON was asked for."""
        if self.json:
            print(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False), flush=True)

    @contextmanager
    def progress(self) -> Iterator[Progress]:
        """Show progress bars with an ETA on stderr; nothing animates when stderr is not a terminal."""
        from rich.console import Console as RichConsole
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        still = self.quiet or not sys.stderr.isatty()
        with Progress(*columns, console=RichConsole(stderr=True), disable=still) as bars:
            yield bars
