"""Functions that PyTorch also has behave like PyTorch for every parameter: signatures, results, filled mappings, and errors."""

from __future__ import annotations

import copy
import inspect
import itertools
import random
from typing import Any, Callable

import pytest
import torch
import torch.fx.passes.split_module as torch_split_module
import torch.fx.passes.split_utils as split_utils

import models
import sunder
from test_torch_passes import assert_same_graphs, graph_module

THEIRS: dict[str, Callable[..., Any]] = {
    "split_by_tags": split_utils.split_by_tags,
    "split_module": torch_split_module.split_module,
    "unflatten": torch.export.unflatten,
}
if hasattr(split_utils, "move_non_tensor_nodes_on_boundary"):  # after 2.9
    THEIRS["move_non_tensor_nodes_on_boundary"] = split_utils.move_non_tensor_nodes_on_boundary
LATEST = pytest.mark.skipif(models.RELEASE < (2, 13), reason="the parameters of PyTorch 2.13")


@LATEST
@pytest.mark.parametrize("name", sorted(THEIRS))
def test_signatures_are_torchs(name: str) -> None:
    def parameters(function: Callable[..., Any]) -> list[tuple[Any, ...]]:
        return [(p.name, p.kind, p.default) for p in inspect.signature(function).parameters.values()]

    ours = parameters(getattr(sunder, name))
    if name == "unflatten":  # selects a program of an archive
        assert ours.pop() == ("model", inspect.Parameter.KEYWORD_ONLY, None)
    assert ours == parameters(THEIRS[name])


def tagged(case: models.Case) -> tuple[torch.fx.GraphModule, list[str]]:
    module = graph_module(case)
    tags = models.halves(module.graph)
    for node in models.calls(module.graph):
        node.tag = tags[node.name]
    return module, list(dict.fromkeys(tags.values()))


# ---- split_by_tags -------------------------------------------------------------------------------------


class Kept(torch.fx.GraphModule):
    """A class for GraphModuleCls that records its arguments."""

    made: list[tuple[list[str], list[str]]] = []

    def __init__(self, root: torch.nn.Module, graph: torch.fx.Graph) -> None:
        super().__init__(root, graph)
        self.made.append(([name for name, _ in root.named_children()], [node.name for node in graph.nodes]))


@pytest.mark.parametrize("fqns, as_tuple, cls", list(itertools.product([False, True], [False, True], [None, Kept])))
def test_split_by_tags_takes_torchs_parameters(fqns: bool, as_tuple: bool, cls: Any) -> None:
    module, order = tagged(models.traced("leaves"))
    options = {} if cls is None else {"GraphModuleCls": cls}
    Kept.made.clear()
    wanted = split_utils.split_by_tags(module, order, fqns, as_tuple, **options)
    made = sunder.split_by_tags(module, order, fqns, as_tuple, **options)
    if fqns:
        assert type(made) is type(wanted) and made[1] == wanted[1]
        made, wanted = made[0], wanted[0]
    assert_same_graphs(made, wanted)
    assert type(made).__mro__[1] is type(wanted).__mro__[1]
    assert made.meta == wanted.meta and made._get_name() == wanted._get_name()
    assert [m.training for m in made.modules()] == [m.training for m in wanted.modules()]
    assert Kept.made == ([] if cls is None else [Kept.made[0]] * 2)
    assert made.code == wanted.code
    assert [made.get_submodule(tag).code for tag in order] == [wanted.get_submodule(tag).code for tag in order]


def test_tags_without_nodes_make_parts_as_torchs() -> None:
    module, order = tagged(models.traced("blocks"))
    order = ["before", *order, "behind"]
    assert_same_graphs(sunder.split_by_tags(module, order), split_utils.split_by_tags(module, order))


def wrong_tags(what: str) -> tuple[torch.fx.GraphModule, list[str]]:
    module, order = tagged(models.traced("blocks"))
    nodes = models.calls(module.graph)
    if what == "no tag":
        del nodes[3].tag
    elif what == "another tag":
        nodes[3].tag = "another"
    elif what == "backward":
        order.reverse()
    else:
        module.graph.erase_node(next(reversed(module.graph.nodes)))
    return module, order


@pytest.mark.parametrize("what", ["no tag", "another tag", "backward", "no output"])
def test_split_by_tags_raises_what_torch_raises(what: str) -> None:
    module, order = wrong_tags(what)
    with pytest.raises(Exception) as theirs:
        split_utils.split_by_tags(module, order)
    with pytest.raises(sunder.SunderError) as ours:
        sunder.split_by_tags(module, order)
    assert isinstance(ours.value, theirs.type)


# ---- split_module --------------------------------------------------------------------------------------

NEW = inspect.signature(torch_split_module.split_module).parameters
OPTIONS = {
    "keep_original_order": [False, True],
    "keep_original_node_name": [False, True],
    "keep_original_input_name": [True, False],
    "partition_affix": [None, "pp", ""],
    "tuple_return": [False, True],
}


def compare_partitions(module: torch.fx.GraphModule, partition: Callable[[torch.fx.Node], Any], options: dict[str, Any]) -> None:
    wanted_map: dict[str, str] = {"kept": "as it is"}
    made_map = dict(wanted_map)
    wanted = torch_split_module.split_module(module, None, partition, wanted_map, **options)
    made = sunder.split_module(module, None, partition, made_map, **options)
    assert_same_graphs(made, wanted)
    assert list(made_map.items()) == list(wanted_map.items())
    assert made.meta == (wanted.meta or made.meta)  # earlier releases record nothing


@pytest.mark.parametrize("chosen", list(itertools.product(*OPTIONS.values())), ids=str)
def test_split_module_takes_torchs_parameters(chosen: tuple[Any, ...]) -> None:
    options = {name: value for name, value in zip(OPTIONS, chosen) if name in NEW}
    module = models.traced("leaves").graph
    place = {node: i for i, node in enumerate(models.calls(module.graph))}
    compare_partitions(module, lambda node: place[node] * 3 // len(place), options)


@pytest.mark.parametrize("kind", ["texts", "negative", "booleans", "far apart", "numpy"])
def test_partitions_are_called_as_torch_calls_them(kind: str) -> None:
    module = models.traced("blocks").graph
    place = {node: i for i, node in enumerate(models.calls(module.graph))}

    def partition(node: torch.fx.Node) -> Any:
        half = place[node] * 2 // len(place)
        return {"texts": "ab"[half], "negative": half - 7, "booleans": bool(half), "far apart": half * 10**12}[kind]

    if kind == "numpy":
        numpy = pytest.importorskip("numpy")
        compare_partitions(module, lambda node: numpy.int64(place[node] * 2 // len(place)), {})
    else:
        compare_partitions(module, partition, {})


def random_graph(seed: int) -> torch.fx.GraphModule:
    """Calls of modules, functions, and methods with random inputs, some of them symbols of the same name."""
    choose = random.Random(seed)
    root = torch.nn.Module()
    for name in ("a", "b"):
        root.add_module(name, torch.nn.Module())
        root.get_submodule(name).add_module("lin", torch.nn.Linear(3, 3))
    root.w = torch.nn.Parameter(torch.ones(3))
    graph = torch.fx.Graph()
    values = [graph.placeholder("x"), graph.placeholder("arg_0"), graph.create_node("get_attr", "w")]
    for _ in range(choose.randrange(4, 25)):
        one, other = choose.choice(values[-5:]), choose.choice(values)
        kind = choose.randrange(4)
        if kind == 0:
            made = graph.call_module(choose.choice(["a.lin", "b.lin"]), (one,))
        elif kind == 1:
            made = graph.call_function(torch.add, (one, other), {"alpha": choose.choice([1, 2])} if choose.random() < 0.3 else {})
        elif kind == 2:
            made = graph.call_method("mul", (one, choose.choice([other, 2.0])))
        else:
            made = graph.create_node("call_function", torch.relu, (one,), name=choose.choice(["arg_1", "arg_0", "relu"]))
        values.append(made)
    graph.output((values[-1], choose.choice(values)))
    return torch.fx.GraphModule(root, graph)


@pytest.mark.parametrize("seed", range(16))
def test_random_graphs_are_split_as_torch_splits_them(seed: int) -> None:
    choose = random.Random(seed)
    module = random_graph(seed)
    count = choose.randrange(1, 5)
    place: dict[torch.fx.Node, int] = {}
    for node in models.calls(module.graph):
        before = [place[value] for value in node.all_input_nodes if value in place]
        place[node] = max([choose.randrange(count), *before])
    options = {name: choose.choice(values) for name, values in OPTIONS.items() if name in NEW and name != "keep_original_order"}
    compare_partitions(module, place.__getitem__, options)
    for node in models.calls(module.graph):
        node.tag = f"p{place[node]}"
    order = [f"p{i}" for i in range(count)]
    made, fqns = sunder.split_by_tags(module, order, True, bool(seed % 2))
    wanted, wanted_fqns = split_utils.split_by_tags(module, order, True, bool(seed % 2))
    assert_same_graphs(made, wanted)
    assert fqns == wanted_fqns
    x = torch.rand(2, 3)
    assert models.alike(made(x, x), module(x, x)) or seed % 2
    assert [child.code for child in made.children()] == [child.code for child in wanted.children()]


@pytest.mark.parametrize("what", ["ring", "open autocast", "numbers that go down"])
def test_split_module_raises_what_torch_raises(what: str) -> None:
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    autocast = graph.call_function(torch.amp._enter_autocast, ("cpu", torch.bfloat16, True, None)) if what != "ring" else None
    y = graph.call_function(torch.relu, (x,))
    z = graph.call_function(torch.sin, (y,))
    last = graph.call_function(torch.add, (z, y))
    if what == "numbers that go down":
        graph.call_function(torch.amp._exit_autocast, (autocast,))
    graph.output(last)
    module = torch.fx.GraphModule(torch.nn.Module(), graph)
    numbers = {"relu": 0, "sin": 1, "add": 0}
    for split in (torch_split_module.split_module, sunder.split_module):
        with pytest.raises((RuntimeError, AssertionError)) as error:
            split(module, None, lambda node: numbers.get(node.name, 2))
        kind = RuntimeError if what == "ring" else AssertionError
        assert isinstance(error.value, kind)


# ---- move_non_tensor_nodes_on_boundary -----------------------------------------------------------------


@pytest.mark.skipif("move_non_tensor_nodes_on_boundary" not in THEIRS, reason="PyTorch has it since 2.10")
@pytest.mark.parametrize("seed", range(8))
def test_nodes_move_as_torch_moves_them(seed: int) -> None:
    def subgraphs() -> list[Any]:
        from torch.fx.passes.splitter_base import Subgraph

        choose = random.Random(seed)
        graph = torch.fx.Graph()
        values = [graph.placeholder("x")]
        for _ in range(14):
            node = graph.call_function(torch.add, (choose.choice(values), choose.choice(values[-4:])))
            node.meta["type"] = choose.choice([torch.Tensor, int])
            values.append(node)
        graph.output(values[-1])
        parts: list[Any] = [Subgraph(is_acc=i != 1, nodes=[]) for i in range(3)]
        for i, node in enumerate(values[1:]):
            parts[i * 3 // 14].nodes.append(node)
        return parts

    made, wanted = subgraphs(), subgraphs()
    lists = [part.nodes for part in made]
    assert sunder.move_non_tensor_nodes_on_boundary(made) is THEIRS["move_non_tensor_nodes_on_boundary"](wanted) is None
    assert all(part.nodes is before for part, before in zip(made, lists))
    assert [{n.name for n in part.nodes} for part in made] == [{n.name for n in part.nodes} for part in wanted]


def test_no_subgraphs_are_left_as_they_are() -> None:
    for move in (sunder.move_non_tensor_nodes_on_boundary, *(THEIRS[name] for name in THEIRS if name.startswith("move"))):
        given: list[Any] = []
        assert move(given) is None and given == []


# ---- unflatten -----------------------------------------------------------------------------------------


class Nesting(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, a: torch.Tensor, d: dict[str, Any], *, k: torch.Tensor) -> Any:
        return {"y": self.linear(a) + d["p"] * k, "z": d["q"][0]}


class Adapter(torch.export.FlatArgsAdapter):
    """Takes (p, a, q) for a and {"p": p, "q": q}, and records its arguments."""

    def __init__(self, drops: int = 0, paths: list[str] | None = None) -> None:
        self.drops, self.paths = drops, ["a", "p", "q", "k"] if paths is None else paths
        self.asked: list[Any] = []

    def adapt(self, target_spec: Any, input_spec: Any, input_args: Any, metadata: Any = None, obj: Any = None) -> list[Any]:
        notes = {key for key in metadata or () if key != "sunder"}
        self.asked.append((target_spec, input_spec, list(map(id, input_args)), notes, obj and list(map(type, obj))))
        return [input_args[1], input_args[0], *input_args[2 : len(input_args) - self.drops]]

    def get_flat_arg_paths(self) -> list[str]:
        self.asked.append("paths")
        return self.paths


def nesting() -> torch.export.ExportedProgram:
    batch = torch.export.Dim("batch", min=3, max=9)
    inputs = torch.rand(3, 4), {"p": torch.ones(4), "q": [torch.zeros(2)]}
    shapes = {"a": {0: batch}, "d": {"p": None, "q": [None]}, "k": None}
    return torch.export.export(Nesting(), inputs, {"k": torch.tensor(2.0)}, dynamic_shapes=shapes)


@pytest.mark.parametrize(
    "drops, paths, rows",
    [(0, None, 5), (0, [], 5), (0, None, 20), (0, [], 20), (1, None, 5), (0, ["a"], 5)],
    ids=["adapted", "without paths", "too large", "too large without paths", "one too few", "too few paths"],
)
def test_adapters_are_called_as_torch_calls_them(drops: int, paths: list[str] | None, rows: int) -> None:
    program = nesting()
    a, p, q, k = torch.rand(rows, 4), torch.rand(4), [torch.rand(2)], torch.tensor(3.0)
    said = []
    for unflatten in (torch.export.unflatten, sunder.unflatten):
        adapter = Adapter(drops, paths)
        module = unflatten(program, adapter)
        module(torch.ones(3, 4), {"p": p, "q": q}, k=k)  # nested as in the export: no adapter is needed
        results: list[Any] = []
        for call in (lambda: module((p, a, q), k=k), lambda: module(a, {"p": p, "q": q}, k=k), lambda: module((p, a, q), other=k)):
            try:
                results.append(call())
            except (TypeError, ValueError, RuntimeError, AssertionError) as error:
                results.append(error)
        said.append((adapter.asked, results))
    (asked, results), (our_asked, our_results) = said
    assert asked and our_asked == asked
    for theirs, ours in zip(results, our_results):
        if not isinstance(theirs, Exception):
            assert models.alike(ours, theirs)
        elif drops == 0:
            assert (type(ours), str(ours)) == (type(theirs), str(theirs))
        else:
            assert isinstance(ours, type(theirs)) and str(ours)[:30] == str(theirs)[:30]


def test_copies_adapt_inputs_as_well() -> None:
    module = sunder.unflatten(nesting(), Adapter())
    given = (torch.rand(4), torch.rand(5, 4), [torch.rand(2)])
    assert models.alike(copy.deepcopy(module)(given, k=torch.tensor(3.0)), module(given, k=torch.tensor(3.0)))


def test_inputs_that_are_nested_wrongly_are_refused_as_by_torch() -> None:
    program = nesting()
    a, d, k = torch.rand(4, 4), {"p": torch.ones(4), "q": [torch.zeros(2)]}, torch.tensor(2.0)
    for unflatten in (torch.export.unflatten, sunder.unflatten):
        module = unflatten(program)
        with pytest.raises(TypeError, match="There is no flat args adapter specified. Are you sure you are calling this"):
            module(a, [d["p"], d["q"]], k=k)
        with pytest.raises(TypeError):
            module(a, d)
        with pytest.raises(RuntimeError, match=r"Expected input at \*args\[0\].shape\[1\] to be equal to 4, but got 5"):
            module(torch.rand(4, 5), d, k=k)
        with pytest.raises(RuntimeError, match="to be a tensor"):
            module(a, d, k=2.0)


class Preserved(torch.nn.Module):
    """Submodules take nested inputs, keywords, and constants; one of them is called twice."""

    def __init__(self) -> None:
        super().__init__()
        self.outer = Outer()
        self.twice = Inner()

    def forward(self, x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        first = self.outer((x, [w]), options={"bias": w})
        second = self.twice(first["y"], scale=2.0)
        return self.twice(second[0], scale=3.0)[0] + first["z"][0]


class Outer(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = Inner()
        self.register_buffer("shift", torch.rand(4))

    def forward(self, pair: Any, *, options: dict[str, Any]) -> Any:
        (y,) = self.inner(pair[0] * pair[1][0], scale=0.5)
        return {"y": y + options["bias"] + self.shift, "z": [y]}


class Inner(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x: torch.Tensor, scale: float) -> list[torch.Tensor]:
        return [self.linear(x).relu() * scale]


def test_submodules_with_preserved_signatures_are_called_and_replaced_alone() -> None:
    torch.manual_seed(5)
    model, x, w = Preserved(), torch.rand(3, 4), torch.rand(4)
    program = torch.export.export(model, (x, w), preserve_module_call_signature=("outer", "outer.inner", "twice"))
    wanted = model(x, w)
    said: list[Any] = []
    for unflatten in (torch.export.unflatten, sunder.unflatten):
        module = unflatten(program)
        assert torch.equal(module(x, w), wanted)
        assert models.alike(module.outer((x, [w]), options={"bias": w}), model.outer((x, [w]), options={"bias": w}))
        assert models.alike(module.outer.inner(x, scale=0.5), model.outer.inner(x, scale=0.5))
        assert models.alike(module.twice(x, scale=2.0), model.twice(x, scale=2.0))
        assert models.alike(module.twice(x, scale=3.0), model.twice(x, scale=3.0))
        for given, options in ((x, {"bias": w}), ((x, [w]), {"shift": w}), ((x, [w, w]), {"bias": w})):
            try:
                said.append(module.outer(given, options=options))
            except Exception:  # interpreters wrap it into their own exception
                said.append("refused")
        other = Preserved()
        for path in ("twice", "outer.inner", "outer"):
            module.set_submodule(path, other.get_submodule(path))
            model.set_submodule(path, other.get_submodule(path))
            assert torch.equal(module(x, w), model(x, w)), path
        model = Preserved()
        model.load_state_dict(program.state_dict)
    assert said[1] == "refused" and all(map(models.alike, said[:3], said[3:]))


