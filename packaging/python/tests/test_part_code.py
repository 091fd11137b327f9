"""The package generates the same code of graphs as torch.fx, or leaves it to torch.fx."""

from __future__ import annotations

import math
import operator
from typing import Any, Callable, Iterator

import pytest
import torch

import models
from sunder.fxjson import part_code
from test_torch_passes import graph_module


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """Repeats the comparison with torch.fx."""
    part_code._template.cache_clear()
    yield
    part_code._template.cache_clear()


def plain(graph: torch.fx.Graph) -> torch.fx.Graph:
    """The graph without nesting of its inputs."""
    copied = torch.fx.Graph()
    copied.output(copied.graph_copy(graph, {}))
    return copied


@pytest.mark.skipif(models.RELEASE < (2, 13), reason="earlier releases may write it in another way")
def test_this_release_writes_code_as_the_package_does() -> None:
    assert part_code._template() is not None


def test_code_of_traced_models_is_that_of_torch(traced: models.Case) -> None:
    compare(plain(traced.graph.graph))


def test_code_of_exported_models_is_that_of_torch(exported: models.Case) -> None:
    compare(plain(graph_module(exported).graph))
    compare(plain(exported.graph.graph))


def compare(graph: torch.fx.Graph) -> None:
    code = part_code.python_code(graph)
    assert code is None or code == graph.python_code("self")


@pytest.mark.parametrize("name", ["blocks", "shared"])
def test_code_of_plain_models_is_written_here(name: str) -> None:
    graph = plain(models.traced(name).graph.graph)
    for node in graph.nodes:
        node.type = torch.Tensor if isinstance(node.type, str) else node.type  # annotations are strings in models.py
    code = part_code.python_code(graph)
    assert code == (graph.python_code("self") if part_code._template() else None)


def typed(graph: torch.fx.Graph, x: torch.fx.Node) -> torch.fx.Node:
    node = graph.call_function(torch.relu, (x,))
    node.type = list[torch.Tensor]
    return node


def default(graph: torch.fx.Graph, x: torch.fx.Node) -> torch.fx.Node:
    graph.inserting_after(x)
    return graph.call_function(torch.add, (x, graph.placeholder("y", default_value=2)))


def wrapped(graph: torch.fx.Graph, x: torch.fx.Node) -> torch.fx.Node:
    node = graph.call_function(torch.relu, (x,))
    node.meta["is_wrapped"] = True
    return node


def called(name: str, target: Callable[..., Any] = torch.relu) -> Callable[[torch.fx.Graph, torch.fx.Node], torch.fx.Node]:
    def make(graph: torch.fx.Graph, x: torch.fx.Node) -> torch.fx.Node:
        node = graph.call_function(target, (x,))
        node.name = name
        return node

    return make


NOT_PLAIN: dict[str, Callable[[torch.fx.Graph, torch.fx.Node], torch.fx.Node]] = {
    "a type": typed,
    "a default": default,
    "a wrapped function": wrapped,
    "a function of another package": called("sqrt", math.sqrt),
    "a function of nowhere": called("made", lambda x: x),
    "a function of Python": called("attribute", getattr),
    "a name of Python": called("sum"),
    "a name of torch.fx": called("pytree"),
    "the name of the module": called("self"),
    "the name of PyTorch": called("torch"),
    "a named tuple": lambda graph, x: graph.call_function(torch.relu, (models.Pair(x, 1),)),
    "an operator as an argument": lambda graph, x: graph.call_function(torch.relu, (x, torch.ops.aten.add.Tensor)),
    "a tensor as an argument": lambda graph, x: graph.call_function(torch.relu, (x, torch.ones(1))),
    "a dict": lambda graph, x: graph.call_function(torch.relu, ({"a": x},)),
}


@pytest.mark.parametrize("what", sorted(NOT_PLAIN))
def test_other_graphs_are_left_to_torch(what: str) -> None:
    graph = torch.fx.Graph()
    made = NOT_PLAIN[what](graph, graph.placeholder("x"))
    graph.output(made)
    assert part_code.python_code(graph) is None


def test_a_setting_that_changes_the_code_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FX_GRAPH_SHOW_META", "1")
    graph = plain(models.traced("blocks").graph.graph)
    assert part_code.python_code(graph) is None or "note" not in graph.python_code("self").src


def test_values_are_freed_where_torch_frees_them() -> None:
    graph = torch.fx.Graph()
    x, y = graph.placeholder("x"), graph.placeholder("y")
    total = graph.call_function(operator.add, (x, y))
    graph.call_function(torch.relu, (total,))
    graph.call_method("add_", (y, 1), {"alpha": 2.5})
    graph.output([total, slice(None, 2)])
    compare(graph)
