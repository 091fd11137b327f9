"""Bitwise comparison of the results of parts and model."""

from __future__ import annotations

import dataclasses
from typing import Any

import torch

from .nesting import value_text


@dataclasses.dataclass(frozen=True)
class Difference:
    """An output, or a buffer after the call, that differs. `part`: the first part with a value that differs from the model's."""

    what: str
    why: str
    part: str | None = None
    value: str | None = None  # name of that value

    def __str__(self) -> str:
        begins = f"; the first value that differs is {self.value} of part {self.part}" if self.part else ""
        return f"{self.what}: {self.why}{begins}"


@dataclasses.dataclass(frozen=True)
class Agreement:
    """The result of a check. True if nothing differs."""

    outputs: int
    buffers: int
    differences: tuple[Difference, ...] = ()

    def __bool__(self) -> bool:
        return not self.differences

    def __str__(self) -> str:
        if self:
            outputs, buffers = _count(self.outputs, "output"), _count(self.buffers, "buffer")
            return f"equal, bit for bit: {outputs}, {buffers} after the call"
        count = f"{len(self.differences)} of {self.outputs + self.buffers} differ"
        return "\n".join([f"different: {count}", *map(str, self.differences)])


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def difference(actual: Any, wanted: Any) -> str | None:
    """Describes the difference of two values with numbers. None if all bits are equal. Ignores devices."""
    if not isinstance(actual, torch.Tensor) or not isinstance(wanted, torch.Tensor):
        same = type(actual) is type(wanted) and (actual == wanted or actual != actual and wanted != wanted)
        return None if same else f"{value_text(actual)} instead of {value_text(wanted)}"
    if actual.dtype != wanted.dtype or actual.shape != wanted.shape:
        return f"{value_text(actual)} instead of {value_text(wanted)}"
    if wanted.is_meta or actual.is_meta:
        return None
    a, b = actual.detach().cpu(), wanted.detach().cpu()
    other = _bits(a) != _bits(b)
    count = int(other.reshape(a.numel(), -1).any(-1).sum()) if a.numel() else 0
    return f"{count} of {a.numel()} elements differ{_furthest(a, b)}" if count else None


def _bits(tensor: torch.Tensor) -> torch.Tensor:
    # A copy: of one element, contiguous() may keep a stride that view() refuses.
    dense = tensor.resolve_conj().resolve_neg().clone(memory_format=torch.contiguous_format).reshape(-1)
    return dense.view(torch.uint8)


def _furthest(a: torch.Tensor, b: torch.Tensor) -> str:
    return f", by up to {distances(a, b)[0]:.3g}"


def distances(actual: torch.Tensor, wanted: torch.Tensor) -> tuple[float, float]:
    """The largest absolute difference, and the largest relative to the wanted element, of tensors with the same shape and data.
    Elements that are both NaN or the same infinity do not differ; other differences from them are infinite.
    """
    wide = torch.complex128 if wanted.is_complex() else torch.float64
    a, b = actual.detach().cpu().to(wide), wanted.detach().cpu().to(wide)
    if not b.numel():
        return 0.0, 0.0
    distance = (a - b).abs()
    distance = torch.where((a == b) | (a.isnan() & b.isnan()), 0.0, distance.nan_to_num(nan=torch.inf, posinf=torch.inf))
    relative = torch.where(distance == 0, 0.0, distance / b.abs()).nan_to_num(nan=torch.inf, posinf=torch.inf)
    return distance.max().item(), relative.max().item()
