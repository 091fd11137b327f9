"""Gradients of weights that are one in the model and have copies on several devices or in several processes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
import torch.distributed as dist

if TYPE_CHECKING:
    from .pipeline import Pipeline

Key = tuple[str, tuple[int, ...], str]  # first name of the weight, its shape and dtype


def sum_tied_gradients(pipeline: "Pipeline", group: Any = None) -> list[str]:
    """Gives each copy of a weight the sum of the gradients of all, so that they stay equal. The names of such weights."""
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
    """In how many processes a weight is, of those that several parts hold."""
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
