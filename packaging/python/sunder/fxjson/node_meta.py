"""What a file says of nodes that torch.fx has no place for: kept under meta["fx_json"], and written back."""

from __future__ import annotations

from typing import Any

import torch.fx

PLACE = "fx_json"
#: Keys of a node's line that are kept as they are.
KEPT = ("region_key", "mutated")
#: What AOTAutograd notes of a node in a joint graph: of which pass it is, and the number that both passes of a call have.
TRAINING = ("partitioner_tag", "seq_nr", "autograd_backward", "is_gradient_acc")
#: Where AOTAutograd keeps the module stack of a backward node, which is that of its forward node.
FORWARD_STACK = "fwd_nn_module_stack"


def kept_of(node: torch.fx.Node) -> dict[str, Any]:
    found = node.meta.get(PLACE)
    return found if isinstance(found, dict) else {}


def training_notes(meta: dict[str, Any]) -> dict[str, Any]:
    """What is written of a node in a joint graph, or stands in a file; empty for all other nodes."""
    if not isinstance(meta.get("partitioner_tag"), str):
        return {}
    return {key: meta[key] for key in TRAINING if isinstance(meta.get(key), (bool, int, str))}
