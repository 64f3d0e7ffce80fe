"""Axes whose labels between the decades say a single digit."""

from replicate.digitizer.axes import fit_axis
from replicate.digitizer.decades import with_decades
from replicate.digitizer.model import AxisEvidence, Box, TickLabel
from replicate.digitizer.ticklabels import parse


def evidence(texts: str, pixels: list[float]) -> AxisEvidence:
    """Return an axis with these labels."""
    labels = tuple(
        TickLabel(t, p, Box(p - 2, 0, p + 2, 4), parse(t)) for t, p in zip(texts.split(), pixels, strict=True)
    )
    return AxisEvidence("x", (min(pixels), max(pixels)), labels, ())


def values(texts: str, *, backwards: bool = False) -> list[float]:
    """Return what the labels mean, in their order."""
    pixels = [10.0 * i for i in range(len(texts.split()))]
    return [
        x.readings[0].value
        for x in with_decades(evidence(texts, pixels[::-1] if backwards else pixels)).labels
    ]


def test_digits_follow_their_decade() -> None:
    assert values("1 2 5 10 2 5 100") == [1, 2, 5, 10, 20, 50, 100]
    assert values("5 0.1 2 5 1 2", backwards=True) == [0.05, 0.1, 0.2, 0.5, 1, 2]


def test_what_already_ascends_or_never_would_is_left() -> None:
    assert values("1 2 3 4 5 10") == [1, 2, 3, 4, 5, 10]
    assert values("10 9 8 1") == [10, 9, 8, 1]
    assert values("10 3 2 100") == [10, 3, 2, 100]
    assert values("10 25 5 100") == [10, 25, 5, 100]


def test_the_axis_is_logarithmic() -> None:
    """Ticks of 1, 2, 5, 10, 20, 50, 100 on two decades of 100 pixels each."""
    fit = fit_axis(evidence("1 2 5 10 2 5 100", [0, 30.103, 69.897, 100, 130.103, 169.897, 200]))
    assert fit is not None
    assert fit.scale == "log"
    assert abs(float(fit.to_value(130.103)) - 20) < 0.01
