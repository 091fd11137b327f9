"""Ways to export × models × functions of the package: results are bitwise equal to those of the program's own module, for the
sizes of the export and for others if the program takes them. Refused combinations are listed with their messages. Every way
exports two of the models and every model is exported in five ways, and all functions run on each of these programs; with SUNDER_WHOLE
set, on the programs of all ways and models.
"""

from __future__ import annotations

import collections
import functools
import inspect
import os
import pathlib
import tempfile
import warnings
from typing import Any, Callable, Iterator

import pytest
import torch
import torch.utils._pytree as pytree

import export_matrix
import models
import sunder
from export_matrix import Exported

if models.RELEASE < (2, 13):
    pytest.skip("what cannot be exported is listed for PyTorch 2.13", allow_module_level=True)

DEVICES = [{"name": f"d{i}", "available_mem_bytes": 10**6, "logical_id": i} for i in range(2)]
Subgraph = collections.namedtuple("Subgraph", ["is_acc", "nodes"])


class Cell:
    """A program, with cached data for several functions."""

    def __init__(self, model: str, way: str, folder: pathlib.Path) -> None:
        self.way, self.source, self.folder = way, export_matrix.exported(model, way), folder

    @property
    def program(self) -> torch.export.ExportedProgram:
        return self.source.program

    @functools.cached_property
    def split(self) -> torch.nn.Module:
        return sunder.split(self.program, 2, parts=self.folder / "parts")

    def graph_module(self) -> torch.fx.GraphModule:
        """The input of PyTorch's own passes: the program's module, or the graph of a joint program, whose module cannot be called."""
        return self.program.graph_module if self.way == "joint" else self.program.module()

    def runs(self, module: Callable[..., Any], source: Exported | None = None) -> None:
        source = source or self.source
        assert models.alike(export_matrix.outcome(module, source.batches), source.wanted)

    def runs_flat(self, module: torch.nn.Module) -> None:
        """Runs a module with flat inputs and results: for a joint program, all those of its graph."""
        if self.way != "joint":
            batches = [(tuple(pytree.tree_leaves(batch)), {}) for batch in self.source.batches]
            wanted = [pytree.tree_leaves(result) for result, _, _ in self.source.wanted]
        else:
            tensors = {**self.program.state_dict, **self.program.constants}
            specs = self.program.graph_signature.input_specs
            users = [iter(pytree.tree_leaves(batch)) for batch in self.source.batches]
            batches = [(tuple(tensors[s.target] if s.target else next(user) for s in specs), {}) for user in users]
            wanted = [result for result, _, _ in export_matrix.outcome(self.program.graph_module, batches)]
        found = [pytree.tree_leaves(result) for result, _, _ in export_matrix.outcome(module, batches)]
        assert models.alike(found, [pytree.tree_leaves(result) for result in wanted])


# ---- checks of each program -------------------------------------------------------------------------


def split(cell: Cell) -> None:
    cell.runs(cell.split)
    wanted = inspect.signature(cell.program.module().forward)
    assert list(inspect.signature(cell.split.forward).parameters) == list(wanted.parameters)


def pipeline(cell: Cell) -> None:
    assert cell.split is not None
    made = sunder.Pipeline(cell.folder / "parts")
    cell.runs(made)
    examples = made.example_inputs()
    assert examples is not None and models.alike(pytree.tree_leaves(examples), pytree.tree_leaves(cell.source.batches[0]))
    assert made.check(against=cell.program)


def split_by_tags(cell: Cell) -> None:
    module = cell.graph_module()
    for name, tag in models.halves(module.graph).items():
        next(node for node in module.graph.nodes if node.name == name).tag = tag
    made = sunder.split_by_tags(module, ["front", "back"])
    cell.runs_flat(made) if cell.way == "joint" else cell.runs(made)


def split_module(cell: Cell) -> None:
    module = cell.graph_module()
    halves = models.halves(module.graph)
    cell.runs_flat(sunder.split_module(module, None, lambda node: 0 if halves[node.name] == "front" else 1))


def move_non_tensor_nodes_on_boundary(cell: Cell) -> None:
    from torch.fx.passes.split_utils import move_non_tensor_nodes_on_boundary as torchs

    nodes = models.calls(cell.graph_module().graph)
    for node in nodes:
        node.meta["type"] = torch.Tensor if isinstance(node.meta.get("val"), torch.Tensor) else int
    lists = []
    for move in (sunder.move_non_tensor_nodes_on_boundary, torchs):
        graphs = [Subgraph(i % 2 == 0, nodes[i * 5 : i * 5 + 5]) for i in range(-(-len(nodes) // 5))]
        move(graphs)
        lists.append([[node.name for node in graph.nodes] for graph in graphs])
    assert sorted(sum(lists[0], [])) == sorted(sum(lists[1], []))
    assert [sorted(names) for names in lists[0]] == [sorted(names) for names in lists[1]]


def unflatten(cell: Cell) -> None:
    cell.runs(sunder.unflatten(cell.program))


def deduplicate(cell: Cell) -> None:
    cell.runs(sunder.deduplicate(cell.program))


def regions(cell: Cell) -> None:
    names = {node.name for node in cell.program.graph.nodes}
    found = sunder.regions(cell.program).groups
    assert all(set(region) <= names and len(region) == len(group[0]) for group in found for region in group)


def verify(cell: Cell) -> None:
    assert sunder.verify(cell.program, cell.split)


def check(cell: Cell) -> None:
    assert sunder.check(cell.program, 2)


def partition(cell: Cell) -> None:
    cell.runs(sunder.partition(cell.program, DEVICES).module)


def show(cell: Cell) -> None:
    assert sunder.show(cell.program, 2).svg.startswith("<")


def save_as_pt2(cell: Cell) -> None:
    sunder.save(cell.program, cell.folder / "model.pt2")
    loaded = sunder.load(cell.folder / "model.pt2")
    cell.runs(export_matrix.module_of(loaded))  # type: ignore[arg-type]


def save_as_fx_json(cell: Cell) -> None:
    sunder.save(cell.program, cell.folder / "model.fxj")
    cell.runs(sunder.load(cell.folder / "model.fxj"))  # type: ignore[arg-type]


FUNCTIONS = [
    split, pipeline, split_by_tags, split_module, move_non_tensor_nodes_on_boundary, unflatten, deduplicate, regions, verify, check,
    partition, show, save_as_pt2, save_as_fx_json,
]  # fmt: skip

#: Refused combinations: way, model (None: all), function (None: the export itself), and message of PyTorch or Sunder.
REFUSED: list[tuple[str, str | None, str | None, type[Exception], str]] = [
    ("joint", "attention", None, AssertionError, "Found a parameter that did not receive a gradient"),
    ("joint", None, "unflatten", sunder.SunderError, "joint forward-backward programs have no module stacks"),  # NYI in PyTorch
    *(
        (way, "counting", "partition", sunder.SunderError, "the size of nonzero is unknown")  # its memory is data-dependent
        for way in export_matrix.WAYS
        if way != "joint"  # a loss does not need it
    ),
    *(
        ("joint", "branches", function, Exception, "Failed serializing node cond_1")  # torch.export.save: gradients of cond
        for function in ("split", "pipeline", "verify", "save_as_pt2")
    ),
]


def refusal(way: str, model: str, function: str | None) -> tuple[type[Exception], str] | None:
    fits = [line for line in REFUSED if line[0] == way and line[1] in (None, model) and line[2] == function]
    return fits[0][3:] if fits else None


NAMED = {line[:2] for line in REFUSED if line[0] == "joint"}  # the refusals of the other way hold for each of its exports
PROGRAMS = [
    (way, model)
    for at, way in enumerate(export_matrix.WAYS)
    for place, model in enumerate(export_matrix.MODELS)
    if os.environ.get("SUNDER_WHOLE") or (at + at // 3 - place) % 3 == 0 or (way, model) in NAMED
]
EXPORTED = [program for program in PROGRAMS if refusal(*program, None) is None]


@pytest.mark.parametrize(("way", "model"), [program for program in PROGRAMS if program not in EXPORTED])
def test_what_torch_cannot_export(way: str, model: str) -> None:
    error, words = refusal(way, model, None) or (Exception, "")
    with pytest.raises(error, match=words):
        export_matrix.exported(model, way)


@pytest.fixture(scope="module", params=EXPORTED, ids=lambda program: "-".join(program))
def cell(request: Any) -> Iterator[Cell]:
    way, model = request.param
    with tempfile.TemporaryDirectory(prefix="sunder-matrix-") as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", sunder.NotProven)
        yield Cell(model, way, pathlib.Path(folder))
    export_matrix.exported.cache_clear()


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_function_of_the_package(cell: Cell, function: Callable[[Cell], None], request: Any) -> None:
    way, model = request.node.callspec.params["cell"]
    refused = refusal(way, model, function.__name__)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", sunder.NotProven)
        if refused is None:
            return function(cell)
        with pytest.raises(refused[0], match=refused[1]):
            function(cell)
