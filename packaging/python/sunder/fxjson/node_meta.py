"""What a file says of nodes that torch.fx has no place for: kept under meta["fx_json"], and written back."""

from __future__ import annotations

from typing import Any

import torch.fx

Kept = dict[str, Any]

PLACE = "fx_json"
#: Keys of a node's line that are kept as they are.
KEPT = ("region_key", "mutated")
#: Where torch.export, dynamo and ShapeProp leave what a node computes; the first that is there counts.
VALUES = ("val", "example_value", "tensor_meta")


def kept_of(node: torch.fx.Node) -> Kept:
    found = node.meta.get(PLACE)
    return found if isinstance(found, dict) else {}


def kept_value_of(node: torch.fx.Node) -> Kept:
    """`val` and `val_from` as the file has them, while they are true: the node has the value that was made of them, or none."""
    kept = kept_of(node)
    value = next((node.meta[key] for key in VALUES if key in node.meta), None)
    return {key: kept[key] for key in ("val", "val_from") if key in kept} if value is kept.get("made") else {}
