"""Parts of a model, each a file of its own."""

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
        programs.run(verb, exchange.input, *arguments, "--parts", folder, *exchange.options)
        return
    is_program = isinstance(exchange.source, torch.export.ExportedProgram)
    whole = exchange.folder / "whole" / ("model.pt2" if is_program else "model.fxj")
    whole.parent.mkdir()
    save(exchange.source, whole)
    if is_program and "--tags" in arguments:
        place = arguments.index("--tags") + 1
        arguments[place] = _completed(exchange, whole, arguments[place])
    programs.run(verb, whole, *arguments, "--parts", folder, *exchange.options)


def _completed(exchange: Exchange, whole: pathlib.Path, tags: Any) -> pathlib.Path:
    """Tags for all nodes of a saved program: torch adds getitem nodes for unused results. They get the tag of the call that they
    belong to.
    """
    completed = exchange.folder / "completed.json"
    programs.run("tag", whole, "--tags", tags, "--fill", "earliest", "-o", completed, *exchange.options)
    return completed
