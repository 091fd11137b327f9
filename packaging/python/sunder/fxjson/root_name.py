"""Graphs with a node called `self`, as of a submodule of that name, which BERT has: in the code that torch.fx writes, this variable
would hide the module itself. The node keeps its name, the variable gets another.
"""

from __future__ import annotations

import copy
from typing import Any, Iterable

import torch
import torch.fx

_ROOT = "self"  # the name of the module in code of GraphModule


class _KeepsRoot:
    """Before a class of code generators: no variable has the name of the module."""

    def _gen_python_code(self, nodes: Any, root_module: str, namespace: Any, *args: Any, **kwargs: Any) -> Any:
        namespace.create_name(root_module, None)
        return super()._gen_python_code(nodes, root_module, namespace, *args, **kwargs)  # type: ignore[misc]


def keep_root_name(graphs: Iterable[torch.fx.Graph]) -> None:
    """Gives graphs that need it a code generator that differs from theirs only in the name. Linear in nodes."""
    for graph in graphs:
        if any(node.name == _ROOT for node in graph.nodes):
            codegen = copy.copy(graph._codegen)
            codegen.__class__ = type("KeepsRoot", (_KeepsRoot, type(codegen)), {})
            graph.set_codegen(codegen)
