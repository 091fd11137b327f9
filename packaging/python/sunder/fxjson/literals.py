"""Values that a file represents completely, so that equal text means equal values: fields of modules, and values of get_attr
nodes."""

from __future__ import annotations

import enum
from typing import Any, Callable

import torch
from torch.fx.immutable_collections import immutable_dict, immutable_list
from torch.fx.passes.shape_prop import TensorMetadata

from ..errors import SunderError
from .names import class_text, is_local, leads_to, text_of
from .words_out import WordsOut

_NOT_LITERALS = (torch.fx.Node, torch.SymInt, torch.SymFloat, torch.SymBool, TensorMetadata, immutable_list, immutable_dict)


class Literals(WordsOut):
    """Refuses values without a complete representation: subclasses of plain types, tensors, and functions that their names do not
    identify."""

    def __init__(self, words: WordsOut) -> None:
        super().__init__()
        self._words = words
        for kind in _NOT_LITERALS:
            self._writers.pop(kind, None)

    def literal(self, value: Any) -> str:
        try:
            return self.text(value)
        except RecursionError:
            raise SunderError(f"holds a {type(value).__name__} that contains itself or is nested too deeply") from None

    def function(self, function: Callable[..., Any]) -> str:
        try:
            text = text_of(function)
        except (AttributeError, RuntimeError, TypeError):
            raise SunderError(f"holds {function!r:.100}, which has no name to store in a file") from None
        if is_local(text):
            raise SunderError(f"holds the function {text}, which cannot be found by its name")
        return self._words.function(function)

    def _other(self, value: Any) -> str:
        kind = type(value)
        if hasattr(kind, "_fields") and isinstance(value, tuple) and leads_to(class_text(kind), kind):
            return super()._named_tuple(value)
        if isinstance(value, enum.Enum) and value.name is not None and leads_to(class_text(kind), kind):
            return self._enumerator(value)
        is_function = callable(value) and hasattr(value, "__name__") and not isinstance(value, torch.nn.Module)
        if is_function or isinstance(value, torch.utils._pytree.TreeSpec):
            return super()._other(value)
        raise SunderError(f"holds a {class_text(kind)}")

    def _opaque(self, value: Any) -> str:
        raise SunderError(f"holds a {class_text(type(value))}")
