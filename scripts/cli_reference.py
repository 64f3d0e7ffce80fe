"""Write docs/cli.md from the commands' --help, or with --check say whether it is in step."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from pathlib import Path

os.environ["COLUMNS"] = "100"  # the help is the same on every terminal

from typer.main import get_command

from replicate import cli
from replicate.errors import ExitCode

PAGE = Path(__file__).parents[1] / "docs" / "cli.md"
HEAD = """# Command line

Written by `scripts/cli_reference.py` from `--help`; `make check` fails where it is out of step.
Exit codes: {codes}.
"""


def help_of(*words: str) -> str:
    """Return what `replicate WORDS --help` prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        cli.run([*words, "--help"])
    return "\n".join(line.rstrip() for line in out.getvalue().strip().splitlines())


def reference() -> str:
    """Return the page."""
    codes = ", ".join(f"{int(code)} {code.name.lower().replace('_', ' ')}" for code in ExitCode)
    commands = list(getattr(get_command(cli.app), "commands", {}))
    parts = [HEAD.format(codes=codes), f"```text\n{help_of()}\n```\n"]
    parts += [f"## replicate {name}\n\n```text\n{help_of(name)}\n```\n" for name in commands]
    return "\n".join(parts)


def main() -> int:
    """Write the page, or check it."""
    if sys.argv[1:] == ["--check"]:
        if PAGE.exists() and PAGE.read_text(encoding="utf-8") == reference():
            return 0
        print(f"{PAGE} is out of step with --help: run python scripts/cli_reference.py", file=sys.stderr)
        return 1
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(reference(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
