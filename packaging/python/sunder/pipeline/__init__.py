"""Exported parts as one module, over devices, and as stages of torch.distributed.pipelining."""

from .comparison import Agreement, Difference
from .pipeline import Pipeline

__all__ = ["Agreement", "Difference", "Pipeline"]
