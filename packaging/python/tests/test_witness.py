"""Runs of two models: differences that are found or not found, and witnesses that are read again."""

from __future__ import annotations

import itertools
import json
import pathlib
import zipfile
from typing import Any, Callable

import pytest
import torch

import models
import sunder
from sunder.witness import domain, observed, rounding, search, values

DYNAMIC = torch.export.Dim.AUTO
_CALLS = itertools.count()
_SCHEMAS = torch.library.Library("sunder_witness_tests", "DEF")
_SCHEMAS.define("calls(Tensor x) -> Tensor")
_SCHEMAS.impl("calls", lambda x: torch.tensor(float(next(_CALLS))), "CPU")


def traced(function: Callable[..., Any]) -> torch.fx.GraphModule:
    return torch.fx.symbolic_trace(function)


class Called(torch.nn.Module):
    """A function of a module with a buffer and its input."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function
        self.register_buffer("count", torch.zeros(4))

    def forward(self, x: Any) -> Any:
        return self.function(self, x)


def called(function: Callable[..., Any]) -> torch.fx.GraphModule:
    return torch.fx.symbolic_trace(Called(function))


def exported(function: Callable[..., Any], *inputs: Any, sizes: Any = None) -> torch.export.ExportedProgram:
    class One(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return function(x)

    class Two(torch.nn.Module):
        def forward(self, x: Any, y: Any) -> Any:
            return function(x, y)

    return torch.export.export(One() if len(inputs) == 1 else Two(), inputs, dynamic_shapes=sizes)


def rows_below(limit: int) -> Callable[..., Any]:
    """A function that leaves out rows from `limit` on, of any number of rows."""
    return lambda x: x * (torch.arange(x.shape[0]) < limit)[:, None]


def run(a: Any, b: Any, seconds: float = 600) -> search.Outcome:
    return search.search(a, b, seconds)


def first(a: Any, b: Any) -> str:
    """The first difference that a run of both finds."""
    outcome = run(a, b)
    assert outcome.witness is not None, outcome
    return outcome.witness.why


def write_count(module: Any, x: Any, twice: bool) -> Any:
    module.count.add_(x.sum() * 0 + (2 if twice else 1))
    return x + 1


def draw_twice(x: Any) -> Any:
    dropped = torch.nn.functional.dropout(x, 0.5, True)
    torch.nn.functional.dropout(x, 0.5, True)
    return dropped


KINDS: dict[str, tuple[Any, Any, str]] = {
    "values": (lambda x: x.clamp(0, 1), lambda x: x.clamp(0, 2), "output of call 1: "),
    "a negative zero": (lambda x: x + 0.0, lambda x: x * 1, "output of call 1: "),
    "infinities": (lambda x: x * 0.0, lambda x: torch.zeros_like(x) * x.clamp(-1e9, 1e9), "output of call "),
    "dtype": (lambda x: x.sum(), lambda x: x.double().sum(), "output of call 1: float64 [] in B, float32 [] in A"),
    "shape": (lambda x: x.sum(0), lambda x: x.sum(0, True), "output of call 1: float32 [1, 4] in B, float32 [4] in A"),
    "nesting": (lambda x: (x + 1,), lambda x: [x + 1], "nesting of the results of call 1: "),
    "strides": (lambda x: x.t().t() + 1, lambda x: (x.t() + 1).t(), "strides of output of call 1: "),
    "a number": (lambda x: x.dim(), lambda x: x.size(0), "output of call 1: 3 in B, 2 in A"),
    "memory of an input": (lambda x: x.view_as(x), lambda x: x.clone(), "memory of output of call 1: its own in B, that of input 'x' in A"),
    "memory of a result": (lambda x: (y := x + 1, y.t())[0:2], lambda x: (y := x + 1, y.clone().t())[0:2], "memory of output[1] of call 1: "),
    "a written input": (lambda x: (x.add_(1), x * 2)[1], lambda x: (x + 1) * 2, "input 'x' after call 1: "),
    "requires_grad": (lambda x: x * 2, lambda x: x.detach() * 2, "gradients of output of call 1: "),
    "random numbers": (lambda x: torch.nn.functional.dropout(x, 0.5, True), draw_twice, "random numbers after call 1: "),
    "an error": (lambda x: x + 1, lambda x: (x.view(7), x + 1)[1], "call 1: raises RuntimeError: "),
    "an error for other strides": (lambda x: x.reshape(-1), lambda x: x.view(-1), "call 1: raises RuntimeError: "),
}


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_difference_is_found(kind: str) -> None:
    a, b, why = KINDS[kind]
    assert first(traced(a), traced(b)).startswith(why)
    assert run(traced(a), traced(a)).witness is None
    assert run(traced(b), traced(b)).witness is None


def test_writes_to_buffers_are_found() -> None:
    a, b = (called(lambda module, x, twice=twice: write_count(module, x, twice)) for twice in (False, True))
    assert first(a, b) == "'count' after the last call: 4 of 4 elements differ, by up to 2"


def test_state_that_shows_in_the_second_call_is_found() -> None:
    a = called(lambda module, x: (x + module.count, write_count(module, x, False))[0])
    b = called(lambda module, x: (x + module.count * 0, write_count(module, x, False))[0])
    assert first(a, b).startswith("output of call 2: ")
    assert a.count.eq(0).all(), "the models themselves are not changed"


EQUAL: dict[str, tuple[Any, Any]] = {
    "another name": (lambda x: torch.relu(x), lambda x: x.relu()),
    "operands of a sum": (lambda x: x + 2, lambda x: 2 + x),
    "a view by another name": (lambda x: x.flatten(), lambda x: x.reshape(-1)),
    "hidden by what follows": (lambda x: torch.zeros_like(x.sin()), lambda x: torch.zeros_like(x.cos())),
    "memory that nobody wrote": (lambda x: torch.empty_like(x), lambda x: torch.empty_like(x) * 1),
    "which NaN it is": (lambda x: x * 0 + x, lambda x: x + x * 0),
    "a conjugate view": (lambda x: x.conj() + 1, lambda x: x.conj().resolve_conj() + 1),
}


@pytest.mark.parametrize("pair", EQUAL)
def test_equal_models_are_not_called_different(pair: str) -> None:
    outcome = run(*map(traced, EQUAL[pair]))
    assert outcome.why_not is None and outcome.trials >= 10
    assert outcome.witness is None, outcome.witness


def test_results_of_passes_are_not_called_different(exported: models.Case) -> None:
    outcome = run(exported.graph, sunder.split(exported.graph, models.halves(exported.graph.graph)))
    assert outcome.trials > 0, outcome
    assert outcome.witness is None and outcome.domain is None, outcome


def test_what_differs_from_run_to_run_is_no_witness() -> None:
    a = traced(lambda x: torch.ops.sunder_witness_tests.calls(x) + x)
    b = traced(lambda x: torch.ops.sunder_witness_tests.calls(x + 0) + x)
    outcome = run(a, b)
    assert outcome.witness is None
    assert any("change between runs" in note for note in outcome.notes)


def test_inputs_stay_in_the_domain_of_both() -> None:
    a = exported(rows_below(8), torch.ones(4, 2), sizes=({0: torch.export.Dim("rows", min=2, max=8)},))
    b = exported(rows_below(99), torch.ones(4, 2), sizes=({0: torch.export.Dim("rows", min=2, max=64)},))
    outcome = run(a, b)  # they differ above 8 rows, and A takes at most 8
    assert outcome.witness is None and outcome.domain is None and outcome.trials > 10


def test_sizes_at_the_edges_are_tried() -> None:
    rows = ({0: torch.export.Dim("rows", min=2, max=50)},)
    a = exported(rows_below(50), torch.ones(4, 2), sizes=rows)
    b = exported(rows_below(49), torch.ones(4, 2), sizes=rows)
    assert first(a, b).startswith("output")
    sizes = {shapes[0][0] for shapes in map(domain.RunnableModel(a).shapes, domain.RunnableModel(a).assignments())}
    assert {2, 4, 50} <= sizes and min(sizes) == 2 and max(sizes) == 50


def test_inputs_that_one_refuses_are_a_difference_of_domain() -> None:
    a = exported(lambda x: x * 2 if x.shape[0] % 2 == 0 else x * 3, torch.ones(4, 2), sizes=({0: DYNAMIC},))
    b = exported(lambda x: x * 2, torch.ones(4, 2), sizes=({0: DYNAMIC},))
    verdict = sunder.verify(a, b, run=True)
    assert verdict.verdict == "undecided" and verdict.witness is None
    assert any("This is a difference of domain" in note for note in verdict.notes)
    assert sunder.verify(b, b, run=True)


def test_models_for_other_inputs_are_not_run() -> None:
    a, b = (exported(lambda x: x + 1, torch.ones(rows, 2)) for rows in (3, 4))
    assert run(a, b).why_not == "found no inputs that the models accept"
    assert "no input is in the domain of both" in str(run(a, exported(lambda x: x + 1, torch.ones(3, 2).double())).why_not)
    assert "A takes 1 inputs, but B 2" in str(run(traced(lambda x: x), traced(lambda x, y: x)).why_not)


@pytest.mark.parametrize("described", [False, True])
def test_inputs_require_gradients_as_described(described: bool) -> None:
    def without_gradients(x: Any) -> Any:
        with torch.no_grad():
            return x * 2

    x = torch.ones(2, requires_grad=described)
    outcome = run(exported(without_gradients, x), exported(lambda x: x * 2, x))
    assert outcome.trials > 0 and (outcome.witness is not None) == described
    if outcome.witness is not None:
        assert outcome.witness.why == "gradients of output of call 1: required in B, not required in A"


def test_indices_stay_inside_their_table_and_reach_its_end() -> None:
    table = torch.nn.Embedding(11, 3)
    a, b = torch.nn.Embedding(11, 3), torch.nn.Embedding(11, 3)
    a.load_state_dict(table.state_dict())
    b.load_state_dict(table.state_dict())
    with torch.no_grad():
        b.weight[10] += 1
    ids = torch.zeros(2, 5, dtype=torch.int64)
    programs = [torch.export.export(one, (ids,)) for one in (table, a, b)]
    assert run(programs[0], programs[1]).witness is None
    assert first(programs[0], programs[2]).startswith("output of call ")


def test_undecided_becomes_different_and_never_the_same() -> None:
    a, b, c = traced(lambda x: (x > 0.5) * x), traced(lambda x: (x > 0.25) * x), traced(lambda x: ((x > 0.5) & (x > 0.5)) * x)
    assert sunder.verify(a, b).verdict == "undecided"
    verdict = sunder.verify(a, b, run=True)
    assert verdict.verdict == "different" and verdict.witness is not None
    assert verdict.why == f"in PyTorch {torch.__version__}, {verdict.witness.why}"
    assert any(note.startswith("inputs: x float32 [3, 4]") for note in verdict.notes)
    before = sunder.verify(a, c)
    after = sunder.verify(a, c, run=True)
    assert (after.verdict, after.why, after.witness) == (before.verdict, before.why, None)


def test_a_difference_of_models_found_the_same_is_a_fault() -> None:
    outcome = run(traced(lambda x: x + 1), traced(lambda x: x + 2))
    said = search.judged({"verdict": "same", "notes": []}, outcome)
    assert said["verdict"] == "different"
    assert said["notes"][0].startswith("BUG IN SUNDER")
    assert search.judged({"verdict": "different", "why": "w", "notes": []}, run(traced(lambda x: x), traced(lambda x: x)))["verdict"] == "different"


def test_numbers_that_differ_by_rounding() -> None:
    one = torch.tensor([1.0, 1000.0, float("inf")])
    assert rounding.is_rounding(one, torch.tensor([1.01, 1000.1, 5.0]))
    assert rounding.is_rounding(1.0, 1.0 + 1e-9)
    for other in (torch.tensor([1.0, 1200.0, 0.0]), one.double(), one[:2], one > 0, "text"):
        assert not rounding.is_rounding(one, other)
    assert not rounding.is_rounding(torch.tensor([1]), torch.tensor([2]))


def test_a_run_that_ignores_rounding_finds_more_than_that() -> None:
    a, b, c = traced(lambda x: x * 3.0), traced(lambda x: x * 3.0000001), traced(lambda x: x * 4.0)
    assert search.search(a, b, 5.0, rounding=True).witness is None
    outcome = search.search(a, c, 5.0, rounding=True)
    said = {"verdict": "same_up_to_rounding", "why": "w", "notes": [], "rounding": {"count": 1, "names": ["y"]}}
    judged = search.judged(said, outcome)
    assert judged["verdict"] == "different" and "rounding" not in judged
    kept = search.judged(said, search.search(a, b, 5.0, rounding=True))
    assert (kept["verdict"], kept["rounding"]) == ("same_up_to_rounding", said["rounding"])


def test_a_witness_is_read_again_and_reproduced(tmp_path: pathlib.Path) -> None:
    a = exported(lambda x, y: x.reshape(-1)[y], torch.ones(4, 3), torch.tensor([1]))
    b = exported(lambda x, y: x.t().reshape(-1)[y], torch.ones(4, 3), torch.tensor([1]))
    verdict = sunder.verify(a, b, run=True)
    assert verdict.witness is not None
    verdict.witness.save(tmp_path / "witness.zip")
    again = sunder.Witness.load(tmp_path / "witness.zip")
    assert again.differences == verdict.witness.differences and again.names == ("x", "y")
    assert again.run(a, b) == verdict.witness.differences
    assert again.run(a, a) == ()
    with zipfile.ZipFile(tmp_path / "witness.zip") as archive:
        said = json.loads(archive.read("witness.json"))
    assert said["differences"][0] == {"where": verdict.witness.differences[0].what, "why": verdict.witness.differences[0].why}
    assert said["calls"][0][0]["dtype"] == "float32"
    with pytest.raises(sunder.SunderError, match="with 2 inputs, but A has 1"):
        again.run(traced(lambda x: x), traced(lambda x: x))


@pytest.mark.parametrize("layout", values.LAYOUTS)
def test_witnesses_keep_numbers_and_strides(layout: str, tmp_path: pathlib.Path) -> None:
    tensor = values.laid_out(torch.tensor([[1.0, float("nan")], [-0.0, float("inf")]]), layout)
    calls = observed.Call([[tensor, 3, None, float("-inf"), torch.float16]], seed=5, grad=False)
    sunder.Witness((search.Difference("output", "why"),), ("x", "n", "none", "f", "d"), calls, {}).save(tmp_path / "w.zip")
    read = sunder.Witness.load(tmp_path / "w.zip").calls
    assert (read.seed, read.grad, read.inputs[0][1:]) == (5, False, [3, None, float("-inf"), torch.float16])
    assert read.inputs[0][0].stride() == tensor.stride()
    assert torch.equal(read.inputs[0][0].contiguous().view(torch.int32), tensor.contiguous().view(torch.int32))


def test_single_elements_with_strides_are_compared() -> None:
    one = torch.tensor([[1.0, 2.0], [3.0, 4.0]])[:1, 0]
    assert one.stride() == (2,)
    assert search.differences(observed.Run({"x": one}), observed.Run({"x": one.clone()})) == []
    assert search.differences(observed.Run({"x": one}), observed.Run({"x": one + 1}))[0].why == "1 of 1 elements differ, by up to 1"


def test_files_that_are_no_witness_are_refused(tmp_path: pathlib.Path) -> None:
    outcome = run(traced(lambda x: x + 1), traced(lambda x: x + 2))
    assert outcome.witness is not None
    outcome.witness.save(tmp_path / "good.zip")
    with zipfile.ZipFile(tmp_path / "good.zip") as archive:
        said = json.loads(archive.read("witness.json"))
        records = {name: archive.read(name) for name in archive.namelist() if name != "witness.json"}
    leaf = said["calls"][0][0]
    for change in ({"stride": [400, 1]}, {"offset": -1}, {"dtype": "nn"}, {"record": "data/none"}, {"shape": [3]}):
        bad = {**said, "calls": [[{**leaf, **change}]]}
        with zipfile.ZipFile(tmp_path / "bad.zip", "w") as archive:
            archive.writestr("witness.json", json.dumps(bad))
            for name, content in records.items():
                archive.writestr(name, content)
        with pytest.raises(sunder.SunderError):
            sunder.Witness.load(tmp_path / "bad.zip")
    (tmp_path / "text").write_text("no zip")
    for path in (tmp_path / "text", tmp_path / "nothing"):
        with pytest.raises(sunder.SunderError):
            sunder.Witness.load(path)


def test_models_that_cannot_be_run_say_why(tmp_path: pathlib.Path) -> None:
    model = traced(torch.nn.Linear(4, 4))
    sunder.save(model, tmp_path / "model.fxj", weights=False)
    with pytest.warns(sunder.errors.WithoutWeights):
        outcome = run(tmp_path / "model.fxj", model)
    assert outcome.why_not == "A: the contents of 'weight' are missing"
    said = search.judged({"verdict": "undecided", "why": "w", "notes": []}, outcome)
    assert (said["verdict"], said["why"]) == ("undecided", "w")
    assert said["notes"] == ["the models could not be run in PyTorch: A: the contents of 'weight' are missing"]
    with pytest.raises(sunder.SunderError, match="weights=False"):
        sunder.verify(model, model, run=True, weights=False)


def test_writes_to_parameters_are_run_without_gradients() -> None:
    class Model(torch.nn.Module):
        def __init__(self, factor: float) -> None:
            super().__init__()
            self.weight = torch.nn.Parameter(torch.ones(4))
            self.factor = factor

        def forward(self, x: Any) -> Any:
            return torch.mul(x * 0 + self.factor, 1, out=self.weight) * x

    a, b, c = (torch.fx.symbolic_trace(Model(factor)) for factor in (2.0, 2.0, 3.0))
    assert run(a, b).witness is None and run(a, b).raising < run(a, b).trials
    assert first(a, c).startswith("output of call 1: ")


def test_models_that_always_raise_are_named() -> None:
    program = exported(lambda x: x + 1, torch.ones(2))
    other = exported(lambda x: x + 1, torch.ones(2))
    for one in (program, other):
        call = next(node for node in one.graph.nodes if node.op == "call_function")
        call.args = (call.args[0], call.args[0].graph.call_function(torch.ops.aten.view.default, (call.args[0], [7])))
    for one in (program, other):
        view, add = list(one.graph.nodes)[-1], next(node for node in one.graph.nodes if node.name == "add")
        add.prepend(view)
        one.graph_module.recompile()
    outcome = run(program, other)
    assert outcome.witness is None and outcome.raising == outcome.trials > 0
    assert "both models raise an error on all inputs" in outcome.notes


def test_the_time_is_limited_and_nothing_global_changes() -> None:
    torch.manual_seed(5)
    before = torch.get_rng_state(), torch.is_grad_enabled(), torch.get_num_threads(), torch.get_default_dtype()
    outcome = run(traced(lambda x: x + 1), traced(lambda x: x + 1), seconds=0)
    assert outcome.trials == 0 and outcome.why_not is not None
    late = run(exported(lambda x: x + 1, torch.ones(2)), exported(lambda x: x + 1, torch.ones(2)), seconds=0)
    assert late.why_not == "no run completed: the time limit ended the search"
    run(traced(lambda x: torch.nn.functional.dropout(x)), traced(lambda x: x))
    after = torch.get_rng_state(), torch.is_grad_enabled(), torch.get_num_threads(), torch.get_default_dtype()
    assert torch.equal(before[0], after[0]) and before[1:] == after[1:]
