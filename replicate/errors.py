"""Every error that a user can meet: one line that names the thing and the remedy, and its exit code.

Raise the class that fits with a message of one sentence and, where there is one, a remedy. The command line
prints ``replicate: <message>; <remedy>`` and ends with the class's exit code; nothing else turns an exception
into an exit code.
"""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """The documented exit codes of every command."""

    DONE = 0
    BUG = 1
    BAD_INPUT = 2
    NEEDS_A_PERSON = 3
    MISSING_COMPONENT = 4
    CANNOT_WRITE = 5
    INTERRUPTED = 130


class ReplicateError(Exception):
    """An error with a message for people.

    Args:
        message: One sentence without a full stop; names the file, key or flag concerned.
        remedy: What would help, as an imperative without a full stop, or empty.
    """

    exit_code: ExitCode = ExitCode.BUG

    def __init__(self, message: str, remedy: str = "") -> None:
        """Keep the message and the remedy apart, so that callers can show them differently."""
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        """Return the error as one line."""
        line = f"{self.message}; {self.remedy}" if self.remedy else self.message
        return " ".join(line.split())


class InputError(ReplicateError):
    """Bad usage or unreadable input (exit code 2)."""

    exit_code = ExitCode.BAD_INPUT


class MissingComponentError(ReplicateError):
    """An extra, a system library or a device that is not there (exit code 4); the remedy is a command."""

    exit_code = ExitCode.MISSING_COMPONENT


class OutputError(ReplicateError):
    """The output cannot be written (exit code 5)."""

    exit_code = ExitCode.CANNOT_WRITE
