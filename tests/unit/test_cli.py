"""The command line: exit codes, one line of error, and an answer without heavy libraries."""

from __future__ import annotations

import builtins
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import replicate
from replicate import cli
from replicate.commands import digitize as command
from replicate.errors import ExitCode, InputError, MissingComponentError, OutputError

COMMANDS = ("digitize", "rerun", "compare", "report", "audit")


def test_the_version(capsys: Any) -> None:
    assert cli.run(["--version"]) == 0
    assert capsys.readouterr().out == f"replicate {replicate.__version__}\n"


def test_help_names_every_command(capsys: Any) -> None:
    assert cli.run(["--help"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str, capsys: Any) -> None:
    assert cli.run([name, "--help"]) == 0
    assert "Usage: replicate" in capsys.readouterr().out


def test_every_documented_flag_of_digitize_exists(capsys: Any) -> None:
    cli.run(["digitize", "--help"])
    out = capsys.readouterr().out
    flags = (
        "--page --panel --x-scale --y-scale --x-ticks --y-ticks --series --jobs --min-confidence "
        "--max-megapixels --out --json --quiet --verbose"
    )
    assert all(flag in out for flag in flags.split(" "))


@pytest.mark.parametrize(
    "words",
    [
        ["nonsense"],
        ["digitize"],
        ["digitize", "--nonsense", "a.png"],
        ["digitize", "does-not-exist.png"],
        ["digitize", "a.png", "--x-scale", "cubic"],
        ["digitize", "a.png", "--jobs", "0"],
        ["digitize", "a.png", "--min-confidence", "2"],
        ["digitize", "a.png", "--x-ticks", "5"],
        ["digitize", "a.png", "--series", "red"],
    ],
)
def test_bad_usage_is_one_line_and_code_2(words: list[str], capsys: Any) -> None:
    assert cli.run(words) == 2
    captured = capsys.readouterr()
    (line,) = captured.err.splitlines()
    assert line.startswith("replicate: ")
    assert captured.out == ""


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (InputError("a is bad", "fix it"), 2, "replicate: a is bad; fix it\n"),
        (MissingComponentError("b is missing", "get it"), 4, "replicate: b is missing; get it\n"),
        (OutputError("no room"), 5, "replicate: no room\n"),
        (KeyboardInterrupt(), 130, "replicate: interrupted; what was finished is kept\n"),
        (
            RuntimeError("two\nlines"),
            1,
            "replicate: a bug in replicate: RuntimeError: two; run again with --verbose and report it\n",
        ),
    ],
)
def test_every_failure_has_its_code_and_line(
    error: BaseException, code: int, said: str, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    def fail(*_: Any, **__: Any) -> int:
        raise error

    monkeypatch.setattr(command, "find_figures", fail)
    assert cli.run(["digitize", "a.png"]) == code
    assert capsys.readouterr().err == said


def test_verbose_shows_where_a_bug_is(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    def fail(_: Any) -> int:
        raise RuntimeError("oops")

    monkeypatch.setattr(command, "find_figures", fail)
    assert cli.run(["digitize", "a.png", "--verbose"]) == ExitCode.BUG
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("said", "package"),
    [
        ("libGL.so.1: cannot open shared object file: No such file or directory", "libgl1"),
        ("libgthread-2.0.so.0: cannot open shared object file", "libglib2.0-0"),
        ("libglib-2.0.so.0: cannot open shared object file", "libglib2.0-0"),
        ("libxcb.so.1: cannot open shared object file", "libxcb1"),
        ("libgomp.so.1: cannot open shared object file", "libgomp1"),
        ("No module named 'cv2'", "pip install replicate"),
    ],
)
def test_a_missing_library_names_the_package(
    said: str, package: str, monkeypatch: pytest.MonkeyPatch, capsys: Any, tmp_path: Path
) -> None:
    usual = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name == "replicate.digitizer.pipeline":
            raise ImportError(said)
        return usual(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    assert cli.run(["digitize", str(tmp_path / "a.png")]) == 4
    (line,) = capsys.readouterr().err.splitlines()
    assert package in line


def test_help_loads_no_heavy_library() -> None:
    code = (
        "import sys; from replicate.cli import run; run(['--help']); "
        "print(sorted({'torch', 'cv2', 'onnxruntime', 'pandas', 'scipy', 'skimage', 'matplotlib'}"
        " & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"


def test_the_public_names() -> None:
    assert sorted(replicate.__all__) == [
        "Curve",
        "CurveSet",
        "__version__",
        "compare",
        "digitize",
        "read_curves",
        "write_curves",
    ]
