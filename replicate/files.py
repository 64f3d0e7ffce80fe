"""Writing files whole or not at all, and hashing them."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from replicate.errors import OutputError


def write_atomic(path: Path, content: bytes | str) -> Path:
    """Write a file beside its place and rename it into it, creating the folder where needed.

    Args:
        path: Where the file goes; an existing one is replaced.
        content: Bytes, or text that is written as UTF-8 with its line ends kept.

    Returns:
        The path.

    Raises:
        OutputError: The folder or the file cannot be written; nothing half-written is left.
    """
    data = content.encode() if isinstance(content, str) else content
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except OSError as error:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        reason = error.strerror or str(error)
        raise OutputError(f"cannot write {path}: {reason}", "choose another folder with --out") from error
    return path


def write_json(path: Path, value: Any) -> Path:
    """Write a value as indented JSON with a final newline, atomically; floats keep all their digits."""
    return write_atomic(path, json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file's bytes in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
