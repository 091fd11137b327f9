"""Tree specs from the text of a file. PyTorch's own reader imports the names in a text (enumerations, factories of default dicts),
so it only gets texts without such names.
"""

from __future__ import annotations

import json
from typing import Any, TypeGuard

import torch.utils._pytree as pytree

from ..errors import SunderError

_FACTORIES = frozenset({"list", "dict", "set", "tuple", "int", "float", "str", "bool"})
_MOST = 1_000_000  # characters


def spec_of_text(text: str) -> pytree.TreeSpec:
    try:
        if len(text) > _MOST:
            raise ValueError("it is too long")
        version, spec = json.loads(text)
        _check(spec)
        return pytree.treespec_loads(text)
    except (ValueError, TypeError, KeyError, NotImplementedError, RecursionError) as error:
        raise SunderError(f"has a tree spec that cannot be read: {error}", code="malformed") from None


def children_of(spec: pytree.TreeSpec) -> list[pytree.TreeSpec]:
    """Returns the children of a spec, in every version of PyTorch."""
    return list(spec.children() if hasattr(spec, "children") else spec.children_specs)


def nests_a_call(spec: pytree.TreeSpec | None) -> TypeGuard[pytree.TreeSpec]:
    """Whether a spec nests positional and keyword inputs, like that of an exported program."""
    return spec is not None and spec.type is tuple and [child.type for child in children_of(spec)] == [tuple, dict]


def _check(spec: dict[str, Any]) -> None:
    kind, context = spec["type"], spec["context"]
    if kind is not None and kind not in pytree.SERIALIZED_TYPE_TO_PYTHON_TYPE:
        raise ValueError(f"{kind} is not registered with PyTorch's pytree; import the module that registers it first")
    if "__enum__" in str(context):
        raise ValueError("keys that are enumerations would be imported")
    if kind == "collections.defaultdict":
        factory = context.get("default_factory_module"), context.get("default_factory_name")
        if factory[0] != "builtins" or factory[1] not in _FACTORIES:
            raise ValueError(f"a default dict of {'.'.join(map(str, factory))} would be imported")
    for child in spec["children_spec"]:
        _check(child)
