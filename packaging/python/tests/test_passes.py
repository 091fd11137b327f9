"""Results of passes run like their source and share its components."""

from __future__ import annotations

import copy
import json
import pathlib
import pickle
from typing import Any, NamedTuple

import pytest
import torch
from torch.fx.passes.shape_prop import ShapeProp

import models
import sunder


def proven(module: torch.fx.GraphModule) -> bool:
    return module.meta["sunder"]["verified"] is True


def test_split_of_a_traced_graph_runs(traced: models.Case) -> None:
    module = sunder.split(traced.graph, models.halves(traced.graph.graph))
    assert [name for name, _ in module.named_children()][:2] == ["front", "back"]
    assert proven(module)
    assert models.alike(traced.made(module), traced.wanted())


def test_split_of_a_program_runs(exported: models.Case) -> None:
    module = sunder.split(exported.graph, models.halves(exported.graph.graph))
    assert proven(module)
    assert models.alike(exported.made(module), exported.wanted())


def test_split_in_stages_takes_a_number() -> None:
    case = models.traced("blocks")
    module = sunder.split(case.graph, 3)
    assert [name for name, _ in module.named_children()] == ["stage0", "stage1", "stage2"]
    assert models.alike(case.made(module), case.wanted())


def test_split_shares_weights_and_metadata() -> None:
    case = models.traced("blocks")
    for node in case.graph.graph.nodes:
        node.meta["mine"] = object()
    module = sunder.split(case.graph, 2)
    before = {p.data_ptr() for p in case.graph.parameters()}
    assert {p.data_ptr() for p in module.parameters()} == before
    assert module.stage0.get_submodule("blocks.0.linear") is case.graph.get_submodule("blocks.0.linear")
    metas = {node.name: node.meta["mine"] for node in case.graph.graph.nodes}
    assert all(node.meta["mine"] is metas[node.name] for node in models.calls(module.stage0.graph))


def test_tags_of_nodes_count_where_none_are_given() -> None:
    graph = models.traced("blocks").graph
    for name, tag in models.halves(graph.graph).items():
        next(node for node in graph.graph.nodes if node.name == name).tag = tag
    assert [name for name, _ in sunder.split(graph).named_children()] == ["front", "back"]
    with pytest.raises(sunder.SunderError, match="back"):
        sunder.split(graph, ["back", "front"])


def test_defaults_of_inputs_stay() -> None:
    case = models.traced("words")
    module = sunder.split(case.graph, 2)
    assert models.alike(module(case.args[0]), case.graph(case.args[0]))
    assert models.alike(module(case.args[0], scale=0.75), case.graph(case.args[0], scale=0.75))


def test_refusal_names_the_node() -> None:
    graph = models.traced("blocks").graph
    tags = models.halves(graph.graph)
    missing = next(iter(tags))
    with pytest.raises(sunder.SunderError) as error:
        sunder.split(graph, {name: tag for name, tag in tags.items() if name != missing})
    assert error.value.node == missing
    assert error.value.code == "refused"
    assert missing in error.value.text


def test_unproven_split_warns() -> None:
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    read = graph.call_function(torch.sin, (x,))
    write = graph.call_method("add_", (x, 1))
    graph.output((read, write))
    module = torch.fx.GraphModule(torch.nn.Module(), graph)
    with pytest.warns(sunder.NotProven, match="sin|add_"):
        sunder.split(module, {"add_": "a", "sin": "b"})


def test_functions_without_a_name_of_their_own_come_back() -> None:
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    y = graph.call_function(lambda t: t + 1, (x,))
    graph.output(graph.call_function(torch.add, (y, frozenset({1}) and 2)))
    module = torch.fx.GraphModule(torch.nn.Module(), graph)
    nodes = models.calls(graph)
    made = sunder.split(module, {nodes[0].name: "a", nodes[1].name: "b"})
    assert torch.equal(made(torch.ones(2)), torch.full((2,), 4.0))


def test_parts_of_a_program_are_files_that_run(tmp_path: pathlib.Path) -> None:
    case = models.exported("blocks")
    module = sunder.split(case.graph, 2, parts=tmp_path / "parts")
    assert parts_alone(tmp_path / "parts", case)
    assert models.alike(case.made(module), case.wanted())


def test_parts_of_a_traced_graph_are_files_that_run(tmp_path: pathlib.Path) -> None:
    case = models.traced("leaves")
    sunder.split(case.graph, models.halves(case.graph.graph), parts=tmp_path / "parts")
    moved = (tmp_path / "parts").rename(tmp_path / "elsewhere")
    front, back = (sunder.load(moved / f"{name}.fxj") for name in ("front", "back"))
    y, h = back(*front(*case.args))
    assert models.alike({"y": y, "h": h}, case.graph(*case.args))


def parts_alone(folder: pathlib.Path, case: models.Case) -> bool:
    """Runs the parts by their manifest, as README.md does."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    values = dict(zip([value["name"] for value in manifest["inputs"]], case.args))
    for part in manifest["parts"]:
        run = sunder.load(folder / part["file"]).module()
        results = run(*[values[value["name"]] for value in part["inputs"]])
        values.update(zip([value["name"] for value in part["outputs"]], results))
    wanted = case.wanted()[0]
    return torch.equal(values[manifest["outputs"][0]["name"]], wanted)


def test_partition_over_devices_runs(tmp_path: pathlib.Path) -> None:
    case = models.exported("blocks")
    devices = [{"name": f"dev{i}", "available_mem_bytes": 2500, "logical_id": i} for i in range(2)]
    made = sunder.partition(case.graph, devices)
    assert len(made.dag) == 2 and made.dag[0].devices == (0,) and made.dag[1].devices == (1,)
    assert models.alike(case.made(made.module), case.wanted())
    with pytest.raises(sunder.SunderError, match="10 B"):
        sunder.partition(case.graph, [{"name": "small", "available_mem_bytes": 10, "logical_id": 0}])


def test_partition_takes_torchs_config() -> None:
    from torch.fx.experimental.partitioner_utils import Device, PartitionerConfig, PartitionMode

    case = models.exported("blocks")
    devices = [Device(f"dev{i}", 2500, i) for i in range(2)]
    made = sunder.partition(case.graph, config=PartitionerConfig(devices, PartitionMode.size_based))
    assert models.alike(case.made(made.module), case.wanted())
    nodes = models.calls(case.graph.graph)
    numbers = {node: int(i * 2 >= len(nodes)) for i, node in enumerate(nodes)}
    config = PartitionerConfig(
        [Device("a", 9999, 0), Device("b", 9999, 1)],
        PartitionMode.aot_based,
        node_to_partition_mapping=numbers,
        partition_to_logical_device_mapping={0: [0], 1: [1]},
    )
    assert len(sunder.partition(case.graph, config=config).dag) == 2


def test_unflattened_program_runs(exported: models.Case) -> None:
    module = sunder.unflatten(exported.graph)
    assert proven(module)
    assert models.alike(exported.made(module), exported.wanted())


def test_unflattened_program_has_the_modules_back() -> None:
    module = sunder.unflatten(models.exported("blocks").graph)
    assert [name for name, _ in module.named_children()] == ["blocks"]
    assert isinstance(module.blocks.get_submodule("2"), torch.fx.GraphModule)


def test_a_submodule_called_self_does_not_hide_its_parent(tmp_path: pathlib.Path) -> None:
    """torch.fx writes `self = self.self(x); self.output(self)` for it."""

    class Attention(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.add_module("self", torch.nn.Tanh())
            self.output = torch.nn.Linear(3, 3)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.output(self.get_submodule("self")(x))

    x = torch.rand(2, 3)
    program = torch.export.export(torch.nn.Sequential(Attention()), (x,))
    module = sunder.unflatten(program)
    assert "self" in {node.name for node in module.get_submodule("0").graph.nodes}
    assert torch.equal(module(x), program.module()(x))
    sunder.save(module, tmp_path / "module.fxj")
    assert torch.equal(sunder.load(tmp_path / "module.fxj")(x), program.module()(x))
    split = sunder.split(program, {"tanh": "self", "linear": "head"})
    assert torch.equal(split(x), program.module()(x))


def test_deduplicated_program_runs(exported: models.Case) -> None:
    module = sunder.deduplicate(exported.graph)
    assert models.alike(exported.made(module), exported.wanted())


def test_deduplicated_blocks_share_a_graph() -> None:
    case = models.traced("blocks")
    module = sunder.deduplicate(case.graph)
    assert models.alike(case.made(module), case.wanted())
    module = sunder.deduplicate(models.exported("blocks").graph)
    invoked = [node for node in module.graph.nodes if node.target is torch.ops.higher_order.invoke_subgraph]
    assert len(invoked) == 4


def test_deduplicated_program_becomes_files(exported: models.Case, tmp_path: pathlib.Path) -> None:
    wanted, _, _ = exported.wanted()
    module = sunder.deduplicate(exported.graph)
    sunder.save(module, tmp_path / "module.pt2")
    loaded = torch.export.load(tmp_path / "module.pt2").module()
    assert models.alike(exported.made(loaded)[0], wanted)
    sunder.split(module, 2, parts=tmp_path / "parts")
    pipeline = sunder.Pipeline(tmp_path / "parts")
    args, kwargs = copy.deepcopy((exported.args, exported.kwargs))
    torch.manual_seed(3)
    assert models.alike(pipeline(*args, **kwargs), wanted)


def test_unflattened_program_keeps_its_nesting_in_files(tmp_path: pathlib.Path) -> None:
    class Nested(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.linear = torch.nn.Linear(4, 4)

        def forward(self, x: torch.Tensor, *, more: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
            return {"sum": self.linear(x) + more["y"], "twice": more["y"] * 2}

    x, more = torch.rand(2, 4), {"y": torch.rand(2, 4)}
    program = torch.export.export(Nested(), (x,), {"more": more})
    module, wanted = sunder.unflatten(program), program.module()(x, more=more)
    sunder.save(module, tmp_path / "module.pt2")
    assert models.alike(torch.export.load(tmp_path / "module.pt2").module()(x, more=more), wanted)
    sunder.split(module, 2, parts=tmp_path / "parts")
    assert models.alike(sunder.Pipeline(tmp_path / "parts")(x, more=more), wanted)


class Repeated(torch.nn.Module):
    """Calls of one module twice, and of modules with other weights in turn."""

    def __init__(self) -> None:
        super().__init__()
        self.twice = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Tanh())
        self.layers = torch.nn.ModuleList(torch.nn.Linear(4, 4) for _ in range(3))
        self.scale = torch.nn.Parameter(torch.randn(4))

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        total = (self.twice(x) * self.scale).sin() + (self.twice(y) * self.scale).sin()
        for layer in self.layers:
            total = layer(total).relu()
        return total


def repeated(kind: str) -> tuple[torch.nn.Module, torch.fx.GraphModule]:
    """A model, and what deduplicate makes of it."""
    torch.manual_seed(3)
    model, inputs = Repeated(), torch.randn(2, 5, 4)
    source: Any = torch.fx.symbolic_trace(model)
    if kind == "traced":
        for node in source.graph.nodes:
            node.type = None  # the text of an annotation, with which PyTorch cannot pickle graphs
        ShapeProp(source).propagate(*inputs)
    else:
        source = torch.export.export(model, tuple(inputs), dynamic_shapes=({0: ROWS}, {0: ROWS}))
    module = sunder.deduplicate(source)
    assert sum(node.target is torch.ops.higher_order.invoke_subgraph for node in module.graph.nodes) >= 2
    return model, module


ROWS = torch.export.Dim("rows", min=2, max=64)


def value_and_gradients(model: torch.nn.Module, module: Any) -> list[Any]:
    """The result of `module`, and gradients of the inputs and of the parameters of `model`."""
    model.zero_grad()
    x, y = (torch.linspace(-1, 1, 12).reshape(3, 4).add(i).requires_grad_() for i in range(2))
    result = module(x, y)
    result.square().sum().backward()
    return [result.detach(), x.grad, y.grad, *(parameter.grad for parameter in model.parameters())]


@pytest.mark.parametrize("kind", ["traced", "program"])
def test_shared_subgraphs_have_the_gradients_of_the_source(kind: str, tmp_path: pathlib.Path) -> None:
    model, module = repeated(kind)
    wanted = value_and_gradients(model, model)
    for backend in ("eager", "aot_eager"):
        torch._dynamo.reset()
        compiled = torch.compile(module, backend=backend, fullgraph=True)
        assert models.alike(value_and_gradients(model, compiled), wanted)
    assert models.alike(value_and_gradients(model, module), wanted)
    x, y = torch.randn(2, 3, 4)
    assert module(x, y).requires_grad  # by the parameters alone
    sunder.save(module, tmp_path / "model.fxj")
    copies = [copy.deepcopy(module), pickle.loads(pickle.dumps(module)), sunder.load(tmp_path / "model.fxj")]
    runs = [(again, again) for again in (*copies, torch.fx.symbolic_trace(module))]
    for again, run in [*runs, (module, torch.fx.Interpreter(module).run)]:
        value_and_gradients(model, model)
        result = value_and_gradients(again, run)
        assert models.alike(result[:3], wanted[:3])


@pytest.mark.parametrize("strict", [False, True], ids=["nonstrict", "strict"])
@pytest.mark.parametrize("kind", ["traced", "program"])
def test_results_with_shared_subgraphs_are_exported_again(kind: str, strict: bool) -> None:
    model, module = repeated(kind)
    again = torch.export.export(module, tuple(torch.randn(2, 5, 4)), dynamic_shapes=({0: ROWS}, {0: ROWS}), strict=strict)
    x, y = torch.randn(2, 7, 4)
    assert torch.allclose(again.module()(x, y), model(x, y))


def test_regions_are_names_of_nodes() -> None:
    program = models.exported("blocks").graph
    found = sunder.regions(program)
    names = {node.name for node in program.graph.nodes}
    assert len(found.groups[0]) == 4
    assert {name for region in found.groups[0] for name in region} <= names


@pytest.mark.parametrize("name", ["leaves", "nested", "decomposed", "dispatched"])
@pytest.mark.parametrize("command", ["split", "unflatten", "dedup"])
def test_result_in_a_file_runs_from_anywhere(
    command: str, name: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Results of sunder-cli find the weights of the archive that the model came from."""
    exported = models.exported(name)
    from sunder import programs

    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path)
    model, out = pathlib.Path("in/model.pt2"), pathlib.Path("out/result.fxj")
    sunder.save(exported.graph, model)
    if command == "split":
        programs.run("tag", model, "--stages", "2", "-o", "tags.json")
        programs.run("split", model, "--tags", "tags.json", "-o", out)
    else:
        programs.run(command, model, "-o", out)
    moved = tmp_path / "moved"
    moved.mkdir()
    (tmp_path / "in").rename(moved / "in")
    (tmp_path / "out").rename(moved / "out")
    loaded = sunder.load(moved / "out" / "result.fxj")
    assert models.alike(exported.made(loaded), exported.wanted())


def test_file_is_split_where_it_is(tmp_path: pathlib.Path) -> None:
    case = models.exported("nested")
    sunder.save(case.graph, tmp_path / "model.pt2")
    module = sunder.split(tmp_path / "model.pt2", 2, parts=tmp_path / "parts")
    assert models.alike(case.made(module), case.wanted())
    assert (tmp_path / "parts" / "stage1.pt2").exists()


def test_wrong_inputs_are_named_as_those_of_any_function() -> None:
    module = sunder.split(models.exported("nested").graph, 2)
    with pytest.raises(TypeError, match="argument: 'parts'"):
        module(1)
    with pytest.raises(TypeError, match="'factor'"):
        module(1, 2, factor=3)


def test_custom_operators_are_known_by_their_schemas(tmp_path: pathlib.Path) -> None:
    library = torch.library.Library("sunder_tests", "DEF")
    library.define("scale(Tensor x, float factor) -> Tensor")
    library.impl("scale", lambda x, factor: x * factor, "CompositeImplicitAutograd")
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    y = graph.call_function(torch.ops.sunder_tests.scale.default, (x, 2.0))
    graph.output(graph.call_function(torch.ops.sunder_tests.scale.default, (y, 3.0)))
    module = torch.fx.GraphModule(torch.nn.Module(), graph)
    assert proven(sunder.split(module, 2))
    assert sunder.verify(module, sunder.split(module, 2))
    sunder.save(module, tmp_path / "model.fxj")
    assert (tmp_path / "model.operators.txt").read_text() == "sunder_tests::scale(Tensor x, float factor) -> Tensor\n"
    assert torch.equal(sunder.load(tmp_path / "model.fxj")(torch.ones(2)), torch.full((2,), 6.0))


class Pair(NamedTuple):
    first: torch.Tensor
    second: torch.Tensor


class GivesPair(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> Pair:
        return Pair(x.sin(), x.cos())


def test_classes_that_no_file_can_hold_are_named(tmp_path: pathlib.Path) -> None:
    program = torch.export.export(GivesPair(), (torch.ones(2),))
    assert isinstance(sunder.split(program, 2)(torch.ones(2)), Pair)
    with pytest.raises(sunder.SunderError, match="cannot be saved as .pt2: .*Pair"):
        sunder.split(program, 2, parts=tmp_path / "parts")


def test_values_that_are_no_tags_or_devices_are_refused() -> None:
    program = models.exported("blocks").graph
    with pytest.raises(sunder.SunderError, match="tags cannot be a float"):
        sunder.split(program, 1.5)  # type: ignore[arg-type]
    for devices in (2, [2]):
        with pytest.raises(sunder.SunderError, match="devices must be a list"):
            sunder.partition(program, devices)  # type: ignore[arg-type]
