"""The result of a run of parts."""

from __future__ import annotations

import dataclasses
import html
import json
import math
import pathlib
from typing import Any, Mapping, Sequence

from ..model_files import Path, replacing

_SECONDS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
_BYTES = ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"))


@dataclasses.dataclass(frozen=True)
class OutputComparison:
    """An output of the parts and the same output of the whole model."""

    name: str
    shape: tuple[int, ...] | None  # None: not a tensor
    dtype: str  # of a tensor, otherwise the type of the value
    equal: bool  # bit for bit
    largest: float | None  # absolute difference; None if the values cannot be subtracted
    relative: float | None  # largest difference relative to the element of the whole model
    why: str = ""  # the difference in words


@dataclasses.dataclass(frozen=True)
class MeasuredPart:
    """Seconds and memory of a part, measured and estimated."""

    name: str
    device: str
    runs: tuple[float, ...]  # seconds of each run after the warm-up
    seconds: float  # their median, without moving inputs to the device
    memory: int | None  # peak bytes of a run: weights, inputs, and what it allocates; None if it cannot be measured
    weights: int  # bytes of weights, buffers, and constants
    estimated_seconds: float | None = None
    estimated_memory: int | None = None
    nodes: Mapping[str, float] = dataclasses.field(default_factory=dict, repr=False)  # seconds of its calls, which sum to `seconds`


@dataclasses.dataclass(frozen=True)
class PartsRun:
    """The result of `run_parts`. True if all outputs, and the buffers after the call, are equal bit for bit."""

    outputs: tuple[OutputComparison, ...]
    parts: tuple[MeasuredPart, ...]
    agreement: str  # the comparison in words; names the first part that differs
    equal: bool
    whole_seconds: float  # median of the whole model
    device: str
    inputs: str  # "given", "example" (saved with the model), or "generated" (from the shapes and types of the inputs)
    notes: tuple[str, ...]  # about the measurement

    def __bool__(self) -> bool:
        return self.equal

    @property
    def seconds(self) -> float:
        """Of all parts."""
        return sum(part.seconds for part in self.parts)

    def costs(self) -> dict[str, Any]:
        """The contents of a COSTS.json, for `costs=` and `sunder-cli --costs`."""
        nodes = {name: {"seconds": seconds} for part in self.parts for name, seconds in part.nodes.items()}
        return {"nodes": nodes, "device": self.device, "note": "calls of parts, scaled to the measured seconds of each part"}

    def save(self, path: Path) -> None:
        """Writes a COSTS.json."""
        with replacing(pathlib.Path(path)) as staged:
            staged.write_text(json.dumps(self.costs()) + "\n", encoding="utf-8")

    def __str__(self) -> str:
        tables = (_text_table(*_filled(*self._outputs())), _text_table(*_filled(*self._parts())))
        return "\n\n".join([self.agreement, *tables, "\n".join(self.notes)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        notes = "".join(f"<br>{html.escape(note)}" for note in self.notes)
        tables = _html_table(*_filled(*self._outputs())) + _html_table(*_filled(*self._parts()))
        return f"<p><b>{html.escape(self.agreement)}</b></p>{tables}<p><small>{notes.removeprefix('<br>')}</small></p>"

    def _outputs(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        rows = [(one.name, one.dtype if one.shape is None else f"{one.dtype} {list(one.shape)}", "yes" if one.equal else "no",
                 _number(one.largest), _number(one.relative)) for one in self.outputs]
        return ("output", "type", "equal", "largest difference", "relative"), rows

    def _parts(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        rows = [(part.name, part.device, seconds_text(part.seconds), seconds_text(part.estimated_seconds),
                 _ratio(part.seconds, part.estimated_seconds), bytes_text(part.memory), bytes_text(part.estimated_memory))
                for part in self.parts]
        rows.append(("all parts", "", seconds_text(self.seconds), "", "", "", ""))
        rows.append(("whole model", "", seconds_text(self.whole_seconds), "", "", "", ""))
        return ("part", "device", "measured", "estimated", "ratio", "memory measured", "memory estimated"), rows


def seconds_text(seconds: float | None) -> str:
    return "" if seconds is None else _scaled(seconds, _SECONDS, "s")


def bytes_text(count: int | None) -> str:
    return "" if count is None else _scaled(count, _BYTES, "B")


def _scaled(value: float, units: Sequence[tuple[float, str]], last: str) -> str:
    for size, unit in units:
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.3g} {last}"


def _ratio(measured: float, estimated: float | None) -> str:
    return f"{measured / estimated:.2f}×" if estimated else ""


def _number(value: float | None) -> str:
    return "" if value is None else "0" if value == 0 else "infinite" if math.isinf(value) else f"{value:.3g}"


def _filled(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    """Leaves out columns without figures."""
    kept = [at for at in range(len(titles)) if any(row[at] for row in rows)]
    return [titles[at] for at in kept], [[row[at] for at in kept] for row in rows]


def _text_table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(titles, *rows)]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in (titles, *rows))


def _html_table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{html.escape(title)}</th>" for title in titles)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
