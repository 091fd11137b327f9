"""Stages of torch.distributed.pipelining from parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Literal, Sequence

import torch
import torch.distributed as dist
import torch.utils._pytree as pytree
from torch.distributed.pipelining import PipelineStage

from ..errors import SunderError
from .crossing import Crossing
from .devices import move
from .remaking import recipes_of, takes_of
from .routes import Routes, routes_of
from .split_backward import can_split
from .stage_module import StageModule

if TYPE_CHECKING:
    from .pipeline import Pipeline

Skips = Literal["relay", "recompute"]
Placement = Literal["loop", "v"]
Stages = list[PipelineStage]
Loss = Callable[..., torch.Tensor]

#: PyTorch 2.6 to 2.12 determine sizes by one trial call, and require gradients of all values between stages.
_FINDS_SIZES = hasattr(PipelineStage, "_shape_inference")
#: Later releases also determine by a trial call of the loss which values have gradients.
_FINDS_GRADIENTS = hasattr(PipelineStage, "_backward_metadata_inference")


def stages_of(
    pipeline: "Pipeline", stages: Sequence[int] | None, skips: Skips, placement: Placement | None, group: Any
) -> Stages:
    if skips not in ("relay", "recompute"):
        raise SunderError(f'skips is {skips!r}, not "relay" or "recompute"', code="usage")
    if placement not in (None, "loop", "v"):
        raise SunderError(f'placement is {placement!r}, not "loop" or "v"', code="usage")
    if not (_FINDS_SIZES or _FINDS_GRADIENTS):
        said = f"stages support PyTorch 2.6 to 2.13; PyTorch {torch.__version__} determines sizes in an unknown way"
        raise SunderError(said, code="unsupported")
    if not dist.is_initialized():
        raise SunderError("call torch.distributed.init_process_group() before creating stages", code="usage")
    for number, part in enumerate(pipeline.manifest.parts):
        if number > 0 and part.writes:
            said = f"part {part.name} writes to the input {part.writes[0]}, which is in the process of the first stage"
            raise SunderError(f"{said}; move the write to the first stage", code="unsupported")
    recipes = recipes_of(pipeline.manifest) if skips == "recompute" else {}
    routes = routes_of(pipeline.manifest, takes_of(recipes))
    _check_backend(routes, group)
    made: list[PartStage] = []
    for number in _own(pipeline, stages, placement, group):
        device = pipeline.device_of(number)
        again = [recipes[name] for name in routes.again[number]]
        for recipe in again:
            move(recipe.module, device)
        module = StageModule(pipeline, number, routes, again)
        made.append(PartStage(module, number, len(pipeline.manifest.parts), device, group=group))
    for stage in made:
        stage.here = made
    return list(made)


def _check_backend(routes: Routes, group: Any) -> None:
    """Schedules of 2.6 and 2.7 wait only for the last of several tensors. Only nccl delivers tensors in order."""
    release = tuple(map(int, torch.__version__.split(".")[:2]))
    several = [number for number, values in enumerate(routes.incoming) if number > 0 and len(values) > 1]
    backend = dist.get_backend(group)
    if release < (2, 8) and several and "nccl" not in backend:
        said = f"stage {several[0]} receives {len(routes.incoming[several[0]])} values, but schedules of PyTorch {torch.__version__}"
        raise SunderError(f"{said} do not wait for all of them over {backend}; use PyTorch 2.8 or later, or nccl", code="unsupported")


def _own(pipeline: "Pipeline", stages: Sequence[int] | None, placement: Placement | None, group: Any) -> list[int]:
    count = len(pipeline.manifest.parts)
    rank, world = dist.get_rank(group), dist.get_world_size(group)
    if stages is not None:
        wanted = list(stages)
    elif placement == "v":
        wanted = [number for number in range(count) if rank_in_v(number, world) == rank]
    elif placement is None and len(pipeline.loaded) < count:
        wanted = pipeline.loaded
    else:
        wanted = list(range(rank, count, world))
    for number in wanted:
        if number not in pipeline.loaded:
            said = f"process {rank} of {world} runs stage {number} of {count}, but its part is not loaded in this process"
            raise SunderError(f"{said}: load it with parts={wanted}", code="usage")
    return wanted


def rank_in_v(number: int, world: int) -> int:
    """Stages 0, 1, 2, 3 go to processes 0, 1, 1, 0 of two."""
    turn, place = divmod(number, world)
    return place if turn % 2 == 0 else world - 1 - place


class PartStage(PipelineStage):
    """A stage whose module returns flat tensors, so that PyTorch treats the last stage like the others: its results are nested here.
    The schedule calls the module by forward_one_chunk; PyTorch makes all other calls to determine sizes.
    """

    submod: StageModule
    here: Sequence["PartStage"] = ()  #: The stages of this process, itself among them.

    def __init__(self, module: StageModule, *args: Any, **kwargs: Any) -> None:
        super().__init__(module, *args, **kwargs)
        module.evens_gradients = lambda: _FINDS_SIZES and bool(self.has_backward)
        module.on_trial = self._send_trial
        self._is_scaled = False

    def forward_one_chunk(self, fwd_chunk_id: int, *args: Any, **kwargs: Any) -> Any:
        kept = len(self.output_chunks)
        with self.submod.running():
            result = super().forward_one_chunk(fwd_chunk_id, *args, **kwargs)
        if not self.is_last:
            if not self._is_here(self.stage_index + 1):
                self.submod.check_sizes()
            return result
        result = self.submod.nested(result)
        if len(self.output_chunks) > kept:
            self.output_chunks[-1] = result
        return result

    def _get_init_p2p_neighbors_ops(self) -> list[dist.P2POp]:
        """gloo needs no first message, and up to 2.9 its size differs between sender and receiver."""
        return [] if "gloo" in dist.get_backend(self.group) else super()._get_init_p2p_neighbors_ops()

    def backward_one_chunk(
        self, bwd_chunk_id: int, loss: Any = None, full_backward: bool = True, last_backward: bool = False
    ) -> None:
        """Splits a backward pass in two if the schedule requests it, unless gradients of parameters would be lost."""
        if not self.has_backward:
            return
        splits = not full_backward and (self.is_first or self._can_split(bwd_chunk_id, loss))
        super().backward_one_chunk(bwd_chunk_id, loss=loss, full_backward=not splits, last_backward=last_backward)
        if not full_backward and not splits:
            self.backward_state[bwd_chunk_id] = ((), [], (), None)  # nothing is left for backward_weight_one_chunk
            self.dw_runner[bwd_chunk_id] = lambda: None

    def _can_split(self, chunk: int, loss: Any) -> bool:
        if _FINDS_SIZES:  # the first step of 2.6 to 2.12 fails for results without a gradient
            return False
        results, inputs = self.fwd_cache[chunk]
        return can_split([loss] if self.is_last else results, inputs)

    def clear_runtime_states(self) -> None:
        super().clear_runtime_states()
        self._is_scaled = False

    def scale_grads(self, grad_scale_factor: int) -> None:
        """Divides the gradients; that of a parameter that several stages of this process share with the last of them."""
        self._is_scaled = True
        others = [stage.submod for stage in self.here if stage.has_backward and not stage._is_scaled]
        unfinished = {id(parameter) for module in others for parameter in module.parameters()}
        for parameter in self.submod.parameters():
            if grad_scale_factor != 1 and parameter.grad is not None and id(parameter) not in unfinished:
                parameter.grad.div_(grad_scale_factor)

    # If a process runs adjacent stages, releases before 2.13 require gradients of all values, and schedules also run the backward
    # pass without a loss; those before 2.10 always do.

    def set_local_fwd_input(self, prev_stage_outputs: Any, mb_index: int) -> None:
        if self.has_backward or not _FINDS_SIZES:
            super().set_local_fwd_input(prev_stage_outputs, mb_index)
            return
        for info, tensor in zip(self.args_recv_info[mb_index], prev_stage_outputs, strict=True):
            info.buffer = tensor.detach()

    def get_local_bwd_output(self, mb_index: int) -> Any:
        return super().get_local_bwd_output(mb_index) if self.has_backward else ()  # type: ignore[no-untyped-call]

    def set_local_bwd_input(self, next_stage_bwd_outputs: Any, mb_index: int) -> None:
        if self.has_backward:
            super().set_local_bwd_input(next_stage_bwd_outputs, mb_index)

    # Up to 2.9, most schedules send messages also between stages of one process, which gloo cannot do.

    def get_fwd_send_ops(self, fwd_chunk_id: int) -> list[dist.P2POp]:
        following = self.stage_index + 1
        if self.is_last or not self._is_here(following):
            return super().get_fwd_send_ops(fwd_chunk_id)
        self._stage(following).set_local_fwd_input(self.fwd_cache[fwd_chunk_id][0], fwd_chunk_id)
        return []

    def get_fwd_recv_ops(self, fwd_chunk_id: int) -> list[dist.P2POp]:
        is_local = not self.is_first and self._is_here(self.stage_index - 1)
        return [] if is_local else super().get_fwd_recv_ops(fwd_chunk_id)

    def get_bwd_send_ops(self, bwd_chunk_id: int) -> list[dist.P2POp]:
        previous = self.stage_index - 1
        if not self.has_backward:
            return []
        if self.is_first or not self._is_here(previous):
            return super().get_bwd_send_ops(bwd_chunk_id)
        self._stage(previous).set_local_bwd_input(self.get_local_bwd_output(bwd_chunk_id), bwd_chunk_id)
        return []

    def get_bwd_recv_ops(self, bwd_chunk_id: int) -> list[dist.P2POp]:
        is_local = not self.is_last and self._is_here(self.stage_index + 1)
        return [] if is_local or not self.has_backward else super().get_bwd_recv_ops(bwd_chunk_id)

    def _shape_inference(self, args: Any, kwargs: Any = None) -> Any:
        self._receive_trial()
        if self.is_first:  # PyTorch 2.6 to 2.12 replace its inputs by zeros
            self.submod.received = Crossing([leaf for leaf in pytree.tree_leaves(args) if isinstance(leaf, torch.Tensor)])
        return super()._shape_inference(args, kwargs)  # type: ignore[misc]

    def _forward_metadata_inference(self, args: Any, kwargs: Any = None, has_backward: bool = False) -> Any:
        self._receive_trial()
        if self.is_first:  # PyTorch 2.13 accepts only tensors here
            args = self.submod.flatten_trial(args)
        return super()._forward_metadata_inference(args, kwargs, has_backward)

    def _receive_trial(self) -> None:
        """Receives the results of the trial call of the previous stage."""
        previous = self.stage_index - 1
        if previous >= 0 and not self._is_here(previous):
            received: list[Any] = [None]
            dist.recv_object_list(received, src=self._global_rank(previous), group=self.group, device=self.device)
            self.submod.received = received[0]

    def _send_trial(self, results: Crossing) -> None:
        """Sends the results of the trial call to the next stage. PyTorch sends only sizes, so data-dependent sizes, indices, and
        numbers would be inconsistent.
        """
        following = self.stage_index + 1
        if not self.is_last and self._is_here(following):
            self._stage(following).submod.received = results
        elif not self.is_last:
            dist.send_object_list([results.portable()], dst=self._global_rank(following), group=self.group, device=self.device)

    def _is_here(self, stage: int) -> bool:
        return self.stage_index_to_group_rank[stage] == self.group_rank

    def _stage(self, number: int) -> "PartStage":
        """A stage of this process."""
        return next(stage for stage in self.here if stage.stage_index == number)

    def _global_rank(self, stage: int) -> int:
        return dist.get_global_rank(self.group or dist.distributed_c10d._get_default_group(), self.stage_index_to_group_rank[stage])

    def _backward_metadata_inference(self, loss_fn: Loss | None = None, *args: Any, **kwargs: Any) -> Any:
        if loss_fn is None or not self.is_last:
            return super()._backward_metadata_inference(loss_fn, *args, **kwargs)

        def loss_of_nested(flat: Any, target: Any, **loss_kwargs: Any) -> torch.Tensor:
            return loss_fn(self.submod.nested(flat), target, **loss_kwargs)

        return super()._backward_metadata_inference(loss_of_nested, *args, **kwargs)

