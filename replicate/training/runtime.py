"""Where a run is computed: device, threads, determinism; and the record of what could change its bits."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import subprocess  # noqa: S404  git alone is called, with fixed words
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import replicate
from replicate.errors import InputError, MissingComponentError

if TYPE_CHECKING:
    from types import ModuleType

DEVICES = ("auto", "cpu", "cuda")
GPU_FILES = (
    "/dev/nvidiactl",
    "/dev/dxg",
    "/dev/kfd",
)  # of NVIDIA's driver, of Windows' Linux, of AMD's driver
INSTALL = 'pip install "replicate[train]"'

# glibc gives large blocks back to the system at once, and each is paid for again by page faults: without these a
# cross-entropy over a large vocabulary takes twice as long. Waiting threads sleep, since cores are shared.
WORKER_ENVIRONMENT = {
    "OMP_WAIT_POLICY": "passive",
    "MALLOC_MMAP_MAX_": "0",
    "MALLOC_TRIM_THRESHOLD_": str(1 << 40),
    "MALLOC_TOP_PAD_": str(64 << 20),
    "CUBLAS_WORKSPACE_CONFIG": ":4096:8",
}


@dataclass(frozen=True)
class Runtime:
    """How a run is computed; its bits may depend on it, its configuration does not.

    Attributes:
        device: "cpu", "cuda:0", ...
        threads: Processor threads of one run.
        deterministic: Whether operations that could vary from run to run are refused.
        checkpoint_seconds: Time between checkpoints.
    """

    device: str = "cpu"
    threads: int = 1
    deterministic: bool = False
    checkpoint_seconds: float = 20.0

    def precision(self, asked: str) -> str:
        """Return the precision of the matrix products: bf16 only where the device has it."""
        return asked if self.device.startswith("cuda") else "fp32"


def load_torch() -> ModuleType:
    """Import PyTorch.

    Raises:
        MissingComponentError: It is not installed.
    """
    try:
        import torch
    except ImportError as error:
        raise MissingComponentError("PyTorch is not installed", INSTALL) from error
    return torch


def find_devices(wanted: str) -> tuple[str, ...]:
    """Return the devices to run on: every GPU, or the processor.

    Args:
        wanted: "auto", "cpu" or "cuda".

    Raises:
        InputError: There is no such kind.
        MissingComponentError: A GPU was demanded and there is none.
    """
    if wanted not in DEVICES:
        raise InputError(f"unknown device {wanted!r}", f"there are: {', '.join(DEVICES)}")
    if importlib.util.find_spec("torch") is None:
        raise MissingComponentError("PyTorch is not installed", INSTALL)
    if wanted == "cpu" or (wanted == "auto" and not _may_have_gpu()):
        return ("cpu",)
    torch = load_torch()
    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    if wanted == "cuda" and not count:
        raise MissingComponentError(
            f"no CUDA device is to be seen by PyTorch {torch.__version__}",
            "pip install torch from the index of its CUDA builds, or leave out --device cuda",
        )
    return tuple(f"cuda:{i}" for i in range(count)) or ("cpu",)


def _may_have_gpu() -> bool:
    """Whether it is worth asking PyTorch, which takes two seconds to import, for a GPU."""
    return sys.platform != "linux" or any(Path(p).exists() for p in GPU_FILES)


def available_cores() -> int:
    """Return the number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def apply(runtime: Runtime) -> None:
    """Set PyTorch up for a run in this process."""
    torch = load_torch()
    torch.set_num_threads(runtime.threads)
    torch.set_flush_denormal(True)  # the moments of rarely used embeddings decay into them, and they are slow
    if runtime.deterministic:  # not otherwise: setting it imports PyTorch's compiler, which takes two seconds
        torch.use_deterministic_algorithms(True)


def environment(runtime: Runtime, asked_precision: str) -> dict[str, Any]:
    """Return what could change the bits of a run."""
    torch = load_torch()
    device = torch.cuda.get_device_name(runtime.device) if runtime.device.startswith("cuda") else "cpu"
    return {
        "python": platform.python_version(),
        "torch": torch.__version__,
        "platform": platform.platform(),
        "device": device,
        "cpu": _processor(),
        "capability": torch.backends.cpu.get_cpu_capability(),
        "threads": runtime.threads,
        "deterministic": runtime.deterministic,
        "precision": runtime.precision(asked_precision),
    }


def git_state() -> dict[str, Any]:
    """Return the commit the package runs from and whether it is unchanged; None outside a checkout."""
    folder = Path(replicate.__file__).parent
    git = shutil.which("git")
    if git is None or not (folder.parent / ".git").exists():
        return {"git_commit": None, "git_clean": None}

    def ask(*words: str) -> str:
        command = [git, "-C", str(folder.parent), *words]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()  # noqa: S603

    clean = not ask("status", "--porcelain", "--", str(folder))
    return {"git_commit": ask("rev-parse", "HEAD") or None, "git_clean": clean}


def _processor() -> str:
    """Return the processor's name."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.is_file() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, "") or platform.processor() or platform.machine()
