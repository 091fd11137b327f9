"""Files of parts as modules that run."""

from __future__ import annotations

import dataclasses
from typing import Any

import torch

from ..errors import SunderError
from .devices import enters_autocast, exact, has_autocast, move
from .manifest import Manifest, Part


@dataclasses.dataclass
class LoadedPart:
    module: torch.nn.Module
    device: torch.device
    examples: dict[str, Any]  # of the model's inputs, if the file has them


def load_part(manifest: Manifest, part: Part, device: torch.device | None) -> LoadedPart:
    """Loads the part on its device. Reads its weights once and keeps no other copy of them."""
    path = manifest.path_of(part)
    device = exact(device) if device is not None else None
    module: torch.nn.Module
    examples: dict[str, Any] = {}
    try:
        if part.file.endswith(".pt2"):
            program = torch.export.load(str(path))
            examples = _examples_of(part, program)
            if device is not None and not has_autocast(device) and enters_autocast(program.graph_module):
                program = program.run_decompositions({})  # makes the conversions of a region explicit
            module = program.module()
            del program  # refers to the unconverted weights
        else:
            from ..model_files import load

            loaded = load(path)
            module = loaded.module() if isinstance(loaded, torch.export.ExportedProgram) else loaded
    except SunderError:
        raise
    except Exception as error:  # torch.export.load may raise anything for an unreadable file
        text = f"part {part.name} cannot be loaded from {path}: {type(error).__name__}: {error}"
        raise SunderError(text, code="io", where={"file": str(path), "part": part.name}) from error
    if device is not None:
        move(module, device)
    return LoadedPart(module, device or _device_of(module), examples)


def _examples_of(part: Part, program: torch.export.ExportedProgram) -> dict[str, Any]:
    args = program.example_inputs[0] if program.example_inputs else ()
    return {value.name: example for value, example in zip(part.inputs, args) if value.example == "source"}


def _device_of(module: torch.nn.Module) -> torch.device:
    for tensor in (*module.parameters(), *module.buffers()):
        return tensor.device
    return torch.device("cpu")
