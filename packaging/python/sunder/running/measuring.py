"""Seconds and memory of parts that run."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence

import torch
import torch.fx

from ..pipeline.check import buffers_kept
from ..pipeline.devices import bring, storage_of, tensors_of
from ..pipeline.memories import version_of
from ..profiling import CallTimer, synchronizer, timed_runs

if TYPE_CHECKING:
    from ..pipeline import Pipeline

_MEMORY = "[memory]"  # name of the profiler's events of the allocator


class PartClock:
    """Measures one part on the values that it gets in a run, which stay unchanged."""

    def __init__(self, pipeline: "Pipeline", number: int, values: Mapping[str, Any], warmup: int, repeats: int) -> None:
        self.module, self.device = pipeline.module_of(number), pipeline.device_of(number)
        self._given = [bring(values[value.name], self.device) for value in pipeline.manifest.parts[number].inputs]
        self._warmup, self._repeats = warmup, repeats
        self._writes = False

    def runs(self) -> tuple[float, ...]:
        """The seconds of each run after the warm-up."""
        with buffers_kept(self.module):
            first = self._copies()
            before = list(map(version_of, first))
            self.module(*first)
            self._writes = before != list(map(version_of, first))
            del first
            prepare = self._copies if self._writes else lambda: self._given
            _, spans = timed_runs(lambda given: self.module(*given), prepare, self._warmup, self._repeats, synchronizer(self.device))
        return tuple(end - start for start, end in spans)

    def calls(self, wanted: Callable[[str], bool]) -> dict[str, float]:
        """The seconds of its calls with wanted names, run one by one; none if the part is not a graph."""
        if not isinstance(self.module, torch.fx.GraphModule):
            return {}
        timer = CallTimer(self.module, self.device, self._warmup, self._repeats)
        with buffers_kept(self.module):
            timer.run(*self._copies())
        return {name: statistics.median(each) for name, each in timer.runs.items() if wanted(name)}

    def weights(self) -> int:
        """Bytes of the different storages of weights, buffers, and constants."""
        return _bytes_of([tensor for _, _, tensor in tensors_of(self.module)])

    def memory(self) -> int | None:
        """Peak bytes of a run: weights, inputs, and what it allocates; None if this device does not count them."""
        held = _bytes_of([tensor for _, _, tensor in tensors_of(self.module)] + [given for given in self._given if isinstance(given, torch.Tensor)])
        with buffers_kept(self.module):
            given = self._copies() if self._writes else self._given
            peak = _peak(lambda: self.module(*given), self.device)
        return None if peak is None else held + peak

    def _copies(self) -> list[Any]:
        return [value.clone() if isinstance(value, torch.Tensor) else value for value in self._given]


def _peak(call: Callable[[], Any], device: torch.device) -> int | None:
    """The most bytes that a call has allocated at a time, by PyTorch's allocator."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)
        torch.cuda.reset_peak_memory_stats(device)
        before = torch.cuda.memory_allocated(device)
        call()
        torch.cuda.synchronize(device)
        return int(torch.cuda.max_memory_allocated(device) - before)
    if device.type != "cpu":
        return None
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True) as profiled:
        result = call()
    del result
    results = getattr(profiled.profiler, "kineto_results", None)
    if results is None:
        return None
    changes = [(event.start_ns(), event.nbytes()) for event in results.events() if event.name() == _MEMORY]
    return _highest(sorted(changes, key=lambda change: change[0]))


def _highest(changes: Sequence[tuple[int, int]]) -> int:
    now = most = 0
    for _, change in changes:
        now += change
        most = max(most, now)
    return most


def _bytes_of(tensors: Sequence[torch.Tensor]) -> int:
    storages = {storage_of(tensor): tensor for tensor in tensors}
    return sum(_size_of(tensor) for tensor in storages.values())


def _size_of(tensor: torch.Tensor) -> int:
    return tensor.untyped_storage().nbytes() if tensor.layout is torch.strided else tensor.numel() * tensor.element_size()
