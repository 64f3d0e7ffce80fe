"""A teacher's attention as latent attention, by truncated SVD (X-EcoMLA, arXiv:2503.11132)."""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor

from replicate.experiments.config import Latent
from replicate.training.model import Attention, LatentAttention, Transformer


def factor(matrix: Tensor, rank: int, singular_values: Literal["up", "down"]) -> tuple[Tensor, Tensor]:
    """Return the best factors of a rank, down (rank, in) and up (out, rank), with up @ down near the matrix.

    Args:
        matrix: (out, in).
        rank: At most the smaller side.
        singular_values: Which factor takes the singular values; the other is orthonormal.
    """
    left, values, right = torch.linalg.svd(matrix.double(), full_matrices=False)
    left, values, right = left[:, :rank], values[:rank], right[:rank]
    if singular_values == "up":
        left = left * values
    else:
        right = values[:, None] * right
    return right.to(matrix.dtype), left.to(matrix.dtype)


@torch.no_grad()
def convert(student: Transformer, teacher: Transformer) -> None:
    """Copy a teacher into a student, in place; its attention by SVD where the student asks for it.

    With random initialisation the student's attention stays as it was drawn, and the rest is copied.
    """
    theirs = teacher.state_dict()
    shared = {n: theirs[n] for n in student.state_dict() if n in theirs and ".attention." not in n}
    student.load_state_dict(shared, strict=False)
    latent = student.model.latent
    if latent is None or latent.init == "random":
        return
    for mine, other in zip(student.layers, teacher.layers, strict=True):
        if isinstance(mine.attention, LatentAttention) and isinstance(other.attention, Attention):
            _convert_attention(mine.attention, other.attention, latent)


def _convert_attention(mine: LatentAttention, other: Attention, latent: Latent) -> None:
    """Factor one attention: the query, and key and value jointly; the rotary key is the mean over the heads."""
    query, key, value = other.projections.weight.chunk(3)
    down, up = factor(query, latent.query_rank, latent.singular_values)
    mine.query_down.weight.copy_(down)
    mine.query_up.weight.copy_(up)
    down, up = factor(torch.cat((key, value)), latent.key_value_rank, latent.singular_values)
    heads = (mine.heads, mine.size, -1)
    key_up, value_up = (half.view(heads) for half in up.chunk(2))
    turned = key.view(heads)[:, mine.plain :].mean(dim=0)
    mine.key_value_down.weight.copy_(torch.cat((down, turned)))
    mine.key_value_up.weight.copy_(torch.cat((key_up[:, : mine.plain], value_up), dim=1).flatten(0, 1))
    mine.output.weight.copy_(other.output.weight)
