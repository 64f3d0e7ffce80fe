"""The commands, thin: parse, call, print. The one place where an exception becomes an exit code."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence

import typer
from typer.main import get_command

from replicate._version import __version__
from replicate.commands import audit, claims, compare, digitize, new, report, rerun
from replicate.errors import ExitCode, ReplicateError

app = typer.Typer(
    name="replicate",
    help="Audit published training curves: read a figure's numbers, rerun the experiment, judge each claim.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for command in (digitize, rerun, compare, report, audit, claims, new):
    command.register(app)


def _version(asked: bool) -> None:
    """Print the version and end."""
    if asked:
        print(f"replicate {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version."
    ),
) -> None:
    """Hold the options that come before a command."""


def run(arguments: Sequence[str]) -> int:
    """Run the command line.

    Args:
        arguments: The words after ``replicate``.

    Returns:
        The exit code (see `replicate.errors.ExitCode`); every failure is said in one line on stderr.
    """
    verbose = "--verbose" in arguments
    try:
        outcome = get_command(app).main(list(arguments), prog_name="replicate", standalone_mode=False)
        if outcome == ExitCode.INTERRUPTED:  # typer turns an interrupt into this without a word
            raise KeyboardInterrupt
        return int(outcome or ExitCode.DONE)
    except (KeyboardInterrupt, typer.Abort):
        return _fail("interrupted; what was finished is kept", ExitCode.INTERRUPTED)
    except ReplicateError as error:
        if verbose:
            traceback.print_exc()
        return _fail(str(error), error.exit_code)
    except typer.TyperException as error:
        return _fail(f"{error.format_message()}; see replicate --help", ExitCode.BAD_INPUT)
    except BrokenPipeError:  # the reader of stdout has gone, as in `replicate … | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.DONE
    except Exception as error:
        if verbose:
            traceback.print_exc()
        kind = f"{type(error).__name__}: {error}".splitlines()[0]
        return _fail(f"a bug in replicate: {kind}; run again with --verbose and report it", ExitCode.BUG)


def _fail(message: str, code: ExitCode) -> int:
    """Say why the command ends, in one line, and return its exit code."""
    print(f"replicate: {' '.join(message.split())}", file=sys.stderr)
    return int(code)
