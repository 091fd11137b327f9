"""Stages of torch.distributed.pipelining made of parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Literal, Sequence

import torch
import torch.distributed as dist
from torch.distributed.pipelining import PipelineStage

from ..errors import SunderError
from .devices import move
from .remaking import recipes_of, takes_of
from .routes import Routes, routes_of
from .stage_module import StageModule

if TYPE_CHECKING:
    from .pipeline import Pipeline

Skips = Literal["relay", "recompute"]
Stages = list[PipelineStage]
Loss = Callable[..., torch.Tensor]

#: PyTorch 2.6 to 2.9 find out sizes by one trial call; all that floats, and nothing else, carries gradients between stages.
_FINDS_SIZES = hasattr(PipelineStage, "_shape_inference")
#: Later ones find out by a trial call of the loss as well what has gradients.
_FINDS_GRADIENTS = hasattr(PipelineStage, "_backward_metadata_inference")


def stages_of(pipeline: "Pipeline", stages: Sequence[int] | None, skips: Skips, group: Any) -> Stages:
    if skips not in ("relay", "recompute"):
        raise SunderError(f'skips is {skips!r}: "relay" or "recompute" is known', code="usage")
    if not (_FINDS_SIZES or _FINDS_GRADIENTS):
        said = f"stages are made for PyTorch 2.6 to 2.13; {torch.__version__} finds out sizes in a way that is not known here"
        raise SunderError(said, code="unsupported")
    if not dist.is_initialized():
        raise SunderError("torch.distributed.init_process_group() comes before stages are made", code="usage")
    for number, part in enumerate(pipeline.manifest.parts):
        if number > 0 and part.writes:
            said = f"part {part.name} writes to the input {part.writes[0]}, which the process of the first stage holds"
            raise SunderError(f"{said}; make the write part of the first stage", code="unsupported")
    recipes = recipes_of(pipeline.manifest) if skips == "recompute" else {}
    routes = routes_of(pipeline.manifest, takes_of(recipes))
    _check_backend(routes, group)
    made: Stages = []
    for number in _own(pipeline, stages, group):
        device = pipeline.device_of(number)
        again = [recipes[name] for name in routes.again[number]]
        for recipe in again:
            move(recipe.module, device)
        module = StageModule(pipeline, number, routes, again)
        made.append(PartStage(module, number, len(pipeline.manifest.parts), device, group=group))
    return made


def _check_backend(routes: Routes, group: Any) -> None:
    """Schedules of 2.6 and 2.7 wait for the last of several tensors alone. That is all of them to nccl, and no other backend."""
    release = tuple(map(int, torch.__version__.split(".")[:2]))
    several = [number for number, values in enumerate(routes.incoming) if number > 0 and len(values) > 1]
    backend = dist.get_backend(group)
    if release < (2, 8) and several and "nccl" not in backend:
        said = f"stage {several[0]} is handed {len(routes.incoming[several[0]])} values, and schedules of PyTorch {torch.__version__}"
        raise SunderError(f"{said} do not wait for all of them over {backend}; use PyTorch 2.8 or later, or nccl", code="unsupported")


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
    """A stage whose module gives flat tensors, so that the last one is as the others are to PyTorch: its results are nested here.
    The schedule calls the module by forward_one_chunk; any other call is one by which PyTorch finds out sizes.
    """

    submod: StageModule

    def __init__(self, module: StageModule, *args: Any, **kwargs: Any) -> None:
        super().__init__(module, *args, **kwargs)
        module.evens_gradients = lambda: _FINDS_SIZES and bool(self.has_backward)

    def forward_one_chunk(self, fwd_chunk_id: int, *args: Any, **kwargs: Any) -> Any:
        kept = len(self.output_chunks)
        with self.submod.running():
            result = super().forward_one_chunk(fwd_chunk_id, *args, **kwargs)
        if not self.is_last:
            return result
        result = self.submod.nested(result)
        if len(self.output_chunks) > kept:
            self.output_chunks[-1] = result
        return result

    def _get_init_p2p_neighbors_ops(self) -> list[dist.P2POp]:
        """gloo needs no first message, and that of 2.9 has another size where it is sent than where it is received."""
        return [] if "gloo" in dist.get_backend(self.group) else super()._get_init_p2p_neighbors_ops()

    # Interleaved schedules of 2.9 and before go through backward without a loss, too.

    def backward_one_chunk(self, *args: Any, **kwargs: Any) -> None:
        if self.has_backward:
            super().backward_one_chunk(*args, **kwargs)

    def get_bwd_recv_ops(self, bwd_chunk_id: int) -> list[dist.P2POp]:
        return super().get_bwd_recv_ops(bwd_chunk_id) if self.has_backward else []

    def get_bwd_send_ops(self, bwd_chunk_id: int) -> list[dist.P2POp]:
        return super().get_bwd_send_ops(bwd_chunk_id) if self.has_backward else []

    def _backward_metadata_inference(self, loss_fn: Loss | None = None, *args: Any, **kwargs: Any) -> Any:
        if loss_fn is None or not self.is_last:
            return super()._backward_metadata_inference(loss_fn, *args, **kwargs)

        def loss_of_nested(flat: Any, target: Any, **loss_kwargs: Any) -> torch.Tensor:
            return loss_fn(self.submod.nested(flat), target, **loss_kwargs)

        return super()._backward_metadata_inference(loss_of_nested, *args, **kwargs)
