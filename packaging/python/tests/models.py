"""Small models, each for something that conversion must not lose."""

from __future__ import annotations

import collections
import copy
import dataclasses
from typing import Any, Callable

import torch
import torch.utils._pytree as pytree

RELEASE = tuple(map(int, torch.__version__.split(".")[:2]))
Pair = collections.namedtuple("Pair", ["first", "second"])
pytree._register_namedtuple(Pair, serialized_type_name="models.Pair")
torch.serialization.add_safe_globals([Pair])  # torch.export.load reads example inputs


@dataclasses.dataclass
class Case:
    """A graph, the inputs that it is called with, and what to call for the same in PyTorch."""

    graph: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    def wanted(self) -> Any:
        return run(as_module(self.graph), self.args, self.kwargs)

    def made(self, module: torch.nn.Module) -> Any:
        return run(module, self.args, self.kwargs)


def as_module(graph: Any) -> torch.nn.Module:
    module: torch.nn.Module = graph.module() if isinstance(graph, torch.export.ExportedProgram) else graph
    return module


def run(module: torch.nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Outputs, inputs and state after one run on copies, so that writes show and do no harm."""
    torch.manual_seed(3)
    module, args, kwargs = copy.deepcopy((module, args, kwargs))
    return module(*args, **kwargs), args, kwargs


def alike(a: Any, b: Any) -> bool:
    """Bit for bit, nested alike."""
    here, there = pytree.tree_flatten(a), pytree.tree_flatten(b)
    return here[1] == there[1] and all(map(_alike, here[0], there[0]))


def _alike(a: Any, b: Any) -> bool:
    if not isinstance(a, torch.Tensor):
        return type(a) is type(b) and a == b
    return a.dtype == b.dtype and torch.equal(a, b) and a.requires_grad == b.requires_grad


class Block(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(8, 8)
        self.norm = torch.nn.LayerNorm(8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.gelu(self.norm(self.linear(x))) + x


class Blocks(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.blocks = torch.nn.ModuleList(Block() for _ in range(4))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for block in self.blocks:
            x = block(x)
        return x


class Leaves(torch.nn.Module):
    """Leaf modules whose fields are not all plain, a tied weight, a buffer that is not persistent, a plain tensor."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 4, 3, stride=(2, 1), padding=(1, 2), padding_mode="circular")
        self.norm = torch.nn.BatchNorm2d(4)
        self.pool = torch.nn.AdaptiveAvgPool2d((4, None))
        self.rnn = torch.nn.LSTM(8, 5, batch_first=True)
        self.tied = torch.nn.Linear(5, 5, bias=False)
        self.again = torch.nn.Linear(5, 5)
        self.again.weight = self.tied.weight
        self.register_buffer("scale", torch.rand(5), persistent=False)
        self.shift = torch.rand(5)

    def forward(self, x: torch.Tensor) -> Any:
        x = self.pool(self.norm(self.conv(x))).flatten(0, 1)[:, :, :8]
        y, (h, _) = self.rnn(x)
        return {"y": self.again(self.tied(y)) * self.scale + self.shift, "h": h[:, :, -1:]}  # exports of 2.9 and before get ... wrong here


class Words(torch.nn.Module):
    """Arguments of many kinds."""

    def forward(self, x: torch.Tensor, y: torch.Tensor | None = None, *, scale: float = 0.5) -> Any:
        a = x[..., 1:3, None].to(torch.float64).clamp(min=float("-inf"), max=1e300)
        b = x.new_zeros((x.size(0), 2), dtype=torch.complex64, device="cpu") + (1.5 - 2j)
        c = torch.nn.functional.pad(x, (1, 1), mode="constant", value=scale)
        d, e = torch.max(x, dim=-1)
        f = torch.full_like(x, 2**40, dtype=torch.int64, memory_format=torch.contiguous_format)
        return [a, (b, c)], {"d": d, "e": e, "f": f}


class Nested(torch.nn.Module):
    """Nested inputs and outputs, a keyword, an input that does nothing, a constant among the outputs."""

    def __init__(self) -> None:
        super().__init__()
        self.block = Block()

    def forward(self, pair: Any, parts: dict[str, Any], unused: Any = None, *, scale: torch.Tensor) -> Any:
        y = self.block(pair.first) * scale + parts["b"][0]
        return {"y": Pair(y, None), "z": [parts["a"] + pair.second, 3]}


class Writing(torch.nn.Module):
    """Writes to a buffer and to an input, and keeps statistics."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(8)
        self.register_buffer("count", torch.zeros(1))

    def forward(self, x: torch.Tensor) -> Any:
        self.count.add_(1)
        y = self.norm(x) + self.count
        x.mul_(2)
        return y, self.count


class Branches(torch.nn.Module):
    """Control flow, so that the graph reads graphs."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cond(x.sum() > 0, lambda x: x.sin() + 1, lambda x: x.cos() * 2, (x,))


class Shared(torch.nn.Module):
    """One module called twice, so that unflattening makes a dispatcher or merges the calls."""

    def __init__(self) -> None:
        super().__init__()
        self.block = Block()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.block(self.block(x).relu()) + 1


def _image() -> tuple[Any, ...]:
    return (torch.rand(2, 3, 9, 8),)


def _rows() -> tuple[Any, ...]:
    return (torch.randn(4, 8),)


TRACED: dict[str, tuple[Callable[[], torch.nn.Module], Callable[[], tuple[Any, ...]]]] = {
    "blocks": (Blocks, _rows),
    "leaves": (Leaves, _image),
    "words": (Words, lambda: (torch.randn(4, 8), None, 0.25)),
    "shared": (Shared, _rows),
}
_NESTED = lambda: (Pair(torch.randn(4, 8), torch.ones(2)), {"b": (torch.ones(8),), "a": torch.rand(2)})  # noqa: E731
_BATCH = torch.export.Dim("batch", min=2, max=64)
#: Module, inputs, keywords, options of torch.export.export.
EXPORTED: dict[str, tuple[Any, ...]] = {
    "blocks": (Blocks, _rows, {}, {}),
    "leaves": (Leaves, _image, {}, {}),
    "words": (Words, _rows, {}, {}),
    "nested": (Nested, _NESTED, {"scale": torch.tensor(2.0)}, {}),
    "writing": (Writing, _rows, {}, {}),
    "branches": (Branches, _rows, {}, {}),
    "shared": (Shared, _rows, {}, {}),
    "dispatched": (Shared, _rows, {}, {"preserve_module_call_signature": ("block",)}),
    "dynamic": (Blocks, _rows, {}, {"dynamic_shapes": ({0: _BATCH},)}),
    "decomposed": (Writing, _rows, {}, {}),
}


def traced(name: str) -> Case:
    torch.manual_seed(11)
    make, inputs = TRACED[name]
    return Case(torch.fx.symbolic_trace(make()), inputs(), {})


def exported(name: str) -> Case:
    torch.manual_seed(11)
    make, inputs, kwargs, options = EXPORTED[name]
    args = inputs()
    program = torch.export.export(make(), copy.deepcopy(args), kwargs, **options)
    return Case(program.run_decompositions() if name == "decomposed" else program, args, kwargs)


def calls(graph: torch.fx.Graph) -> list[torch.fx.Node]:
    return [node for node in graph.nodes if node.op.startswith("call_")]


def halves(graph: torch.fx.Graph) -> dict[str, str]:
    """Two tags, in the order of the graph."""
    nodes = calls(graph)
    return {node.name: "front" if i < len(nodes) // 2 else "back" for i, node in enumerate(nodes)}
