"""One run: what it logs, how it resumes, and how it diverges."""

from __future__ import annotations

import csv
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from replicate.errors import InputError
from replicate.experiments.config import Data, Evaluation, Latent, Model, Optimizer, Task
from replicate.training import tokens
from replicate.training.cell import WEIGHTS, check_log, is_whole, prepare_cell, read_cell, run_cell
from replicate.training.runtime import Runtime

MODEL = Model(vocabulary=32, width=16, layers=1, heads=2, context=8, hidden=16)
ONCE = Runtime(checkpoint_seconds=math.inf)


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> tokens.TokenFile:
    folder = tmp_path_factory.mktemp("text")
    (folder / "text.txt").write_text("A man, a plan, a canal: Panama! " * 5000)
    return tokens.prepare(Data(str(folder / "text.txt"), vocabulary=32), folder)


@pytest.fixture
def task(text: tokens.TokenFile) -> Task:
    evaluation = Evaluation(sequences=4, spacing=((4, 2), (12, 4)))
    return Task(MODEL, Optimizer(3e-3), text.data, steps=12, batch=4, evaluation=evaluation)


def start(folder: Path, task: Task, text: tokens.TokenFile, teacher: Any = None) -> Path:
    prepare_cell(folder, task, text.folder, {"arm": "arm"}, teacher)
    return folder


def run(folder: Path, runtime: Runtime = ONCE, until: int | None = None) -> str:
    steps: list[int] = []
    cell = run_cell(folder, runtime, lambda p: steps.append(p.step), pytest.fail, lambda: steps[-1] == until)
    return cell.status


def test_a_run_learns_and_logs_every_step(tmp_path: Path, task: Task, text: tokens.TokenFile) -> None:
    assert run(start(tmp_path / "a", task, text)) == "finished"
    with (tmp_path / "a" / "log.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert [int(r["step"]) for r in rows] == list(range(13))
    assert [int(r["step"]) for r in rows if r["val"]] == [0, 2, 4, 8, 12]
    assert float(rows[0]["val"]) == pytest.approx(math.log(32), abs=0.1)
    assert float(rows[-1]["val"]) < float(rows[0]["val"]) - 0.1
    assert rows[-1]["train"] == ""
    cell = read_cell(tmp_path / "a")
    assert cell is not None and cell.content["val"] == float(rows[-1]["val"])
    assert cell.content["parameters"] == 2912


def outputs(folder: Path) -> tuple[bytes, bytes]:
    return (folder / "log.csv").read_bytes(), (folder / WEIGHTS).read_bytes()


@pytest.mark.parametrize("cut", [1, 5, 11])
def test_an_interrupted_run_ends_as_an_undisturbed_one(
    tmp_path: Path, task: Task, text: tokens.TokenFile, cut: int
) -> None:
    run(start(tmp_path / "whole", task, text))
    halves = start(tmp_path / "halves", task, text)
    assert run(halves, until=cut) == "interrupted"
    assert not (halves / WEIGHTS).exists()
    assert run(halves) == "finished"
    assert outputs(halves) == outputs(tmp_path / "whole")


def test_a_run_cut_after_its_checkpoint_goes_back_to_it(
    tmp_path: Path, task: Task, text: tokens.TokenFile
) -> None:
    run(start(tmp_path / "whole", task, text))
    cut = start(tmp_path / "cut", task, text)
    run(cut, until=6)
    with (cut / "log.csv").open("a") as stream:
        stream.write("6,1.0,,0.1,1.0\n7,1")
    assert run(cut) == "finished"
    assert outputs(cut) == outputs(tmp_path / "whole")


def test_a_finished_run_is_left_alone(tmp_path: Path, task: Task, text: tokens.TokenFile) -> None:
    folder = start(tmp_path / "a", task, text)
    run(folder)
    times = {p: p.stat().st_mtime_ns for p in folder.iterdir()}
    assert run(folder) == "finished"
    assert times == {p: p.stat().st_mtime_ns for p in folder.iterdir()}
    assert {p.name for p in times} == {"cell.json", "log.csv", WEIGHTS}


def test_seeds_change_the_run_and_the_same_seed_does_not(
    tmp_path: Path, task: Task, text: tokens.TokenFile
) -> None:
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        run(start(tmp_path / name, replace(task, seed=seed), text))
    assert outputs(tmp_path / "a") == outputs(tmp_path / "b")
    assert outputs(tmp_path / "a")[0] != outputs(tmp_path / "c")[0]


def test_a_loss_that_is_not_finite_ends_the_run(tmp_path: Path, task: Task, text: tokens.TokenFile) -> None:
    wild = replace(task, optimizer=replace(task.optimizer, rate=1e30))
    folder = start(tmp_path / "a", wild, text)
    assert run(folder) == "diverged"
    assert not (folder / WEIGHTS).exists()
    cell = read_cell(folder)
    assert cell is not None and 0 < cell.content["steps"] < 12


def test_a_student_of_full_rank_starts_at_its_teacher(
    tmp_path: Path, task: Task, text: tokens.TokenFile
) -> None:
    single = replace(task, model=replace(MODEL, heads=1))
    run(start(tmp_path / "teacher", single, text))
    latent = Latent(16, 16, norm=False, init="svd")
    student = replace(single, model=replace(single.model, latent=latent), teacher=single.sha256)
    folder = start(tmp_path / "student", student, text, (tmp_path / "teacher", single.model))
    run(folder)
    first = (folder / "log.csv").read_text().splitlines()[1].split(",")
    assert float(first[1]) == pytest.approx(0, abs=1e-6) and float(first[2]) == pytest.approx(0, abs=1e-6)


def test_a_changed_configuration_is_named(tmp_path: Path, task: Task, text: tokens.TokenFile) -> None:
    folder = start(tmp_path / "a", task, text)
    changed = replace(task, steps=13, optimizer=replace(task.optimizer, rate=1e-3))
    with pytest.raises(InputError) as caught:
        start(folder, changed, text)
    assert "optimizer.rate: 0.003, now 0.001, steps: 12, now 13" in str(caught.value)
    assert "--fresh" in caught.value.remedy
    prepare_cell(folder, changed, text.folder, {}, fresh=True)
    cell = read_cell(folder)
    assert cell is not None and cell.content["configuration"]["steps"] == 13


def test_an_altered_result_is_not_taken(tmp_path: Path, task: Task, text: tokens.TokenFile) -> None:
    folder = start(tmp_path / "a", task, text)
    run(folder)
    cell = read_cell(folder)
    assert cell is not None and is_whole(cell) and check_log(cell) == folder / "log.csv"
    with (folder / WEIGHTS).open("ab") as stream:
        stream.write(b"x")
    with (folder / "log.csv").open("a") as lines:
        lines.write("13,1.0,1.0,,\n")
    assert not is_whole(cell)
    with pytest.raises(InputError, match=r"log\.csv is not what the run wrote; run again with --fresh"):
        check_log(cell)
