"""The passes of Sunder on models in memory or in files."""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any, Mapping, Sequence

import torch
import torch.fx
from torch.export import FlatArgsAdapter

from .errors import SunderError
from .exchange import Exchange, Model
from .fxjson.flat_args import FLAT_ARGS, FlatArgs, ranges_of
from .fxjson.program_call import program_of
from .fxjson.region_calls import give_values
from .fxjson.specs import nests_a_call
from .model_files import save
from .results import DagNode, Partitioned, Regions, Rejected
from .side_files import device_rows, flag, partitioner_config, side_file
from .tags import Tags, tags_file, tags_option

Path = str | os.PathLike[str]


def split(
    source: Model,
    /,
    tags: Tags = None,
    *,
    model: str | None = None,
    parts: Path | None = None,
    return_tuple: bool = False,
    unproven: bool = False,
) -> torch.fx.GraphModule:
    """Returns a module with one submodule per tag. It is called like the model and shares its weights.

    `tags`: a number of stages; the tag of each call by name; an order of the tags in `node.tag`; a TAGS.json; None for the nodes'
    own tags in the order of the graph. With `parts`, each part is also written to that folder as a separate model, with
    manifest.json; `unproven` writes them even if the split is not proven. `model`: name of the program in a file with several,
    here and in the other functions. The proof is in `module.meta["sunder"]`.
    """
    flags = ["--keep-signature", *flag("--return-tuple", return_tuple)]
    with Exchange(source, program=model) as exchange:
        given = tags_file(exchange, tags)
        arguments = [*tags_option(given), *flags]
        return _cut(exchange, source, "split", arguments, parts, unproven)


def partition(
    source: Model,
    /,
    devices: Sequence[Any] | Path | None = None,
    *,
    model: str | None = None,
    config: Any = None,
    parts: Path | None = None,
    as_upstream: bool = False,
    unproven: bool = False,
) -> Partitioned:
    """Splits a model for devices. Returns the module, with one submodule per partition, and the devices of each.

    `devices`: devices of equal memory for the first partitioner of torch.fx (2020), each PyTorch's Device, a mapping as in DEVICES.json,
    or the name of a preset that `sunder-cli devices --list` lists.
    `config`: PyTorch's PartitionerConfig or a mapping as in CONFIG.json, for the accelerator partitioner. Either may be the path of such a file;
    give one of them. `parts`, `unproven`, `model`: as for `split`. `as_upstream`: reproduces the known bugs of PyTorch's partitioner.
    """
    if (devices is None) == (config is None):
        raise SunderError("pass either devices or config", code="usage")
    with Exchange(source, program=model) as exchange:
        if config is None:
            arguments = ["--devices", side_file(exchange, "devices.json", devices, device_rows)]
            arguments += flag("--exact-2020", as_upstream)
        else:
            arguments = ["--config", side_file(exchange, "config.json", config, partitioner_config)]
            arguments += flag("--as-upstream", as_upstream)
        dag = exchange.folder / "dag.json"
        module = _cut(exchange, source, "partition", [*arguments, "--dag", dag], parts, unproven)
        return Partitioned(module, tuple(map(_dag_node, json.loads(dag.read_text(encoding="utf-8"))["nodes"])))


def unflatten(
    module: Model, flat_args_adapter: FlatArgsAdapter | None = None, *, model: str | None = None
) -> torch.fx.GraphModule:
    """Like torch.export.unflatten: returns an exported program as a tree of its original modules, which share its weights. It is
    called like the program's module, and its results share memory with buffers and inputs as those of that module do. Inputs with
    another nesting are passed to the adapter, or refused.
    """
    with Exchange(module, program=model) as exchange:
        said = exchange.run("unflatten", "--shared-results", "-o", exchange.folder / "out.fxj")
        made = exchange.result("out.fxj", keep_nesting=False)
        program = program_of(made)
        if program is not None and nests_a_call(program.in_spec):
            ranges = ranges_of(made.graph)
            if isinstance(exchange.source, torch.export.ExportedProgram):
                ranges.update(exchange.source.range_constraints)
                made.meta.update(exchange.source.graph_module.meta)
            made.meta[FLAT_ARGS] = FlatArgs(ranges, flat_args_adapter)
            if flat_args_adapter is not None:
                program.take_any_inputs()
        return _proven(made, said)


def regions(source: Model, /, *, model: str | None = None, key: str | None = None, as_upstream: bool = False) -> Regions:
    """Finds the repeated regions of a model, as names of nodes.

    `key`: the comparison of nodes. "structural" compares the nodes themselves, "tracked" the keys that a file has for them.
    `model`: name of the program in a file with several. `as_upstream`: reproduces the known bugs of PyTorch's pass.
    """
    with Exchange(source, program=model) as exchange:
        path = exchange.folder / "regions.json"
        exchange.run("regions", "-o", path, *_region_options(key, as_upstream))
        said = json.loads(path.read_text(encoding="utf-8"))
    groups = tuple(_regions(group["regions"]) for group in said["groups"])
    return Regions(groups, tuple(Rejected(_regions(one["regions"]), one["why"]) for one in said["rejected"]))


def deduplicate(
    source: Model, /, *, model: str | None = None, key: str | None = None, as_upstream: bool = False
) -> torch.fx.GraphModule:
    """The model with a subgraph for each group of repeated regions, called as the model is, sharing its weights."""
    with Exchange(source, program=model) as exchange:
        said = exchange.run("dedup", "-o", exchange.folder / "out.fxj", *_region_options(key, as_upstream))
        result = _proven(exchange.result("out.fxj"), said)
        give_values(result)
        return result


def _cut(
    exchange: Exchange, source: Model, command: str, arguments: list[Any], parts: Path | None, unproven: bool
) -> torch.fx.GraphModule:
    said = exchange.run(command, *arguments, "-o", exchange.folder / "out.fxj")
    if parts is not None:
        _write_parts(exchange, [command, *arguments, *flag("--unproven", unproven)], pathlib.Path(parts))
    return _proven(exchange.result("out.fxj"), said)


def _write_parts(exchange: Exchange, command: Sequence[Any], folder: pathlib.Path) -> None:
    """Repeats the command on a file that has the weights, and writes each part to the folder."""
    verb, *arguments = command
    if exchange.source is None:
        exchange.run_on(exchange.input, verb, *arguments, "--parts", folder)
        return
    is_program = isinstance(exchange.source, torch.export.ExportedProgram)
    whole = exchange.folder / "whole" / ("model.pt2" if is_program else "model.fxj")
    whole.parent.mkdir()
    save(exchange.source, whole)
    if is_program and "--tags" in arguments:
        place = arguments.index("--tags") + 1
        arguments[place] = _completed_tags(exchange, whole, arguments[place])
    exchange.run_on(whole, verb, *arguments, "--parts", folder)


def _completed_tags(exchange: Exchange, whole: pathlib.Path, tags: Any) -> pathlib.Path:
    """Tags for all nodes of a saved program: torch adds getitem nodes for unused results. They get the tag of the call that they
    belong to.
    """
    completed = exchange.folder / "completed.json"
    exchange.run_on(whole, "tags fill", "earliest", "--tags", tags, "-o", completed)
    return completed


def _proven(module: torch.fx.GraphModule, said: Mapping[str, Any]) -> torch.fx.GraphModule:
    module.meta["sunder"] = {key: said[key] for key in ("verified", "why", "notes", "compared") if key in said}
    return module


def _region_options(key: str | None, as_upstream: bool) -> list[str]:
    return [*(["--key", key] if key else []), *flag("--as-upstream", as_upstream)]


def _regions(groups: list[list[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(region) for region in groups)


def _dag_node(said: Mapping[str, Any]) -> DagNode:
    outputs, devices = tuple(said["outputs"]), tuple(said["devices"])
    return DagNode(said["submodule"], tuple(said["inputs"]), outputs, devices, said.get("used_mem_bytes"))
