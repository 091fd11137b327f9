"""What a file says of nodes that torch.fx has no place for: kept under meta["fx_json"], and written back."""

from __future__ import annotations

from typing import Any

import torch.fx

Kept = dict[str, Any]

PLACE = "fx_json"
#: Where `GraphModule.meta` has the guards of the exported program that a module was made from.
GUARDS = "guards_code"
#: Keys of a node's line that are kept as they are.
KEPT = ("region_key", "mutated")
#: What AOTAutograd notes of a node in a joint graph: of which pass it is, and the number that both passes of a call have.
TRAINING = ("partitioner_tag", "seq_nr", "autograd_backward", "is_gradient_acc")
#: Where AOTAutograd keeps the module stack of a backward node, which is that of its forward node.
FORWARD_STACK = "fwd_nn_module_stack"
#: Where torch.export, dynamo and ShapeProp leave what a node computes; the first that is there counts.
VALUES = ("val", "example_value", "tensor_meta")


def kept_of(node: torch.fx.Node) -> Kept:
    found = node.meta.get(PLACE)
    return found if isinstance(found, dict) else {}


def training_notes(meta: dict[str, Any]) -> dict[str, Any]:
    """What is written of a node in a joint graph, or stands in a file; empty for all other nodes."""
    if not isinstance(meta.get("partitioner_tag"), str):
        return {}
    return {key: meta[key] for key in TRAINING if isinstance(meta.get(key), (bool, int, str))}


def kept_value_of(node: torch.fx.Node) -> Kept:
    """`val` and `val_from` as the file has them, while they are true: the node has the value that was made of them, or none."""
    kept = kept_of(node)
    value = next((node.meta[key] for key in VALUES if key in node.meta), None)
    return {key: kept[key] for key in ("val", "val_from") if key in kept} if value is kept.get("made") else {}
