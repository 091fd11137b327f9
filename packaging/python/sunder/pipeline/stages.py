"""Stages of torch.distributed.pipelining made of parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Literal, Sequence

import torch
import torch.distributed as dist
import torch.utils._pytree as pytree
from torch.distributed.pipelining import PipelineStage

from ..errors import SunderError
from .devices import move
from .remaking import recipes_of, takes_of
from .routes import routes_of
from .stage_module import StageModule

if TYPE_CHECKING:
    from .pipeline import Pipeline

Skips = Literal["relay", "recompute"]
Stages = list[PipelineStage]
Loss = Callable[..., torch.Tensor]


def stages_of(pipeline: "Pipeline", stages: Sequence[int] | None, skips: Skips, group: Any) -> Stages:
    if skips not in ("relay", "recompute"):
        raise SunderError(f'skips is {skips!r}: "relay" or "recompute" is known', code="usage")
    if not dist.is_initialized():
        raise SunderError("torch.distributed.init_process_group() comes before stages are made", code="usage")
    recipes = recipes_of(pipeline.manifest) if skips == "recompute" else {}
    routes = routes_of(pipeline.manifest, takes_of(recipes))
    made: Stages = []
    for number in _own(pipeline, stages, group):
        device = pipeline.device_of(number)
        again = [recipes[name] for name in routes.again[number]]
        for recipe in again:
            move(recipe.module, device)
        module = StageModule(pipeline, number, routes, again)
        made.append(PartStage(module, number, len(pipeline.manifest.parts), device, group=group))
    return made


def _own(pipeline: "Pipeline", stages: Sequence[int] | None, group: Any) -> list[int]:
    count = len(pipeline.manifest.parts)
    if stages is None and len(pipeline.loaded) < count:
        return pipeline.loaded
    if stages is None:
        return list(range(dist.get_rank(group), count, dist.get_world_size(group)))
    for number in stages:
        if number not in pipeline.loaded:
            raise SunderError(f"stage {number} of {count} is asked for, and its part is not loaded here", code="usage")
    return list(stages)


class PartStage(PipelineStage):
    """A stage whose sizes are found out without harm: a trial call leaves buffers as they are, is given zeros where a
    table is read by numbers, and knows results that are nested.
    """

    submod: StageModule
    _result: tuple[list[Any], pytree.TreeSpec]  # of the trial call of the last stage

    def forward_one_chunk(self, fwd_chunk_id: int, *args: Any, **kwargs: Any) -> Any:
        result = super().forward_one_chunk(fwd_chunk_id, *args, **kwargs)
        if self.is_last:  # gradients are wanted of tensors, wherever in the result they are
            _, inputs = self.fwd_cache[fwd_chunk_id]
            self.fwd_cache[fwd_chunk_id] = _tensors_of(result), inputs
        return result

    def _to_tensor(self, arg: Any) -> torch.Tensor:
        made = super()._to_tensor(arg)
        if isinstance(arg, torch.Tensor) or made.is_floating_point() or made.is_complex():
            return made
        return made.zero_()

    def _compute_outputs(self, *args: Any, module: torch.nn.Module, **kwargs: Any) -> Any:
        buffers = [(buffer, buffer.detach().clone()) for buffer in module.buffers()]
        with torch.random.fork_rng(devices=[]):
            result = super()._compute_outputs(*args, module=module, **kwargs)
        for buffer, before in buffers:
            buffer.data.copy_(before)  # as if nothing had been written: gradients of this call may need the buffer
        if not self.is_last:
            return result
        self._result = pytree.tree_flatten(result)
        return _tensors_of(result)

    def _backward_metadata_inference(self, loss_fn: Loss | None = None, *args: Any, **kwargs: Any) -> Any:
        if loss_fn is None or not self.is_last:
            return super()._backward_metadata_inference(loss_fn, *args, **kwargs)

        def loss_of_nested(flat: Any, target: Any, **loss_kwargs: Any) -> torch.Tensor:
            tensors = iter((flat,) if isinstance(flat, torch.Tensor) else flat)
            leaves, spec = self._result
            filled = [next(tensors) if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves]
            return loss_fn(pytree.tree_unflatten(filled, spec), target, **loss_kwargs)

        return super()._backward_metadata_inference(loss_of_nested, *args, **kwargs)


def _tensors_of(result: Any) -> tuple[torch.Tensor, ...]:
    return tuple(leaf for leaf in pytree.tree_leaves(result) if isinstance(leaf, torch.Tensor))
