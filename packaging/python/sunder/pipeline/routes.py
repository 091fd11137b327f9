"""Values that the stages of a pipeline exchange, if each sends to the next stage only."""

from __future__ import annotations

import dataclasses
from typing import Collection, Mapping

from .manifest import Manifest, Value

OUTSIDE = -1  # the producer of the model's inputs


@dataclasses.dataclass(frozen=True)
class Routes:
    """`incoming[i]`: the values that stage i receives, in order. `again[i]`: the values that it recomputes."""

    incoming: tuple[tuple[Value, ...], ...]
    again: tuple[tuple[str, ...], ...]

    def outgoing(self, stage: int) -> tuple[Value, ...]:
        return self.incoming[stage + 1] if stage + 1 < len(self.incoming) else ()


def makers_of(manifest: Manifest) -> dict[str, int]:
    """Returns the part that computes each value; OUTSIDE for inputs of the model."""
    makers = {value.name: OUTSIDE for value in manifest.inputs}
    makers.update((value.name, number) for number, part in enumerate(manifest.parts) for value in part.outputs)
    return makers


def readers_of(manifest: Manifest) -> dict[str, set[int]]:
    """Returns the parts that use each value. The last part returns the result and therefore uses its values."""
    readers: dict[str, set[int]] = {}
    for number, part in enumerate(manifest.parts):
        for value in part.inputs:
            readers.setdefault(value.name, set()).add(number)
    for value in manifest.outputs:
        if not value.is_literal:
            readers.setdefault(value.name, set()).add(len(manifest.parts) - 1)
    return readers


def skipping(manifest: Manifest) -> list[str]:
    """Returns the values of parts that are used after the next part, in the order in which they are computed."""
    makers, readers = makers_of(manifest), readers_of(manifest)
    return [name for name, maker in makers.items() if maker != OUTSIDE and max(readers.get(name, {maker})) > maker + 1]


def routes_of(manifest: Manifest, remade: Mapping[str, Collection[str]]) -> Routes:
    """`remade`: values that a stage recomputes instead of receiving them through other stages, each with its inputs."""
    count = len(manifest.parts)
    makers, readers = makers_of(manifest), readers_of(manifest)
    needs = [{name for name, stages in readers.items() if stage in stages} for stage in range(count)]
    again: list[list[str]] = [[] for _ in range(count)]
    for name in reversed(list(makers)):  # inputs of a value precede it
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
