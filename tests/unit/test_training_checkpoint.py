"""Checkpoints and logs: whole or not at all, and what is damaged is said."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from replicate.errors import OutputError
from replicate.training import checkpoint, log
from replicate.training.checkpoint import Checkpoint


def put(folder: Path, step: int) -> None:
    tensors = {
        "model.weight": torch.full((3,), float(step)),
        "random.cpu": torch.tensor([1, 2], dtype=torch.uint8),
    }
    checkpoint.save(folder, Checkpoint(step, tensors, {"seconds": 1.5}))


def take(folder: Path) -> tuple[int | None, list[str]]:
    said: list[str] = []
    found = checkpoint.load(folder, lambda state: "", said.append)
    return (found.step if found else None), said


def test_a_checkpoint_comes_back_as_it_was(tmp_path: Path) -> None:
    put(tmp_path, 7)
    found = checkpoint.load(tmp_path, lambda state: "", pytest.fail)
    assert found is not None and found.step == 7 and found.state["seconds"] == 1.5
    assert found.tensors["model.weight"].tolist() == [7.0, 7.0, 7.0]
    assert found.tensors["random.cpu"].dtype == torch.uint8


def test_the_last_two_are_kept(tmp_path: Path) -> None:
    for step in (5, 10, 100):
        put(tmp_path, step)
    names = sorted(p.name for p in tmp_path.iterdir())
    stems = ("checkpoint-00000010", "checkpoint-00000100")
    assert names == [f"{s}.{end}" for s in stems for end in ("json", "safetensors")]
    checkpoint.clear(tmp_path)
    assert not list(tmp_path.iterdir())


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-5])


def alter(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize("damage", [truncate, alter, Path.unlink])
@pytest.mark.parametrize("suffix", [".safetensors", ".json"])
def test_a_damaged_checkpoint_gives_way_to_the_one_before(tmp_path: Path, damage, suffix: str) -> None:  # type: ignore[no-untyped-def]
    put(tmp_path, 5)
    put(tmp_path, 10)
    damage(tmp_path / f"checkpoint-00000010{suffix}")
    step, said = take(tmp_path)
    assert step == 5
    if (suffix, damage) == (".json", Path.unlink):  # without it the checkpoint was never finished
        assert said == []
    else:
        assert len(said) == 1 and "checkpoint-00000010 is damaged" in said[0]
        assert take(tmp_path) == (5, [])


def test_nothing_usable_is_none(tmp_path: Path) -> None:
    assert take(tmp_path) == (None, [])
    put(tmp_path, 5)
    found = checkpoint.load(tmp_path, lambda state: "its log was altered", lambda message: None)
    assert found is None


def test_a_full_disk_leaves_the_one_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, 5)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        with pytest.raises(OutputError, match="No space left on device"):
            put(tmp_path, 10)
    assert take(tmp_path) == (5, [])
    assert len(list(tmp_path.iterdir())) == 2


def test_a_log_is_cut_back_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    with log.Log(path, 0) as lines:
        lines.append(0, 9.5, 9.25, 0.001, 2.0)
        state = lines.sync()
        lines.append(1, 8.5, None, 0.001, 1.0)
    assert log.wrong_with(path, state) == ""
    with log.Log(path, state["log_bytes"]) as lines:
        lines.append(1, 8.0, None, 0.001, float("nan"))
    assert path.read_text() == "step,train,val,rate,gradient_norm\n0,9.5,9.25,0.001,2.0\n1,8.0,,0.001,nan\n"
    found = log.read(path)
    assert found["train"].steps.tolist() == [0, 1] and found["val"].values.tolist() == [9.25]


@pytest.mark.parametrize("content", [None, "step,train\n", "X" * 200])
def test_an_altered_log_is_seen(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "log.csv"
    with log.Log(path, 0) as lines:
        lines.append(0, 9.5, 9.25, 0.001, 2.0)
        state = lines.sync()
    path.unlink() if content is None else path.write_text(content)
    assert log.wrong_with(path, state)


def test_losses_that_are_not_finite_are_no_points(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("step,train,val,rate,gradient_norm\n0,9.5,9.0,0.1,1.0\n1,nan,inf,0.1,nan\n")
    found = log.read(path)
    assert found["train"].values.tolist() == [9.5] and found["val"].steps.tolist() == [0]
