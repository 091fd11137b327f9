"""What nodes compute comes back in their metadata as PyTorch leaves it there."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensor
from torch.fx.passes.shape_prop import ShapeProp, TensorMetadata

import graphs_of_files
import models
import sunder


def facts(value: Any) -> Any:
    """Describes a value by properties that two runs share."""
    if isinstance(value, torch.Tensor):
        sizes = [str(size) for size in (*value.shape, *value.stride(), value.storage_offset())]
        return type(value).__name__, value.dtype, sizes, value.device, value.requires_grad
    return [facts(item) for item in value] if isinstance(value, (list, tuple)) else str(value)


class Sized(torch.nn.Module):
    """A size that is free, one that is known at run time alone, and views."""

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> Any:
        return x.transpose(0, 1) + 1, torch.cat([x, x]), x.view(-1), y.nonzero()


def sized() -> torch.export.ExportedProgram:
    free = {0: torch.export.Dim("rows", min=2, max=64)}
    return torch.export.export(Sized(), (torch.randn(4, 3), torch.ones(5)), dynamic_shapes=(free, None))


def check_values(program: torch.export.ExportedProgram, path: pathlib.Path) -> torch.fx.GraphModule:
    sunder.save(program, path)
    loaded = sunder.load(path)
    modes = set()
    for before, after in zip(program.graph.nodes, loaded.graph.nodes):
        assert ("val" in before.meta) == ("val" in after.meta), before
        assert facts(before.meta.get("val")) == facts(after.meta.get("val")), before
        if isinstance(after.meta.get("val"), FakeTensor):
            modes.add(after.meta["val"].fake_mode)
    assert len(modes) == 1
    return loaded


def test_values_of_programs_come_back(exported: models.Case, tmp_path: pathlib.Path) -> None:
    check_values(exported.graph, tmp_path / "model.fxj")


def test_free_sizes_come_back_with_their_bounds(tmp_path: pathlib.Path) -> None:
    program = sized()
    loaded = check_values(program, tmp_path / "model.fxj")
    rows = next(iter(loaded.graph.nodes)).meta["val"].shape[0]
    assert rows.node.hint == 4
    bounds = rows.node.shape_env.var_to_range
    assert {str(symbol): str(bound) for symbol, bound in program.range_constraints.items()}.items() <= {
        str(symbol): str(bound) for symbol, bound in bounds.items()
    }.items()


@pytest.mark.parametrize("key", ["tensor_meta", "example_value"])
def test_values_come_back_where_they_were(key: str, tmp_path: pathlib.Path) -> None:
    case = models.traced("blocks")
    ShapeProp(case.graph).propagate(torch.ones(2, 8))
    for node in case.graph.graph.nodes:
        if key == "example_value" and "tensor_meta" in node.meta:
            said = node.meta.pop("tensor_meta")
            node.meta[key] = torch.empty(said.shape, dtype=said.dtype)
    sunder.save(case.graph, tmp_path / "once.fxj")
    loaded = sunder.load(tmp_path / "once.fxj")
    kind = TensorMetadata if key == "tensor_meta" else FakeTensor
    for before, after in zip(case.graph.graph.nodes, loaded.graph.nodes):
        assert isinstance(after.meta.get(key), kind) == (key in before.meta), before
        assert key == "example_value" or before.meta.get(key) == after.meta.get(key)
        assert "val" not in after.meta
    sunder.save(loaded, tmp_path / "twice.fxj")
    assert graphs_of_files.first_difference(tmp_path / "once.fxj", tmp_path / "twice.fxj") is None


def with_value(path: pathlib.Path, *values: Any) -> list[torch.fx.Node]:
    nodes = [
        {"k": "node", "g": "g0", "name": f"x{i}", "op": "placeholder", "target": f"x{i}", "args": [], "kwargs": [], "val": value}
        for i, value in enumerate(values)
    ]
    lines = [
        {"k": "fx-json", "v": [1, 0], "min": [1, 0]},
        {"k": "graph", "id": "g0", "module": ""},
        *nodes,
        {"k": "node", "g": "g0", "name": "output", "op": "output", "target": "output", "args": [None], "kwargs": []},
        {"k": "end", "nodes": len(nodes) + 1},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return list(sunder.load(path).graph.nodes)[:-1]


def test_values_of_one_storage_share_memory(tmp_path: pathlib.Path) -> None:
    whole = {"dtype": "float32", "shape": [4, 2], "stride": [2, 1], "storage": "v0"}
    view = {**whole, "shape": [2, 2], "offset": 4}
    other = {**whole, "storage": "v1"}
    a, b, c = (node.meta["val"] for node in with_value(tmp_path / "m.fxj", *({"tensor": one} for one in (whole, view, other))))
    assert a.untyped_storage()._cdata == b.untyped_storage()._cdata != c.untyped_storage()._cdata
    assert b.storage_offset() == 4


@pytest.mark.parametrize(
    "value",
    [
        {"tensor": {"dtype": "float2077", "shape": [1]}},
        {"tensor": {"dtype": "float32", "shape": [-3], "stride": [1]}},
        {"tensor": {"dtype": "float32", "shape": [1 << 62, 1 << 62], "stride": [1 << 62, 1]}},
        {"tensor": {"dtype": "float32", "shape": [2], "layout": "sparse_coo"}},
        {"tensor": {"dtype": "float32", "shape": [2], "device": "nowhere"}},
        {"tensor": {"shape": [2]}},
        {"repr": "<a thing>", "cls": "m.Thing"},
        {},
    ],
    ids=str,
)
def test_value_that_cannot_be_made_is_kept_as_it_is(value: Any, tmp_path: pathlib.Path) -> None:
    (node,) = with_value(tmp_path / "once.fxj", value)
    assert "val" not in node.meta
    sunder.save(sunder.load(tmp_path / "once.fxj"), tmp_path / "twice.fxj")
    (line, _) = (line for line in graphs_of_files.lines_of(tmp_path / "twice.fxj") if line["k"] == "node")
    assert line["val"] == value


def test_value_that_changed_is_written(tmp_path: pathlib.Path) -> None:
    once = tmp_path / "once.fxj"
    said = {"tensor": {"dtype": "float32", "shape": [4], "stride": [1], "device": "cuda:0"}}
    with_value(once, said, said, said)
    loaded = sunder.load(once)
    kept, changed, gone, _ = loaded.graph.nodes
    assert kept.meta["val"].device == torch.device("cuda:0")
    changed.meta["val"] = torch.empty(2, dtype=torch.int8)
    del gone.meta["val"]
    sunder.save(loaded, tmp_path / "twice.fxj")
    values = [line.get("val") for line in graphs_of_files.lines_of(tmp_path / "twice.fxj") if line["k"] == "node"]
    assert values[0] == said and values[2] is None
    assert values[1]["tensor"]["dtype"] == "int8" and values[1]["tensor"]["shape"] == [2]
