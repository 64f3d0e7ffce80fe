"""The workers of a rerun as a person sees them: bars, a line a run that has ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from replicate.console import Console
from replicate.experiments.config import Task
from replicate.training.cell import CellFile, read_known
from replicate.training.launch import run_cells
from replicate.training.runtime import Runtime, available_cores

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


class Crew:
    """Runs cells at once and shows how far they are."""

    def __init__(self, runtime: Runtime, devices: Sequence[str], console: Console, bars: Progress) -> None:
        """Size the crew: a worker a GPU, or as many as the cores allow."""
        self.runtime, self.devices, self.console, self.bars = runtime, devices, console, bars
        on_gpu = devices[0].startswith("cuda")
        self.workers = len(devices) if on_gpu else max(1, available_cores() // runtime.threads)

    def run(self, tasks: dict[Path, Task], names: dict[Path, str], ended: Callable[[], Any]) -> None:
        """Run the cells that are not done; `ended` is called after each."""
        left = [folder for folder in tasks if not read_known(folder).done]
        if len(left) < len(tasks):
            self.console.say(f"{len(tasks) - len(left)} of {len(tasks)} runs are there already")
        rows: dict[Path, TaskID] = {}
        for folder in left:
            rows[folder] = self.bars.add_task(names[folder], total=tasks[folder].steps, visible=False)
        whole = self.bars.add_task("all runs", total=sum(tasks[f].steps for f in left), visible=len(left) > 1)

        def hear(message: dict[str, Any]) -> None:
            if "say" in message:
                self.console.say(str(message["say"]))
                return
            folder = Path(message["cell"])
            if "step" in message:
                told = f"{names[folder]}: loss {message['loss']:.3f}, {message['speed']:,.0f} tokens/s"
                before = self.bars.tasks[rows[folder]].completed
                self.bars.update(rows[folder], completed=message["step"], description=told, visible=True)
                self.bars.advance(whole, message["step"] - before)
                return
            self.bars.advance(whole, tasks[folder].steps - self.bars.tasks[rows[folder]].completed)
            self.bars.update(rows[folder], visible=False)
            self.console.say(_ended(names[folder], read_known(folder), message))
            ended()

        if left:
            run_cells(left, self.runtime, self.devices, self.workers, hear)


def _ended(name: str, cell: CellFile, message: dict[str, Any]) -> str:
    """Return how a run ended, in a line."""
    if message["end"] == "error":
        return f"{name}: {message['message']}"
    if message["end"] == "finished":
        return f"{name}: loss {cell.content['val']:.4f} a token after {cell.content['seconds']:.1f} s"
    return f"{name}: {message['end']} at step {cell.content['steps']}"
