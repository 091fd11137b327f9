"""Passes that PyTorch also has give the same results as PyTorch."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import torch.fx.passes.split_module as torch_split_module
import torch.fx.passes.split_utils as split_utils

import models
import sunder


def assert_same_graphs(a: torch.nn.Module, b: torch.nn.Module) -> None:
    """Names, ops, targets, arguments, users, types, metadata and tags, in every graph of the tree."""
    here = {path: module for path, module in a.named_modules() if isinstance(module, torch.fx.GraphModule)}
    there = {path: module for path, module in b.named_modules() if isinstance(module, torch.fx.GraphModule)}
    assert list(here) == list(there)
    for path in here:
        assert facts(here[path].graph) == facts(there[path].graph)
    assert list(a.state_dict()) == list(b.state_dict())
    assert {k: v.data_ptr() for k, v in a.state_dict().items()} == {k: v.data_ptr() for k, v in b.state_dict().items()}


def facts(graph: torch.fx.Graph) -> list[tuple[Any, ...]]:
    return [
        (n.name, n.op, n.target, str(n.args), str(n.kwargs), [u.name for u in n.users], n.type, notes(n), getattr(n, "tag", None))
        for n in graph.nodes
    ]


def notes(node: torch.fx.Node) -> list[str]:
    """Returns the compared metadata. PyTorch 2.6 gives attribute reads none, the package that of the source."""
    return [] if models.RELEASE < (2, 7) and node.op == "get_attr" else list(node.meta)


def graph_module(case: models.Case) -> torch.fx.GraphModule:
    return case.graph.module() if isinstance(case.graph, torch.export.ExportedProgram) else case.graph


@pytest.mark.parametrize("return_tuple", [False, True])
def test_split_by_tags_is_torchs(traced: models.Case, return_tuple: bool) -> None:
    compare_splits(traced, return_tuple)


def test_split_by_tags_of_an_exported_module_is_torchs(exported: models.Case) -> None:
    compare_splits(exported, False)


def compare_splits(case: models.Case, return_tuple: bool) -> None:
    module = graph_module(case)
    tags = models.halves(module.graph)
    for node in models.calls(module.graph):
        node.tag = tags[node.name]
    order = list(dict.fromkeys(tags.values()))
    wanted, wanted_map = split_utils.split_by_tags(module, order, True, return_tuple)
    made, made_map = sunder.split_by_tags(module, order, True, return_tuple)
    assert_same_graphs(made, wanted)
    assert made_map == wanted_map
    if not return_tuple:
        assert models.alike(case.made(made), case.made(wanted))


def test_split_by_tags_gives_the_module_alone_by_default() -> None:
    module = models.traced("blocks").graph
    for node in models.calls(module.graph):
        node.tag = "all"
    assert isinstance(sunder.split_by_tags(module, ["all"]), torch.fx.GraphModule)
    eager = sunder.split_by_tags(module, ["all"], GraphModuleCls=torch.fx.GraphModule)
    assert type(eager).__mro__[1] is torch.fx.GraphModule


def test_split_by_tags_names_the_node_without_a_tag() -> None:
    with pytest.raises(sunder.SunderError, match="has no tag|without a tag|tag") as error:
        sunder.split_by_tags(models.traced("blocks").graph, ["a"])
    assert error.value.node


@pytest.mark.parametrize("order", [False, True])
@pytest.mark.parametrize("names", [False, True])
def test_split_module_is_torchs(traced: models.Case, order: bool, names: bool) -> None:
    module = traced.graph
    nodes = models.calls(module.graph)
    numbers = {node.name: i * 3 // len(nodes) for i, node in enumerate(nodes)}
    wanted_map: dict[str, str] = {}
    made_map: dict[str, str] = {}

    def number(node: torch.fx.Node) -> int:
        return numbers[node.name]

    wanted = torch_split_module.split_module(module, module, number, wanted_map, order, names)
    made = sunder.split_module(module, module, number, made_map, order, names)
    assert_same_graphs(made, wanted)
    assert made_map == wanted_map
    assert models.alike(traced.made(made), traced.made(wanted))


def test_move_non_tensor_nodes_on_boundary_is_torchs() -> None:
    def subgraphs() -> list[Any]:
        from torch.fx.passes.splitter_base import Subgraph

        graph = torch.fx.Graph()
        x = graph.placeholder("x")
        size = graph.call_method("size", (x, 0))
        relu = graph.call_function(torch.relu, (x,))
        view = graph.call_method("view", (relu, size))
        graph.output(view)
        for node in (relu, view):
            node.meta["type"] = torch.Tensor
        size.meta["type"] = int
        return [Subgraph(is_acc=True, nodes=[size, relu]), Subgraph(is_acc=False, nodes=[view])]

    made = subgraphs()
    sunder.move_non_tensor_nodes_on_boundary(made)
    assert [[node.name for node in one.nodes] for one in made] == [["relu"], ["view", "size"]]
    if hasattr(split_utils, "move_non_tensor_nodes_on_boundary"):  # later than 2.9
        wanted = subgraphs()
        split_utils.move_non_tensor_nodes_on_boundary(wanted)
        assert [[node.name for node in one.nodes] for one in made] == [[node.name for node in one.nodes] for one in wanted]


def test_unflatten_makes_torchs_graphs() -> None:
    program = models.exported("blocks").graph
    made, wanted = sunder.unflatten(program), torch.export.unflatten(program)
    here = {path: module.graph for path, module in made.named_modules() if isinstance(module, torch.fx.GraphModule)}
    there = {path: module.graph for path, module in wanted.named_modules() if hasattr(module, "graph")}
    assert list(here) == list(there)
    for path, graph in here.items():
        assert [str(node.format_node()) for node in graph.nodes] == [str(node.format_node()) for node in there[path].nodes]
