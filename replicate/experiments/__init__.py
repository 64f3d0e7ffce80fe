"""What is rerun: one module an experiment, one function a scale, each returning the whole configuration.

An experiment knows nothing of figures but the name of its own; the trainer knows nothing of experiments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from replicate.errors import InputError
from replicate.experiments import small_init_emb, svd_init
from replicate.experiments.config import Difference, Experiment

SCALES: Mapping[str, Mapping[str, Callable[[], Experiment]]] = {
    small_init_emb.NAME: small_init_emb.SCALES,
    svd_init.NAME: svd_init.SCALES,
}
DIFFERENCES: Mapping[str, Callable[[Experiment], tuple[Difference, ...]]] = {
    small_init_emb.NAME: small_init_emb.differences,
    svd_init.NAME: svd_init.differences,
}


def names() -> tuple[str, ...]:
    """Return the names of the experiments."""
    return tuple(SCALES)


def scales(name: str) -> tuple[str, ...]:
    """Return the scales of an experiment, the smallest first.

    Raises:
        InputError: There is no such experiment.
    """
    if name not in SCALES:
        raise InputError(f"unknown experiment {name!r}", f"there are: {', '.join(SCALES)}")
    return tuple(SCALES[name])


def get(name: str, scale: str = "quick") -> Experiment:
    """Return the full configuration of an experiment at a scale.

    Raises:
        InputError: There is no such experiment or scale; the message lists what there is.
    """
    if scale not in scales(name):
        raise InputError(f"{name} has no scale {scale!r}", f"there are: {', '.join(scales(name))}")
    return SCALES[name][scale]()


def differences(experiment: Experiment) -> tuple[Difference, ...]:
    """Return every way in which an experiment, as configured, is not what was published."""
    return DIFFERENCES[experiment.name](experiment)
