"""Which tool writes a report: its version, and the git commit it runs from where it runs from a checkout."""

from __future__ import annotations

import shutil
import subprocess  # noqa: S404 - git alone is called, with fixed words
from collections.abc import Sequence
from pathlib import Path

import replicate
from replicate.report.material import Tool

PACKAGE = Path(replicate.__file__).parent


def current_tool(command: Sequence[str]) -> Tool:
    """Return this installation; the commit is empty where the package does not run from its own checkout.

    Args:
        command: The command line that asked for the report.
    """
    found = _git("log", "-1", "--format=%H %cs").split() if (PACKAGE.parent / ".git").exists() else []
    commit, committed = found if len(found) == 2 else ("", "")
    clean = bool(commit) and not _git("status", "--porcelain", "--", str(PACKAGE))
    return Tool(replicate.__version__, commit, clean, tuple(command), committed)


def _git(*words: str) -> str:
    """Return what git says about the package's checkout; empty where it says nothing."""
    git = shutil.which("git")
    if git is None:
        return ""
    command = [git, "-C", str(PACKAGE.parent), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    return done.stdout.strip() if done.returncode == 0 else ""
