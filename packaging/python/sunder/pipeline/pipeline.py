"""Parts and manifest as one module."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Sequence

import torch

from ..errors import SunderError
from . import manifest as manifests
from .check import Whole, checked
from .comparison import Agreement
from .devices import Devices, bring, devices_of
from .manifest import Part
from .memories import version_of
from .nesting import Nesting, mismatches
from .part_files import LoadedPart, load_part
from .registrations import check_registered
from .tied_gradients import Ties, sum_tied_gradients

if TYPE_CHECKING:
    from .stages import Placement, Skips, Stages


class Pipeline(torch.nn.Module):
    """The parts in a folder, called like the model: same arguments, nested inputs, and result.

    Each part is loaded once, directly on its device (`devices`: one for all, a list of one per part, or a mapping from names of
    parts or logical ids), and keeps its buffers between calls. Weights that the model ties are one tensor if they are on one
    device. `parts`: names or numbers of the parts to load in this process; the pipeline can only be called if it has all of them.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        devices: Devices = None,
        *,
        parts: Sequence[str | int] | None = None,
    ) -> None:
        super().__init__()
        self.manifest = manifests.read(folder)
        numbers = self._numbers(parts)
        check_registered(self.manifest, [self.manifest.parts[number] for number in numbers])
        self.nesting = Nesting(self.manifest)
        self._wanted_devices = devices_of(self.manifest.parts, devices)
        self._last_use = _last_uses(self.manifest)
        self._loaded: dict[int, LoadedPart] = {}
        self.parts = torch.nn.ModuleDict()
        ties = Ties(self.manifest.aliases)
        for number in numbers:
            loaded = load_part(self.manifest, self.manifest.parts[number], self._wanted_devices[number])
            ties.tie(loaded.module)
            self._loaded[number] = loaded
            self.parts[f"part{number}"] = loaded.module

    @property
    def names(self) -> list[str]:
        """Names of all parts in call order."""
        return [part.name for part in self.manifest.parts]

    @property
    def loaded(self) -> list[int]:
        """Numbers of the parts that are loaded here."""
        return list(self._loaded)

    def device_of(self, part: str | int) -> torch.device:
        """Returns the device of a part, loaded or not."""
        number = self._number(part)
        if number in self._loaded:
            return self._loaded[number].device
        return self._wanted_devices[number] or torch.device("cpu")

    def module_of(self, part: str | int) -> torch.nn.Module:
        """Returns a part by name or number. It takes its inputs as positional arguments and returns a tuple."""
        number = self._number(part)
        if number not in self._loaded:
            name = self.names[number]
            raise SunderError(f"part {name} is not loaded in this process", code="usage", where={"part": name})
        return self._loaded[number].module

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        values = self.nesting.bound(args, kwargs)
        for number, given in self.results_of(values):
            values.update(given)
            for name in self._last_use.get(number, ()):
                del values[name]
        return self.nesting.nested_outputs(values)

    def results_of(self, values: Mapping[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
        """Calls the parts in order on `values`, which stay unchanged. Returns the results of each by name."""
        for number in range(len(self.manifest.parts)):
            yield number, self.call_part(number, values)

    def call_part(self, number: int, values: Mapping[str, Any]) -> dict[str, Any]:
        """Calls one part and returns its results by name. Moves its inputs to its device, and writes to inputs back."""
        part, module, device = self.manifest.parts[number], self.module_of(number), self.device_of(number)
        given = [values[value.name] for value in part.inputs]
        for value, actual in zip(part.inputs, given):
            if isinstance(actual, torch.Tensor) and actual.is_meta and device.type != "meta":
                said = f"part '{part.name}' is on {device}, but its input '{value.name}' is on meta, without data: also put the part on meta"
                raise SunderError(said, code="usage", where={"part": part.name})
        brought = [bring(value, device) for value in given]
        versions = [version_of(value) for value in brought]
        try:
            results = module(*brought)
        except Exception as error:
            raise _failure(part, given, error) from error
        if not isinstance(results, (tuple, list)) or len(results) != len(part.outputs):
            count = len(results) if isinstance(results, (tuple, list)) else type(results).__name__
            text = f"part {part.name} returns {count} values, but the manifest lists {len(part.outputs)}"
            raise SunderError(text, code="format", where={"part": part.name})
        for original, value, version in zip(given, brought, versions):
            if value is not original and version_of(value) != version and not value.is_meta:
                with torch.no_grad():
                    original.copy_(value)
        return {value.name: result for value, result in zip(part.outputs, results)}

    def example_inputs(self) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
        """Returns the positional and keyword arguments that were saved with the model. None if some are missing. Inputs that no
        part reads are zeros.
        """
        examples = self._examples()
        if self.inputs_without_example():
            return None
        leaves = [value.literal if value.is_literal else examples[value.name] for value in self.manifest.inputs]
        return self.nesting.nested_inputs([_copied(leaf) for leaf in leaves])

    def inputs_without_example(self) -> list[str]:
        """Names of the model's inputs without an example."""
        examples = self._examples()
        return [value.name for value in self.manifest.inputs if not value.is_literal and value.name not in examples]

    def _examples(self) -> dict[str, Any]:
        read = {value.name for part in self.manifest.parts for value in part.inputs}
        found = {value.name: zeros for value in self.manifest.inputs if value.name not in read and (zeros := _zeros(value)) is not None}
        for loaded in self._loaded.values():
            found.update(loaded.examples)
        return found

    def check(self, *args: Any, against: Whole = None, **kwargs: Any) -> Agreement:
        """Calls the parts and the model on the same inputs (by default those saved with the model), and compares every bit of the
        outputs, and of the buffers after the call.

        `against`: the model, as a file, an exported program, or a module. By default, the file that the parts were cut from,
        which is searched in their folder and the one above. The model starts with the buffers of the pipeline, and the check
        restores these at its end.
        """
        return checked(self, args, kwargs, against)

    def to_pipeline_stages(
        self,
        stages: Sequence[int] | None = None,
        *,
        skips: "Skips" = "relay",
        placement: "Placement | None" = None,
        group: Any = None,
    ) -> "Stages":
        """Returns stages of torch.distributed.pipelining, one per part. This process runs those in `stages`.

        Without `stages`, `placement` chooses them: "loop" assigns the stages r, r + w, … to process r of w, and "v" the stages r
        and 2w - 1 - r, as ScheduleZBVZeroBubble and ScheduleDualPipeV require. Without both, they are the loaded parts if some
        parts are not loaded, and "loop" otherwise. Values that skip stages are passed through each stage in between ("relay"), or
        recomputed if that is cheap ("recompute"); all processes must choose the same. See docs/running-parts.md.
        """
        from .stages import stages_of

        return stages_of(self, stages, skips, placement, group)

    def sum_tied_gradients(self, group: Any = None) -> list[str]:
        """Gives all copies of a tied weight the sum of their gradients. Call it after backward and before the optimizer, in all
        processes of the group if copies are in several. Returns the names of these weights.
        """
        return sum_tied_gradients(self, group)

    def extra_repr(self) -> str:
        return ", ".join(f"{part.name} on {self.device_of(number)}" for number, part in enumerate(self.manifest.parts))

    def _number(self, part: str | int) -> int:
        if isinstance(part, int) and 0 <= part < len(self.manifest.parts):
            return part
        if part in self.names:
            return self.names.index(str(part))
        raise SunderError(f"there is no part {part}; there are {', '.join(self.names)}", code="usage")

    def _numbers(self, parts: Sequence[str | int] | None) -> list[int]:
        wanted = range(len(self.manifest.parts)) if parts is None else parts
        return sorted({self._number(part) for part in wanted})


def _copied(value: Any) -> Any:
    return value.detach().clone().requires_grad_(value.requires_grad) if isinstance(value, torch.Tensor) else value


def _zeros(value: manifests.Value) -> torch.Tensor | None:
    if value.type != "tensor" or value.shape is None or not value.dtype:
        return None
    sizes = [size if isinstance(size, int) else size.get("hint", 1) for size in value.shape]
    return torch.zeros(sizes, dtype=getattr(torch, value.dtype))


def _last_uses(manifest: manifests.Manifest) -> dict[int, list[str]]:
    """Returns, per part, the values of parts that no later part uses."""
    last: dict[str, int] = {}
    for number, part in enumerate(manifest.parts):
        last.update((value.name, number) for value in (*part.inputs, *part.outputs))
    kept = {value.name for value in manifest.outputs}
    ends: dict[int, list[str]] = {}
    for name, number in last.items():
        if name not in kept:
            ends.setdefault(number, []).append(name)
    return ends


def _failure(part: Part, given: Sequence[Any], error: Exception) -> SunderError:
    why = mismatches(part.inputs, given)
    hint = f" ({'; '.join(why)})" if why else ""
    text = f"part {part.name} ({part.file}) fails: {type(error).__name__}: {error}{hint}"
    return SunderError(text, where={"part": part.name})
