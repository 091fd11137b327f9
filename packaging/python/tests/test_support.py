"""Tags for an accelerator that supports some operators."""

from __future__ import annotations

import json
import pathlib

import pytest
import torch
from torch.fx.passes.infra.partitioner import CapabilityBasedPartitioner
from torch.fx.passes.operator_support import OperatorSupport, create_op_support

import sunder


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = torch.nn.Linear(4, 4)
        self.second = torch.nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.erf(torch.relu(self.first(x)))
        return torch.relu(self.second(y)) + torch.relu(y)


class Support(OperatorSupport):
    def __init__(self) -> None:
        super().__init__({"torch.nn.modules.linear.Linear": None, "torch.relu": None, "_operator.add": None})


def groups(tags: dict[str, str]) -> list[set[str]]:
    accelerated = dict.fromkeys(tag for tag in tags.values() if "_acc_" in tag)
    return sorted(({name for name, tag in tags.items() if tag == one} for one in accelerated), key=sorted)


def test_is_a_drop_in_for_operator_support() -> None:
    traced = torch.fx.symbolic_trace(Model())
    found = sunder.support(traced, Support())
    wanted = CapabilityBasedPartitioner(traced, Support()).propose_partitions()
    # OperatorSupport accepts inputs and outputs as well, which have no tags
    assert groups(found.tags) == sorted(({node.name for node in one.nodes} - {"x", "output"} for one in wanted), key=sorted)
    assert found.order == ("_run_on_cpu_0", "_run_on_acc_1")  # a module and relu are a single compute op
    x = torch.randn(2, 4)
    assert torch.equal(sunder.split(traced, found.tags)(x), traced(x))


def test_takes_functions_lists_and_files(tmp_path: pathlib.Path) -> None:
    traced = torch.fx.symbolic_trace(Model())
    rules = {"supported": ["torch.nn.modules.linear.Linear", "torch.relu", "_operator.add"]}
    path = tmp_path / "support.json"
    path.write_text(json.dumps(rules))
    wanted = sunder.support(traced, rules)
    support = Support()
    for supported in (
        lambda modules, node: support.is_node_supported(modules, node),
        create_op_support(lambda modules, node: support.is_node_supported(modules, node)),
        [torch.nn.Linear, torch.relu, "_operator.add"],
        path,
        str(path),
    ):
        assert sunder.support(traced, supported) == wanted


def test_decides_on_files(tmp_path: pathlib.Path) -> None:
    exported = torch.export.export(Model(), (torch.randn(2, 4),))
    path = tmp_path / "model.pt2"
    torch.export.save(exported, path)
    supported = [torch.ops.aten.linear.default, torch.ops.aten.relu.default]
    assert sunder.support(path, lambda _, node: node.target in supported) == sunder.support(exported, supported)


def test_reports_what_to_support_next() -> None:
    exported = torch.export.export(Model(), (torch.randn(2, 4),))
    rules = {"supported": ["*"], "unsupported_nodes": ["erf"]}
    assert sunder.support(exported, rules, report=True).next == ()
    found = sunder.support(exported, [torch.ops.aten.linear.default, torch.ops.aten.relu.default], method="splitter", report=True)
    assert [step.operator for step in found.next] == ["torch.ops.aten.erf.default", "torch.ops.aten.add.Tensor"]
    assert found.next[-1].partitions == 1
    assert found.breaks[0]["unsupported"] == ["erf"]


def test_takes_options_and_refuses_others() -> None:
    traced = torch.fx.symbolic_trace(Model())
    alone = sunder.support(traced, ["torch.erf"], options={"allows_single_node_partition": True})
    assert alone.tags["erf"] == "_run_on_acc_1"
    with pytest.raises(sunder.SunderError, match="key of the method splitter"):
        sunder.support(traced, [], options={"skip_fusion": True})
    with pytest.raises(sunder.SunderError, match="supported cannot be a int"):
        sunder.support(traced, 3)
