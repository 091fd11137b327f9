"""Exports and tests one model of real_models.py."""

from __future__ import annotations

import pathlib
import sys
import time
from typing import Any, Callable

import torch
import torch.utils._pytree as pytree

from real_model_list import MODELS

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "packaging" / "python"))

import sunder
from sunder.pipeline.comparison import difference

PASSES = ("split", "verify", "unflatten", "dedup", "parts")


class Trial:
    """One exported model in a folder, and its columns."""

    def __init__(self, name: str, folder: pathlib.Path, stages: int) -> None:
        torch.manual_seed(0)
        made = MODELS[name]()
        self.stages, self.folder, self.path = stages, folder, folder / "model.pt2"
        self.args, self.kwargs = made.args, made.kwargs
        with torch.no_grad():
            self.program = torch.export.export(made.module.eval(), self.args, self.kwargs)
            torch.export.save(self.program, self.path)
            self.wanted = self._results(self.program.module())

    def opened(self) -> int:
        """Returns the number of nodes reported by `sunder-cli info`; fails if it differs from that of the program."""
        said = sunder.programs.run("info", self.path)
        if said["nodes"] != len(self.program.graph.nodes):
            raise ValueError(f"{said['nodes']} nodes read of {len(self.program.graph.nodes)}")
        return said["nodes"]

    def split(self) -> str:
        self.cut = sunder.split(self.path, self.stages, parts=self.folder / "parts")
        return self._judged(self.cut)

    def verify(self) -> str:
        found = sunder.verify(self.path, self.cut)
        return found.verdict if found else f"{found.verdict}: {found.why}"

    def unflatten(self) -> str:
        ours = sunder.unflatten(self.path)
        judged = self._judged(ours)
        theirs = torch.export.unflatten(self.program)
        counts = [sum(1 for _ in module.named_modules(remove_duplicate=False)) for module in (ours, theirs)]
        return judged if counts[0] == counts[1] else f"{judged}, {counts[0]}/{counts[1]} modules"

    def dedup(self) -> str:
        groups = sunder.regions(self.path).groups
        return f"{self._judged(sunder.deduplicate(self.path))}, {len(groups)}/{sum(map(len, groups))}"

    def parts(self) -> str:
        pipeline = sunder.Pipeline(
            self.folder / "parts", devices=["cpu:0" if i % 2 == 0 else "cpu" for i in range(self.stages)]
        )
        return self._difference(pipeline) or "same"

    def _judged(self, module: Any) -> str:
        said = module.meta["sunder"]
        if not said["verified"]:
            return f"not proven: {said.get('why')}"
        return self._difference(module) or "same"

    def _difference(self, module: Any) -> str | None:
        with torch.no_grad():
            results = self._results(module)
        if len(results) != len(self.wanted):
            return f"{len(results)} outputs of {len(self.wanted)}"
        for number, (ours, theirs) in enumerate(zip(results, self.wanted)):
            found = difference(ours, theirs)
            if found:
                return f"output {number}: {found}"
        return None

    def _results(self, module: Any) -> list[Any]:
        return pytree.tree_leaves(module(*self.args, **self.kwargs))


def tried(name: str, folder: pathlib.Path, stages: int) -> dict[str, Any]:
    """Returns the columns of one model. A failure is the text of its cell, and steps that depend on it are skipped."""
    columns: dict[str, Any] = {"model": name}
    try:
        start = time.perf_counter()
        trial = Trial(name, folder, stages)
        columns["export s"] = round(time.perf_counter() - start, 1)
    except Exception as error:
        return {**columns, "export s": _said(error)}
    start = time.perf_counter()
    columns["nodes"] = _cell(trial.opened)
    columns["open s"] = round(time.perf_counter() - start, 2)
    for column in PASSES:
        columns[column] = _cell(getattr(trial, column))
    return columns


def _cell(run: Callable[[], Any]) -> Any:
    try:
        return run()
    except Exception as error:
        return _said(error)


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".replace("\n", " ").replace("|", "/")[:300]
