"""Linear layer and loss in one, in chunks of rows: the logits of the whole batch are never held.

Forward computes the gradients as well, since the softmax of a chunk is at hand only then; backward scales them.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

ROWS = 256  # of a chunk: large enough for full speed of the matrix product, small enough to stay in the cache


class _LinearLoss(torch.autograd.Function):
    """Mean loss over rows of softmax(hidden @ head.T), with the gradients of hidden and head."""

    @staticmethod
    def forward(
        ctx: Any, hidden: Tensor, head: Tensor, target: Tensor, teacher: Tensor | None, wanted: bool
    ) -> Tensor:
        """Return the mean loss, a scalar; see `cross_entropy` and `divergence`. Gradients only where wanted."""
        d_hidden = torch.empty_like(hidden) if wanted else None
        d_head = torch.zeros_like(head, dtype=torch.float32) if wanted else None
        total = torch.zeros((), dtype=torch.float64, device=hidden.device)
        for start in range(0, len(hidden), ROWS):
            part = slice(start, start + ROWS)
            scores = torch.log_softmax(_logits(hidden[part], head), dim=-1)
            if teacher is None:
                wished = target[part, None]
                total -= scores.gather(1, wished).sum(dtype=torch.float64)
                excess = scores.exp_()
                excess.scatter_add_(1, wished, excess.new_full(wished.shape, -1.0))
            else:
                wished = torch.log_softmax(_logits(target[part], teacher), dim=-1)
                shares = wished.exp()
                total += wished.sub_(scores).mul_(shares).sum(dtype=torch.float64)
                excess = scores.exp_().sub_(shares)
            if d_hidden is not None and d_head is not None:
                excess = excess.div_(len(hidden)).to(head.dtype)
                torch.mm(excess, head, out=d_hidden[part])
                if head.dtype == torch.float32:
                    d_head.addmm_(excess.T, hidden[part])
                else:  # the sum over chunks stays in fp32
                    d_head += torch.mm(excess.T, hidden[part])
        if d_hidden is not None and d_head is not None:
            ctx.save_for_backward(d_hidden, d_head.to(head.dtype))
        return (total / len(hidden)).float()

    @staticmethod
    def backward(ctx: Any, scale: Tensor) -> tuple[Tensor, Tensor, None, None, None]:
        """Return the gradients of hidden and head."""
        d_hidden, d_head = ctx.saved_tensors
        return d_hidden * scale, d_head * scale, None, None, None


def _logits(hidden: Tensor, head: Tensor) -> Tensor:
    """Return the logits of a chunk in fp32, (rows, vocabulary)."""
    return torch.mm(hidden, head.T).float()


def cross_entropy(hidden: Tensor, head: Tensor, target: Tensor) -> Tensor:
    """Return the mean cross-entropy, nats a row, a scalar.

    Args:
        hidden: (rows, width).
        head: (vocabulary, width), of the dtype of hidden.
        target: (rows,) int64.
    """
    loss: Tensor = _LinearLoss.apply(  # type: ignore[no-untyped-call]
        hidden, head, target, None, torch.is_grad_enabled()
    )
    return loss


def divergence(hidden: Tensor, head: Tensor, teacher_hidden: Tensor, teacher_head: Tensor) -> Tensor:
    """Return the mean KL divergence of the student from the teacher, KL(teacher || student), nats a row, a scalar.

    Args:
        hidden: The student's hidden states, (rows, width).
        head: The student's output head, (vocabulary, width), of the dtype of hidden.
        teacher_hidden: (rows, width of the teacher); takes no gradient.
        teacher_head: (vocabulary, width of the teacher); takes no gradient.
    """
    loss: Tensor = _LinearLoss.apply(  # type: ignore[no-untyped-call]
        hidden, head, teacher_hidden, teacher_head, torch.is_grad_enabled()
    )
    return loss
