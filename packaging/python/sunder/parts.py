"""Parts of a model in memory, each a file of its own."""

from __future__ import annotations

import pathlib
from typing import Any, Sequence

import torch

from . import programs
from .exchange import Exchange, Model
from .model_files import save


def write_parts(exchange: Exchange, model: Model, command: Sequence[Any], folder: pathlib.Path) -> None:
    """Runs the command once more on a file that has the weights."""
    verb, *arguments = command
    if exchange.source is None:
        programs.run(verb, exchange.input, *arguments, "--parts", folder)
        return
    is_program = isinstance(exchange.source, torch.export.ExportedProgram)
    whole = exchange.folder / "whole" / ("model.pt2" if is_program else "model.fxj")
    whole.parent.mkdir()
    save(exchange.source, whole)
    programs.run(verb, whole, *arguments, "--parts", folder, *exchange.options)
