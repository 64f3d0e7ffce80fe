"""The training loop: one run from its task to its weights, resumed by itself after whatever ended it."""

from __future__ import annotations

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
from replicate.training.cell import WEIGHTS
from replicate.training.checkpoint import Checkpoint
from replicate.training.conversion import convert
from replicate.training.model import Transformer
from replicate.training.optimizer import AdamW
from replicate.training.runtime import Runtime

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
    """How a run ended: status, updates done, final held-out loss a token, seconds over all sessions, parameters."""

    status: Status
    step: int
    val: float | None
    seconds: float
    parameters: int


@dataclass(frozen=True, eq=False)
class Files:
    """What a run reads and writes.

    Attributes:
        folder: Its own folder.
        tokens: The folder of the token file.
        teacher: The folder of the teacher's run, or None.
        teacher_model: The configuration of the teacher's model, or None.
    """

    folder: Path
    tokens: Path
    teacher: Path | None = None
    teacher_model: Model | None = None


def train(
    task: Task,
    files: Files,
    runtime: Runtime,
    report: Callable[[Progress], None],
    say: Callable[[str], None],
    stopped: Callable[[], bool] = lambda: False,
) -> Outcome:
    """Train a model as its task says; the weights, or what is needed to go on, are left in the run's folder.

    Args:
        task: The run.
        files: Its files.
        runtime: Where it is computed.
        report: Told of the progress.
        say: Told what a person should know.
        stopped: Whether to end after the step at hand, with a checkpoint.

    Raises:
        InputError: The teacher cannot be read.
        OutputError: Log or checkpoint cannot be written.
    """
    run = Run(task, files, runtime, say)
    evaluated = frozenset(task.evaluation.steps(task.steps))
    first, started = run.step, time.monotonic()
    with run.log:
        while run.step < task.steps:
            step = run.step
            val = run.validate() if step in evaluated else None
            loss, norm, rate = run.gradient()
            run.log.append(step, loss, val, rate, norm)
            if not all(map(math.isfinite, (loss, norm, val or 0.0))):
                return run.outcome("diverged", None)
            run.update()
            speed = (run.step - first) * task.batch * task.model.context / (time.monotonic() - started)
            report(Progress(run.step, loss, speed))
            if stopped():
                run.keep()
                return run.outcome("interrupted", None)
            if run.due():
                run.keep()
        val = run.validate()
        run.log.append(run.step, None, val, None, None)
        run.log.sync()
    if not math.isfinite(val):
        return run.outcome("diverged", None)
    write_atomic(files.folder / WEIGHTS, safetensors.torch.save(_weights(run.student)))
    return run.outcome("finished", val)


class Run:
    """A run at a step: model, optimiser, data and log, as they were left or new.

    Attributes:
        step: Updates done.
        student: The model that is trained.
        log: Its log, open.
        validate: Returns the loss a token on the held-out text.
    """

    def __init__(self, task: Task, files: Files, runtime: Runtime, say: Callable[[str], None]) -> None:
        """Build the run and take up its last usable checkpoint."""
        self.task, self.files, self.runtime = task, files, runtime
        self._started = self._kept = time.monotonic()
        self._text, held_out = (np.load(files.tokens / f"{s}.npy", mmap_mode="r") for s in ("train", "val"))
        teacher = _load_teacher(files, runtime.device)
        self.student = Transformer(task.model)
        model.initialise(self.student, task.seed)
        if teacher is not None:
            convert(self.student, teacher)
        self.student.to(runtime.device)
        named = dict(self.student.named_parameters())
        self.optimizer = AdamW(named.items(), model.decayed(named), task.optimizer)
        self._objective = Objective(self.student, teacher, runtime.precision(task.precision))
        sequences = tokens.held_out(held_out, task.evaluation.sequences, task.model.context)
        self.validate = self._objective.validation(torch.from_numpy(sequences).to(runtime.device))
        path = files.folder / "log.csv"
        found = checkpoint.load(files.folder, lambda state: log.wrong_with(path, state), say)
        self.step, self._spent = (found.step, float(found.state["seconds"])) if found else (0, 0.0)
        if found:
            _restore(found, self.student, self.optimizer)
        self.log = log.Log(path, found.state["log_bytes"] if found else 0)

    def gradient(self) -> tuple[float, float, float]:
        """Take the gradient on the step's text and return the loss, the gradient's norm and the learning rate."""
        task = self.task
        sequences = tokens.batch(self._text, task.batch, task.model.context, task.seed, self.step)
        loss = self._objective(torch.from_numpy(sequences).to(self.runtime.device))
        loss.backward()  # type: ignore[no-untyped-call]
        norm = torch.nn.utils.clip_grad_norm_(self.student.parameters(), task.optimizer.clip)
        return loss.item(), norm.item(), task.optimizer.rate_at(self.step, task.steps)

    def update(self) -> None:
        """Update the parameters by the gradient that was taken."""
        self.optimizer.update(self.task.optimizer.rate_at(self.step, self.task.steps))
        self.step += 1

    def due(self) -> bool:
        """Whether it is time for a checkpoint."""
        return time.monotonic() - self._kept >= self.runtime.checkpoint_seconds

    def keep(self) -> None:
        """Write a checkpoint."""
        state = {"seconds": self._seconds(), **self.log.sync()}
        checkpoint.save(
            self.files.folder, Checkpoint(self.step, _tensors(self.student, self.optimizer), state)
        )
        self._kept = time.monotonic()

    def outcome(self, status: Status, val: float | None) -> Outcome:
        """Return how the run ended."""
        parameters = sum(p.numel() for p in self.student.parameters())
        return Outcome(status, self.step, val, self._seconds(), parameters)

    def _seconds(self) -> float:
        """Return the seconds spent over all sessions."""
        return self._spent + time.monotonic() - self._started


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


def _load_teacher(files: Files, device: str) -> Transformer | None:
    """Return the teacher with its weights, or None."""
    if files.teacher is None or files.teacher_model is None:
        return None
    teacher = Transformer(files.teacher_model)
    path = files.teacher / WEIGHTS
    try:
        teacher.load_state_dict(safetensors.torch.load(path.read_bytes()))
    except (OSError, RuntimeError, safetensors.SafetensorError) as error:
        raise InputError(f"cannot read the teacher {path}: {error}", "run again with --fresh") from error
    return teacher.to(device).requires_grad_(False)


def _weights(student: Transformer) -> dict[str, Tensor]:
    """Return the parameters by name; a tied head is not held twice."""
    return {n: p.detach().contiguous() for n, p in student.named_parameters()}


def _tensors(student: Transformer, optimizer: AdamW) -> dict[str, Tensor]:
    """Return everything that a run is resumed from, as tensors by name."""
    found = {f"model.{n}": p for n, p in _weights(student).items()}
    found |= {f"optimizer.{n}": t for n, t in optimizer.state().items()}
    found["random.cpu"] = torch.get_rng_state()
    if torch.cuda.is_available():
        found["random.cuda"] = torch.cuda.get_rng_state()
    return found


@torch.no_grad()
def _restore(found: Checkpoint, student: Transformer, optimizer: AdamW) -> None:
    """Set model, optimiser and random states to those of a checkpoint."""
    for n, p in student.named_parameters():
        p.copy_(found.tensors[f"model.{n}"])
    optimizer.restore({n.removeprefix("optimizer."): t for n, t in found.tensors.items()})
    torch.set_rng_state(found.tensors["random.cpu"])
    if "random.cuda" in found.tensors and torch.cuda.is_available():
        torch.cuda.set_rng_state(found.tensors["random.cuda"])
