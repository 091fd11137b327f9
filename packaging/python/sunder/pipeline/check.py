"""Comparison of parts with the model that they were cut from."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import hashlib
import os
import pathlib
import zipfile
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Sequence

import torch
import torch.utils._pytree as pytree

from ..errors import SunderError
from ..exchange import module_of
from ..model_files import load, programs_in
from .comparison import Agreement, Difference, difference
from .manifest import Manifest, Value
from .nesting import mismatches, value_text

if TYPE_CHECKING:
    from .pipeline import Pipeline

Whole = str | os.PathLike[str] | torch.export.ExportedProgram | torch.nn.Module | None


@dataclasses.dataclass(frozen=True)
class Compared:
    """Leaves of the results of the parts and of the model, and whether they agree."""

    actual: list[Any]
    wanted: list[Any]
    agreement: Agreement


def checked(pipeline: "Pipeline", args: Sequence[Any], kwargs: Mapping[str, Any], against: Whole) -> Agreement:
    if not args and not kwargs and pipeline.manifest.inputs:
        examples = pipeline.example_inputs()
        if examples is None:
            missing = ", ".join(pipeline.inputs_without_example())
            raise SunderError(f"the model has no example of {missing}: pass inputs for the check", code="usage")
        args, kwargs = examples
    inputs = pipeline.nesting.bound(args, kwargs)
    return compared(pipeline, inputs, whole_of(pipeline.manifest, against)).agreement


def compared(pipeline: "Pipeline", inputs: Mapping[str, Any], whole: torch.nn.Module) -> Compared:
    """Calls the parts and the model on the same inputs, given by name, and compares every bit."""
    args, kwargs = pipeline.nesting.nested_inputs(list(inputs.values()))  # the model needs all of its keyword arguments
    with buffers_kept(pipeline):
        before = _buffers_of(pipeline)
        result, after = _run(pipeline, args, kwargs), _buffers_of(pipeline)
    with buffers_kept(whole):
        _take_buffers(whole, before)
        try:
            wanted = pytree.tree_leaves(_run(whole, args, kwargs))
        except Exception as error:
            raise _failure(whole, inputs, error) from error
        actual = pytree.tree_leaves(result)
        differences = _outputs_that_differ(pipeline, actual, wanted)
        buffers = {name: buffer for name, buffer in whole.named_buffers() if name in after}
        for name, buffer in buffers.items():
            if why := difference(after[name], buffer):
                differences.append(Difference(f"buffer {name}", why))
        if differences and isinstance(whole, torch.fx.GraphModule):
            _take_buffers(whole, before)
            differences[0] = _traced(pipeline, whole, inputs, differences[0])
    return Compared(actual, wanted, Agreement(len(wanted), len(buffers), tuple(differences)))


def _outputs_that_differ(pipeline: "Pipeline", actual: list[Any], wanted: list[Any]) -> list[Difference]:
    if len(actual) != len(wanted):
        return [Difference("the result", f"{len(actual)} values instead of {len(wanted)}")]
    found = []
    for path, value, a, w in zip(pipeline.nesting.output_paths(), pipeline.manifest.outputs, actual, wanted):
        if why := difference(a, w):
            found.append(Difference(f"output{path} ({value.name or 'a literal'})", why))
    return found


def _run(module: torch.nn.Module, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """The result for copies of the inputs, with the same random numbers. It shares no memory with buffers, which are restored."""
    with torch.random.fork_rng(devices=[]), torch.no_grad():
        torch.manual_seed(0)
        result = module(*copy.deepcopy(tuple(args)), **copy.deepcopy(dict(kwargs)))
        return pytree.tree_map(lambda value: value.clone() if isinstance(value, torch.Tensor) else value, result)


def _failure(whole: torch.nn.Module, inputs: Mapping[str, Any], error: Exception) -> SunderError:
    """Names the inputs for which the model was not exported."""
    nodes = whole.graph.find_nodes(op="placeholder") if isinstance(whole, torch.fx.GraphModule) else []
    why = mismatches([_expected(node) for node in nodes], list(inputs.values()), "the model")
    hint = f" ({'; '.join(why)})" if why and len(nodes) == len(inputs) else ""
    return SunderError(f"the model to compare with fails on the inputs: {type(error).__name__}: {error}{hint}", code="usage")


def _expected(node: torch.fx.Node) -> Value:
    value = node.meta.get("val")
    if not isinstance(value, torch.Tensor):
        return Value(node.name)
    shape = tuple(size if isinstance(size, int) else {"sym": str(size)} for size in value.shape)
    return Value(node.name, "tensor", str(value.dtype).removeprefix("torch."), shape)


def _buffers_of(pipeline: "Pipeline") -> dict[str, torch.Tensor]:
    return {
        name: buffer.detach().clone()
        for number in pipeline.loaded
        for name, buffer in pipeline.module_of(number).named_buffers()
    }


def _take_buffers(whole: torch.nn.Module, buffers: Mapping[str, torch.Tensor]) -> None:
    with torch.no_grad():
        for name, buffer in whole.named_buffers():
            if name not in buffers:
                continue
            own, taken = value_text(buffers[name]), value_text(buffer)
            if own != taken:
                raise SunderError(f"buffer '{name}' is {own} in the parts, but {taken} in the model to compare with", code="usage")
            if not buffers[name].is_meta:
                buffer.copy_(buffers[name])


@contextlib.contextmanager
def buffers_kept(module: torch.nn.Module) -> Iterator[None]:
    """Restores the buffers of a module at the end."""
    kept = [(buffer, buffer.detach().clone()) for buffer in module.buffers()]
    try:
        yield
    finally:
        with torch.no_grad():
            for buffer, before in kept:
                buffer.copy_(before)


def _traced(
    pipeline: "Pipeline", whole: torch.fx.GraphModule, inputs: Mapping[str, Any], first: Difference
) -> Difference:
    """Adds the first value between parts that differs from the value of the same node in the model."""
    names = {value.name for part in pipeline.manifest.parts for value in part.outputs}
    recorder = _Recorder(whole, names)
    with torch.random.fork_rng(devices=[]), torch.no_grad(), buffers_kept(pipeline):
        torch.manual_seed(0)
        recorder.run(*copy.deepcopy(list(inputs.values())))
        torch.manual_seed(0)
        values = copy.deepcopy(dict(inputs))
        for number, given in pipeline.results_of(values):
            values.update(given)
            for name, value in given.items():
                if name in recorder.values and difference(value, recorder.values[name]):
                    return Difference(first.what, first.why, pipeline.names[number], name)
    return first


class _Recorder(torch.fx.Interpreter):
    """Records the values of nodes with these names."""

    def __init__(self, module: torch.fx.GraphModule, names: set[str]) -> None:
        super().__init__(module)
        self.names = names
        self.values: dict[str, Any] = {}

    def run_node(self, node: torch.fx.Node) -> Any:
        value = super().run_node(node)
        if node.name in self.names:
            self.values[node.name] = value.clone() if isinstance(value, torch.Tensor) else value
        return value


def whole_of(manifest: Manifest, against: Whole) -> torch.nn.Module:
    """The model to compare with; by default, the file that the parts were cut from."""
    if against is None:
        against = _source_of(manifest)
    if isinstance(against, torch.nn.Module):
        return against
    if not isinstance(against, torch.export.ExportedProgram):
        against = load(against, model=manifest.model if _has(against, manifest.model) else None)
    return module_of(against) if isinstance(against, torch.export.ExportedProgram) else against


def _has(path: str | os.PathLike[str], program: str | None) -> bool:
    return program is not None and zipfile.is_zipfile(path) and program in (programs_in(path) or ())


def _source_of(manifest: Manifest) -> pathlib.Path:
    """Returns the file that the parts were cut from: found by its name, confirmed by its hash."""
    places = [manifest.folder / manifest.source, manifest.folder.resolve().parent / manifest.source]
    for place in places:
        if manifest.source and place.is_file():
            if manifest.sha256 and _hash_of(place) != manifest.sha256:
                text = f"{place} has changed since the parts were cut from it: pass the model as against="
                raise SunderError(text, code="io", where={"file": str(place)})
            return place
    text = (
        f"the model of the parts, {manifest.source}, is neither in {manifest.folder} nor in the folder above: "
        "pass the file, the program, or the model as against="
    )
    raise SunderError(text, code="io", where={"file": manifest.source})


def _hash_of(path: pathlib.Path) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
