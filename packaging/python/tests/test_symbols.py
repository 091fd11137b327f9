"""Round trips of symbolic sizes through files: expressions, hints, and bounds, including infinite ones."""

from __future__ import annotations

import json
import pathlib
import types
from typing import Any

import pytest
import sympy
import torch
from torch.export import Dim
from torch.utils._sympy.numbers import int_oo
from torch.utils._sympy.value_ranges import ValueRanges

import models
import sunder
from sunder.fxjson import signature_out, symbols

SIZES = (torch.SymInt, torch.SymFloat, torch.SymBool)


class Sizes(torch.nn.Module):
    """Unbounded sizes, floats computed from them, and data-dependent numbers."""

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> Any:
        count, size = x.shape[0], y.shape[0] * y.shape[1]
        mean = x.mean().item() if models.RELEASE > (2, 8) else 1.5  # 2.6 exports this only without sizes
        whole, places = x.sum().to(torch.int64).item(), y.nonzero()
        torch._check(mean < 7.25)
        torch._check(whole >= -5)
        floats = size * 0.1, torch.sym_sqrt(size), size / 3, mean * size
        shifted = (size << 2, size >> 1) if models.RELEASE > (2, 8) else (size * 4, size * 8)
        integers = size // 3, *shifted, size % 5, torch.sym_max(size, 9), count + whole
        return x.sum() * mean, floats, integers, (size > 3, whole < 4), places


def exported(dims: Any) -> torch.export.ExportedProgram:
    args = torch.rand(4, 8), torch.rand(5, 7)
    return torch.export.export(Sizes(), args, dynamic_shapes=({0: dims[0]}, {0: dims[1], 1: dims[2]}))


DIMS = {
    "unbounded": (Dim("a"), Dim("b"), Dim("c")),
    "bounded": (Dim("a", min=3, max=64), Dim("b", max=99), Dim("c", min=4)),
    "automatic": (Dim.AUTO, Dim.AUTO, Dim.AUTO),
    "dynamic": (Dim.DYNAMIC, Dim.DYNAMIC(min=3), Dim.DYNAMIC(max=50)) if models.RELEASE > (2, 6) else (Dim.DYNAMIC,) * 3,
}


@pytest.mark.parametrize("dims", DIMS.values(), ids=DIMS)
def test_values_and_bounds_come_back(dims: Any, tmp_path: pathlib.Path) -> None:
    program = exported(dims)
    sunder.save(program, tmp_path / "model.fxj")
    loaded = sunder.load(tmp_path / "model.fxj")
    values = [(node.meta.get("val"), again.meta.get("val")) for node, again in zip(program.graph.nodes, loaded.graph.nodes)]
    sizes = [pair for pair in values if isinstance(pair[0], SIZES)]
    assert len(sizes) > 15
    for before, after in sizes:
        assert type(after) is type(before) and after.node.expr == before.node.expr and after.node.hint == before.node.hint
    shapes = [(before, after) for before, after in values if isinstance(before, torch.Tensor)]
    assert all(str(before.shape) == str(after.shape) for before, after in shapes)
    env = next(after.fake_mode.shape_env for _, after in shapes)
    assert {symbol: env.var_to_range[symbol] for symbol in program.range_constraints} == program.range_constraints
    sunder.save(loaded, tmp_path / "again.fxj")
    assert bounds_in(tmp_path / "again.fxj") == bounds_in(tmp_path / "model.fxj")


def bounds_in(path: pathlib.Path) -> list[Any]:
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [(line["sym"], line["min"], line["max"]) for line in lines if line["k"] == "range"]


@pytest.mark.parametrize(
    ("lower", "upper", "said"),
    [
        (-int_oo, int_oo, (None, None)),
        (-sympy.oo, sympy.oo, (None, None)),
        (sympy.Integer(2), int_oo, (2, None)),
        (sympy.Integer(0), sympy.Integer(2**63 - 2), (0, 2**63 - 2)),
        (sympy.Integer(-(2**70)), sympy.Integer(2**70), (None, None)),
        (sympy.Float(0.5), sympy.Float(7.25), (0, 8)),
        (sympy.false, sympy.true, (0, 1)),
    ],
)
def test_bounds_are_integers_or_none(lower: Any, upper: Any, said: Any) -> None:
    program = types.SimpleNamespace(range_constraints={sympy.Symbol("s0"): ValueRanges(lower, upper)})
    assert list(signature_out.range_lines(program)) == [{"k": "range", "sym": "s0", "min": said[0], "max": said[1]}]


def test_bounds_that_come_after_an_answer_count() -> None:
    made = symbols.Symbols()
    size, data = made.value({"sym": "s0", "hint": 4}), made.value({"sym": "u0"})
    assert not (size < 0)
    made.bound([{"sym": "s0", "min": 3, "max": None}, {"sym": "u0", "min": -9, "max": None}])
    env = made.env()
    assert env.var_to_range[size.node.expr] == ValueRanges(3, int_oo) and env.var_to_range[data.node.expr] == ValueRanges(-9, int_oo)
    assert env._maybe_evaluate_static(data.node.expr >= 0) is None
    assert env._maybe_evaluate_static(size.node.expr >= 3) is sympy.true


@pytest.mark.parametrize("text", ["int_oo", "-int_oo", "oo", "Min(s0, int_oo)", "s0 << 2", "OpaqueUnaryFn_sqrt(ToFloat(s0))"])
def test_what_sympy_prints_is_read(text: str) -> None:
    size = sympy.Symbol("s0", integer=True, positive=True)
    names = {**vars(torch.utils._sympy.functions), "s0": size, "int_oo": int_oo}
    wanted = 4 * size if text == "s0 << 2" else eval(text, {"oo": sympy.oo}, names)
    assert symbols.parse(text, "int") == wanted


@pytest.mark.parametrize("said", [{"sym": "s0", "hint": 2.5}, {"sym": "s0", "hint": True}, {"sym": "f", "kind": "float", "hint": 3}])
def test_hint_of_another_kind_is_refused(said: Any) -> None:
    with pytest.raises(sunder.SunderError, match="whose hint"):
        symbols.Symbols().value(said)


def test_passes_take_programs_without_bounds() -> None:
    case = models.Case(exported(DIMS["unbounded"]), (torch.rand(6, 8), torch.rand(3, 9)), {})
    for made in (sunder.split(case.graph, 2), sunder.unflatten(case.graph), sunder.deduplicate(case.graph)):
        assert models.alike(case.made(made), case.wanted())
    assert sunder.verify(case.graph, case.graph) and sunder.check(case.graph, 2)
