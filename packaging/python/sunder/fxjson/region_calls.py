"""Code of graphs that call shared subgraphs. Their nodes call torch.ops.higher_order.invoke_subgraph, an operator for compilers:
run eagerly, it loses gradients, and dynamo refuses to trace it. Generated code calls the subgraphs as modules instead.
"""

from __future__ import annotations

import copy
from typing import Any, Iterable

import torch.fx

from .names import INVOKE_SUBGRAPH, TAKES_A_TUPLE
from .node_meta import VALUES

_set = object.__setattr__  # Node's own method updates users and tables of the graph


class _CallsRegions:
    """Before a class of code generators: nodes of invoke_subgraph are calls of modules while code is generated."""

    def _gen_python_code(self, nodes: Any, *args: Any, **kwargs: Any) -> Any:
        calls = [node for node in nodes if _is_call(node)]
        before = [(node.op, node.target, node.args) for node in calls]
        try:
            for node, (_, _, (subgraph, _, *operands)) in zip(calls, before):
                given = tuple(operands[0] if TAKES_A_TUPLE else operands)
                _become(node, "call_module", subgraph.target, given)
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
    """Gives calls of shared subgraphs, and the inputs of these subgraphs, the values of operands and results. Linear in nodes."""
    for node in filter(_is_call, module.graph.nodes):
        subgraph = getattr(module, node.args[0].target)
        inputs = [one for one in subgraph.graph.nodes if one.op == "placeholder"]
        operands = node.args[2] if TAKES_A_TUPLE else node.args[2:]
        for placeholder, operand in zip(inputs, operands):
            if isinstance(operand, torch.fx.Node):
                _copy_values(operand.meta, placeholder.meta)
        (results,) = subgraph.graph.output_node().args
        values = [one.meta.get("val") for one in results if isinstance(one, torch.fx.Node)]
        items = {user.args[1]: user.meta["val"] for user in node.users if "val" in user.meta}  # in terms of the whole
        if len(values) == len(results) and all(value is not None for value in values):
            node.meta.setdefault("val", tuple(items.get(i, value) for i, value in enumerate(values)))


def _copy_values(source: dict[str, Any], target: dict[str, Any]) -> None:
    if not any(key in target for key in VALUES):
        target.update({key: source[key] for key in VALUES if key in source})


def _is_call(node: torch.fx.Node) -> bool:
    if node.op != "call_function" or node.target is not INVOKE_SUBGRAPH or node.kwargs or len(node.args) < 2:
        return False
    return isinstance(node.args[0], torch.fx.Node) and node.args[0].op == "get_attr"


def _become(node: torch.fx.Node, op: str, target: Any, args: Any) -> None:
    for name, value in (("op", op), ("target", target), ("_args", args)):
        _set(node, name, value)
