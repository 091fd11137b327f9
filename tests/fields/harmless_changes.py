"""Changes of fields that are compared after which a program is the same nevertheless, or may be, each with the reason."""

from __future__ import annotations

from typing import Any

#: Area, type, field, how what was done begins, a place that the path of the field ends with (None: any), and the reason.
_HARMLESS: list[tuple[str, str, str, str, Any, str]] = [
    ("fx-json", "storage", "nbytes", "left out", None, "the size of the record is that of the memory"),
    ("fx-json", "storage", "nbytes", "one more", None, "no tensor has the byte; of a record of another size nothing is known"),
    ("fx-json", "graph", "module", "another text", None, "a value reaches the graph by its number, and it reads no attributes"),
    ("fx-json", "output", "args", "longer", None, "torch.fx returns the first argument of an output node"),
    ("fx-json", "value", "ellipsis", "one more", None, "the key says all"),
    ("pt2", "GraphModule", "module_call_graph", "", None, "only the entry of the whole program decides"),
    ("pt2", "ModuleCallEntry", "fqn", "", 1, "only the entry of the whole program decides"),
    ("pt2", "ModuleCallEntry", "signature", "", 1, "only the entry of the whole program decides"),
    ("pt2", "Node", "inputs", "reversed", None, "arguments have names"),
    ("pt2", "NamedArgument", "kind", "", None, "another spelling of a call of an operator with a schema"),
    ("pt2", "Graph", "tensor_values", "without", None, "the first is a parameter, whose facts are those of its weights"),
    ("pt2", "Node", "outputs", "shorter", None, "add_ has no users, and needs no name"),
    ("pt2", "archive", "byteorder", "left out", None, "PyTorch writes no other order"),
    ("pt2", "TensorMeta of weights", "requires_grad", "negated", "b", "what is computed of it requires gradients either way"),
    ("pt2", "ExportedProgram", "schema_version", "left out", None, "it decides about higher-order operators alone"),
    ("pt2", "SchemaVersion", "minor", "left out", None, "it decides about higher-order operators alone"),
    ("pt2", "SchemaVersion", "minor", "one more", None, "a later minor version is read like this one"),
]


def may_be_same(area: str, kind: str, key: str, said: str, path: tuple[Any, ...]) -> bool:
    """Whether the verifier may call a program with this change the same although the field is compared."""
    return any(
        (area, kind, key) == row[:3] and said.startswith(row[3]) and (row[4] is None or row[4] in path) for row in _HARMLESS
    )
