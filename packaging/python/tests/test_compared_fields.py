"""Checks that every attribute of the objects that `sunder.save` takes has a row in core/verify/fields.txt. Changes them one at a
time, and compares the verdict of `sunder.verify` with the row.
"""

from __future__ import annotations

import collections
import dataclasses
import pathlib
import sys
import types
import warnings
from typing import Any, Callable, Iterator

import pytest
import torch
from torch.export.graph_signature import TensorArgument
from torch.fx.graph import _PyTreeCodeGen, _PyTreeInfo

import models
import sunder
from processes import run_python

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tests" / "fields"))

import fields_table  # noqa: E402

ROWS = fields_table.rows("live")
X = torch.ones(3, 2)


class Scaled(torch.nn.Module):
    """A leaf with a field, a parameter, a buffer, and a module."""

    def __init__(self, factor: float = 2.0) -> None:
        super().__init__()
        self.factor = factor
        self._shift = 1
        self.weight = torch.nn.Parameter(torch.ones(2))
        self.register_buffer("offset", torch.zeros(2))
        self.inner = torch.nn.Linear(2, 2)
        self.register_parameter("none", None)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.inner(x) * self.weight * self.factor + self.offset + self._shift


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scaled = Scaled()
        self.register_buffer("count", torch.arange(2.0))
        self.limit = 3

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.add(self.scaled(x), self.count, alpha=2) * 2.5


class OfScaled(torch.fx.Tracer):
    def is_leaf_module(self, m: torch.nn.Module, module_qualified_name: str) -> bool:
        return True


class Exported(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lin = torch.nn.Linear(2, 2)
        self.register_buffer("count", torch.zeros(2))
        self.constant = torch.ones(2)

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> dict[str, torch.Tensor]:
        self.count.add_(1)
        return {"a": self.lin(x) + self.constant, "b": y * 2}


def module() -> torch.fx.GraphModule:
    torch.manual_seed(3)
    root = Net()
    return torch.fx.GraphModule(root, OfScaled().trace(root))


def program() -> torch.export.ExportedProgram:
    torch.manual_seed(3)
    size = torch.export.Dim("size", min=2, max=16)
    return torch.export.export(Exported(), (X, X), dynamic_shapes=({0: size}, {0: size}))


def node(model: torch.fx.GraphModule, op: str = "call_function") -> torch.fx.Node:
    return next(one for one in model.graph.nodes if one.op == op)


def verdicts(a: Any, b: Any) -> set[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {sunder.verify(one, other).verdict for one, other in ((a, b), (b, a))}


Change = Callable[[Any], None]
CHANGES: dict[tuple[str, str], list[Change]] = collections.defaultdict(list)


def change(kind: str, field: str) -> Callable[[Change], Change]:
    """Registers a change of one attribute of the model."""

    def register(function: Change) -> Change:
        CHANGES[kind, field].append(function)
        return function

    return register


def setting(kind: str, field: str, of: Callable[[Any], Any], value: Any) -> None:
    CHANGES[kind, field].append(lambda model: setattr(of(model), field, value(model) if isinstance(value, types.LambdaType) else value))


def root(model: Any) -> Any:
    return model


def leaf(model: Any) -> Any:
    return model.scaled


def hook(*_: Any, **__: Any) -> None:
    return None


# ---- modules --------------------------------------------------------------------------------------

for at in (root, leaf):
    for table in ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks"):
        CHANGES["Module", table].append(lambda model, at=at, table=table: getattr(at(model), table).update({1: hook}))
    for table in ("_state_dict_hooks", "_state_dict_pre_hooks", "_load_state_dict_pre_hooks", "_load_state_dict_post_hooks"):
        CHANGES["Module", table].append(lambda model, at=at, table=table: getattr(at(model), table).update({1: hook}))
setting("Module", "_is_full_backward_hook", leaf, True)
setting("Module", "training", leaf, False)
setting("Module", "forward", leaf, lambda model: lambda x: x)
setting("Module", "forward", root, lambda model: lambda x: x)
setting("Module", "__class__", leaf, lambda model: type("Scaled", (Scaled,), {"forward": lambda self, x: x}))
CHANGES["Module", "a field"] = [
    lambda model: setattr(model.scaled, "factor", 3.0),
    lambda model: setattr(model.scaled, "_shift", 2),
    lambda model: setattr(model.scaled, "generator", torch.Generator()),
    lambda model: setattr(model.scaled, "function", lambda: 1),
    lambda model: setattr(model.scaled.inner, "in_features", 3),
]


@change("Module", "_parameters")
def _(model: Any) -> None:
    model.scaled.weight = torch.nn.Parameter(torch.full((2,), 2.0))


@change("Module", "_buffers")
def _(model: Any) -> None:
    model.scaled.offset = torch.ones(2)


@change("Module", "_modules")
def _(model: Any) -> None:
    model.scaled.inner = torch.nn.Identity()


@change("Module", "_modules")
def _(model: Any) -> None:
    torch.nn.utils.parametrize.register_parametrization(model.scaled.inner, "weight", torch.nn.Identity())


@change("Module", "_non_persistent_buffers_set")
def _(model: Any) -> None:
    model.scaled._non_persistent_buffers_set.add("offset")


# ---- graph modules, graphs, nodes -------------------------------------------------------------------


@change("GraphModule", "_graph")
def _(model: Any) -> None:
    graph = torch.fx.Graph()
    graph.output(graph.placeholder("x"))
    model.graph = graph


for name, value in (("_code", "raise"), ("_lineno_map", {}), ("_prologue_start", 7), ("_tracer_cls", torch.fx.Tracer), ("_tracer_extras", {"a": 1}), ("meta", {"a": 1}), ("shape_env", 1)):
    setting("GraphModule", name, root, value)
for name in ("_create_node_hooks", "_erase_node_hooks", "_replace_hooks", "_deepcopy_hooks"):
    CHANGES["GraphModule", name].append(lambda model, name=name: getattr(model, name).append(hook))


@change("Graph", "_codegen")
def _(model: Any) -> None:
    model.graph.on_generate_code(lambda _: lambda lines: lines)


@change("Graph", "_codegen")
def _(model: Any) -> None:
    class Other(torch.fx.graph.CodeGen):
        pass

    model.graph.set_codegen(Other())


@change("CodeGen", "_body_transformer")
def _(model: Any) -> None:
    model.graph._codegen._body_transformer = lambda lines: lines


def nested(arguments: Any = ((X,), {}), result: Any = {"a": X}) -> torch.fx.GraphModule:
    """The module with code that nests inputs and results."""
    model = module()
    _, spec = torch.utils._pytree.tree_flatten(arguments)
    _, out = torch.utils._pytree.tree_flatten(result)
    model.graph.set_codegen(_PyTreeCodeGen(_PyTreeInfo(["x"], spec, out)))
    model.recompile()
    return model


@pytest.mark.parametrize("other", [{"result": {"b": X}}, {"result": [X]}, {"arguments": ((), {"x": X})}, {"arguments": (((X,),), {})}], ids=str)
def test_other_nesting_is_noticed(other: dict[str, Any]) -> None:
    assert ROWS["CodeGen", "pytree_info"].verdict == "compared"
    assert verdicts(nested(), nested()) == {"same"}
    assert verdicts(nested(), nested(**other)) == {"undecided"}


setting("CodeGen", "_func_name", lambda model: model.graph._codegen, "other")
for name, value in (("_co_fields", {"co_name": "a"}), ("_tracer_cls", torch.fx.Tracer), ("_tracer_extras", {"a": 1})):
    setting("Graph", name, lambda model: model.graph, value)

setting("Node", "target", node, lambda model: torch.sub)
setting("Node", "op", lambda model: node(model, "call_module"), "get_attr")
setting("Node", "args", node, lambda model: node(model).args[::-1])
setting("Node", "kwargs", node, {"alpha": 3})
setting("Node", "kwargs", node, {})
setting("Node", "name", node, "other")
setting("Node", "type", node, torch.Tensor)
CHANGES["Node", "meta"].append(lambda model: node(model).meta.update(stack_trace="a", custom={"b": 1}, nn_module_stack={"a": ("a", "b")}))

# ---- tensors ---------------------------------------------------------------------------------------


def setting_tensor(field: str, tensor: Callable[[], torch.Tensor]) -> None:
    CHANGES["Tensor", field].append(lambda model: model.register_buffer("count", tensor()))


setting_tensor("data", lambda: torch.tensor([0.0, 2.0]))
setting_tensor("dtype", lambda: torch.arange(2))
setting_tensor("shape", lambda: torch.arange(2.0).view(1, 2))
setting_tensor("stride", lambda: torch.arange(2.0).repeat_interleave(2)[::2])
CHANGES["Tensor", "offset"] = [lambda model: model.scaled.register_buffer("offset", torch.zeros(3)[1:])]
setting_tensor("conjugate bit", lambda: torch.tensor([0.0, 1j]).conj())
setting_tensor("negative bit", lambda: torch.tensor([0.0, 1j]).conj().imag)
setting_tensor("quantizer", lambda: torch.quantize_per_tensor(torch.arange(2.0), 0.5, 0, torch.qint8))
setting_tensor("requires_grad", lambda: torch.arange(2.0).requires_grad_())
setting_tensor("grad_fn", lambda: torch.arange(2.0).requires_grad_() * 1)
setting_tensor("__class__", lambda: torch.arange(2.0).as_subclass(type("Other", (torch.Tensor,), {})))
setting_tensor("layout", lambda: torch.arange(2.0).to_sparse())
setting_tensor("device", lambda: torch.arange(2.0).to("meta"))


@change("Tensor", "_backward_hooks")
def _(model: Any) -> None:
    model.scaled.weight.register_hook(hook)


@change("Tensor", "_post_accumulate_grad_hooks")
def _(model: Any) -> None:
    model.scaled.weight.register_post_accumulate_grad_hook(hook)


def reading(model: Any, name: str) -> None:
    """Adds a call that reads an attribute of a tensor."""
    call = node(model)
    with model.graph.inserting_before(call):
        read = model.graph.call_function(getattr, (model.graph.get_attr("parameter"), name))
    model.parameter = torch.nn.Parameter(torch.ones(2))
    call.args = (read, *call.args[1:])
    model.recompile()


@change("Tensor", "grad_dtype")
def _(model: Any) -> None:
    model.scaled.weight.grad_dtype = torch.float64


@change("Tensor", "_version")
def _(model: Any) -> None:
    model.count.add_(0)


@pytest.mark.parametrize(("name", "value"), [("note", 1), ("grad", torch.ones(2))])
def test_attributes_of_tensors_are_marked_where_a_graph_reads_them(name: str, value: Any) -> None:
    assert ROWS["Tensor", "an attribute" if name == "note" else name].verdict == "compared"
    model, other = module(), module()
    setattr(other.scaled.weight, name, value)
    assert verdicts(model, other) == {"same"}
    for one in (model, other):
        reading(one, name)
    setattr(other.parameter, name, value)
    assert verdicts(model, other) == {"undecided"}


# ---- exported programs -------------------------------------------------------------------------------


def retarget(model: torch.export.ExportedProgram) -> None:
    """Swaps the order of weights in the signature."""
    specs = model._graph_signature.input_specs
    specs[0], specs[1] = dataclasses.replace(specs[0], target=specs[1].target), dataclasses.replace(specs[1], target=specs[0].target)


CHANGES["ExportedProgram", "_graph_signature"] = [
    retarget,
    lambda model: model._graph_signature.output_specs.reverse(),
    lambda model: model._graph_signature.input_specs.__setitem__(-1, dataclasses.replace(model._graph_signature.input_specs[-1], arg=TensorArgument("x"))),
]
CHANGES["ExportedProgram", "_graph_module"] = [lambda model: setattr(next(n for n in model.graph.nodes if "mul" in n.name), "target", torch.ops.aten.div.Tensor)]
CHANGES["ExportedProgram", "_state_dict"] = [lambda model: model._state_dict.update({"lin.bias": torch.nn.Parameter(torch.ones(2))})]
CHANGES["ExportedProgram", "_constants"] = [lambda model: model._constants.update(constant=torch.zeros(2))]
CHANGES["ExportedProgram", "_range_constraints"] = [
    lambda model: model._range_constraints.update({symbol: torch.utils._sympy.value_ranges.ValueRanges(2, 8) for symbol in model._range_constraints})
]
CHANGES["ExportedProgram", "_guards_code"] = [lambda model: model._guards_code.append("L['x'].size()[0] < 9")]
CHANGES["ExportedProgram", "_module_call_graph"] = [
    lambda model: setattr(model._module_call_graph[0].signature, "out_spec", torch.utils._pytree.tree_flatten({"a": 1, "c": 2})[1]),
    lambda model: setattr(model._module_call_graph[0].signature, "in_spec", torch.utils._pytree.tree_flatten(((1,), {"y": 2}))[1]),
]
CHANGES["ExportedProgram", "_example_inputs"] = [lambda model: setattr(model, "_example_inputs", None)]
CHANGES["ExportedProgram", "_verifiers"] = [lambda model: model._verifiers.append(model._verifiers[0])]


def made(kind: str) -> Any:
    return program() if kind == "ExportedProgram" else module()


@pytest.mark.parametrize("kind", ["Module", "ExportedProgram"])
def test_models_made_twice_are_the_same(kind: str) -> None:
    assert verdicts(made(kind), made(kind)) == {"same"}


@pytest.mark.parametrize(("kind", "field", "number"), [(*field, i) for field, some in CHANGES.items() for i in range(len(some))])
def test_change_is_noticed_unless_it_is_irrelevant(kind: str, field: str, number: int) -> None:
    model, other = made(kind), made(kind)
    CHANGES[kind, field][number](other)
    row = ROWS[kind, field]
    if row.verdict == "refused":
        with pytest.raises(sunder.SunderError):
            verdicts(model, other)
        return
    found = verdicts(model, other)
    assert len(found) == 1
    assert (found == {"same"}) == (row.verdict == "irrelevant"), f"{kind} {field}: {found}"


def names_of(thing: Any) -> set[str]:
    """What objects of this kind have, apart from methods."""
    own = set(vars(thing)) if hasattr(thing, "__dict__") else set()
    native = {name for cls in type(thing).__mro__ for name, value in vars(cls).items() if isinstance(value, types.GetSetDescriptorType | types.MemberDescriptorType)}
    return {name for name in own | native if not name.startswith("__")}


def kinds() -> Iterator[tuple[str, set[str]]]:
    model, exported = module(), program()
    unlifted = exported.module()
    yield "Module", names_of(torch.nn.Module())
    for one in (model, unlifted):
        yield "GraphModule", names_of(one) - names_of(torch.nn.Module()) - set(one._buffers) - {"limit"}
        yield "Graph", names_of(one.graph)
        yield "CodeGen", names_of(one.graph._codegen)
        yield from (("Node", names_of(node)) for node in one.graph.nodes)
    yield "ExportedProgram", names_of(exported)
    yield "Tensor", names_of(torch.ones(2)) | names_of(torch.nn.Parameter(torch.ones(2)))


@pytest.mark.skipif(models.RELEASE < (2, 13), reason="other releases have other attributes")
def test_every_attribute_has_a_row() -> None:
    found = {(kind, name) for kind, names in kinds() for name in names}
    assert found - set(ROWS) == set()
    assert set(ROWS) - found - set(CHANGES) == {("Tensor", "an attribute")}  # changed below


@pytest.mark.skipif(models.RELEASE < (2, 13), reason="other releases have other types")
def test_every_type_of_the_schema_has_rows() -> None:
    from torch._export.serde import schema

    rows = {(kind.partition(" of ")[0], field) for kind, field in fields_table.rows("pt2")}
    types_ = {name: one for name, one in vars(schema).items() if isinstance(one, type) and one.__module__ == schema.__name__}
    fields = {
        (name, field)
        for name, one in types_.items()
        if not name.startswith(("AOTInductor", "ExternKernel")) and not issubclass(one, int)
        for field in getattr(one, "__annotations__", {})
    }
    assert len(fields) > 100 and fields - rows == set()


# ---- names and values ---------------------------------------------------------------------------------


class Int(int):
    """A number that a function may tell from others."""


class Noted(str):
    """A text with attributes."""


def noted() -> Noted:
    made = Noted("a")
    made.note = 1  # type: ignore[attr-defined]
    return made


def with_argument(value: Any) -> torch.fx.GraphModule:
    graph = torch.fx.Graph()
    graph.output(graph.call_function(torch.add, (graph.placeholder("x"), 1), {"alpha": value}))
    return torch.fx.GraphModule(torch.nn.Module(), graph)


@pytest.mark.parametrize(("one", "other"), [(Int(3), 3), (noted(), "a"), (noted(), noted())])
def test_subclasses_among_arguments_are_not_their_base(one: Any, other: Any) -> None:
    assert verdicts(with_argument(one), with_argument(one)) == {"same"}
    assert verdicts(with_argument(one), with_argument(other)) == {"undecided"}


SCRIPT = """
import sys, torch, sunder
class Block(torch.nn.Module):
    def forward(self, x):
        return x {operation} 2
def function(x):
    return x {operation} 2
class Leaves(torch.fx.Tracer):
    def is_leaf_module(self, m, module_qualified_name):
        return True
if sys.argv[1] == "class":
    root = torch.nn.Sequential(Block())
    model = torch.fx.GraphModule(root, Leaves().trace(root))
else:
    graph = torch.fx.Graph()
    graph.output(graph.call_function(function, (graph.placeholder("x"),)))
    model = torch.fx.GraphModule(torch.nn.Module(), graph)
sunder.save(model, sys.argv[2])
"""


@pytest.mark.parametrize("kind", ["class", "function"])
def test_names_of_two_scripts_are_not_one(kind: str, tmp_path: pathlib.Path) -> None:
    for name, operation in (("a", "*"), ("b", "*"), ("c", "+")):
        script = tmp_path / f"{name}.py"
        script.write_text(SCRIPT.replace("{operation}", operation), encoding="utf-8")
        assert run_python(script, kind, tmp_path / f"{name}.fxj", cwd=tmp_path, path=tuple(sys.path)).returncode == 0
    assert verdicts(tmp_path / "a.fxj", tmp_path / "b.fxj") == {"same"}
    assert verdicts(tmp_path / "a.fxj", tmp_path / "c.fxj") == {"undecided"}
