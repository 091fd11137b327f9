"""Fields that determine the behavior of a leaf module, written so that the module can be created again."""

from __future__ import annotations

import json
import math
from typing import Any

import torch

from ..errors import SunderError
from .literals import Literals

OF_MODULES = frozenset(vars(torch.nn.Module())) - {"training"}  # hooks, tables, and other attributes of every module
# : Lists of tensors that recurrent modules derive from their parameters.
_MADE_AGAIN = ("_flat_weights", "_flat_weight_refs")


def plain_fields(module: torch.nn.Module) -> dict[str, Any]:
    """Returns the public fields of plain types, without numbers that JSON cannot represent."""
    return {
        name: value
        for name, value in vars(module).items()
        if not name.startswith("_") and type(value) in (bool, int, float, str, type(None)) and _is_plain(value)
    }


def _is_plain(value: Any) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    return not isinstance(value, int) or abs(value) < 1 << 63


def fields_of(module: torch.nn.Module, literals: Literals) -> dict[str, Any]:
    """Returns all fields by name, as fx-json values, except tensors and attributes of every module. Raises an error that names a
    field without a representation.
    """
    found: dict[str, Any] = {}
    for name, value in sorted(vars(module).items()):
        if name in OF_MODULES or (isinstance(value, torch.Tensor) and not name.startswith("__")) or _is_made_again(module, name, value):
            continue
        try:
            found[name] = json.loads(literals.literal(value))
        except SunderError as error:
            raise SunderError(f"has a field {name} that {error.text}") from None
    return found


def _is_made_again(module: torch.nn.Module, name: str, value: Any) -> bool:
    if name not in _MADE_AGAIN or not isinstance(module, torch.nn.RNNBase):
        return False
    made = [getattr(module, weight, None) for weight in module._flat_weights_names]
    return name != "_flat_weights" or (len(value) == len(made) and all(a is b for a, b in zip(value, made)))
