"""Properties of tensors besides their bytes: conjugate and negative bits, quantizers, gradient hooks."""

from __future__ import annotations

import json
import math
from typing import Any, Collection

import torch
from torch._subclasses.fake_tensor import FakeTensor

from ..errors import SunderError
from .names import class_text

_PLAIN = (torch.Tensor, torch.nn.Parameter, FakeTensor)
_PACKED = tuple(getattr(torch, name) for name in ("quint4x2", "quint2x4") if hasattr(torch, name))


def is_lazy(tensor: torch.Tensor) -> bool:
    """Whether a tensor is the conjugate or the negative of the contents of its memory."""
    return tensor.is_conj() or tensor.is_neg()


def resolved(tensor: torch.Tensor) -> torch.Tensor:
    """Returns the same numbers in separate memory."""
    return tensor.detach().resolve_conj().resolve_neg()


def lent_facts(tensor: torch.Tensor) -> str:
    """Returns members of a lent tensor's line that distinguish views of one memory."""
    bits = {"conj": tensor.is_conj(), "neg": tensor.is_neg()}
    text = "".join(f',"{name}":true' for name, is_set in bits.items() if is_set)
    if tensor.is_quantized:
        try:
            text += f',"quantizer":{json.dumps(quantizer_of(tensor))}'
        except SunderError:
            pass  # not representable: the tensor itself is returned
    return text


def facts(fqn: str, tensor: torch.Tensor) -> str:
    """Members of the line of a tensor in a file."""
    try:
        if any(name is not None for name in getattr(tensor, "names", ())):  # of PyTorch 2.12 and before
            raise SunderError("has named dimensions, which fx-json cannot represent")
        return f',"quantizer":{json.dumps(quantizer_of(tensor))}' if tensor.is_quantized else ""
    except SunderError as error:
        raise SunderError(f"the tensor {fqn} {error.text}", where={"tensor": fqn}) from None


def quantizer_of(tensor: torch.Tensor) -> dict[str, Any]:
    try:
        scheme = tensor.qscheme()
    except RuntimeError:
        raise SunderError("is quantized without a scheme") from None
    if tensor.dtype in _PACKED:
        raise SunderError(f"has the type {tensor.dtype}, with several numbers per byte")
    if scheme is torch.per_tensor_affine:
        return {"scheme": "per_tensor_affine", "scale": _finite(tensor.q_scale()), "zero_point": tensor.q_zero_point()}
    if scheme is not torch.per_channel_affine:
        raise SunderError(f"is quantized as {scheme}; only per_tensor_affine and per_channel_affine are written")
    scales, zeros = tensor.q_per_channel_scales().tolist(), tensor.q_per_channel_zero_points().tolist()
    return {"scheme": "per_channel_affine", "axis": tensor.q_per_channel_axis(), "scale": list(map(_finite, scales)), "zero_point": zeros}


def empty_quantized(said: Any, dtype: torch.dtype, shape: list[int]) -> torch.Tensor:
    """Returns a tensor without contents, with the quantizer in a file."""
    try:
        scheme, scale, zero_point = said["scheme"], said["scale"], said["zero_point"]
        if scheme == "per_tensor_affine":
            return torch._empty_affine_quantized(shape, scale=scale, zero_point=zero_point, dtype=dtype)
        if scheme != "per_channel_affine":
            raise SunderError(f"is quantized as {scheme!r:.100}, which is unknown", code="unsupported")
        axis = said["axis"]
        if len(scale) != shape[axis] or len(zero_point) != shape[axis]:
            raise ValueError(f"it has {len(scale)} scales for {shape[axis]} channels")
        scales, zeros = torch.tensor(scale, dtype=torch.float64), torch.tensor(zero_point, dtype=torch.int64)
        return torch._empty_per_channel_affine_quantized(shape, scales=scales, zero_points=zeros, axis=axis, dtype=dtype)
    except (KeyError, IndexError, TypeError, ValueError, RuntimeError) as error:
        raise SunderError(f"has a quantizer that cannot be created: {error}", code="malformed") from None


def subclass(tensor: torch.Tensor) -> str | None:
    """Why operators may treat a tensor differently from a plain one."""
    return None if type(tensor) in _PLAIN else f"is a {class_text(type(tensor))}"


def lost_gradients(tensor: torch.Tensor) -> str | None:
    """Why gradients through a tensor are not those of a plain one."""
    if tensor._backward_hooks or getattr(tensor, "_post_accumulate_grad_hooks", None):
        return "has gradient hooks"
    if tensor.is_leaf and tensor.requires_grad and getattr(tensor, "grad_dtype", tensor.dtype) is not tensor.dtype:
        return "has gradients of another type"
    return "is computed from other tensors, which get its gradients" if tensor.grad_fn is not None else None


def read_attribute(tensor: torch.Tensor, names: Collection[str]) -> str | None:
    """Returns an attribute read by `getattr` in graphs that a tensor has in addition to those of its class, or that has
    gradients."""
    if "grad" in names and tensor.is_leaf and tensor.grad is not None:
        return "has a gradient, which a graph reads"
    return next((f"has an attribute {name}, which a graph reads" for name in vars(tensor) if name in names), None)


def _finite(number: float) -> float:
    if not math.isfinite(number):
        raise SunderError(f"is quantized with the scale {number}")
    return number
