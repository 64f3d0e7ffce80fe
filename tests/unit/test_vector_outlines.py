"""Text drawn as outlines is gathered to words, level and upwards, and read."""

import io
import re

import matplotlib as mpl
import pytest
from matplotlib.figure import Figure

from replicate.digitizer.vector.lettering import Lettering
from replicate.digitizer.vector.outlines import has_outlined_text, read_outlined
from replicate.digitizer.vector.svg import read_svg


@pytest.fixture(scope="module")
def words() -> dict[str, Lettering]:
    """The texts of a drawing of outlines without the comments that say what they read."""
    figure, out = Figure(figsize=(4, 3)), io.BytesIO()
    figure.text(0.5, 0.5, "depth 1024", fontsize=12)
    figure.text(0.5, 0.3, "4.25", fontsize=12)
    figure.text(0.6, 0.1, "1.3B", fontsize=6)  # its point is smaller than any letter may be
    figure.text(0.1, 0.2, "Training loss", fontsize=12, rotation=90)
    figure.text(0.2, 0.2, "0.75", fontsize=12, rotation=90)
    with mpl.rc_context({"svg.fonttype": "path"}):
        figure.savefig(out, format="svg")
    drawing = read_svg(re.sub(rb"<!--.*?-->", b"", out.getvalue()), "outlines.svg")
    assert drawing.texts == ()
    assert has_outlined_text(drawing)
    return {t.text.text: t for t in read_outlined(drawing)}


def test_words_are_read_level_and_upwards(words: dict[str, Lettering]) -> None:
    assert {text: t.text.vertical for text, t in words.items()} == {
        "depth 1024": False,
        "4.25": False,
        "1.3B": False,
        "Training loss": True,
        "0.75": True,
    }


def test_words_know_where_they_stand_and_that_they_are_not_certain(words: dict[str, Lettering]) -> None:
    """The page is 288 by 216 points; 0.1 and 0.2 of it are 28.8 and 172.8."""
    loss = words["Training loss"]
    assert (loss.angle, loss.certain) == (90, False)
    assert loss.text.box.y1 == pytest.approx(172.8, abs=4)
    assert loss.text.box.x0 == pytest.approx(28.8, abs=12)
    assert loss.text.box.height > 5 * loss.text.box.width
