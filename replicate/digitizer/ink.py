"""Which pixels belong to which curve, and how much of each pixel a curve covers.

An antialiased pixel is a mixture: (1 - a) * ground + a * curve, in the grey levels the file stores, since plotting
libraries blend there. Solving for a gives the share of the pixel that the curve covers, which a thresholded mask
throws away; where two curves share a pixel, both shares are solved for together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from replicate.digitizer.ground import Ground, Pixels, row_blocks

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class InkSettings:
    """Thresholds of the search for colours and of the unmixing.

    Attributes:
        visible: Least difference from the ground, grey levels.
        ball: Radius within which colours are one, grey levels.
        ray: Distance from the mixtures of ground and a colour that are still that colour's, grey levels.
        columns: Share of the panel's columns in which a colour must show to be a curve's.
        plateau: How many times denser a fainter colour on the same ray must be than the mixtures around it.
        misfit: Distance from the nearest mixture, relative to the ink's strength, above which two curves are tried.
        turn: Angle from a legend's colours below which another colour is not believed, radians.
        exact: Distance from the exact sum of two inks that rounding leaves, grey levels.
        near: How far from both inks a mixture of them may show, pixels.
        beside: Share of a colour's pixels that must be near both of two others for it to be their mixture.
        most: Most colours.
        at_once: How many pixels are unmixed at once: what that takes of memory grows with it.
    """

    visible: float = 20.0
    ball: float = 26.0
    ray: float = 22.0
    columns: float = 0.12
    plateau: float = 2.5
    misfit: float = 0.12
    turn: float = 0.26
    exact: float = 3.0
    near: int = 5
    beside: float = 0.6
    most: int = 14
    at_once: int = 200_000

    @classmethod
    def for_noise(cls, noise: float) -> InkSettings:
        """Return thresholds that keep clear of a picture's noise (see `Ground.noise`)."""
        usual = cls()
        return cls(
            visible=max(usual.visible, 3.5 * noise),
            ball=usual.ball + 2 * noise,
            ray=usual.ray + 2 * noise,
        )


def find_colours(
    ground: Ground, hidden: Mask, known: Sequence[Pixels] = (), settings: InkSettings | None = None
) -> list[Pixels]:
    """Find the colours that curves are drawn in.

    Args:
        ground: The panel's interior and its ground.
        hidden: (h, w) bool, pixels that are not to be looked at (a legend, text).
        known: Colours that are known already (from a legend's keys), (3,) float32 each.
        settings: Thresholds.

    Returns:
        The colours besides the known ones, (3,) float32 RGB, the most frequent first.
    """
    settings = settings or InkSettings.for_noise(ground.noise)
    strength = np.where(hidden, np.float32(0), ground.strength)
    ridge = strength >= 0.92 * cv2.dilate(strength, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero(ridge & (strength > settings.visible))
    samples = ground.pixels[rows, columns]
    differences = ground.ink_at(rows, columns)
    width = ground.pixels.shape[1]
    free = np.ones(len(samples), bool)
    for colour in known:
        free &= ~_explained(differences, colour - ground.colour, settings)
    found: list[Pixels] = []
    while free.any() and len(found) + len(known) < settings.most:
        colour = _densest(samples[free], settings.ball)
        near = free & (np.linalg.norm(samples - colour, axis=1) <= settings.ball)
        taken = free & _explained(differences, colour - ground.colour, settings)
        if len(np.unique(columns[near])) < settings.columns * width:
            free &= ~near
            if near.sum() < 0.5 * settings.columns * width:
                break
            continue
        free &= ~(taken | near)
        own = colour - ground.colour
        named = any(_angle(own, k - ground.colour) < settings.turn for k in known)
        faint = float(np.linalg.norm(own)) <= settings.visible
        if not named and not faint and not _is_grid(own, ground.grid, settings):
            found.append(colour)
    found = _with_fainter(found, known, samples, differences, columns, ground.colour, width, settings)
    return _without_mixtures(found, known, ground, (rows, columns), settings)


def _without_mixtures(
    found: Sequence[Pixels],
    known: Sequence[Pixels],
    ground: Ground,
    places: tuple[NDArray[np.intp], NDArray[np.intp]],
    settings: InkSettings,
) -> list[Pixels]:
    """Leave out colours that are two others', seen through one another or blurred into one another.

    Such a colour is a sum of both inks, and shows only where both are near. A curve of its own that happens to
    have a colour in between runs apart from them.

    Args:
        found: The colours in question, the most frequent first.
        known: Colours that are beyond question.
        ground: The panel's interior and its ground.
        places: Rows and columns of the pixels in which the colours were looked for.
        settings: Thresholds.
    """
    kept = list(found)
    samples = ground.pixels[places]
    known_near: dict[int, Mask] = {}  # by the colour's identity: which of the samples are near it
    for colour in reversed(found):
        others = [*known, *(k for k in kept if k is not colour)]
        own = np.linalg.norm(samples - colour, axis=1) <= settings.ball / 2
        if not own.any():
            continue
        for other in others:
            if id(other) not in known_near:
                known_near[id(other)] = _near_colour(ground.pixels, other, settings)[places]
        near = [known_near[id(other)][own] for other in others]
        if _is_mixture(colour, others, near, ground, settings):
            kept = [k for k in kept if k is not colour]
    return kept


def _is_mixture(
    colour: Pixels, others: Sequence[Pixels], near: Sequence[Mask], ground: Ground, settings: InkSettings
) -> bool:
    """Whether a colour comes about from two others, or from one by the compression of colours.

    Args:
        colour: The colour, (3,) RGB.
        others: The colours that it may be made of.
        near: For each of them, which of the colour's pixels are near it.
        ground: The panel's interior and its ground.
        settings: Thresholds.
    """
    lossless = ground.noise < 1
    for i, j in combinations(range(len(others)), 2):
        basis = np.stack([others[i] - ground.colour, others[j] - ground.colour], axis=1)
        shares, *_ = np.linalg.lstsq(basis, colour - ground.colour, rcond=None)
        misfit = float(np.linalg.norm(basis @ shares - (colour - ground.colour)))
        sum_ = (shares > 0.15).all() and (shares < 1.1).all() and misfit <= settings.ray
        if sum_ and (near[i] & near[j]).mean() >= settings.beside:
            return True
        # a veil of one ink over another adds all of its own and leaves a share of the other's
        veil = misfit <= settings.exact and abs(shares.max() - 1) < 0.03 and 0.2 < shares.min() < 0.97
        if lossless and veil and max(near[i].mean(), near[j].mean()) >= 0.5 * settings.beside:
            return True
    beside = [o for o, n in zip(others, near, strict=True) if n.mean() >= settings.beside]
    return not lossless and any(_is_washed(colour, o, settings) for o in beside)


def _is_washed(colour: Pixels, other: Pixels, settings: InkSettings) -> bool:
    """Whether a colour is as bright as another and has a share of its chroma: JPEG keeps chroma coarsely."""
    luma = np.array([0.299, 0.587, 0.114])  # ITU-R BT.601, as in JFIF
    y, other_y = float(luma @ colour), float(luma @ other)
    chroma, full = colour - y, other - other_y
    share = float(chroma @ full) / max(float(full @ full), 1e-6)
    off = float(np.linalg.norm(chroma - share * full))
    return abs(y - other_y) <= settings.ray / 2 and 0.2 < share < 1 and off <= settings.ray / 2


def _near_colour(pixels: Pixels, colour: Pixels, settings: InkSettings) -> Mask:
    """Return which pixels have a colour within a few pixels of them, (h, w) bool."""
    same = np.empty(pixels.shape[:2], np.uint8)
    for part in row_blocks(len(same)):
        same[part] = np.linalg.norm(pixels[part] - colour, axis=2) <= settings.ball
    return np.asarray(cv2.dilate(same, np.ones((2 * settings.near + 1,) * 2, np.uint8)) > 0)


def _angle(a: Pixels, b: Pixels) -> float:
    """Return the angle between two differences from the ground, radians."""
    length = max(float(np.linalg.norm(a) * np.linalg.norm(b)), 1e-6)
    return float(np.arccos(np.clip(float(a @ b) / length, -1, 1)))


def _is_grid(ink: Pixels, grid: Sequence[Pixels], settings: InkSettings) -> bool:
    """Whether an ink is that of the grid, of which some line was overlooked: its colour, and no stronger."""
    return any(
        _angle(ink, line) < settings.turn and np.linalg.norm(ink) <= 1.3 * np.linalg.norm(line)
        for line in grid
    )


def _explained(differences: Pixels, direction: Pixels, settings: InkSettings) -> Mask:
    """Whether differences from the ground are mixtures of the ground and one colour."""
    share = np.clip(differences @ direction / max(float(direction @ direction), 1e-6), 0, 1)
    return np.asarray(np.linalg.norm(differences - share[:, None] * direction, axis=1) <= settings.ray)


def _densest(samples: Pixels, ball: float) -> Pixels:
    """Return the colour with the most samples around it: the median of the fullest coarse bin's neighbourhood."""
    keys = (samples / 12).astype(np.int64) @ np.array([65536, 256, 1])
    values, counts = np.unique(keys, return_counts=True)
    centre = np.median(samples[keys == values[counts.argmax()]], axis=0)
    near = np.linalg.norm(samples - centre, axis=1) <= ball / 2
    return np.asarray(np.median(samples[near], axis=0), dtype=np.float32)


def _with_fainter(
    found: list[Pixels],
    known: Sequence[Pixels],
    samples: Pixels,
    differences: Pixels,
    columns: NDArray[np.intp],
    ground: Pixels,
    width: int,
    settings: InkSettings,
) -> list[Pixels]:
    """Add fainter versions of the colours (a raw curve behind its smoothed one): plateaus on the same ray.

    The mixtures at a line's rim take every share alike; a faint curve has one share in many columns.
    """
    fainter: list[Pixels] = []
    for colour in [*known, *found]:
        direction = colour - ground
        strength = float(np.linalg.norm(direction))
        share = differences @ direction / strength**2
        on_ray = np.linalg.norm(differences - share[:, None] * direction, axis=1) <= 0.5 * settings.ray
        inside = on_ray & (share > 0.12) & (share < 0.8)
        if not inside.any():
            continue
        counts, edges = np.histogram(share[inside], bins=34, range=(0.12, 0.8))
        best = int(counts.argmax())
        around = np.delete(counts, range(max(best - 1, 0), min(best + 2, len(counts))))
        centre = (edges[best] + edges[best + 1]) / 2
        plateau = inside & (np.abs(share - centre) < 0.03)
        wide = len(np.unique(columns[plateau])) >= 2 * settings.columns * width
        others = [*known, *found, *fainter]
        if wide and counts[best] > settings.plateau * 4 * np.mean(around):
            candidate = np.median(samples[plateau], axis=0).astype(np.float32)
            if min(float(np.linalg.norm(candidate - o)) for o in others) > settings.ball:
                fainter.append(candidate)
    return found + fainter


@dataclass(frozen=True, eq=False)
class Coverage(Sequence[NDArray[np.float32]]):
    """The share of every pixel that each curve covers; only pixels with ink are kept.

    Item k is curve k's share of the panel's pixels, (h, w) float32, made anew each time.

    Attributes:
        shape: (h, w), of the panel.
        places: (n,) where the pixels with ink are, counted along the rows.
        shares: (K, n) float32, each curve's shares of them.
    """

    shape: tuple[int, int]
    places: NDArray[np.intp]
    shares: NDArray[np.float32]

    def __len__(self) -> int:
        """Return the number of curves."""
        return len(self.shares)

    def __getitem__(self, index: Any) -> Any:
        """Return one curve's shares, or several curves'."""
        if isinstance(index, slice):
            return Coverage(self.shape, self.places, self.shares[index])
        return self._spread(self.shares[index])

    def strongest(self) -> NDArray[np.float32]:
        """Return the largest share that a curve has of each pixel, (h, w) float32."""
        return self._spread(self.shares.max(axis=0, initial=0))

    def _spread(self, shares: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the panel's pixels with their shares."""
        spread = np.zeros(self.shape, np.float32)
        spread.ravel()[self.places] = shares
        return spread


def unmix(
    ground: Ground, colours: Sequence[Pixels], hidden: Mask, settings: InkSettings | None = None
) -> Coverage:
    """Solve for the share of every pixel that each curve covers.

    Args:
        ground: The panel's interior and its ground.
        colours: The curves' colours, K of (3,) float32.
        hidden: (h, w) bool, pixels without any curve to be seen.
        settings: Thresholds.

    Returns:
        Shares from 0 to 1.
    """
    settings = settings or InkSettings.for_noise(ground.noise)
    places = np.flatnonzero((ground.strength > 0.35 * settings.visible) & ~hidden)
    shares = np.zeros((len(colours), len(places)), np.float32)
    pixels, base = ground.pixels.reshape(-1, 3), ground.ground.reshape(-1, 3)
    for part in row_blocks(len(places) if colours else 0, settings.at_once):
        shares[:, part] = _solve(pixels[places[part]], base[places[part]], colours, settings)
    return Coverage((hidden.shape[0], hidden.shape[1]), places, shares)


def _solve(
    pixels: Pixels, base: Pixels, colours: Sequence[Pixels], settings: InkSettings
) -> NDArray[np.float32]:
    """Return each colour's share of some pixels, (K, n); of two colours where one does not explain a pixel."""
    shares, misfit = _single(pixels, base, colours)
    best = misfit.argmin(axis=0)
    index = np.arange(len(pixels))
    solved = np.zeros_like(shares)
    solved[best, index] = shares[best, index]
    ink = np.linalg.norm(pixels - base, axis=1)
    poor = misfit[best, index] > np.maximum(settings.misfit * ink, 0.5 * settings.visible)
    if len(colours) > 1 and poor.any():
        solved[:, poor] = _pairs(pixels[poor], base[poor], colours, misfit[best, index][poor])
    lost = (
        (solved.sum(axis=0) > 0)
        & (misfit[best, index] > 0.5 * ink)
        & poor
        & (solved > 0).sum(axis=0).__eq__(1)
    )
    solved[:, lost] = 0
    return solved


def _single(
    pixels: Pixels, base: Pixels, colours: Sequence[Pixels]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return for each colour and pixel the share that explains it best, and how badly it still does."""
    shares, misfits = [], []
    for colour in colours:
        direction = colour - base
        share = ((pixels - base) * direction).sum(axis=1) / np.maximum((direction**2).sum(axis=1), 1e-6)
        share = np.clip(share, 0, 1)
        shares.append(share)
        misfits.append(np.linalg.norm(pixels - base - share[:, None] * direction, axis=1))
    return np.array(shares, np.float32), np.array(misfits, np.float32)


def _pairs(
    pixels: Pixels, base: Pixels, colours: Sequence[Pixels], single: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return shares of the two colours that explain each pixel best, or of one where two are no better."""
    shares, misfits = _single(pixels, base, colours)
    index = np.arange(len(pixels))
    best = np.zeros_like(shares)
    nearest = misfits.argmin(axis=0)
    best[nearest, index] = shares[nearest, index]
    least = single.copy()
    difference = pixels - base
    for i, j in combinations(range(len(colours)), 2):
        u, v = colours[i] - base, colours[j] - base
        uu, vv, uv = (u * u).sum(axis=1), (v * v).sum(axis=1), (u * v).sum(axis=1)
        du, dv = (difference * u).sum(axis=1), (difference * v).sum(axis=1)
        determinant = np.maximum(uu * vv - uv * uv, 1e-3)
        a, b = (du * vv - dv * uv) / determinant, (dv * uu - du * uv) / determinant
        valid = (a > 0) & (b > 0) & (a + b < 1.15)
        misfit = np.linalg.norm(difference - a[:, None] * u - b[:, None] * v, axis=1)
        better = valid & (misfit < 0.6 * least)
        best[:, better] = 0
        best[i, better], best[j, better] = a[better], b[better]
        least = np.where(better, misfit, least)
    return best
