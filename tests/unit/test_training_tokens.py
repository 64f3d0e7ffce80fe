"""Text to tokens."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from replicate.errors import InputError
from replicate.experiments.config import Data
from replicate.training import tokens


def test_the_encoding_is_gpt2s() -> None:
    assert tokens.encode("Hello world, it's 2024!\n").tolist() == [15496, 995, 11, 340, 338, 48609, 0, 198]
    assert tokens.encode("naïve 日本").tolist() == [2616, 38776, 10545, 245, 98, 17312, 105]


def test_every_sixteenth_block_is_held_out() -> None:
    blocks = np.repeat(np.arange(40), tokens.BLOCK).astype(np.uint16)
    train, val = tokens.split(blocks)
    assert np.unique(val).tolist() == [8, 24]
    assert len(train) + len(val) == len(blocks)


def test_the_most_frequent_tokens_are_kept_and_the_rest_is_one() -> None:
    counts = np.array([5, 0, 9, 5, 1])
    assert tokens.frequent(counts, 4).tolist() == [1, 3, 0, 2, 3]


def test_entropy_in_nats() -> None:
    assert tokens.entropy(np.array([2, 2, 0, 2, 2])) == pytest.approx(math.log(4))
    assert tokens.entropy(np.array([7])) == 0.0


def test_a_text_file_is_tokenised_once(tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("One fish two fish red fish blue fish. " * 3000)
    data = Data(str(text), vocabulary=8)
    found = tokens.prepare(data, tmp_path / "cache")
    train = found.open("train")
    assert isinstance(train, np.memmap) and train.dtype == np.uint16
    assert int(train.max()) == 7 and np.bincount(train)[0] == np.bincount(train).max()
    assert found.tokens == len(train) + len(found.open("val")) > 20_000
    times = {p: p.stat().st_mtime_ns for p in found.folder.iterdir()}
    assert tokens.prepare(data, tmp_path / "cache") == found
    assert times == {p: p.stat().st_mtime_ns for p in found.folder.iterdir()}
    text.write_text("Another text. " * 9000)
    assert tokens.prepare(data, tmp_path / "cache").folder != found.folder


def test_batches_depend_on_seed_and_step_alone() -> None:
    text = np.arange(1000, dtype=np.uint16)
    one = tokens.batch(text, 3, 8, seed=1, step=5)
    assert one.shape == (3, 9) and one.dtype == np.int64
    assert np.array_equal(one, tokens.batch(text, 3, 8, seed=1, step=5))
    assert not np.array_equal(one, tokens.batch(text, 3, 8, seed=2, step=5))
    assert not np.array_equal(one, tokens.batch(text, 3, 8, seed=1, step=6))
    assert (np.diff(one) == 1).all()


def test_held_out_sequences_span_the_text() -> None:
    found = tokens.held_out(np.arange(100, dtype=np.uint16), 3, 9)
    assert found[:, 0].tolist() == [0, 45, 90] and found[-1, -1] == 99


def test_the_bible_is_the_expected_one(tmp_path: Path) -> None:
    found = tokens.prepare(Data("bible", vocabulary=512, limit=100_000), tmp_path)
    assert found.data.sha256 == "2afc4f050e472854fddf72685f438f620adc5c0b44c30b002c6e49a04257cc48"
    assert found.unigram_entropy == pytest.approx(4.781208371101938, rel=1e-12)
    assert found.tokens == 25529


def test_a_changed_package_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(tokens.HASHES, "kjv.jsonl", "0" * 64)
    with pytest.raises(InputError, match=r"kjv\.jsonl is not the file.*--force-reinstall"):
        tokens.prepare(Data("bible", vocabulary=512), tmp_path)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("missing.txt", "cannot read the text missing.txt"),
        ("", "no text of its own; give a file or folder with --data"),
        ("hf:fineweb", "cannot read hf:fineweb"),
    ],
)
def test_a_text_that_cannot_be_read_is_named(name: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=words):
        tokens.prepare(Data(name, vocabulary=512), tmp_path)


def test_lines_of_json_and_folders_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(
        json.dumps({"text": "alpha " * 4000}) + "\n" + json.dumps({"text": "beta"})
    )
    one = tokens.prepare(Data(str(tmp_path / "a.jsonl"), vocabulary=4), tmp_path / "cache")
    assert one.tokens > 4000
    (tmp_path / "b.jsonl").write_text('{"words": 1}')
    with pytest.raises(InputError, match="b.jsonl"):
        tokens.prepare(Data(str(tmp_path / "b.jsonl"), vocabulary=4), tmp_path / "cache")
    (tmp_path / "texts").mkdir()
    with pytest.raises(InputError, match="holds no text"):
        tokens.prepare(Data(str(tmp_path / "texts"), vocabulary=4), tmp_path / "cache")


def test_a_text_shorter_than_the_context_is_refused(tmp_path: Path) -> None:
    (tmp_path / "short.txt").write_text("in the beginning " * 7000)
    found = tokens.prepare(Data(str(tmp_path / "short.txt"), vocabulary=4), tmp_path / "cache")
    with pytest.raises(InputError, match="too few for a context of 4096"):
        tokens.check_length(found, 4096)
    tokens.check_length(found, 64)
