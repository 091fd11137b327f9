"""Six small models, and common ways to export them."""

from __future__ import annotations

import copy
import dataclasses
import functools
from typing import Any, Callable

import torch
import torch.utils._pytree as pytree
from torch.export import Dim
from torch.export.graph_signature import OutputKind

ROWS, OTHER_ROWS = 4, 7

# ---- models, which take rows of eight numbers -------------------------------------------------------


class Block(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear, self.norm = torch.nn.Linear(8, 8), torch.nn.LayerNorm(8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.gelu(self.norm(self.linear(x))) + x


class Layers(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.blocks = torch.nn.ModuleList(Block() for _ in range(3))

    def forward(self, x: torch.Tensor) -> Any:
        for block in self.blocks:
            x = block(x)
        return x


class Attention(torch.nn.Module):
    """Views by sizes, a tied weight, and a nonpersistent table."""

    def __init__(self) -> None:
        super().__init__()
        self.mix, self.out = torch.nn.Linear(8, 8, bias=False), torch.nn.Linear(8, 8)
        self.out.weight = self.mix.weight
        self.register_buffer("table", torch.rand(8), persistent=False)

    def forward(self, x: torch.Tensor) -> Any:
        rows, width = x.shape
        heads = (self.mix(x) * self.table).view(rows, 2, width // 2).transpose(0, 1)
        weights = torch.softmax(heads @ heads.transpose(-1, -2), dim=-1)
        mixed = (weights @ heads).transpose(0, 1).reshape(rows, width)
        return {"y": self.out(mixed), "weights": (weights, rows * 2)}


class Images(torch.nn.Module):
    """A convolution, and statistics that are updated in training."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.norm, self.head = torch.nn.Conv2d(1, 2, 1), torch.nn.BatchNorm2d(2), torch.nn.Linear(16, 8)

    def forward(self, x: torch.Tensor) -> Any:
        return self.head(torch.relu(self.norm(self.conv(x.view(-1, 1, 2, 4)))).flatten(1))


class Writing(torch.nn.Module):
    """Writes to a buffer, and to an input through a view."""

    def __init__(self) -> None:
        super().__init__()
        self.block = Block()
        self.register_buffer("count", torch.zeros(1))
        self.shift = torch.rand(8)

    def forward(self, x: torch.Tensor) -> Any:
        self.count.add_(1)
        y = self.block(x) + self.count + self.shift
        y[:, 0].mul_(2)
        return [y, self.count]


class Branches(torch.nn.Module):
    """Control flow, and a module that is called twice."""

    def __init__(self) -> None:
        super().__init__()
        self.block = Block()

    def forward(self, x: torch.Tensor) -> Any:
        y = self.block(self.block(x))
        return torch.cond(y.sum() > 0, lambda y: y.sin() + 1, lambda y: y.cos() * 2, (y,)), None


class Counting(torch.nn.Module):
    """Data-dependent numbers and sizes."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(8, 8)

    def forward(self, x: torch.Tensor) -> Any:
        count = (x > 0).sum().item()
        torch._check(count >= 0)
        places = (x > 0).nonzero()
        return self.linear(x) + count, places, count * 2


MODELS: dict[str, Callable[[], torch.nn.Module]] = {
    "layers": Layers,
    "attention": Attention,
    "images": Images,
    "writing": Writing,
    "branches": Branches,
    "counting": Counting,
}

# ---- forms of inputs --------------------------------------------------------------------------------


@dataclasses.dataclass
class Batch:
    x: torch.Tensor
    scale: torch.Tensor
    mask: torch.Tensor | None = None


class Cache:
    """Keys and values by layer, as in caches of decoders: not in attributes of the same names."""

    def __init__(self, keys: list[torch.Tensor], values: list[torch.Tensor]) -> None:
        self.layers = [dict(k=key, v=value) for key, value in zip(keys, values)]

    def update(self, rows: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            layer["k"], layer["v"] = torch.cat([layer["k"], rows], 0), torch.cat([layer["v"], rows * 2], 0)
        return sum((layer["k"].sum() + layer["v"].sum() for layer in self.layers), torch.zeros(()))


def _take_apart(cache: Cache) -> tuple[list[Any], list[str]]:
    return [[layer["k"] for layer in cache.layers], [layer["v"] for layer in cache.layers]], ["keys", "values"]


torch.export.register_dataclass(Batch, serialized_type_name="export_matrix.Batch")
pytree.register_pytree_node(
    Cache,
    _take_apart,
    lambda items, names: Cache(*items),
    serialized_type_name="export_matrix.Cache",
    flatten_with_keys_fn=lambda cache: (
        [(pytree.MappingKey(name), items) for name, items in zip(_take_apart(cache)[1], _take_apart(cache)[0])],
        _take_apart(cache)[1],
    ),
)
torch.serialization.add_safe_globals([Batch, Cache])  # torch.export.load reads example inputs


class Keyword(torch.nn.Module):
    def __init__(self, model: torch.nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, x: torch.Tensor, *, scale: torch.Tensor, unused: Any = None) -> Any:
        return self.model(x * scale)


class Nested(Keyword):
    def forward(self, pair: tuple[torch.Tensor, Any], parts: dict[str, Any]) -> Any:  # type: ignore[override]
        return {"inner": self.model(pair[0] * pair[1]["scale"] + parts["b"][0]), "given": [parts["a"] + 1, 3]}


class Dataclass(Keyword):
    def forward(self, batch: Batch) -> Any:  # type: ignore[override]
        return Batch(batch.x + 1, batch.scale), self.model(batch.x * batch.scale)


class Cached(Keyword):
    def forward(self, x: torch.Tensor, cache: Cache) -> Any:  # type: ignore[override]
        total = cache.update(x)
        return self.model(x), total, cache


class Alone(Keyword):
    def __init__(self, model: torch.nn.Module) -> None:
        super().__init__(model)
        self.register_buffer("given", torch.randn(ROWS, 8))

    def forward(self) -> Any:  # type: ignore[override]
        return self.model(self.given * 1.5)


class Loss(Keyword):
    def forward(self, x: torch.Tensor) -> Any:  # type: ignore[override]
        leaves = pytree.tree_leaves(self.model(x))
        return sum(leaf.sum() for leaf in leaves if isinstance(leaf, torch.Tensor) and leaf.is_floating_point())


Inputs = tuple[tuple[Any, ...], dict[str, Any]]


def _x(rows: int) -> torch.Tensor:
    return torch.randn(rows, 8, generator=torch.Generator().manual_seed(rows))


def _cache(rows: int) -> Cache:
    return Cache([_x(rows), _x(rows) + 1], [_x(rows) + 2, _x(rows) + 3])


_SCALE = torch.tensor(1.25)
STYLES: dict[str, tuple[Callable[[torch.nn.Module], torch.nn.Module], Callable[[int], Inputs]]] = {
    "plain": (lambda model: model, lambda rows: ((_x(rows),), {})),
    "keyword": (Keyword, lambda rows: ((_x(rows),), {"scale": _SCALE.clone(), "unused": None})),
    "nested": (Nested, lambda rows: (((_x(rows), {"scale": _SCALE.clone()}), {"b": [_x(rows)], "a": torch.ones(2)}), {})),
    "dataclass": (Dataclass, lambda rows: ((Batch(_x(rows), _SCALE.clone()),), {})),
    "cache": (Cached, lambda rows: ((_x(rows), _cache(rows)), {})),
    "alone": (Alone, lambda rows: ((), {})),
    "loss": (Loss, lambda rows: ((_x(rows),), {})),
}


@dataclasses.dataclass(frozen=True)
class Way:
    """A way to export. `rows`: the dimension of the rows; None if their number is fixed."""

    style: str = "plain"
    rows: Any = None
    strict: bool = False
    decompose: Callable[[torch.export.ExportedProgram], torch.export.ExportedProgram] = lambda program: program


def _core(program: torch.export.ExportedProgram) -> torch.export.ExportedProgram:
    return program.run_decompositions()


def _functional(program: torch.export.ExportedProgram) -> torch.export.ExportedProgram:
    return program.run_decompositions({})


def _joint(program: torch.export.ExportedProgram) -> torch.export.ExportedProgram:
    from torch.export.experimental import _export_forward_backward

    return _export_forward_backward(program)


WAYS: dict[str, Way] = {
    "static": Way(),
    "unbounded": Way(rows=Dim("b")),
    "bounded": Way(rows=Dim("b", min=2, max=64)),
    "automatic": Way(rows=Dim.AUTO),
    "dynamic": Way(rows=Dim.DYNAMIC),
    "strict": Way(rows=Dim.AUTO, strict=True),
    "strict, functional": Way(strict=True, decompose=_functional),
    "functional": Way(rows=Dim.DYNAMIC, decompose=_functional),
    "core": Way(rows=Dim.AUTO, decompose=_core),
    "keyword": Way(style="keyword", rows=Dim.AUTO),
    "nested": Way(style="nested", rows=Dim.AUTO),
    "dataclass": Way(style="dataclass", rows=Dim.DYNAMIC),
    "cache": Way(style="cache", rows=Dim.AUTO),
    "no inputs": Way(style="alone"),
    "joint": Way(style="loss", decompose=_joint),
}


@dataclasses.dataclass
class Exported:
    program: torch.export.ExportedProgram
    batches: list[Inputs]
    wanted: Any


@functools.cache
def exported(model: str, way: str) -> Exported:
    """The program, and the results of its own module for two calls, the second with other sizes if possible."""
    how, (style, inputs) = WAYS[way], STYLES[WAYS[way].style]
    torch.manual_seed(11)
    args, kwargs = inputs(ROWS)
    shapes = _shapes((args, kwargs), how.rows) if how.rows is not None else None
    program = torch.export.export(
        style(MODELS[model]()), args, kwargs, dynamic_shapes=shapes, strict=how.strict
    )
    program = how.decompose(program)
    batches = [inputs(ROWS), inputs(ROWS if how.rows is None else OTHER_ROWS)]
    return Exported(program, batches, outcome(module_of(program), batches))


def module_of(program: torch.export.ExportedProgram) -> Callable[..., Any]:
    is_joint = program.graph_signature.backward_signature is not None
    return _flat_module(program) if is_joint else program.module()


def _flat_module(program: torch.export.ExportedProgram) -> Callable[..., Any]:
    """A module for a joint graph, whose own cannot be called: returns loss and gradients, and writes buffers as PyTorch does."""
    signature, tensors = program.graph_signature, copy.deepcopy({**program.state_dict, **program.constants})

    def run(*args: Any) -> tuple[Any, ...]:
        users = iter(pytree.tree_leaves(args))
        given = [next(users) if spec.target is None else tensors[spec.target] for spec in signature.input_specs]
        results = torch.fx.Interpreter(program.graph_module).run(*given, enable_io_processing=False)
        kept = []
        for spec, result in zip(signature.output_specs, results):
            if spec.kind is OutputKind.BUFFER_MUTATION:
                tensors[spec.target].copy_(result)
            else:
                kept.append(result)
        return tuple(kept)

    return run


def _shapes(inputs: Inputs, dim: Any) -> Any:
    """The dimension for each tensor of rows; instances of custom classes become lists of their children."""

    def shape(value: Any) -> Any:
        if isinstance(value, torch.Tensor) or value is None:
            return {0: dim} if value is not None and value.dim() == 2 else None
        if isinstance(value, (tuple, list)):
            return type(value)(map(shape, value))
        if isinstance(value, dict):
            return {key: shape(item) for key, item in value.items()}
        return [shape(item) for item in pytree.tree_flatten(value, is_leaf=lambda item: item is not value)[0]]

    args, kwargs = inputs
    if kwargs:
        return {"x": shape(args[0]), **{name: shape(value) for name, value in kwargs.items()}}
    return tuple(map(shape, args))


def outcome(module: Callable[..., Any], batches: list[Inputs]) -> Any:
    """Results of calls of a copy of the module at their return, and the final contents of their inputs."""
    module, given = copy.deepcopy(module), []
    for args, kwargs in batches:
        args, kwargs = copy.deepcopy((args, kwargs))
        torch.manual_seed(3)
        result = module(*args, **kwargs)
        given.append(pytree.tree_map(_copied, (result, args, kwargs)))
    return given


def _copied(leaf: Any) -> Any:
    return leaf.detach().clone().requires_grad_(leaf.requires_grad) if isinstance(leaf, torch.Tensor) else leaf
