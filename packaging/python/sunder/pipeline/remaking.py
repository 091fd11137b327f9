"""Values that are cheap to compute again: masks, rotary tables, positions."""

from __future__ import annotations

import dataclasses
from typing import Any, Iterator, Mapping, Sequence

import torch
import torch.fx

from .manifest import Manifest, Part, Value
from .part_files import load_part
from .registrations import check_registered
from .routes import makers_of, skipping

MOST_CALLS = 64


@dataclasses.dataclass
class Recipe:
    """Calls of a part that compute one of its outputs from inputs of the model, or from values that have recipes too."""

    name: str
    module: torch.fx.GraphModule
    inputs: tuple[str, ...]


def recipes_of(manifest: Manifest) -> dict[str, Recipe]:
    """Returns recipes for values that skip parts, and for the inputs of these recipes. A recipe has up to 64 calls that read no
    parameter, draw no random numbers, write nothing, and whose inputs are no larger than their results. Loads the parts that
    compute them, one after another.
    """
    makers, wanted = makers_of(manifest), set(skipping(manifest))
    recipes: dict[str, Recipe] = {}
    sizes = {value.name: value.bytes or 0 for value in manifest.inputs}
    for part in manifest.parts[:-2]:
        if not wanted & {value.name for value in part.outputs}:
            continue
        check_registered(manifest, [part])
        module = load_part(manifest, part, None).module
        for value, recipe in _cheap_ones(part, module):
            known = all(makers[name] < 0 or name in recipes for name in recipe.inputs)
            if known and sum(sizes[name] for name in recipe.inputs) <= (value.bytes or 0):
                recipes[recipe.name] = recipe
                sizes[recipe.name] = sum(sizes[name] for name in recipe.inputs)
    return recipes


def _cheap_ones(part: Part, module: torch.nn.Module) -> Iterator[tuple[Value, Recipe]]:
    if not isinstance(module, torch.fx.GraphModule):
        return
    nodes = list(module.graph.nodes)
    placeholders = [node for node in nodes if node.op == "placeholder"]
    names = {node: value.name for node, value in zip(placeholders, part.inputs)}
    written = {node.args[0].target for node in nodes if _writes(node) and _is_read(node.args[0])}
    given = _flat(nodes[-1].args[0])
    for value, node in zip(part.outputs, given):
        needed = _ancestors(node) if isinstance(node, torch.fx.Node) else set()
        calls = [n for n in nodes if n in needed and n.op == "call_function"]
        reads = [n for n in nodes if n in needed and n.op == "get_attr"]
        others = any(n.op not in ("call_function", "get_attr", "placeholder") for n in needed)
        if (
            calls
            and not others
            and len(calls) <= MOST_CALLS
            and all(map(_is_pure, calls))
            and not any(read.target in written or not _is_constant(module, read) for read in reads)
        ):
            inputs = [n for n in placeholders if n in needed]
            yield value, Recipe(value.name, _extracted(module, nodes, needed, node), tuple(names[n] for n in inputs))


def _extracted(
    module: torch.fx.GraphModule, nodes: Sequence[torch.fx.Node], needed: set[torch.fx.Node], result: torch.fx.Node
) -> torch.fx.GraphModule:
    graph = torch.fx.Graph()
    copies: dict[torch.fx.Node, torch.fx.Node] = {}
    for node in nodes:
        if node in needed:
            copies[node] = graph.node_copy(node, copies.__getitem__)
    graph.output(copies[result])
    return torch.fx.GraphModule(module, graph)


def _ancestors(node: torch.fx.Node) -> set[torch.fx.Node]:
    found, left = {node}, [node]
    while left:
        for source in left.pop().all_input_nodes:
            if source not in found:
                found.add(source)
                left.append(source)
    return found


def _flat(result: Any) -> list[Any]:
    return list(result) if isinstance(result, (tuple, list)) else [result]


def _is_read(value: Any) -> bool:
    return isinstance(value, torch.fx.Node) and value.op == "get_attr"


def _writes(node: torch.fx.Node) -> bool:
    return isinstance(node.target, torch._ops.OpOverload) and node.target._schema.is_mutable and bool(node.args)


def _is_pure(node: torch.fx.Node) -> bool:
    """An operator of PyTorch that writes nothing and draws no random numbers, or an item of a list."""
    if not isinstance(node.target, torch._ops.OpOverload):
        return getattr(node.target, "__name__", "") == "getitem"
    return not node.target._schema.is_mutable and torch.Tag.nondeterministic_seeded not in node.target.tags


def _is_constant(module: torch.nn.Module, read: torch.fx.Node) -> bool:
    value: Any = module
    for name in str(read.target).split("."):
        value = getattr(value, name)
    return isinstance(value, torch.Tensor) and not isinstance(value, torch.nn.Parameter)


def takes_of(recipes: Mapping[str, Recipe]) -> dict[str, tuple[str, ...]]:
    return {name: recipe.inputs for name, recipe in recipes.items()}
