"""AdamW with its state in plain sight.

The kernel is PyTorch's fused one. Its optimiser class would do the same, but takes two seconds to import the compiler
that nothing here uses, in every worker.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn
from torch.optim.adamw import adamw

from replicate.experiments.config import Optimizer

STATE = ("mean", "square", "step")


@dataclass(eq=False)
class Group:
    """Parameters by name that share a weight decay, and for each its two moments and its count of updates."""

    weight_decay: float
    parameters: dict[str, nn.Parameter] = field(default_factory=dict)
    mean: list[Tensor] = field(default_factory=list)
    square: list[Tensor] = field(default_factory=list)
    step: list[Tensor] = field(default_factory=list)


class AdamW:
    """Decoupled weight decay (Loshchilov and Hutter, arXiv:1711.05101), on some of the parameters."""

    def __init__(
        self, named: Iterable[tuple[str, nn.Parameter]], decayed: set[str], settings: Optimizer
    ) -> None:
        """Begin with moments of zero.

        Args:
            named: The parameters with their names.
            decayed: Names of those with weight decay.
            settings: The optimiser's settings.
        """
        self.settings = settings
        self.groups = (Group(settings.weight_decay), Group(0.0))
        for name, parameter in named:
            group = self.groups[name not in decayed]
            group.parameters[name] = parameter
            group.mean.append(torch.zeros_like(parameter.detach()))
            group.square.append(torch.zeros_like(parameter.detach()))
            group.step.append(torch.zeros((), device=parameter.device))

    @torch.no_grad()
    def update(self, rate: float) -> None:
        """Update every parameter by its gradient, and drop the gradients."""
        for group in self.groups:
            parameters: list[Tensor] = [*group.parameters.values()]
            adamw(
                parameters,
                [p.grad for p in parameters if p.grad is not None],
                group.mean,
                group.square,
                [],
                group.step,
                fused=True,
                amsgrad=False,
                maximize=False,
                lr=rate,
                beta1=self.settings.betas[0],
                beta2=self.settings.betas[1],
                eps=self.settings.epsilon,
                weight_decay=group.weight_decay,
            )
            for parameter in parameters:
                parameter.grad = None

    def state(self) -> dict[str, Tensor]:
        """Return the state as tensors by name: "<parameter>.mean", ".square" and ".step"; not copies."""
        return {
            f"{name}.{part}": tensor
            for group in self.groups
            for part in STATE
            for name, tensor in zip(group.parameters, getattr(group, part), strict=True)
        }

    @torch.no_grad()
    def restore(self, state: Mapping[str, Tensor]) -> None:
        """Set the state to one that `state` returned."""
        for name, tensor in self.state().items():
            tensor.copy_(state[name])
