"""Files contain everything that determines the results of a model, or mark it as unknown."""

from __future__ import annotations

import collections
import enum
import functools
import json
import operator
import pathlib
import types
import warnings
from typing import Any, Callable

import pytest
import torch

import models
import sunder
from sunder.fxjson import names

X = torch.ones(1, 2)


class Anything(torch.nn.Module):
    """A leaf with a field of any kind."""

    def __init__(self, field: Any = None) -> None:
        super().__init__()
        self.field = field

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x


class Attributes(torch.nn.Module):
    def __init__(self, **attributes: Any) -> None:
        super().__init__()
        for name, value in attributes.items():
            if isinstance(value, torch.Tensor):
                self.register_buffer(name, value)
            else:
                setattr(self, name, value)


class Leaves(torch.fx.Tracer):
    def is_leaf_module(self, m: torch.nn.Module, module_qualified_name: str) -> bool:
        return True


class Marked(torch.Tensor):
    """A subclass of tensors."""


class Mode(enum.IntEnum):
    FAST = 1


Point = collections.namedtuple("Point", ["a", "b"])


def leaf(module: torch.nn.Module) -> torch.fx.GraphModule:
    """A graph that calls a module without a look inside."""
    root = torch.nn.Sequential(module, torch.nn.ReLU())
    return torch.fx.GraphModule(root, Leaves().trace(root))


def reading(value: Any, read: Callable[[Any, Any], Any] = operator.add, **others: Any) -> torch.fx.GraphModule:
    """A graph that calls a function with its input and an attribute."""
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    graph.output(graph.call_function(read, (x, graph.get_attr("value"))))
    return torch.fx.GraphModule(Attributes(value=value, **others), graph)


def calling(*functions: Callable[..., Any]) -> torch.fx.GraphModule:
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    for function in functions:
        x = graph.call_function(function, (x,))
    graph.output(x)
    return torch.fx.GraphModule(torch.nn.Module(), graph)


def times(factor: int) -> Callable[[Any], Any]:
    def scaled(x: Any) -> Any:
        return x * factor

    return scaled


def saved(model: torch.nn.Module, path: pathlib.Path) -> tuple[list[dict[str, Any]], list[str]]:
    """Returns the lines of a model's file, and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        sunder.save(model, path)
    said = [str(one.message) for one in caught if one.category is sunder.NotWritten]
    assert all("\n" not in text for text in said)
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()], said


def line_of(lines: list[dict[str, Any]], **wanted: Any) -> dict[str, Any]:
    return next(line for line in lines if wanted.items() <= line.items())


def module_line(model: torch.nn.Module, path: pathlib.Path, at: str = "0") -> dict[str, Any]:
    return line_of(saved(model, path)[0], k="module", path=at)


# ---- modules ------------------------------------------------------------------------------------


def with_forward(module: torch.nn.Module) -> torch.nn.Module:
    module.forward = lambda x: x  # type: ignore[method-assign]
    return module


def with_method(module: torch.nn.Module) -> torch.nn.Module:
    module.__dict__["_conv_forward"] = types.MethodType(lambda self, *args: args[0], module)
    return module


def with_hook(module: torch.nn.Module, kind: str, **options: Any) -> torch.nn.Module:
    getattr(module, f"register_{kind}_hook")(lambda *args: None, **options)
    return module


def local_class() -> torch.nn.Module:
    class Anything(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x * 2

    return Anything()


def other_class_of_the_name() -> torch.nn.Module:
    made = local_class()
    type(made).__qualname__ = "Anything"
    return made


def parametrized() -> torch.nn.Module:
    return torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(2, 2))


def of_marked_tensors() -> torch.nn.Module:
    made = torch.nn.Linear(2, 2)
    made.weight = torch.nn.Parameter(torch.ones(2, 2).as_subclass(Marked))
    return made


def reaching(other: Any) -> torch.nn.Module:
    """A module with another one in a field, not among its submodules."""
    made = Anything()
    made.__dict__["other"] = other
    return made


MARKED: dict[str, tuple[Callable[[], torch.nn.Module], str]] = {
    "forward hook": (lambda: with_hook(torch.nn.Linear(2, 2), "forward"), "has forward hooks"),
    "forward hook with kwargs": (lambda: with_hook(torch.nn.Linear(2, 2), "forward", with_kwargs=True), "has forward hooks"),
    "pre-hook": (lambda: with_hook(torch.nn.Linear(2, 2), "forward_pre"), "has forward pre-hooks"),
    "pre-hook with kwargs": (lambda: with_hook(torch.nn.Linear(2, 2), "forward_pre", with_kwargs=True), "has forward pre-hooks"),
    "weight norm of old": (lambda: torch.nn.utils.weight_norm(torch.nn.Linear(2, 2)), "has forward pre-hooks"),
    "forward": (lambda: with_forward(torch.nn.Linear(2, 2)), "has its own forward"),
    "method": (lambda: with_method(torch.nn.Conv2d(1, 1, 1)), "has its own _conv_forward"),
    "generator": (lambda: Anything(torch.Generator()), "has a field field that holds a torch._C.Generator"),
    "closure": (lambda: Anything(times(2)), "has a field field that holds the function test_faithful_files.times.<locals>.scaled"),
    "lambda": (lambda: Anything(lambda x: x), "<lambda>"),
    "partial": (lambda: Anything(functools.partial(torch.add, 1)), "holds a functools.partial"),
    "tensors": (lambda: Anything([torch.ones(1)]), "has a field field that holds a torch.Tensor"),
    "modules": (lambda: Anything({"a": torch.nn.ReLU()}), "has a field field that holds a torch.nn.modules.activation.ReLU"),
    "module": (lambda: reaching(torch.nn.ReLU()), "has a field other that holds a torch.nn.modules.activation.ReLU"),
    "list of a class": (lambda: Anything(collections.UserList([1])), "holds a collections.UserList"),
    "default dict": (lambda: Anything(collections.defaultdict(list)), "holds a collections.defaultdict"),
    "local class": (local_class, "cannot be found by its name"),
    "other class": (other_class_of_the_name, "is a test_faithful_files.Anything, a class that cannot be found by its name"),
    "parametrized": (parametrized, "is a torch.nn.utils.parametrize.ParametrizedLinear"),
    "subclass of tensors": (of_marked_tensors, "has a tensor weight that is a test_faithful_files.Marked"),
}


@pytest.mark.parametrize("name", MARKED)
def test_module_that_a_line_cannot_say_is_marked(name: str, tmp_path: pathlib.Path) -> None:
    make, why = MARKED[name]
    model = leaf(make())
    lines, said = saved(model, tmp_path / "a.fxj")
    line = line_of(lines, k="module", path="0")
    assert why in line["unknown"] and "fields" not in line
    assert any(text.startswith("the module '0' is saved as unknown: it ") and why in text for text in said)
    assert module_line(model, tmp_path / "b.fxj")["unknown"] != line["unknown"]
    loaded = sunder.load(tmp_path / "a.fxj", trust="test_faithful_files")
    with pytest.raises(sunder.SunderError, match="the module 0 cannot be recreated: when it was saved, it "):
        loaded(X)
    assert module_line(loaded, tmp_path / "c.fxj")["unknown"] == line["unknown"]


@pytest.mark.parametrize("name", MARKED)
def test_modules_in_memory_are_lent_as_they_are(name: str) -> None:
    model = leaf(MARKED[name][0]())
    split = sunder.split(model, 2)
    assert split.get_submodule("stage0.0") is model.get_submodule("0")


def test_class_whose_forward_was_replaced_is_marked(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.nn.Linear, "forward", lambda self, x: x)
    assert "is of a class whose forward was replaced" in module_line(leaf(torch.nn.Linear(2, 2)), tmp_path / "a.fxj")["unknown"]


@pytest.mark.parametrize("kind", ["full_backward", "full_backward_pre"])
def test_module_with_hooks_for_gradients_runs_and_is_marked(kind: str, tmp_path: pathlib.Path) -> None:
    model = leaf(with_hook(torch.nn.Linear(2, 2), kind))
    line = module_line(model, tmp_path / "a.fxj")
    assert "has backward" in line["unknown"] and line["fields"]["in_features"] == 2
    with pytest.warns(sunder.NotWritten, match="'0' is loaded without unknown parts; when it was saved, it has backward"):
        loaded = sunder.load(tmp_path / "a.fxj")
    assert torch.equal(loaded(X), model(X))


FIELDS = [1, True, 2.5, float("inf"), "text", None, (1, 2), [1, (2,)], {"a": 1, 2: None}, torch.float16, torch.device("cpu"), torch.relu,
          torch.nn.functional.relu, slice(1, 2), 1 + 2j, range(3), Point(1, 2), Anything, Mode.FAST, 2**70]


@pytest.mark.parametrize("field", FIELDS, ids=str)
def test_fields_come_back(field: Any, tmp_path: pathlib.Path) -> None:
    lines, said = saved(leaf(Anything(field)), tmp_path / "a.fxj")
    assert not said and "unknown" not in line_of(lines, k="module", path="0")
    found = sunder.load(tmp_path / "a.fxj", trust="test_faithful_files").get_submodule("0").field
    assert found == field and type(found) is type(field)
    assert line_of(lines, k="module", path="0") != module_line(leaf(Anything("other")), tmp_path / "b.fxj")


@pytest.mark.parametrize(
    ("make", "a", "b", "at"),
    [
        (lambda heads: torch.nn.TransformerEncoderLayer(8, heads, 8), 2, 4, "0.self_attn"),
        (lambda p: torch.nn.TransformerEncoderLayer(8, 2, 8, p), 0.5, 0.0, "0.dropout1"),
        (lambda act: torch.nn.TransformerEncoderLayer(8, 2, 8, activation=act), "relu", "gelu", "0"),
        (lambda size: torch.nn.MaxPool2d((2, size)), 1, 2, "0"),
        (lambda size: torch.nn.LayerNorm((size,), elementwise_affine=False), 8, 4, "0"),
        (lambda mode: torch.nn.LSTM(2, 2, bidirectional=False, proj_size=mode), 0, 1, "0"),
    ],
)
def test_other_fields_are_another_line(make: Any, a: Any, b: Any, at: str, tmp_path: pathlib.Path) -> None:
    here, there = (module_line(leaf(make(one)), tmp_path / "a.fxj", at) for one in (a, b))
    assert here["fields"] != there["fields"]
    assert here == module_line(leaf(make(a)), tmp_path / "b.fxj", at)


def test_absent_modules_and_plain_ones_in_a_leaf_come_back(tmp_path: pathlib.Path) -> None:
    inner = Anything()
    inner.register_module("absent", None)
    inner.holder = torch.nn.Module()
    inner.holder.factor = 3
    lines, _ = saved(leaf(inner), tmp_path / "a.fxj")
    assert line_of(lines, k="module", path="0")["no_modules"] == ["absent"]
    loaded = sunder.load(tmp_path / "a.fxj", trust="test_faithful_files").get_submodule("0")
    assert loaded.absent is None and loaded.holder.factor == 3


@pytest.mark.parametrize("kind", ["forward", "forward_pre", "full_backward"])
def test_hooks_of_a_model_are_marked(kind: str, tmp_path: pathlib.Path) -> None:
    model = with_hook(models.traced("blocks").graph, kind)
    lines, said = saved(model, tmp_path / "a.fxj")
    assert "hooks #" in line_of(lines, k="module", path="")["unknown"]
    assert said and said[0].startswith("the model is saved as unknown: it has ")
    with pytest.warns(sunder.NotWritten, match="the model is loaded without unknown parts"):
        sunder.load(tmp_path / "a.fxj")


@pytest.mark.parametrize(
    "change",
    [
        lambda model: setattr(model, "forward", lambda x: x),
        lambda model: setattr(type(model), "forward", lambda self, x: x),
        lambda model: model.graph.on_generate_code(lambda _: lambda lines: lines),
    ],
    ids=["forward", "forward of the class", "code"],
)
def test_model_that_does_not_run_its_graph_is_marked(change: Any, tmp_path: pathlib.Path) -> None:
    model = models.traced("blocks").graph
    change(model)
    assert "unknown" in module_line(model, tmp_path / "a.fxj", "")


def test_programs_and_their_modules_are_said_completely(exported: models.Case, tmp_path: pathlib.Path) -> None:
    for model in (exported.graph, exported.graph.module(), torch.export.unflatten(exported.graph)):
        lines, said = saved(model, tmp_path / "a.fxj")
        assert not said and not any("unknown" in line for line in lines)


@pytest.mark.skipif(models.RELEASE < (2, 9), reason="no module has checks of inputs")
def test_checks_of_inputs_are_said(tmp_path: pathlib.Path) -> None:
    module = models.exported("dynamic").graph.module()
    assert any("batch" in text or "size" in text for text in module_line(module, tmp_path / "a.fxj", "_guards_fn")["guards"])


# ---- hooks in memory ------------------------------------------------------------------------------


def hooked(module: torch.nn.Module) -> torch.nn.Module:
    module.register_forward_pre_hook(lambda module, args: (args[0] + 1,))
    module.register_forward_hook(lambda module, args, kwargs, output: output * 100, with_kwargs=True)
    return module


RESULTS = [
    lambda model: sunder.split(model, 1),
    sunder.deduplicate,
    lambda model: sunder.split_module(model, model, lambda node: 0),
    lambda model: sunder.split_by_tags(model, ["a"]),
    lambda model: sunder.split_by_tags(model, ["a"], GraphModuleCls=torch.fx.GraphModule),
]


@pytest.mark.parametrize("make", RESULTS)
def test_results_keep_the_hooks_of_the_model(make: Any) -> None:
    model = hooked(torch.fx.symbolic_trace(models.Blocks()))
    for node in model.graph.nodes:
        node.tag = "a"
    x = torch.randn(4, 8)
    assert torch.equal(make(model)(x), model(x))


def test_hooks_of_a_module_are_kept_when_it_is_traced() -> None:
    model, x = hooked(models.Blocks()), torch.randn(4, 8)
    assert torch.equal(sunder.split(model, 2)(x), model(x))


@pytest.mark.parametrize("make", RESULTS[:2])
def test_submodules_with_graphs_keep_their_hooks(make: Any) -> None:
    inner = hooked(torch.fx.symbolic_trace(models.Blocks()))
    model, x = leaf(inner), torch.randn(4, 8)
    assert torch.equal(make(model)(x), model(x))


def test_branches_of_control_flow_keep_their_hooks() -> None:
    graph, root = torch.fx.Graph(), torch.nn.Module()
    root.yes, root.no = hooked(torch.fx.symbolic_trace(torch.nn.ReLU())), torch.fx.symbolic_trace(torch.nn.ReLU())
    x = graph.placeholder("x")
    condition = graph.call_function(operator.gt, (graph.call_method("sum", (x,)), 0))
    branches = graph.get_attr("yes"), graph.get_attr("no")
    graph.output(graph.call_function(torch.ops.higher_order.cond, (condition, *branches, [x])))
    model = torch.fx.GraphModule(root, graph)
    for made in (sunder.split(model, 2), sunder.deduplicate(model)):
        assert torch.equal(made(X), model(X))


def test_modules_with_graphs_inside_leaves_are_left_alone() -> None:
    inner = Anything()
    inner.graph_module = torch.fx.symbolic_trace(models.Blocks())
    graph = inner.graph_module.graph
    sunder.split(leaf(inner), 2)
    assert inner.graph_module.graph is graph


@pytest.mark.parametrize("at", ["block", "block.linear"])
def test_hooks_of_unflattened_modules(at: str, tmp_path: pathlib.Path) -> None:
    case = models.exported("dispatched")
    model = torch.export.unflatten(case.graph)
    model.get_submodule(at).register_forward_hook(lambda module, args, output: output * 100)
    assert "has forward hooks" in module_line(model, tmp_path / "a.fxj", at)["unknown"]
    with pytest.warns(sunder.NotWritten, match=f"the module '{at}' is loaded without"):
        sunder.load(tmp_path / "a.fxj")
    assert torch.equal(sunder.split(model, 2)(*case.args)[0], model(*case.args))


def test_result_without_the_forward_of_the_model_is_told() -> None:
    model = torch.fx.symbolic_trace(models.Blocks())
    model.forward = lambda x: x
    with pytest.warns(sunder.NotProven, match="the model has its own forward, and the result does not"):
        sunder.split(model, 2)
    module = models.Blocks()
    module.forward = lambda x: x
    with pytest.warns(sunder.NotProven, match="the model has its own forward, but the forward of its class was traced"):
        sunder.split(module, 2)


def test_one_object_has_one_mark_where_models_are_compared() -> None:
    model = leaf(with_hook(torch.nn.Linear(2, 2), "forward"))
    assert sunder.verify(model, sunder.split(model, 2))


# ---- attributes -----------------------------------------------------------------------------------

LITERALS = [2, 2.5, "text", True, None, (1, 2), [1, {"a": (2.0,)}], torch.float16, slice(1, None), torch.relu]


@pytest.mark.parametrize("value", LITERALS, ids=str)
def test_literals_that_nodes_read_are_said_and_come_back(value: Any, tmp_path: pathlib.Path) -> None:
    lines, said = saved(reading(value), tmp_path / "a.fxj")
    node = line_of(lines, k="node", op="get_attr")
    assert "val" in node and not said
    assert node["val"] != line_of(saved(reading(3), tmp_path / "b.fxj")[0], k="node", op="get_attr")["val"]
    loaded = sunder.load(tmp_path / "a.fxj")
    assert loaded.value == value and type(loaded.value) is type(value)
    assert line_of(saved(loaded, tmp_path / "c.fxj")[0], k="node", op="get_attr") == node


@pytest.mark.parametrize("value", [torch.Generator(), times(2), {1}, [torch.ones(1)], object()], ids=lambda value: type(value).__name__)
def test_other_objects_that_nodes_read_are_marked(value: Any, tmp_path: pathlib.Path) -> None:
    model = reading(value)
    lines, said = saved(model, tmp_path / "a.fxj")
    node = line_of(lines, k="node", op="get_attr")
    assert node["val"]["obj"].startswith("value #") and node["val"]["cls"] == names.class_text(type(value))
    assert said == [f"the attribute 'value' that the node 'value' reads is saved as unknown: it is a {node['val']['cls']}"]
    assert line_of(saved(model, tmp_path / "b.fxj")[0], k="node", op="get_attr")["val"] != node["val"]
    loaded = sunder.load(tmp_path / "a.fxj")
    assert not hasattr(loaded, "value")
    assert line_of(saved(loaded, tmp_path / "c.fxj")[0], k="node", op="get_attr") == node


def test_tensors_that_are_computed_when_they_are_read_are_marked(tmp_path: pathlib.Path) -> None:
    model = leaf(parametrized())
    with model.graph.inserting_before(model.graph.output_node()):
        model.graph.output_node().args = (model.graph.get_attr("0.weight"),)
    lines, said = saved(model, tmp_path / "a.fxj")
    assert line_of(lines, k="node", op="get_attr")["val"]["obj"].startswith("0.weight #")
    assert any("'0.weight'" in text for text in said)


def test_attributes_of_holders_and_leaves_come_back(tmp_path: pathlib.Path) -> None:
    graph, root = torch.fx.Graph(), torch.nn.Module()
    root.holder, root.linear = torch.nn.Module(), torch.nn.Linear(2, 2)
    root.holder.factor = 3
    x = graph.call_module("linear", (graph.placeholder("x"),))
    x = graph.call_function(operator.mul, (x, graph.get_attr("holder.factor")))
    graph.output(graph.call_function(operator.mul, (x, graph.get_attr("linear.in_features"))))
    model = torch.fx.GraphModule(root, graph)
    saved(model, tmp_path / "a.fxj")
    for made in (sunder.load(tmp_path / "a.fxj"), sunder.split(model, 2), sunder.deduplicate(model)):
        assert torch.equal(made(X), model(X))


def test_results_read_the_objects_of_the_model() -> None:
    value = object()
    model = reading(value, read=lambda x, one: (x, one))
    for node in model.graph.nodes:
        node.tag = "a"
    for make in RESULTS:
        assert make(model)(X)[1] is value


@pytest.mark.parametrize("name", ["__class__", "forward", "_forward_hooks", "training"])
def test_literal_does_not_take_the_place_of_an_attribute_of_modules(name: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "a.fxj"
    lines, _ = saved(reading(2), path)
    text = "".join(json.dumps({**line, "target": name} if line.get("op") == "get_attr" else line) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(sunder.SunderError, match="is an attribute of PyTorch's modules"):
        sunder.load(path)


# ---- functions ------------------------------------------------------------------------------------


def targets(lines: list[dict[str, Any]]) -> list[str]:
    return [line["target"] for line in lines if line.get("op") == "call_function"]


def test_functions_with_the_same_name_are_distinguished(tmp_path: pathlib.Path) -> None:
    two, three = times(2), times(3)
    lines, said = saved(calling(two, three, two), tmp_path / "a.fxj")
    name = "test_faithful_files.times.<locals>.scaled"
    assert targets(lines) == [name, f"{name}#2", name]
    assert f"the function {name} is saved as unknown: it cannot be found by its name" in said
    with pytest.raises(sunder.SunderError, match="whose saved name does not identify it"):
        sunder.load(tmp_path / "a.fxj", trust="test_faithful_files")


def test_functions_are_called_by_names_that_lead_to_them(tmp_path: pathlib.Path) -> None:
    @functools.wraps(times)
    def wrapped(x: Any) -> Any:
        return x

    lines, _ = saved(calling(torch.relu, times, wrapped, lambda x: x, Doubled.apply, Tripled.apply), tmp_path / "a.fxj")
    here = "test_faithful_files"
    assert targets(lines)[:3] == ["torch.relu", f"{here}.times", f"{here}.<locals>.times"]
    assert "<lambda>" in targets(lines)[3]
    assert targets(lines)[4:] == [f"{here}.Doubled.apply", f"{here}.Tripled.apply"]
    assert "test_faithful_files.<locals>.Anything" == names.class_name(type(other_class_of_the_name()))


class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        return x * 2


class Tripled(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        return x * 3


@pytest.mark.parametrize("make", RESULTS)
def test_functions_of_one_name_come_back_in_memory(make: Any) -> None:
    model = calling(times(2), times(3), lambda x: x + 1, lambda x: x + 2, torch.relu)
    for node in model.graph.nodes:
        node.tag = "a"
    assert torch.equal(make(model)(X), model(X))


def test_regions_of_two_functions_are_not_one() -> None:
    def twice(one: Callable[..., Any], other: Callable[..., Any]) -> torch.fx.GraphModule:
        graph = torch.fx.Graph()
        inputs = graph.placeholder("x"), graph.placeholder("y")
        made = [graph.call_function(f, (graph.call_function(torch.relu, (x,)),)) for f, x in zip((one, other), inputs)]
        graph.output(graph.call_function(torch.add, tuple(made)))
        return torch.fx.GraphModule(torch.nn.Module(), graph)

    same = times(2)
    assert len(sunder.regions(twice(same, same)).groups) == 1
    assert not sunder.regions(twice(times(2), times(3))).groups
    model = twice(times(2), times(3))
    assert torch.equal(sunder.deduplicate(model)(X, X), model(X, X))


def test_members_of_enumerations_are_not_their_numbers(tmp_path: pathlib.Path) -> None:
    def model(mode: int) -> torch.fx.GraphModule:
        graph = torch.fx.Graph()
        graph.output(graph.call_function(kind_of, (graph.placeholder("x"), mode)))
        return torch.fx.GraphModule(torch.nn.Module(), graph)

    lines, _ = saved(model(Mode.FAST), tmp_path / "a.fxj")
    assert line_of(lines, name="kind_of")["args"] != line_of(saved(model(1), tmp_path / "b.fxj")[0], name="kind_of")["args"]
    assert sunder.load(tmp_path / "a.fxj", trust="test_faithful_files")(X) is Mode
    assert sunder.split(model(Mode.FAST), 1)(X) is Mode


def kind_of(x: torch.Tensor, mode: Any) -> type:
    return type(mode)


def test_tensor_among_arguments_is_refused(tmp_path: pathlib.Path) -> None:
    graph = torch.fx.Graph()
    graph.output(graph.call_function(torch.add, (graph.placeholder("x"), 1)))
    graph.find_nodes(op="call_function", target=torch.add)[0].args = (next(iter(graph.nodes)), torch.ones(2))
    with pytest.raises(sunder.SunderError, match="the node add takes a torch.Tensor"):
        sunder.save(torch.fx.GraphModule(torch.nn.Module(), graph), tmp_path / "a.fxj")


# ---- tensors --------------------------------------------------------------------------------------

C = torch.tensor([1 + 2j, 3j])
LAZY = {"conjugate": C.conj, "negative": lambda: C.conj().imag, "view": lambda: C.conj()[1:]}


@pytest.mark.parametrize("name", LAZY)
def test_lazy_tensors_are_written_as_their_numbers(name: str, tmp_path: pathlib.Path) -> None:
    tensor = LAZY[name]()
    assert tensor.is_conj() or tensor.is_neg()
    model = reading(tensor)
    lines, said = saved(model, tmp_path / "a.fxj")
    loaded = sunder.load(tmp_path / "a.fxj")
    assert not said and torch.equal(loaded.value, tensor) and torch.equal(loaded(C[:1]), model(C[:1]))
    assert torch.equal(sunder.split(model, 1)(C[:1]), model(C[:1]))
    plain, _ = saved(reading(tensor.resolve_conj().resolve_neg().clone()), tmp_path / "b.fxj")
    storages = [{**line["at"], "file": ""} for line in (line_of(one, k="storage") for one in (lines, plain))]
    assert storages[0] == storages[1] and line_of(lines, k="tensor") == line_of(plain, k="tensor")


@pytest.mark.parametrize("order", [1, -1])
def test_lazy_tensor_of_shared_memory_is_refused(order: int, tmp_path: pathlib.Path) -> None:
    tensors = {"conjugate": C.conj(), "plain": C}
    model = reading(1, **dict(list(tensors.items())[::order]))
    model.register_buffer("conjugate", tensors["conjugate"])
    model.register_buffer("plain", tensors["plain"])
    with pytest.raises(sunder.SunderError, match="the tensor conjugate is the conjugate or negative of another tensor"):
        sunder.save(model, tmp_path / "a.fxj")
    assert not list(tmp_path.iterdir())
    sunder.split(model, 1)


def per_channel(axis: int = 0, scale: float = 0.2) -> torch.Tensor:
    return torch.quantize_per_channel(torch.ones(2, 2), torch.tensor([0.1, scale]), torch.tensor([0, 3]), axis, torch.qint8)


QUANTIZED = {
    "per tensor": lambda: torch.quantize_per_tensor(torch.ones(2, 2), 0.1, 3, torch.quint8),
    "other scale": lambda: torch.quantize_per_tensor(torch.full((2, 2), 2.0), 0.2, 3, torch.quint8),
    "view": lambda: torch.quantize_per_tensor(torch.arange(6.0).view(3, 2), 0.1, 0, torch.qint32)[1:].t(),
    "per channel": per_channel,
    "other axis": lambda: per_channel(1),
    "other scales": lambda: per_channel(0, 0.4),
}


def dequantized(tensor: torch.Tensor) -> torch.fx.GraphModule:
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    graph.output(graph.call_function(operator.add, (x, graph.call_method("dequantize", (graph.get_attr("value"),)))))
    return torch.fx.GraphModule(Attributes(value=tensor), graph)


@pytest.mark.parametrize("name", QUANTIZED)
def test_quantized_tensors_come_back(name: str, tmp_path: pathlib.Path) -> None:
    tensor = QUANTIZED[name]()
    model = dequantized(tensor)
    lines, said = saved(model, tmp_path / "a.fxj")
    assert not said and line_of(lines, k="tensor")["quantizer"]["scheme"] == str(tensor.qscheme()).removeprefix("torch.")
    loaded = sunder.load(tmp_path / "a.fxj")
    assert loaded.value.qscheme() is tensor.qscheme() and loaded.value.stride() == tensor.stride()
    assert torch.equal(loaded.value.int_repr(), tensor.int_repr())
    for made in (loaded, sunder.split(model, 2), sunder.deduplicate(model)):
        assert torch.equal(made(X), model(X))
    again, _ = saved(loaded, tmp_path / "b.fxj")
    assert line_of(again, k="tensor") == line_of(lines, k="tensor")


def test_other_quantizers_are_other_lines(tmp_path: pathlib.Path) -> None:
    lines = {name: line_of(saved(dequantized(make()), tmp_path / "a.fxj")[0], k="tensor") for name, make in QUANTIZED.items()}
    assert len({json.dumps(line) for line in lines.values()}) == len(QUANTIZED)


def test_other_schemes_are_refused(tmp_path: pathlib.Path) -> None:
    scales, zeros = torch.tensor([0.1, 0.2]), torch.tensor([0.0, 1.5])
    for tensor in (torch.quantize_per_channel(torch.ones(2, 2), scales, zeros, 0, torch.quint8), torch.empty(2, dtype=torch.qint8)):
        model = dequantized(tensor)
        with pytest.raises(sunder.SunderError, match="the tensor value is quantized"):
            sunder.save(model, tmp_path / "a.fxj")
        assert sunder.split(model, 1).get_buffer("stage0.value") is tensor


@pytest.mark.parametrize(
    "quantizer",
    [
        {},
        3,
        {"scheme": "other", "scale": 1.0, "zero_point": 0},
        {"scheme": "per_tensor_affine", "scale": "1", "zero_point": 0},
        {"scheme": "per_channel_affine", "scale": [1.0], "zero_point": [0], "axis": 0},
        {"scheme": "per_channel_affine", "scale": [1.0, 1.0], "zero_point": [0, 0], "axis": 9},
        {"scheme": "per_channel_affine", "scale": [1.0, 1.0], "zero_point": [0, 0], "axis": "0"},
    ],
    ids=str,
)
def test_damaged_quantizers_are_refused(quantizer: Any, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "a.fxj"
    lines, _ = saved(dequantized(per_channel()), path)
    lines = [{**line, "quantizer": quantizer} if line["k"] == "tensor" else line for line in lines]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    with pytest.raises(sunder.SunderError, match="the tensor value "):
        sunder.load(path)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: torch.ones(2).as_subclass(Marked), "is a test_faithful_files.Marked"),
        (lambda: torch.ones(2, requires_grad=True) * 2, "is computed from other tensors"),
    ],
)
def test_tensors_that_are_more_than_their_bytes_are_marked(make: Any, why: str, tmp_path: pathlib.Path) -> None:
    model = reading(make())
    lines, said = saved(model, tmp_path / "a.fxj")
    assert why in line_of(lines, k="tensor")["unknown"]
    assert any(text.startswith("the tensor 'value' is saved as unknown: it ") and why in text for text in said)
    assert line_of(saved(model, tmp_path / "b.fxj")[0], k="tensor") != line_of(lines, k="tensor")
    with pytest.warns(sunder.NotWritten, match="the tensor 'value' is loaded as a plain tensor"):
        assert torch.equal(sunder.load(tmp_path / "a.fxj")(X), model(X).as_subclass(torch.Tensor))


def test_hooks_of_parameters_are_marked(tmp_path: pathlib.Path) -> None:
    model = leaf(torch.nn.Linear(2, 2))
    model.get_parameter("0.weight").register_hook(lambda gradient: gradient * 2)
    lines, _ = saved(model, tmp_path / "a.fxj")
    assert "has gradient hooks" in line_of(lines, k="tensor", fqn="0.weight")["unknown"]
    assert "unknown" not in line_of(lines, k="module", path="0")


def test_tensors_without_memory_are_refused(tmp_path: pathlib.Path) -> None:
    with pytest.raises(sunder.SunderError, match="the tensor value has no memory that can be written"):
        sunder.save(reading(torch._efficientzerotensor((2,))), tmp_path / "a.fxj")
    with pytest.raises(sunder.SunderError, match="the tensor 0.weight is not initialized"):
        sunder.save(leaf(torch.nn.LazyLinear(2)), tmp_path / "a.fxj")
    assert not list(tmp_path.iterdir())
