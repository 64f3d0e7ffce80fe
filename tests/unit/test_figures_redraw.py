"""The redrawn figures: the same bytes each time, and the numbers behind figure 1 hold to its description."""

import importlib
import re
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest

from replicate.curves import Curve, CurveSet, read_curves

ROOT = Path(__file__).parents[2]
FIGURES = ROOT / "figures"
SOURCES = sorted(FIGURES.glob("*.source.csv"))


sys.path.insert(0, str(FIGURES))  # scripts, not part of the package
redraw, describe = (importlib.import_module(name) for name in ("redraw", "describe_fig1"))


def pinned() -> dict[str, str]:
    """Return the versions in constraints.txt."""
    text = (ROOT / "constraints.txt").read_text()
    return dict(re.findall(r"^([\w.-]+)==([^\s;]+)", text, re.MULTILINE))


@pytest.mark.parametrize("name", ["fig1", "fig2"])
def test_the_same_curves_give_the_same_bytes(name: str) -> None:
    order = redraw.FIG1_ORDER if name == "fig1" else redraw.FIG2_ORDER
    curves = CurveSet(tuple(Curve.from_points(n, [0, 50], [9 + i, 4 + i]) for i, n in enumerate(order)))
    first = redraw.render(name, curves)
    assert first.startswith(b"\x89PNG")
    assert redraw.render(name, curves) == first
    assert not re.search(rb"tEXt|iTXt|tIME", first)


@pytest.mark.parametrize("source", SOURCES, ids=lambda p: p.name)
def test_the_committed_picture_is_drawn_from_the_committed_numbers(source: Path) -> None:
    wanted = {name: pinned()[name] for name in ("matplotlib", "pillow")}
    found = {name: version(name) for name in wanted}
    if found != wanted:
        pytest.skip(f"the pictures were drawn with {wanted}, here is {found}")
    name = source.name.removesuffix(".source.csv")
    assert redraw.render(name, read_curves(source)) == (FIGURES / f"{name}.png").read_bytes()


def test_figure_1_source_is_what_the_description_gives() -> None:
    written = read_curves(FIGURES / "fig1.source.csv")
    for description in describe.CURVES:
        np.testing.assert_allclose(written[description.name].y, describe.build(description).y, rtol=1e-5)


def test_figure_1_holds_to_its_description() -> None:
    curves = read_curves(FIGURES / "fig1.source.csv")
    blue, orange, green = (curves[name] for name in redraw.FIG1_ORDER)
    assert np.all(blue.y < orange.y) and np.all(orange.y < green.y)
    assert [c.y_at(0).value for c in (blue, orange, green)] == [9549.93, 10000.0, 10471.3]
    assert blue.y_at(2_500).value == pytest.approx(100, rel=0.05)
    assert [c.y_at(17_500).value for c in (blue, orange, green)] == [10.0, 13.1826, 100.0]
    rough = [np.std(np.diff(np.log10(c.y), 2)) for c in (blue, orange, green)]
    assert rough[2] == min(rough) and rough[1] == max(rough)
