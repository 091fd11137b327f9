"""Values that one stage of a pipeline sends to the next one."""

from __future__ import annotations

import dataclasses
from typing import Any, Collection, Iterable, Mapping, Sequence

import torch

from .devices import storage_of
from .even_gradients import number_bits, numbers_of_bits
from .manifest import Value
from .memories import Memory

Tensors = tuple[torch.Tensor, ...]


@dataclasses.dataclass
class Crossing:
    """Results of the trial call of a stage for the next one. `orders`: the dimensions of each tensor from the outermost to the
    innermost in memory, since only dense tensors can be sent.
    """

    contents: Sequence[torch.Tensor]
    orders: Sequence[tuple[int, ...]] = ()
    memories: Mapping[str, Memory] = dataclasses.field(default_factory=dict)  # of values by name

    def portable(self) -> "Crossing":
        """A copy on the CPU, without the memory around views."""
        return dataclasses.replace(self, contents=[tensor.to("cpu", copy=True) for tensor in self.contents])


def packed(actual: Any, device: torch.device, order: tuple[int, ...] | None, evens: bool) -> tuple[torch.Tensor, tuple[int, ...]]:
    """Returns the value as a dense tensor, with its dimensions in the given order or that of its memory, and the order."""
    if isinstance(actual, torch.Tensor):
        tensor = actual.to(device).resolve_conj().resolve_neg()
    else:
        tensor = torch.tensor(actual, dtype=torch.float64 if isinstance(actual, float) else None, device=device)
    order = order or tuple(sorted(range(tensor.dim()), key=lambda d: tensor.stride(d), reverse=True))
    tensor = tensor.permute(order).contiguous()
    return (number_bits(tensor) if evens else tensor), order


def unpacked(value: Value, tensor: torch.Tensor, order: tuple[int, ...], evens: bool) -> Any:
    if evens:
        tensor = numbers_of_bits(tensor, value.dtype or value.type)
    if value.type != "tensor":
        return tensor.item()
    if tensor.requires_grad:
        tensor = Own.apply(tensor)  # type: ignore[no-untyped-call]
    return tensor if order == tuple(range(tensor.dim())) else tensor.permute([order.index(d) for d in range(tensor.dim())])


def separate(results: Iterable[torch.Tensor], lasting: Collection[int], inputs: Sequence[Any]) -> Tensors:
    """Makes results that schedules can detach in place: no views, inputs, other results, or tensors that their own operator saves
    for its backward pass. Results in memory that outlives the microbatch are copied, since the next microbatch may write to it while
    they are sent.
    """
    made: list[torch.Tensor] = []
    for tensor in results:
        if storage_of(tensor) in lasting:
            tensor = tensor.clone()
        elif tensor.requires_grad or tensor._is_view() or any(tensor is other for other in (*inputs, *made)):
            tensor = Own.apply(tensor)  # type: ignore[no-untyped-call]
        made.append(tensor)
    return tuple(made)


class Own(torch.autograd.Function):
    """A new tensor in the same memory that is neither a view nor a leaf, so that it can be written to and detached in place. Its
    gradient is made dense, since backends send only dense tensors.
    """

    @staticmethod
    def forward(context: Any, tensor: torch.Tensor) -> torch.Tensor:
        return tensor.detach()

    @staticmethod
    def backward(context: Any, gradient: torch.Tensor) -> torch.Tensor:
        return gradient.contiguous()
