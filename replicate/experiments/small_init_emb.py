"""Small initialisation of the embedding, with a LayerNorm right after it (RWKV paper, arXiv:2305.13048, appendix F).

The paper's figure leaves the model open. The reruns take that of the closest published code (BlinkDL/SmallInitEmb):
rotary attention on half of each head, gated GELU feed-forward, untied head, pre-LN, AdamW (0.9, 0.99).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from replicate.experiments.config import Arm, Data, Difference, Evaluation, Experiment, Model, Optimizer, Task

NAME = "small_init_emb"
SMALL = 1e-4  # half the range of the small embedding
Y = "cross-entropy of the next token, nats"


def arms(baseline: Model) -> tuple[Arm, ...]:
    """Return the two published arms, and the two that take them apart: LayerNorm alone, initialisation alone."""
    normed = replace(baseline, embedding_norm=True)
    small = replace(baseline, embedding_init="uniform", embedding_scale=SMALL)
    return (
        Arm("baseline", "Baseline", "published", baseline),
        Arm("small_init_emb", "Small Init Emb", "published", replace(small, embedding_norm=True)),
        Arm("layernorm_only", "LayerNorm only", "ablation", normed),
        Arm("small_init_only", "Small Init Emb, w/o LayerNorm", "ablation", small),
    )


def smoke() -> Experiment:
    """Return the smallest scale: seconds, for tests."""
    model = Model(vocabulary=512, width=32, layers=2, heads=2, context=32, hidden=64)
    data = Data("bible", vocabulary=512, limit=200_000)
    evaluation = Evaluation(sequences=8, spacing=((10, 2), (40, 5)))
    task = Task(model, Optimizer(rate=2e-3), data, steps=40, batch=4, evaluation=evaluation)
    return _experiment("smoke", task, seeds=(0, 1))


def quick() -> Experiment:
    """Return the scale of `make audit`: minutes on two processor cores."""
    model = Model(vocabulary=8192, width=128, layers=4, heads=4, context=64, hidden=384)
    data = Data("bible", vocabulary=8192)
    evaluation = Evaluation(sequences=32, spacing=((100, 5), (320, 11)))
    task = Task(model, Optimizer(rate=4e-4), data, steps=320, batch=8, evaluation=evaluation)
    return _experiment("quick", task, seeds=(0, 1, 2))


def local() -> Experiment:
    """Return the configuration of the closest code: an evening on a laptop, minutes on a GPU."""
    model = Model(vocabulary=50257, width=512, layers=6, heads=8, context=512, hidden=1536)
    data = Data("bible", vocabulary=50257)
    optimizer = Optimizer(rate=4e-4, schedule="cosine")
    evaluation = Evaluation(sequences=32, spacing=((100, 10), (1000, 50), (5000, 100)))
    task = Task(model, optimizer, data, steps=5000, batch=8, evaluation=evaluation, precision="bf16")
    return _experiment("local", task, seeds=(0, 1, 2))


def paper() -> Experiment:
    """Return what was published, literally, with the closest code's values where nothing was stated."""
    base = local()
    evaluation = Evaluation(sequences=64, spacing=((1000, 50), (50_000, 500)))
    data = Data("", vocabulary=50257)  # not stated; it has to be given
    task = replace(base.task, steps=50_000, batch=400, data=data, evaluation=evaluation)
    return _experiment("paper", task, seeds=(0,))


def _experiment(scale: str, task: Task, seeds: tuple[int, ...]) -> Experiment:
    """Return the experiment around a task."""
    return Experiment(
        name=NAME,
        figure="fig2",
        scale=scale,
        arms=arms(task.model),
        task=task,
        seeds=seeds,
        rates=(task.optimizer.rate,),
        sweep_seeds=1,
        y=Y,
    )


def differences(experiment: Experiment) -> tuple[Difference, ...]:
    """Return every way in which the experiment is not what was published."""
    task, seeds = experiment.task, len(experiment.seeds)
    model, optimizer = task.model, task.optimizer
    not_stated, closest = "not stated", "the closest published code, where time allows"
    size = f"{model.layers} layers, width {model.width}, {model.heads} heads, gated GELU, rotary, pre-LN"
    schedule = f"AdamW {optimizer.betas}, {optimizer.rate:g} {optimizer.schedule}, clip {optimizer.clip:g}"
    return (
        Difference(
            "steps", "50,000 on the axis", f"{task.steps:,}", "time; the unit of a step is not stated"
        ),
        Difference(
            "batch", "400, unit not stated", f"{task.batch} sequences of {model.context} tokens", "time"
        ),
        Difference("model", not_stated, size, closest),
        Difference("vocabulary", not_stated, f"{model.vocabulary:,} GPT-2 tokens", closest),
        Difference("data", not_stated, task.data.name or "given by --data", "the same on every machine"),
        Difference("optimiser", not_stated, schedule, closest),
        Difference(
            "loss", "training or held-out: not stated", "held-out", "it is what is claimed to improve"
        ),
        Difference("seeds", not_stated, f"{seeds}, paired by the order of the data", "to know the spread"),
        Difference(
            "small embedding",
            "normal in the text, U(-1e-4, 1e-4) in its appendix and code",
            f"U(-{SMALL:g}, {SMALL:g})",
            "the appendix and the code agree",
        ),
        Difference(
            "baseline's embedding", "N(0, 0.02²)", f"N(0, {model.embedding_scale:g}²)", "as published"
        ),
        Difference(
            "LayerNorm after the embedding",
            "in the small-embedding arm; of the baseline not stated",
            "in the small-embedding arm alone",
            "the closest code; the ablations take both factors apart",
        ),
    )


SCALES: Mapping[str, Callable[[], Experiment]] = {
    "smoke": smoke,
    "quick": quick,
    "local": local,
    "paper": paper,
}
