"""Balanced cuts."""

from __future__ import annotations

import pytest
import torch

import sunder


def program(layers: int = 6) -> torch.export.ExportedProgram:
    model = torch.nn.Sequential(*[torch.nn.Linear(16, 16) for _ in range(layers)])
    return torch.export.export(model, (torch.randn(4, 16),))


def test_balances_measured_seconds() -> None:
    exported = program()
    calls = [node.name for node in exported.graph.nodes if node.op == "call_function"]
    costs = {"nodes": {name: {"seconds": 1.0 + (i == 0), "transfer_seconds": 0.0} for i, name in enumerate(calls)}}
    balanced = sunder.balance(exported, 2, costs=costs)
    assert balanced.proven and balanced.gap == pytest.approx(0)
    assert balanced.load == balanced.bound == 4.0
    assert balanced.order == ("stage0", "stage1")
    assert [stage.ops for stage in balanced.devices] in ([3, 3], [2, 4])
    assert sunder.check(exported, balanced.tags).legal


def test_refuses_what_does_not_fit() -> None:
    devices = [{"name": f"gpu{i}", "available_mem_bytes": 1500} for i in range(2)]
    exported = program()
    costs = {"nodes": {node.name: {"seconds": 1.0} for node in exported.graph.nodes if node.op == "call_function"}}
    with pytest.raises(sunder.SunderError, match="does not fit: at least"):
        sunder.balance(exported, devices=devices, costs=costs)


def test_takes_profiles_and_links() -> None:
    exported = program(4)
    measured = sunder.profile(exported, repeats=1)
    devices = {"devices": [{"name": f"gpu{i}", "available_mem_bytes": 1e9} for i in range(2)],
               "links": {"bandwidth_bytes_per_s": 1.0, "efficiency": 1.0}}
    balanced = sunder.balance(exported, devices=devices, costs=measured)
    assert [stage.transfer_seconds for stage in balanced.devices] == [256, 256]  # 4 × 16 floats over the link, at 1 B/s
    assert sum(stage.seconds for stage in balanced.devices) == pytest.approx(measured.total)


def test_shortens_the_step_of_a_schedule() -> None:
    exported = program(4)
    balanced = sunder.balance(exported, 2, schedule="1F1B", micro_batches=4)
    assert balanced.step is not None and balanced.step_bound is not None and balanced.step >= balanced.step_bound > 0
    timetable = sunder.schedule(exported, balanced.tags, schedule="1F1B", micro_batches=4)
    assert timetable.step == pytest.approx(balanced.step)
    assert sunder.balance(exported, 2).step is None


def test_needs_stages_or_devices() -> None:
    with pytest.raises(sunder.SunderError, match="pass either stages or devices"):
        sunder.balance(program())


def test_names_of_presets_are_devices() -> None:
    exported = program()
    own = {"name": "mine", "available_mem_bytes": 1e9, "flops_per_s": 1e12, "memory_bandwidth_bytes_per_s": 1e11}
    balanced = sunder.balance(exported, devices=["L4 24 GB", own, "l4 24 gb"])
    assert [stage.device for stage in balanced.devices] == ["L4", "mine", "L4 1"]
    with pytest.raises(sunder.SunderError, match='unknown preset "L5"'):
        sunder.balance(exported, devices=["L5", "L4 24 GB"])
