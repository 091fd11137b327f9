"""Graph modules whose code is made when it is first needed, as torch's own passes make them where they may."""

from __future__ import annotations

import torch.fx

LazyGraphModule: type[torch.fx.GraphModule]
try:
    from torch.fx._lazy_graph_module import _LazyGraphModule as LazyGraphModule
except ImportError:
    LazyGraphModule = torch.fx.GraphModule
