"""Tags for an accelerator that supports some operators."""

from __future__ import annotations

import json
import os
from typing import Any, Callable, Mapping, Sequence

import torch
import torch.fx

from .errors import SunderError
from .exchange import Exchange, Model
from .fxjson.names import class_text, text_of
from .model_files import load
from .results import Supported, SupportStep
from .side_files import flag, side_file
from .tags import CALLS

#: As OperatorSupport.is_node_supported of PyTorch: whether the accelerator supports a node, given all modules by path.
IsSupported = Callable[[Mapping[str, torch.nn.Module], torch.fx.Node], bool]


def support(
    source: Model,
    /,
    supported: Any,
    *,
    method: str = "capability",
    options: Any = None,
    as_upstream: bool = False,
    report: bool = False,
    model: str | None = None,
) -> Supported:
    """Tags each op by whether an accelerator supports it, as torch.fx's partitioners do. Returns the tags and their order.

    `supported`: an OperatorSupportBase of PyTorch, or a function with the parameters of its `is_node_supported`: all modules by
    path, and a node; a list of operators: functions, classes of modules, names of methods, or names as in SUPPORT.json; a
    mapping as in SUPPORT.json, or the path of one. `method`: "capability", or "splitter". `options`: a mapping as in
    OPTIONS.json, or the path of one. `as_upstream`: refuse models on which PyTorch fails. `report`: also compute which operators
    to support next. `model`: name of the program in a file with several.
    """
    with Exchange(source, program=model) as exchange:
        rules = side_file(exchange, "support.json", supported, lambda given: _rules(given, source, exchange, model))
        arguments: list[str | os.PathLike[str]] = ["--support", rules, "--method", method, *flag("--as-upstream", as_upstream)]
        if options is not None:
            arguments += ["--support-options", side_file(exchange, "options.json", options, dict)]
        if report:
            arguments += ["--report", exchange.folder / "report.json"]
        said = exchange.run("support", *arguments, "-o", exchange.folder / "tags.json")
    found = said["report"] if report else {"next": [], "breaks": []}
    steps = tuple(SupportStep(row["operator"], row["partitions"], row["nodes"], row["bytes"]) for row in found["next"])
    order = tuple(said["tags"]["order"])
    place = {tag: i for i, tag in enumerate(order)}
    tags = dict(sorted(said["tags"]["tags"].items(), key=lambda item: place[item[1]]))
    return Supported(tags, order, steps, tuple(found["breaks"]))


def _rules(supported: Any, source: Model, exchange: Exchange, model: str | None) -> Any:
    """The content of a SUPPORT.json."""
    if isinstance(supported, Mapping):
        return dict(supported)
    if isinstance(supported, Sequence):
        return {"supported": [_operator(one) for one in supported]}
    decide: Any = getattr(supported, "is_node_supported", supported)
    if not callable(decide):
        raise SunderError(
            f"supported cannot be a {type(supported).__name__}: pass an OperatorSupport, a function, a list, a mapping, or a path",
            code="usage",
        )
    return {"supported_nodes": _supported_nodes(decide, exchange.source or load(source, model=model))}  # type: ignore[arg-type]


def _supported_nodes(decide: IsSupported, model: torch.fx.GraphModule | torch.export.ExportedProgram) -> list[str]:
    root = model.graph_module if isinstance(model, torch.export.ExportedProgram) else model
    modules = dict(root.named_modules())
    return [node.name for node in model.graph.nodes if node.op in CALLS and decide(modules, node)]


def _operator(given: Any) -> str:
    if isinstance(given, str):
        return given
    if isinstance(given, type):
        return class_text(given)
    if not callable(given):
        raise SunderError(f"an operator cannot be a {type(given).__name__}: pass a function, a class of modules, or a name", code="usage")
    return text_of(given)
