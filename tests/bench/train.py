"""Measure the training loop: against a plain loop, and several runs at once against one after another.

    python tests/bench/train.py [--steps 20] [--turns 2] [--scale bench|quick]

The plain loop is what one would write first: full logits, F.cross_entropy, torch.optim.AdamW, all threads. Both train
the same model from the same parameters on the same batches, in processes of their own, in turns. Prints a table and,
as its last line, JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from replicate.experiments import get
from replicate.experiments.config import Task
from replicate.training.runtime import WORKER_ENVIRONMENT, Runtime, apply, available_cores


def task_of(scale: str) -> Task:
    """Return what is measured: the quick scale, or a model with GPT-2's whole vocabulary."""
    quick = get("small_init_emb", "quick").task
    if scale == "quick":
        return quick
    model = replace(quick.model, vocabulary=50257, layers=6, context=128)
    return replace(quick, model=model, batch=16)


def batches(task: Task) -> Any:
    """Yield random batches, (batch, context + 1) int64."""
    random = np.random.default_rng(0)
    while True:
        yield random.integers(0, task.model.vocabulary, (task.batch, task.model.context + 1))


def plain(task: Task, steps: int) -> list[float]:
    """Train with the plain loop; return the losses."""
    import torch
    from torch.nn import functional as F  # noqa: N812

    from replicate.training.model import Transformer, initialise

    model = Transformer(task.model)
    initialise(model, 0)
    settings = task.optimizer
    optimizer = torch.optim.AdamW(model.parameters(), settings.rate, settings.betas, settings.epsilon, 0.0)
    losses = []
    for _, batch in zip(range(steps), batches(task), strict=False):
        tokens = torch.from_numpy(batch)
        loss = F.cross_entropy(model(tokens[:, :-1]) @ model.head.T, tokens[:, 1:].flatten())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), settings.clip)
        optimizer.step()
        losses.append(loss.item())
    return losses


def harness(task: Task, steps: int) -> list[float]:
    """Train with the parts of the harness; return the losses."""
    import torch

    from replicate.training.loop import Objective
    from replicate.training.model import Transformer, initialise
    from replicate.training.optimizer import AdamW

    model = Transformer(task.model)
    initialise(model, 0)
    optimizer = AdamW(model.named_parameters(), set(), task.optimizer)
    objective = Objective(model, None, "fp32")
    losses = []
    for _, batch in zip(range(steps), batches(task), strict=False):
        loss = objective(torch.from_numpy(batch))
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.parameters(), task.optimizer.clip)
        optimizer.update(task.optimizer.rate)
        losses.append(loss.item())
    return losses


def measure(loop: str, scale: str, threads: int, steps: int) -> dict[str, Any]:
    """Train in this process; return losses, seconds (the first step apart) and peak memory."""
    begun = time.perf_counter()
    apply(Runtime(threads=threads))
    task, train = task_of(scale), {"plain": plain, "harness": harness}[loop]
    train(task, 1)
    first = time.perf_counter() - begun
    wall, cpu = time.perf_counter(), time.process_time()
    losses = train(task, steps)
    return {
        "losses": losses,
        "first": first,
        "wall": time.perf_counter() - wall,
        "cpu": time.process_time() - cpu,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def start(loop: str, scale: str, threads: int, steps: int) -> subprocess.Popen[str]:
    """Start a measurement in a process of its own, in the environment that its loop would have."""
    words = ["--measure", loop, "--scale", scale, "--threads", str(threads), "--steps", str(steps)]
    env = os.environ | {"OMP_NUM_THREADS": str(threads)} | (WORKER_ENVIRONMENT if loop == "harness" else {})
    command = [sys.executable, str(Path(__file__)), *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env)  # noqa: S603


def finish(process: subprocess.Popen[str]) -> dict[str, Any]:
    """Return what a measurement printed."""
    out, _ = process.communicate()
    found: dict[str, Any] = json.loads(out)
    return found


def main() -> None:
    """Run the measurements and print them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--scale", choices=("bench", "quick"), default="bench")
    parser.add_argument("--threads", type=int, default=available_cores())
    parser.add_argument("--measure", choices=("plain", "harness"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        print(json.dumps(measure(given.measure, given.scale, given.threads, given.steps)))
        return
    task, cores = task_of(given.scale), available_cores()
    tokens = given.steps * task.batch * task.model.context
    rows: dict[str, list[dict[str, Any]]] = {"plain": [], "harness": [], "at once": []}
    for _ in range(given.turns):
        rows["plain"].append(finish(start("plain", given.scale, cores, given.steps)))
        rows["harness"].append(finish(start("harness", given.scale, cores, given.steps)))
        crew = [start("harness", given.scale, 1, given.steps) for _ in range(cores)]
        rows["at once"] += [finish(process) for process in crew]
    result: dict[str, Any] = {"scale": given.scale, "cores": cores, "steps": given.steps}
    for name, found in rows.items():
        together = cores if name == "at once" else 1
        speed = together * tokens / float(np.median([f["wall"] for f in found]))
        per_cpu = tokens / float(np.median([f["cpu"] for f in found]))
        first, memory = (float(np.median([f[key] for f in found])) for key in ("first", "memory"))
        result[name] = {"tokens/s": speed, "tokens/cpu s": per_cpu, "first step s": first, "peak MiB": memory}
        print(f"{name:8} {speed:9,.0f} tokens/s  {per_cpu:9,.0f} tokens/cpu s  ", end="")
        print(f"first step {first:5.1f} s  peak {memory:6,.0f} MiB")
    losses = [np.array(rows[name][0]["losses"]) for name in ("plain", "harness")]
    result["largest difference of losses"] = float(np.abs(losses[0] - losses[1]).max())
    print(json.dumps(result))


if __name__ == "__main__":
    main()
