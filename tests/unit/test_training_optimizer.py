"""AdamW against PyTorch's own class."""

from __future__ import annotations

import torch
from torch import nn

from replicate.experiments.config import Optimizer
from replicate.training.optimizer import AdamW

SETTINGS = Optimizer(rate=0.1, betas=(0.8, 0.95), epsilon=1e-6, weight_decay=0.3)


def parameters() -> dict[str, nn.Parameter]:
    generator = torch.Generator().manual_seed(0)
    return {name: nn.Parameter(torch.randn(3, 5, generator=generator)) for name in ("matrix", "embedding")}


def put_gradients(named: dict[str, nn.Parameter], step: int) -> None:
    generator = torch.Generator().manual_seed(step)
    for parameter in named.values():
        parameter.grad = torch.randn(3, 5, generator=generator)


def test_updates_equal_those_of_pytorch() -> None:
    ours, theirs = parameters(), parameters()
    optimizer = AdamW(ours.items(), {"matrix"}, SETTINGS)
    groups = [
        {"params": [theirs["matrix"]], "weight_decay": 0.3},
        {"params": [theirs["embedding"]], "weight_decay": 0.0},
    ]
    other = torch.optim.AdamW(groups, lr=0.1, betas=(0.8, 0.95), eps=1e-6)
    for step in range(5):
        rate = 0.1 / (step + 1)
        put_gradients(ours, step)
        put_gradients(theirs, step)
        for group in other.param_groups:
            group["lr"] = rate
        optimizer.update(rate)
        other.step()
    for name, parameter in ours.items():
        torch.testing.assert_close(parameter, theirs[name])
        assert parameter.grad is None


def test_the_state_can_be_taken_up() -> None:
    ours, again = parameters(), parameters()
    optimizer = AdamW(ours.items(), {"matrix"}, SETTINGS)
    put_gradients(ours, 0)
    optimizer.update(0.1)
    resumed = AdamW(again.items(), {"matrix"}, SETTINGS)
    resumed.restore(optimizer.state())
    assert set(resumed.state()) == {f"{n}.{p}" for n in ours for p in ("mean", "square", "step")}
    with torch.no_grad():
        for name, parameter in again.items():
            parameter.copy_(ours[name])
    for named, adam in ((ours, optimizer), (again, resumed)):
        put_gradients(named, 1)
        adam.update(0.1)
    assert all(torch.equal(ours[n], again[n]) for n in ours)
