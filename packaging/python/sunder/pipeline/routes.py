"""What stages of a pipeline hand to each other, where each hands to the next alone."""

from __future__ import annotations

import dataclasses
from typing import Collection, Mapping

from .manifest import Manifest, Value

OUTSIDE = -1  # what makes the inputs of the whole


@dataclasses.dataclass(frozen=True)
class Routes:
    """`incoming[i]` is what stage i is handed, in order; `again[i]` what it makes itself, as another part does."""

    incoming: tuple[tuple[Value, ...], ...]
    again: tuple[tuple[str, ...], ...]

    def outgoing(self, stage: int) -> tuple[Value, ...]:
        return self.incoming[stage + 1] if stage + 1 < len(self.incoming) else ()


def makers_of(manifest: Manifest) -> dict[str, int]:
    """For each value the part that makes it, inputs of the whole by OUTSIDE."""
    makers = {value.name: OUTSIDE for value in manifest.inputs}
    makers.update((value.name, number) for number, part in enumerate(manifest.parts) for value in part.outputs)
    return makers


def readers_of(manifest: Manifest) -> dict[str, set[int]]:
    """For each value the parts that read it. The last part gives the result, and reads what is in that."""
    readers: dict[str, set[int]] = {}
    for number, part in enumerate(manifest.parts):
        for value in part.inputs:
            readers.setdefault(value.name, set()).add(number)
    for value in manifest.outputs:
        if not value.is_literal:
            readers.setdefault(value.name, set()).add(len(manifest.parts) - 1)
    return readers


def skipping(manifest: Manifest) -> list[str]:
    """Values of parts that are read behind the next part, in the order in which they are made."""
    makers, readers = makers_of(manifest), readers_of(manifest)
    return [name for name, maker in makers.items() if maker != OUTSIDE and max(readers.get(name, {maker})) > maker + 1]


def routes_of(manifest: Manifest, remade: Mapping[str, Collection[str]]) -> Routes:
    """`remade`: values that a stage makes itself where they would skip others, each with what that takes."""
    count = len(manifest.parts)
    makers, readers = makers_of(manifest), readers_of(manifest)
    needs = [{name for name, stages in readers.items() if stage in stages} for stage in range(count)]
    again: list[list[str]] = [[] for _ in range(count)]
    for name in reversed(list(makers)):  # what a value takes is made before it
        for stage in range(max(makers[name], 0) + 2, count):
            if name in remade and name in needs[stage]:
                again[stage].insert(0, name)
                needs[stage] |= set(remade[name])
    taken = [needs[stage] - set(again[stage]) for stage in range(count)]
    handed = {name: [stage for stage in range(count) if name in taken[stage]] for name in makers}
    values = {value.name: value for value in manifest.inputs if not value.is_literal}
    values.update((value.name, value) for part in manifest.parts for value in part.outputs)
    incoming = [
        tuple(value for name, value in values.items() if makers[name] < stage <= max(handed[name], default=0))
        for stage in range(count)
    ]
    return Routes(tuple(incoming), tuple(map(tuple, again)))
