"""Passes a model to sunder-cli and reads its result."""

from __future__ import annotations

import contextlib
import io
import os
import pathlib
import tempfile
import warnings
from types import TracebackType
from typing import Any, Iterator, Mapping, Sequence

import torch
import torch.fx
from torch.fx.graph import CodeGen

from . import programs
from .errors import NotProven, SunderError
from .fxjson.behavior import carry_hooks, replaced_call
from .fxjson.lazy import LazyGraphModule
from .fxjson.lent import Lent
from .fxjson.program_call import ProgramCodeGen
from .fxjson.reader import Reader
from .fxjson.writer import Writer
from .model_files import as_model

Model = torch.nn.Module | torch.export.ExportedProgram | str | os.PathLike[str]


class Exchange:
    """A scratch folder that contains a model, or a model file that is used in place. Components of the model are lent, never
    copied: a result has the modules, tensors, functions, and metadata of the source. `lean`: write the model without metadata.
    `order`: the order of the tags on its nodes. `program`: name of the program in an archive of several.
    """

    def __init__(self, model: Model, lean: bool = False, order: Sequence[str] = (), program: str | None = None) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="sunder-")
        self.folder = pathlib.Path(self._folder.name)
        self.lent: Lent | None = None
        self.source: torch.fx.GraphModule | torch.export.ExportedProgram | None = None
        self.options: list[str | os.PathLike[str]] = []  # of every command
        if isinstance(model, (str, os.PathLike)):
            self.input = pathlib.Path(model).absolute()
            self.options = [] if program is None else ["--model", program]
            return
        if program is not None:
            raise SunderError(f"model={program!r} names a program in a file; a model in memory is a single program", code="usage")
        self.input = self.folder / "model.fxj"
        self.lent = Lent()
        self.source = as_model(model)
        with open(self.input, "w", encoding="utf-8") as out:
            writer = Writer(out, lent=self.lent, lean=lean, order=order)
            writer.write(self.source)
        if schemas := writer.custom_operators():
            path = self.folder / "operators.txt"
            path.write_text(schemas, encoding="utf-8")
            self.options = ["--operators", path]

    def __enter__(self) -> Exchange:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._folder.cleanup()

    def run(self, command: str, *arguments: programs.Word) -> dict[str, Any]:
        """Runs a command of sunder-cli on the model. Warns if its result is not proven."""
        said = self.run_on(self.input, command, *arguments)
        if said.get("verified", True) is not True:
            warnings.warn(f"{command}: {_why_not(said)}", NotProven, stacklevel=4)
        return said

    def run_on(self, file: pathlib.Path, command: str, *arguments: programs.Word) -> dict[str, Any]:
        """Runs a command, of one word or two, on a file that has the model."""
        with without_scratch(self.folder):
            return programs.run(*command.split(), file, *arguments, *self.options)

    def result(self, made: str | programs.Received, keep_nesting: bool = True) -> torch.fx.GraphModule:
        """Reads the module in a file of the folder or in received text. With `keep_nesting`, it has the nesting of its source."""
        codegen = self._codegen() if keep_nesting else None
        reader = Reader(self.folder, lent=self.lent, objects=self._objects(), codegen=codegen, graph_module=LazyGraphModule)
        if isinstance(made, programs.Received):
            result = reader.read_whole(made.text)
        else:
            with open(self.folder / made, encoding="utf-8") as texts:
                result = reader.read(texts)
        self.carry_calls(result)
        return result

    def carry_calls(self, result: torch.fx.GraphModule) -> None:
        """Copies the hooks of the model to a result. Warns if calling the model does more than run its graph."""
        if not isinstance(self.source, torch.nn.Module):
            return
        carry_hooks(self.source, result)
        if why := replaced_call(self.source):
            warnings.warn(f"the model {why}, and the result does not", NotProven, stacklevel=4)

    def _codegen(self) -> CodeGen | None:
        if isinstance(self.source, torch.export.ExportedProgram) or self.source is None:
            return None
        codegen: CodeGen = self.source.graph._codegen
        return None if isinstance(codegen, ProgramCodeGen) else codegen

    def _objects(self) -> Mapping[str, Any]:
        if isinstance(self.source, torch.export.ExportedProgram):
            return {name: thing for name, thing in self.source.constants.items() if not isinstance(thing, torch.Tensor)}
        codegen = self.source.graph._codegen if self.source is not None else None
        return codegen.program.objects if isinstance(codegen, ProgramCodeGen) else {}


@contextlib.contextmanager
def without_scratch(folder: pathlib.Path) -> Iterator[None]:
    """Removes names of scratch files from errors, because they mean nothing for models in memory."""
    try:
        yield
    except SunderError as error:
        where = {key: value for key, value in error.where.items() if not str(value).startswith(f"{folder}{os.sep}")}
        raise SunderError(error.text, code=error.code, where=where) from None


def module_of(program: torch.export.ExportedProgram) -> torch.nn.Module:
    """A module that runs a program. For a joint graph, whose own module cannot be called, it returns all results flat."""
    if program.graph_signature.backward_signature is None:
        return program.module()
    lent, lines = Lent(), io.StringIO()
    Writer(lines, lent=lent).write(program)
    return Reader(pathlib.Path(), lent=lent).read(lines.getvalue().splitlines())


def _why_not(said: Mapping[str, Any]) -> str:
    verdicts = {
        "undecided": "is not proven equivalent to its source",
        "same_up_to_rounding": "is proven equivalent to its source only up to rounding",
    }
    verdict = verdicts.get(said["verified"], "is not equivalent to its source")
    return f"the result {verdict}: {said.get('why', 'no reason is given')}"
