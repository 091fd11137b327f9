"""Data about nodes that torch.fx has no place for. It is kept under meta["fx_json"] and written back."""

from __future__ import annotations

from typing import Any

import torch.fx

Kept = dict[str, Any]

PLACE = "fx_json"
# : Key in `GraphModule.meta` of the guards of the exported program that the module was made from.
GUARDS = "guards_code"
# : Keys of node lines that are kept unchanged.
KEPT = ("region_key", "mutated")
# : Notes of AOTAutograd on nodes of a joint graph: the pass, and the number that forward and backward of a call share.
TRAINING = ("partitioner_tag", "seq_nr", "autograd_backward", "is_gradient_acc")
# : Key of the module stack that AOTAutograd stores on a backward node: the stack of its forward node.
FORWARD_STACK = "fwd_nn_module_stack"
# : Keys where torch.export, dynamo, and ShapeProp store the value of a node. The first one present is used.
VALUES = ("val", "example_value", "tensor_meta")


def kept_of(node: torch.fx.Node) -> Kept:
    found = node.meta.get(PLACE)
    return found if isinstance(found, dict) else {}


def training_notes(meta: dict[str, Any]) -> dict[str, Any]:
    """Returns the training notes of a node in a joint graph. Empty for all other nodes."""
    if not isinstance(meta.get("partitioner_tag"), str):
        return {}
    return {key: meta[key] for key in TRAINING if isinstance(meta.get(key), (bool, int, str))}


def kept_value_of(node: torch.fx.Node) -> Kept:
    """Returns `val` and `val_from` from the file if they are still valid: the node has the value made from them, or none."""
    kept = kept_of(node)
    value = next((node.meta[key] for key in VALUES if key in node.meta), None)
    return {key: kept[key] for key in ("val", "val_from") if key in kept} if value is kept.get("made") else {}
