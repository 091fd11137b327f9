"""Cut PyTorch models: the passes of Sunder for scripts and notebooks."""

from .errors import NotProven, SunderError, WithoutWeights
from .version import __version__

__all__ = ["NotProven", "SunderError", "WithoutWeights", "__version__"]
