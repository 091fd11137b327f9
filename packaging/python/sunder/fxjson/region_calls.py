"""Code of graphs that call shared subgraphs. Their nodes call torch.ops.higher_order.invoke_subgraph, an operator for compilers:
run eagerly, it loses gradients, and dynamo refuses to trace it. Generated code calls the subgraphs as modules instead.
"""

from __future__ import annotations

import copy
from typing import Any, Iterable

import torch.fx

from .names import INVOKE_SUBGRAPH, TAKES_A_TUPLE

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
    """Gives graphs that call shared subgraphs a code generator that does as theirs does, but for these calls. Linear in nodes."""
    for graph in graphs:
        if not isinstance(graph._codegen, _CallsRegions) and any(map(_is_call, graph.nodes)):
            codegen = copy.copy(graph._codegen)
            codegen.__class__ = type("CallsRegions", (_CallsRegions, type(codegen)), {})
            graph.set_codegen(codegen)


def _is_call(node: torch.fx.Node) -> bool:
    if node.op != "call_function" or node.target is not INVOKE_SUBGRAPH or node.kwargs or len(node.args) < 2:
        return False
    return isinstance(node.args[0], torch.fx.Node) and node.args[0].op == "get_attr"


def _become(node: torch.fx.Node, op: str, target: Any, args: Any) -> None:
    for name, value in (("op", op), ("target", target), ("_args", args)):
        _set(node, name, value)
