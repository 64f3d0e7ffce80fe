"""The rerun command from end to end, at the smallest scale."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from replicate.cli import run
from replicate.curves import Run, read_curves

REPLICATE = [sys.executable, "-m", "replicate"]
ONE = ["rerun", "--scale", "smoke", "--experiment", "small_init_emb", "--arms", "baseline", "--seeds", "1"]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both experiments, run once."""
    out = tmp_path_factory.mktemp("runs")
    for experiment in ("small_init_emb", "svd_init"):
        assert (
            run(["rerun", "--experiment", experiment, "--scale", "smoke", "--out", str(out), "--quiet"]) == 0
        )
    return out


@pytest.mark.parametrize(
    ("experiment", "figure", "arms"),
    [
        ("small_init_emb", "fig2", ["baseline", "small_init_emb"]),
        ("svd_init", "fig1", ["svd_ln", "svd_no_ln", "random_init"]),
    ],
)
def test_curves_and_record_hold_every_run(runs: Path, experiment: str, figure: str, arms: list[str]) -> None:
    record = json.loads((runs / experiment / "record.json").read_text())
    assert record["schema"] == "replicate.rerun/1" and record["complete"]
    assert (record["experiment"], record["figure"], record["scale"]) == (experiment, figure, "smoke")
    assert [a["arm"] for a in record["arms"]] == arms and not any(a["diverged"] for a in record["arms"])
    expected = {Run(a, s, split) for a in arms for s in (0, 1) for split in ("train", "val")}
    table = read_curves(runs / experiment / "curves.csv")
    assert {c.run for c in table.curves} == expected
    names = {a["arm"]: a["series"] for a in record["arms"]}
    steps = record["facts"]["steps"]
    for curve in table.curves:
        assert curve.run is not None and curve.name == names[curve.run.arm] and curve.panel == 0
        assert curve.x[0] == 0 and curve.x[-1] == (steps if curve.run.split == "val" else steps - 1)
    assert record["facts"]["vocabulary"] == 512 and record["data"]["name"] == "bible"
    assert record["environment"]["threads"] == 1 and record["environment"]["precision"] == "fp32"
    assert len(record["cells"]) == 2 * len(arms)


def test_the_loss_of_svd_init_is_summed_over_a_sequence(runs: Path) -> None:
    record = json.loads((runs / "svd_init" / "record.json").read_text())
    assert record["facts"]["tokens_per_y"] == 32 and "summed over the 32 tokens" in record["y"]
    (cell,) = (c for c in record["cells"] if (c["arm"], c["seed"]) == ("random_init", 1))
    curve = (
        read_curves(runs / "svd_init" / "curves.csv").select(arm="random_init", seed=1, split="val").curves[0]
    )
    assert curve.y[-1] == cell["val"] == 32 * cell["val_per_token"]


def test_the_teacher_is_the_baseline_that_was_run(runs: Path) -> None:
    assert not (runs / ".cache" / "teachers").exists()
    cell = json.loads((runs / "svd_init" / "svd_ln" / "seed0" / "cell.json").read_text())
    assert cell["teacher"] == "../../../small_init_emb/baseline/seed0"


def test_what_has_finished_is_not_run_again(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = runs / "small_init_emb"
    before = {p: p.stat().st_mtime_ns for p in home.glob("*/*/*")}
    table = (home / "curves.csv").read_bytes()
    command = ["rerun", "--experiment", "small_init_emb", "--scale", "smoke", "--out", str(runs), "--json"]
    assert run(command) == 0
    said = capsys.readouterr()
    assert "4 of 4 runs are there already" in said.err
    assert json.loads(said.out)["complete"]
    assert before == {p: p.stat().st_mtime_ns for p in home.glob("*/*/*")}
    assert (home / "curves.csv").read_bytes() == table


def test_another_configuration_is_refused_until_fresh(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [*ONE, "--out", str(tmp_path), "--quiet"]
    assert run(command) == 0
    assert run([*command, "--lr", "1e-3"]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1 and "optimizer.rate: 0.002, now 0.001" in said[0] and "--fresh" in said[0]
    assert run([*command, "--lr", "1e-3", "--fresh"]) == 0
    record = json.loads((tmp_path / "small_init_emb" / "record.json").read_text())
    assert record["rates"] == [0.001] and record["configuration"]["task"]["optimizer"]["rate"] == 0.001


def test_a_run_that_diverges_is_marked_and_the_others_go_on(tmp_path: Path) -> None:
    assert run([*ONE, "--lr", "2e-3,1e30", "--out", str(tmp_path), "--quiet"]) == 0
    record = json.loads((tmp_path / "small_init_emb" / "record.json").read_text())
    assert {a["arm"]: a["diverged"] for a in record["arms"]} == {"baseline": [], "baseline@lr=1e+30": [0]}
    curves = read_curves(tmp_path / "small_init_emb" / "curves.csv").select(split="train")
    lengths = {c.run.arm: len(c) for c in curves.curves if c.run}
    assert lengths["baseline"] == 40 > lengths["baseline@lr=1e+30"] > 0


def lines(home: Path) -> int:
    """Return the number of lines in the logs of all runs."""
    return sum(p.read_bytes().count(b"\n") for p in home.glob("*/*/log.csv"))


def wait_for_lines(home: Path, more: int) -> None:
    """Wait until the logs of all runs have grown by some lines."""
    start, deadline = lines(home), time.monotonic() + 120
    while lines(home) < start + more:
        assert time.monotonic() < deadline, f"no run goes on in {home}"
        time.sleep(0.005)


@pytest.mark.slow
def test_killed_again_and_again_the_runs_end_as_undisturbed_ones(runs: Path, tmp_path: Path) -> None:
    command = [*REPLICATE, "rerun", "--experiment", "small_init_emb", "--scale", "smoke", "--quiet"]
    command += ["--checkpoint-seconds", "0.05", "--out", str(tmp_path)]
    home, luck = tmp_path / "small_init_emb", random.Random(0)  # noqa: S311
    for _ in range(3):
        process = subprocess.Popen(command, start_new_session=True)
        wait_for_lines(home, luck.randint(3, 25))
        time.sleep(luck.random() * 0.05)
        os.killpg(process.pid, signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    assert lines(home) < 4 * 42
    assert subprocess.run(command, check=False).returncode == 0
    ends = sorted(
        p.relative_to(home) for name in ("log.csv", "weights.safetensors") for p in home.glob(f"*/*/{name}")
    )
    assert len(ends) == 8
    for end in (*ends, "curves.csv"):
        assert (home / end).read_bytes() == (runs / "small_init_emb" / end).read_bytes(), end


def test_an_interrupt_keeps_what_was_done_and_ends_with_130(tmp_path: Path) -> None:
    command = [*REPLICATE, *ONE, "--out", str(tmp_path)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    wait_for_lines(tmp_path / "small_init_emb", 4)
    log = tmp_path / "small_init_emb" / "baseline" / "seed0" / "log.csv"
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.splitlines()[-1] == "replicate: interrupted; what was finished is kept"
    cell = json.loads((log.parent / "cell.json").read_text())
    assert cell["status"] == "interrupted" and cell["steps"] >= 3
    record = json.loads((tmp_path / "small_init_emb" / "record.json").read_text())
    assert not record["complete"]


def test_a_disk_that_fills_ends_with_5_and_leaves_the_run_to_go_on(tmp_path: Path) -> None:
    command = [*REPLICATE, *ONE, "--out", str(tmp_path), "--checkpoint-seconds", "0"]
    limited = ["bash", "-c", 'ulimit -f 250 && exec "$@"', "bash", *command]  # KiB; a checkpoint is larger
    process = subprocess.run(limited, capture_output=True, text=True, check=False)
    assert process.returncode == 5
    line = process.stderr.splitlines()[-1]
    assert line.startswith("replicate: cannot write ") and "checkpoint-" in line and "--out" in line
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize(
    ("words", "code", "line"),
    [
        (["--experiment", "other"], 2, "unknown experiment 'other'; there are: small_init_emb, svd_init"),
        (["--experiment", "svd_init", "--arms", "x"], 2, "svd_init has no arm 'x'; there are: svd_ln, "),
        (
            ["--experiment", "svd_init", "--scale", "huge"],
            2,
            "svd_init has no scale 'huge'; there are: smoke,",
        ),
        (
            ["--experiment", "svd_init", "--device", "tpu"],
            2,
            "unknown device 'tpu'; there are: auto, cpu, cuda",
        ),
        (["--experiment", "svd_init", "--lr", "fast"], 2, "--lr fast: could not convert string"),
        (["--experiment", "svd_init", "--seeds", "0"], 2, "--seeds 0 asks for no run"),
        (["--experiment", "small_init_emb", "--scale", "paper"], 2, "this scale has no text of its own"),
        ([], 2, "no experiment is named; give --experiment small_init_emb or"),
    ],
)
def test_bad_usage_is_one_line(
    words: list[str], code: int, line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rerun", *words, "--out", str(tmp_path / "runs")]) == code
    said = capsys.readouterr()
    assert len(said.err.splitlines()) == 1 and said.err.startswith(f"replicate: {line}")
    assert said.out == "" and not (tmp_path / "runs").exists()


def test_a_gpu_that_is_not_there_is_a_missing_component(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    assert run([*ONE, "--device", "cuda", "--out", str(tmp_path)]) == 4
    assert capsys.readouterr().err.startswith("replicate: no CUDA device is to be seen by PyTorch")


def test_without_pytorch_the_command_that_brings_it_is_named(tmp_path: Path) -> None:
    block = (
        "import sys; sys.modules['torch'] = None; from replicate.cli import run; sys.exit(run(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", block, *ONE, "--out", str(tmp_path)]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    assert process.returncode == 4
    assert process.stderr == 'replicate: PyTorch is not installed; pip install "replicate[train]"\n'


def test_help_and_lists_load_no_pytorch() -> None:
    block = (
        "import sys; from replicate.cli import run;"
        "[run(w) for w in (['rerun', '--help'], ['rerun', '--list'],"
        " ['rerun', '--experiment', 'svd_init', '--show'])];"
        "sys.exit('torch' in sys.modules)"
    )
    process = subprocess.run([sys.executable, "-c", block], capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    assert "small_init_emb: scales smoke, quick, local, paper; arms baseline (published)" in process.stdout
    assert '"name": "svd_init"' in process.stdout


def test_two_reruns_do_not_share_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import fcntl

    lock = tmp_path / "small_init_emb" / ".lock"
    lock.parent.mkdir()
    with lock.open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        assert run([*ONE, "--out", str(tmp_path)]) == 2
    assert "another rerun is writing to" in capsys.readouterr().err
