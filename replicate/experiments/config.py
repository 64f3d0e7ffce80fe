"""The configuration of an experiment: frozen, complete, and the same as JSON."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from typing import Literal

import numpy as np

Role = Literal["published", "ablation"]


@dataclass(frozen=True)
class Latent:
    """Multi-head latent attention in place of the plain one.

    Attributes:
        query_rank: Width of the query latent.
        key_value_rank: Width of the latent that keys and values share.
        norm: Whether an RMSNorm stands on both latents, between the down and the up projection.
        init: "svd" of the teacher's projections, or "random".
        singular_values: Which factor takes the singular values.
    """

    query_rank: int
    key_value_rank: int
    norm: bool
    init: Literal["svd", "random"]
    singular_values: Literal["up", "down"] = "up"


@dataclass(frozen=True)
class Model:
    """A decoder-only transformer.

    Attributes:
        vocabulary: Number of tokens.
        width: Of the residual stream.
        layers: Number of blocks.
        heads: Attention heads; each is width / heads wide, its latter half rotary.
        context: Tokens of a sequence.
        hidden: Width of the gated feed-forward.
        embedding_init: Distribution of the embedding at the start.
        embedding_scale: Its standard deviation (normal) or half its range (uniform).
        embedding_norm: Whether a LayerNorm stands right after the embedding.
        norm: LayerNorm before each part of a block ("pre"), or on the residual stream itself ("post").
        tied_head: Whether the output head is the embedding.
        latent: The latent attention of a student, or None.
    """

    vocabulary: int
    width: int
    layers: int
    heads: int
    context: int
    hidden: int
    embedding_init: Literal["normal", "uniform"] = "normal"
    embedding_scale: float = 0.02
    embedding_norm: bool = False
    norm: Literal["pre", "post"] = "pre"
    tied_head: bool = False
    latent: Latent | None = None


@dataclass(frozen=True)
class Optimizer:
    """AdamW and its schedule.

    Attributes:
        rate: The peak learning rate.
        betas: Decay of the two moments.
        epsilon: Added to the root of the second moment.
        weight_decay: On matrices other than embedding and head.
        clip: Greatest norm of the gradient.
        schedule: "constant", or "cosine" down to `final_share` of the peak.
        final_share: See `schedule`.
        warmup_share: Share of the steps over which the rate rises from zero.
    """

    rate: float
    betas: tuple[float, float] = (0.9, 0.99)
    epsilon: float = 1e-8
    weight_decay: float = 0.1
    clip: float = 1.0
    schedule: Literal["constant", "cosine"] = "constant"
    final_share: float = 0.1
    warmup_share: float = 0.0

    def rate_at(self, step: int, steps: int) -> float:
        """Return the learning rate of an update, of which there are `steps`, counted from 0."""
        warm = self.warmup_share * steps
        if step < warm:
            return self.rate * (step + 1) / (warm + 1)
        if self.schedule == "constant":
            return self.rate
        done = (step - warm) / max(1.0, steps - warm)
        return self.rate * (
            self.final_share + (1 - self.final_share) * 0.5 * (1 + float(np.cos(np.pi * done)))
        )


@dataclass(frozen=True)
class Data:
    """The text.

    Attributes:
        name: "bible", "stdlib", or the path of a file or folder; empty where it has to be given.
        vocabulary: How many of the most frequent tokens are kept; all rarer ones become one.
        limit: Characters of the text that are read, or None for all.
        sha256: Of the text that was read; empty until it has been.
    """

    name: str
    vocabulary: int
    limit: int | None = None
    sha256: str = ""


@dataclass(frozen=True)
class Evaluation:
    """When and on how much held-out text the loss is taken.

    Attributes:
        sequences: Number of sequences, the same for every arm, seed and step.
        spacing: Pairs (until, every): up to step `until` the loss is taken every `every` steps.
    """

    sequences: int
    spacing: tuple[tuple[int, int], ...]

    def steps(self, total: int) -> tuple[int, ...]:
        """Return the steps at which the held-out loss is taken: 0, those of the spacing, and the last."""
        found, at = [0], 0
        for until, every in self.spacing:
            while at + every <= min(until, total):
                at += every
                found.append(at)
        return tuple(found) if found[-1] == total else (*found, total)


@dataclass(frozen=True)
class Task:
    """One run, complete: what it computes follows from this, the machine and the number of threads alone.

    Attributes:
        model: The model that is trained.
        optimizer: How.
        data: On what.
        steps: Number of updates.
        batch: Sequences an update.
        evaluation: When the held-out loss is taken.
        seed: Of the parameters and of the order of the data.
        precision: Of the matrix products; parameters and sums stay in fp32.
        teacher: SHA-256 of the teacher's configuration, where the loss is the KL divergence to a teacher.
    """

    model: Model
    optimizer: Optimizer
    data: Data
    steps: int
    batch: int
    evaluation: Evaluation
    seed: int = 0
    precision: Literal["fp32", "bf16"] = "fp32"
    teacher: str | None = None

    @property
    def sha256(self) -> str:
        """The hash of the configuration, in hexadecimal."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class Arm:
    """One curve of the experiment.

    Attributes:
        name: Short, as in file names and on the command line.
        series: The legend's text in the published figure; a name in its style for an ablation.
        role: "published" or "ablation".
        model: Its model.
    """

    name: str
    series: str
    role: Role
    model: Model


@dataclass(frozen=True)
class Difference:
    """One way in which the rerun is not what was published.

    Attributes:
        what: Of what.
        published: What was published; "not stated" where the source does not say.
        ours: What was run.
        why: The reason.
    """

    what: str
    published: str
    ours: str
    why: str


@dataclass(frozen=True)
class Experiment:
    """An experiment at a scale.

    Attributes:
        name: The experiment's name.
        figure: Stem of the figure that it reruns.
        scale: The scale's name.
        arms: Its arms, the published ones first.
        task: What all arms share; model, rate and seed are replaced for each.
        seeds: Seeds an arm.
        rates: Learning rates; all arms are compared at the first.
        sweep_seeds: How many of the seeds are run at the other rates.
        y: What the curves show, with its unit.
        summed: Whether the curves' loss is summed over the tokens of a sequence rather than averaged.
        teacher: The run that trains the teacher, or None.
    """

    name: str
    figure: str
    scale: str
    arms: tuple[Arm, ...]
    task: Task
    seeds: tuple[int, ...]
    rates: tuple[float, ...]
    sweep_seeds: int
    y: str
    summed: bool = False
    teacher: Task | None = None

    @property
    def y_factor(self) -> int:
        """By what the loss a token is multiplied in the curves."""
        return self.task.model.context if self.summed else 1


@dataclass(frozen=True)
class Cell:
    """One run of the grid arms x rates x seeds.

    Attributes:
        arm: The arm, with the rate appended unless it is the shared one: "svd_ln@lr=1e-3".
        series: The legend's text, likewise.
        role: The arm's role.
        rate: The learning rate.
        task: The run.
    """

    arm: str
    series: str
    role: Role
    rate: float
    task: Task

    @property
    def folder(self) -> str:
        """Its folder inside the experiment's."""
        return f"{self.arm}/seed{self.task.seed}"


def format_rate(rate: float) -> str:
    """Return a learning rate in its shortest form: 4e-4."""
    return np.format_float_scientific(rate, trim="-", exp_digits=1)


def cells(experiment: Experiment) -> tuple[Cell, ...]:
    """Return the grid, seed by seed, so that every arm has its first seed early; other rates last."""
    grid = []
    for rate in experiment.rates:
        shared = rate == experiment.rates[0]
        for seed in experiment.seeds if shared else experiment.seeds[: experiment.sweep_seeds]:
            for arm in experiment.arms:
                optimizer = replace(experiment.task.optimizer, rate=rate)
                task = replace(experiment.task, model=arm.model, optimizer=optimizer, seed=seed)
                name = arm.name if shared else f"{arm.name}@lr={format_rate(rate)}"
                series = arm.series if shared else f"{arm.series}, lr {format_rate(rate)}"
                grid.append(Cell(name, series, arm.role, rate, task))
    return tuple(grid)
