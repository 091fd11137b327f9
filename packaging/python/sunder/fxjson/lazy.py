"""Graph modules that generate their code on first use: when `forward` or `code` is read, or the module is called."""

from __future__ import annotations

from typing import Any

import torch.fx
from torch.fx._lazy_graph_module import _LazyGraphModule

from .part_code import python_code
from .program_call import ProgramCodeGen


class _Pending:
    """A placeholder for `forward`: generates the code and returns the resulting method. Signatures are thus those of the code,
    and torch.compile and torch.export find a function that they can trace, unlike with PyTorch's own placeholder.
    """

    def __get__(self, module: Any, owner: type) -> Any:
        if module is None:
            return self
        for one in module.modules():  # also those that its code calls: dynamo of PyTorch 2.9 cannot trace the placeholder
            if isinstance(one, LazyGraphModule):
                one.real_recompile()
        return module.forward


_PENDING = _Pending()


class LazyGraphModule(_LazyGraphModule):
    forward = _PENDING

    def recompile(self) -> None:  # type: ignore[override]
        type(self).forward = _PENDING
        if isinstance(codegen := self._graph._codegen, ProgramCodeGen):
            codegen.belongs_to(self._graph)

    def _real_recompile(self) -> Any:
        graph = self._graph

        def quick(root_module: str, **options: Any) -> Any:
            code = python_code(graph) if root_module == "self" and not any(options.values()) else None
            return code if code is not None else type(graph).python_code(graph, root_module, **options)

        graph.__dict__["python_code"] = quick  # only while the module requests code
        try:
            return super()._real_recompile()
        finally:
            del graph.__dict__["python_code"]

    @classmethod
    def _needs_recompile(cls) -> bool:
        return cls.forward is _PENDING
