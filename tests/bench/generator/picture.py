"""What happens to a picture between the plotting program and the reader: formats, scans, screenshots."""

from __future__ import annotations

import io
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from generator.plan import PicturePlan

Pixels = NDArray[np.uint8]
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Picture:
    """A picture file.

    Attributes:
        data: Its bytes.
        suffix: "png" or "jpg".
        matrix: (2, 3) affine map from the drawing's pixels to the picture's.
    """

    data: bytes
    suffix: str
    matrix: NDArray[np.float64]

    def box(self, box: Box) -> list[float]:
        """Return where a box of the drawing is in the picture: the box around its moved corners."""
        x0, y0, x1, y1 = box
        corners = np.array([(x0, y0, 1), (x1, y0, 1), (x1, y1, 1), (x0, y1, 1)]) @ self.matrix.T
        return [round(float(v), 2) for v in (*corners.min(axis=0), *corners.max(axis=0))]


def finish(rgba: Pixels, plan: PicturePlan, seed: int) -> Picture:
    """Return the drawn (h, w, 4) picture as the file that the plan asks for."""
    rng = np.random.default_rng(seed)
    matrix = np.eye(3)
    if plan.form == "rgba" and not plan.surroundings and not plan.rotation:
        return Picture(_png(Image.fromarray(_clear_ground(rgba))), "png", matrix[:2])
    rgb = np.ascontiguousarray(rgba[..., :3])
    if plan.shrink < 1:
        size = (round(rgb.shape[1] * plan.shrink), round(rgb.shape[0] * plan.shrink))
        factors = size[0] / rgb.shape[1], size[1] / rgb.shape[0]
        rgb = np.asarray(cv2.resize(rgb, size, interpolation=cv2.INTER_AREA), np.uint8)
        # pixel centres: the edge at -0.5 stays where it is
        scale = np.array(
            [[factors[0], 0, factors[0] / 2 - 0.5], [0, factors[1], factors[1] / 2 - 0.5], [0, 0, 1]]
        )
        matrix = scale @ matrix
    if plan.surroundings:
        rgb, (dx, dy) = _surround(rgb, plan.surroundings, rng)
        matrix = np.array([[1, 0, dx], [0, 1, dy], [0, 0, 1]], float) @ matrix
    if plan.rotation:
        rgb, turn = _rotate(rgb, plan.rotation)
        matrix = turn @ matrix
    if plan.noise:
        rgb = _scan(rgb, plan.noise, rng)
    return _encode(rgb, plan, matrix[:2])


def _encode(rgb: Pixels, plan: PicturePlan, matrix: NDArray[np.float64]) -> Picture:
    """Write the pixels in the plan's format."""
    image = Image.fromarray(rgb)
    if plan.form == "jpeg":
        out = io.BytesIO()
        image.save(out, "JPEG", quality=plan.quality)
        return Picture(out.getvalue(), "jpg", matrix)
    if plan.form in ("grey16", "rgb16"):
        deep = np.asarray(image.convert("L") if plan.form == "grey16" else image).astype(np.uint16) * 257
        bgr = deep[..., ::-1] if deep.ndim == 3 else deep
        return Picture(cv2.imencode(".png", bgr)[1].tobytes(), "png", matrix)
    if plan.form == "grey":
        image = image.convert("L")
    if plan.form == "palette":
        image = image.quantize(128, dither=Image.Dither.NONE)
    return Picture(_png(image), "png", matrix)


def _png(image: Image.Image) -> bytes:
    """Return the image as PNG bytes."""
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def _clear_ground(rgba: Pixels) -> Pixels:
    """Return the picture with a white ground made transparent, ink keeping its colour.

    Each pixel becomes the least opaque one that looks the same on white.
    """
    rgb = rgba[..., :3].astype(float)
    alpha = 1 - rgb.min(axis=2) / 255
    safe = np.maximum(alpha, 1e-6)[..., None]
    ink = np.clip((rgb - 255 * (1 - alpha[..., None])) / safe, 0, 255)
    return np.dstack([ink, alpha * 255]).round().astype(np.uint8)


def _rotate(rgb: Pixels, degrees: float) -> tuple[Pixels, NDArray[np.float64]]:
    """Rotate about the middle, the new corners filled with the ground's colour; return the map too."""
    height, width = rgb.shape[:2]
    turn = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), degrees, 1.0)
    ground = tuple(int(v) for v in rgb[2, 2])
    turned = cv2.warpAffine(rgb, turn, (width, height), flags=cv2.INTER_CUBIC, borderValue=ground)
    return np.asarray(turned, np.uint8), np.vstack([turn, [0, 0, 1]])


def _scan(rgb: Pixels, noise: float, rng: np.random.Generator) -> Pixels:
    """Return the picture as a scanner sees paper: slightly soft, unevenly lit, grainy, with a few specks."""
    soft = cv2.GaussianBlur(rgb, (0, 0), 0.6).astype(float)
    height, width = rgb.shape[:2]
    light = 1 - 0.04 * np.linspace(0, 1, width)[None, :, None] * np.linspace(0.3, 1, height)[:, None, None]
    grain = rng.normal(0, noise, (height, width, 1))
    page = soft * light + grain
    for _ in range(int(width * height / 60_000)):
        y, x = int(rng.integers(height - 2)), int(rng.integers(width - 2))
        page[y : y + 2, x : x + 2] *= 0.6
    return np.clip(page, 0, 255).astype(np.uint8)


def _surround(rgb: Pixels, kind: str, rng: np.random.Generator) -> tuple[Pixels, tuple[int, int]]:
    """Put the figure into a browser window, a dashboard card or a page of text; return its offset too."""
    height, width = rgb.shape[:2]
    left, right = (int(v) for v in rng.integers(20, 60, 2))
    top, bottom = int(rng.integers(70, 120)), int(rng.integers(30, 80))
    back = {"browser": (255, 255, 255), "card": (238, 240, 244), "page": (255, 255, 255)}[kind]
    page = np.full((height + top + bottom, width + left + right, 3), back, np.uint8)
    page[top : top + height, left : left + width] = rgb
    write = {"browser": _browser, "card": _card, "page": _page}[kind]
    write(page, (left, top, left + width, top + height))
    return page, (left, top)


def _text(page: Pixels, text: str, at: tuple[int, int], size: float, color: tuple[int, int, int]) -> None:
    """Write a line of text."""
    cv2.putText(page, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, color, 1, cv2.LINE_AA)


def _browser(page: Pixels, box: tuple[int, int, int, int]) -> None:
    """Draw a browser's bars above the figure."""
    page[:34] = (222, 225, 230)
    page[34:58] = (245, 246, 247)
    for i, color in enumerate(((237, 106, 94), (245, 191, 79), (98, 197, 84))):
        cv2.circle(page, (18 + 18 * i, 17), 6, color, -1, cv2.LINE_AA)
    cv2.rectangle(page, (80, 39), (min(page.shape[1] - 20, 420), 54), (255, 255, 255), -1)
    _text(page, "dashboard.example/runs/7", (88, 51), 0.4, (95, 99, 104))


def _card(page: Pixels, box: tuple[int, int, int, int]) -> None:
    """Draw a card with a heading and buttons around the figure."""
    x0, y0, x1, y1 = box
    cv2.rectangle(page, (x0 - 10, y0 - 40), (x1 + 10, y1 + 10), (205, 209, 216), 1)
    page[y0 - 39 : y0, x0 - 9 : x1 + 10] = (255, 255, 255)
    _text(page, "train/loss", (x0 + 4, y0 - 14), 0.5, (40, 44, 52))
    for i in range(3):
        cv2.rectangle(page, (x1 - 20 - 22 * i, y0 - 28), (x1 - 6 - 22 * i, y0 - 14), (120, 126, 138), 1)


def _page(page: Pixels, box: tuple[int, int, int, int]) -> None:
    """Write lines of text above and a caption below the figure."""
    x0, y0, x1, y1 = box
    words = (
        "we train all models on the same data with the same schedule and report the loss on held out text "
    )
    for i, y in enumerate(range(22, y0 - 10, 18)):
        line = (words[i * 7 % 40 :] + words)[: max((x1 - x0) // 8, 10)]
        _text(page, line, (x0, y), 0.42, (20, 20, 20))
    _text(page, "Figure 3: training curves of all runs.", (x0, y1 + 20), 0.42, (20, 20, 20))
