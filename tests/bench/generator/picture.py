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
    unit = max(width / 900, 1.0)  # the surroundings are as large as the figure asks for
    left, right, top, bottom = (int(v * unit) for v in rng.integers((20, 20, 70, 30), (60, 60, 120, 80)))
    back = {"browser": (255, 255, 255), "card": (238, 240, 244), "page": (255, 255, 255)}[kind]
    page = np.full((height + top + bottom, width + left + right, 3), back, np.uint8)
    page[top : top + height, left : left + width] = rgb
    write = {"browser": _browser, "card": _card, "page": _page}[kind]
    write(page, (left, top, left + width, top + height), unit)
    return page, (left, top)


def _text(page: Pixels, text: str, at: tuple[float, float], size: float, color: tuple[int, int, int]) -> None:
    """Write a line of text."""
    place, weight = (int(at[0]), int(at[1])), max(round(size * 2), 1)
    cv2.putText(page, text, place, cv2.FONT_HERSHEY_SIMPLEX, size, color, weight, cv2.LINE_AA)


def _browser(page: Pixels, box: tuple[int, int, int, int], unit: float) -> None:
    """Draw a browser's bars above the figure."""
    bar, end = int(34 * unit), int(58 * unit)
    page[:bar] = (222, 225, 230)
    page[bar:end] = (245, 246, 247)
    for i, color in enumerate(((237, 106, 94), (245, 191, 79), (98, 197, 84))):
        cv2.circle(page, (int((18 + 18 * i) * unit), bar // 2), int(6 * unit), color, -1, cv2.LINE_AA)
    corner = (min(page.shape[1] - 20, int(420 * unit)), int(54 * unit))
    cv2.rectangle(page, (int(80 * unit), int(39 * unit)), corner, (255, 255, 255), -1)
    _text(page, "dashboard.example/runs/7", (88 * unit, 51 * unit), 0.4 * unit, (95, 99, 104))


def _card(page: Pixels, box: tuple[int, int, int, int], unit: float) -> None:
    """Draw a card with a heading and buttons around the figure."""
    x0, y0, x1, y1 = box
    edge, head = int(10 * unit), int(40 * unit)
    cv2.rectangle(page, (x0 - edge, y0 - head), (x1 + edge, y1 + edge), (205, 209, 216), 1)
    page[y0 - head + 1 : y0, x0 - edge + 1 : x1 + edge] = (255, 255, 255)
    _text(page, "train/loss", (x0 + 4, y0 - 14 * unit), 0.5 * unit, (40, 44, 52))
    for i in range(3):
        left, side = x1 - int((20 + 22 * i) * unit), int(14 * unit)
        cv2.rectangle(page, (left, y0 - 2 * side), (left + side, y0 - side), (120, 126, 138), 1)


def _page(page: Pixels, box: tuple[int, int, int, int], unit: float) -> None:
    """Write lines of text above and a caption below the figure."""
    x0, y0, x1, y1 = box
    words = (
        "we train all models on the same data with the same schedule and report the loss on held out text "
    )
    letters = max(int((x1 - x0) / (8 * unit)), 10)
    for i, y in enumerate(range(int(22 * unit), y0 - int(10 * unit), int(18 * unit))):
        _text(page, ((words[i * 7 % 40 :] + words) * 2)[:letters], (x0, y), 0.42 * unit, (20, 20, 20))
    _text(page, "Figure 3: training curves of all runs.", (x0, y1 + 20 * unit), 0.42 * unit, (20, 20, 20))
