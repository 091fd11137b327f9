"""Passes of torch.fx with their original signatures."""

from __future__ import annotations

import functools
import json
import pathlib
import re
import tempfile
from typing import Any, Callable, ParamSpec, Sequence, TypeVar

import torch
import torch.fx

from . import programs
from .errors import PassRefused, SunderError
from .exchange import Exchange
from .fxjson.behavior import carry_hooks
from .fxjson.lazy import LazyGraphModule
from .fxjson.writer import Writer
from .programs import Received
from .side_files import flag
from .tags import CALLS, own_tags, write_tags

_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,17})")


P = ParamSpec("P")
R = TypeVar("R")


def _refusing(function: Callable[P, R]) -> Callable[P, R]:
    @functools.wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except SunderError as error:
            if error.code not in ("refused", "malformed"):
                raise
            raise PassRefused(error.text, code=error.code, where=error.where) from error

    return run


@_refusing
def split_by_tags(
    gm: torch.fx.GraphModule,
    tags: list[str],
    return_fqn_mapping: bool = False,
    return_tuple: bool = False,
    GraphModuleCls: type[torch.fx.GraphModule] = torch.fx.GraphModule,
) -> torch.fx.GraphModule | tuple[torch.fx.GraphModule, dict[str, str]]:
    """torch.fx.passes.split_utils.split_by_tags: one submodule per tag in `node.tag`. The mapping maps names of modules and
    attributes to those after the split. Warns if the result is not proven equivalent. Code of parts is generated when it is first
    needed.
    """
    on_nodes = _are_on_nodes(tags, gm.graph)
    with Exchange(gm, lean=True, order=tags if on_nodes else ()) as exchange:
        tagged: list[programs.Word] = [] if on_nodes else ["--tags", write_tags(exchange.folder / "tags.json", tags, own_tags(gm.graph))]
        out, names = Received(), Received()
        mapping: list[programs.Word] = ["--fqn-map", names] if return_fqn_mapping else []
        exchange.run("split", *tagged, "-o", out, "--copies", *flag("--return-tuple", return_tuple), *mapping)
        made = exchange.result(out)
        if GraphModuleCls is not LazyGraphModule:
            hooked, made = made, GraphModuleCls(made, made.graph)
            carry_hooks(hooked, made)
        return (made, json.loads(names.text)) if return_fqn_mapping else made


def _are_on_nodes(tags: Sequence[str], graph: torch.fx.Graph) -> bool:
    """Whether these are the tags in `node.tag`, so that no file is needed."""
    if not all(isinstance(tag, str) and tag for tag in tags):
        return False
    known = set(tags)
    return len(known) == len(tags) and all(getattr(n, "tag", None) in known for n in graph.nodes if n.op in CALLS)


@_refusing
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
    """torch.fx.passes.split_module.split_module: one submodule per partition. `qualname_map` receives the original names of called
    modules by their names after the split. `root_m` is not used, as in PyTorch.
    """
    affix = "" if partition_affix is None else f"{partition_affix}_"
    with Exchange(m) as exchange:
        partition_of = {node: _partition(split_callback(node)) for node in m.graph.nodes if node.op in CALLS}
        if affix == "_":  # command lines have no empty values
            partition_of = {node: f"_{partition}" for node, partition in partition_of.items()}
            affix = ""
        partitions = exchange.folder / "partitions.json"
        partitions.write_text(json.dumps({node.name: given for node, given in partition_of.items()}), encoding="utf-8")
        flags = [
            *flag("--keep-original-order", bool(keep_original_order)),
            *flag("--keep-original-node-names", bool(keep_original_node_name)),
            *flag("--drop-original-input-names", not keep_original_input_name),
            *flag("--tuple-return", tuple_return),
            *(["--partition-affix", affix[:-1]] if affix else []),
        ]
        exchange.run("split-module", "--partitions", partitions, "-o", exchange.folder / "out.fxj", *flags)
        made = exchange.result("out.fxj", keep_nesting=False)
    if qualname_map is not None:
        for node, given in partition_of.items():
            if node.op == "call_module":
                qualname_map[f"submod_{affix}{given}.{str(node.target).replace('.', '_')}"] = str(node.target)
    made.meta["partition_names"] = {f"submod_{affix}{given}" for given in partition_of.values()}
    return made


def _partition(given: Any) -> int | str:
    """A partition as in PARTITIONS.json: an integer, or otherwise its text in PyTorch."""
    text = str(given)
    return int(text) if not isinstance(given, str) and _WHOLE.fullmatch(text) else text


def move_non_tensor_nodes_on_boundary(subgraphs: Sequence[Any]) -> None:
    """Like torch.fx.passes.split_utils.move_non_tensor_nodes_on_boundary: changes the node lists of the subgraphs. Moved nodes
    keep their order. `node.meta["type"]` determines whether a node returns a tensor.
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
