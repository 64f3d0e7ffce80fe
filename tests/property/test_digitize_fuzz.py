"""Whatever bytes come in, a picture comes out or an InputError that names the file."""

from __future__ import annotations

import io

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from replicate.digitizer.raster import decode
from replicate.errors import InputError


def sample(kind: str) -> bytes:
    """Return a small valid file of a kind."""
    pixels = np.random.default_rng(0).integers(0, 256, (40, 48, 3), dtype=np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, kind)
    return buffer.getvalue()


FILES = {kind: sample(kind) for kind in ("PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP")}
FUZZ = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=150)


def check(data: bytes) -> None:
    """Decode bytes: an opaque picture or one line of refusal, nothing else."""
    try:
        picture = decode(data, "fuzz.png", max_megapixels=4)
    except InputError as error:
        assert str(error).startswith("fuzz.png ")  # noqa: PT017
        assert "\n" not in str(error)  # noqa: PT017
    else:
        assert picture.image.dtype == np.uint8
        assert picture.image.shape == (picture.height, picture.width, 3)
        assert picture.width * picture.height <= 4e6


@given(st.binary(max_size=200))
@FUZZ
def test_random_bytes(data: bytes) -> None:
    check(data)


@given(st.sampled_from(sorted(FILES)), st.binary(max_size=80))
@FUZZ
def test_a_right_beginning_and_a_random_rest(kind: str, rest: bytes) -> None:
    check(FILES[kind][:24] + rest)


@given(st.sampled_from(sorted(FILES)), st.floats(0, 1))
@FUZZ
def test_a_file_cut_anywhere(kind: str, share: float) -> None:
    data = FILES[kind]
    check(data[: int(share * len(data))])


@given(
    st.sampled_from(sorted(FILES)),
    st.lists(st.tuples(st.integers(0, 120), st.integers(0, 255)), min_size=1, max_size=6),
)
@FUZZ
def test_bytes_of_the_header_changed(kind: str, changes: list[tuple[int, int]]) -> None:
    data = bytearray(FILES[kind])
    for place, value in changes:
        data[place % len(data)] = value
    check(bytes(data))


@given(
    st.sampled_from(sorted(FILES)),
    st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), min_size=1, max_size=12),
)
@FUZZ
def test_bytes_anywhere_changed(kind: str, changes: list[tuple[float, int]]) -> None:
    data = bytearray(FILES[kind])
    for place, value in changes:
        data[int(place * len(data))] = value
    check(bytes(data))
