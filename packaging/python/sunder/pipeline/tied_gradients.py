"""Weights that are one tensor in the model and belong to several parts: one tensor per device, and one gradient for all copies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping

import torch
import torch.distributed as dist

if TYPE_CHECKING:
    from .pipeline import Pipeline

Key = tuple[str, tuple[int, ...], str]  # first name of the weight, its shape and dtype


class Ties:
    """Makes tied weights, or weights with one name, one tensor again if they are on one device."""

    def __init__(self, aliases: Mapping[str, str]) -> None:
        self._aliases = aliases
        self._first: dict[tuple[Any, ...], torch.Tensor] = {}

    def tie(self, module: torch.nn.Module) -> None:
        for path, owner in module.named_modules():
            for name, tensor in [*owner._parameters.items(), *owner._buffers.items()]:
                if tensor is not None:
                    key = self._key(f"{path}.{name}".lstrip("."), tensor)
                    setattr(owner, name, self._first.setdefault(key, tensor))

    def _key(self, name: str, tensor: torch.Tensor) -> tuple[Any, ...]:
        form = tensor.dtype, tensor.shape, tensor.stride(), tensor.storage_offset(), type(tensor)
        return self._aliases.get(name, name), tensor.device, form


def sum_tied_gradients(pipeline: "Pipeline", group: Any = None) -> list[str]:
    """Gives each copy of a weight the sum of all gradients, so that they stay equal. Returns the names of such weights."""
    own = _weights_of(pipeline)
    holders = _holders_of(own, group)
    shared = sorted(key for key in holders if holders[key] > 1 or len(own.get(key, ())) > 1)  # in one order everywhere
    for key in shared:
        copies = own.get(key, [])
        total = _sum_here(copies, key)
        if holders[key] > 1:
            dist.all_reduce(total, group=group)
        for weight in copies:
            weight.grad = total.to(weight.device, copy=True)
    return [name for name, _, _ in shared]


def _weights_of(pipeline: "Pipeline") -> dict[Key, list[torch.nn.Parameter]]:
    found: dict[Key, list[torch.nn.Parameter]] = {}
    for number in pipeline.loaded:
        for name, weight in pipeline.module_of(number).named_parameters():
            first = pipeline.manifest.aliases.get(name, name)
            copies = found.setdefault((first, tuple(weight.shape), str(weight.dtype).removeprefix("torch.")), [])
            if weight.requires_grad and all(weight is not other for other in copies):
                copies.append(weight)
    return found


def _holders_of(own: dict[Key, list[torch.nn.Parameter]], group: Any) -> dict[Key, int]:
    """Returns the number of processes that have each weight, of those that several parts have."""
    if not dist.is_initialized():
        return dict.fromkeys(own, 1)
    everywhere: list[list[Key]] = [[] for _ in range(dist.get_world_size(group))]
    dist.all_gather_object(everywhere, list(own), group=group)
    counts: dict[Key, int] = {}
    for keys in everywhere:
        for key in keys:
            counts[key] = counts.get(key, 0) + 1
    return counts


def _sum_here(copies: list[torch.nn.Parameter], key: Key) -> torch.Tensor:
    """Of a weight that is not here: zeros, since all processes add up."""
    total = torch.zeros(key[1], dtype=getattr(torch, key[2]), device=copies[0].device if copies else None)
    for weight in copies:
        if weight.grad is not None:
            total += weight.grad.to(total.device)
    return total
