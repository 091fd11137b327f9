"""All fields of an fx-json file, and copies of files with one changed field."""

from __future__ import annotations

import copy
import json
from typing import Any, Iterator

from changed_values import ABSENT, UNKNOWN, Path, at, changed_values, with_value

Lines = list[dict[str, Any]]
Field = tuple[str, str, Path]  #: the type with the field, its name, and the path of its value

#: Contents of the members of a type: objects of another type, or values.
_INSIDE = {
    ("storage", "at"): "place",
    ("storage", "copy"): "place",
    ("call", "size_bytes"): "size_bytes",
    ("sig", "inputs"): "input",
    ("sig", "outputs"): "result",
}
_VALUES = frozenset("args kwargs val attrs inputs outputs user loss".split())
_NODES = {"call_function": "call", "call_method": "call", "call_module": "call"}  #: types of nodes by `op`, if the names differ
_OF_NODES = frozenset(("placeholder", "get_attr", "call", "output"))
#: Fields that are names inside the file, by the members that refer to them.
_NAMES = {
    ("str", "id"): ("id", "trace"),
    ("stack", "id"): ("id", "mods"),
    ("storage", "id"): ("id", "storage"),
    ("tensor", "storage"): ("id", "storage"),
    ("graph", "id"): ("id", "g", "graph", "calls"),
    ("sig", "g"): ("id", "g", "graph", "calls"),
    **{(kind, "g"): ("id", "g", "graph", "calls") for kind in _OF_NODES},
    **{(kind, "name"): ("name", "n", "users", "input_mutation") for kind in _OF_NODES},
}
_KINDS = ("n t d nt slice range ellipsis f i c dtype device layout mf fn sym graph const obj repr tensor").split()
_DTYPES, _DEVICES, _LAYOUTS = ["float64", "int32"], ["cuda:0"], ["sparse_coo"]
_OTHERS: dict[tuple[str, str], list[Any]] = {
    ("placeholder", "target"): ["other"],
    ("get_attr", "target"): ["piece", "count"],
    ("call", "op"): ["call_method", "placeholder"],
    ("call", "target"): ["torch.ops.aten.tanh.default", "norm", "*x"],
    ("tensor", "role"): ["parameter", "buffer", "constant"],
    ("alias", "role"): ["parameter", "buffer", "constant"],
    ("alias", "same"): ["lin.weight"],
    ("tensor", "dtype"): _DTYPES,
    ("tensor", "shape"): [[1], [2, 1]],
    ("tensor", "stride"): [[1, 2], [0]],
    ("tensor", "device"): _DEVICES,
    ("tensor", "layout"): _LAYOUTS,
    ("facts", "dtype"): _DTYPES,
    ("facts", "device"): _DEVICES,
    ("facts", "layout"): _LAYOUTS,
    ("module", "same"): ["drop"],
    ("graph module", "path"): [],
    ("value", "f"): ["nan", "-inf"],
    ("value", "fn"): ["torch.sin"],
    ("value", "dtype"): ["bfloat16"],
    ("value", "device"): _DEVICES,
    ("value", "layout"): _LAYOUTS,
    ("value", "mf"): ["preserve_format"],
    ("value", "graph"): ["g2"],
    ("value", "n"): ["x", "sub"],
    ("symbol", "kind"): ["float"],
    ("tags", "order"): [["b", "a"]],
    ("header", "v"): [[1, 1]],
    ("header", "min"): [[0, 9]],
}
#: Defaults of omitted members.
_DEFAULTS = {"device": "cpu", "layout": "strided", "offset": 0, "requires_grad": False, "kind": "int", "persistent": True}


def fields_of(lines: Lines) -> Iterator[Field]:
    """Yields every member of every line, including nested ones, with its path."""
    with_graphs = {line["module"] for line in lines if line["k"] == "graph"}
    users = {one["user"]["n"] for line in lines if line["k"] == "sig" for one in line["inputs"] if isinstance(one.get("user"), dict)}
    for number, line in enumerate(lines):
        kind, role = line["k"], ""
        if kind == "fx-json":
            kind = "header"
        elif kind == "node":
            kind = _NODES.get(line["op"], line["op"])
            role = "" if kind == "get_attr" else " of inputs" if line["name"] in users else " of nodes"
            role = " of plain inputs" if kind == "placeholder" and not users else role
            kind += role if kind == "placeholder" and role == " of inputs" else ""
        elif kind == "tensor" and "same" in line:
            kind = "alias"
        elif kind == "module" and line["path"] in with_graphs:
            kind = "graph module"
        elif kind == "module" and "calls" in line:
            kind = "dispatcher"
        elif kind == "call":
            kind = "module call"
        yield from _members(kind, line, (number,), role)


def _members(kind: str, found: dict[str, Any], path: Path, role: str = "") -> Iterator[Field]:
    """`role` is the owner of a `val`."""
    yield kind, "*", path
    for key, value in found.items():
        place = (*path, key)
        yield kind, key, place
        inside = _INSIDE.get((kind, key))
        if inside:
            several = [(place, value)] if isinstance(value, dict) else [((*place, i), one) for i, one in enumerate(value)]
            for where, one in several:
                yield from _members(inside, one, where)
        elif key == "kwargs":
            for i, (_, one) in enumerate(value):
                yield from _value(one, (*place, i, 1), "")
        elif key == "attrs":
            for name, one in value.items():
                yield from _value(one, (*place, name), "")
        elif key in _VALUES:
            yield from _several(value, place, " of calls" if kind == "module call" else "") if isinstance(value, list) else _value(value, place, role if key == "val" else "")
        elif key == "shape":
            yield from _several(value, place, role)


def _several(values: list[Any], path: Path, role: str) -> Iterator[Field]:
    for i, value in enumerate(values):
        yield from _value(value, (*path, i), role)


def _value(value: Any, path: Path, role: str) -> Iterator[Field]:
    if isinstance(value, list):
        yield "value" + role, "list", path
        yield from _several(value, path, role)
    elif not isinstance(value, dict):
        yield "value" + role, "plain", path
    elif "tensor" in value:
        yield "value" + role, "tensor", (*path, "tensor")
        yield from ((kind + role if kind == "facts" else kind, key, at) for kind, key, at in _members("facts", value["tensor"], (*path, "tensor"), role))
    elif "sym" in value:
        for key in value:
            yield "symbol" + role, key, (*path, key)
    else:
        kind = next(key for key in value if key in _KINDS)
        yield "value", "*", path
        for key in value:
            yield "value" + role, key, (*path, key)
        if kind in ("t", "slice", "range"):
            yield from _several(value[kind], (*path, kind), role)
        elif kind == "nt":
            yield from _several(value[kind][2], (*path, kind, 2), role)
        elif kind == "d":
            for i, (_, one) in enumerate(value[kind]):
                yield from _value(one, (*path, kind, i, 1), role)


def changed(lines: Lines, field: Field) -> Iterator[tuple[str, Lines]]:
    """Yields files that differ only in this field, each with a description of the change."""
    kind, key, path = field
    kind = kind.partition(" of ")[0]
    if key == "*":
        yield "with an unknown key", with_value(lines, path, {**at(lines, path), UNKNOWN: 1})
        return
    if (kind, key) in _NAMES or (kind, key) == ("facts", "storage"):
        yield "renamed", _renamed(lines, field)
        return
    has_rows = (kind, key) in _INSIDE or key in _VALUES or key == "tensor"
    is_default = kind != "value" and _DEFAULTS.get(key, lines) == at(lines, path)
    for said, value in changed_values(lines, path, _OTHERS.get((kind, key), [])):
        if said == "with an unknown member" and has_rows:
            continue  # belongs to "*" of the inner type
        yield "left out, as is its default" if value is ABSENT and is_default else said, with_value(lines, path, value)


def _renamed(lines: Lines, field: Field) -> Lines:
    kind, key, path = field
    old: Any = lines
    for step in path:
        old = old[step]
    new = old + 7 if isinstance(old, int) else old + "_renamed"
    members = _NAMES.get((kind, key), ("storage",))

    def walk(value: Any, member: str) -> Any:
        if isinstance(value, dict):
            return {name: walk(one, name) for name, one in value.items()}
        if isinstance(value, list) and member in ("users", "calls"):
            return [walk(one, member) for one in value]
        if isinstance(value, list):
            return [walk(one, "") for one in value]
        return new if member in members and type(value) is type(old) and value == old else value

    names = {"str": ("str", "node"), "stack": ("stack", "node")}.get(kind)
    return [walk(line, "") if names is None or line["k"] in names else copy.deepcopy(line) for line in lines]


def text_of(lines: Lines) -> str:
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
