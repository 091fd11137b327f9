"""Values of Python as words of fx-json."""

from __future__ import annotations

import enum
import json
import math
import types
from typing import Any, Callable

import torch
import torch.utils._pytree as pytree
from sympy.printing.str import StrPrinter
from torch.fx.immutable_collections import immutable_dict, immutable_list
from torch.fx.passes.shape_prop import TensorMetadata

from ..errors import SunderError
from .lent import KEY, Lent
from .names import TORCHS_OWN, class_name, class_text, is_local, text_of

quoted: Callable[[str], str] = json.encoder.encode_basestring
_INT64 = 1 << 63
_SYMBOLS = {torch.SymInt: "", torch.SymFloat: ',"kind":"float"', torch.SymBool: ',"kind":"bool"'}


class _Expressions(StrPrinter):  # type: ignore[misc]
    """Prints expressions like sympy, with more digits for floats that are ambiguous with its 15 digits."""

    def _print_Float(self, number: Any) -> str:
        text = str(super()._print_Float(number))
        return text if float(text) == float(number) else repr(float(number))


_EXPRESSIONS = _Expressions()


class WordsOut:
    """Writes values as JSON text. With `lent`, values that fx-json cannot represent are lent; otherwise they are refused.
    `values`: tensors are written as descriptions, for values of nodes.
    """

    def __init__(self, lent: Lent | None = None, values: bool = False) -> None:
        self._lent = lent
        self._is_of_values = values
        self.schemas: list[str] = []  # of custom operators that were written
        self.locals: list[str] = []  # written functions and classes that their names do not identify
        self._named: dict[str, list[Any]] = {}  # by qualified name
        self._storages: dict[int | str, str] = {}
        self._kept: list[Any] = []  # keeps the addresses used as keys of _storages valid
        self.bases: list[Any] = []  # values of subclasses that were written as their base class
        self._dtypes: dict[torch.dtype, str] = {}
        self._functions: dict[int, tuple[Any, str]] = {}
        self._writers: dict[type, Callable[[Any], str]] = {
            torch.fx.Node: lambda v: f'{{"n":"{v.name}"}}',
            int: self._int,
            bool: lambda v: "true" if v else "false",
            type(None): lambda v: "null",
            str: quoted,
            float: _float,
            complex: lambda v: f'{{"c":[{_float(v.real)},{_float(v.imag)}]}}',
            list: self._list,
            immutable_list: self._list,
            tuple: self._tuple,
            torch.Size: self._tuple,
            dict: self._dict,
            immutable_dict: self._dict,
            slice: lambda v: f'{{"slice":[{self.text(v.start)},{self.text(v.stop)},{self.text(v.step)}]}}',
            range: lambda v: f'{{"range":[{v.start},{v.stop},{v.step}]}}',
            type(...): lambda v: '{"ellipsis":1}',
            torch.dtype: lambda v: f'{{"dtype":{self.dtype(v)}}}',
            torch.device: lambda v: f'{{"device":"{v}"}}',
            torch.layout: lambda v: f'{{"layout":"{str(v).removeprefix("torch.")}"}}',
            torch.memory_format: lambda v: f'{{"mf":"{str(v).removeprefix("torch.")}"}}',
            pytree.TreeSpec: self._spec,
            TensorMetadata: self._metadata,
            **dict.fromkeys(_SYMBOLS, self._symbol),
        }

    def text(self, value: Any) -> str:
        writer = self._writers.get(type(value))
        return writer(value) if writer else self._other(value)

    def items(self, values: Any) -> str:
        """The values of a list, with brackets."""
        return f"[{','.join([self.text(v) for v in values])}]"

    def keywords(self, values: dict[str, Any]) -> str:
        return f"[{','.join([f'[{quoted(k)},{self.text(v)}]' for k, v in values.items()])}]"

    def function(self, function: Callable[..., Any]) -> str:
        """Returns the qualified name of a callable, or a generated name if it is lent and has none."""
        known = self._functions.get(id(function))
        if known is None:
            known = self._functions[id(function)] = function, self._unique_name(self._function(function), function)
        return known[1]

    def dtype(self, dtype: torch.dtype) -> str:
        text = self._dtypes.get(dtype)
        if text is None:
            text = self._dtypes[dtype] = f'"{str(dtype).removeprefix("torch.")}"'
        return text

    def storage_key(self, tensor: torch.Tensor) -> int:
        """Equal for tensors that share memory, as long as this object lives."""
        storage = tensor.untyped_storage()
        self._kept.append(storage)
        return int(storage._cdata)

    def tensor(self, tensor: torch.Tensor) -> str:
        """Returns the description of a tensor value."""
        parts = [f'"dtype":{self.dtype(tensor.dtype)},"shape":{self.items(tensor.shape)}']
        if tensor.layout is torch.strided:
            parts.append(f'"stride":{self.items(tensor.stride())}')
            offset = tensor.storage_offset()
            if not isinstance(offset, int) or offset:
                parts.append(f'"offset":{self.text(offset)}')
            number = self._storages.setdefault(self.storage_key(tensor), f"v{len(self._storages)}")
            parts.append(f'"storage":"{number}"')
        else:
            parts.append(f'"layout":"{str(tensor.layout).removeprefix("torch.")}"')
        if tensor.device.type != "cpu":
            parts.append(f'"device":"{tensor.device}"')
        if tensor.requires_grad:
            parts.append('"requires_grad":true')
        return "{" + ",".join(parts) + "}"

    def kept(self, value: Any) -> Any:
        """Returns a value from a file, with storage numbers of this file."""
        if isinstance(value, list):
            return [self.kept(item) for item in value]
        if not isinstance(value, dict):
            return value
        said = {key: self.kept(item) for key, item in value.items()}
        if "tensor" in said and "storage" in said["tensor"]:
            said["tensor"]["storage"] = self._storages.setdefault(said["tensor"]["storage"], f"v{len(self._storages)}")
        return said

    def _function(self, function: Callable[..., Any]) -> str:
        if isinstance(function, torch._ops.OpOverload) and function.namespace not in TORCHS_OWN:
            self.schemas.append(str(function._schema))
        try:
            text = text_of(function)
        except (AttributeError, RuntimeError, TypeError):
            if self._lent is None:
                raise SunderError(f"calls {function!r}, which has no name to store in a file") from None
            text = "lent." + type(function).__name__
        return text

    def _unique_name(self, text: str, thing: Any) -> str:
        """The name of a function or class. Others with the same name get a number, in the order in which they are written."""
        others = self._named.setdefault(text, [])
        place = next((i for i, other in enumerate(others) if other is thing or _are_one(other, thing)), len(others))
        if place == len(others):
            others.append(thing)
        name = f"{text}#{place + 1}" if place else text
        if self._lent is not None:
            self._lent.functions.setdefault(name, thing)
        elif is_local(name) and name not in self.locals:
            self.locals.append(name)
        return name

    def _int(self, value: int) -> str:
        text = int.__repr__(value)  # of its class, such as an enumeration, would be another text
        return text if -_INT64 <= value < _INT64 else f'{{"i":"{text}"}}'

    def _list(self, value: list[Any]) -> str:
        return self.items(value)

    def _tuple(self, value: tuple[Any, ...]) -> str:
        return f'{{"t":{self.items(value)}}}'

    def _dict(self, value: dict[Any, Any]) -> str:
        return f'{{"d":[{",".join([f"[{self.text(k)},{self.text(v)}]" for k, v in value.items()])}]}}'

    def _named_tuple(self, value: Any) -> str:
        name = self._unique_name(class_name(type(value)), type(value))
        return f'{{"nt":[{quoted(name)},{json.dumps(list(value._fields))},{self.items(value)}]}}'

    def _spec(self, value: pytree.TreeSpec) -> str:
        try:
            text = pytree.treespec_dumps(value)
        except NotImplementedError:  # of a class that is not registered with a name
            return self._opaque(value)
        return f'{{"repr":{quoted(text)},"cls":"torch.utils._pytree.TreeSpec"}}'

    def _metadata(self, value: TensorMetadata) -> str:
        """Returns the tensor metadata of ShapeProp."""
        stride = f',"stride":{self.items(value.stride)}' if value.stride is not None else ""
        grad = ',"requires_grad":true' if value.requires_grad else ""
        return f'{{"tensor":{{"dtype":{self.dtype(value.dtype)},"shape":{self.items(value.shape)}{stride}{grad}}}}}'

    def _symbol(self, value: Any) -> str:
        hint = value.node.hint  # None for data-dependent symbols
        is_number = isinstance(hint, (bool, float)) or (isinstance(hint, int) and -_INT64 <= hint < _INT64)
        known = f',"hint":{self.text(hint)}' if is_number else ""
        lent = f',"{KEY}":"{self._lent.object_text(value)}"' if self._lent else ""
        return f'{{"sym":{quoted(_EXPRESSIONS.doprint(value.node.expr))}{known}{_SYMBOLS[type(value)]}{lent}}}'

    def _other(self, value: Any) -> str:
        if isinstance(value, torch.Tensor) and self._is_of_values:
            return f'{{"tensor":{self.tensor(value)}}}'
        if isinstance(value, pytree.TreeSpec):  # of a leaf
            return self._spec(value)
        if isinstance(value, tuple):
            return self._named_tuple(value) if hasattr(value, "_fields") else self._tuple(value)
        if isinstance(value, enum.Enum) and value.name is not None and not self._lent:
            return self._enumerator(value)
        for kind in (list, dict, str, bool, int, float):
            if isinstance(value, kind) and not self._lent:
                self.bases.append(value)
                return self._writers[kind](value)
        if callable(value) and hasattr(value, "__name__"):
            return f'{{"fn":{quoted(self.function(value))}}}'
        return self._opaque(value)

    def _enumerator(self, value: enum.Enum) -> str:
        """Returns a member of an enumeration, which functions may distinguish from its number or text."""
        return f'{{"fn":{quoted(f"{self._unique_name(class_name(type(value)), type(value))}.{value.name}")}}}'

    def _opaque(self, value: Any) -> str:
        if self._lent is None:
            raise SunderError(f"takes a {class_text(type(value))}, which fx-json cannot represent: {value!r:.200}")
        return f'{{"repr":"{self._lent.object_text(value)}","cls":{quoted(class_text(type(value)))}}}'


def _are_one(a: Any, b: Any) -> bool:
    """Whether two bound methods are the same. Every read creates another object."""
    return isinstance(a, types.MethodType) and isinstance(b, types.MethodType) and a.__func__ is b.__func__ and a.__self__ is b.__self__


def _float(value: float) -> str:
    if math.isfinite(value):
        return float.__repr__(value)
    return '{"f":"nan"}' if math.isnan(value) else '{"f":"inf"}' if value > 0 else '{"f":"-inf"}'
