"""Results share memory with buffers and inputs as those of the program's module do: a write to one shows in the other."""

from __future__ import annotations

import copy
from typing import Any, Callable

import pytest
import torch

import sunder


class Counter(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("count", torch.zeros(4))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.count.add_(x)
        return self.count


class Model(torch.nn.Module):
    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function
        self.inner, self.linear = Counter(), torch.nn.Linear(4, 4)
        self.register_buffer("first", torch.arange(4.0))
        self.register_buffer("second", torch.ones(4))

    def forward(self, x: torch.Tensor) -> Any:
        return self.function(self, x)


def written(model: Any, x: Any) -> Any:
    model.first.add_(1)
    return model.first, model.linear(x)


def view(model: Any, x: Any) -> Any:
    model.first.add_(1)
    return model.first[1:], model.first * x


def copied(model: Any, x: Any) -> Any:
    model.first.copy_(x)
    return model.first, x


def exchanged(model: Any, x: Any) -> Any:
    before = model.first.clone()
    model.first.copy_(model.second)
    model.second.copy_(before)
    return model.first, model.second + x


def both(model: Any, x: Any) -> Any:
    model.first.add_(x)
    model.second.copy_(model.first)
    return model.first, model.second


def of_a_child(model: Any, x: Any) -> Any:
    count = model.inner(x)
    return count, model.linear(count)


def of_a_repeated_child(model: Any, x: Any) -> Any:
    return model.inner(x).sum(), model.inner(x * 2)


def an_input(model: Any, x: Any) -> Any:
    x.mul_(2)
    return model.linear(x), x


def view_of_an_input(model: Any, x: Any) -> Any:
    x.mul_(2)
    return x.view(2, 2), model.inner(x)


def unwritten(model: Any, x: Any) -> Any:
    return model.first, x, x[1:]


PROGRAMS = [written, view, copied, exchanged, both, of_a_child, of_a_repeated_child, an_input, view_of_an_input, unwritten]
MADE: dict[str, Callable[..., torch.nn.Module]] = {
    "split": lambda program: sunder.split(program, 1),
    "unflatten": sunder.unflatten,
    "deduplicate": sunder.deduplicate,
}


def shared(module: torch.nn.Module) -> list[list[str]]:
    """For each result the values that are written to where the result is."""
    x = torch.arange(1.0, 5.0)
    results = module(x)
    places = {**dict(module.named_buffers()), "x": x}
    memory = {name: tensor.untyped_storage().data_ptr() for name, tensor in places.items()}
    return [sorted(name for name, at in memory.items() if at == result.untyped_storage().data_ptr()) for result in results]


def values(module: torch.nn.Module) -> list[torch.Tensor]:
    """Results and state of two calls."""
    x = torch.arange(1.0, 5.0)
    results = [result.clone() for _ in range(2) for result in module(x)]
    return [*results, x, *(buffer for _, buffer in sorted(module.named_buffers()))]


@pytest.mark.parametrize("is_functional", [False, True], ids=["exported", "functional"])
@pytest.mark.parametrize("function", PROGRAMS)
def test_results_share_memory_as_those_of_the_program(function: Callable[..., Any], is_functional: bool) -> None:
    torch.manual_seed(0)
    exported = torch.export.export(Model(function), (torch.ones(4),))
    if is_functional:
        exported = exported.run_decompositions({})

    def program() -> torch.export.ExportedProgram:
        return copy.deepcopy(exported)  # modules of a program write to its buffers

    wanted, expected = shared(program().module()), values(program().module())
    for how, make in MADE.items():
        made = make(program())
        assert made.meta["sunder"]["verified"], how
        assert shared(made) == wanted, how
        for a, b in zip(values(make(program())), expected, strict=True):
            assert torch.equal(a, b), how
