"""Attention converted to latent attention by SVD, trained by KL to its teacher (X-EcoMLA, arXiv:2503.11132).

The teacher is the baseline of small_init_emb at the same scale. Its query projection, and its key and value
projections jointly, are factored by truncated SVD into a down and an up projection; everything else is copied.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from replicate.experiments import small_init_emb
from replicate.experiments.config import (
    Arm,
    Difference,
    Evaluation,
    Experiment,
    Latent,
    Model,
    Optimizer,
)

NAME = "svd_init"
Y = "KL divergence to the teacher, nats, summed over the {context} tokens of a sequence"
QUERY_SHARE = (
    864 / 2048
)  # the published ranks as shares of the width (query) and of the full rank (keys and values)
KEY_VALUE_SHARE = 512 / 1024


def arms(teacher: Model) -> tuple[Arm, ...]:
    """Return the three published arms for a teacher."""
    ranks = round(teacher.width * QUERY_SHARE), round(teacher.width * KEY_VALUE_SHARE)

    def student(*, norm: bool, random: bool = False) -> Model:
        return replace(teacher, latent=Latent(*ranks, norm=norm, init="random" if random else "svd"))

    return (
        Arm("svd_ln", "Loss with SVD init, w/ LN", "published", student(norm=True)),
        Arm("svd_no_ln", "Loss with SVD init, w/o LN", "published", student(norm=False)),
        Arm("random_init", "Loss with random init", "published", student(norm=True, random=True)),
    )


def smoke() -> Experiment:
    """Return the smallest scale: seconds, for tests."""
    evaluation = Evaluation(sequences=8, spacing=((10, 2), (30, 4)))
    return _experiment("smoke", small_init_emb.smoke(), 30, 4, evaluation, seeds=(0, 1), rates=(1e-3,))


def quick() -> Experiment:
    """Return the scale of `make audit`: minutes on two processor cores."""
    evaluation = Evaluation(sequences=16, spacing=((40, 2), (100, 3)))
    rates = (4e-4, 1e-4, 1.6e-3)
    return _experiment("quick", small_init_emb.quick(), 100, 4, evaluation, seeds=(0, 1, 2), rates=rates)


def local() -> Experiment:
    """Return the closest code's model as the teacher: an evening on a laptop, minutes on a GPU."""
    evaluation = Evaluation(sequences=32, spacing=((100, 5), (2000, 50)))
    rates = (8e-5, 4e-4, 2e-3)
    return _experiment("local", small_init_emb.local(), 2000, 8, evaluation, seeds=(0, 1, 2), rates=rates)


def _experiment(
    scale: str,
    source: Experiment,
    steps: int,
    batch: int,
    evaluation: Evaluation,
    seeds: tuple[int, ...],
    rates: tuple[float, ...],
) -> Experiment:
    """Return the experiment whose teacher is the baseline of `source`."""
    optimizer = Optimizer(
        rates[0], betas=(0.9, 0.98), schedule="cosine", final_share=0.0, warmup_share=0.01, weight_decay=0.0
    )
    teacher = source.task
    found = arms(teacher.model)
    task = replace(
        teacher, model=found[0].model, optimizer=optimizer, steps=steps, batch=batch, evaluation=evaluation
    )
    return Experiment(
        name=NAME,
        figure="fig1",
        scale=scale,
        arms=found,
        task=task,
        seeds=seeds,
        rates=rates,
        sweep_seeds=1,
        y=Y.format(context=task.model.context),
        summed=True,
        teacher=teacher,
    )


def differences(experiment: Experiment) -> tuple[Difference, ...]:
    """Return every way in which the experiment is not what was published."""
    task, rates, seeds = experiment.task, experiment.rates, len(experiment.seeds)
    teacher = experiment.teacher or task
    model, latent = task.model, task.model.latent or Latent(0, 0, norm=False, init="svd")
    size = f"own model: {model.layers} layers, width {model.width}, trained {teacher.steps:,} steps"
    ranks = f"query {latent.query_rank}, key/value {latent.key_value_rank}; head {model.width // model.heads}"
    time = "time, and no download"
    return (
        Difference(
            "teacher and student",
            "Llama-3.2-1B-Instruct",
            size,
            f"{time}; a teacher trained so shortly has attention near low rank, which SVD reproduces closely",
        ),
        Difference(
            "ranks",
            "query about 864, key/value 512; head 32 + 32",
            f"{ranks}, half rotary",
            "the same shares",
        ),
        Difference("steps", "17,500", f"{task.steps:,}", "time"),
        Difference(
            "batch",
            "96 in the text, 192 in the code; sequences of 2,048",
            f"{task.batch} sequences of {model.context}",
            "time",
        ),
        Difference(
            "learning rate",
            "8e-5, cosine, 1 % warm-up",
            f"{', '.join(f'{r:g}' for r in rates)}, cosine, 1 % warm-up",
            "a small model takes higher rates; the order of the arms may depend on the rate",
        ),
        Difference("data", "one epoch of instruction data", task.data.name, time),
        Difference("precision", "bf16", task.precision, "exact to resume on any processor"),
        Difference(
            "loss",
            "summed over 2,048 tokens; training",
            f"summed over {model.context} tokens; held-out",
            "the published unit at our context; divide by it for nats a token",
        ),
        Difference("seeds", "not stated", f"{seeds}, paired by the order of the data", "to know the spread"),
        Difference(
            "singular values",
            "in the up factor in the text, in the down factor in the code",
            f"in the {latent.singular_values} factor",
            "the text",
        ),
        Difference(
            "LayerNorm in the random arm", "not stated", "RMSNorm on the latents", "as in the SVD arm w/ LN"
        ),
        Difference(
            "random initialisation",
            "default initialisation; which one is not stated",
            "uniform in ±1/√fan-in, the output projection too",
            "PyTorch's default",
        ),
    )


SCALES: Mapping[str, Callable[[], Experiment]] = {"smoke": smoke, "quick": quick, "local": local}
