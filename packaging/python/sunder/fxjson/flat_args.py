"""Inputs of programs, flattened for their graphs. As in torch.export, inputs with another nesting and other constants than those
of the export are refused. Unflattened programs also check shapes, and may have an adapter for other nestings.
"""

from __future__ import annotations

import collections
import inspect
from typing import Any, Mapping, Sequence

import torch
import torch.fx
import torch.utils._pytree as pytree
from torch.export import FlatArgsAdapter
from torch.export._tree_utils import reorder_kwargs
from torch.fx import _symbolic_trace
from torch.fx._pytree import tree_flatten_spec
from torch.fx.immutable_collections import immutable_dict, immutable_list
from torch.utils._pytree import GetAttrKey, SequenceKey

from ..errors import WronglyNested, one_line
from .guards import check_guards
from .specs import children_of

#: torch 2.6 has no separate function for tracing without dynamo.
is_fx_symbolic_tracing = getattr(_symbolic_trace, "is_fx_symbolic_tracing", _symbolic_trace.is_fx_tracing)

#: Key of a FlatArgs in the metadata of a module, which copies and pickles of the module keep.
FLAT_ARGS = "sunder_inputs"
Call = tuple[tuple[Any, ...], dict[str, Any]]
Paths = Sequence[tuple[Any, Any]]
#: Places of tensors among the flat inputs, each with (size or symbol, least, most) of every dimension.
Sizes = Sequence[tuple[int, Sequence[tuple[Any, Any, Any]]]]
_TAKEN = frozenset(inspect.signature(FlatArgsAdapter.adapt).parameters)  # parameters of adapters in this release
_MUTABLE = {immutable_list: list, immutable_dict: dict}  # interpreters pass containers of nodes


def flat_inputs(
    module: torch.fx.GraphModule, given: Call, constants: Mapping[int, Any], sizes: Sizes = (), guards: Sequence[str] = ()
) -> list[Any]:
    """Returns the flat inputs of a program's graph. Called by the generated code of the program.

    `constants`: the inputs that were constants of the export, by place. `sizes`: of the tensors that the export is for, by place.
    `guards`: conditions on sizes and numbers (guards.py). Raises WronglyNested, RuntimeError for other constants, and AssertionError
    for other sizes and failed guards, as torch.export does.
    """
    args, kwargs = given
    spec: pytree.TreeSpec = module._in_spec
    nested = (args, reorder_kwargs(kwargs, spec) if kwargs else kwargs)
    checks: FlatArgs | None = module.meta.get(FLAT_ARGS)
    adapter = None if checks is None else checks.adapter
    if is_fx_symbolic_tracing():  # also when reading a pickle: inputs are proxies, nested or not
        flat = list(tree_flatten_spec(nested, spec)) if adapter is None else pytree.tree_leaves(nested)
    elif checks is not None and (adapter is not None or not torch.compiler.is_dynamo_compiling()):
        flat = checks.take(module, nested)
    else:  # dynamo can trace nothing else
        flat = pytree.tree_leaves(_ordered(nested, spec))
    check_constants(flat, spec, constants)
    if (sizes or guards) and not torch.compiler.is_compiling():
        check_sizes(flat, spec, sizes, guards)
    return flat


def check_sizes(flat: Sequence[Any], spec: pytree.TreeSpec, sizes: Sizes, guards: Sequence[str] = ()) -> None:
    """Checks tensors against the sizes and guards of the export. Ignores their number of dimensions and dtype, as torch.export
    does.
    """
    known: dict[str, int] = {}
    for place, dimensions in sizes:
        value = flat[place]
        if not isinstance(value, torch.Tensor):
            continue
        for at, (found, (size, low, high)) in enumerate(zip(value.shape, dimensions)):
            if type(found) is not int:  # a symbol, while the program is exported again
                continue
            wanted = known.setdefault(size, found) if isinstance(size, str) else size
            fits = ((found == wanted, f"== {wanted}"), (low is None or found >= low, f">= {low}"), (high is None or found <= high, f"<= {high}"))
            for holds, text in fits:
                if not holds:
                    raise AssertionError(f"Guard failed: size {at} of {_place_text(spec, place)} {text}, but it is {found}")
    check_guards(flat, guards, lambda place: _place_text(spec, place))


def check_constants(flat: Sequence[Any], spec: pytree.TreeSpec, constants: Mapping[int, Any]) -> None:
    """Checks flat inputs that were constants of the export. For inputs of torch.fx's tracers, the traced graph checks them."""
    for place, value in constants.items():
        found = flat[place]
        if isinstance(found, torch.fx.Proxy):
            if value == value:
                torch._assert(found == value, f"{_place_text(spec, place)} is not {value!r}")  # type: ignore[no-untyped-call]
        elif type(found) is not type(value) or (found != value and value == value):
            raise RuntimeError(f"Expected input at {_place_text(spec, place)} to be equal to {value}, but got {found}")


class FlatArgs:
    """Additional checks of unflattened programs. `ranges`: bounds of the symbols in the values of the placeholders."""

    def __init__(self, ranges: Mapping[Any, Any], adapter: FlatArgsAdapter | None) -> None:
        self.ranges = dict(ranges)
        self.adapter = adapter
        self.adapted = False

    def take(self, module: torch.fx.GraphModule, nested: Call) -> list[Any]:
        """Returns the flat inputs of the graph."""
        if self.adapter is None:
            nested = _ordered(nested, module._in_spec)
        with_paths, spec = pytree.tree_flatten_with_path(nested)
        flat = [value for _, value in with_paths]
        if spec != module._in_spec:
            flat = self._adapted(module, flat, spec, nested[0])
        self._check(module, self._paths_of(flat) if self.adapted else with_paths)
        return flat

    def _adapted(self, module: torch.fx.GraphModule, flat: list[Any], spec: pytree.TreeSpec, args: tuple[Any, ...]) -> list[Any]:
        assert self.adapter is not None
        metadata = {key: value for key, value in module.meta.items() if key != FLAT_ARGS}
        metadata["unflattened_module"] = module  # not in its own metadata: a module that contains itself cannot be pickled
        target: pytree.TreeSpec = module._in_spec
        given: dict[str, Any] = dict(target_spec=target, input_spec=spec, input_args=flat, metadata=metadata, obj=args)
        flat = self.adapter.adapt(**{name: value for name, value in given.items() if name in _TAKEN})
        if len(flat) != target.num_leaves:
            raise WronglyNested(
                f"Flat args adaption failed, number of args mismatch: {type(self.adapter).__name__}.adapt returned {len(flat)}, but "
                f"the program takes {target.num_leaves}"
            )
        self.adapted = True
        return flat

    def _paths_of(self, flat: Sequence[Any]) -> Paths:
        """Names of adapted inputs for errors."""
        names: list[str] = getattr(self.adapter, "get_flat_arg_paths", list)()
        if names and len(names) != len(flat):
            raise AssertionError(f"flat_arg_paths length {len(names)} does not match flat_args length {len(flat)}")
        keys = names or ["<unknown location>"] * len(flat)
        return [((SequenceKey(i), GetAttrKey(key)), value) for i, (key, value) in enumerate(zip(keys, flat))]

    def _check(self, module: torch.fx.GraphModule, with_paths: Paths) -> None:
        from torch._export.utils import _check_input_constraints_for_graph  # slow: imports most of torch.export

        _check_input_constraints_for_graph(_placeholders(module.graph), with_paths, self.ranges)


def ranges_of(graph: torch.fx.Graph) -> dict[Any, Any]:
    """Bounds of the symbols in the sizes of the graph's inputs."""
    ranges: dict[Any, Any] = {}
    for node in _placeholders(graph):
        value = node.meta.get("val")
        for size in value.shape if isinstance(value, torch.Tensor) else [value]:
            if isinstance(size, torch.SymInt):
                ranges.update(size.node.shape_env.var_to_range)
    return ranges


def _ordered(nested: Call, spec: pytree.TreeSpec) -> Any:
    """Returns inputs nested exactly by the spec: dicts may have another order, and containers may be those of torch.fx."""
    found = pytree.tree_structure(nested)
    if found == spec:
        return nested
    if _are_alike(found, spec):
        return pytree.tree_unflatten(tree_flatten_spec(nested, spec), spec)
    raise WronglyNested(
        "There is no flat args adapter specified. Are you sure you are calling this with the right arguments? "
        f"They are nested as {one_line(str(found))}, but the program takes {one_line(str(spec))}"
    )


def _are_alike(found: pytree.TreeSpec, spec: pytree.TreeSpec) -> bool:
    kind = _MUTABLE.get(found.type, found.type)
    ours, theirs = children_of(found), children_of(spec)
    if kind is not _MUTABLE.get(spec.type, spec.type) or len(ours) != len(theirs):
        return False
    if kind in (dict, collections.OrderedDict):
        if set(found.context) != set(spec.context):
            return False
        by_key = dict(zip(found.context, ours))
        ours = [by_key[key] for key in spec.context]
    elif found.context != spec.context:
        return False
    return all(map(_are_alike, ours, theirs))


def _place_text(spec: pytree.TreeSpec, place: int) -> str:
    """Names a flat input as torch.export does."""
    from torch._export.utils import get_keystr  # slow: imports most of torch.export

    paths, _ = pytree.tree_flatten_with_path(pytree.tree_unflatten([0] * spec.num_leaves, spec))
    return str(get_keystr(paths[place][0]))


def _placeholders(graph: torch.fx.Graph) -> list[torch.fx.Node]:
    """The placeholders of an unflattened program, which are its first nodes."""
    found = []
    for node in graph.nodes:
        if node.op != "placeholder":
            break
        found.append(node)
    return found
