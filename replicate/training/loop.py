"""The training loop: one run from its task to its weights, resumed by itself after whatever ended it."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import safetensors.torch
import torch
from torch import Tensor

from replicate.errors import InputError
from replicate.experiments.config import Model, Task
from replicate.files import write_atomic
from replicate.training import checkpoint, log, losses, model, tokens
from replicate.training.checkpoint import Checkpoint
from replicate.training.conversion import convert
from replicate.training.model import Transformer
from replicate.training.runtime import Runtime

WEIGHTS = "weights.safetensors"
VALIDATION_BATCH = 16  # sequences at once

Status = Literal["finished", "diverged", "interrupted"]


@dataclass(frozen=True)
class Progress:
    """Where a run stands: updates done, the last loss a token, and the speed of this session."""

    step: int
    loss: float
    tokens_per_second: float


@dataclass(frozen=True)
class Outcome:
    """How a run ended: its status, the updates done, the last held-out loss a token, seconds over all sessions."""

    status: Status
    step: int
    val: float | None
    seconds: float
    parameters: int


@dataclass(frozen=True, eq=False)
class Files:
    """What a run reads and writes: its own folder, the tokens, and the teacher's weights where it has one."""

    folder: Path
    tokens: Path
    teacher: Path | None = None


def train(
    task: Task,
    files: Files,
    runtime: Runtime,
    report: Callable[[Progress], None],
    say: Callable[[str], None],
    stopped: Callable[[], bool] = lambda: False,
    teacher_model: Model | None = None,
) -> Outcome:
    """Train a model as its task says; the weights, or what is needed to go on, are left in the run's folder.

    Args:
        task: The run.
        files: Its files.
        runtime: Where it is computed.
        report: Told of the progress.
        say: Told what a person should know.
        stopped: Whether to end after the step at hand, with a checkpoint.
        teacher_model: The configuration of the teacher's model, where there is one.

    Raises:
        OutputError: Log or checkpoint cannot be written.
    """
    started = time.monotonic()
    train_tokens, val_tokens = (np.load(files.tokens / f"{s}.npy", mmap_mode="r") for s in ("train", "val"))
    teacher = _load_teacher(files, teacher_model, runtime.device)
    student = Transformer(task.model)
    model.initialise(student, task.seed)
    if teacher is not None:
        convert(student, teacher)
    student.to(runtime.device)
    optimizer = _optimizer(student, task)
    objective = Objective(student, teacher, runtime.precision(task.precision))
    context, device = task.model.context, runtime.device
    held_out = torch.from_numpy(tokens.held_out(val_tokens, task.evaluation.sequences, context)).to(device)
    validate = objective.validation(held_out)

    path = files.folder / "log.csv"
    found = checkpoint.load(files.folder, lambda state: log.wrong_with(path, state), say)
    done, spent, size = (
        (found.step, found.state["seconds"], found.state["log_bytes"]) if found else (0, 0.0, 0)
    )
    if found:
        _restore(found, student, optimizer)
    evaluated = frozenset(task.evaluation.steps(task.steps))
    first, val, saved = done, None, time.monotonic()

    with log.Log(path, size) as lines:

        def keep(step: int) -> None:
            state = {"seconds": spent + time.monotonic() - started, **lines.sync()}
            checkpoint.save(files.folder, Checkpoint(step, _tensors(student, optimizer), state))

        def outcome(status: Status, step: int) -> Outcome:
            seconds = spent + time.monotonic() - started
            return Outcome(status, step, val, seconds, sum(p.numel() for p in student.parameters()))

        for step in range(done, task.steps + 1):
            if step in evaluated:
                val = validate()
            if step == task.steps:
                lines.append(step, None, val, None, None)
                break
            sequences = tokens.batch(train_tokens, task.batch, context, task.seed, step)
            loss = objective(torch.from_numpy(sequences).to(device))
            optimizer.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            norm = torch.nn.utils.clip_grad_norm_(student.parameters(), task.optimizer.clip)
            rate = task.optimizer.rate_at(step, task.steps)
            for group in optimizer.param_groups:
                group["lr"] = rate
            value, size_of_gradient = loss.item(), norm.item()
            lines.append(step, value, val if step in evaluated else None, rate, size_of_gradient)
            if not all(map(math.isfinite, (value, size_of_gradient, val or 0.0))):
                return outcome("diverged", step)
            optimizer.step()
            speed = (step + 1 - first) * task.batch * context / (time.monotonic() - started)
            report(Progress(step + 1, value, speed))
            if stopped():
                keep(step + 1)
                return outcome("interrupted", step + 1)
            if time.monotonic() - saved >= runtime.checkpoint_seconds:
                keep(step + 1)
                saved = time.monotonic()
        lines.sync()
    if val is None or not math.isfinite(val):
        return outcome("diverged", task.steps)
    write_atomic(files.folder / WEIGHTS, safetensors.torch.save(_weights(student)))
    return outcome("finished", task.steps)


class Objective:
    """The loss of a model on sequences: cross-entropy of the next token, or KL divergence to a teacher."""

    def __init__(self, student: Transformer, teacher: Transformer | None, precision: str) -> None:
        """Keep the models and the precision of their matrix products."""
        self.student, self.teacher, self.precision = student, teacher, precision

    def __call__(self, sequences: Tensor) -> Tensor:
        """Return the mean loss a token, a scalar, of sequences (n, context + 1) int64."""
        return self._loss(sequences, self._teach(sequences))

    def validation(self, sequences: Tensor) -> Callable[[], float]:
        """Return a function that gives the mean loss on held-out sequences; the teacher sees them only once."""
        parts = torch.split(sequences, VALIDATION_BATCH)
        with torch.inference_mode():
            taught = [self._teach(part) for part in parts]

        @torch.inference_mode()
        def validate() -> float:
            pairs = zip(parts, taught, strict=True)
            return sum(self._loss(part, t).item() * len(part) for part, t in pairs) / len(sequences)

        return validate

    def _teach(self, sequences: Tensor) -> Tensor | None:
        """Return the teacher's hidden states, or None."""
        if self.teacher is None:
            return None
        with torch.no_grad():
            return self._hidden(self.teacher, sequences)

    def _loss(self, sequences: Tensor, taught: Tensor | None) -> Tensor:
        """Return the mean loss a token, a scalar."""
        hidden = self._hidden(self.student, sequences)
        head = self.student.head.to(hidden.dtype)
        if self.teacher is None or taught is None:
            return losses.cross_entropy(hidden, head, sequences[:, 1:].flatten())
        return losses.divergence(hidden, head, taught, self.teacher.head.to(taught.dtype))

    def _hidden(self, transformer: Transformer, sequences: Tensor) -> Tensor:
        """Return the hidden states before the head in the precision of the matrix products."""
        if self.precision == "fp32":
            hidden: Tensor = transformer(sequences[:, :-1])
            return hidden
        with torch.autocast(sequences.device.type, torch.bfloat16):
            narrow: Tensor = transformer(sequences[:, :-1]).bfloat16()
            return narrow


def _load_teacher(files: Files, configuration: Model | None, device: str) -> Transformer | None:
    """Return the teacher with its weights, or None."""
    if files.teacher is None or configuration is None:
        return None
    teacher = Transformer(configuration)
    path = files.teacher / WEIGHTS
    try:
        teacher.load_state_dict(safetensors.torch.load(path.read_bytes()))
    except (OSError, RuntimeError, safetensors.SafetensorError) as error:
        raise InputError(f"cannot read the teacher {path}: {error}", "run again with --fresh") from error
    return teacher.to(device).requires_grad_(False)


def _optimizer(student: Transformer, task: Task) -> torch.optim.Optimizer:
    """Return AdamW, fused, with weight decay on the inner matrices."""
    inner, others = model.decayed(student)
    settings = task.optimizer
    groups = [
        {"params": inner, "weight_decay": settings.weight_decay},
        {"params": others, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=settings.rate, betas=settings.betas, eps=settings.epsilon, fused=True)


def _weights(student: Transformer) -> dict[str, Tensor]:
    """Return the parameters by name; a tied head is not held twice."""
    return {n: p.detach().contiguous() for n, p in student.named_parameters()}


def _tensors(student: Transformer, optimizer: torch.optim.Optimizer) -> dict[str, Tensor]:
    """Return everything that a run is resumed from, as tensors by name."""
    found = {f"model.{n}": p for n, p in _weights(student).items()}
    for n, p in student.named_parameters():
        found |= {f"optimizer.{n}.{key}": value for key, value in optimizer.state[p].items()}
    found["random.cpu"] = torch.get_rng_state()
    if torch.cuda.is_available():
        found["random.cuda"] = torch.cuda.get_rng_state()
    return found


def _restore(found: Checkpoint, student: Transformer, optimizer: torch.optim.Optimizer) -> None:
    """Set model, optimiser and random states to those of a checkpoint."""
    with torch.no_grad():
        for n, p in student.named_parameters():
            p.copy_(found.tensors[f"model.{n}"])
            head = f"optimizer.{n}."
            state = {k.removeprefix(head): t for k, t in found.tensors.items() if k.startswith(head)}
            optimizer.state[p] = {k: t.to(p.device) for k, t in state.items()}
    torch.set_rng_state(found.tensors["random.cpu"])
    with contextlib.suppress(KeyError):
        torch.cuda.set_rng_state(found.tensors["random.cuda"])
