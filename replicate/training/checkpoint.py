"""Checkpoints: written whole or not at all, checked when read, the last two kept.

Tensors go into a safetensors file, the rest into a JSON file beside it that holds the former's hash. The JSON file is
written last, so that a checkpoint without it does not exist. Nothing is unpickled.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import safetensors.torch
from safetensors import SafetensorError
from torch import Tensor

from replicate.files import sha256, write_atomic, write_json

KEPT = 2


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """The state of a run after `step` updates.

    Attributes:
        step: Number of updates done.
        tensors: Parameters, moments and random states by name.
        state: The rest: seconds spent, and size and hash of the log so far.
    """

    step: int
    tensors: Mapping[str, Tensor]
    state: Mapping[str, Any]


def save(folder: Path, checkpoint: Checkpoint) -> None:
    """Write a checkpoint and drop all but the last two.

    Raises:
        OutputError: It cannot be written; the ones before are kept.
    """
    stem = f"checkpoint-{checkpoint.step:08d}"
    content = safetensors.torch.save({n: t.contiguous() for n, t in checkpoint.tensors.items()})
    write_atomic(folder / f"{stem}.safetensors", content)
    digest = hashlib.sha256(content).hexdigest()
    write_json(folder / f"{stem}.json", {"step": checkpoint.step, "sha256": digest, **checkpoint.state})
    for old in _stems(folder)[KEPT:]:
        _drop(old)


def load(
    folder: Path, check: Callable[[Mapping[str, Any]], str], say: Callable[[str], None]
) -> Checkpoint | None:
    """Return the last usable checkpoint, or None.

    Args:
        folder: The run's folder.
        check: Returns what is wrong with the rest of the run, given the checkpoint's state; empty for nothing.
        say: Told of every checkpoint that is not usable; it is dropped.
    """
    for stem in _stems(folder):
        try:
            state = json.loads(stem.with_suffix(".json").read_text())
            path = stem.with_suffix(".safetensors")
            wrong = "its hash is another" if sha256(path) != state["sha256"] else check(state)
            if not wrong:
                return Checkpoint(int(state["step"]), safetensors.torch.load(path.read_bytes()), state)
        except (OSError, ValueError, KeyError, TypeError, SafetensorError) as error:
            wrong = " ".join(str(error).split()) or type(error).__name__
        say(f"{stem} is damaged ({wrong}); taking the one before")
        _drop(stem)
    return None


def clear(folder: Path) -> None:
    """Drop every checkpoint of a run."""
    for stem in _stems(folder):
        _drop(stem)


def _stems(folder: Path) -> list[Path]:
    """Return the checkpoints of a run without their suffix, the last first."""
    return sorted({p.with_suffix("") for p in folder.glob("checkpoint-*.json")}, reverse=True)


def _drop(stem: Path) -> None:
    """Remove a checkpoint, the part that makes it one first."""
    stem.with_suffix(".json").unlink(missing_ok=True)
    stem.with_suffix(".safetensors").unlink(missing_ok=True)
