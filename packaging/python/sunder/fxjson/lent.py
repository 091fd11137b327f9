"""Objects of a graph that are lent to a pass of this process. The result contains the same objects, so nothing is copied or lost.

Lines refer to an object by its number under the key `#`. Sunder keeps this key, as it keeps every unknown key.
"""

from __future__ import annotations

from typing import Any, Callable

import torch

KEY = "#"


class Lent:
    def __init__(self) -> None:
        self.nodes: list[torch.fx.Node] = []
        self.root: list[torch.fx.Node] = []  # nodes of the root graph
        self.modules: list[torch.nn.Module] = []
        self.tensors: list[torch.Tensor] = []
        self.objects: list[Any] = []
        self.functions: dict[str, Callable[..., Any]] = {}
        self.attributes: dict[torch.fx.Node, Any] = {}  # values of get_attr nodes that are neither tensors nor modules

    def object_text(self, thing: Any) -> str:
        """Returns the text for an object that fx-json cannot represent."""
        self.objects.append(thing)
        return f"{KEY}{len(self.objects) - 1}"

    def borrowed(self, text: str) -> Any:
        return self.objects[int(text.removeprefix(KEY))]
