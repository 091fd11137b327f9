"""Calls of shared subgraphs. Their nodes call torch.ops.higher_order.invoke_subgraph, an operator for compilers: run eagerly, it loses
gradients, and neither dynamo nor torch.export can trace it for subgraphs with parameters. So generated code calls the subgraphs as
modules, and so does the operator when nodes are interpreted.
"""

from __future__ import annotations

import copy
import functools
from typing import Any, Iterable, Mapping

import torch
import torch.fx

from .names import INVOKE_SUBGRAPH, TAKES_A_TUPLE
from .node_meta import VALUES

_set = object.__setattr__  # Node's own method updates users and tables of the graph


class _Region:
    """Before a class of graph modules: a shared subgraph, which invoke_subgraph calls as a module."""

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None) -> Any:
        if func is INVOKE_SUBGRAPH and isinstance(args[0], _Region):
            return args[0](*_operands(args))  # type: ignore[operator]
        with torch._C.DisableTorchFunctionSubclass():
            return func(*args, **(kwargs or {}))


@functools.cache
def region_class(graph_module: type[torch.fx.GraphModule]) -> type[torch.fx.GraphModule]:
    """The class of shared subgraphs whose other graph modules are of this class."""
    return type(graph_module.__name__, (_Region, graph_module), {})


def region_paths(graphs: Mapping[str, torch.fx.Graph]) -> set[str]:
    """Returns the paths of the modules that are shared subgraphs called by these graphs. Linear in nodes."""
    calls = ((path, node.args[0].target) for path, graph in graphs.items() for node in graph.nodes if _is_call(node))
    return {f"{path}.{target}" if path else str(target) for path, target in calls}


class _CallsRegions:
    """Before a class of code generators: nodes of invoke_subgraph are calls of modules while code is generated."""

    def _gen_python_code(self, nodes: Any, *args: Any, **kwargs: Any) -> Any:
        calls = [node for node in nodes if _is_call(node)]
        before = [(node.op, node.target, node.args) for node in calls]
        try:
            for node, (_, _, given) in zip(calls, before):
                _become(node, "call_module", given[0].target, _operands(given))
            return super()._gen_python_code(nodes, *args, **kwargs)  # type: ignore[misc]
        finally:
            for node, call in zip(calls, before):
                _become(node, *call)


def call_regions(graphs: Iterable[torch.fx.Graph]) -> None:
    """Extends the code generators of graphs that call shared subgraphs, so that they generate calls of modules. Linear in nodes."""
    for graph in graphs:
        if not isinstance(graph._codegen, _CallsRegions) and any(map(_is_call, graph.nodes)):
            codegen = copy.copy(graph._codegen)
            codegen.__class__ = type("CallsRegions", (_CallsRegions, type(codegen)), {})
            graph.set_codegen(codegen)


def give_values(module: torch.fx.GraphModule) -> None:
    """Sets the values of operands and results on calls of shared subgraphs and on the inputs of these subgraphs. Linear in nodes.
    """
    for node in filter(_is_call, module.graph.nodes):
        subgraph = getattr(module, node.args[0].target)
        inputs = [one for one in subgraph.graph.nodes if one.op == "placeholder"]
        for placeholder, operand in zip(inputs, _operands(node.args)):
            if isinstance(operand, torch.fx.Node):
                _copy_values(operand.meta, placeholder.meta)
        (results,) = subgraph.graph.output_node().args
        values = [one.meta.get("val") for one in results if isinstance(one, torch.fx.Node)]
        items = {user.args[1]: user.meta["val"] for user in node.users if "val" in user.meta}  # in symbols of the whole
        if len(values) == len(results) and all(value is not None for value in values):
            node.meta.setdefault("val", tuple(items.get(i, value) for i, value in enumerate(values)))


def _copy_values(source: dict[str, Any], target: dict[str, Any]) -> None:
    if not any(key in target for key in VALUES):
        target.update({key: source[key] for key in VALUES if key in source})


def _operands(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Returns the operands that a call of invoke_subgraph passes to the subgraph."""
    return tuple(args[2]) if TAKES_A_TUPLE else args[2:]


def _is_call(node: torch.fx.Node) -> bool:
    if node.op != "call_function" or node.target is not INVOKE_SUBGRAPH or node.kwargs or len(node.args) < 2:
        return False
    return isinstance(node.args[0], torch.fx.Node) and node.args[0].op == "get_attr"


def _become(node: torch.fx.Node, op: str, target: Any, args: Any) -> None:
    for name, value in (("op", op), ("target", target), ("_args", args)):
        _set(node, name, value)
