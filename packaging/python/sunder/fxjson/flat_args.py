"""Inputs of the module of an unflattened program, handled as in torch.export.unflatten: inputs with another nesting than that of
the program are adapted or refused, and shapes and constants are checked.
"""

from __future__ import annotations

import inspect
from typing import Any, Mapping, Sequence

import torch
import torch.fx
import torch.utils._pytree as pytree
from torch.export import FlatArgsAdapter
from torch.export._tree_utils import reorder_kwargs
from torch.fx import _symbolic_trace
from torch.fx._pytree import tree_flatten_spec
from torch.utils._pytree import GetAttrKey, SequenceKey

from ..errors import WronglyNested

#: torch 2.6 has no separate function for tracing without dynamo.
is_fx_symbolic_tracing = getattr(_symbolic_trace, "is_fx_symbolic_tracing", _symbolic_trace.is_fx_tracing)

#: Key of a FlatArgs in the metadata of a module, which copies and pickles of the module keep.
FLAT_ARGS = "sunder_inputs"
Paths = Sequence[tuple[Any, Any]]
_TAKEN = frozenset(inspect.signature(FlatArgsAdapter.adapt).parameters)  # the arguments that adapters of this release take


class FlatArgs:
    """`in_spec`: the nesting of (args, kwargs); `ranges`: bounds of the symbols in the values of the placeholders."""

    def __init__(self, in_spec: pytree.TreeSpec, ranges: Mapping[Any, Any], adapter: FlatArgsAdapter | None) -> None:
        self.in_spec = in_spec
        self.ranges = dict(ranges)
        self.adapter = adapter
        self.adapted = False

    def take(self, module: torch.fx.GraphModule, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """Returns the flat inputs of the graph."""
        ordered = reorder_kwargs(kwargs, self.in_spec) if kwargs else kwargs
        if torch.compiler.is_dynamo_compiling() and self.adapter is None:  # dynamo cannot trace the rest
            return self._alike(*pytree.tree_flatten((args, ordered)))
        if is_fx_symbolic_tracing() and self.adapter is None:  # also when reading a pickle: inputs are proxies, nested or not
            return list(tree_flatten_spec((args, ordered), self.in_spec))
        with_paths, spec = pytree.tree_flatten_with_path((args, ordered))
        flat = [value for _, value in with_paths]
        if is_fx_symbolic_tracing():
            return flat
        if spec != self.in_spec:
            flat = self._adapted(module, flat, spec, args)
        self._check(module, self._paths_of(flat) if self.adapted else with_paths)
        return flat

    def _alike(self, flat: list[Any], spec: pytree.TreeSpec) -> list[Any]:
        if spec != self.in_spec:
            raise self._wrong(spec)
        return flat

    def _adapted(self, module: torch.fx.GraphModule, flat: list[Any], spec: pytree.TreeSpec, args: tuple[Any, ...]) -> list[Any]:
        if self.adapter is None:
            raise self._wrong(spec)
        metadata = {key: value for key, value in module.meta.items() if key != FLAT_ARGS}
        metadata["unflattened_module"] = module  # not in its own metadata: a module that holds itself cannot be pickled
        given = dict(target_spec=self.in_spec, input_spec=spec, input_args=flat, metadata=metadata, obj=args)
        flat = self.adapter.adapt(**{name: value for name, value in given.items() if name in _TAKEN})
        if len(flat) != self.in_spec.num_leaves:
            raise WronglyNested(
                f"Flat args adaption failed, number of args mismatch: {type(self.adapter).__name__}.adapt gave {len(flat)}, and "
                f"the program takes {self.in_spec.num_leaves}"
            )
        self.adapted = True
        return flat

    def _paths_of(self, flat: Sequence[Any]) -> Paths:
        """Names of adapted inputs for errors."""
        names = self.adapter.get_flat_arg_paths() if hasattr(self.adapter, "get_flat_arg_paths") else []
        if names and len(names) != len(flat):
            raise AssertionError(f"flat_arg_paths length {len(names)} does not match flat_args length {len(flat)}")
        keys = names or ["<unknown location>"] * len(flat)
        return [((SequenceKey(i), GetAttrKey(key)), value) for i, (key, value) in enumerate(zip(keys, flat))]

    def _check(self, module: torch.fx.GraphModule, with_paths: Paths) -> None:
        from torch._export.utils import _check_input_constraints_for_graph  # slow: imports most of torch.export

        _check_input_constraints_for_graph(_placeholders(module.graph), with_paths, self.ranges)

    def _wrong(self, spec: pytree.TreeSpec) -> WronglyNested:
        return WronglyNested(
            "There is no flat args adapter specified. Are you sure you are calling this with the right arguments? "
            f"They are nested as {spec}, and the program takes {self.in_spec}"
        )


def ranges_of(graph: torch.fx.Graph) -> dict[Any, Any]:
    """Bounds of the symbols in the sizes of the graph's inputs."""
    ranges: dict[Any, Any] = {}
    for node in _placeholders(graph):
        value = node.meta.get("val")
        for size in value.shape if isinstance(value, torch.Tensor) else [value]:
            if isinstance(size, torch.SymInt):
                ranges.update(size.node.shape_env.var_to_range)
    return ranges


def _placeholders(graph: torch.fx.Graph) -> list[torch.fx.Node]:
    """The placeholders of an unflattened program, which are its first nodes."""
    found = []
    for node in graph.nodes:
        if node.op != "placeholder":
            break
        found.append(node)
    return found
