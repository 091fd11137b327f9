"""Graph modules whose code is made when it is first needed: when `forward` or `code` is read, or the module is called."""

from __future__ import annotations

from typing import Any

import torch.fx
from torch.fx._lazy_graph_module import _LazyGraphModule

from .program_call import ProgramCodeGen


class _Pending:
    """In place of `forward`: makes the code, and gives the method that was made of it. So signatures are those of the code, and
    torch.compile and torch.export find a function that they can trace, unlike torch's own placeholder.
    """

    def __get__(self, module: Any, owner: type) -> Any:
        if module is None:
            return self
        module.real_recompile()
        return module.forward


_PENDING = _Pending()


class LazyGraphModule(_LazyGraphModule):  # type: ignore[misc]
    forward = _PENDING  # type: ignore[assignment]

    def recompile(self) -> None:  # type: ignore[override]
        type(self).forward = _PENDING  # type: ignore[assignment,method-assign]
        if isinstance(codegen := self._graph._codegen, ProgramCodeGen):
            codegen.belongs_to(self._graph)

    @classmethod
    def _needs_recompile(cls) -> bool:
        return cls.forward is _PENDING
