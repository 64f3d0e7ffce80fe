"""The transformer and its initialisation."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
import torch

from replicate.experiments.config import Latent, Model
from replicate.training.losses import cross_entropy
from replicate.training.model import Rotary, Transformer, decayed, initialise

PLAIN = Model(vocabulary=64, width=16, layers=2, heads=2, context=12, hidden=24)
LATENT = replace(PLAIN, latent=Latent(6, 8, norm=True, init="random"))
SMALL = replace(PLAIN, embedding_init="uniform", embedding_scale=1e-4, embedding_norm=True)
POST = replace(SMALL, norm="post", embedding_norm=False)


def build(model: Model, seed: int = 0) -> Transformer:
    transformer = Transformer(model)
    initialise(transformer, seed)
    return transformer


@pytest.mark.parametrize("model", [PLAIN, LATENT, SMALL, POST], ids=["plain", "latent", "small", "post"])
def test_no_token_sees_the_ones_after_it(model: Model) -> None:
    transformer = build(model)
    tokens = torch.arange(12)[None]
    other = tokens.clone()
    other[0, 7:] = 60
    one, changed = transformer(tokens), transformer(other)
    assert one.shape == (12, 16)
    torch.testing.assert_close(one[:7], changed[:7])
    assert not torch.allclose(one[7:], changed[7:])


def test_a_rotary_product_depends_on_the_distance_alone() -> None:
    rotary = Rotary(8, 20)
    query, key = torch.randn(2, 8, generator=torch.Generator().manual_seed(0))
    turned_query, turned_key = rotary(query.expand(20, 8)), rotary(key.expand(20, 8))
    products = turned_query @ turned_key.T
    torch.testing.assert_close(products.diagonal(3), products[0, 3].expand(17))
    assert abs(products[0, 3] - products[0, 4]) > 1e-3
    torch.testing.assert_close(products[0, 0], query @ key)


def test_arms_of_one_seed_share_what_they_do_not_treat_differently() -> None:
    baseline, small = dict(build(PLAIN).named_parameters()), dict(build(SMALL).named_parameters())
    assert set(small) - set(baseline) == {"embedding_norm.weight", "embedding_norm.bias"}
    apart = [n for n, p in baseline.items() if not torch.equal(p, small[n])]
    assert apart == ["embedding.weight"]
    other = dict(build(PLAIN, seed=1).named_parameters())
    assert not torch.equal(baseline["output.weight"], other["output.weight"])


def test_the_two_embeddings_are_drawn_as_published() -> None:
    wide = {"vocabulary": 4000, "width": 32}
    normal = build(replace(PLAIN, **wide)).embedding.weight
    uniform = build(replace(SMALL, **wide)).embedding.weight
    assert normal.std().item() == pytest.approx(0.02, rel=0.01)
    assert uniform.abs().max().item() <= 1e-4
    assert uniform.std().item() == pytest.approx(1e-4 / math.sqrt(3), rel=0.01)


def test_projections_of_latent_attention_take_the_default_of_a_linear_layer() -> None:
    weight = build(replace(LATENT, width=256)).get_parameter("blocks.0.attention.query_down.weight")
    assert weight.abs().max().item() == pytest.approx(1 / 16, rel=0.02)


@pytest.mark.parametrize("model", [PLAIN, SMALL, POST])
def test_an_untrained_model_starts_at_the_logarithm_of_its_vocabulary(model: Model) -> None:
    transformer = build(model)
    tokens = torch.arange(13)
    loss = cross_entropy(transformer(tokens[None, :-1]), transformer.head, tokens[1:])
    assert loss.item() == pytest.approx(math.log(64), abs=0.15)


def test_a_tied_head_is_the_embedding() -> None:
    tied = build(replace(PLAIN, tied_head=True))
    assert tied.head is tied.embedding.weight
    assert "output.weight" not in dict(tied.named_parameters())


def test_embedding_head_and_norms_do_not_decay() -> None:
    found = decayed(dict(build(replace(SMALL, layers=1)).named_parameters()))
    assert found == {
        "blocks.0.attention.projections.weight",
        "blocks.0.attention.output.weight",
        "blocks.0.feed.inner.weight",
        "blocks.0.feed.outer.weight",
    }
