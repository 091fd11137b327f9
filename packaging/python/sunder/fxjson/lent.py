"""What a graph lends to a pass of this process: objects that come back with the result, so that nothing is copied or lost.

Lines carry the number of what they stand for under the key `#`, which Sunder keeps as it keeps every key that it does not know.
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
        self.attributes: dict[torch.fx.Node, Any] = {}  # what get_attr nodes read that is neither a tensor nor a module

    def object_text(self, thing: Any) -> str:
        """What stands in the file for something that fx-json has no word for."""
        self.objects.append(thing)
        return f"{KEY}{len(self.objects) - 1}"

    def borrowed(self, text: str) -> Any:
        return self.objects[int(text.removeprefix(KEY))]
