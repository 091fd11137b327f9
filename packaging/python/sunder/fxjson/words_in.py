"""Words of fx-json as values of Python."""

from __future__ import annotations

from typing import Any, Callable, Mapping

import torch

from ..errors import SunderError
from .code_text import check_literal
from .lent import KEY, Lent
from .names import Names
from .specs import spec_of_text
from .symbols import Symbols

_TORCH: dict[str, type] = {"dtype": torch.dtype, "layout": torch.layout, "mf": torch.memory_format}


class WordsIn:
    def __init__(self, names: Names, symbols: Symbols, lent: Lent | None = None) -> None:
        self._names = names
        self._symbols = symbols
        self._lent = lent
        self._readers: dict[str, Callable[[Any, dict[str, Any], Mapping[str, Any]], Any]] = {
            "t": lambda x, v, env: tuple([self.value(item, env) for item in x]),
            "d": lambda x, v, env: {self.value(key, env): self.value(item, env) for key, item in x},
            "nt": lambda x, v, env: self._named_tuple(x, env),
            "slice": lambda x, v, env: slice(*[self.value(item, env) for item in x]),
            "range": lambda x, v, env: range(*x),
            "ellipsis": lambda x, v, env: ...,
            "f": lambda x, v, env: float(x),
            "i": lambda x, v, env: _big(x),
            "c": lambda x, v, env: complex(*[self.value(part, env) for part in x]),
            "device": lambda x, v, env: torch.device(x),
            "fn": lambda x, v, env: self.function(x),
            "sym": lambda x, v, env: self._symbol(v),
            "repr": lambda x, v, env: self._opaque(v),
            "dtype": lambda x, v, env: _of_torch("dtype", x),
            "layout": lambda x, v, env: _of_torch("layout", x),
            "mf": lambda x, v, env: _of_torch("mf", x),
        }

    def with_tensors(self, make: Callable[[Mapping[str, Any]], Any]) -> WordsIn:
        """Extends the words by `tensor`, which occurs only in values of nodes. `make` gets its facts."""
        words = WordsIn(self._names, self._symbols, self._lent)
        words._readers["tensor"] = lambda x, v, env: make(x)
        return words

    def value(self, v: Any, env: Mapping[str, Any]) -> Any:
        """Returns the value. `env` maps names of nodes to their objects."""
        kind = type(v)
        if kind is list:
            return [self.value(item, env) for item in v]
        if kind is str and self._lent is None:
            return check_literal(v)
        if kind is not dict:
            return v
        word, x = next(iter(v.items()), ("", ""))
        if word == "n":
            try:
                return env[x]
            except KeyError:
                raise SunderError(f"uses {x}, which does not precede it in its graph", code="malformed") from None
        reader = self._readers.get(word)
        if reader is None:
            raise SunderError(f'has a value of the kind "{word}" ({str(v):.100}), which torch.fx cannot recreate')
        return reader(x, v, env)

    def function(self, text: str) -> Callable[..., Any]:
        if self._lent is not None and text in self._lent.functions:
            return self._lent.functions[text]
        return self._names.function(text)

    def class_called(self, text: str) -> Any:
        """Returns the class that a type annotation names. None if it is unknown."""
        return self._names.class_called(text)

    def _named_tuple(self, x: list[Any], env: Mapping[str, Any]) -> Any:
        name, fields, items = x
        cls: Any = self._lent.functions.get(name) if self._lent else None
        cls = cls or self._names.tuple_class(name, fields)
        if cls is None:
            raise SunderError(f"has a named tuple {name}, whose class is unknown; if you trust the file, use trust=…")
        values = [self.value(item, env) for item in items]
        return cls(values) if not hasattr(cls, "_make") else cls._make(values)

    def _symbol(self, v: dict[str, Any]) -> Any:
        if self._lent is not None and KEY in v:
            return self._lent.borrowed(v[KEY])
        return self._symbols.value(v)

    def _opaque(self, v: dict[str, Any]) -> Any:
        text, cls = v["repr"], v.get("cls", "")
        if self._lent is not None and text.startswith(KEY):
            return self._lent.borrowed(text)
        if cls == "torch.utils._pytree.TreeSpec":
            return spec_of_text(text)
        raise SunderError(f"takes a {cls or 'value'} that the file has only as text, {text:.100}")


def _big(text: str) -> int:
    if len(text) > 4000:
        raise SunderError(f"has an integer of {len(text)} digits", code="malformed")
    return int(text)


def _of_torch(kind: str, name: str) -> Any:
    found = getattr(torch, name, None)
    if not isinstance(found, _TORCH[kind]):
        raise SunderError(f"has the {kind} {name}, which PyTorch {torch.__version__} does not have")
    return found
