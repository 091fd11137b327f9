"""Parts that run against the whole model."""

from __future__ import annotations

import json
import math
import pathlib
import sys
from typing import Any

import pytest
import torch

import sunder
from sunder.pipeline.comparison import distances
from sunder.running import __main__ as entry


class Counts(torch.nn.Module):
    """Two outputs, a buffer that it writes, and an input that it writes."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = torch.nn.Linear(8, 8), torch.nn.Linear(8, 4)
        self.register_buffer("count", torch.zeros(()))

    def forward(self, x: torch.Tensor) -> dict[str, torch.Tensor]:
        self.count.add_(1)
        hidden = self.first(x).relu()
        x.add_(1)
        return {"hidden": hidden, "y": self.second(hidden) + self.count}


def _program() -> torch.export.ExportedProgram:
    return torch.export.export(Counts().eval(), (torch.randn(2, 8),))


def test_parts_are_compared_and_measured() -> None:
    program = _program()
    run = sunder.run_parts(program, 2, warmup=0, repeats=1)
    assert run, run
    assert [(one.shape, one.largest, one.relative) for one in run.outputs] == [((2, 8), 0.0, 0.0), ((2, 4), 0.0, 0.0)]
    assert [part.name for part in run.parts] == ["stage0", "stage1"]
    assert all(part.seconds > 0 and part.memory is not None and part.estimated_memory for part in run.parts)
    assert all(part.memory >= part.weights for part in run.parts)  # type: ignore[operator]
    assert run.inputs == "example" and float(program.buffers().__next__()) == 0
    calls = {node.name for node in program.graph.nodes if node.op.startswith("call_")}
    assert set(run.costs()["nodes"]) <= calls
    assert sunder.costs(program, costs=run).total.seconds == pytest.approx(run.seconds)
    assert "stage1" in str(run) and run._repr_html_().count("<table>") == 2


def test_inputs_are_given_or_generated() -> None:
    traced = torch.fx.symbolic_trace(torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU()))
    assert sunder.run_parts(traced, 2, inputs=[torch.randn(2, 4)], warmup=0, repeats=1).inputs == "given"
    with pytest.raises(sunder.SunderError, match="has no example, and no recorded shape"):
        sunder.run_parts(traced, 2)
    program = _program()
    program.example_inputs = None  # type: ignore[misc]
    run = sunder.run_parts(program, 2, warmup=0, repeats=1)
    assert run and run.inputs == "generated" and "generated" in run.notes[0]


def test_the_entry_writes_lines_of_json(tmp_path: pathlib.Path, capfd: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    program, file = _program(), tmp_path / "model.pt2"
    sunder.save(program, file)
    sunder.split(file, 2, parts=tmp_path / "parts")
    words = ["sunder.running", str(tmp_path / "parts"), "torch.export", "--warmup", "0", "--repeats", "1"]
    monkeypatch.setattr(sys, "argv", words)
    monkeypatch.setattr(entry, "_own_output", lambda: open(tmp_path / "lines", "w", encoding="utf-8"))
    assert entry.main() == 0
    *steps, result = map(json.loads, (tmp_path / "lines").read_text(encoding="utf-8").splitlines())
    assert [step["share"] for step in steps] == sorted(step["share"] for step in steps) and steps[-1]["share"] == 1
    assert result["equal"] and result["parts"][1]["name"] == "stage1" and result["costs"]["nodes"]
    with torch.no_grad():
        program.state_dict["second.bias"].add_(0.5)
    sunder.save(program, file)
    monkeypatch.setattr(sys, "argv", [*words, "--model", str(file)])
    assert entry.main() == 0
    result = json.loads((tmp_path / "lines").read_text(encoding="utf-8").splitlines()[-1])
    assert not result["equal"] and [round(one["largest"], 3) for one in result["outputs"]] == [0, 0.5]
    monkeypatch.setattr(sys, "argv", [*words[:3], "no_such_module"])
    assert entry.main() == 1
    assert "no_such_module" in json.loads((tmp_path / "lines").read_text(encoding="utf-8"))["error"]["message"]


def test_distances_of_special_values() -> None:
    inf, nan = math.inf, math.nan
    assert distances(torch.tensor([inf, nan, 1.0]), torch.tensor([inf, nan, 2.0])) == (1.0, 0.5)
    assert distances(torch.tensor([nan]), torch.tensor([1.0])) == (inf, inf)
    assert distances(torch.tensor([1.0]), torch.tensor([0.0])) == (1.0, inf)
    assert distances(torch.empty(0), torch.empty(0)) == (0.0, 0.0)
