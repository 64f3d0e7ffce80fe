"""YAML files that remember where everything stands, so that an error can name the line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from replicate.errors import InputError


@dataclass(frozen=True)
class Document:
    """A parsed file: its path, its data, and the nodes that know their lines."""

    path: Path
    data: Any
    root: yaml.Node

    def line(self, place: Sequence[str | int]) -> int:
        """Return the line (from 1) of the deepest part of a place that the file holds."""
        node, line = self.root, self.root.start_mark.line
        for step in place:
            found = _child(node, step)
            if found is None:
                continue  # a name that the validator put in between, such as that of a union's member
            node, line = found
        return line + 1

    def error(self, place: Sequence[str | int], message: str, remedy: str) -> InputError:
        """Return an error that names the file, the line and the key."""
        key = ".".join(str(step) for step in place if not str(step).endswith("]"))
        where = f"{self.path}, line {self.line(place)}"
        return InputError(f"{where}: {key}: {message}" if key else f"{where}: {message}", remedy)


def _child(node: yaml.Node, step: str | int) -> tuple[yaml.Node, int] | None:
    """Return what a key or an index leads to, and the line it stands on."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == str(step):
                return value, key.start_mark.line
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step], node.value[step].start_mark.line
    return None


def read(path: Path) -> Document:
    """Parse a YAML file.

    Raises:
        InputError: The file cannot be read, is not YAML, is empty, or holds a key twice.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise InputError(f"cannot read {path}: {reason}", "give a figure sheet (YAML)") from error
    loader = yaml.SafeLoader(text)
    try:
        root = loader.get_single_node()
        if root is None:
            raise InputError(f"{path} is empty", "see the sheets in figures/ for an example")
        _refuse_twins(path, root)
        return Document(path, loader.construct_document(root), root)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise InputError(f"{path}, line {line}: {error.problem}", "correct the YAML") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise InputError(f"{path} is not YAML: {error}", "correct the YAML") from error
    finally:
        loader.dispose()


def _refuse_twins(path: Path, root: yaml.Node) -> None:
    """Raise where a mapping holds a key twice: YAML would silently keep the last."""
    waiting, done = [root], set()
    while waiting:
        node = waiting.pop()
        if id(node) in done:  # an alias leads back to a node
            raise InputError(f"{path}, line {node.start_mark.line + 1}: an alias", "write the value out")
        done.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            waiting += node.value
        elif isinstance(node, yaml.MappingNode):
            keys = [str(key.value) for key, _ in node.value]
            for i, (key, value) in enumerate(node.value):
                if key.value in keys[:i]:
                    line = key.start_mark.line + 1
                    raise InputError(
                        f"{path}, line {line}: {key.value}: the key stands there twice", "keep one"
                    )
                waiting.append(value)
