"""Timetables of pipelines."""

from __future__ import annotations

import json
import pathlib

import pytest
import torch

import sunder


def program(layers: int = 4) -> torch.export.ExportedProgram:
    model = torch.nn.Sequential(*[torch.nn.Linear(16, 16) for _ in range(layers)])
    return torch.export.export(model, (torch.randn(4, 16),))


def test_shows_the_order_of_pytorch_without_a_model() -> None:
    timetable = sunder.schedule(schedule="1f1b", ranks=2, micro_batches=2)
    assert timetable.orders == (("0F0", "0F1", "0B0", "0B1"), ("1F0", "1B0", "1F1", "1B1"))
    assert timetable.step == 9 and timetable.bubble == pytest.approx(1 / 3)
    assert [rank.in_flight for rank in timetable.ranks] == [2, 1]
    with pytest.raises(sunder.SunderError, match="at least as many micro-batches as stages"):
        sunder.schedule(schedule="1F1B", ranks=4, micro_batches=2)


def test_times_follow_from_costs(tmp_path: pathlib.Path) -> None:
    exported = program()
    costs = {"nodes": {node.name: {"seconds": 1.0} for node in exported.graph.nodes if node.op == "call_function"}}
    timetable = sunder.schedule(exported, 4, schedule="GPipe", micro_batches=2, costs=costs, trace=tmp_path / "trace.json")
    assert timetable.step == pytest.approx((4 + 1) * 3)
    assert all(rank.busy == pytest.approx(6) and rank.binds == "bubble" for rank in timetable.ranks)
    kept = sunder.memory(exported, 4, training=True, schedule="GPipe", micro_batches=2)
    assert [rank.peak_bytes for rank in timetable.ranks] == [part.training.total for part in kept.parts if part.training]
    assert len(json.loads((tmp_path / "trace.json").read_text())["traceEvents"]) > len(timetable.actions)


def test_inference_has_throughput_and_latency() -> None:
    exported = program()
    costs = {"nodes": {node.name: {"seconds": 0.5} for node in exported.graph.nodes if node.op == "call_function"}}
    timetable = sunder.schedule(exported, 2, schedule="inference", micro_batches=4, costs=costs)
    assert timetable.throughput == pytest.approx(1.0)
    assert timetable.latency == pytest.approx(2.0)
