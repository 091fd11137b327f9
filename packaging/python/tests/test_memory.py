"""Memory of models and parts."""

from __future__ import annotations

import pytest
import torch

import models
import sunder


def perceptron() -> torch.export.ExportedProgram:
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 3))
    return torch.export.export(model, (torch.randn(2, 4),))


WEIGHTS = 4 * (4 * 8 + 8), 4 * (8 * 3 + 3)


def test_a_whole_model_holds_weights_and_inputs(exported: models.Case) -> None:
    memory = sunder.memory(exported.graph)
    assert len(memory.parts) == 1
    part = memory.parts[0]
    assert part.peak >= part.resident == part.weights + part.inputs
    assert part.peak == max([bytes for _, bytes in part.curve], default=part.resident)
    assert memory.assumptions["mode"] == "inference"


def test_parts_are_those_of_the_tags() -> None:
    program = perceptron()
    first, *others = (node.name for node in program.graph.nodes if node.op == "call_function")
    memory = sunder.memory(program, {first: "front", **dict.fromkeys(others, "back")})
    assert [part.name for part in memory.parts] == ["front", "back"]
    assert (memory["front"].weights, memory["back"].weights) == WEIGHTS
    assert memory["front"].inputs == 4 * 2 * 4
    assert memory["front"].peak == memory["front"].resident + 4 * 2 * 8
    assert memory["back"].inputs == 4 * 2 * 8
    assert memory["back"].peak_node == others[1]
    with pytest.raises(KeyError):
        memory["middle"]


def test_training_keeps_saved_values_gradients_and_optimizer_states() -> None:
    program = perceptron()
    kept = 4 * (2 * 4 + 2 * 8)  # the inputs of both products; relu keeps its result, which is one of them
    part = sunder.memory(program, training=True, optimizer="adam").parts[0]
    assert part.training is not None
    assert part.training.kept_for_backward == kept
    assert part.training.gradients == sum(WEIGHTS)
    assert part.training.optimizer == 2 * sum(WEIGHTS)
    assert part.training.total == part.peak + kept + 3 * sum(WEIGHTS)
    stages = sunder.memory(program, 2, training=True, schedule="1f1b", micro_batches=4)
    assert [stage.training.in_flight for stage in stages.parts if stage.training] == [2, 1]
    recomputed = sunder.memory(program, training=True, recompute=["0"]).parts[0].training
    assert recomputed is not None and recomputed.kept_for_backward == kept


def test_extra_memory_is_resident() -> None:
    program = perceptron()
    plain = sunder.memory(program).parts[0]
    more = sunder.memory(program, costs={"nodes": {}, "modules": {"0": {"extra_bytes": 1000}}}).parts[0]
    assert (more.extra, more.resident, more.peak) == (1000, plain.resident + 1000, plain.peak + 1000)


def test_refuses_what_does_not_fit() -> None:
    with pytest.raises(sunder.SunderError, match="training=True"):
        sunder.memory(perceptron(), optimizer="adam")
    with pytest.raises(sunder.SunderError, match="unknown schedule"):
        sunder.memory(perceptron(), 2, training=True, schedule="PipeDream", micro_batches=4)
