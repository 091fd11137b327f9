"""Decides which differences between two runs are due to rounding alone."""

from __future__ import annotations

from typing import Any, Sequence

import torch

from ..pipeline.comparison import Difference
from .observed import Run

# : Tolerance by dtype, relative to the largest number.
_SHARES = {torch.float64: 1e-6, torch.complex128: 1e-6, torch.float32: 1e-2, torch.complex64: 1e-2, torch.float16: 0.1, torch.bfloat16: 0.3}


def beyond_rounding(found: Sequence[Difference], a: Run, b: Run) -> list[Difference]:
    """Returns the differences that rounding does not explain."""
    return [one for one in found if not is_rounding(a.seen.get(one.what), b.seen.get(one.what))]


def is_rounding(a: Any, b: Any) -> bool:
    """Whether floating-point numbers differ by rounding only. Numbers that are not finite in either are ignored, because sums in
    another order overflow for other inputs.
    """
    if isinstance(a, float) and isinstance(b, float):
        a, b = torch.tensor(a, dtype=torch.float64), torch.tensor(b, dtype=torch.float64)
    if not isinstance(a, torch.Tensor) or not isinstance(b, torch.Tensor):
        return False
    if (a.dtype, a.shape, a.layout) != (b.dtype, b.shape, b.layout) or a.dtype not in _SHARES or a.layout is not torch.strided:
        return False
    wide = torch.complex128 if a.is_complex() else torch.float64
    first, second = a.detach().to(wide), b.detach().to(wide)
    finite = first.isfinite() & second.isfinite()
    first, second = first[finite], second[finite]
    if not first.numel():
        return True
    most = max(first.abs().max().item(), second.abs().max().item())
    return bool(((first - second).abs() <= _SHARES[a.dtype] * most).all())
