"""Backward passes in two steps, as zero-bubble schedules run them: gradients of inputs, then of weights."""

from __future__ import annotations

from typing import Any, Iterable

import torch
from torch.autograd.graph import get_gradient_edge


def can_split(results: Iterable[Any], inputs: Iterable[Any]) -> bool:
    """Whether PyTorch's two steps (torch.distributed.pipelining._backward) give all gradients. The second one starts from the nodes of
    the autograd graph that combine a weight with values that depend on an input. Weights without such a node, because a result does
    not depend on an input with a gradient, get no gradient; weights with several can get a part of it twice. Linear in the graph.
    """
    ends = {_node(tensor) for tensor in inputs if _has_gradient(tensor)}
    roots = [_node(tensor) for tensor in results if _has_gradient(tensor)]
    depends: dict[Any, bool] = {}  # per node: whether it depends on an input
    for node in _sources_first(roots):
        depends[node] = node in ends or any(depends[source] for source in _sources(node))
    if not all(depends[root] for root in roots):
        return False
    met_at: dict[Any, Any] = {}
    for meeting in (node for node, is_dependent in depends.items() if is_dependent and node not in ends):
        left = [source for source in _sources(meeting) if not depends[source]]
        while left:
            node = left.pop()
            if node not in met_at:
                met_at[node] = meeting
                left += _sources(node)
            elif met_at[node] is not meeting:
                return False
    return True


def _has_gradient(tensor: Any) -> bool:
    return isinstance(tensor, torch.Tensor) and tensor.requires_grad


def _node(tensor: torch.Tensor) -> Any:
    return get_gradient_edge(tensor).node


def _sources(node: Any) -> list[Any]:
    return [source for source, _ in node.next_functions if source is not None]


def _sources_first(roots: Iterable[Any]) -> list[Any]:
    """All nodes of the graph, each after its next functions."""
    order: list[Any] = []
    entered: set[Any] = set()
    left = [(root, False) for root in roots]
    while left:
        node, is_done = left.pop()
        if is_done:
            order.append(node)
        elif node not in entered:
            entered.add(node)
            left.append((node, True))
            left += [(source, False) for source in _sources(node) if source not in entered]
    return order
