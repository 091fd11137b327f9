"""Models to files and back."""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import pathlib
import re
import tempfile
import warnings
import zipfile
from typing import Any, Iterator, Mapping, Sequence, TextIO

import torch
import torch.fx

from . import programs
from .errors import NotProven, NotWritten, SunderError, one_line
from .fxjson.behavior import carry_hooks
from .fxjson.reader import Reader
from .fxjson.weights_out import WeightsOut
from .fxjson.writer import Writer

Path = str | os.PathLike[str]
Loaded = torch.fx.GraphModule | torch.export.ExportedProgram


def save(
    model: torch.nn.Module | torch.export.ExportedProgram,
    path: Path,
    inputs: Sequence[Any] | None = None,
    kwargs: Mapping[str, Any] | None = None,
    *,
    weights: bool = True,
) -> Loaded:
    """Writes a model in the format of the suffix of `path`: .pt2, .fxj, or .fxj.gz. Returns the written model.

    Schemas of custom operators are written to NAME.operators.txt, for `--operators` of sunder-cli.

    An exported program is written by torch.export.save, or as fx-json. A graph module is written as fx-json, with the bytes of
    its tensors in a zip next to it (model.fxj: model.weights.zip), or as .pt2 by `sunder-cli convert`. Any other module is
    exported if `inputs` (and `kwargs`) are given, and otherwise traced by torch.fx.symbolic_trace. weights=False writes no bytes.
    """
    path = pathlib.Path(path)
    written = as_model(model, inputs, kwargs)
    if path.name.endswith((".fxj", ".fxj.gz")):
        _save_fx_json(written, path, weights)
    elif path.suffix == ".pt2" and isinstance(written, torch.export.ExportedProgram):
        with replacing(path) as staged:
            _save_program(written, staged)
    elif path.suffix == ".pt2":
        with tempfile.TemporaryDirectory(prefix="sunder-") as folder:
            save(written, pathlib.Path(folder) / "model.fxj")
            programs.run("convert", pathlib.Path(folder) / "model.fxj", path)
    else:
        raise SunderError(f"{path.name} must end in .pt2, .fxj, or .fxj.gz", code="usage", where={"file": str(path)})
    return written


def load(
    path: Path,
    *,
    model: str | None = None,
    trust: str | Sequence[str] = (),
    weights: Mapping[str, torch.Tensor] | None = None,
) -> Loaded:
    """Reads a model that runs: an ExportedProgram from .pt2, a GraphModule from fx-json.

    A GraphModule of an exported program, or of a result of Sunder for one, is called like the program's module. A file can call
    operators and functions of PyTorch that only compute, and leaf modules of torch.nn. Any other name is refused, unless its
    package is in `trust`; such packages are imported. `weights`: tensors by name that replace those of the file; each must be in
    the file, with the same shape and dtype. `model`: name of the program in a .pt2 file with several.
    """
    path = pathlib.Path(path)
    kind = _kind_of(path)
    if kind == "pt2":
        return _program_of(path, model)
    if model is not None:
        raise SunderError(f"has no program {model!r}: only archives of torch.export have named programs", code="usage", where={"file": str(path)})
    trusted = (trust,) if isinstance(trust, str) else tuple(trust)
    reader = Reader(path.parent, trust=trusted, weights=weights)
    try:
        with _opened(path, kind) as texts:
            return reader.read(texts)
    except SunderError as error:
        raise SunderError(one_line(error.text), code=error.code, where={"file": str(path), **error.where}) from None
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise SunderError(f"cannot be read: {error}", code="io", where={"file": str(path)}) from None


def as_model(
    model: torch.nn.Module | torch.export.ExportedProgram,
    inputs: Sequence[Any] | None = None,
    kwargs: Mapping[str, Any] | None = None,
) -> Loaded:
    """Returns the model as a graph: exports a module if there are inputs, and traces it otherwise."""
    if isinstance(model, (torch.fx.GraphModule, torch.export.ExportedProgram)):
        return model
    if isinstance(getattr(model, "graph", None), torch.fx.Graph):  # an unflattened module
        return model  # type: ignore[return-value]
    if not isinstance(model, torch.nn.Module):
        raise SunderError(f"a {type(model).__name__} is not a model: pass a module, a GraphModule, or an ExportedProgram", code="usage")
    if inputs is not None or kwargs is not None:
        return torch.export.export(model, tuple(inputs or ()), dict(kwargs or {}))
    try:
        traced = torch.fx.symbolic_trace(model)
    except Exception as error:  # models may raise anything when they run on proxies
        raise SunderError(f"cannot be traced ({error}); pass inputs to export it instead") from error
    carry_hooks(model, traced)
    if "forward" in vars(model):
        warnings.warn("the model has its own forward, but the forward of its class was traced", NotProven, stacklevel=3)
    return traced


def programs_in(path: Path) -> list[str] | None:
    """Names of the programs in a .pt2 of PyTorch 2.8 or later; None of an archive that has no names."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.namelist()
    except (zipfile.BadZipFile, OSError) as error:
        raise SunderError(f"cannot be read as a zip: {error}", code="io", where={"file": str(path)}) from None
    if not any(re.fullmatch("[^/]+/archive_format", name) for name in members):
        return None
    return [match[1] for name in members if (match := re.fullmatch(r"[^/]+/models/(.+)\.json", name))]


def _program_of(path: pathlib.Path, model: str | None) -> torch.export.ExportedProgram:
    """Returns the program with that name; without a name, the only one, or the one named "model"."""
    names = programs_in(path)
    if names is None and model in (None, "model"):
        return _loaded_program(path, "model")
    wanted = model or (names[0] if names and len(names) == 1 else "model")
    if not names or wanted not in names:
        there = f"it has: {', '.join(names)}" if names else "it has none"
        said = f'has no program named "{wanted}"; {there}'
        if names and not model:
            said = f"has several programs; choose one with model=…: {', '.join(names)}"
        raise SunderError(one_line(said), code="usage", where={"file": str(path)})
    return _loaded_program(path, wanted)


def _loaded_program(path: pathlib.Path, name: str) -> torch.export.ExportedProgram:
    try:
        if name == "model":
            return torch.export.load(path)
        from torch.export.pt2_archive._package import load_pt2

        found: torch.export.ExportedProgram = load_pt2(str(path)).exported_programs[name]
        return found
    except Exception as error:  # PyTorch raises many types for damaged archives
        said = f"is not an archive that torch.export can read: {type(error).__name__}: {one_line(str(error))}"
        raise SunderError(said, code="malformed", where={"file": str(path)}) from error


def _save_program(program: torch.export.ExportedProgram, path: pathlib.Path) -> None:
    try:
        torch.export.save(program, path)
    except NotImplementedError as error:  # inputs or outputs of a class that PyTorch's pytree cannot write down
        raise SunderError(f"cannot be saved as .pt2: {one_line(str(error))}", code="unsupported") from error


def _save_fx_json(model: Loaded, path: pathlib.Path, with_weights: bool) -> None:
    stem = path.name.removesuffix(".gz").removesuffix(".fxj")
    with replacing(path) as staged:
        beside = WeightsOut(path.with_name(f"{stem}.weights.zip")) if with_weights else contextlib.nullcontext()
        with beside as weights, _text(staged, path.name.endswith(".gz")) as out:
            writer = Writer(out, weights)
            writer.write(model)
        for text in writer.omissions():
            warnings.warn(one_line(text), NotWritten, stacklevel=3)
        if schemas := writer.custom_operators():
            path.with_name(f"{stem}.operators.txt").write_text(schemas, encoding="utf-8")


@contextlib.contextmanager
def replacing(path: pathlib.Path) -> Iterator[pathlib.Path]:
    """A file next to `path` that replaces it on success."""
    try:
        beside = tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        said = f"cannot be written into the folder {str(path.parent)!r}: {error.strerror}"
        raise SunderError(said, code="io", where={"file": str(path)}) from None
    with beside as folder:
        staged = pathlib.Path(folder) / path.name  # torch.export.save names the contents of an archive after the archive
        yield staged
        os.replace(staged, path)


@contextlib.contextmanager
def _text(path: pathlib.Path, is_compressed: bool) -> Iterator[TextIO]:
    if not is_compressed:
        with open(path, "w", encoding="utf-8", newline="\n") as plain:
            yield plain
        return
    with open(path, "wb") as raw, gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as packed:
        with io.TextIOWrapper(packed, encoding="utf-8", newline="\n") as out:
            yield out


@contextlib.contextmanager
def _opened(path: pathlib.Path, kind: str) -> Iterator[TextIO]:
    with gzip.open(path, "rt", encoding="utf-8") if kind == "gzip" else open(path, encoding="utf-8") as texts:
        yield texts


def _kind_of(path: pathlib.Path) -> str:
    """Detects the kind of a file from its first bytes."""
    try:
        with open(path, "rb") as file:
            start = file.read(2)
    except OSError as error:
        raise SunderError(f"cannot be read: {error.strerror}", code="io", where={"file": str(path)}) from None
    if start == b"PK":
        return "pt2"
    return "gzip" if start == b"\x1f\x8b" else "fx-json"
