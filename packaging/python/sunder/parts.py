"""Parts of a model in memory, each a file of its own."""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import shutil
import tempfile
import zipfile
from typing import Any, Sequence

import torch

from . import programs
from .exchange import Exchange, Model
from .model_files import save


def write_parts(exchange: Exchange, model: Model, command: Sequence[Any], folder: pathlib.Path) -> None:
    """Runs the command once more on a file that has the weights. Parts of fx-json get their weights beside them."""
    verb, *arguments = command
    if exchange.source is None:
        programs.run(verb, exchange.input, *arguments, "--parts", folder)
        return
    is_program = isinstance(exchange.source, torch.export.ExportedProgram)
    whole = exchange.folder / "whole" / ("model.pt2" if is_program else "model.fxj")
    whole.parent.mkdir()
    save(exchange.source, whole)
    if is_program:
        programs.run(verb, whole, *arguments, "--parts", folder, *exchange.options)
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.parent) as scratch:
        made = pathlib.Path(scratch) / folder.name
        programs.run(verb, whole, *arguments, "--parts", made, *exchange.options)
        _take_weights_along(made)
        if folder.exists():
            os.replace(folder, pathlib.Path(scratch) / "before")
        os.replace(made, folder)


def _take_weights_along(folder: pathlib.Path) -> None:
    """Copies what parts name in an archive elsewhere into an archive beside each, and says so in the manifest."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    for part in manifest["parts"]:
        path = folder / part["file"]
        lines = path.read_text(encoding="utf-8").splitlines()
        beside = path.with_name(path.name.removesuffix(".fxj") + ".weights.zip")
        path.write_text("".join(line + "\n" for line in _with_weights(lines, folder, beside)), encoding="utf-8")
        part["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1, ensure_ascii=False), encoding="utf-8")


def _with_weights(lines: list[str], folder: pathlib.Path, beside: pathlib.Path) -> list[str]:
    found = [(i, json.loads(line)) for i, line in enumerate(lines) if line.startswith('{"k":"storage"')]
    if not any("at" in storage for _, storage in found):
        return lines
    with zipfile.ZipFile(beside, "w", zipfile.ZIP_STORED) as out:
        for i, storage in found:
            if "at" not in storage:
                continue
            with zipfile.ZipFile(folder / storage["at"]["file"]) as source:
                _copy(source, storage["at"]["record"], out)
            storage["at"]["file"] = beside.name
            lines[i] = json.dumps(storage, ensure_ascii=False, separators=(",", ":"))
    return lines


def _copy(source: zipfile.ZipFile, record: str, out: zipfile.ZipFile) -> None:
    info = source.getinfo(record)
    with source.open(info) as there, out.open(zipfile.ZipInfo(record), "w", force_zip64=info.file_size >= 1 << 31) as here:
        shutil.copyfileobj(there, here, 1 << 20)
