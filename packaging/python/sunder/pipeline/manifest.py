"""The contents of manifest.json."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
from typing import Any, Mapping, Sequence

from ..errors import SunderError

FILE = "manifest.json"
VERSION = 1


@dataclasses.dataclass(frozen=True)
class Value:
    """An input, an output, or a value between parts, with the name of the node that computes it."""

    name: str
    type: str = "other"
    dtype: str | None = None
    shape: tuple[Any, ...] | None = None
    bytes: int | None = None
    example: str | None = None
    is_literal: bool = False
    literal: Any = None

    def __str__(self) -> str:
        if self.is_literal:
            return f"always {self.literal!r}"
        if self.type != "tensor":
            return self.type
        sizes = [size if isinstance(size, int) else size.get("sym", "?") for size in self.shape or ()]
        return f"{self.dtype} [{', '.join(map(str, sizes))}]"


@dataclasses.dataclass(frozen=True)
class Part:
    """A part: its file, its inputs in the order of arguments, and its results in order."""

    name: str
    file: str
    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    devices: tuple[int, ...] = ()
    operators: Mapping[str, str | None] = dataclasses.field(default_factory=dict)  # not registered by torch: the module that does, if known
    writes: tuple[str, ...] = ()  # inputs of the model whose tensors it changes


@dataclasses.dataclass(frozen=True)
class Manifest:
    folder: pathlib.Path
    source: str
    sha256: str | None
    model: str | None
    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]  # a literal has no name
    parts: tuple[Part, ...]
    in_spec: str | None
    out_spec: str | None
    keywords: Mapping[str, Any]  # places in `inputs`, as the manifest nests them
    aliases: Mapping[str, str]  # of a weight that has several names: to the first
    holders: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)  # by weight in several parts: the parts
    arg_names: tuple[str, ...] = ()  # parameters of the model
    guards: tuple[str, ...] = ()  # conditions on inputs, as PyTorch writes them

    def path_of(self, part: Part) -> pathlib.Path:
        return self.folder / part.file


def read(folder: str | os.PathLike[str]) -> Manifest:
    """Reads the manifest of a folder. Checks that every input of a part is available before the part runs."""
    path = pathlib.Path(folder) / FILE
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SunderError(f"{path} cannot be read: {error.strerror}", code="io", where={"file": str(path)}) from None
    except ValueError as error:
        raise SunderError(f"{path} is not JSON: {error}", code="format", where={"file": str(path)}) from None
    try:
        if found.get("format") != "sunder-parts":
            raise ValueError("it does not list parts that Sunder exported")
        if found.get("version") != VERSION:
            raise ValueError(f"it has version {found.get('version')}, but this package reads {VERSION}")
        manifest = _manifest_of(found, path.parent)
        _check_wiring(manifest)
    except (ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
        why = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
        raise SunderError(f"{path} cannot be used: {why}", code="format", where={"file": str(path)}) from None
    return manifest


def _manifest_of(found: Mapping[str, Any], folder: pathlib.Path) -> Manifest:
    source, call = found.get("source", {}), found.get("call", {})
    return Manifest(
        folder=folder,
        source=str(source.get("file", "")),
        sha256=source.get("sha256"),
        model=source.get("model"),
        inputs=_values_of(found["inputs"]),
        outputs=_values_of(found["outputs"]),
        parts=tuple(_part_of(part) for part in found["parts"]),
        in_spec=call.get("in_spec"),
        out_spec=call.get("out_spec"),
        keywords=call.get("kwargs", {}),
        aliases={name: tie["names"][0] for tie in found.get("tied", ()) for name in tie["names"]},
        holders={name: tuple(tie["parts"]) for tie in found.get("tied", ()) for name in tie["names"]},
        arg_names=tuple(map(str, call.get("arg_names", ()))),
        guards=tuple(map(str, call.get("guards", ()))),
    )


def _part_of(found: Mapping[str, Any]) -> Part:
    file = found["file"]
    if os.path.isabs(file) or "\\" in file or ".." in file.split("/"):
        raise ValueError(f"the file {file} of a part is not in the folder")
    return Part(
        name=str(found.get("name", file)),
        file=file,
        inputs=_values_of(found["inputs"]),
        outputs=_values_of(found["outputs"]),
        devices=tuple(found.get("devices", ())),
        operators=dict(found.get("operators", {})),
        writes=tuple(found.get("writes", ())),
    )


def _values_of(found: Sequence[Mapping[str, Any]]) -> tuple[Value, ...]:
    return tuple(_value_of(value) for value in found)


def _value_of(found: Mapping[str, Any]) -> Value:
    literal = float(found["float"]) if "float" in found else found.get("literal")
    return Value(
        name="" if "literal" in found and "name" not in found else str(found["name"]),
        type=found.get("type", "other"),
        dtype=found.get("dtype"),
        shape=tuple(found["shape"]) if "shape" in found else None,
        bytes=found.get("bytes"),
        example=found.get("example"),
        is_literal="literal" in found,
        literal=literal,
    )


def _check_wiring(manifest: Manifest) -> None:
    known = {value.name for value in manifest.inputs}
    for part in manifest.parts:
        for value in part.inputs:
            if value.name not in known:
                raise ValueError(f"part {part.name} takes {value.name} before any part returns it")
        for value in part.outputs:
            if value.name in known:
                raise ValueError(f"part {part.name} returns {value.name}, which already exists")
            known.add(value.name)
    for value in manifest.outputs:
        if value.name not in known and not value.is_literal:
            raise ValueError(f"no part returns the output {value.name}")
