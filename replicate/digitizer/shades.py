"""Curves of one hue told apart by how strong they are: greys, a faint raw curve behind its smoothed one, bands.

Such colours lie on one ray from the ground, so that the rim of a strong line looks like the core of a faint one.
A rim has a core beside it: climbing from a pixel to ever stronger neighbours ends on the core of the stroke that
it belongs to, and the strength there tells which curve's it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from replicate.digitizer import ink
from replicate.digitizer.ground import Ground, Pixels

Shares = NDArray[np.float32]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class ShadeSettings:
    """Thresholds of the separation by strength.

    Attributes:
        turn: Widest angle between colours of one hue, seen from the ground, radians.
        rise: Least rise from a pixel to the neighbour that is climbed to, as a share of the strongest colour.
        doublings: The climb goes at most 2 to this power pixels far.
        reach: How far above and below a stroke the shade that it stands on is looked for, pixels.
        faintest: Least strength of a pixel, relative to the faintest shade.
        raw: Largest strength of a raw curve behind its smoothed one, relative to that.
        chroma: Least spread of a smoothed curve's colour channels, grey levels: greys are curves of their own.
        columns: How many columns are divided at once: what that takes of memory grows with them.
        lent: Share that a raw curve has of its smoothed one's ink in columns where nothing of it is seen.
    """

    turn: float = 0.07
    rise: float = 0.04
    doublings: int = 3
    reach: int = 40
    faintest: float = 0.35
    raw: float = 0.55
    chroma: float = 40.0
    columns: int = 256
    lent: float = 0.4


@dataclass(frozen=True)
class Family:
    """Colours of one hue.

    Attributes:
        members: Their numbers, the strongest first.
        shares: Their strengths, relative to the strongest.
    """

    members: tuple[int, ...]
    shares: tuple[float, ...]


def unmix(ground: Ground, colours: Sequence[Pixels], hidden: Mask) -> ink.Coverage:
    """Solve for the share of every pixel that each colour covers: by hue, then by strength.

    Args:
        ground: The panel's interior and its ground.
        colours: The curves' colours, K of (3,) float32.
        hidden: (h, w) bool, pixels without any curve to be seen.

    Returns:
        Shares from 0 to 1.
    """
    settings = ShadeSettings()
    hues = families(colours, ground.colour, settings)
    by_hue = ink.unmix(ground, [colours[hue.members[0]] for hue in hues], hidden)
    shares = np.zeros((len(colours), len(by_hue.places)), np.float32)
    for number, hue in enumerate(hues):
        if len(hue.members) == 1:
            shares[hue.members[0]] = by_hue.shares[number]
            continue
        full = float(np.linalg.norm(colours[hue.members[0]] - ground.colour))
        parts = split(by_hue[number], hue.shares, ground.noise / max(full, 1.0))
        if (
            len(parts) == 2
            and hue.shares[1] <= settings.raw
            and np.ptp(colours[hue.members[0]]) >= settings.chroma
        ):
            _lend(parts, settings.lent)
        shares[list(hue.members)] = parts.reshape(len(parts), -1)[:, by_hue.places]
    return ink.Coverage(by_hue.shape, by_hue.places, shares)


def families(
    colours: Sequence[Pixels], ground: Pixels, settings: ShadeSettings | None = None
) -> list[Family]:
    """Group colours by their hue.

    Args:
        colours: (3,) float32 RGB each.
        ground: (3,) float32, the ground's colour.
        settings: Thresholds.

    Returns:
        The families; each colour is in one of them.
    """
    settings = settings or ShadeSettings()
    inks = [c - ground for c in colours]
    order = sorted(range(len(inks)), key=lambda i: -float(np.linalg.norm(inks[i])))
    found: list[list[int]] = []
    for i in order:
        home = next((f for f in found if _angle(inks[f[0]], inks[i]) < settings.turn), None)
        if home is None:
            found.append([i])
        else:
            home.append(i)
    return [
        Family(tuple(f), tuple(float(inks[i] @ inks[f[0]] / (inks[f[0]] @ inks[f[0]])) for i in f))
        for f in found
    ]


def _angle(a: Pixels, b: Pixels) -> float:
    """Return the angle between two differences from the ground, radians."""
    length = max(float(np.linalg.norm(a) * np.linalg.norm(b)), 1e-6)
    return float(np.arccos(np.clip(float(a @ b) / length, -1, 1)))


def climb(strength: Shares, rise: float, doublings: int) -> Shares:
    """Return the strength that is reached from every pixel by going to ever stronger neighbours.

    Args:
        strength: (h, w) float32.
        rise: A neighbour that is not stronger by this much is no way up.
        doublings: At most 2 to this power steps are gone.
    """
    height, width = strength.shape
    padded = np.pad(strength, 1)
    best = strength + np.float32(rise)
    here = np.arange(height * width, dtype=np.int64).reshape(height, width)
    to = here.copy()
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            beside = padded[1 + dy : height + 1 + dy, 1 + dx : width + 1 + dx]
            better = beside > best
            best[better] = beside[better]
            to[better] = here[better] + dy * width + dx
    flat = to.ravel()
    for _ in range(doublings):
        flat = flat[flat]
    return np.asarray(strength.ravel()[flat].reshape(height, width), dtype=np.float32)


def split(
    strength: Shares, shares: Sequence[float], noise: float = 0.0, settings: ShadeSettings | None = None
) -> Shares:
    """Divide the ink of one hue among its shades.

    Args:
        strength: (h, w) float32, the share of the hue's strongest colour in each pixel.
        shares: The strengths of the shades, descending; the first is 1.
        noise: Standard deviation of `strength` on a plain ground.
        settings: Thresholds.

    Returns:
        (len(shares), h, w) float32, the share of each pixel that each shade covers.
    """
    settings = settings or ShadeSettings()
    if len(shares) == 1:
        return np.asarray(strength[None])
    out = np.zeros((len(shares), *strength.shape), np.float32)
    halo = 2**settings.doublings + 1  # as far as the climb looks
    for first in range(0, strength.shape[1], settings.columns):
        begin, end = max(first - halo, 0), first + settings.columns
        part = strength[:, begin : end + halo]
        inked = np.flatnonzero(part.any(axis=1))
        if len(inked):
            rows = slice(max(int(inked[0]) - 1, 0), int(inked[-1]) + 2)
            parts = _split(part[rows], shares, noise, settings)
            out[:, rows, first:end] = parts[:, :, first - begin :][:, :, : settings.columns]
    return out


def _split(strength: Shares, shares: Sequence[float], noise: float, settings: ShadeSettings) -> Shares:
    """Divide the ink of a part of the panel; see `split`."""
    top = climb(strength, settings.rise + 2 * noise, settings.doublings)
    bounds = [np.sqrt(a * b) for a, b in zip(shares, shares[1:], strict=False)]
    rank = np.sum([top < b for b in bounds], axis=0)  # 0: the strongest
    empty = len(shares)
    rank[strength < settings.faintest * shares[-1]] = empty
    out = np.zeros((len(shares), *strength.shape), np.float32)
    for k, share in enumerate(shares):
        own = rank == k
        base = _standing_on(np.where(rank == empty, 0, strength), rank > k, settings.reach)
        lifted = (strength - base) / np.maximum(share - base, 0.25 * share)
        out[k][own] = np.clip(lifted[own], 0, 1)
    for k in range(1, len(shares)):
        out[k][_covered(rank, k)] = 1.0
    return out


def _lend(parts: Shares, lent: float) -> None:
    """Let a raw curve run under its smoothed one through columns where nothing of it is seen."""
    unseen = ~(parts[1] > 0).any(axis=0)
    parts[1][:, unseen] = np.where(parts[0][:, unseen] > 0.5, np.float32(lent), 0)


def only_lent(own: Shares, columns: NDArray[np.intp]) -> Mask:
    """Return in which columns a curve has no ink but that of its smoothed version, (n,) bool.

    Args:
        own: (h, w) float32, the curve's share of each pixel.
        columns: (n,) int.
    """
    return np.asarray(own[:, columns].max(axis=0) <= ShadeSettings().lent)


def _standing_on(strength: Shares, weaker: Mask, reach: int) -> Shares:
    """Return the strength of the fainter ink that strokes stand on: that of the nearer side of the column."""
    above, up = _nearest_above(weaker, strength)
    below, down = (v[::-1] for v in _nearest_above(weaker[::-1], strength[::-1]))
    nearest = np.where(up <= down, above, below)
    return np.where(np.minimum(up, down) <= reach, nearest, 0).astype(np.float32)


def _nearest_above(mask: Mask, values: Shares) -> tuple[Shares, NDArray[np.intp]]:
    """Return for each pixel the value of the nearest pixel of a mask at or above it, and how far that is."""
    rows = np.arange(len(mask))[:, None]
    last = np.maximum.accumulate(np.where(mask, rows, -1), axis=0)
    far = np.where(last >= 0, rows - last, len(mask))
    return np.take_along_axis(values, np.maximum(last, 0), axis=0), far


def _covered(rank: NDArray[np.intp], k: int) -> Mask:
    """Return where a shade runs on under stronger strokes: its own ink lies on both sides in the column."""
    stronger = rank < k
    own = (rank == k).astype(np.float32)
    above, _ = _nearest_above(~stronger, own)
    below = _nearest_above(~stronger[::-1], own[::-1])[0][::-1]
    return np.asarray(stronger & (above > 0) & (below > 0))
