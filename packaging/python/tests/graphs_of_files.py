"""The graphs of fx-json files, to compare them node for node."""

from __future__ import annotations

import gzip
import json
import pathlib
from typing import Any

FACTS = ("name", "op", "target", "args", "kwargs", "type", "tag", "val", "users", "size_bytes", "out_type", "region_key", "mutated")


def lines_of(path: pathlib.Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") if path.name.endswith(".gz") else open(path, encoding="utf-8") as texts:
        return [json.loads(text) for text in texts if text.strip()]


def graphs_of(path: pathlib.Path) -> dict[str, list[dict[str, Any]]]:
    """The nodes of each graph, by the path of its module; those of a dispatcher's calls by the number of the call."""
    graphs: dict[str, list[dict[str, Any]]] = {}
    names: dict[str, str] = {}
    lines = lines_of(path)
    for line in lines:
        if line["k"] == "graph" and line["module"] is not None:
            names[line["id"]] = line["module"]
        for i, call in enumerate(line.get("calls") or ()):
            names[call] = f"{line['path']}@{i}"
    stacks = {line["id"]: line["mods"] for line in lines if line["k"] == "stack"}
    strings = {line["id"]: line["s"] for line in lines if line["k"] == "str"}
    for line in lines:
        if line["k"] == "node":
            facts = {key: line.get(key) for key in FACTS}
            facts["mods"], facts["trace"] = stacks.get(line.get("mods")), strings.get(line.get("trace"))
            facts["custom"] = (line.get("meta") or {}).get("custom") or None
            graphs.setdefault(names[line["g"]], []).append(facts)
    return graphs


def first_difference(a: pathlib.Path, b: pathlib.Path) -> str | None:
    """Returns the first difference of the nodes or graphs of two files."""
    here, there = graphs_of(a), graphs_of(b)
    if sorted(here) != sorted(there):
        return f"graphs of {sorted(here)} and {sorted(there)}"
    for path, nodes in here.items():
        others = there[path]
        if len(nodes) != len(others):
            return f"{path or 'the root'} has {len(nodes)} and {len(others)} nodes"
        for one, other in zip(nodes, others):
            for key in one:
                if not (same(one[key], other[key]) or key == "users" and _is_false(one[key], other[key])):
                    return f"{path or 'the root'}, {one['name']}: {key} is {one[key]} and {other[key]}"
    return None


def _is_false(a: list[str], b: list[str]) -> bool:
    """Whether a manually written file lists wrong users. Loading replaces these by the users in the graph."""
    return bool(a and b) and set(a) != set(b)


def same(a: Any, b: Any) -> bool:
    """Whether two values are equal and of one kind: 1 is not 1.0 nor true. Names of storages are free."""
    if isinstance(a, dict) and isinstance(b, dict):
        return list(a) == list(b) and all(key == "storage" or same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and a == b
