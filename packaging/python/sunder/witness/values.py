"""Generated inputs: numbers of several styles in several layouts, the same for the same seed."""

from __future__ import annotations

import dataclasses
import math
from typing import Sequence

import torch

from .domain import Leaf, Shapes

#: Numbers of floating-point and complex tensors.
STYLES = ("normal", "special", "halves", "large", "positive", "zeros")
# : Strides of tensors. A tensor that cannot have a layout (too few dimensions) is contiguous.
LAYOUTS = ("contiguous", "transposed", "sliced", "expanded", "reversed")
_SPECIAL = (math.nan, math.inf, -math.inf, -0.0, 0.0, 1.0, -1.0)


@dataclasses.dataclass(frozen=True)
class Integers:
    """Numbers of integer tensors: from `low` to `high`, both included, or with `edges` also the least and largest of the dtype."""

    low: int
    high: int
    edges: bool = False

    def __str__(self) -> str:
        return "integers up to the limits of their dtype" if self.edges else f"integers from {self.low} to {self.high}"


@dataclasses.dataclass(frozen=True)
class Recipe:
    """How the inputs of a trial are generated."""

    shapes: Shapes
    style: str = "normal"
    layout: str = "contiguous"
    integers: Integers = Integers(0, 1)
    grad: bool = True  # grad mode of the calls
    requires_grad: bool = False  # of floating-point inputs that do not describe it

    def text(self, leaves: Sequence[Leaf]) -> str:
        """The inputs in words, at most eight of them: "x float32 [3, 4], y int64 [5]; normal numbers; integers from 0 to 1"."""
        tensors = [(leaf, shape) for leaf, shape in zip(leaves, self.shapes) if leaf.kind == "tensor"]
        each = [f"{leaf.name} {str(leaf.dtype).removeprefix('torch.')} {list(shape)}" for leaf, shape in tensors[:8]]
        each += ["…"] * (len(tensors) > 8) + [f"{leaf.name} {shape}" for leaf, shape in zip(leaves, self.shapes) if leaf.kind == "int"][:8]
        undescribed = self.requires_grad and any(leaf.requires_grad is None for leaf, _ in tensors)
        inexact = [_is_inexact(leaf) for leaf, _ in tensors]
        words = [", ".join(each) or "none"]
        words += [f"{self.style} numbers"] * any(inexact) + [str(self.integers)] * (not all(inexact))
        words += [self.layout] * (self.layout != "contiguous" and bool(tensors))
        return "; ".join([*words, *["no_grad"] * (not self.grad), *["requires_grad"] * undescribed])


def inputs_of(leaves: Sequence[Leaf], recipe: Recipe, seed: int) -> list[object]:
    """A flat input for each leaf. Cost: their elements."""
    generator = torch.Generator().manual_seed(seed)
    made: list[object] = []
    for leaf, shape in zip(leaves, recipe.shapes):
        if leaf.kind == "constant":
            made.append(leaf.value)
        elif leaf.kind == "int":
            made.append(shape)
        else:
            assert leaf.dtype is not None
            tensor = laid_out(_numbers(shape, leaf.dtype, recipe, generator), recipe.layout).to(leaf.device)
            wanted = recipe.requires_grad and _is_inexact(leaf) if leaf.requires_grad is None else leaf.requires_grad
            made.append(tensor.requires_grad_() if wanted else tensor)
    return made


def laid_out(tensor: torch.Tensor, layout: str) -> torch.Tensor:
    """The numbers in memory of that layout. An expanded tensor repeats the numbers of its first row."""
    if layout == "transposed" and tensor.dim() >= 2:
        return tensor.transpose(-1, -2).contiguous().transpose(-1, -2)
    if layout == "reversed" and tensor.dim() >= 2:
        back = tuple(reversed(range(tensor.dim())))
        return tensor.permute(back).contiguous().permute(back)
    if layout == "sliced" and tensor.dim() >= 1:
        wide = torch.zeros((*tensor.shape[:-1], 2 * tensor.shape[-1] + 2), dtype=tensor.dtype)
        view = wide[..., 1 : 1 + 2 * tensor.shape[-1] : 2]
        view.copy_(tensor)
        return view
    dimension = next((at for at, size in enumerate(tensor.shape) if size > 1), None)
    if layout == "expanded" and dimension is not None:
        return tensor.narrow(dimension, 0, 1).clone().expand(tensor.shape)
    return tensor


def _is_inexact(leaf: Leaf) -> bool:
    return leaf.dtype is not None and (leaf.dtype.is_floating_point or leaf.dtype.is_complex)


def _numbers(shape: Sequence[int], dtype: torch.dtype, recipe: Recipe, generator: torch.Generator) -> torch.Tensor:
    if dtype is torch.bool:
        return torch.randint(0, 2, shape, generator=generator).bool()
    if dtype.is_complex:
        real = torch.float64 if dtype is torch.complex128 else torch.float32
        parts = [_floats(shape, real, recipe.style, generator) for _ in range(2)]
        return torch.complex(*parts).to(dtype)
    if dtype.is_floating_point:
        return _floats(shape, dtype, recipe.style, generator)
    return _integers(shape, dtype, recipe.integers, generator)


def _floats(shape: Sequence[int], dtype: torch.dtype, style: str, generator: torch.Generator) -> torch.Tensor:
    wide = torch.randn(shape, generator=generator, dtype=torch.float64)
    if style == "halves":
        wide = torch.randint(-6, 7, shape, generator=generator).double() / 2
    elif style == "large":
        wide = wide * min(1e18, torch.finfo(dtype).max / 1e3)
    elif style == "positive":
        wide = torch.rand(shape, generator=generator, dtype=torch.float64)
    elif style in ("special", "zeros"):
        info = torch.finfo(dtype)
        few = (*_SPECIAL, info.max, -info.max, info.tiny, info.tiny / 2) if style == "special" else (0.0, -0.0)
        chosen = torch.tensor(few, dtype=torch.float64)[torch.randint(0, len(few), shape, generator=generator)]
        # Half of the numbers are unchanged. If all were special, most results would be NaN, and nothing would differ.
        wide = torch.where(torch.rand(shape, generator=generator) < 0.5, chosen, wide) if style == "special" else chosen
    return wide.to(dtype)


def _integers(shape: Sequence[int], dtype: torch.dtype, integers: Integers, generator: torch.Generator) -> torch.Tensor:
    info = torch.iinfo(dtype)
    low, high = max(integers.low, info.min), min(integers.high, info.max)
    numbers = torch.randint(low, high + 1, shape, generator=generator)
    if integers.edges:
        largest = min(info.max, 2**63 - 1)
        few = torch.tensor([info.min, largest, info.min + 1, largest - 1, 0, 1], dtype=torch.int64)
        numbers = torch.where(torch.rand(shape, generator=generator) < 0.5, few[torch.randint(0, 6, shape, generator=generator)], numbers)
    elif numbers.numel() > 1:  # both ends are among them
        numbers.view(-1)[0], numbers.view(-1)[-1] = high, low
    return numbers.to(dtype)
