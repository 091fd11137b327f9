"""Models go into files and come back as they were, and run as they did."""

from __future__ import annotations

import contextlib
import json
import pathlib
import zipfile

import pytest
import torch

import graphs_of_files
import models
import sunder
from sunder.fxjson import names


def nodes(graph: torch.fx.Graph) -> list[tuple[object, ...]]:
    return [(n.name, n.op, n.target, str(n.args), str(n.kwargs), [u.name for u in n.users]) for n in graph.nodes]


def saved_and_loaded(graph: object, path: pathlib.Path) -> torch.fx.GraphModule:
    sunder.save(graph, path)
    loaded = sunder.load(path)
    assert isinstance(loaded, torch.fx.GraphModule)
    return loaded


def test_traced_graph_comes_back_and_runs(traced: models.Case, tmp_path: pathlib.Path) -> None:
    loaded = saved_and_loaded(traced.graph, tmp_path / "model.fxj")
    assert nodes(loaded.graph) == nodes(traced.graph.graph)
    assert models.alike(traced.made(loaded), traced.wanted())
    assert list(loaded.state_dict()) == list(traced.graph.state_dict())


def test_program_comes_back_as_a_module_that_runs(exported: models.Case, tmp_path: pathlib.Path) -> None:
    loaded = saved_and_loaded(exported.graph, tmp_path / "model.fxj.gz")
    assert nodes(loaded.graph) == nodes(exported.graph.graph)
    assert models.alike(exported.made(loaded), exported.wanted())


def test_program_comes_back_from_pt2(exported: models.Case, tmp_path: pathlib.Path) -> None:
    try:
        sunder.save(exported.graph, tmp_path / "model.pt2")
    except torch._export.serde.serialize.SerializeError as error:  # 2.8 and before, of complex numbers
        pytest.skip(f"PyTorch {torch.__version__} cannot save this: {error}")
    loaded = sunder.load(tmp_path / "model.pt2")
    assert models.alike(exported.made(loaded.module()), exported.wanted())
    with zipfile.ZipFile(tmp_path / "model.pt2") as archive:
        named = archive.namelist()[0].startswith("model/")
    assert named or models.RELEASE < (2, 7)  # which has no folder in it


def test_what_is_loaded_is_saved_as_it_was(exported: models.Case, tmp_path: pathlib.Path) -> None:
    loaded = saved_and_loaded(exported.graph, tmp_path / "once.fxj")
    sunder.save(loaded, tmp_path / "twice.fxj")
    assert graphs_of_files.first_difference(tmp_path / "once.fxj", tmp_path / "twice.fxj") is None
    once, twice = (facts_of(tmp_path / name) for name in ("once.fxj", "twice.fxj"))
    assert once == twice


def facts_of(path: pathlib.Path) -> list[dict[str, object]]:
    """Returns the lines of a file except graphs, with normalized names of graphs and storages."""
    lines = [line for line in graphs_of_files.lines_of(path) if line["k"] in ("sig", "call", "range", "tensor")]
    return sorted(({key: value for key, value in line.items() if key not in ("g", "storage", "cls")} for line in lines), key=str)


def test_sharing_of_tensors_comes_back(tmp_path: pathlib.Path) -> None:
    case = models.traced("leaves")
    loaded = saved_and_loaded(case.graph, tmp_path / "model.fxj")
    assert loaded.tied.weight is loaded.again.weight
    assert isinstance(loaded.tied.weight, torch.nn.Parameter)


def test_metadata_comes_back(tmp_path: pathlib.Path) -> None:
    program = models.exported("blocks").graph
    for node in models.calls(program.graph):
        node.tag = "front"
        node.meta["custom"] = {"note": [1, "two"]}
    loaded = saved_and_loaded(program, tmp_path / "model.fxj")
    for before, after in zip(program.graph.nodes, loaded.graph.nodes):
        assert getattr(after, "tag", None) == getattr(before, "tag", None)
        assert after.meta.get("custom") == before.meta.get("custom") or not before.meta.get("custom")
        stack = {key: tuple(frame) for key, frame in before.meta.get("nn_module_stack", {}).items()}
        assert after.meta.get("nn_module_stack", {}) == stack
        assert after.meta.get("stack_trace") == before.meta.get("stack_trace")


def joint_graph(module: torch.nn.Module, *inputs: torch.Tensor) -> torch.fx.GraphModule:
    from torch._dynamo.functional_export import _dynamo_graph_capture_for_export
    from torch._functorch.aot_autograd import aot_export_joint_with_descriptors
    with contextlib.ExitStack() as stack:
        return aot_export_joint_with_descriptors(stack, _dynamo_graph_capture_for_export(module)(*inputs), inputs).graph_module


def test_joint_graph_keeps_what_its_nodes_say_of_the_passes(tmp_path: pathlib.Path) -> None:
    graph = joint_graph(models.Blocks(), torch.ones(2, 8))
    assert any(node.meta.get("fwd_nn_module_stack") for node in graph.graph.nodes)
    loaded = saved_and_loaded(graph, tmp_path / "joint.fxj")
    for _ in range(2):
        for before, after in zip(graph.graph.nodes, loaded.graph.nodes):
            for key in ("partitioner_tag", "seq_nr", "autograd_backward", "is_gradient_acc"):
                assert after.meta.get(key) == before.meta.get(key)
            for key in ("nn_module_stack", "fwd_nn_module_stack"):
                paths = [path for path, _ in (before.meta.get(key) or {}).values()]
                assert [path for path, _ in after.meta.get(key, {}).values()] == paths
        loaded = saved_and_loaded(loaded, tmp_path / "again.fxj")


def test_module_is_traced_without_inputs_and_exported_with_them(tmp_path: pathlib.Path) -> None:
    module = models.Blocks()
    assert isinstance(sunder.save(module, tmp_path / "a.fxj"), torch.fx.GraphModule)
    assert isinstance(sunder.save(module, tmp_path / "b.pt2", (torch.ones(2, 8),)), torch.export.ExportedProgram)


def test_suffix_says_the_format(tmp_path: pathlib.Path) -> None:
    with pytest.raises(sunder.SunderError, match="must end in"):
        sunder.save(models.Blocks(), tmp_path / "model.onnx")


def test_file_without_weights_takes_them_by_name(tmp_path: pathlib.Path) -> None:
    case = models.traced("blocks")
    sunder.save(case.graph, tmp_path / "model.fxj", weights=False)
    assert not list(tmp_path.glob("*.zip"))
    with pytest.warns(sunder.WithoutWeights, match="blocks.0.linear.weight"):
        assert sunder.load(tmp_path / "model.fxj").blocks.get_submodule("0").linear.weight.is_meta
    loaded = sunder.load(tmp_path / "model.fxj", weights=case.graph.state_dict())
    assert models.alike(case.made(loaded), case.wanted())


def test_other_weights_are_refused(tmp_path: pathlib.Path) -> None:
    sunder.save(models.traced("blocks").graph, tmp_path / "model.fxj")
    other = models.traced("blocks").graph
    with torch.no_grad():
        other.blocks.get_submodule("0").linear.weight.add_(1)
    sunder.save(other, tmp_path / "other.fxj")
    (tmp_path / "other.weights.zip").replace(tmp_path / "model.weights.zip")
    with pytest.raises(sunder.SunderError, match="other weights than"):
        sunder.load(tmp_path / "model.fxj")


def test_node_with_a_value_that_has_no_word_is_named(tmp_path: pathlib.Path) -> None:
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    graph.output(graph.call_function(torch.add, (x, frozenset({1}))))
    with pytest.raises(sunder.SunderError, match="frozenset") as error:
        sunder.save(torch.fx.GraphModule(torch.nn.Module(), graph), tmp_path / "model.fxj")
    assert error.value.node == "add"
    assert not list(tmp_path.iterdir())


HEADER = {"k": "fx-json", "v": [1, 0], "min": [1, 0]}


def written(path: pathlib.Path, *nodes: dict[str, object], header: object = HEADER, lines: list[object] | None = None) -> pathlib.Path:
    body = [{"k": "node", "g": "g0", "kwargs": [], **node} for node in nodes]
    all_lines = [header, *(lines or []), {"k": "graph", "id": "g0", "module": ""}, *body, {"k": "end", "nodes": len(body)}]
    path.write_text("".join(json.dumps(line) + "\n" for line in all_lines), encoding="utf-8")
    return path


X = {"name": "x", "op": "placeholder", "target": "x", "args": []}
OUTPUT = {"name": "output", "op": "output", "target": "output", "args": [{"n": "f"}]}


@pytest.mark.parametrize(
    "node",
    [
        {"name": "f", "op": "call_function", "target": "os.system", "args": ["true"]},
        {"name": "f", "op": "call_function", "target": "builtins.eval", "args": ["1"]},
        {"name": "f", "op": "call_function", "target": "eval", "args": ["1"]},
        {"name": "f", "op": "call_function", "target": "torch.load", "args": ["x"]},
        {"name": "f", "op": "call_function", "target": "torch.from_file", "args": ["x"]},
        {"name": "f", "op": "call_function", "target": "torch.ops.load_library", "args": ["x"]},
        {"name": "f", "op": "call_function", "target": "torch.ops.aten.from_file.default", "args": ["x"]},
        {"name": "f", "op": "call_function", "target": "torch.hub.load", "args": ["x"]},
        {"name": "f", "op": "call_function", "target": "_operator.methodcaller", "args": ["x"]},
        {"name": "f", "op": "call_function", "target": "getattr", "args": [{"n": "x"}, "__class__"]},
        {"name": "f", "op": "call_function", "target": "torch.add", "args": [{"fn": "os.system"}]},
        {"name": "f", "op": "call_method", "target": "__reduce_ex__", "args": [{"n": "x"}, 2]},
        {"name": "f", "op": "call_method", "target": "tofile", "args": [{"n": "x"}, "y"]},
        {"name": "f", "op": "call_method", "target": "add; import os", "args": [{"n": "x"}]},
        {"name": "f", "op": "get_attr", "target": 'a"); import os; ("', "args": []},
        {"name": "f", "op": "placeholder", "target": "y=print(1)", "args": []},
        {"name": "f", "op": "call_function", "target": "torch.add", "args": [{"nt": ["os.stat_result", ["a"], [1]]}]},
        {"name": "f", "op": "call_function", "target": "torch.add", "args": [{"obj": "o", "cls": "m.C"}]},
        {"name": "f", "op": "call_function", "target": "torch.add", "args": [{"repr": "<x>", "cls": "m.X"}]},
        {"name": "f", "op": "call_function", "target": "torch.add", "args": [{"dtype": "nn"}]},
        {"name": "f", "op": "call_function", "target": "torch.add", "args": [{"sym": "__import__('os')"}]},
        {"name": "f", "op": "call_function", "target": "torch.add", "args": [{"n": "later"}]},
        {"name": "f", "op": "call_function", "target": "torch.ops.nowhere.f.default", "args": []},
        {"name": "f()", "op": "call_function", "target": "torch.add", "args": []},
    ],
    ids=lambda node: f"{node['target']}-{node['args']}",
)
def test_file_that_wants_more_than_to_compute_is_refused_by_node(node: dict[str, object], tmp_path: pathlib.Path) -> None:
    with pytest.raises(sunder.SunderError) as error:
        sunder.load(written(tmp_path / "model.fxj", X, node))
    assert error.value.node == node["name"]


def test_graph_of_inputs_alone_is_refused(tmp_path: pathlib.Path) -> None:
    with pytest.raises(sunder.SunderError, match="g0 has only inputs"):
        sunder.load(written(tmp_path / "model.fxj", X))


def test_class_of_a_module_is_not_imported_for_a_file(tmp_path: pathlib.Path) -> None:
    call = {"name": "f", "op": "call_module", "target": "m", "args": [{"n": "x"}]}
    line = {"k": "module", "path": "m", "cls": "antigravity.Module", "leaf": True, "fields": {}}
    loaded = sunder.load(written(tmp_path / "model.fxj", X, call, OUTPUT, lines=[line]))
    with pytest.raises(sunder.SunderError, match="antigravity.Module"):
        loaded(torch.ones(1))


def test_tree_spec_that_would_import_is_refused(tmp_path: pathlib.Path) -> None:
    leaf = {"type": None, "context": None, "children_spec": []}
    factory = {"default_factory_module": "os", "default_factory_name": "getcwd", "dict_context": ["a"]}
    text = json.dumps([1, {"type": "collections.defaultdict", "context": factory, "children_spec": [leaf]}])
    line = {"k": "call", "fqn": "", "in_spec": text, "out_spec": None}
    with pytest.raises(sunder.SunderError, match="os.getcwd"):
        sunder.load(written(tmp_path / "model.fxj", X, {**OUTPUT, "args": [{"n": "x"}]}, lines=[line]))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "truncated"),
        ("nonsense\n", "line 1"),
        ('{"k":"node"}\n', "header"),
        ('{"k":"fx-json","v":[2,0],"min":[2,0]}\n', "reader of fx-json 2.0"),
        ('{"k":"fx-json","v":[1,0],"min":[1,0]}\n', "truncated"),
        ('{"k":"fx-json","v":[1,0],"min":[1,0]}\n{"k":"end","nodes":0}\n', "no root graph"),
        ('{"k":"fx-json","v":[1,0],"min":[1,0]}\n{"k":"end","nodes":3}\n', "has 0 nodes, but its end line says 3"),
        ('{"k":"fx-json","v":[1,0],"min":[1,0]}\n' + "[" * 100_000 + "\n", "line 2"),
    ],
)
def test_damaged_file_is_refused_with_its_place(text: str, said: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "model.fxj"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(sunder.SunderError, match=said) as error:
        sunder.load(path)
    assert error.value.where["file"] == str(path)


def test_trusted_package_is_imported(tmp_path: pathlib.Path) -> None:
    call = {"name": "f", "op": "call_function", "target": "colorsys.rgb_to_hsv", "args": [1.0, 0.0, 0.0]}
    path = written(tmp_path / "model.fxj", call, OUTPUT)
    with pytest.raises(sunder.SunderError, match='trust=\\("colorsys",\\)'):
        sunder.load(path)
    assert sunder.load(path, trust="colorsys")() == (0.0, 1.0, 1.0)


def test_names_of_what_is_called_lead_back_to_it() -> None:
    called = [torch.add, torch.relu, torch.nn.functional.relu, torch.ops.aten.add.Tensor, torch.ops.higher_order.cond, getattr,
              torch.Tensor.add, torch.nn.functional.gelu, torch.functional.einsum, torch._C._nn.linear]
    for function in called:
        assert names.Names().function(names.text_of(function)) is function


def test_symbols_of_a_file_are_symbolic_numbers(tmp_path: pathlib.Path) -> None:
    call = {"name": "f", "op": "call_function", "target": "torch.zeros", "args": [[{"sym": "2*s0", "hint": 8}, {"sym": "s0", "hint": 4}]]}
    path = written(tmp_path / "model.fxj", call, OUTPUT, lines=[{"k": "range", "sym": "s0", "min": 2, "max": 64}])
    loaded = sunder.load(path)
    sizes = next(iter(loaded.graph.nodes)).args[0]
    assert [str(size) for size in sizes] == ["2*s0", "s0"]
    assert [size.node.hint for size in sizes] == [8, 4]
    sunder.save(loaded, tmp_path / "again.fxj")
    assert graphs_of_files.first_difference(path, tmp_path / "again.fxj") is None


def test_numbers_of_storages_do_not_mix(tmp_path: pathlib.Path) -> None:
    """Values from a file, and those computed later, keep separate memory."""
    program = models.exported("words").graph
    sunder.save(program, tmp_path / "once.fxj")
    loaded = sunder.load(tmp_path / "once.fxj")
    first = next(iter(loaded.graph.nodes))
    first.meta["val"] = next(iter(program.graph.nodes)).meta["val"]
    sunder.save(loaded, tmp_path / "twice.fxj")
    storages = [str(line.get("val")) for line in graphs_of_files.lines_of(tmp_path / "twice.fxj") if line["k"] == "node"]
    assert "'storage': 'v0'" in storages[0]
    assert not any("'storage': 'v0'" in text for text in storages[1:])


def test_missing_folders_are_named(tmp_path: pathlib.Path) -> None:
    for name in ("model.fxj", "model.pt2"):
        with pytest.raises(sunder.SunderError, match="cannot be written into the folder .*missing': No such file") as error:
            sunder.save(models.exported("blocks").graph, tmp_path / "missing" / name)
        assert error.value.code == "io" and error.value.where["file"] == str(tmp_path / "missing" / name)


def test_weights_that_do_not_fit_are_refused(tmp_path: pathlib.Path) -> None:
    module = models.traced("blocks").graph
    sunder.save(module, tmp_path / "model.fxj", weights=False)
    name, tensor = next(iter(module.state_dict().items()))
    for given, text in (
        ({name: 3}, f"has a int for '{name}', not a tensor"),
        ({name: tensor[:1]}, f"for '{name}', which is float32"),
        ({name: tensor.double()}, f"has float64 .* for '{name}', which is float32"),
        ({"nope": tensor}, "has no tensors named nope"),
    ):
        with pytest.raises(sunder.SunderError, match=text) as error:
            sunder.load(tmp_path / "model.fxj", weights={**module.state_dict(), **given})
        assert error.value.code == "usage"


def test_failed_files_leave_no_weights_behind(tmp_path: pathlib.Path) -> None:
    module = torch.fx.symbolic_trace(torch.nn.Linear(2, 2))
    module.graph.output_node().args = (object(),)
    for failing in (lambda: sunder.save(module, tmp_path / "model.fxj"),):
        with pytest.raises(sunder.SunderError):
            failing()
    assert list(tmp_path.iterdir()) == []
