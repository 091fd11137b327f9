"""For PyTorch 2.6 to 2.12, whose stages require a gradient of each received value: integers are sent as the bits of floats, and
values without a gradient get one of zeros.
"""

from __future__ import annotations

from typing import Any, Sequence

import torch


def number_bits(tensor: torch.Tensor) -> torch.Tensor:
    """Integers and truth values as the bits of float64. float8 becomes float32, since PyTorch cannot add gradients of float8."""
    if tensor.is_floating_point():
        return tensor.to(torch.float32) if tensor.element_size() == 1 else tensor
    return tensor.to(torch.int64).view(torch.float64)


def numbers_of_bits(tensor: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """The argument of number_bits, a tensor of this dtype."""
    return tensor.to(dtype) if dtype.is_floating_point else tensor.detach().view(torch.int64).to(dtype)


def evened(results: Sequence[torch.Tensor], inputs: Sequence[torch.Tensor]) -> tuple[torch.Tensor, ...]:
    """Returns the results, connected so that every input gets a gradient, possibly zeros."""
    wanting = [tensor for tensor in inputs if tensor.requires_grad]
    leading = [i for i, tensor in enumerate(results) if tensor.requires_grad]
    if not wanting or not leading:
        return tuple(results)
    made = list(results)
    for i, tensor in zip(leading, _Evened.apply(len(leading), *(made[i] for i in leading), *wanting)):  # type: ignore[no-untyped-call]
        made[i] = tensor
    return tuple(made)


class _Evened(torch.autograd.Function):
    """Returns the first tensors unchanged. The remaining ones get zero gradients."""

    @staticmethod
    def forward(context: Any, count: int, *tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
        context.set_materialize_grads(False)
        context.forms = [(tensor.shape, tensor.dtype, tensor.device) for tensor in tensors[count:]]
        return tuple(tensor.detach() for tensor in tensors[:count])

    @staticmethod
    def backward(context: Any, *gradients: torch.Tensor | None) -> tuple[torch.Tensor | None, ...]:
        zeros = [torch.zeros(shape, dtype=dtype, device=device) for shape, dtype, device in context.forms]
        return None, *gradients, *zeros
