"""The log of a run: a line a step, appended as it runs, cut back to the checkpoint on resume."""

from __future__ import annotations

import csv
import hashlib
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from replicate.errors import InputError, OutputError

HEADER = "step,train,val,rate,gradient_norm"


class Log:
    """An open log; losses are nats a token, an empty field was not taken at that step."""

    def __init__(self, path: Path, size: int) -> None:
        """Open the log, cut to its first `size` bytes; at 0 it begins anew with the header.

        Raises:
            OutputError: It cannot be written.
        """
        self.path = path
        try:
            self._stream = path.open("r+b" if path.exists() else "w+b", buffering=0)
            self._stream.truncate(size)
            self._digest = hashlib.sha256(self._stream.read(size))
        except OSError as error:
            raise _unwritable(path, error) from error
        self.size = size
        if not size:
            self._write(HEADER)

    def __enter__(self) -> Self:
        """Return the log."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        """Close the log."""
        self._stream.close()

    def append(self, step: int, *values: float | None) -> None:
        """Append a line; numbers keep every digit.

        Raises:
            OutputError: It cannot be written.
        """
        self._write(",".join([str(step), *("" if v is None else repr(v) for v in values)]))

    def sync(self) -> dict[str, Any]:
        """Force the log to disk and return its size and hash, to be kept with a checkpoint."""
        try:
            os.fsync(self._stream.fileno())
        except OSError as error:
            raise _unwritable(self.path, error) from error
        return {"log_bytes": self.size, "log_sha256": self._digest.hexdigest()}

    def _write(self, line: str) -> None:
        """Write a line at the end."""
        data = f"{line}\n".encode()
        try:
            self._stream.write(data)
        except OSError as error:
            raise _unwritable(self.path, error) from error
        self._digest.update(data)
        self.size += len(data)


def _unwritable(path: Path, error: OSError) -> OutputError:
    """Return the error of a log that cannot be written."""
    return OutputError(
        f"cannot write {path}: {error.strerror}", "free space, or choose another folder with --out"
    )


def wrong_with(path: Path, state: Mapping[str, Any]) -> str:
    """Return what is wrong with the log that a checkpoint was written with; empty for nothing."""
    try:
        head = path.read_bytes()[: state["log_bytes"]]
    except OSError as error:
        return f"its log cannot be read: {error.strerror}"
    return "" if hashlib.sha256(head).hexdigest() == state["log_sha256"] else "its log was altered"


@dataclass(frozen=True, eq=False)
class Losses:
    """The losses of a split, nats a token, where they were taken and finite.

    Attributes:
        steps: (n,) float64.
        values: (n,) float64.
    """

    steps: NDArray[np.float64]
    values: NDArray[np.float64]


def read(path: Path) -> dict[str, Losses]:
    """Return the losses of a log by split, "train" and "val".

    Raises:
        InputError: The log cannot be read.
    """
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            rows = list(csv.DictReader(stream))
        return {name: _losses(rows, name) for name in ("train", "val")}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"cannot read {path}: {error}", "run again with --fresh") from error


def _losses(rows: list[dict[str, str]], name: str) -> Losses:
    """Return the losses of one split."""
    found = [(float(r["step"]), float(r[name])) for r in rows if r[name]]
    kept = np.array([p for p in found if math.isfinite(p[1])]).reshape(-1, 2)
    return Losses(kept[:, 0], kept[:, 1])
