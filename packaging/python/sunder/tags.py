"""The accepted forms of tags."""

from __future__ import annotations

import json
import os
import pathlib
from typing import Mapping, Sequence

import torch
import torch.fx

from .errors import SunderError
from .exchange import Exchange

#: A number of stages; the tag of each node by name, tags in the order of their first node here; the order of the tags that
#: nodes have as `node.tag`; a file (TAGS.json, a project); None: the nodes' own tags in the order of the graph.
Tags = int | Mapping[str, str] | Sequence[str] | os.PathLike[str] | str | None

CALLS = ("call_function", "call_method", "call_module")


def tags_file(exchange: Exchange, tags: Tags) -> pathlib.Path | None:
    """Writes a TAGS.json for the model. None if the model file contains the tags."""
    if isinstance(tags, (str, os.PathLike)):
        return pathlib.Path(tags)
    path = exchange.folder / "tags.json"
    if isinstance(tags, bool):
        raise SunderError("tags cannot be True or False", code="usage")
    if isinstance(tags, int):
        exchange.run("tag", "--stages", str(tags), "-o", path)
        return path
    if not (tags is None or isinstance(tags, Sequence | Mapping)):
        raise SunderError(f"tags cannot be a {type(tags).__name__}: pass a number of stages, a mapping, a list, or a path", code="usage")
    if isinstance(tags, Mapping):
        return write_tags(path, list(dict.fromkeys(tags.values())), tags)
    if exchange.source is None:
        if tags is not None:
            raise SunderError("an order of tags has no meaning for a file; pass the tag of each node, or TAGS.json", code="usage")
        return None
    own = own_tags(exchange.source.graph)
    return write_tags(path, list(dict.fromkeys(own.values())) if tags is None else list(tags), own)


def tags_option(path: pathlib.Path | None) -> list[str | os.PathLike[str]]:
    """Returns the command-line option for the tags."""
    return [] if path is None else ["--tags", path]


def own_tags(graph: torch.fx.Graph) -> dict[str, str]:
    """The tag of each call that has one, as `node.tag` or in the metadata that files of torch.export keep."""
    found = {}
    for node in graph.nodes:
        tag = getattr(node, "tag", None)
        if tag is None and isinstance(node.meta.get("custom"), dict):
            tag = node.meta["custom"].get("tag")
        if node.op in CALLS and isinstance(tag, str):
            found[node.name] = tag
    return found


def write_tags(path: pathlib.Path, order: Sequence[str], tags: Mapping[str, str]) -> pathlib.Path:
    path.write_text(json.dumps({"order": list(order), "tags": dict(tags)}), encoding="utf-8")
    return path


def read_tags(path: pathlib.Path) -> dict[str, str]:
    """The tag of each node, tags in their order."""
    said = json.loads(path.read_text(encoding="utf-8"))
    place = {tag: i for i, tag in enumerate(said["order"])}
    return dict(sorted(said["tags"].items(), key=lambda item: place[item[1]]))
