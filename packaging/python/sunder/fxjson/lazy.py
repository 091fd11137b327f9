"""Graph modules whose code is made when it is first needed, as torch's own passes make them where they may."""

from __future__ import annotations

from typing import Any

import torch.fx

from .part_code import python_code

LazyGraphModule: type[torch.fx.GraphModule]
try:
    from torch.fx._lazy_graph_module import _LazyGraphModule

    class _QuickGraphModule(_LazyGraphModule):
        def _real_recompile(self) -> Any:
            graph = self._graph

            def quick(root_module: str, **options: Any) -> Any:
                code = python_code(graph) if root_module == "self" and not any(options.values()) else None
                return code if code is not None else type(graph).python_code(graph, root_module, **options)

            graph.__dict__["python_code"] = quick  # while the module asks for it
            try:
                return super()._real_recompile()
            finally:
                del graph.__dict__["python_code"]

    LazyGraphModule = _QuickGraphModule
except ImportError:
    LazyGraphModule = torch.fx.GraphModule
