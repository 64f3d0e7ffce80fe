"""Intervals and tests over seeds: paired, exact where that is possible, with an explicit generator."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import numpy as np
from scipy import stats

from replicate.audit.settings import AuditSettings
from replicate.sheets import Expected

Interval = tuple[float, float]
EXACT = 13  # seeds up to which all combinations of signs are tried


@cache
def student(level: float, freedom: int) -> float:
    """Return the quantile of Student's t that bounds a two-sided interval of a level."""
    return float(stats.t.ppf((1 + level) / 2, freedom))


def seeds_interval(values: Sequence[float], settings: AuditSettings) -> Interval | None:
    """Return the interval of a mean over seeds.

    Student's t below `bootstrap_from` seeds; from there on the bias-corrected and accelerated bootstrap (Efron
    1987), whose intervals are too short for a handful of values.

    Returns:
        (low, high); None for one seed, which says nothing of its own spread.
    """
    data = np.asarray(values, np.float64)
    if len(data) < 2:
        return None
    if not np.isfinite(data).all():
        return -math.inf, math.inf
    mean = float(data.mean())
    if np.ptp(data) == 0:
        return mean, mean
    if len(data) < settings.bootstrap_from:
        half = student(settings.level, len(data) - 1) * float(data.std(ddof=1)) / math.sqrt(len(data))
        return mean - half, mean + half
    found = stats.bootstrap(
        (data,),
        np.mean,
        confidence_level=settings.level,
        n_resamples=settings.resamples,
        method="BCa",
        rng=np.random.default_rng(settings.seed),
    )
    low, high = found.confidence_interval
    return float(low), float(high)


def sign_flip(differences: Sequence[float], settings: AuditSettings) -> float:
    """Return the one-sided p value of the hypothesis that paired differences are symmetric about zero.

    The share of all combinations of signs whose mean is at least the one found (Fisher 1935), so that the least
    possible value is 1 / 2^n: 0.125 at three seeds, 0.031 at five. Beyond 13 seeds `resamples` of them are drawn.
    """
    data = np.asarray(differences, np.float64)
    count = len(data)
    if count <= EXACT:
        signs = 1 - 2 * (np.arange(2**count)[:, None] >> np.arange(count) & 1)
    else:
        rng = np.random.default_rng(settings.seed)
        drawn = rng.choice([-1, 1], (settings.resamples, count))
        signs = np.vstack([np.ones(count, int), drawn])  # the one found is one of them
    sums = signs @ data
    return float((sums >= sums[0] - 1e-12 * np.abs(data).sum()).mean())


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p values corrected for their number (Holm 1979), in the order given."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    corrected, highest = [0.0] * len(p_values), 0.0
    for rank, i in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[i]))
        corrected[i] = highest
    return corrected


def seeds_to_decide(values: Sequence[float], expected: Expected, settings: AuditSettings) -> float:
    """Return how many seeds would decide a number that its seeds leave open.

    Reruns of n seeds are simulated from a normal distribution with the mean and the spread of the values; enough is
    the least n at which Student's interval lies wholly inside or wholly outside what is expected with the chance
    `power`.

    Returns:
        The number of seeds; infinite beyond `most_seeds`.
    """
    data = np.asarray(values, np.float64)
    mean, spread = float(data.mean()), float(data.std(ddof=1))

    def chance(seeds: int) -> float:
        rng = np.random.default_rng(settings.seed)
        means = rng.normal(mean, spread / math.sqrt(seeds), settings.trials)
        spreads = spread * np.sqrt(rng.chisquare(seeds - 1, settings.trials) / (seeds - 1))
        half = student(settings.level, seeds - 1) * spreads / math.sqrt(seeds)
        inside = (means - half >= expected.low) & (means + half <= expected.high)
        outside = (means + half < expected.low) | (means - half > expected.high)
        return float((inside | outside).mean())

    few, enough = len(data), settings.most_seeds
    if not spread > 0 or chance(enough) < settings.power:
        return math.inf
    while enough - few > 1:  # the chance grows with the seeds
        middle = (few + enough) // 2
        few, enough = (few, middle) if chance(middle) >= settings.power else (middle, enough)
    return enough
