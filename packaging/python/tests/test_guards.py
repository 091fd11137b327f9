"""Results refuse the sizes that the program refuses: guards of the export, ranges, and expressions of sizes."""

from __future__ import annotations

import importlib.util
import itertools
import pathlib
from typing import Any, Callable

import pytest
import torch
from torch.export import Dim

import models
import sunder
from sunder.fxjson.guards import check_guards, conditions, size_condition

pytestmark = pytest.mark.skipif(models.RELEASE < (2, 9), reason="programs of these releases have no guards")


class Function(torch.nn.Module):
    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function

    def forward(self, x: torch.Tensor, y: Any) -> Any:
        return self.function(x, y)


def even(x: Any, y: Any) -> Any:
    return x.sum() + (y.sum() if x.shape[0] % 2 == 0 else 0)


def equal(x: Any, y: Any) -> Any:
    return x.sum() + (y.sum() if x.shape[0] == y.shape[0] else 0)


def larger(x: Any, y: Any) -> Any:
    return x.sum() + (y.sum() if x.shape[0] > y.shape[0] else 0)


def excluded(x: Any, y: Any) -> Any:
    return x.sum() + (y.sum() if x.shape[0] != 5 else 0)


def several(x: Any, y: Any) -> Any:
    return x.sum() + (y.sum() if x.shape[0] % 3 == 1 and y.shape[0] >= 2 * x.shape[0] else 0)


def either(x: Any, y: Any) -> Any:
    return x.sum() + (y.sum() if max(x.shape[0], y.shape[0]) // 2 == 4 else 0)


def twice(x: Any, y: Any) -> Any:
    return torch.cat([x, x]) + y


def longer(x: Any, y: Any) -> Any:
    return x[1:] + y


def nested(x: Any, y: Any) -> Any:
    return x.sum() + (y["a b"][1].sum() if x.shape[0] == 2 * y["a b"][1].shape[0] else 0)


def number(x: Any, y: Any) -> Any:
    return x.sum() + (1 if y > x.shape[0] else 0)


ROWS = {0: Dim.AUTO}
SIZE = Dim("size", min=3, max=6)
#: Function, sizes of the example, dynamic shapes, and how the second input is made from its size.
CASES: dict[str, tuple[Callable[..., Any], tuple[int, int], Any, Callable[[int], Any]]] = {
    "divisible": (even, (4, 3), (ROWS, ROWS), torch.ones),
    "equal": (equal, (4, 4), (ROWS, ROWS), torch.ones),
    "larger": (larger, (6, 4), (ROWS, ROWS), torch.ones),
    "excluded": (excluded, (4, 3), (ROWS, ROWS), torch.ones),
    "several": (several, (4, 9), (ROWS, ROWS), torch.ones),
    "larger of two": (either, (4, 9), (ROWS, ROWS), torch.ones),
    "multiple": (twice, (3, 6), (ROWS, ROWS), torch.ones),
    "difference": (longer, (5, 4), (ROWS, ROWS), torch.ones),
    "ranges": (twice, (4, 8), ({0: SIZE}, {0: 2 * SIZE}), torch.ones),
    "ranges of expressions": (longer, (9, 8), ({0: 2 * SIZE + 1}, {0: 2 * SIZE}), torch.ones),
    "nested": (nested, (6, 3), (ROWS, {"a b": (None, ROWS)}), lambda size: {"a b": (torch.ones(1), torch.ones(size))}),
    "number": (number, (4, 7), (ROWS, Dim.DYNAMIC), int),
}


def loaded(program: torch.export.ExportedProgram, folder: pathlib.Path) -> torch.nn.Module:
    sunder.save(program, folder / "model.fxj")
    return sunder.load(folder / "model.fxj")


def module_loaded(program: torch.export.ExportedProgram, folder: pathlib.Path) -> torch.nn.Module:
    sunder.save(program.module(), folder / "model.fxj")
    return sunder.load(folder / "model.fxj")


def archive(program: torch.export.ExportedProgram, folder: pathlib.Path) -> pathlib.Path:
    sunder.save(program, folder / "model.pt2")
    return folder / "model.pt2"


MADE: dict[str, Callable[..., torch.nn.Module]] = {
    "split": lambda program, folder: sunder.split(program, 1),
    "unflatten": lambda program, folder: sunder.unflatten(program),
    "deduplicate": lambda program, folder: sunder.deduplicate(program),
    "load": loaded,
    "load of a module": module_loaded,
    "split of a file": lambda program, folder: sunder.split(archive(program, folder), 1),
    "unflatten of a file": lambda program, folder: sunder.unflatten(archive(program, folder)),
    "copy": lambda program, folder: torch.fx.GraphModule(module := sunder.split(program, 1), module.graph),
}


def exported(case: str, strict: bool) -> torch.export.ExportedProgram:
    function, (rows, other), shapes, second = CASES[case]
    return torch.export.export(Function(function), (torch.ones(rows), second(other)), dynamic_shapes=shapes, strict=strict)


def accepts(module: torch.nn.Module, *inputs: Any) -> bool:
    try:
        module(*inputs)
    except (AssertionError, RuntimeError, ValueError, sunder.SunderError):
        return False
    return True


@pytest.mark.parametrize("strict", [False, True], ids=["nonstrict", "strict"])
@pytest.mark.parametrize("case", CASES)
def test_sizes_are_refused_that_the_program_refuses(case: str, strict: bool, tmp_path: pathlib.Path) -> None:
    program = exported(case, strict)
    grid = [(torch.ones(rows), CASES[case][3](other)) for rows, other in itertools.product(range(2, 15), repeat=2)]
    whole, unflattened = program.module(), torch.export.unflatten(program)
    wanted = [accepts(whole, *inputs) for inputs in grid]
    assert any(wanted) and not all(wanted)
    for how, make in MADE.items():
        module = make(program, tmp_path)
        found = [accepts(module, *inputs) for inputs in grid]
        if how.startswith("unflatten"):  # has no guards in PyTorch, but refuses 7 as the size 2·n of a hidden n
            assert found == [fits and accepts(unflattened, *inputs) for fits, inputs in zip(wanted, grid)], how
        else:
            assert found == wanted, how


def runner(folder: pathlib.Path) -> torch.nn.Module:
    spec = importlib.util.spec_from_file_location("run_of_parts", folder / "run.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    parts: torch.nn.Module = module.Parts()
    return parts


@pytest.mark.parametrize("strict", [False, True], ids=["nonstrict", "strict"])
@pytest.mark.parametrize("case", CASES)
def test_parts_refuse_the_sizes_that_the_whole_refuses(case: str, strict: bool, tmp_path: pathlib.Path) -> None:
    program = exported(case, strict)
    calls = [node.name for node in program.graph.nodes if node.op == "call_function"]
    tags = {name: "first" if number < 1 else "second" for number, name in enumerate(calls)}
    sunder.split(program, tags, parts=tmp_path / "parts")
    whole = program.module()
    made = {"pipeline": sunder.Pipeline(tmp_path / "parts"), "run.py": runner(tmp_path / "parts")}
    for rows, other in itertools.product(range(2, 15), repeat=2):
        inputs = torch.ones(rows), CASES[case][3](other)
        wanted = accepts(whole, *inputs)
        for how, module in made.items():
            assert accepts(module, *inputs) == wanted, (how, rows, other)


def test_failed_guards_are_shown(tmp_path: pathlib.Path) -> None:
    for make in MADE.values():
        module = make(exported("several", False), tmp_path)
        with pytest.raises(AssertionError, match=r"Guard failed: (\*args\[0\]|x).size\(\)\[0\] % 3 == 1$"):
            module(torch.ones(5), torch.ones(12))


PLACES = {("x",): 0, ("y", "k", 0): 1, ("n",): 2}
REFUSED = (
    "__import__('os').system('true') == 0",
    "L['x'].__class__ == 1",
    "L['x'].size()[0].__class__ == 1",
    "L['x'].storage().size()[0] == 1",
    "L['x'].size(0) == 1",
    "L['x'].size()[-1] == 1",
    "L['x'].size()[L['n']] == 1",
    "L['z'].size()[0] == 1",
    "(lambda: 1)() == 1",
    "[1][0] == 1",
    "'a' * 9 == 'a'",
    "size0_0 == 1",
    "L['x'].size()[0] in (1, 2)",
    "open(L['x'].size()[0]) == 1",
    "max(L['x'].size()[0], key=open) == 1",
    "L['x'].size()[0] ==",
    "(" * 500 + "1" + ")" * 500,
    "-" * 1500 + "1",
)


@pytest.mark.parametrize("text", REFUSED)
def test_only_conditions_on_sizes_are_evaluated(text: str) -> None:
    assert conditions([text], PLACES) == ()
    assert size_condition("size0_0", text, {"s0": "size1_0"}) is None


FIT, OTHER = [torch.ones(2, 3), torch.ones(4), 3], [torch.ones(9, 5).t()[1:], torch.ones(1), 1]


@pytest.mark.parametrize(
    "guard",
    [
        "L['x'].size()[0] % 2 == 0 and not (L['x'].size()[1] > 3 or L['x'].stride()[1] != 1)",
        "L['x'].size()[0] <= L['y']['k'][0].size()[0] < 10",
        "max(L['x'].size()[1], 5) ** 2 // 5 == 5 if L['n'] > 2 else False",
        "math.floor(L['n'] / 2) + L['x'].storage_offset() == 1 and L['n'] != 1",
        "-L['n'] + 4 == 1",
    ],
)
def test_conditions_are_those_of_the_texts(guard: str) -> None:
    (condition,) = conditions([guard], PLACES)
    check_guards(FIT, [condition], str)
    with pytest.raises(AssertionError, match="Guard failed"):
        check_guards(OTHER, [condition], str)


@pytest.mark.parametrize("text", ["2 ** 9999", "1 // (L['x'].size()[0] - 2)", "L['x'].size()[9]", "((2 ** 64) ** 64) ** 64"])
def test_conditions_that_cannot_be_computed_fail(text: str) -> None:
    with pytest.raises(AssertionError, match="Guard failed"):
        check_guards([torch.ones(2)], conditions([f"{text} != 0"], PLACES), str)
