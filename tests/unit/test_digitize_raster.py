"""Any picture file becomes 8-bit RGB on an opaque ground, upright, or is refused in one line."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

import numpy as np
import pytest
from PIL import Image

from replicate.digitizer.raster import decode
from replicate.errors import ExitCode, InputError


def encoded(picture: Image.Image, kind: str = "PNG", **options: Any) -> bytes:
    """Return a picture as the bytes of a file."""
    buffer = io.BytesIO()
    picture.save(buffer, kind, **options)
    return buffer.getvalue()


def png_header(width: int, height: int) -> bytes:
    """Return a PNG file that promises a size and holds no pixel at all."""
    content = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", 13) + content + struct.pack(">I", zlib.crc32(content))
    return (
        b"\x89PNG\r\n\x1a\n" + chunk + struct.pack(">I", 0) + b"IDAT" + struct.pack(">I", zlib.crc32(b"IDAT"))
    )


def rgba(colour: tuple[int, ...], ink: tuple[int, ...] | None = None) -> Image.Image:
    """Return a 60 x 40 picture of one RGBA colour, with a stroke of ink across it."""
    pixels = np.full((40, 60, 4), colour, np.uint8)
    if ink:
        pixels[18:22] = ink
    return Image.fromarray(pixels)


def test_a_picture_keeps_its_name_hash_and_size() -> None:
    data = encoded(Image.new("RGB", (60, 40), (1, 2, 3)))
    picture = decode(data, "fig.png")
    assert (picture.name, picture.width, picture.height) == ("fig.png", 60, 40)
    assert len(picture.sha256) == 64
    assert picture.image.dtype == np.uint8
    assert (picture.image == (1, 2, 3)).all()


def test_a_transparent_ground_becomes_white() -> None:
    image = decode(encoded(rgba((0, 0, 0, 0), (31, 119, 180, 255))), "a.png").image
    assert tuple(image[0, 0]) == (255, 255, 255)
    assert tuple(image[20, 30]) == (31, 119, 180)


def test_a_half_transparent_pixel_is_blended_with_white() -> None:
    image = decode(encoded(rgba((255, 255, 255, 255), (0, 0, 0, 102))), "a.png").image
    assert tuple(image[20, 30]) == (153, 153, 153)


def test_light_ink_on_a_transparent_ground_is_laid_on_black() -> None:
    image = decode(encoded(rgba((0, 0, 0, 0), (230, 230, 230, 255))), "a.png").image
    assert tuple(image[0, 0]) == (0, 0, 0)
    assert tuple(image[20, 30]) == (230, 230, 230)


@pytest.mark.parametrize("value", [0, 128, 255])
def test_a_16_bit_grey_picture_is_brought_to_8_bits(value: int) -> None:
    pixels = np.full((40, 60), value * 257, np.uint16)
    pixels[0, 0] = 65535  # so that the range is that of 16 bits
    image = decode(encoded(Image.fromarray(pixels)), "deep.png").image
    assert tuple(image[20, 30]) == (value, value, value)


@pytest.mark.parametrize("mode", ["L", "1", "P", "LA", "CMYK", "YCbCr"])
def test_every_colour_mode_becomes_rgb(mode: str) -> None:
    kind = "TIFF" if mode in ("CMYK", "YCbCr") else "PNG"
    data = encoded(Image.new("RGB", (60, 40), (255, 255, 255)).convert(mode), kind)
    image = decode(data, f"fig.{kind.lower()}").image
    assert image.shape == (40, 60, 3)
    assert (image == 255).all()


def test_a_palette_entry_may_be_transparent() -> None:
    picture = Image.new("P", (60, 40), 0)
    picture.putpalette([10, 20, 30, 200, 0, 0])
    picture.putpixel((5, 5), 1)
    image = decode(encoded(picture, transparency=0), "p.png").image
    assert tuple(image[0, 0]) == (255, 255, 255)
    assert tuple(image[5, 5]) == (200, 0, 0)


def test_the_orientation_of_a_camera_is_applied() -> None:
    pixels = np.full((40, 60, 3), 255, np.uint8)
    pixels[:, :8] = 0  # the left edge of the file is the top of the photo
    exif = Image.Exif()
    exif[0x0112] = 6  # turn by 90 degrees clockwise
    image = decode(encoded(Image.fromarray(pixels), "JPEG", exif=exif, quality=95), "photo.jpg").image
    assert image.shape == (60, 40, 3)
    assert image[:6].mean() < 20
    assert image[12:].mean() > 235


def test_a_jpeg_reads_like_a_png() -> None:
    source = Image.new("RGB", (60, 40), (200, 30, 30))
    png, jpeg = (decode(encoded(source, kind), "fig").image.astype(int) for kind in ("PNG", "JPEG"))
    assert np.abs(png - jpeg).max() <= 3


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "fig.png is empty"),
        (b"hello, this is text", "fig.png is not a picture"),
        (b"\x89PNG\r\n\x1a\n", "fig.png is not a picture"),
        (b"\x89PNG\r\n\x1a\n" + b"\x00" * 300, "fig.png is"),
    ],
)
def test_what_is_no_picture_is_refused(data: bytes, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        decode(data, "fig.png")
    assert caught.value.exit_code == ExitCode.BAD_INPUT
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "TIFF", "WEBP", "BMP"])
@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
def test_a_truncated_file_is_refused(kind: str, share: float) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (80, 90, 3), dtype=np.uint8)
    data = encoded(Image.fromarray(noise), kind)
    with pytest.raises(InputError, match="damaged or truncated|not a picture"):
        decode(data[: int(share * len(data))], "fig")


def test_a_damaged_checksum_is_refused() -> None:
    data = bytearray(encoded(Image.new("RGB", (60, 40))))
    data[-20] ^= 0xFF
    with pytest.raises(InputError):
        decode(bytes(data), "fig.png")


def test_too_many_pixels_are_refused_from_the_header_alone() -> None:
    # The file holds no pixel: decoding it would say "truncated", so the header must have been enough.
    with pytest.raises(InputError, match=r"10000 x 8001 = 80 megapixels.*--max-megapixels"):
        decode(png_header(10_000, 8_001), "huge.png")


def test_a_bomb_is_refused_from_the_header_alone() -> None:
    with pytest.raises(InputError, match="--max-megapixels"):
        decode(png_header(60_000, 60_000), "bomb.png")


def test_the_limit_can_be_raised_over_that_of_pillow() -> None:
    with pytest.raises(InputError, match="damaged or truncated"):
        decode(png_header(60_000, 60_000), "bomb.png", max_megapixels=4000)


def test_the_limit_can_be_raised_and_lowered() -> None:
    with pytest.raises(InputError, match="damaged or truncated"):
        decode(png_header(10_000, 8_001), "huge.png", max_megapixels=81)
    with pytest.raises(InputError, match="--max-megapixels"):
        decode(encoded(Image.new("RGB", (60, 40))), "small.png", max_megapixels=0.002)


@pytest.mark.parametrize("size", [(1, 1), (31, 400), (400, 31)])
def test_a_picture_too_small_for_a_chart_is_refused(size: tuple[int, int]) -> None:
    with pytest.raises(InputError, match=f"only {size[0]} x {size[1]} pixels"):
        decode(encoded(Image.new("RGB", size)), "icon.png")


def test_the_first_frame_of_an_animation_is_read() -> None:
    frames = [Image.new("RGB", (60, 40), c) for c in ((255, 0, 0), (0, 0, 255))]
    data = encoded(frames[0], "GIF", save_all=True, append_images=frames[1:])
    assert tuple(decode(data, "fig.gif").image[0, 0]) == (255, 0, 0)
