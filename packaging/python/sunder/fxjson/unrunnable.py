"""Placeholders for modules that a file does not describe completely."""

from __future__ import annotations

from typing import Any

import torch

from ..errors import SunderError, one_line
from .marks import without_number


class Unrunnable(torch.nn.Module):
    """Keeps the place, the tensors, and the description of a module of another class; calling it is refused."""

    def __init__(self, path: str, line: dict[str, Any]) -> None:
        super().__init__()
        self.path = path
        self.line = line

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        cls = self.__dict__.get("_fx_json_class", "a class without a name")
        if isinstance(unknown := self.line.get("unknown"), str):
            said = f"the module {self.path} cannot be recreated: when it was saved, it {without_number(unknown)}"
            raise SunderError(one_line(said), where={"node": self.path})
        raise SunderError(
            f"the module {self.path} is a {cls}, which the file does not describe completely; save the model with "
            f"sunder.save, or trust the package of that class: sunder.load(…, trust=…)",
            where={"node": self.path},
        )


class Unguarded(Unrunnable):
    """Replaces the input checks of torch.export. The code of the program checks its inputs itself (guards.py)."""

    def forward(self, *args: Any, **kwargs: Any) -> None:
        return None


class Dispatcher(torch.nn.Module):
    """A module whose calls run its graphs in turn: the first call runs the first graph, and so on, then from the start."""

    def __init__(self, calls: list[torch.fx.GraphModule]) -> None:
        super().__init__()
        self.__dict__["_calls"] = calls  # their modules and tensors are those of the dispatcher
        self._next = 0

    def call_modules(self) -> list[torch.fx.GraphModule]:
        return list(self.__dict__["_calls"])

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        calls = self.__dict__["_calls"]
        call, self._next = calls[self._next], (self._next + 1) % len(calls)
        try:
            return call(*args, **kwargs)
        except BaseException:
            self._next = 0
            raise
