"""The configurations of the experiments."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import pytest

from replicate import experiments
from replicate.errors import InputError
from replicate.experiments.config import Evaluation, Optimizer, cells, format_rate
from replicate.training.rerun import Choice, configure

EVERY = [(n, s) for n in experiments.names() for s in experiments.scales(n)]


def test_the_names_are_those_documented() -> None:
    assert experiments.names() == ("small_init_emb", "svd_init")
    assert experiments.scales("small_init_emb") == ("smoke", "quick", "local", "paper")


@pytest.mark.parametrize(("name", "scale"), EVERY)
def test_every_configuration_is_complete_and_plain(name: str, scale: str) -> None:
    experiment = experiments.get(name, scale)
    assert (experiment.name, experiment.scale) == (name, scale)
    assert json.loads(json.dumps(asdict(experiment)))["task"]["steps"] == experiment.task.steps
    told = {d.what: d for d in experiments.differences(experiment)}
    assert told["steps"].ours == f"{experiment.task.steps:,}"
    assert all(d.published and d.ours and d.why for d in told.values())


def test_the_published_arms_have_the_legends_names() -> None:
    published = {
        n: {a.name: a.series for a in experiments.get(n, "quick").arms if a.role == "published"}
        for n in experiments.names()
    }
    assert published == {
        "small_init_emb": {"baseline": "Baseline", "small_init_emb": "Small Init Emb"},
        "svd_init": {
            "svd_ln": "Loss with SVD init, w/ LN",
            "svd_no_ln": "Loss with SVD init, w/o LN",
            "random_init": "Loss with random init",
        },
    }


def test_quick_has_three_seeds_and_a_smooth_curve() -> None:
    for name in experiments.names():
        experiment = experiments.get(name, "quick")
        steps = experiment.task.evaluation.steps(experiment.task.steps)
        assert len(experiment.seeds) == 3 and len(steps) >= 40
        assert steps[0] == 0 and steps[-1] == experiment.task.steps and len(set(steps)) == len(steps)


def test_the_two_factors_of_small_init_are_taken_apart() -> None:
    factors = {
        a.name: (a.model.embedding_init, a.model.embedding_norm)
        for a in experiments.get("small_init_emb").arms
    }
    assert factors == {
        "baseline": ("normal", False),
        "small_init_emb": ("uniform", True),
        "layernorm_only": ("normal", True),
        "small_init_only": ("uniform", False),
    }


def test_evaluation_is_dense_first() -> None:
    evaluation = Evaluation(sequences=1, spacing=((10, 5), (40, 10)))
    assert evaluation.steps(33) == (0, 5, 10, 20, 30, 33)
    assert evaluation.steps(40) == (0, 5, 10, 20, 30, 40)


def test_the_rate_warms_up_and_falls_as_a_cosine() -> None:
    optimizer = Optimizer(1.0, schedule="cosine", final_share=0.1, warmup_share=0.1)
    rates = [optimizer.rate_at(step, 100) for step in range(101)]
    assert rates[0] == pytest.approx(1 / 11) and rates[9] == pytest.approx(10 / 11)
    assert rates[10] == 1.0 and rates[55] == pytest.approx(0.55) and rates[100] == pytest.approx(0.1)
    assert Optimizer(0.3).rate_at(50, 100) == 0.3


def test_rates_are_written_short() -> None:
    assert [format_rate(r) for r in (4e-4, 1.6e-3, 0.001, 1.0)] == ["4e-4", "1.6e-3", "1e-3", "1e+0"]


def test_the_grid_runs_the_shared_rate_with_every_seed_first() -> None:
    chosen = configure("svd_init", "smoke", Choice(arms=("svd_ln", "svd_no_ln"), seeds=(0, 1)))
    grid = cells(replace(chosen, rates=(1e-3, 4e-4), sweep_seeds=1))
    assert [c.folder for c in grid] == [
        "svd_ln/seed0",
        "svd_no_ln/seed0",
        "svd_ln/seed1",
        "svd_no_ln/seed1",
        "svd_ln@lr=4e-4/seed0",
        "svd_no_ln@lr=4e-4/seed0",
    ]
    assert grid[4].series == "Loss with SVD init, w/ LN, lr 4e-4" and grid[4].task.optimizer.rate == 4e-4
    assert len({c.task.sha256 for c in grid}) == 6


def test_choices_of_a_person() -> None:
    own = experiments.get("small_init_emb", "smoke").rates[0]
    chosen = configure("small_init_emb", "smoke", Choice(("all",), (5, 5, 7), (1e-2, own), "stdlib"))
    assert len(chosen.arms) == 4 and chosen.seeds == (5, 7) and chosen.rates == (own, 1e-2)
    assert chosen.task.data.name == "stdlib" and chosen.task.data.limit is None
    assert chosen.sweep_seeds >= 2
    other = configure("small_init_emb", "smoke", Choice(rates=(1e-2, 1e-3)))
    assert other.task.optimizer.rate == other.rates[0] == 1e-2
    assert [a.name for a in other.arms] == ["baseline", "small_init_emb"]
    assert configure("svd_init", "smoke", Choice(data="x.txt")).teacher.data.name == "x.txt"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("nothing",), "unknown experiment 'nothing'; there are: small_init_emb, svd_init"),
        (("svd_init", "paper"), "svd_init has no scale 'paper'; there are: smoke, quick, local"),
        (
            ("svd_init", "smoke", Choice(arms=("baseline",))),
            "svd_init has no arm 'baseline'; there are: svd_ln, svd_no_ln, random_init, all",
        ),
        (
            ("svd_init", "smoke", Choice(rates=(0.0,))),
            "a learning rate must be greater than 0 and finite; give --lr like 1e-4,4e-4",
        ),
        (("svd_init", "smoke", Choice(seeds=(-1,))), "a seed must not be negative; give --seeds like 0,1,2"),
    ],
)
def test_what_does_not_exist_is_said_with_what_does(arguments: tuple[str, ...], line: str) -> None:
    with pytest.raises(InputError) as caught:
        configure(*arguments)  # type: ignore[arg-type]
    assert str(caught.value) == line
