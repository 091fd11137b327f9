"""Values that one stage of a pipeline sends to the next one."""

from __future__ import annotations

import dataclasses
from typing import Any, Collection, Iterable, Mapping, Sequence

import torch

from ..errors import SunderError
from .devices import storage_of
from .even_gradients import number_bits, numbers_of_bits
from .memories import Memory
from .nesting import value_text

Tensors = tuple[torch.Tensor, ...]

_NUMBERS = {bool: torch.bool, int: torch.int64, float: torch.float64, complex: torch.complex128}


@dataclasses.dataclass(frozen=True)
class Form:
    """The form of a value before it is sent. Stages exchange dense tensors of real numbers. `order`: the dimensions of a tensor
    from the outermost to the innermost in memory.
    """

    dtype: torch.dtype
    order: tuple[int, ...] = ()
    is_number: bool = False


@dataclasses.dataclass
class Crossing:
    """Results of the trial call of a stage for the next one, and their forms."""

    contents: Sequence[torch.Tensor]
    forms: Sequence[Form] = ()
    memories: Mapping[str, Memory] = dataclasses.field(default_factory=dict)  # of values by name

    def portable(self) -> "Crossing":
        """A copy on the CPU, without the memory around views."""
        return dataclasses.replace(self, contents=[tensor.to("cpu", copy=True) for tensor in self.contents])


def form_of(actual: Any, part: str, name: str) -> Form:
    """The form of a value of a part. Raises an error that names the value if stages cannot exchange it."""
    if type(actual) in _NUMBERS:
        return Form(_NUMBERS[type(actual)], is_number=True)
    if not isinstance(actual, torch.Tensor):
        kind = "None" if actual is None else f"of type {type(actual).__name__}"
    elif actual.is_nested or actual.layout is not torch.strided:
        kind = "a nested tensor" if actual.is_nested else f"a tensor with layout {actual.layout}"
    elif actual.is_quantized:
        kind = f"a quantized tensor ({actual.dtype})"
    else:
        return Form(actual.dtype, tuple(sorted(range(actual.dim()), key=lambda d: actual.stride(d), reverse=True)))
    said = f"part '{part}' sends '{name}', which is {kind}; stages of torch.distributed.pipelining exchange dense tensors and numbers"
    raise SunderError(f"{said}: cut at another value", code="unsupported", where={"part": part})


def size_text(actual: Any) -> str:
    """Describes the properties that microbatches share: dtype and sizes of a tensor, the type of a number."""
    return value_text(actual) if isinstance(actual, torch.Tensor) else f"a number of type {type(actual).__name__}"


def packed(actual: Any, device: torch.device, form: Form, evens: bool) -> torch.Tensor:
    """The value as a tensor to send. Complex numbers are pairs of real numbers, since PyTorch sends gradients only of floats."""
    if isinstance(actual, torch.Tensor):
        tensor = actual.to(device).resolve_conj().resolve_neg()
    else:
        tensor = torch.tensor(actual, dtype=_NUMBERS[type(actual)], device=device)
    tensor = tensor.permute(form.order).contiguous()
    if tensor.is_complex():
        tensor = torch.view_as_real(tensor)
    return number_bits(tensor) if evens else tensor


def unpacked(tensor: torch.Tensor, form: Form, evens: bool) -> Any:
    """The value that was packed into a tensor."""
    if tensor.requires_grad and not form.is_number:
        tensor = Own.apply(tensor)  # type: ignore[no-untyped-call]
    if form.dtype.is_complex:
        tensor = torch.view_as_complex(tensor)
    elif evens:
        tensor = numbers_of_bits(tensor, form.dtype)
    if form.is_number:
        return tensor.item()
    order = form.order
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
