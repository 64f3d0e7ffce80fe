"""--debug: a numbered picture of every stage, and the same numbers as without."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from drawing import Drawing

from replicate.cli import run
from replicate.digitizer.debug import Stages
from replicate.digitizer.pipeline import digitize_bytes

pytestmark = pytest.mark.usefixtures("ocr_engine")

NAMES = [
    "01-lines",
    "02-panels",
    "03-text",
    "04-axes",
    "05-ground",
    "06-legend",
    "07-ink-0",
    "07-ink-1",
    "08-traces",
]
BLUE, ORANGE = (31, 119, 180), (255, 127, 14)  # matplotlib's first colours


@pytest.fixture(scope="module")
def chart(draw: Callable[..., Drawing], decay: Any) -> Drawing:
    """A figure of two curves."""
    return draw({"Baseline": decay(9, 2, 4, 5000), "Ours": decay(7, 1.5, 6, 5000)}, linewidth=3)


def seen(path: Path) -> np.ndarray:
    """Return a picture, (height, width, 3) uint8 RGB."""
    return np.asarray(cv2.imread(str(path)))[..., ::-1]


def is_colour(image: np.ndarray, colour: tuple[int, int, int]) -> np.ndarray:
    """Return where a picture has a colour."""
    return np.asarray(np.abs(image.astype(int) - colour).max(axis=2) <= 3)


@pytest.fixture(scope="module")
def pictures(chart: Drawing, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the figure's stages."""
    folder = tmp_path_factory.mktemp("stages")
    (folder / "a.png").write_bytes(chart.png)
    words = ["digitize", str(folder / "a.png"), "--out", str(folder / "out"), "--debug", str(folder / "seen")]
    assert run(words) == 0
    return folder / "seen"


def test_every_stage_has_a_picture_of_the_figures_size(pictures: Path, chart: Drawing) -> None:
    assert sorted(p.name for p in pictures.iterdir()) == [f"{name}.png" for name in NAMES]
    assert {seen(p).shape for p in pictures.iterdir()} == {chart.image.shape}


def test_the_ground_has_no_curve_left(pictures: Path, chart: Drawing) -> None:
    inside = (slice(10, 325), slice(30, 470))
    assert is_colour(chart.image, BLUE)[inside].sum() > 200
    ground = seen(pictures / "05-ground.png")[inside]
    assert not is_colour(ground, BLUE).any()
    assert not is_colour(ground, ORANGE).any()


def test_each_ink_is_one_curve_alone(pictures: Path) -> None:
    first, second = (seen(pictures / f"07-ink-{k}.png") for k in (0, 1))
    assert is_colour(first, BLUE).sum() > 200
    assert is_colour(second, ORANGE).sum() > 200
    assert not is_colour(first, ORANGE).any()
    assert not is_colour(second, BLUE).any()


def test_the_frame_is_marked_as_a_panel(pictures: Path, chart: Drawing) -> None:
    marked = seen(pictures / "02-panels.png")[..., 1] < 150  # the faded figure has no dark green channel
    rows, columns = marked.mean(axis=1), marked.mean(axis=0)
    ends = [round(v) for v in (*chart.y.ends, *chart.x.ends)]
    assert all(rows[e - 1 : e + 2].max() > 0.5 for e in ends[:2])
    assert all(columns[e - 1 : e + 2].max() > 0.5 for e in ends[2:])


def test_several_figures_have_a_folder_each(chart: Drawing, tmp_path: Path) -> None:
    for name in ("a.png", "b.png"):
        (tmp_path / name).write_bytes(chart.png)
    assert (
        run(["digitize", str(tmp_path), "--out", str(tmp_path / "out"), "--debug", str(tmp_path / "seen")])
        == 0
    )
    assert sorted(str(p.relative_to(tmp_path / "seen")) for p in (tmp_path / "seen").glob("*/01*")) == [
        "a/01-lines.png",
        "b/01-lines.png",
    ]


def test_being_watched_changes_no_number(chart: Drawing) -> None:
    watched: list[Stages] = []
    alone = digitize_bytes(chart.png, "a.png")
    observed = digitize_bytes(chart.png, "a.png", observe=watched.append)
    for name in ("Baseline", "Ours"):
        assert np.array_equal(alone.curves[name].y, observed.curves[name].y)
    (stages,) = watched
    assert np.array_equal(stages.image, chart.image)
    assert [s.name for s in stages.panels[0].reading.series] == ["Baseline", "Ours"]
