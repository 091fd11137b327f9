"""Checks that functions in core/operators/data/number_functions.txt differ: `number_functions_in_torch.py`

The table lists functions of which no two agree on a whole range of numbers. Runs each under all of its names on several ranges,
and those of two operands also with single numbers. For two distinct functions, half of the results differ on each range, and none
returns an operand unless the table states so. Every name must exist in PyTorch. Exit 77 (skipped) without SUNDER_TORCH_PYTHON.
"""

import operator
import pathlib
import sys

from torch_test import status_elsewhere

TABLE = pathlib.Path(__file__).resolve().parents[2] / "core" / "operators" / "data" / "number_functions.txt"
RANGES = ((-3.0, -1.1), (-0.9, -0.1), (0.1, 0.9), (1.1, 3.0))
NUMBERS = (-2.0, -1.0, 0.0, 0.5, 1.0, 2.0, 3.0)


class Line:
    """A line of the table."""

    def __init__(self, text: str) -> None:
        names, operands, *more = text.split("\t")
        given = " ".join(more).split()
        self.total = "total" in given
        words = dict(word.split("=") for word in given if "=" in word)
        self.names = names.split(" ")
        self.operands = int(operands)
        self.like = set(words.get("like", "").split(",")) - {""}
        self.at = {float(number) for number in words.get("at", "").split(",") if number}

    def told_from(self, other: "Line") -> bool:
        return self is not other and self.operands == other.operands and not self.like & other.like


def callables(name: str) -> list:
    """Returns everything in PyTorch and Python with this name."""
    import torch
    places = (torch, torch.nn.functional, torch.Tensor, operator, torch.ops.aten, torch.nn)
    return [found for found in (getattr(place, name, None) for place in places) if callable(found)]


def differ(a, b) -> bool:
    """Whether at least half of the elements differ; NaN equals NaN."""
    import torch
    return (~torch.isclose(a, b, rtol=1e-9, atol=1e-12, equal_nan=True)).double().mean().item() >= 0.5


def operands_of(line: Line) -> list[tuple]:
    import torch
    ranges = [torch.linspace(low, high, 64, dtype=torch.float64) for low, high in RANGES]
    if line.operands == 1:
        return [(one,) for one in ranges]
    pairs = [(one, other.flip(0) * 1.07) for one in ranges for other in ranges]
    return pairs + [(one, number) for one in ranges for number in NUMBERS]


def number_of(operands: tuple) -> float | None:
    return operands[-1] if isinstance(operands[-1], float) else None


def results_of(line: Line) -> list[list]:
    """Yields results by operands for every callable of a line."""
    def run(function, operands):
        return function(*(one.clone() if hasattr(one, "clone") else one for one in operands))

    functions = [function for name in line.names for function in callables(name) if not isinstance(function, type)]
    return [[run(function, operands) for function in functions] for operands in operands_of(line)]


def failures(lines: list[Line]) -> list[str]:
    import torch
    found = [f"PyTorch has nothing named {name}" for line in lines for name in line.names if not callables(name)]
    run = [(line, results_of(line)) for line in lines if line.operands]
    for place, (line, results) in enumerate(run):
        for operands, mine in zip(operands_of(line), results):
            number = number_of(operands)
            given = [one for one in operands if isinstance(one, torch.Tensor)]
            if "identity" not in line.like and number not in line.at and not all(differ(r, g) for r in mine for g in given):
                found.append(f"{line.names[0]} returns an operand for {number or operands}")
        for other, others in run[:place]:
            if not line.told_from(other):
                continue
            for operands, mine, theirs in zip(operands_of(line), results, others):
                number = number_of(operands)
                if number in line.at & other.at:
                    continue
                if not all(differ(one, two) for one in mine for two in theirs):
                    found.append(f"{line.names[0]} is {other.names[0]} on {[str(one)[:60] for one in operands]}")
    return found


def partial(line: Line) -> list[str]:
    """Returns dtypes and shapes for which a function marked as total fails."""
    import torch
    dtypes = [torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.uint8, torch.int8, torch.int16, torch.int32,
              torch.int64, torch.bool, torch.complex64, torch.complex128]
    found = []
    functions = [one for name in line.names for one in callables(name) if not isinstance(one, type)]
    for dtype in dtypes:
        for shape in ((), (0,), (3,), (2, 3)):
            for gradients in {False, dtype.is_floating_point or dtype.is_complex}:
                given = (torch.rand(shape, dtype=torch.complex128) * 9 - 4).to(dtype).requires_grad_(gradients)
                for function in functions:
                    try:
                        function(given)
                    except Exception as error:
                        found.append(f"{line.names[0]} is not total for {dtype} {shape}: {error}")
    return found


def main() -> int:
    elsewhere = status_elsewhere(sys.argv)
    if elsewhere is not None:
        return elsewhere
    lines = [Line(text) for text in TABLE.read_text().splitlines() if not text.startswith("#")]
    failed = failures(lines) + [one for line in lines if line.total for one in partial(line)]
    for one in failed[:40]:
        print("NOT SO:", one)
    print(f"{len(lines)} functions, {sum(line.operands > 0 for line in lines)} of them distinguished, {len(failed)} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
