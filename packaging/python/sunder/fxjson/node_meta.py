"""What a file says of nodes that torch.fx has no place for: kept under meta["fx_json"], and written back."""

from __future__ import annotations

from typing import Any

import torch.fx

PLACE = "fx_json"
#: Keys of a node's line that are kept as they are.
KEPT = ("region_key", "mutated")


def kept_of(node: torch.fx.Node) -> dict[str, Any]:
    found = node.meta.get(PLACE)
    return found if isinstance(found, dict) else {}
