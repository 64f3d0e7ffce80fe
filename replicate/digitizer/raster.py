"""Decoding a picture safely, and bringing it to one form: 8-bit RGB on an opaque ground, upright."""

from __future__ import annotations

import hashlib
import io
import struct
import warnings
from dataclasses import dataclass

import numpy as np
from PIL import Image as PillowImage
from PIL import ImageOps, UnidentifiedImageError

from replicate.digitizer.model import Image
from replicate.errors import InputError

MAX_MEGAPIXELS = 80.0


@dataclass(frozen=True, eq=False)
class Picture:
    """A decoded figure.

    Attributes:
        name: The file's name, or "stdin".
        sha256: Hash of the file's bytes, hexadecimal.
        image: (height, width, 3) uint8 RGB.
    """

    name: str
    sha256: str
    image: Image

    @property
    def width(self) -> int:
        """Width in pixels."""
        return int(self.image.shape[1])

    @property
    def height(self) -> int:
        """Height in pixels."""
        return int(self.image.shape[0])


def decode(data: bytes, name: str, max_megapixels: float = MAX_MEGAPIXELS) -> Picture:
    """Decode a PNG, JPEG, GIF, BMP, TIFF or WebP file.

    Transparent pictures are laid on white, or on black where their visible ink is light; 16-bit and grey ones
    are brought to 8-bit RGB; the camera's orientation is applied. The header is checked before any pixel is
    decoded.

    Args:
        data: The file's bytes.
        name: The file's name, for messages and the record.
        max_megapixels: Pictures with more pixels are refused.

    Returns:
        The picture.

    Raises:
        InputError: Empty, truncated, too large, or not a picture.
    """
    if not data:
        raise InputError(f"{name} is empty", "give a PNG or JPEG picture of a chart")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore"
            )  # Pillow warns of large pictures and odd metadata; both are handled here
            source = _open(data)
            _check_size(source.size, name, max_megapixels)
            source.load()
            image = _opaque_rgb(ImageOps.exif_transpose(source))
    except UnidentifiedImageError as error:
        raise InputError(f"{name} is not a picture that can be read", "give a PNG or JPEG file") from error
    except (OSError, ValueError, SyntaxError, EOFError, IndexError, TypeError, struct.error) as error:
        raise InputError(f"{name} is damaged or truncated ({error})", "fetch the file again") from error
    if min(image.shape[:2]) < 32:
        height, width = image.shape[:2]
        raise InputError(f"{name} is only {width} x {height} pixels", "give a larger picture of the chart")
    return Picture(name, hashlib.sha256(data).hexdigest(), image)


def _open(data: bytes) -> PillowImage.Image:
    """Read a picture's header; Pillow's own limit, which no flag could raise, gives way to `_check_size`."""
    limit, PillowImage.MAX_IMAGE_PIXELS = PillowImage.MAX_IMAGE_PIXELS, None
    try:
        return PillowImage.open(io.BytesIO(data))
    finally:
        PillowImage.MAX_IMAGE_PIXELS = limit


def _check_size(size: tuple[int, int], name: str, max_megapixels: float) -> None:
    """Refuse a picture whose header promises too many pixels."""
    megapixels = size[0] * size[1] / 1e6
    if megapixels > max_megapixels:
        said = f"{name} has {size[0]} x {size[1]} = {megapixels:.0f} megapixels, more than {max_megapixels:g}"
        raise InputError(said, "raise the limit with --max-megapixels or scale the picture down")


def _opaque_rgb(source: PillowImage.Image) -> Image:
    """Return any mode of picture as RGB on an opaque ground."""
    if source.mode.startswith(("I", "F")):
        return _from_deep_grey(np.asarray(source, dtype=np.float64))
    if source.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in source.info:
        rgba = np.asarray(source.convert("RGBA"), dtype=np.uint8)
        return rgba[..., :3].copy() if (rgba[..., 3] == 255).all() else _on_ground(rgba)
    return np.asarray(source.convert("RGB"), dtype=np.uint8)


def _on_ground(rgba: Image) -> Image:
    """Lay a transparent picture on white or black; 16 bits are enough for the exactly rounded blend."""
    ground = np.uint16(0 if _ink_is_light(rgba) else 255)
    alpha = rgba[..., 3:].astype(np.uint16)
    blend = rgba[..., :3] * alpha
    blend += ground * (255 - alpha) + 127
    blend //= 255
    return blend.astype(np.uint8)


def _from_deep_grey(grey: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Image:
    """Return a 16-bit or floating grey picture as 8-bit RGB."""
    top = 1.0 if grey.max() <= 1 else 255.0 if grey.max() <= 255 else 65535.0
    grey = np.clip(np.rint(grey * (255 / top)), 0, 255).astype(np.uint8)
    return np.repeat(grey[..., None], 3, axis=2)


def _ink_is_light(rgba: Image) -> bool:
    """Whether a mostly transparent picture was drawn for a dark page: its opaque pixels are mostly light grey."""
    opaque = rgba[..., 3] > 128
    if opaque.mean() > 0.5 or not opaque.any():
        return False
    ink = rgba[opaque][:, :3]
    neutral = np.ptp(ink, axis=1) < 24
    return bool(neutral.any() and ink[neutral].mean() > 170)
