"""Classes and operators that other modules register."""

from __future__ import annotations

from typing import Iterator, Sequence

import torch
import torch.utils._pytree as pytree

from ..errors import SunderError
from .manifest import Manifest, Part


def check_registered(manifest: Manifest, parts: Sequence[Part]) -> None:
    """Raises an error that names all classes of inputs and outputs, and all operators of these parts, that are not registered."""
    operators = {part.name: told for part in parts if (told := _operators(part))}
    problems = [*dict.fromkeys(_classes(manifest)), *operators.values()]
    if problems:
        where = {"part": next(iter(operators))} if operators else {}
        raise SunderError("\n".join(problems), code="unsupported", where=where)


def _classes(manifest: Manifest) -> Iterator[str]:
    for text in filter(None, (manifest.in_spec, manifest.out_spec)):
        try:
            pytree.treespec_loads(text)
        except NotImplementedError as error:
            yield f"{str(error).rstrip('.')}; import a module that registers it with PyTorch's pytree first"
        except (ValueError, TypeError, KeyError):
            pass  # Nesting reports these errors


def _operators(part: Part) -> str | None:
    missing = {name: module for name, module in sorted(part.operators.items()) if not _is_registered(name)}
    if not missing:
        return None
    modules = sorted({module for module in missing.values() if module})
    libraries = ", ".join(sorted({name.split("::")[0] for name in missing}))
    said = f"part '{part.name}' calls operators that are not registered: {', '.join(missing)} (libraries: {libraries})"
    repair = f"import {', '.join(modules)} first" if all(missing.values()) else "import the modules that register them first"
    return f"{said}; {repair}"


def _is_registered(name: str) -> bool:
    library, _, packet = name.partition("::")
    return hasattr(getattr(torch.ops, library), packet)
