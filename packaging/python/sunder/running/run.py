"""Runs exported parts against the whole model."""

from __future__ import annotations

import copy
import pathlib
import statistics
import tempfile
from typing import Any, Callable, Iterator, Mapping, Sequence

import torch
import torch.fx

from ..checks import costs, memory
from ..errors import SunderError
from ..exchange import Model
from ..model_files import Path
from ..passes import split
from ..pipeline import Pipeline
from ..pipeline.check import Whole, buffers_kept, compared, whole_of
from ..pipeline.comparison import difference, distances
from ..pipeline.devices import Devices, tensors_of
from ..pipeline.manifest import FILE, Value
from ..profiling import device_text, synchronizer, timed_runs
from ..tags import Tags
from .measuring import PartClock
from .results import MeasuredPart, OutputComparison, PartsRun

Progress = Callable[[str, float], None]  # the current step, and the share of steps that are done
_SEED = 0
_GUARDS = "_guards_fn"  # the call that ExportedProgram.module() adds


def run_parts(
    source: Model | None = None,
    /,
    tags: Tags = None,
    *,
    parts: Path | None = None,
    inputs: Sequence[Any] | None = None,
    kwargs: Mapping[str, Any] | None = None,
    model: str | None = None,
    device: Devices = None,
    devices: Any = None,
    warmup: int = 2,
    repeats: int = 10,
    progress: Progress = lambda step, share: None,
) -> PartsRun:
    """Runs parts against the whole model on the same inputs, compares every output, and measures seconds and memory of each part.

    Splits the model by `tags`, as `split` does, into the folder `parts` or a temporary one. With `parts` and no tags, runs the
    parts that the folder has. `source` is then the model to compare with, by default the file that they were cut from.
    `inputs`, `kwargs`: of the model; by default those saved with it, or else generated from the shapes and types of its inputs.
    `device`: where the parts run, as for `Pipeline`; by default where they were exported. `devices`: as for `costs`, to estimate
    seconds on the first of them. Each part is warmed up and repeated, and the device is synchronized; the median counts.
    `model`: name of the program in a file with several.
    """
    if warmup < 0 or repeats < 1:
        raise SunderError("warmup must be at least 0 and repeats at least 1", code="usage")
    has_parts = parts is not None and tags is None and (pathlib.Path(parts) / FILE).is_file()
    if has_parts:
        return _Run(parts, source, inputs, kwargs, device, warmup, repeats, progress).result({}, {})
    if source is None:
        raise SunderError("pass a model, or parts= with a folder that has parts", code="usage")
    with tempfile.TemporaryDirectory(prefix="sunder-") as scratch:
        progress("Split the model", 0)
        folder = pathlib.Path(parts) if parts is not None else pathlib.Path(scratch) / "parts"
        cut = split(source, tags, parts=folder, model=model)
        memories = {part.name: part.peak for part in memory(source, tags, model=model).parts if not part.unknown}
        seconds = {} if devices is None else _estimated(cut, costs(source, devices=devices, model=model).nodes)
        examples = (inputs, kwargs)
        if inputs is None and kwargs is None and isinstance(source, torch.export.ExportedProgram) and source.example_inputs:
            examples = source.example_inputs
        made = _Run(folder, source, *examples, device, warmup, repeats, progress)
        if examples[0] is not inputs:
            made.origin = "example"
        return made.result(seconds, memories)


def _estimated(cut: torch.fx.GraphModule, known: Mapping[str, Any]) -> dict[str, float]:
    """Estimated seconds of each part."""
    return {
        name: sum(known[node.name].seconds or 0 for node in part.graph.nodes if node.name in known)
        for name, part in cut.named_children()
        if isinstance(part, torch.fx.GraphModule)
    }


class _Run:
    """The steps of a run: load, compare, measure part by part."""

    def __init__(
        self,
        folder: Any,
        against: Whole,
        inputs: Sequence[Any] | None,
        kwargs: Mapping[str, Any] | None,
        device: Devices,
        warmup: int,
        repeats: int,
        progress: Progress,
    ) -> None:
        progress("Load the parts", 0)
        self.pipeline = Pipeline(folder, device)
        self._steps, self._done, self._progress = 3 + 2 * len(self.pipeline.names), 1, progress
        self._warmup, self._repeats = warmup, repeats
        self._notes: list[str] = []
        self._step("Load the model")
        self.whole = whole_of(self.pipeline.manifest, against)
        self.inputs, self.origin = self._inputs(inputs, kwargs)

    def result(self, seconds: Mapping[str, float], memories: Mapping[str, int]) -> PartsRun:
        self._step("Run the whole model and the parts")
        found = compared(self.pipeline, self.inputs, self.whole)
        outputs = tuple(
            _comparison(f"output{path} ({value.name or 'a literal'})", actual, wanted)
            for path, value, actual, wanted in zip(self.pipeline.nesting.output_paths(), self.pipeline.manifest.outputs, found.actual, found.wanted)
        )
        with torch.random.fork_rng(devices=[]), torch.no_grad(), buffers_kept(self.pipeline):
            torch.manual_seed(_SEED)
            whole = self._whole_seconds()
            parts = tuple(self._measured(seconds, memories))
        self._progress("Finish", 1)
        notes = (_inputs_note(self.origin), *_notes(parts), *self._notes)
        return PartsRun(outputs, parts, str(found.agreement), bool(found.agreement), whole, self._device(), self.origin, notes)

    def _inputs(self, inputs: Sequence[Any] | None, kwargs: Mapping[str, Any] | None) -> tuple[dict[str, Any], str]:
        nesting = self.pipeline.nesting
        if inputs is not None or kwargs is not None:
            return dict(nesting.bound(tuple(inputs or ()), dict(kwargs or {}))), "given"
        examples = self.pipeline.example_inputs()
        if examples is not None:
            return dict(nesting.bound(*examples)), "example"
        generator = torch.Generator().manual_seed(_SEED)
        made = [_generated(value, generator) for value in self.pipeline.manifest.inputs]
        return dict(nesting.bound(*nesting.nested_inputs(made))), "generated"

    def _whole_seconds(self) -> float:
        args, kwargs = self.pipeline.nesting.nested_inputs(list(self.inputs.values()))
        device = next((tensor.device for _, _, tensor in tensors_of(self.whole)), torch.device("cpu"))
        if any(self.pipeline.device_of(number) != device for number in range(len(self.pipeline.names))):
            self._notes.append(f"The whole model ran on {device}.")
        with buffers_kept(self.whole):
            _, runs = timed_runs(lambda given: self.whole(*given[0], **given[1]), lambda: copy.deepcopy((args, kwargs)), self._warmup,
                                 self._repeats, synchronizer(device))
        return statistics.median(end - start for start, end in runs)

    def _measured(self, seconds: Mapping[str, float], memories: Mapping[str, int]) -> Iterator[MeasuredPart]:
        values = {name: value.clone() if isinstance(value, torch.Tensor) else value for name, value in self.inputs.items()}
        graph = self.whole.graph if isinstance(self.whole, torch.fx.GraphModule) else None
        names = None if graph is None else {node.name for node in graph.nodes} - {_GUARDS}
        for number, name in enumerate(self.pipeline.names):
            self._step(f"Measure {name}")
            clock = PartClock(self.pipeline, number, values, self._warmup, self._repeats)
            runs = clock.runs()
            peak = clock.memory()
            self._step(f"Measure the ops of {name}")
            calls = clock.calls(lambda call: names is None or call in names)
            median, total = statistics.median(runs), sum(calls.values())
            scaled = {call: value * median / total for call, value in calls.items()} if total > 0 else {}
            yield MeasuredPart(name, str(self.pipeline.device_of(number)), runs, median, peak, clock.weights(), seconds.get(name),
                               memories.get(name), scaled)
            values.update(self.pipeline.call_part(number, values))

    def _device(self) -> str:
        return ", ".join(dict.fromkeys(device_text(self.pipeline.device_of(number)) for number in range(len(self.pipeline.names))))

    def _step(self, text: str) -> None:
        self._progress(text, min(self._done / self._steps, 1))
        self._done += 1


def _comparison(name: str, actual: Any, wanted: Any) -> OutputComparison:
    why = difference(actual, wanted) or ""
    if not isinstance(wanted, torch.Tensor):
        return OutputComparison(name, None, type(wanted).__name__, not why, None, None, why)
    alike = isinstance(actual, torch.Tensor) and actual.shape == wanted.shape and actual.dtype == wanted.dtype and not wanted.is_meta
    largest, relative = distances(actual, wanted) if alike else (None, None)
    return OutputComparison(name, tuple(wanted.shape), str(wanted.dtype).removeprefix("torch."), not why, largest, relative, why)


def _generated(value: Value, generator: torch.Generator) -> Any:
    """A value with the recorded shape and type: normal numbers, zeros for integers, which are valid indices, True for truth values."""
    if value.is_literal:
        return value.literal
    if value.type in ("int", "float", "bool"):
        return {"int": 1, "float": 1.0, "bool": True}[value.type]
    if value.type != "tensor" or value.shape is None or not value.dtype:
        raise SunderError(f"input '{value.name}' has no example, and no recorded shape to generate one: pass inputs", code="usage")
    sizes = [size if isinstance(size, int) else size.get("hint", 1) for size in value.shape]
    dtype = getattr(torch, value.dtype)
    if dtype.is_floating_point or dtype.is_complex:
        wide = torch.complex64 if dtype.is_complex else torch.float32
        return torch.randn(sizes, generator=generator, dtype=wide).to(dtype)
    return torch.ones(sizes, dtype=dtype) if dtype is torch.bool else torch.zeros(sizes, dtype=dtype)


def _inputs_note(origin: str) -> str:
    return {"given": "Inputs: as given.", "example": "Inputs: the example inputs saved with the model."}.get(
        origin, "Inputs: generated from the recorded shapes, since the model has no example inputs: normal numbers, zeros for integers.")


def _notes(parts: Sequence[MeasuredPart]) -> list[str]:
    runs = sorted({len(part.runs) for part in parts})
    count = str(runs[0]) if len(runs) == 1 else f"{runs[0]} to {runs[-1]}"
    notes = [f"Seconds: the median of {count} runs of each part after a warm-up, without moving its inputs."]
    if any(part.memory is not None for part in parts):
        notes.append("Memory: weights, inputs, and the most that PyTorch's allocator hands out during a run, workspaces of kernels included.")
    if any(part.memory is None for part in parts):
        notes.append("The memory of some parts was not measured: their device does not report allocations.")
    return notes
