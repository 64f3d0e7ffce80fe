"""A worker process: runs the cells it is told of, one after another. ``python -m replicate.training.worker``.

A line of JSON on stdin names a cell's folder and its runtime; lines of JSON on stdout tell of its progress and end.
When stdin closes while a cell runs, the one who asked is gone, and the process ends at once: a run left behind would
write into a folder that a new one may own. An interrupt ends the cell at hand with a checkpoint.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import Any

from replicate.errors import ExitCode, ReplicateError
from replicate.training.cell import run_cell
from replicate.training.loop import Progress
from replicate.training.runtime import Runtime

BETWEEN = 0.2  # seconds between two lines of progress


class Worker:
    """The state of a worker: what it was told, and whether it has been interrupted."""

    def __init__(self) -> None:
        """Begin to listen."""
        self.jobs: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self.busy = False
        self.interrupted = False
        self._told = 0.0
        signal.signal(signal.SIGINT, self._interrupt)
        threading.Thread(target=self._listen, daemon=True).start()

    def run(self) -> None:
        """Run cells until stdin closes."""
        while (job := self.jobs.get()) is not None and not self.interrupted:
            self.busy = True
            end = self._run(Path(job["folder"]), Runtime(**job["runtime"]))
            self.busy = False
            self.tell(cell=job["folder"], **end)

    def _run(self, folder: Path, runtime: Runtime) -> dict[str, Any]:
        """Run one cell and return how it ended."""
        try:
            cell = run_cell(folder, runtime, self._progress(folder), self._say, lambda: self.interrupted)
            return {"end": cell.status}
        except ReplicateError as error:
            return {
                "end": "error",
                "message": error.message,
                "remedy": error.remedy,
                "code": int(error.exit_code),
            }
        except Exception as error:
            traceback.print_exc()
            kind = f"{type(error).__name__}: {error}".splitlines()[0]
            return {"end": "error", "message": f"{folder}: {kind}", "remedy": "", "code": int(ExitCode.BUG)}

    def _progress(self, folder: Path) -> Any:
        """Return a function that tells of a cell's progress, not too often."""

        def report(progress: Progress) -> None:
            now = time.monotonic()
            if now - self._told >= BETWEEN:
                self._told = now
                speed = progress.tokens_per_second
                self.tell(cell=str(folder), step=progress.step, loss=progress.loss, speed=speed)

        return report

    def _say(self, message: str) -> None:
        """Pass a message on."""
        self.tell(say=message)

    def tell(self, **message: Any) -> None:
        """Write a line of JSON to stdout."""
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()

    def _interrupt(self, *_: Any) -> None:
        """Remember the interrupt; end at once where nothing runs."""
        self.interrupted = True
        if not self.busy:
            self.jobs.put(None)

    def _listen(self) -> None:
        """Take jobs from stdin until it closes."""
        for line in sys.stdin:
            self.jobs.put(json.loads(line))
        if self.busy and not self.interrupted:
            os._exit(int(ExitCode.INTERRUPTED))
        self.jobs.put(None)


if __name__ == "__main__":
    Worker().run()
