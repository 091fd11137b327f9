"""Passes of torch.fx with the signatures that they have there."""

from __future__ import annotations

import json
import pathlib
import tempfile
from typing import Any, Callable, Sequence

import torch
import torch.fx

from . import programs
from .errors import SunderError
from .exchange import Exchange
from .fxjson.lazy import LazyGraphModule
from .fxjson.writer import Writer
from .passes import _flag
from .tags import own_tags, write_tags

_ATTRIBUTES = ("call_module", "get_attr")


def split_by_tags(
    gm: torch.fx.GraphModule,
    tags: list[str],
    return_fqn_mapping: bool = False,
    return_tuple: bool = False,
    GraphModuleCls: type[torch.fx.GraphModule] = LazyGraphModule,
) -> torch.fx.GraphModule | tuple[torch.fx.GraphModule, dict[str, str]]:
    """torch.fx.passes.split_utils.split_by_tags: a submodule a tag, by `node.tag`; the mapping leads from names of modules and
    attributes to those after the split. Warns where the result is not proven to compute the same. Code is made when it is first
    needed, unless GraphModuleCls says otherwise for the main module.
    """
    with Exchange(gm, values=False) as exchange:
        tagged = write_tags(exchange.folder / "tags.json", tags, own_tags(gm.graph))
        map_file = exchange.folder / "map.json"
        flags = _flag("--return-tuple", return_tuple)
        exchange.run("split", "--tags", tagged, "-o", exchange.folder / "out.fxj", "--fqn-map", map_file, *flags)
        made = exchange.result("out.fxj", graph_module=LazyGraphModule)
        if GraphModuleCls is not LazyGraphModule:
            made = GraphModuleCls(made, made.graph)
        return (made, json.loads(map_file.read_text(encoding="utf-8"))) if return_fqn_mapping else made


def split_module(
    m: torch.fx.GraphModule,
    root_m: torch.nn.Module | None,
    split_callback: Callable[[torch.fx.Node], int | str],
    qualname_map: dict[str, str] | None = None,
    keep_original_order: bool | None = False,
    keep_original_node_name: bool | None = False,
    keep_original_input_name: bool = True,
    *,
    partition_affix: str | None = None,
    tuple_return: bool = False,
) -> torch.fx.GraphModule:
    """torch.fx.passes.split_module.split_module: a submodule a partition; `qualname_map` is given the names before the split of
    called modules by those after it. `root_m` is not needed. Partitions have the names submod_N that torch gives them.
    """
    if partition_affix is not None or not keep_original_input_name:
        raise SunderError("partition_affix and keep_original_input_name=False are not supported: names are torch's defaults")
    with Exchange(m) as exchange:
        calls = [node for node in m.graph.nodes if node.op not in ("placeholder", "get_attr", "output")]
        partitions = exchange.folder / "partitions.json"
        partitions.write_text(json.dumps({node.name: split_callback(node) for node in calls}), encoding="utf-8")
        flags = [
            *_flag("--keep-original-order", bool(keep_original_order)),
            *_flag("--keep-original-node-names", bool(keep_original_node_name)),
            *_flag("--tuple-return", tuple_return),
        ]
        exchange.run("split-module", "--partitions", partitions, "-o", exchange.folder / "out.fxj", *flags)
        made = exchange.result("out.fxj", keep_nesting=False)
    if qualname_map is not None:
        qualname_map.update(_names_before(m.graph, made))
    return made


def _names_before(source: torch.fx.Graph, made: torch.fx.GraphModule) -> dict[str, str]:
    """Names in the source of what parts call and read, by their names in the split: a part calls them with _ for each dot."""
    before = {str(node.target).replace(".", "_"): str(node.target) for node in source.nodes if node.op in _ATTRIBUTES}
    names = {}
    for part, module in made.named_children():
        if isinstance(module, torch.fx.GraphModule):
            targets = [str(node.target) for node in module.graph.nodes if node.op in _ATTRIBUTES]
            names.update({f"{part}.{target}": before[target] for target in targets})
    return names


def move_non_tensor_nodes_on_boundary(subgraphs: Sequence[Any]) -> None:
    """torch.fx.passes.split_utils.move_non_tensor_nodes_on_boundary: changes the lists of nodes of the subgraphs. What moves
    keeps the order that it had. A node gives a tensor where `node.meta["type"]` says so.
    """
    nodes = {node.name: node for subgraph in subgraphs for node in subgraph.nodes}
    if not nodes:
        return
    graph = next(iter(nodes.values())).graph
    with tempfile.TemporaryDirectory(prefix="sunder-") as scratch:
        folder = pathlib.Path(scratch)
        model, before, after = folder / "model.fxj", folder / "subgraphs.json", folder / "moved.json"
        with open(model, "w", encoding="utf-8") as out:
            Writer(out, values=False).write_graph(graph)
        said = [{"is_acc": bool(one.is_acc), "nodes": [node.name for node in one.nodes]} for one in subgraphs]
        before.write_text(json.dumps(said), encoding="utf-8")
        programs.run("move-non-tensor", model, "--subgraphs", before, "-o", after)
        for subgraph, moved in zip(subgraphs, json.loads(after.read_text(encoding="utf-8"))):
            subgraph.nodes[:] = [nodes[name] for name in moved["nodes"]]
