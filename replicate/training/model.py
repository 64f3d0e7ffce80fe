"""The transformer: rotary attention (plain or latent), gated feed-forward, and where its LayerNorms stand.

Every parameter is drawn from a generator of its own, seeded by the run's seed and the parameter's name, so that two
arms of one seed share every parameter that they do not treat differently.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812  its usual name

from replicate.experiments import config
from replicate.experiments.config import Latent

STANDARD = 0.02  # standard deviation of every matrix but the embedding


class Rotary(nn.Module):
    """Rotary position embedding of the last dimension (Su et al., arXiv:2104.09864), halves paired."""

    cos: Tensor
    sin: Tensor

    def __init__(self, size: int, context: int, base: float = 10_000.0) -> None:
        """Precompute the angles, (context, size / 2)."""
        super().__init__()
        frequencies = base ** (-torch.arange(0, size, 2, dtype=torch.float64) / size)
        angles = torch.outer(torch.arange(context, dtype=torch.float64), frequencies)
        self.register_buffer("cos", angles.cos().float(), persistent=False)
        self.register_buffer("sin", angles.sin().float(), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        """Return x, (..., time, size), turned by its position."""
        cos, sin = self.cos[: x.shape[-2]], self.sin[: x.shape[-2]]
        one, other = x.chunk(2, dim=-1)
        return torch.cat((one * cos - other * sin, one * sin + other * cos), dim=-1)


class Attention(nn.Module):
    """Causal multi-head attention; the latter half of each head is rotary."""

    def __init__(self, model: config.Model) -> None:
        """Create the projections: query, key and value in one matrix, and the output."""
        super().__init__()
        self.heads = model.heads
        self.rotated = model.width // model.heads // 2
        self.projections = nn.Linear(model.width, 3 * model.width, bias=False)
        self.output = nn.Linear(model.width, model.width, bias=False)
        self.rotary = Rotary(self.rotated, model.context)

    def forward(self, x: Tensor) -> Tensor:
        """Return the mixture, (batch, time, width) like x."""
        batch, time, width = x.shape
        parts = self.projections(x).view(batch, time, 3, self.heads, width // self.heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(self._turn(query), self._turn(key), value, is_causal=True)
        out: Tensor = self.output(mixed.transpose(1, 2).reshape(batch, time, width))
        return out

    def _turn(self, x: Tensor) -> Tensor:
        """Return x with its rotary half turned."""
        plain, turned = x[..., : -self.rotated], x[..., -self.rotated :]
        return torch.cat((plain, self.rotary(turned)), dim=-1)


class LatentAttention(nn.Module):
    """Multi-head latent attention (DeepSeek-V2, arXiv:2405.04434).

    Queries, and keys with values, go through a narrow latent. The rotary part of the key is one for all heads
    and comes straight from the input.
    """

    def __init__(self, model: config.Model, latent: Latent) -> None:
        """Create the down and up projections and, where asked for, a norm between them."""
        super().__init__()
        self.heads, self.size = model.heads, model.width // model.heads
        self.rotated = self.size // 2
        self.plain = self.size - self.rotated
        self.rank = latent.key_value_rank
        self.query_down = nn.Linear(model.width, latent.query_rank, bias=False)
        self.query_up = nn.Linear(latent.query_rank, model.width, bias=False)
        self.key_value_down = nn.Linear(model.width, self.rank + self.rotated, bias=False)
        self.key_value_up = nn.Linear(self.rank, self.heads * (self.plain + self.size), bias=False)
        self.output = nn.Linear(model.width, model.width, bias=False)
        norm = nn.RMSNorm if latent.norm else nn.Identity
        self.query_norm, self.key_value_norm = norm(latent.query_rank), norm(self.rank)
        self.rotary = Rotary(self.rotated, model.context)

    def forward(self, x: Tensor) -> Tensor:
        """Return the mixture, (batch, time, width) like x."""
        batch, time, width = x.shape
        query = self.query_up(self.query_norm(self.query_down(x)))
        query = query.view(batch, time, self.heads, self.size).transpose(1, 2)
        query_plain, query_turned = query.split((self.plain, self.rotated), dim=-1)
        latent, turned = self.key_value_down(x).split((self.rank, self.rotated), dim=-1)
        both = self.key_value_up(self.key_value_norm(latent))
        both = both.view(batch, time, self.heads, self.plain + self.size).transpose(1, 2)
        key_plain, value = both.split((self.plain, self.size), dim=-1)
        key_turned = self.rotary(turned)[:, None].expand(-1, self.heads, -1, -1)
        query = torch.cat((query_plain, self.rotary(query_turned)), dim=-1)
        key = torch.cat((key_plain, key_turned), dim=-1)
        mixed = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        out: Tensor = self.output(mixed.transpose(1, 2).reshape(batch, time, width))
        return out


class FeedForward(nn.Module):
    """A GELU gated by a linear part (GEGLU; Shazeer, arXiv:2002.05202)."""

    def __init__(self, width: int, hidden: int) -> None:
        """Create the two inner projections in one matrix, and the outer one."""
        super().__init__()
        self.inner = nn.Linear(width, 2 * hidden, bias=False)
        self.outer = nn.Linear(hidden, width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """Return a tensor of the shape of x."""
        gate, value = self.inner(x).chunk(2, dim=-1)
        out: Tensor = self.outer(F.gelu(gate) * value)
        return out


class Block(nn.Module):
    """Attention and feed-forward, each with its LayerNorm."""

    def __init__(self, model: config.Model) -> None:
        """Create the parts."""
        super().__init__()
        self.post = model.norm == "post"
        self.attention_norm, self.feed_norm = nn.LayerNorm(model.width), nn.LayerNorm(model.width)
        self.attention = LatentAttention(model, model.latent) if model.latent else Attention(model)
        self.feed = FeedForward(model.width, model.hidden)

    def forward(self, x: Tensor) -> Tensor:
        """Return the residual stream after the block, (batch, time, width)."""
        for norm, part in ((self.attention_norm, self.attention), (self.feed_norm, self.feed)):
            if self.post:
                x = norm(x)
                x = x + part(x)
            else:
                x = x + part(norm(x))
        return x


class Transformer(nn.Module):
    """The whole model up to the hidden states; the loss multiplies them by `head` in chunks."""

    def __init__(self, model: config.Model) -> None:
        """Create the model with undrawn parameters; see `initialise`."""
        super().__init__()
        self.model = model
        self.embedding = nn.Embedding(model.vocabulary, model.width)
        self.embedding_norm = nn.LayerNorm(model.width) if model.embedding_norm else nn.Identity()
        self.blocks = nn.Sequential(*(Block(model) for _ in range(model.layers)))
        self.last_norm = nn.LayerNorm(model.width)
        if not model.tied_head:
            self.output = nn.Linear(model.width, model.vocabulary, bias=False)

    @property
    def layers(self) -> list[Block]:
        """The blocks in order."""
        return [block for block in self.blocks if isinstance(block, Block)]

    @property
    def head(self) -> Tensor:
        """The output head, (vocabulary, width)."""
        return self.embedding.weight if self.model.tied_head else self.output.weight

    def forward(self, tokens: Tensor) -> Tensor:
        """Return the hidden states, (batch * time, width), of tokens, (batch, time)."""
        x = self.embedding_norm(self.embedding(tokens))
        hidden: Tensor = self.last_norm(self.blocks(x))
        return hidden.flatten(0, 1)


@torch.no_grad()
def initialise(transformer: Transformer, seed: int) -> None:
    """Draw every matrix; norms keep weight 1 and bias 0.

    The projections of a latent attention are drawn as PyTorch does by default, uniform in ±1/sqrt(fan-in).
    """
    model = transformer.model
    for name, parameter in transformer.named_parameters():
        if parameter.dim() < 2:
            continue
        generator = torch.Generator().manual_seed(_seed(seed, name))
        if name == "embedding.weight" and model.embedding_init == "uniform":
            parameter.uniform_(-model.embedding_scale, model.embedding_scale, generator=generator)
        elif name == "embedding.weight":
            parameter.normal_(0.0, model.embedding_scale, generator=generator)
        elif model.latent and ".attention." in name:
            bound = 1 / math.sqrt(parameter.shape[1])
            parameter.uniform_(-bound, bound, generator=generator)
        else:
            parameter.normal_(0.0, STANDARD, generator=generator)


def _seed(seed: int, name: str) -> int:
    """Return the seed of one parameter."""
    return int.from_bytes(hashlib.sha256(f"{seed} {name}".encode()).digest()[:7], "big")


def decayed(named: Mapping[str, nn.Parameter]) -> set[str]:
    """Return the names of the parameters with weight decay: the matrices other than embedding and head."""
    outer = ("embedding.weight", "output.weight")
    return {name for name, parameter in named.items() if parameter.dim() >= 2 and name not in outer}
