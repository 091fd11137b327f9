"""Costs of models."""

from __future__ import annotations

import torch
from torch.utils.flop_counter import FlopCounterMode

import models
import sunder


def test_operations_are_those_that_pytorch_counts(exported: models.Case) -> None:
    # oneDNN has one kernel for a whole layer, which the counter does not know.
    with torch.backends.mkldnn.flags(enabled=False), FlopCounterMode(display=False) as counter:
        exported.wanted()
    costs = sunder.costs(exported.graph)
    assert costs.total.flops == counter.get_total_flops()
    assert costs.total.flops == sum(cost.flops or 0 for cost in costs.nodes.values())
    assert costs.total.ops == len(costs.nodes)


def test_modules_add_up() -> None:
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Softmax(-1), torch.nn.Linear(8, 3))
    costs = sunder.costs(torch.export.export(model, (torch.randn(2, 4),)))
    assert costs.modules["0"].flops == 2 * 2 * 4 * 8
    assert costs.modules["2"].flops == 2 * 2 * 8 * 3
    assert costs.total.flops == costs.modules["0"].flops + costs.modules["2"].flops
    assert costs.modules["0"].bytes_read == 4 * (2 * 4 + 4 * 8 + 8)
    assert costs.modules["0"].bytes_written == 4 * 2 * 8
    assert [(one.target, one.nodes) for one in costs.not_counted] == [("torch.ops.aten.softmax.int", 1)]
