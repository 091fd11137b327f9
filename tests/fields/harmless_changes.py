"""Changes of compared fields after which a program is still the same, or may be, each with a reason."""

from __future__ import annotations

from typing import Any

#: Area, type, field, start of the description of the change, end of the field's path (None: any), and the reason.
_HARMLESS: list[tuple[str, str, str, str, Any, str]] = [
    ("fx-json", "storage", "nbytes", "left out", None, "the size of the record is the size of the memory"),
    ("fx-json", "storage", "nbytes", "one more", None, "no tensor covers the byte; a record of another size is unknown"),
    ("fx-json", "graph", "module", "another text", None, "the value is passed to the graph by number, and the graph reads no attributes"),
    ("fx-json", "output", "args", "longer", None, "torch.fx returns the first argument of an output node"),
    ("fx-json", "value", "ellipsis", "one more", None, "implied by the key"),
    ("pt2", "GraphModule", "module_call_graph", "", None, "only the entry of the whole program matters"),
    ("pt2", "ModuleCallEntry", "fqn", "", 1, "only the entry of the whole program matters"),
    ("pt2", "ModuleCallEntry", "signature", "", 1, "only the entry of the whole program matters"),
    ("pt2", "Node", "inputs", "reversed", None, "arguments have names"),
    ("pt2", "NamedArgument", "kind", "", None, "another spelling of a call of an operator with a schema"),
    ("pt2", "Graph", "tensor_values", "without", None, "the first is a parameter, with the facts of its weights"),
    ("pt2", "Node", "outputs", "shorter", None, "add_ has no users and needs no name"),
    ("pt2", "archive", "byteorder", "left out", None, "PyTorch always writes this order"),
    ("pt2", "TensorMeta of weights", "requires_grad", "negated", "b", "values computed from it require gradients in both cases"),
    ("pt2", "ExportedProgram", "schema_version", "left out", None, "it affects only higher-order operators"),
    ("pt2", "SchemaVersion", "minor", "left out", None, "it affects only higher-order operators"),
    ("pt2", "SchemaVersion", "minor", "one more", None, "later minor versions are read like this one"),
]


def may_be_same(area: str, kind: str, key: str, said: str, path: tuple[Any, ...]) -> bool:
    """Whether a program with this change may get the verdict "same" although the field is compared."""
    return any(
        (area, kind, key) == row[:3] and said.startswith(row[3]) and (row[4] is None or row[4] in path) for row in _HARMLESS
    )
