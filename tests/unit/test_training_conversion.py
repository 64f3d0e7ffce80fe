"""Attention to latent attention."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pytest
import torch

from replicate.experiments.config import Latent, Model
from replicate.training.conversion import convert, factor
from replicate.training.model import Transformer, initialise

TEACHER = Model(vocabulary=40, width=16, layers=2, heads=1, context=10, hidden=24)
FULL = Latent(query_rank=16, key_value_rank=16, norm=False, init="svd")


def build(model: Model, seed: int) -> Transformer:
    transformer = Transformer(model)
    initialise(transformer, seed)
    return transformer


def student_of(teacher: Transformer, latent: Latent) -> Transformer:
    student = build(replace(teacher.model, latent=latent), seed=9)
    convert(student, teacher)
    return student


@pytest.mark.parametrize("place", ["up", "down"])
def test_factors_of_full_rank_are_exact(place: Literal["up", "down"]) -> None:
    matrix = torch.randn(24, 10, generator=torch.Generator().manual_seed(0))
    down, up = factor(matrix, 10, place)
    assert down.shape == (10, 10) and up.shape == (24, 10)
    torch.testing.assert_close(up @ down, matrix)
    orthonormal = down @ down.T if place == "up" else up.T @ up
    torch.testing.assert_close(orthonormal, torch.eye(10), atol=1e-6, rtol=0)


def test_truncation_loses_the_singular_values_left_out_and_no_more() -> None:
    """Eckart and Young: the error of the best approximation is the norm of the dropped singular values."""
    matrix = torch.randn(12, 8, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    down, up = factor(matrix, 5, "up")
    dropped = torch.linalg.svdvals(matrix)[5:]
    torch.testing.assert_close(torch.linalg.norm(matrix - up @ down), torch.linalg.norm(dropped))


@pytest.mark.parametrize("place", ["up", "down"])
def test_a_student_of_full_rank_and_one_head_is_its_teacher(place: Literal["up", "down"]) -> None:
    """With one head the shared rotary key is no approximation either."""
    teacher = build(TEACHER, seed=1)
    student = student_of(teacher, replace(FULL, singular_values=place))
    tokens = torch.arange(10)[None]
    torch.testing.assert_close(student(tokens), teacher(tokens), atol=1e-5, rtol=1e-5)


def test_with_more_heads_the_rotary_key_is_their_mean() -> None:
    teacher = build(replace(TEACHER, heads=4), seed=2)
    student = student_of(teacher, FULL)
    key = teacher.get_parameter("blocks.1.attention.projections.weight")[16:32]
    expected = key.view(4, 4, 16)[:, 2:].mean(dim=0)
    torch.testing.assert_close(
        student.get_parameter("blocks.1.attention.key_value_down.weight")[16:], expected
    )


def test_all_but_the_attention_is_copied_and_random_keeps_its_own() -> None:
    teacher = build(TEACHER, seed=3)
    student = student_of(teacher, replace(FULL, init="random"))
    drawn = dict(build(student.model, seed=9).named_parameters())
    theirs = dict(teacher.named_parameters())
    for name, parameter in student.named_parameters():
        expected = drawn[name] if ".attention." in name else theirs[name]
        assert torch.equal(parameter, expected), name
    assert any(".attention.output" in n for n in drawn)
