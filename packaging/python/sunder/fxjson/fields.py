"""What decides how a leaf module computes: fields of its own, written so that the module can be made again."""

from __future__ import annotations

import json
import math
import warnings
from typing import Any

import torch

from ..errors import SunderError
from .words_out import WordsOut

_OF_TORCH = frozenset(vars(torch.nn.Module()))  # hooks, tables, what every module has
#: Lists of tensors that a module makes of its parameters by itself.
_MADE_AGAIN = frozenset({"_flat_weights", "_flat_weight_refs"})


def plain_fields(module: torch.nn.Module) -> dict[str, Any]:
    """The public fields of plain type; numbers that JSON has no word for are left out."""
    return {
        name: value
        for name, value in vars(module).items()
        if not name.startswith("_") and type(value) in (bool, int, float, str, type(None)) and _is_plain(value)
    }


def _is_plain(value: Any) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    return not isinstance(value, int) or abs(value) < 1 << 63


def described(module: torch.nn.Module) -> bool:
    """Whether its class can be found again, and its fields decide what it does."""
    cls = type(module)
    return "<locals>" not in cls.__qualname__ and cls.__module__ != "torch.export._unlift"


def fields_of(module: torch.nn.Module, words: WordsOut, path: str) -> dict[str, Any] | None:
    """All fields but tensors and what every module has, as fx-json writes values. None where one cannot be written, with a
    warning: the module can be looked at and cut, and does not run when it is loaded."""
    found: dict[str, Any] = {}
    for name, value in vars(module).items():
        if name in _OF_TORCH - {"training"} or name in _MADE_AGAIN or isinstance(value, torch.Tensor):
            continue
        try:
            found[name] = json.loads(words.text(value))
        except SunderError as error:
            warnings.warn(f"the module {path} will not run when it is loaded: its field {name} {error.text}", stacklevel=2)
            return None
    return found
