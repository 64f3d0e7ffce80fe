"""The benchmark's scores: against values worked out by hand, and against the project's outside yardstick."""

import importlib
import importlib.util
import json
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))
scoring = importlib.import_module("scoring")
YARDSTICK = Path(__file__).parents[2].parent / "shared" / "score" / "score.py"


def write_case(folder: Path, truth: dict[str, np.ndarray], **case: object) -> None:
    """Write a case whose axes run from 0 to 1 unless told otherwise."""
    folder.mkdir(parents=True)
    base = {"figure": "figure.png", "x_scale": "linear", "y_scale": "linear", "xlim": [0, 1], "ylim": [0, 1]}
    (folder / "case.json").write_text(json.dumps(base | case))
    lines = [f"{n},{float(r[0])!r},{float(r[1])!r},{int(r[2])}" for n, rows in truth.items() for r in rows]
    (folder / "truth.csv").write_text("series,x,y,hidden\n" + "\n".join(lines) + "\n")


def write_result(folder: Path, curves: dict[tuple[int, str], np.ndarray], **record: object) -> None:
    """Write a curve table and its record."""
    folder.mkdir(parents=True)
    lines = [f"{p},{n},{float(r[0])!r},{float(r[1])!r}" for (p, n), rows in curves.items() for r in rows]
    (folder / "figure.csv").write_text("panel,series,x,y\n" + "\n".join(lines) + "\n")
    (folder / "figure.json").write_text(json.dumps(record))


def line(offset: float = 0.0, *, start: float = 0.0, n: int = 101) -> np.ndarray:
    x = np.linspace(start, 1, n)
    return np.column_stack([x, 0.25 + 0.5 * x + offset, np.zeros(n)])


def test_an_offset_curve_has_its_offset_as_error(tmp_path: Path) -> None:
    write_case(tmp_path / "case", {"a": line(n=8001)})
    write_result(tmp_path / "result", {(0, "A "): line(0.02)}, confidence=0.9)
    score = scoring.score_case(tmp_path / "case", tmp_path / "result")
    # the envelope of a slope of 1/2 reaches 1/2 * 1/400 further up
    assert score.series["a"].median == pytest.approx(0.02 - 0.5 / 400, abs=1e-4)
    assert (score.series["a"].coverage, score.series["a"].name_ok) == (1.0, True)
    assert not score.series["a"].good and score.silent_failure


def test_a_right_curve_is_hands_off_and_an_invented_one_is_not(tmp_path: Path) -> None:
    write_case(tmp_path / "case", {"a": line()})
    write_result(tmp_path / "right", {(0, "a"): line(), (0, "a (lower)"): line(-0.1)})
    write_result(tmp_path / "more", {(0, "a"): line(), (0, "b"): line(0.2)})
    assert scoring.score_case(tmp_path / "case", tmp_path / "right").hands_off
    more = scoring.score_case(tmp_path / "case", tmp_path / "more")
    assert (more.hands_off, more.invented, more.silent_failure) == (False, 1, False)


def test_half_a_curve_covers_half(tmp_path: Path) -> None:
    write_case(tmp_path / "case", {"a": line()})
    write_result(tmp_path / "result", {(0, "a"): line(start=0.5)})
    score = scoring.score_case(tmp_path / "case", tmp_path / "result").series["a"]
    assert score.coverage == pytest.approx(0.505, abs=0.003)
    assert score.median == 0.0


def test_no_result_is_no_series(tmp_path: Path) -> None:
    write_case(tmp_path / "case", {"a": line()})
    score = scoring.score_case(tmp_path / "case", tmp_path / "nothing")
    assert (score.found, score.series["a"].coverage, score.hands_off) == (False, 0.0, False)


def test_icpr_6b_by_hand() -> None:
    truth = {"ab": np.array([[0.0, 100.0], [1.0, 101.0]])}
    assert scoring.icpr_6b(truth, truth) == 1.0
    # eps = 0.01; both points are 2 off: recall 1 - mean(2/100.01, 2/101.01), precision by 2/102.01 and 2/103.01
    off = {"ab": np.array([[0.0, 102.0], [1.0, 103.0]])}
    recall = 1 - (2 / 100.01 + 2 / 101.01) / 2
    precision = 1 - (2 / 102.01 + 2 / 103.01) / 2
    s = 2 * recall * precision / (recall + precision)
    assert scoring.icpr_6b(off, truth) == pytest.approx(s)
    # one letter of two differs: nameSim 1/2; cost min(1 - s/2, 1 - s/2)
    assert scoring.icpr_6b({"ax": truth["ab"]}, truth) == pytest.approx(0.5)
    assert scoring.icpr_6b({"ax": truth["ab"]}, truth, names=False) == pytest.approx(1.0)
    # a second series that does not exist: one cost of 1 out of two
    assert scoring.icpr_6b({"ab": truth["ab"], "zz": off["ab"] * 0}, truth) == pytest.approx(0.5)


@pytest.mark.skipif(not YARDSTICK.exists(), reason="the outside yardstick is not here")
@pytest.mark.parametrize("seed", range(40))
def test_scores_equal_those_of_the_outside_yardstick(tmp_path: Path, seed: int) -> None:
    spec = importlib.util.spec_from_file_location("yardstick", YARDSTICK)
    assert spec and spec.loader
    yardstick = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(yardstick)
    rng = np.random.default_rng(seed)
    truth, read, case = random_case(rng)
    write_case(tmp_path / "case", truth, **case)
    boxes = [{"box": [0, 0, 100, 100], "confidence": 0.7}, {"box": [120, 0, 220, 100], "confidence": 0.85}]
    write_result(
        tmp_path / "result",
        read,
        confidence=0.7,
        panels=boxes,
        source={"kind": "svg" if seed % 5 == 0 else "raster"},
    )
    theirs = yardstick.score_case(tmp_path / "case", tmp_path / "result")
    ours = scoring.score_case(tmp_path / "case", tmp_path / "result")
    assert (ours.hands_off, ours.invented, ours.confidence) == (
        theirs["hands_off"],
        theirs["extra"],
        theirs["confidence"],
    )
    for name, other in theirs["series"].items():
        mine = ours.series[name]
        assert (mine.name_ok, mine.good) == (other["name_ok"], other["good"])
        assert [mine.coverage, mine.median, mine.p95] == pytest.approx(
            [other["coverage"], other["median"], other["p95"]], abs=1e-12
        )


def random_case(
    rng: np.random.Generator,
) -> tuple[dict[str, np.ndarray], dict[tuple[int, str], np.ndarray], dict[str, object]]:
    """Return truth, prediction and description of a case: log or reversed axes, hidden parts, noise, gaps."""
    log = bool(rng.random() < 0.4)
    names = ["Baseline", "Small Init", "lr=1e-3", "7B"][: int(rng.integers(1, 5))]
    truth, read = {}, {}
    for i, name in enumerate(names):
        n = int(rng.choice([12, 60, 900]))
        x = np.sort(rng.uniform(0, 1, n))
        u = 0.2 + 0.15 * i + 0.3 / (1 + 5 * x) + rng.normal(0, 0.01, n)
        y = 10 ** (3 * u) if log else u
        hidden = ((x > 0.4) & (x < rng.uniform(0.4, 0.6))).astype(float)
        truth[name] = np.column_stack([x, y, hidden])
        grid = np.linspace(rng.uniform(-0.02, 0.3), rng.uniform(0.7, 1.02), 300)
        grid = grid[(grid < 0.6) | (grid > rng.uniform(0.6, 0.65))]
        value = np.interp(grid, x, y) * (1 + rng.choice([0, 0.001, 0.02]) * rng.normal(size=len(grid)))
        as_name = str(rng.choice([name, name.lower(), name[:-2], "zzz"]))
        if rng.random() < 0.9:
            read[(1, as_name if (1, as_name) not in read else f"{as_name}-{i}")] = np.column_stack(
                [grid, value]
            )
    if rng.random() < 0.3:
        read[(1, "extra")] = np.column_stack([np.linspace(0, rng.uniform(0.02, 1), 50), np.full(50, 0.5)])
        read[(0, "elsewhere")] = np.column_stack([np.linspace(0, 1, 50), np.full(50, 0.5)])
        read[(1, "Baseline (upper)")] = np.column_stack([np.linspace(0, 1, 50), np.full(50, 0.5)])
    case = {
        "y_scale": "log" if log else "linear",
        "ylim": [1, 1000] if log else [0, 1],
        "panel_box": [121, 1, 219, 99],
    }
    case |= {"xlim": [1, 0]} if rng.random() < 0.2 else {}
    case |= {"xlim": None, "ylim": None} if rng.random() < 0.2 else {}
    case |= {"partial_truth": True} if rng.random() < 0.2 else {}
    case |= {"names_unknown": True} if rng.random() < 0.2 else {}
    return truth, read, case
