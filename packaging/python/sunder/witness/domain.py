"""Models that are run, and the inputs that they are for: nesting, dtypes, sizes with ranges, constants."""

from __future__ import annotations

import dataclasses
import itertools
import os
from typing import Any, Iterator, Mapping, Sequence

import sympy
import torch
import torch.fx
import torch.utils._pytree as pytree
from torch.export.graph_signature import ConstantArgument, CustomObjArgument, InputKind
from torch.fx.graph import _PyTreeCodeGen
from torch.fx.passes.shape_prop import TensorMetadata

from ..errors import SunderError
from ..exchange import Model, module_of
from ..fxjson.flat_args import ranges_of
from ..fxjson.program_call import program_of
from ..fxjson.specs import nests_a_call
from ..model_files import as_model, load

MOST_BYTES = 1 << 28  # of all values of a graph at the sizes of a trial, as far as the graph describes them
_LARGEST = 4096  # size of a dimension without an upper bound
_SMALL = (1, 2, 3, 4, 5, 7, 8)
_CONSTANTS = (bool, float, str, type(None), torch.dtype, torch.device)
Shapes = tuple[Any, ...]  # of each leaf: the sizes of a tensor, the value of an integer, None for others


@dataclasses.dataclass(frozen=True)
class Leaf:
    """A flat input: a tensor of a dtype and sizes, an integer with a symbol, a constant, or unknown."""

    name: str
    kind: str  # "tensor", "int", "constant", "unknown"
    value: Any = None  # of a constant; sizes of a tensor; expression of an integer: numbers or sympy expressions
    dtype: torch.dtype | None = None
    device: str = "cpu"
    requires_grad: bool | None = None  # None: not described


class RunnableModel:
    """A model as a module that runs, and its domain. `guessed`: the inputs are not described. `nests_results`: it
    describes how results are nested.
    """

    def __init__(self, model: Model, name: str | None = None) -> None:
        """Raises SunderError if the model cannot be loaded. `name`: the program in a file of several."""
        source = load(model, model=name) if isinstance(model, (str, os.PathLike)) else as_model(model)
        self.module = module_of(source) if isinstance(source, torch.export.ExportedProgram) else source
        if missing := next((name for name, tensor in state_of(self.module).items() if tensor.is_meta), None):
            raise SunderError(f"the contents of '{missing}' are missing")
        graph = self.module.graph
        assert isinstance(graph, torch.fx.Graph)
        self.spec: pytree.TreeSpec | None = None
        self.nests_results = False
        if isinstance(graph._codegen, _PyTreeCodeGen):
            self.spec = graph._codegen.pytree_info.in_spec
            self.nests_results = graph._codegen.pytree_info.out_spec is not None
        self.leaves = _leaves(source, graph)
        if self.spec is not None and self.spec.num_leaves != len(self.leaves):
            raise SunderError(f"its graph has {len(self.leaves)} inputs, but its call {self.spec.num_leaves}", code="malformed")
        self.guessed = any(leaf.kind == "unknown" for leaf in self.leaves)
        self.ranges = _ranges(source, graph)
        self.hints = _hints(graph)
        self._values = _described_values(graph)

    def nested(self, flat: Sequence[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments of a call with these flat inputs."""
        if self.spec is None:
            return tuple(flat), {}
        nested = pytree.tree_unflatten(list(flat), self.spec)
        return (tuple(nested[0]), dict(nested[1])) if nests_a_call(self.spec) else (tuple(nested), {})

    def assignments(self) -> Iterator[dict[sympy.Symbol, int]]:
        """Yields sizes of all symbols: first those of the example, then small ones, limits of ranges, and one limit at a time. No
        assignment occurs twice."""
        symbols = sorted(self.ranges, key=str)
        bounds = [self.ranges[symbol] for symbol in symbols]
        hints = [_clamped(self.hints.get(symbol, 3 + at), bound) for at, (symbol, bound) in enumerate(zip(symbols, bounds))]
        low = [_clamped(0, bound) for bound in bounds]
        high = [_clamped(_LARGEST if bound[1] is None else bound[1], bound) for bound in bounds]
        small = [[_clamped(_SMALL[(at + shift) % len(_SMALL)], bound) for at, bound in enumerate(bounds)] for shift in range(len(_SMALL))]
        single = [[*hints[:at], edge[at], *hints[at + 1 :]] for at in range(len(symbols)) for edge in (low, high)]
        seen = set()
        for sizes in itertools.chain([hints, low], small[:2], [high], single, small[2:]):
            if tuple(sizes) not in seen and self._bytes(dict(zip(symbols, sizes))) <= MOST_BYTES:
                seen.add(tuple(sizes))
                yield dict(zip(symbols, sizes))

    def shapes(self, assignment: Mapping[sympy.Symbol, int]) -> Shapes | None:
        """Sizes of the flat inputs; None if an expression has no such value, such as a size below 0."""
        shapes: list[Any] = []
        for leaf in self.leaves:
            if leaf.kind == "tensor":
                sizes = tuple(_evaluated(size, assignment) for size in leaf.value)
                if any(size is None or size < 0 for size in sizes):
                    return None
                shapes.append(sizes)
            else:
                shapes.append(_evaluated(leaf.value, assignment) if leaf.kind == "int" else None)
        return tuple(shapes)

    def takes(self, shapes: Shapes) -> bool:
        """Whether inputs of these sizes are in the domain: sizes, ranges, and equal sizes for equal symbols."""
        known: dict[sympy.Symbol, int] = {}
        later = []
        for leaf, shape in zip(self.leaves, shapes):
            if leaf.kind == "tensor" and len(leaf.value) != len(shape):
                return False
            wanted = leaf.value if leaf.kind == "tensor" else (leaf.value,) if leaf.kind == "int" else ()
            for expression, found in zip(wanted, shape if leaf.kind == "tensor" else (shape,)):
                if not isinstance(expression, sympy.Symbol):
                    later.append((expression, found))
                elif known.setdefault(expression, found) != found or _clamped(found, self.ranges[expression]) != found:
                    return False
        return all(_evaluated(expression, known) in (None, found) for expression, found in later)

    def _bytes(self, assignment: Mapping[sympy.Symbol, int]) -> float:
        total = 0.0
        for sizes, width in self._values:
            found = [_evaluated(size, assignment) for size in sizes]
            total += width * float(torch.Size(max(0, size or 0) for size in found).numel())
        return total


def common(a: RunnableModel, b: RunnableModel) -> list[Leaf]:
    """Returns the flat inputs that both models accept, each as described by the program that describes it. Raises SunderError if
    no input is in both domains."""
    if len(a.leaves) != len(b.leaves):
        raise SunderError(f"A takes {len(a.leaves)} inputs, but B {len(b.leaves)}")
    leaves = []
    for mine, other in zip(a.leaves, b.leaves):
        if "unknown" not in (mine.kind, other.kind) and not _overlap(mine, other):
            raise SunderError(f"no input is in the domain of both: '{mine.name}' is {_text(mine)} in A and {_text(other)} in B")
        leaves.append(other if mine.kind == "unknown" else mine)
    return leaves


def state_of(module: torch.nn.Module) -> dict[str, torch.Tensor]:
    """All tensors of a module by name: parameters, buffers, and plain attributes; each under all its names."""
    found: dict[str, torch.Tensor] = {}
    for path, owner in module.named_modules(remove_duplicate=False):
        for name, value in (*owner._parameters.items(), *owner._buffers.items(), *vars(owner).items()):
            if isinstance(value, torch.Tensor):
                found[f"{path}.{name}" if path else name] = value
    return found


def _leaves(source: Any, graph: torch.fx.Graph) -> list[Leaf]:
    nodes = [node for node in graph.nodes if node.op == "placeholder"]
    program = program_of(source) if isinstance(source, torch.fx.GraphModule) else None
    if isinstance(source, torch.export.ExportedProgram) and source.graph_signature.backward_signature is None:
        slots = zip(source.graph_signature.input_specs, (node for node in source.graph.nodes if node.op == "placeholder"))
        return [_exported_leaf(slot, node) for slot, node in slots if slot.kind is InputKind.USER_INPUT]
    if program is None and isinstance(graph.owning_module, torch.fx.GraphModule):
        program = program_of(graph.owning_module)
    if program is None:
        return [_leaf(node) for node in nodes]
    if program.inputs is not None:
        nodes = [node for node, slot in zip(nodes, program.inputs) if "user" in slot]
    fixed = program.fixed
    return [Leaf(node.name, "constant", fixed[at]) if at in fixed else _leaf(node) for at, node in enumerate(nodes)]


def _exported_leaf(slot: Any, node: torch.fx.Node) -> Leaf:
    if isinstance(slot.arg, ConstantArgument):
        return Leaf(node.name, "constant", slot.arg.value)
    if isinstance(slot.arg, CustomObjArgument):
        raise SunderError(f"the input '{node.name}' is a custom object, which cannot be generated")
    return _leaf(node)


def _leaf(node: torch.fx.Node) -> Leaf:
    if str(node.target).startswith("*"):
        raise SunderError(f"the input '{node.target}' takes any number of values")
    value = _value_of(node)
    if isinstance(value, torch.Tensor):
        if value.layout is not torch.strided or value.is_quantized:
            raise SunderError(f"the input '{node.name}' is {value.layout}, which cannot be generated")
        return Leaf(node.name, "tensor", tuple(map(_expression, value.shape)), value.dtype, str(value.device), value.requires_grad)
    if isinstance(value, TensorMetadata):
        return Leaf(node.name, "tensor", tuple(map(_expression, value.shape)), value.dtype, requires_grad=value.requires_grad)
    if isinstance(value, torch.SymInt):
        return Leaf(node.name, "int", _expression(value))
    if "val" in node.meta and isinstance(value, (int, *_CONSTANTS)):
        return Leaf(node.name, "constant", value)
    return Leaf(node.name, "constant", node.args[0]) if node.args else Leaf(node.name, "unknown")


def _value_of(node: torch.fx.Node) -> Any:
    return next((node.meta[key] for key in ("val", "example_value", "tensor_meta") if node.meta.get(key) is not None), None)


def _ranges(source: Any, graph: torch.fx.Graph) -> dict[sympy.Symbol, tuple[int, int | None]]:
    """Bounds of the symbols in the inputs; None for no upper bound."""
    found = dict(ranges_of(graph))
    if isinstance(source, torch.export.ExportedProgram):
        found.update(source.range_constraints)
    used: set[sympy.Symbol] = set()
    for node in graph.nodes:
        value = _value_of(node) if node.op == "placeholder" else None
        for size in value.shape if isinstance(value, torch.Tensor) else (value,):
            used |= getattr(_expression(size), "free_symbols", set())
    return {symbol: _bound(found.get(symbol)) for symbol in used}


def _bound(bounds: Any) -> tuple[int, int | None]:
    low, high = (None, None) if bounds is None else (bounds.lower, bounds.upper)
    return int(low) if low is not None and low.is_Integer else 0, int(high) if high is not None and high.is_Integer else None


def _hints(graph: torch.fx.Graph) -> dict[sympy.Symbol, int]:
    hints = {}
    for node in graph.nodes:
        value = _value_of(node) if node.op == "placeholder" else None
        for size in value.shape if isinstance(value, torch.Tensor) else (value,):
            if isinstance(size, torch.SymInt) and isinstance(_expression(size), sympy.Symbol) and isinstance(size.node.hint, int):
                hints[_expression(size)] = size.node.hint
    return hints


def _described_values(graph: torch.fx.Graph) -> list[tuple[tuple[Any, ...], int]]:
    """Sizes and bytes of an element for each tensor that the graph describes."""
    values = (node.meta.get("val") for node in graph.nodes)
    tensors = (item for value in values for item in pytree.tree_leaves(value) if isinstance(item, torch.Tensor))
    return [(tuple(map(_expression, item.shape)), item.element_size()) for item in tensors if item.layout is torch.strided]


def _expression(size: Any) -> Any:
    return size.node.expr if isinstance(size, torch.SymInt) else size


def _evaluated(size: Any, assignment: Mapping[sympy.Symbol, int]) -> int | None:
    """Returns the value of an expression. None if it has symbols without a value."""
    if isinstance(size, sympy.Symbol):
        return assignment.get(size)
    if isinstance(size, sympy.Expr):
        number = size.subs(assignment) if size.free_symbols <= set(assignment) else None
        return int(number) if number is not None and number.is_Integer else None
    return size if isinstance(size, int) else None


def _clamped(size: int, bounds: tuple[int, int | None]) -> int:
    low, high = bounds
    return max(low, size if high is None else min(size, high))


def _overlap(mine: Leaf, other: Leaf) -> bool:
    if mine.kind != other.kind or mine.dtype != other.dtype or mine.requires_grad != other.requires_grad:
        return False
    if mine.kind == "constant":
        return type(mine.value) is type(other.value) and (mine.value == other.value or mine.value != mine.value)
    return mine.kind != "tensor" or len(mine.value) == len(other.value)


def _text(leaf: Leaf) -> str:
    if leaf.kind == "tensor":
        return f"{str(leaf.dtype).removeprefix('torch.')} {list(leaf.value)}{' with gradients' * bool(leaf.requires_grad)}"
    return f"the constant {leaf.value!r:.40}" if leaf.kind == "constant" else f"an {leaf.kind}"
