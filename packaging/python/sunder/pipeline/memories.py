"""Tracks which values of a stage share memory. A write to one is visible in the others only within one process."""

from __future__ import annotations

import dataclasses
from typing import Any, Collection, Mapping

import torch

from ..errors import SunderError
from .devices import storage_of


@dataclasses.dataclass(frozen=True)
class Memory:
    """The memory of values; equal for values that share it, such as a tensor and its view."""

    name: str  # of the first value in this memory
    kept_as: str = ""  # a description of its owner, if an earlier stage keeps it after the call


class Memories:
    """The memory of a stage's inputs and results. `known`: memory of values from earlier stages; `state`: memory of weights and
    buffers, by storage.
    """

    def __init__(self, given: Mapping[str, Any], known: Mapping[str, Memory], state: Mapping[int, Memory]) -> None:
        self._of = dict(known)
        self._by_storage = dict(state)
        self._versions = {name: version_of(value) for name, value in given.items()}
        self._by_storage.update((storage_of(value), known[name]) for name, value in given.items() if name in known)
        self.add(given)

    def add(self, values: Mapping[str, Any]) -> None:
        for name, value in values.items():
            if isinstance(value, torch.Tensor):
                self._of.setdefault(name, self._by_storage.setdefault(storage_of(value), Memory(name)))

    def of(self, names: Collection[str]) -> dict[str, Memory]:
        return {name: self._of[name] for name in names if name in self._of}

    def check_writes(self, part: str, values: Mapping[str, Any], incoming: Collection[str], remade: Collection[str]) -> None:
        """Raises an error if the part has written to memory that other processes or other values also have. `incoming`: received
        values; `remade`: recomputed values.
        """
        for name in (name for name, version in self._versions.items() if version_of(values[name]) != version):
            memory = self._of[name]
            others = [other for other in incoming if other != name and self._of.get(other) == memory]
            if memory.kept_as:
                place = f"in the memory of '{memory.name}', {memory.kept_as}" if memory.name != name else memory.kept_as
                where, repair = f"which is {place}", "move the writing op to the part that holds it"
            elif others:
                where = f"which shares memory with {', '.join(map(repr, others))}"
                repair = "move the writing op, or the ops that read the other values, to the part that computes them"
            elif name in remade:
                where, repair = "which several stages recompute", 'use skips="relay"'
            else:
                continue
            said = f"part '{part}' writes to '{name}', {where}; over processes, the write has no effect there: {repair}"
            raise SunderError(said, where={"part": part})


def version_of(value: Any) -> int:
    """The number of writes to a tensor. Inference tensors have no count and are assumed not to be written to."""
    return value._version if isinstance(value, torch.Tensor) and not value.is_inference() else 0
