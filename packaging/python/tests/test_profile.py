"""Measured seconds of calls, and the costs that follow from them."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest
import torch

import models
import sunder


class Writes(torch.nn.Module):
    """Writes to its input, its buffer, and a fresh tensor."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("count", torch.zeros(2))

    def forward(self, x: torch.Tensor) -> Any:
        y = x * 2
        self.count.add_(y)
        y.add_(1)
        x.mul_(3)
        return y + self.count, torch.arange(4)[y.long().clamp(0, 3)]


def _small() -> torch.export.ExportedProgram:
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 3)).eval()
    return torch.export.export(model, (torch.randn(2, 4),))


def test_each_call_has_seconds(exported: models.Case) -> None:
    args, kwargs = exported.args, exported.kwargs
    made = sunder.profile(exported.graph, args, kwargs, warmup=0, repeats=1)
    assert set(made.runs) == {node.name for node in exported.graph.graph.nodes if node.op.startswith("call_")}
    assert all(seconds > 0 for seconds in made.seconds.values())


def test_each_call_of_a_traced_graph_has_seconds(traced: models.Case) -> None:
    made = sunder.profile(traced.graph, traced.args, traced.kwargs, warmup=1, repeats=3)
    assert set(made.runs) == {node.name for node in traced.graph.graph.nodes if node.op.startswith("call_")}


@pytest.mark.parametrize("device", [None, "cpu"])
def test_nothing_is_changed_by_repetition(device: str | None) -> None:
    x = torch.ones(2)
    for graph in (torch.export.export(Writes(), (x,)), torch.fx.symbolic_trace(Writes())):
        buffers = graph.state_dict if isinstance(graph, torch.export.ExportedProgram) else dict(graph.named_buffers())
        before = buffers["count"].clone()
        made = sunder.profile(graph, (x,), device=device, warmup=2, repeats=3)
        assert torch.equal(x, torch.ones(2)) and torch.equal(buffers["count"], before)
        assert all(len(runs) == 3 for runs in made.runs.values())


def test_files_are_read_as_measured_costs(tmp_path: pathlib.Path) -> None:
    program = _small()
    made = sunder.profile(program, out=tmp_path / "costs.json", trace=tmp_path / "trace.json", repeats=3)
    assert json.loads((tmp_path / "costs.json").read_text())["nodes"]["linear"] == {"seconds": made.seconds["linear"]}
    for given in (made, tmp_path / "costs.json", made.costs()):
        costs = sunder.costs(program, costs=given)
        assert {name: cost.seconds for name, cost in costs.nodes.items()} == pytest.approx(made.seconds)
        assert costs.total.seconds == pytest.approx(made.total)
    traced = sunder.costs(program, costs=tmp_path / "trace.json")
    assert {name: cost.seconds for name, cost in traced.nodes.items()} == pytest.approx(made.seconds, rel=1e-6)
    assert traced.traces[0]["by"] == "name" and traced.traces[0]["runs"] == 3 and not traced.traces[0]["unmatched"]


def test_traces_of_the_profiler_are_matched_in_order(tmp_path: pathlib.Path) -> None:
    program = _small()
    module = program.module()
    x = torch.randn(2, 4)
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], record_shapes=True) as profiler, torch.no_grad():
        for _ in range(3):
            module(x)
    profiler.export_chrome_trace(str(tmp_path / "trace.json"))
    costs = sunder.costs(program, costs=tmp_path / "trace.json")
    (trace,) = costs.traces
    assert trace["matched"] == 3 and trace["runs"] == 3 and not trace["ambiguous"] and not trace["unmatched"]
    assert all((cost.seconds or 0) > 0 for cost in costs.nodes.values())


def test_seconds_follow_from_a_device() -> None:
    program = _small()
    device = {"name": "npu", "available_mem_bytes": 1, "rates": {"float32": 1e6}, "memory_bandwidth_bytes_per_s": 1e9, "launch_seconds": 0}
    costs = sunder.costs(program, devices=[device], device="npu")
    flops = costs.nodes["linear"].flops
    assert flops is not None and costs.nodes["linear"].seconds == pytest.approx(flops / 0.75e6)
    assert costs.model["rates"]["float32"] == {"flops_per_s": 1e6, "stated_for": "float32"}
    measured = sunder.costs(program, devices=[device], costs=[{"nodes": {"relu": {"seconds": 5}}}])
    assert measured.nodes["relu"].seconds == 5 and measured.nodes["linear"].source == "model"


def test_what_cannot_be_run_is_named() -> None:
    program = _small()
    with pytest.raises(sunder.SunderError, match="cannot be run") as refused:
        sunder.profile(program, (torch.randn(2, 5),))
    assert refused.value.where["node"] == "linear"
    with pytest.raises(sunder.SunderError, match="it takes more"):
        sunder.profile(program, ())
    with pytest.raises(sunder.SunderError, match="which is not a node"):
        sunder.costs(program, costs={"nodes": {"lineal": {"seconds": 1}}})
    with pytest.raises(sunder.SunderError, match="pass both"):
        sunder.costs(program, device="npu")
