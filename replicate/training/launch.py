"""Running cells at once: worker processes on this machine, told of one cell after another."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess  # noqa: S404  the interpreter that runs this, with a module of this package
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import IO, Any

from replicate.errors import ExitCode, InputError, MissingComponentError, OutputError, ReplicateError
from replicate.training.runtime import WORKER_ENVIRONMENT, Runtime

GRACE = 20.0  # seconds an interrupted worker has for its checkpoint

ERRORS: dict[int, type[ReplicateError]] = {
    ExitCode.BAD_INPUT: InputError,
    ExitCode.MISSING_COMPONENT: MissingComponentError,
    ExitCode.CANNOT_WRITE: OutputError,
}

Listener = Callable[[dict[str, Any]], None]


@dataclass
class Process:
    """A worker process, the cell it runs, and what it printed to stderr."""

    process: subprocess.Popen[str]
    errors: IO[bytes]
    runtime: Runtime
    cell: Path | None = None


def run_cells(
    folders: Sequence[Path], runtime: Runtime, devices: Sequence[str], workers: int, hear: Listener
) -> None:
    """Run cells in worker processes; a cell that fails does not keep the others from running.

    Args:
        folders: The cells, in the order in which they are started.
        runtime: How they are computed; the device is one of `devices`, in turns.
        devices: Where.
        workers: How many at once.
        hear: Told every message of the workers: {"cell", "step", "loss", "speed"}, {"cell", "end"}, {"say"}.

    Raises:
        ReplicateError: A cell failed; raised when the others are done.
        KeyboardInterrupt: Passed on when every worker has written its checkpoint.
    """
    waiting = deque(folders)
    messages: queue.Queue[tuple[int, dict[str, Any] | None]] = queue.Queue()
    count = min(workers, len(waiting))
    crew: dict[int, Process] = {}
    failure: ReplicateError | None = None
    try:
        for number in range(count):
            crew[number] = _start(replace(runtime, device=devices[number % len(devices)]), number, messages)
            _assign(crew[number], waiting)
        while crew:
            number, message = messages.get()
            worker = crew[number]
            if message is None:
                failure = failure or _lost(worker)
                del crew[number]
                if waiting:  # a process that died takes its cell with it, not the others
                    crew[number] = _start(worker.runtime, number, messages)
                    _assign(crew[number], waiting)
                continue
            hear(message)
            if message.get("end") == "error":
                failure = failure or _error(message)
            if "end" in message:
                worker.cell = None
                if failure and failure.exit_code == ExitCode.CANNOT_WRITE:
                    waiting.clear()  # nothing else will be able to write either
                _assign(worker, waiting)
    finally:
        _stop(crew)
    if failure:
        raise failure


def _start(
    runtime: Runtime, number: int, messages: queue.Queue[tuple[int, dict[str, Any] | None]]
) -> Process:
    """Start a worker and a thread that passes its messages on, and None when it has ended."""
    errors = tempfile.TemporaryFile()  # noqa: SIM115  closed with the process
    threads = str(runtime.threads)
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", "replicate.training.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        text=True,
        env=os.environ | WORKER_ENVIRONMENT | {"OMP_NUM_THREADS": threads, "MKL_NUM_THREADS": threads},
    )

    def listen() -> None:
        with contextlib.suppress(ValueError), process.stdout or contextlib.nullcontext(()) as lines:
            for line in lines:
                messages.put((number, json.loads(line)))
        messages.put((number, None))

    threading.Thread(target=listen, daemon=True).start()
    return Process(process, errors, runtime)


def _assign(worker: Process, waiting: deque[Path]) -> None:
    """Give a worker its next cell, or let it end."""
    stdin = worker.process.stdin
    if stdin is None or stdin.closed:
        return
    if not waiting:
        stdin.close()
        return
    worker.cell = waiting.popleft()
    try:
        stdin.write(json.dumps({"folder": str(worker.cell), "runtime": asdict(worker.runtime)}) + "\n")
        stdin.flush()
    except BrokenPipeError:  # it has died; its end is told by the thread that listens
        return


def _lost(worker: Process) -> ReplicateError | None:
    """Return the error of a worker that ended while it ran a cell, or None."""
    code, said = _end(worker)
    if worker.cell is None or code == ExitCode.INTERRUPTED:
        return None
    why = (
        f"killed by {signal.Signals(-code).name}" if code < 0 else (said[-1] if said else f"exit code {code}")
    )
    return ReplicateError(
        f"the process of {worker.cell} ended ({why})", "run again to go on from its checkpoint"
    )


def _end(worker: Process) -> tuple[int, list[str]]:
    """Wait for a worker that ends; return its exit code and the lines it printed to stderr."""
    if worker.process.stdin and not worker.process.stdin.closed:
        with contextlib.suppress(BrokenPipeError):
            worker.process.stdin.close()
    code = worker.process.wait()
    worker.errors.seek(0)
    said = worker.errors.read().decode(errors="replace").strip().splitlines()
    worker.errors.close()
    return code, said


def _error(message: dict[str, Any]) -> ReplicateError:
    """Return the error that a worker told of."""
    return ERRORS.get(message["code"], ReplicateError)(message["message"], message["remedy"])


def _stop(crew: dict[int, Process]) -> None:
    """Interrupt the workers that still run, and wait until they have written their checkpoints."""
    for worker in crew.values():
        if worker.process.poll() is None:
            worker.process.send_signal(signal.SIGINT)
    for worker in crew.values():
        try:
            worker.process.wait(GRACE)
        except subprocess.TimeoutExpired:
            worker.process.kill()
        _end(worker)
