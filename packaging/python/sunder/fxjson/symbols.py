"""Symbolic numbers, from the text of a file."""

from __future__ import annotations

import ast
import re
from typing import Any, Callable, Mapping, Sequence

import sympy
from torch.fx.experimental.symbolic_shapes import ShapeEnv
from torch.utils._sympy import functions as torch_functions
from torch.utils._sympy.numbers import int_oo
from torch.utils._sympy.value_ranges import ValueRanges

from ..errors import SunderError

_MOST = 20_000  # characters of an expression
_MOST_BITS = 4_096  # of a computed number
_OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.FloorDiv: torch_functions.FloorDiv,
    ast.Mod: torch_functions.Mod,
    ast.Pow: lambda a, b: _power(a, b),
    ast.LShift: lambda a, b: _shifted(torch_functions.LShift, a, b),
    ast.RShift: lambda a, b: _shifted(torch_functions.RShift, a, b),
    ast.BitAnd: sympy.And,
    ast.BitOr: sympy.Or,
}
_COMPARISONS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Eq: sympy.Eq,
    ast.NotEq: sympy.Ne,
    ast.Lt: sympy.Lt,
    ast.LtE: sympy.Le,
    ast.Gt: sympy.Gt,
    ast.GtE: sympy.Ge,
}
_OF_TORCH = (
    "FloorDiv Mod PythonMod ModularIndexing CeilDiv CleanDiv IntTrueDiv FloatTrueDiv ToFloat TruncToInt FloorToInt CeilToInt"
    " RoundToInt RoundDecimal Where Max Min Identity PowByNatural FloatPow TruncToFloat IsNonOverlappingAndDenseIndicator"
).split()
_FAMILIES_OF_TORCH = ("OpaqueUnaryFn_", "BitwiseFn_")  # one class per function of math or bitwise operator
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: getattr(torch_functions, name) for name in _OF_TORCH if hasattr(torch_functions, name)},
    **{name: made for name, made in vars(torch_functions).items() if name.startswith(_FAMILIES_OF_TORCH)},
    "LShift": lambda a, b: _shifted(torch_functions.LShift, a, b),
    "RShift": lambda a, b: _shifted(torch_functions.RShift, a, b),
    "Eq": sympy.Eq,
    "Ne": sympy.Ne,
    "Not": sympy.Not,
    "And": sympy.And,
    "Or": sympy.Or,
    "Abs": sympy.Abs,
    "floor": sympy.floor,
    "ceiling": sympy.ceiling,
    "Piecewise": sympy.Piecewise,
}
_KINDS: dict[str, type] = {"int": int, "float": float, "bool": bool}
_CONSTANTS = {"int_oo": int_oo, "oo": sympy.oo, "nan": sympy.nan, "pi": sympy.pi, "E": sympy.E}
#: Names of integer symbols in torch: sizes, data-dependent sizes, and precomputed sizes.
_INTEGER = re.compile(r"(?:ps|s|u)\d+")


class Symbols:
    """Creates the symbolic numbers of one file, all in one ShapeEnv."""

    def __init__(self) -> None:
        self._env: ShapeEnv | None = None
        self._known: dict[tuple[str, str], Any] = {}

    def value(self, said: Mapping[str, Any]) -> Any:
        """`{"sym":…}` as a SymInt, SymFloat, or SymBool."""
        kind = said.get("kind", "int")
        key = (said["sym"], kind)
        if key not in self._known:
            self._known[key] = self._make(said["sym"], kind, _hint(said, kind))
        return self._known[key]

    def env(self) -> ShapeEnv:
        if self._env is None:
            self._env = ShapeEnv()
        return self._env

    def bound(self, ranges: Sequence[Mapping[str, Any]]) -> None:
        """Sets the bounds from `range` lines, if there is an environment."""
        if self._env is None:
            return
        for line in ranges:
            symbol = parse(line["sym"], "int")
            least, most = _unbounded(symbol)
            lower, upper = line.get("min"), line.get("max")
            self._env.var_to_range[symbol] = ValueRanges(least if lower is None else lower, most if upper is None else upper)
        self._env._update_version_counter()  # discards results computed with other bounds

    def _make(self, text: str, kind: str, hint: Any) -> Any:
        expression = parse(text, kind)
        env = self.env()
        if not expression.free_symbols:
            hint = None  # PyTorch would compare it with sympy's value, which is rounded
        for symbol in expression.free_symbols:
            bounds = ValueRanges(0, int_oo) if symbol.is_integer else ValueRanges(*_unbounded(symbol))
            env.var_to_range.setdefault(symbol, bounds)  # as for sizes; `bound` may narrow them
        if isinstance(expression, sympy.Symbol) and isinstance(hint, int) and not text.startswith("u"):
            _give(env, expression, hint)
        if kind == "bool":
            return env.create_symboolnode(expression)
        if kind == "float":
            return env.create_symfloatnode(expression, hint=hint)
        return env.create_symintnode(expression, hint=hint)


def _hint(said: Mapping[str, Any], kind: str) -> Any:
    """A hint as a number of that kind. Floats that JSON cannot represent are objects."""
    hint = said.get("hint")
    hint = float(hint["f"]) if isinstance(hint, dict) else hint
    if hint is not None and type(hint) is not _KINDS[kind]:
        raise SunderError(f"has a symbol {said['sym']:.100} whose hint {hint!r:.40} is not a {kind}", code="malformed")
    return hint


def _unbounded(symbol: sympy.Symbol) -> tuple[Any, Any]:
    """Bounds of an unbounded symbol. PyTorch has different infinities for integers and floats."""
    return (-int_oo, int_oo) if symbol.is_integer else (-sympy.oo, sympy.oo)


def _give(env: ShapeEnv, symbol: sympy.Symbol, hint: int) -> None:
    """Sets the size in the example."""
    add = getattr(env, "add_backed_var_to_val", None) or env.add_var_to_val
    add(symbol, hint)


def parse(text: str, kind: str) -> Any:
    """The expression of a text, by its syntax alone: sympy's own reader would evaluate it as Python."""
    try:
        if len(text) > _MOST:
            raise ValueError("it is too long")
        return _expression(ast.parse(text.strip(), mode="eval").body, integer=kind != "float")
    except (ValueError, SyntaxError, KeyError, TypeError, RecursionError, MemoryError) as error:
        raise SunderError(f"has a size {text:.100} that cannot be read: {error}", code="malformed") from None


def _expression(node: ast.expr, integer: bool) -> Any:
    if isinstance(node, ast.Constant) and isinstance(node.value, (bool, int, float)):
        return sympy.sympify(node.value)
    if isinstance(node, ast.Name):
        return _CONSTANTS[node.id] if node.id in _CONSTANTS else _symbol(node.id, integer)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.Invert, ast.Not)):
        inner = _expression(node.operand, integer)
        return -inner if isinstance(node.op, ast.USub) else sympy.Not(inner)
    if isinstance(node, ast.BinOp):
        return _OPERATORS[type(node.op)](_expression(node.left, integer), _expression(node.right, integer))
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return _COMPARISONS[type(node.ops[0])](_expression(node.left, integer), _expression(node.comparators[0], integer))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        return _FUNCTIONS[node.func.id](*_all(node.args, integer))
    if isinstance(node, ast.Tuple):
        return tuple(_all(node.elts, integer))
    raise ValueError(f"{type(node).__name__} is not allowed in a size")


def _all(nodes: Sequence[ast.expr], integer: bool) -> list[Any]:
    return [_expression(node, integer) for node in nodes]


def _symbol(name: str, integer: bool) -> sympy.Symbol:
    """The symbol of a name. Its kind follows from the name if torch created it, otherwise from its use."""
    if name.startswith("zuf"):
        return sympy.Symbol(name)
    if name.startswith("zf") or not (integer or _INTEGER.fullmatch(name)):
        return sympy.Symbol(name, real=True)
    return sympy.Symbol(name, integer=True, positive=True) if name.startswith("s") else sympy.Symbol(name, integer=True)


def _power(base: Any, exponent: Any) -> Any:
    if not (exponent.is_Integer and abs(int(exponent)) <= 64) or _bits(base) * abs(int(exponent)) > _MOST_BITS:
        raise ValueError("a power is too large")
    return base**exponent


def _shifted(shift: Callable[[Any, Any], Any], base: Any, places: Any) -> Any:
    if places.is_Integer and not 0 <= int(places) <= 64:
        raise ValueError("a shift is too large")
    return shift(base, places)


def _bits(number: Any) -> int:
    """The number of bits of the largest rational number in an expression."""
    return max((int(part.p).bit_length() + int(part.q).bit_length() for part in number.atoms(sympy.Rational)), default=1)
