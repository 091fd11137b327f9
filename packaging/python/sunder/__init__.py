"""Split PyTorch models: the passes of Sunder for scripts and notebooks (docs/python.md). Names are listed in public.py."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .public import *
    from .public import __all__


def __getattr__(name: str) -> Any:
    """Imports a function at its first use, so that the programs start without waiting for PyTorch, or a module of the package."""
    if importlib.util.find_spec(f"{__name__}.{name}"):
        return importlib.import_module(f".{name}", __name__)
    public = importlib.import_module(".public", __name__)
    if name == "__all__" or name in public.__all__:
        globals()[name] = getattr(public, name)
        return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__")})
