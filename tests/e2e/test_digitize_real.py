"""Published figures, as they came: each series is good by the project's yardstick."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from replicate.digitizer.pipeline import digitize_file

pytestmark = pytest.mark.usefixtures("ocr_engine")
SCORING = Path(__file__).parents[1] / "bench" / "scoring.py"


@pytest.fixture(scope="module")
def scoring() -> ModuleType:
    """The benchmark's scoring."""
    spec = importlib.util.spec_from_file_location("scoring", SCORING)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["scoring"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "slug", ["rwkv_small_init_emb", "mngpt_valloss_every10", "llama2_training_ppl", "rasbt_ch05_twin_xaxis"]
)
def test_a_published_figure_is_read_without_help(
    real_figures: Path, scoring: ModuleType, tmp_path: Path, slug: str
) -> None:
    folder = real_figures / slug
    if not folder.is_dir():
        pytest.skip(f"{slug} is not at hand")
    digitize_file(folder / "figure.png").write(tmp_path)
    score = scoring.score_case(folder, tmp_path)
    assert {name: s.good for name, s in score.series.items()} == dict.fromkeys(score.series, True)
    assert score.hands_off
    assert score.confidence is not None
    assert score.confidence >= 0.6  # the smallest is 187 pixels high, which is doubted a little
