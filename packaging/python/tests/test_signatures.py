"""Results have the parameters of the model, so that they can be inspected, exported, and compiled again."""

from __future__ import annotations

import copy
import inspect
import pathlib
import pickle
from typing import Any, Callable

import pytest
import torch
from torch.export import Dim

import models
import sunder


class Named(torch.nn.Module):
    """Parameters with names of PyTorch and of Python, nested and keyword inputs, writes to a buffer and to an input."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.last = torch.nn.Linear(8, 8), torch.nn.Linear(8, 8)
        self.register_buffer("count", torch.zeros(1))

    def forward(self, x: torch.Tensor, pair: Any, device: Any, max: Any = None, *, scale: Any, program: Any = 1) -> Any:
        self.count.add_(1)
        y = self.last(self.first(x).relu()) * scale + pair["u"][0] + self.count + device
        x.mul_(2)
        return {"y": y, "z": [y.sum(), 3]}


NAMES = ["x", "pair", "device", "scale", "program"]
ROWS = {0: Dim.AUTO}
SHAPES = {"x": ROWS, "pair": {"u": (ROWS,)}, "device": None, "scale": None, "program": None}


def case(rows: int, program: Any = None) -> models.Case:
    args = torch.randn(rows, 8), {"u": (torch.randn(rows, 8),)}, torch.ones(1)
    return models.Case(program, args, {"scale": torch.tensor(2.0), "program": 1})


@pytest.fixture(scope="module")
def program() -> torch.export.ExportedProgram:
    torch.manual_seed(5)
    given = case(4)
    return torch.export.export(Named(), copy.deepcopy(given.args), given.kwargs, dynamic_shapes=SHAPES)


def saved(program: torch.export.ExportedProgram, folder: pathlib.Path) -> torch.nn.Module:
    sunder.save(program, folder / "model.fxj")
    return models.as_module(sunder.load(folder / "model.fxj"))


MADE: dict[str, Callable[..., torch.nn.Module]] = {
    "split": lambda program, folder: sunder.split(program, 2),
    "unflatten": lambda program, folder: sunder.unflatten(program),
    "deduplicate": lambda program, folder: sunder.deduplicate(program),
    "load": saved,
}


@pytest.fixture(params=MADE)
def made(request: Any, program: torch.export.ExportedProgram, tmp_path: pathlib.Path) -> torch.nn.Module:
    return MADE[request.param](program, tmp_path)


def test_parameters_are_those_of_the_model(made: torch.nn.Module, program: torch.export.ExportedProgram) -> None:
    for module in (made, copy.deepcopy(made)):
        assert list(inspect.signature(module.forward).parameters) == NAMES
    given = case(3, program)
    assert models.alike(given.made(made), given.wanted())
    by_name = models.Case(program, (), dict(zip(NAMES, given.args)) | given.kwargs)
    assert models.alike(by_name.made(made)[0], given.wanted()[0])


def test_inputs_of_the_export_by_keyword_are_taken_by_keyword_only(made: torch.nn.Module, program: Any) -> None:
    kinds = [one.kind for one in inspect.signature(made.forward).parameters.values()]
    assert kinds == 3 * [inspect.Parameter.POSITIONAL_OR_KEYWORD] + 2 * [inspect.Parameter.KEYWORD_ONLY]
    given = case(3, program)
    with pytest.raises(TypeError, match="positional"):
        made(*given.args, *given.kwargs.values())


class Swapped(torch.nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
        return x - 2 * y + 3 * z


def test_order_of_keywords_of_the_export_is_not_that_of_the_model(tmp_path: pathlib.Path) -> None:
    x, y, z = torch.randn(3, 2)
    program = torch.export.export(Swapped(), (x,), {"z": z, "y": y})
    for make in MADE.values():
        module = make(program, tmp_path)
        with pytest.raises(TypeError):
            module(x, y, z)
        for result in (module(x, y=y, z=z), module(x, z=z, y=y), module(y=y, x=x, z=z)):
            assert torch.equal(result, Swapped()(x, y, z))


class Constants(torch.nn.Module):
    def forward(self, x: Any, flag: bool = True, none: Any = None, *, tree: Any, mode: str = "a b", k: Any = 2.5) -> Any:
        x = x * k if flag else x
        x = x if none is None else x + none
        return x + tree["p"][0] - 2 * tree["q"] if mode == "a b" else x


ROW, OTHER = torch.randn(2), torch.randn(2)
ARGUMENTS: dict[str, Any] = {
    "x": ROW, "flag": True, "none": None, "tree": {"p": [ROW], "q": OTHER}, "mode": "a b", "k": 2.5,
}  # fmt: skip
CHANGED: dict[str, tuple[type[Exception], str, dict[str, Any]]] = {
    "flag": (RuntimeError, r"at \*args\[1\] to be equal to True, but got False", {"flag": False}),
    "flag of another type": (RuntimeError, "to be equal to True, but got 1", {"flag": 1}),
    "value for None": (RuntimeError, "to be equal to None", {"none": ROW}),
    "text": (RuntimeError, "'mode' to be equal to a b, but got b", {"mode": "b"}),
    "number": (RuntimeError, "'k' to be equal to 2.5, but got 5.0", {"k": 5.0}),
    "tensor": (RuntimeError, "'k' to be equal to 2.5", {"k": torch.tensor(2.5)}),
    "longer list": (sunder.errors.WronglyNested, "nested as", {"tree": {"p": [ROW, ROW], "q": OTHER}}),
    "more keys": (sunder.errors.WronglyNested, "nested as", {"tree": {"p": [ROW], "q": OTHER, "r": ROW}}),
    "other keys": (sunder.errors.WronglyNested, "nested as", {"tree": {"p": [ROW], "r": OTHER}}),
    "dict for list": (sunder.errors.WronglyNested, "nested as", {"tree": {"p": {0: ROW}, "q": OTHER}}),
    "tuple for list": (sunder.errors.WronglyNested, "nested as", {"tree": {"p": (ROW,), "q": OTHER}}),
    "None for dict": (sunder.errors.WronglyNested, "nested as", {"tree": None}),
}


def called(module: Any, **changed: Any) -> Any:
    given = {**ARGUMENTS, **changed}
    return module(*(given[name] for name in ("x", "flag", "none")), **{name: given[name] for name in ("tree", "mode", "k")})


@pytest.fixture(params=[*MADE, "partition"])
def constant(request: Any, tmp_path: pathlib.Path) -> Any:
    """A result of a program with constants among its inputs."""
    program = called(lambda *args, **kwargs: torch.export.export(Constants(), args, kwargs))
    if request.param == "partition":
        return sunder.partition(program, [{"name": "a", "available_mem_bytes": 1 << 20}]).module
    return MADE[request.param](program, tmp_path)


@pytest.mark.parametrize("change", CHANGED)
def test_other_constants_and_nestings_are_refused(constant: Any, change: str) -> None:
    kind, text, changed = CHANGED[change]
    again = copy.deepcopy(constant)
    for module in (constant, again, torch.fx.GraphModule(again, again.graph)):
        assert torch.equal(called(module), called(Constants()))
        with pytest.raises(kind, match=text) as error:
            called(module, **changed)
        assert "\n" not in str(error.value)


def test_dicts_may_have_another_order(constant: Any) -> None:
    assert torch.equal(called(constant, tree={"q": OTHER, "p": [ROW]}), called(Constants()))


def test_constants_are_checked_in_pickled_results(constant: Any) -> None:
    again = pickle.loads(pickle.dumps(constant))
    assert torch.equal(called(again), called(Constants()))
    for name, other in {"flag": False, "mode": "b", "k": 5.0, "none": ROW}.items():
        with pytest.raises((RuntimeError, AssertionError)):
            called(again, **{name: other})


# Every compilation takes a second. Results differ in their modules: of a graph with submodules, of torch.export, and of unflatten.
@pytest.mark.parametrize("constant", ["split", "load", "unflatten"], indirect=True)
def test_constants_are_checked_in_compiled_results(constant: Any) -> None:
    torch._dynamo.reset()
    assert torch.equal(called(torch.compile(constant, backend="eager", fullgraph=True)), called(Constants()))
    module = torch.compile(constant, backend="eager")
    assert torch.equal(called(module), called(Constants()))
    with pytest.raises((RuntimeError, AssertionError)):
        called(module, mode="b")


def test_interpreters_check_constants(constant: Any) -> None:
    run = torch.fx.Interpreter(constant).run
    leaves = torch.utils._pytree.tree_leaves
    assert torch.equal(run(*leaves(ARGUMENTS)), called(Constants()))
    with pytest.raises(RuntimeError, match="to be equal to True"):
        run(*leaves({**ARGUMENTS, "flag": False}))


def test_modules_of_programs_from_files_check_constants(tmp_path: pathlib.Path) -> None:
    program = called(lambda *args, **kwargs: torch.export.export(Constants(), args, kwargs))
    sunder.save(program.module(), tmp_path / "model.fxj")
    with pytest.raises(RuntimeError, match="to be equal to 2.5, but got 5.0"):
        called(sunder.load(tmp_path / "model.fxj"), k=5.0)


@pytest.mark.parametrize("strict", [False, True], ids=["nonstrict", "strict"])
@pytest.mark.parametrize("shapes", [SHAPES, tuple(SHAPES.values())], ids=["named", "placed"])
def test_results_are_exported_again(made: torch.nn.Module, program: Any, shapes: Any, strict: bool) -> None:
    given = case(4)
    source = copy.deepcopy(made)
    again = torch.export.export(source, copy.deepcopy(given.args), given.kwargs, dynamic_shapes=shapes, strict=strict)
    for rows in (4, 7):
        given = case(rows, program)
        assert models.alike(given.made(again.module()), given.wanted())


def test_results_compile(made: torch.nn.Module, program: Any) -> None:
    torch._dynamo.reset()
    if models.RELEASE < (2, 9):  # dynamo of these releases cannot trace the generation of part code
        count = made.count.clone()
        made(*case(5).args, **case(5).kwargs)
        made.count.copy_(count)
    compiled = torch.compile(made, backend="eager", fullgraph=True)
    given = case(7, program)
    wanted = given.wanted()  # before the call writes to the buffer that program and result share
    args, kwargs = copy.deepcopy((given.args, given.kwargs))
    assert models.alike((compiled(*args, **kwargs), args, kwargs), wanted)


def test_interpreters_run_results_on_nested_and_flat_inputs(made: torch.nn.Module, program: Any) -> None:
    given = case(5, program)
    wanted = given.wanted()[0]
    for inputs in ((*given.args, *given.kwargs.values()), torch.utils._pytree.tree_leaves((given.args, given.kwargs))):
        module = copy.deepcopy(made)
        assert models.alike(torch.fx.Interpreter(module).run(*copy.deepcopy(inputs)), wanted)


def test_results_are_pickled(made: torch.nn.Module, program: Any) -> None:
    given = case(5, program)
    assert models.alike(given.made(pickle.loads(pickle.dumps(made))), given.wanted())


class Keywords(torch.nn.Module):
    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return args[0] + args[1] - kwargs["a b"] / kwargs["scale"]


@pytest.mark.skipif(models.RELEASE < (2, 9), reason="such keywords are not exported")
def test_keywords_that_are_no_parameters_are_taken_as_given() -> None:
    args = torch.randn(3), torch.randn(3)
    kwargs = {"a b": torch.randn(3), "scale": torch.tensor(3.0)}
    module = sunder.split(torch.export.export(Keywords(), args, kwargs), 2)
    assert str(inspect.signature(module.forward)) == "(args_0, args_1, *, scale, **others)"
    assert torch.equal(module(*args, **kwargs), Keywords()(*args, **kwargs))
    with pytest.raises(ValueError, match="mismatch"):
        module(*args, **kwargs, more=args[0])


def test_inputs_of_a_traced_graph_keep_names_and_defaults() -> None:
    traced = models.traced("words")
    wanted = inspect.signature(traced.graph.forward)
    for made in (sunder.split(traced.graph, 2), sunder.deduplicate(traced.graph)):
        found = inspect.signature(made.forward)
        assert [(one.name, one.default) for one in found.parameters.values()] == [
            (one.name, one.default) for one in wanted.parameters.values()
        ]


def test_module_of_a_program_keeps_its_signature(program: torch.export.ExportedProgram) -> None:
    made = sunder.split(program.module(check_guards=False) if models.RELEASE >= (2, 9) else program.module(), 2)
    assert list(inspect.signature(made.forward).parameters) == NAMES
    given = case(3, program)
    assert models.alike(given.made(made), given.wanted())


@pytest.mark.parametrize("make", [lambda program: sunder.split(program, 2), sunder.deduplicate, sunder.unflatten])
def test_results_refuse_the_sizes_that_the_export_refuses(make: Callable[..., Any]) -> None:
    class Sum(torch.nn.Module):
        def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
            return (x + y).sin()

    size = torch.export.Dim("size", min=3, max=10)
    program = torch.export.export(Sum(), (torch.ones(4, 2), torch.ones(4, 2)), dynamic_shapes=({0: size}, {0: size}))
    module = make(program)
    for rows, other, columns in ((3, 3, 2), (10, 10, 2), (2, 2, 2), (11, 11, 2), (4, 1, 2), (4, 4, 3)):
        inputs = torch.ones(rows, columns), torch.ones(other, columns)
        try:
            wanted = program.module()(*inputs)
        except (AssertionError, RuntimeError):
            with pytest.raises((AssertionError, RuntimeError), match="size|shape"):
                module(*inputs)
        else:
            assert torch.equal(module(*inputs), wanted)
