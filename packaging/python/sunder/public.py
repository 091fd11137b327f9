"""The public names of the package. `sunder` imports them at the first use, because importing PyTorch takes seconds."""

from .balancing import balance
from .checks import check, costs, memory, verify
from .errors import NotProven, NotWritten, SunderError, WithoutWeights
from .model_files import load, save
from .passes import deduplicate, partition, regions, split, unflatten
from .pipeline import Pipeline
from .pictures import Picture, show
from .profiling import Profile, profile
from .running.results import MeasuredPart, OutputComparison, PartsRun
from .running.run import run_parts
from .scheduling import schedule
from .supporting import support
from .torch_passes import move_non_tensor_nodes_on_boundary, split_by_tags, split_module
from .version import __version__
from .window import open
from .witness import Witness

__all__ = [
    "MeasuredPart",
    "NotProven",
    "NotWritten",
    "OutputComparison",
    "PartsRun",
    "Picture",
    "Pipeline",
    "Profile",
    "SunderError",
    "Witness",
    "WithoutWeights",
    "__version__",
    "balance",
    "check",
    "costs",
    "deduplicate",
    "load",
    "memory",
    "move_non_tensor_nodes_on_boundary",
    "open",
    "partition",
    "profile",
    "regions",
    "run_parts",
    "save",
    "schedule",
    "show",
    "split",
    "split_by_tags",
    "split_module",
    "support",
    "unflatten",
    "verify",
]
