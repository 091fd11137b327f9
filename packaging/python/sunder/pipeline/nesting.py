"""Nesting of the model's inputs and outputs."""

from __future__ import annotations

import collections
import math
from typing import Any, Iterator, Mapping, Sequence

import torch.utils._pytree as pytree

from ..errors import SunderError
from ..fxjson.guards import check_guards, conditions, equalities, input_places
from .manifest import Manifest, Value


class Nesting:
    """Flattens the arguments of a call, and nests flat outputs."""

    def __init__(self, manifest: Manifest) -> None:
        self.inputs = manifest.inputs
        self.outputs = manifest.outputs
        self._keywords = manifest.keywords
        self._in = _spec(manifest.in_spec, ((0,) * len(self.inputs), {}))
        self._guards = _guards(manifest, self._in)
        self._out = _spec(manifest.out_spec, (0,) * len(self.outputs))
        for spec, values, what in ((self._in, self.inputs, "inputs"), (self._out, self.outputs, "outputs")):
            if spec.num_leaves != len(values):
                raise SunderError(f"the manifest lists {len(values)} {what}, but nests {spec.num_leaves}", code="format")

    def bound(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """The inputs by name. Keywords that are always the same may be left out."""
        leaves = _leaves_of((tuple(args), self._completed(kwargs)), self._in, "")
        for value, leaf in zip(self.inputs, leaves):
            if value.is_literal and not _is_same(leaf, value.literal):
                told = f"{value.name} is {_short(leaf)}, but the model was exported for {value.literal!r}"
                raise SunderError(told, code="usage")
        try:
            check_guards(leaves, self._guards, lambda place: self.inputs[place].name)
        except AssertionError as error:
            raise SunderError(f"the model was exported for other sizes: {error}", code="usage") from None
        return {value.name: leaf for value, leaf in zip(self.inputs, leaves)}

    def nested_inputs(self, leaves: Sequence[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        args, kwargs = pytree.tree_unflatten(list(leaves), self._in)
        return args, kwargs

    def nested_outputs(self, values: Mapping[str, Any]) -> Any:
        leaves = [value.literal if value.is_literal else values[value.name] for value in self.outputs]
        return pytree.tree_unflatten(leaves, self._out)

    def output_paths(self) -> list[str]:
        """Returns the position of each output in the result: "['logits']"; "" for an output that is the result."""
        return list(_paths_in(self._out, ""))

    def _completed(self, kwargs: Mapping[str, Any]) -> dict[str, Any]:
        completed = dict(kwargs)
        for name, place in self._keywords.items():
            if name not in completed and isinstance(place, int) and self.inputs[place].is_literal:
                completed[name] = self.inputs[place].literal
        return completed


def _guards(manifest: Manifest, spec: pytree.TreeSpec) -> tuple[str, ...]:
    """Conditions on the inputs: guards of the export, and sizes that are expressions of others."""
    places = input_places(spec, manifest.arg_names) if manifest.guards else {}
    sizes = [
        (f"size{place}_{at}", size.get("sym") if isinstance(size, dict) else size)
        for place, value in enumerate(manifest.inputs)
        for at, size in enumerate(value.shape or ())
    ]
    return tuple(dict.fromkeys([*equalities(sizes), *conditions(manifest.guards, places)]))


def _spec(text: str | None, flat: Any) -> pytree.TreeSpec:
    if text is None:
        return pytree.tree_flatten(flat)[1]
    try:
        return pytree.treespec_loads(text)
    except (ValueError, TypeError, KeyError) as error:
        raise SunderError(f"this PyTorch cannot read the nesting of inputs or outputs in the manifest: {error}") from error


def _paths_in(spec: pytree.TreeSpec, place: str) -> Iterator[str]:
    """Reads paths from the spec, since instances of some classes cannot be created with placeholder values."""
    children = _children_of(spec)
    if spec.is_leaf():
        yield place
    names = spec.context[0] if isinstance(spec.context, list) and spec.context else None  # of a data class, and of its fields that are None
    if spec.type in (dict, collections.OrderedDict):
        steps = [f"[{key!r}]" for key in spec.context]
    elif fields := getattr(spec.context, "_fields", names if isinstance(names, list) else None):
        steps = [f".{field}" for field in fields]
    else:
        steps = []
    if len(steps) != len(children):
        steps = [f"[{i}]" for i in range(len(children))]
    for step, child in zip(steps, children):
        yield from _paths_in(child, place + step)


def _children_of(spec: pytree.TreeSpec) -> Sequence[pytree.TreeSpec]:
    return spec.children() if hasattr(spec, "children") else spec.children_specs


def _leaves_of(value: Any, spec: pytree.TreeSpec, place: str) -> list[Any]:
    if spec.is_leaf():
        return [value]
    items, found = pytree.tree_flatten(value, is_leaf=lambda item: item is not value)
    children = _children_of(spec)
    if spec.type is dict and type(value) is dict:
        if value.keys() != set(spec.context):
            raise SunderError(f"{place or 'the call'} {_missing(value, spec.context)}", code="usage")
        items = [value[key] for key in spec.context]
    elif found.is_leaf() or found.type is not spec.type or found.context != spec.context or len(items) != len(children):
        taken = f"{place or 'the call'} takes {_words(spec)}"
        raise SunderError(f"{taken}, not {_short(value) if found.is_leaf() else _words(found)}", code="usage")
    leaves = []
    for key, item, child in zip(_keys_of(spec, place), items, children):
        leaves += _leaves_of(item, child, key)
    return leaves


def _keys_of(spec: pytree.TreeSpec, place: str) -> list[str]:
    """Names the items in messages. The call itself is a pair of arguments and keyword arguments."""
    if not place:
        return ["the list of positional inputs", "the call"]
    keys = spec.context if spec.type is dict else range(len(_children_of(spec)))
    inside = "" if place in ("the call", "the list of positional inputs") else place
    return [f"{inside}[{key!r}]" if inside or not isinstance(key, str) else key for key in keys]


def _missing(value: Mapping[str, Any], wanted: Sequence[Any]) -> str:
    missing = [str(key) for key in wanted if key not in value]
    more = [str(key) for key in value if key not in wanted]
    told = [f"lacks {', '.join(missing)}"] if missing else []
    told += [f"does not take {', '.join(more)}"] if more else []
    return " and ".join(told)


def _words(spec: pytree.TreeSpec) -> str:
    return f"a {getattr(spec.type, '__name__', spec.type)} of {len(_children_of(spec))}"


def _short(value: Any) -> str:
    text = repr(value) if isinstance(value, (int, float, str, type(None))) else f"a {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "…"


def _is_same(a: Any, b: Any) -> bool:
    return type(a) is type(b) and (a == b or (isinstance(a, float) and math.isnan(a) and math.isnan(b)))


def value_text(value: Any) -> str:
    """Describes a value as in manifests."""
    if hasattr(value, "dtype") and hasattr(value, "shape"):
        return f"{str(value.dtype).removeprefix('torch.')} {list(value.shape)}"
    return _short(value)


def mismatches(expected: Sequence[Value], given: Sequence[Any], exported: str = "the part") -> list[str]:
    """Inputs whose types or sizes are not those that `exported` was exported for: the likely cause of an error of PyTorch."""
    found = []
    for value, actual in zip(expected, given):
        shape, dtype = getattr(actual, "shape", None), str(getattr(actual, "dtype", "")).removeprefix("torch.")
        if value.type != "tensor" or value.shape is None:
            continue
        is_like = shape is not None and len(shape) == len(value.shape) and dtype == value.dtype
        pairs = zip(value.shape, shape or ())
        if not is_like or any(isinstance(wanted, int) and wanted != size for wanted, size in pairs):
            found.append(f"{value.name} is {value_text(actual)}, but {exported} was exported for {value}")
    return found
