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

    def object_text(self, thing: Any) -> str:
        """What stands in the file for something that fx-json has no word for."""
        self.objects.append(thing)
        return f"{KEY}{len(self.objects) - 1}"

    def function_text(self, text: str, function: Callable[..., Any]) -> str:
        """A name for the function, its own unless another one has that."""
        known = self.functions.setdefault(text, function)
        if known is function:
            return text
        other = f"{text}_{len(self.functions)}"
        self.functions[other] = function
        return other

    def borrowed(self, text: str) -> Any:
        return self.objects[int(text.removeprefix(KEY))]
