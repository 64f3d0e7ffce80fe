"""The fused losses against PyTorch's own."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812

from replicate.training import losses


def leaves(rows: int, width: int, vocabulary: int, seed: int) -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(seed)
    hidden = torch.randn(rows, width, generator=generator).requires_grad_()
    head = torch.randn(vocabulary, width, generator=generator).requires_grad_()
    return hidden, head


@pytest.mark.parametrize("rows", [1, 7, 256, 600])
def test_cross_entropy_and_gradients_equal_the_plain_ones(rows: int) -> None:
    hidden, head = leaves(rows, 16, 50, seed=rows)
    target = torch.randint(0, 50, (rows,), generator=torch.Generator().manual_seed(1))
    plain = F.cross_entropy(hidden @ head.T, target)
    expected = torch.autograd.grad(plain, (hidden, head))
    fused = losses.cross_entropy(hidden, head, target)
    found = torch.autograd.grad(fused, (hidden, head))
    torch.testing.assert_close(fused, plain, rtol=1e-6, atol=0)
    for ours, theirs in zip(found, expected, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-7)


def test_a_gradient_from_above_scales() -> None:
    hidden, head = leaves(5, 4, 9, seed=0)
    target = torch.arange(5)
    (once,) = torch.autograd.grad(losses.cross_entropy(hidden, head, target), hidden)
    (thrice,) = torch.autograd.grad(3 * losses.cross_entropy(hidden, head, target), hidden)
    torch.testing.assert_close(thrice, 3 * once)


def test_an_impossible_target_costs_its_whole_logit() -> None:
    """The probability underflows to zero; its logarithm does not."""
    hidden, head = torch.tensor([[1.0]]), torch.tensor([[0.0], [500.0]])
    assert losses.cross_entropy(hidden, head, torch.tensor([0])).item() == 500.0


def test_untrained_head_costs_the_logarithm_of_the_vocabulary() -> None:
    loss = losses.cross_entropy(torch.ones(3, 2), torch.zeros(8192, 2), torch.tensor([0, 5, 8191]))
    assert loss.item() == pytest.approx(math.log(8192), rel=1e-6)


@pytest.mark.parametrize("rows", [3, 300])
def test_divergence_and_gradients_equal_the_plain_ones(rows: int) -> None:
    hidden, head = leaves(rows, 8, 30, seed=2)
    taught, teacher = (t.detach() for t in leaves(rows, 12, 30, seed=3))
    wished = F.log_softmax(taught @ teacher.T, dim=-1)
    plain = F.kl_div(F.log_softmax(hidden @ head.T, dim=-1), wished, log_target=True, reduction="batchmean")
    expected = torch.autograd.grad(plain, (hidden, head))
    fused = losses.divergence(hidden, head, taught, teacher)
    found = torch.autograd.grad(fused, (hidden, head))
    torch.testing.assert_close(fused, plain, rtol=1e-5, atol=0)
    for ours, theirs in zip(found, expected, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-6)


def test_divergence_from_itself_is_zero() -> None:
    hidden, head = (t.detach() for t in leaves(10, 4, 20, seed=4))
    assert losses.divergence(hidden, head, hidden, head).item() == 0.0


def test_no_gradient_is_computed_in_inference() -> None:
    hidden, head = leaves(4, 3, 5, seed=5)
    with torch.inference_mode():
        loss = losses.cross_entropy(hidden, head, torch.arange(4))
    assert not loss.requires_grad
