"""Guards of exported programs: conditions on the sizes of inputs, such as `L['x'].size()[0] % 2 == 0`.

Texts of files are never run as Python. `conditions` translates them into texts that name sizes by place, and `check_guards` evaluates
these. Both follow the syntax tree and allow numbers, arithmetic, comparisons, and a few functions only.
"""

from __future__ import annotations

import ast
import collections
import functools
import math
import operator
import re
from typing import Any, Callable, Iterable, Mapping, Sequence

import torch
import torch.utils._pytree as pytree

from .specs import children_of

Path = tuple[Any, ...]
Value = Callable[[Sequence[Any]], Any]
#: The meaning of names in a condition: `size0_1` is size 1 of flat input 0, `number2` is the flat input 2 itself.
_NAME = re.compile(r"(size|stride|offset|number)(\d{1,6})(?:_(\d{1,3}))?")
_FAILED = "Guard failed: "
_ASKED = {"size": "size", "stride": "stride", "storage_offset": "offset"}
_LONGEST, _MOST_NODES, _MOST_BITS = 20_000, 2_000, 4_096
_BINARY: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
    ast.Div: operator.truediv,
}  # fmt: skip
_COMPARED: Mapping[type, Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip
#: Functions by name. Those with a capital are sympy's, in sizes.
_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "max": max, "min": min, "abs": abs, "float": float, "math.floor": math.floor, "math.ceil": math.ceil, "math.trunc": math.trunc,
    "Max": max, "Min": min, "Mod": operator.mod, "PythonMod": operator.mod, "FloorDiv": operator.floordiv,
}  # fmt: skip


class Unsupported(ValueError):
    """The text is not a condition on inputs that can be evaluated."""


class Skipped(Exception):
    """A value is not a plain tensor or number, for example while a program is exported again."""


def conditions(guards: Iterable[str], places: Mapping[Path, int]) -> tuple[str, ...]:
    """Returns the guards as conditions. `places`: flat inputs by path, as returned by `input_places`. Omits guards on anything
    except sizes, strides, and numbers of inputs.
    """
    found: dict[str, None] = {}
    for guard in guards:
        try:
            condition = ast.unparse(_Translated(places).visit(_tree(guard)))
            _value(condition)  # fails if the condition cannot be evaluated
        except Unsupported:
            continue
        found[condition] = None
    return tuple(found)


def guards_of_errors(texts: Any) -> list[str]:
    """The guards in the errors of a module that checks them, as files have them."""
    said = texts if isinstance(texts, list) else []
    return [text.removeprefix(_FAILED) for text in said if isinstance(text, str) and text.startswith(_FAILED)]


def size_condition(place: str, expression: str, symbols: Mapping[str, str]) -> str | None:
    """Returns the condition that a size equals an expression of symbols. `place`: the name of the size. `symbols`: the sizes that
    are symbols, by symbol. None if another symbol occurs, or if the expression cannot be evaluated.
    """
    try:
        condition = f"{place} == ({ast.unparse(_Renamed(symbols).visit(_tree(expression)))})"
        _value(condition)
    except Unsupported:
        return None
    return condition


def equalities(sizes: Sequence[Sequence[Any]]) -> list[str]:
    """Conditions that follow from sizes that are symbols and expressions of them. `sizes`: of each the name, then
    the number or the symbol."""
    symbols: dict[str, str] = {}
    for name, size, *_ in sizes:
        if isinstance(size, str) and size.isidentifier():
            symbols.setdefault(size, name)
    stated = [(name, size) for name, size, *_ in sizes if isinstance(size, str) and symbols.get(size) != name]
    found = [size_condition(name, size, symbols) for name, size in stated]
    return [condition for condition in found if condition is not None]


def input_places(spec: pytree.TreeSpec, names: Sequence[str]) -> dict[Path, int]:
    """Returns the places of flat inputs by the paths that guards use. `names`: of the positional inputs.

    An item of variable arguments has two paths: `a_0` as in the graph and `a[0]` as in the model.
    """
    paths = [(kind, *path) for kind, child in enumerate(children_of(spec)) for path in _paths(child)]  # 1: by keyword
    places: dict[Path, int] = {}
    for place, (kind, key, *rest) in enumerate(paths):
        name = key if kind == 1 else names[key] if key < len(names) else None
        places.setdefault(("flat_args", place), place)
        if name is not None:
            places[(name, *rest)] = place
    for place, (kind, key, *rest) in enumerate(paths):
        item = re.fullmatch(r"(.+)_(\d{1,6})", names[key]) if kind == 0 and key < len(names) else None
        if item:
            places.setdefault((item[1], int(item[2]), *rest), place)
    return places


def check_guards(flat: Sequence[Any], guards: Sequence[str], shown: Callable[[int], str]) -> None:
    """Checks flat inputs. `guards`: conditions; `shown`: names a flat input. Raises AssertionError as torch.export does."""
    for guard in guards:
        try:
            holds = _value(guard)(flat)
        except Skipped:
            continue
        except (ArithmeticError, IndexError):
            holds = False
        if not holds:
            raise AssertionError(f"{_FAILED}{_NAME.sub(lambda name: _text(name, shown), guard)}")


def _paths(spec: pytree.TreeSpec) -> list[Path]:
    """The path of every leaf."""
    if spec.type is None:
        return [()]
    return [(key, *path) for key, child in zip(_keys(spec), children_of(spec)) for path in _paths(child)]


def _keys(spec: pytree.TreeSpec) -> Sequence[Any]:
    """Keys of the children: indices, keys, or names of attributes. Unknown keys are None."""
    children = children_of(spec)
    if spec.type in (tuple, list):
        return range(len(children))
    if spec.type in (dict, collections.OrderedDict):
        return list(spec.context)
    registered = pytree.SUPPORTED_NODES[spec.type]
    if registered.flatten_with_keys_fn is None:
        return [None] * len(children)
    try:
        keys, _ = registered.flatten_with_keys_fn(registered.unflatten_fn([0] * len(children), spec.context))
        return [next(getattr(key, name) for name in ("idx", "key", "name") if hasattr(key, name)) for key, _ in keys]
    except Exception:  # the class does not consist of numbers, or has no keys
        return [None] * len(children)


def _text(name: re.Match[str], shown: Callable[[int], str]) -> str:
    kind, place, dimension = name.groups()
    asked = {"number": "", "offset": ".storage_offset()"}.get(kind, f".{kind}()[{dimension}]")
    return shown(int(place)) + asked


def _tree(text: str) -> ast.expr:
    try:
        if len(text) > _LONGEST:
            raise Unsupported("too long")
        tree = ast.parse(text.strip(), mode="eval").body
        if sum(1 for _ in ast.walk(tree)) > _MOST_NODES:
            raise Unsupported("too long")
    except (ValueError, SyntaxError, RecursionError, MemoryError) as error:
        raise Unsupported(str(error)) from None
    return tree


class _Renamed(ast.NodeTransformer):
    """Replaces symbols by the names of sizes."""

    def __init__(self, symbols: Mapping[str, str]) -> None:
        self._symbols = symbols

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self._symbols:
            raise Unsupported(f"the symbol {node.id}")
        return ast.Name(self._symbols[node.id], ast.Load())

    def visit_Call(self, node: ast.Call) -> ast.expr:
        node.args = [self.visit(argument) for argument in node.args]
        return node


class _Translated(ast.NodeTransformer):
    """Replaces `L['x'].size()[1]`, or `x.size()[1]` as in errors, by the name of that size. No other name stays."""

    def __init__(self, places: Mapping[Path, int]) -> None:
        self._places = places

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Name(f"number{self._place(node)}", ast.Load())

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        return ast.Name(f"number{self._place(node)}", ast.Load())

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        call, dimension = node.value, _index(node)
        if not isinstance(call, ast.Call):
            return ast.Name(f"number{self._place(node)}", ast.Load())
        kind = self._asked(call)
        if kind == "offset" or type(dimension) is not int or dimension < 0:
            raise Unsupported("an index of something other than sizes")
        return ast.Name(f"{kind}{self._place(call.func.value)}_{dimension}", ast.Load())  # type: ignore[attr-defined]

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if _function_name(node.func) in _FUNCTIONS:
            node.args = [self.visit(argument) for argument in node.args]
            return node
        if self._asked(node) != "offset":
            raise Unsupported("all sizes")
        return ast.Name(f"offset{self._place(node.func.value)}", ast.Load())  # type: ignore[attr-defined]

    @staticmethod
    def _asked(call: ast.Call) -> str:
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if name not in _ASKED or call.args or call.keywords:
            raise Unsupported("a call")
        return _ASKED[name]

    def _place(self, node: ast.expr) -> int:
        path: list[Any] = []
        while not isinstance(node, ast.Name):
            if isinstance(node, ast.Attribute):
                path.append(node.attr)
            elif isinstance(node, ast.Subscript):
                path.append(_index(node))
            else:
                raise Unsupported("no input")
            node = node.value
        path += [] if node.id == "L" and path else [node.id]
        place = self._places.get(tuple(reversed(path)))
        if place is None:
            raise Unsupported("no input")
        return place


def _index(node: ast.Subscript) -> Any:
    if not isinstance(node.slice, ast.Constant):
        raise Unsupported("an index that is not constant")
    return node.slice.value


def _function_name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


@functools.lru_cache(maxsize=4096)
def _value(condition: str) -> Value:
    """The function of the flat inputs that a condition describes."""
    try:
        return _function(_tree(condition))
    except RecursionError:
        raise Unsupported("nested too deeply") from None


def _function(node: ast.expr) -> Value:
    if isinstance(node, ast.Constant) and type(node.value) in (int, float, bool):
        constant = node.value
        return lambda flat: constant
    if isinstance(node, ast.Name) and (name := _NAME.fullmatch(node.id)):
        return functools.partial(_read, name[1], int(name[2]), int(name[3] or 0))
    if isinstance(node, ast.UnaryOp):
        inner = _function(node.operand)
        if isinstance(node.op, ast.Not):
            return lambda flat: not inner(flat)
        if isinstance(node.op, ast.USub):
            return lambda flat: -inner(flat)
    if isinstance(node, ast.BoolOp):
        parts, of = [_function(value) for value in node.values], all if isinstance(node.op, ast.And) else any
        return lambda flat: of(part(flat) for part in parts)
    if isinstance(node, ast.BinOp):
        left, right, compute = _function(node.left), _function(node.right), _BINARY.get(type(node.op))
        if isinstance(node.op, ast.Pow):
            compute = _power
        if compute is not None:
            return lambda flat: _small(compute(left(flat), right(flat)))
    if isinstance(node, ast.Compare) and all(type(op) in _COMPARED for op in node.ops):
        values, tests = [_function(value) for value in (node.left, *node.comparators)], [_COMPARED[type(op)] for op in node.ops]
        return lambda flat: all(test(a(flat), b(flat)) for test, a, b in zip(tests, values, values[1:]))
    if isinstance(node, ast.IfExp):
        test, then, other = _function(node.test), _function(node.body), _function(node.orelse)
        return lambda flat: then(flat) if test(flat) else other(flat)
    if isinstance(node, ast.Call) and not node.keywords and (called := _FUNCTIONS.get(_function_name(node.func))):
        arguments = [_function(argument) for argument in node.args]
        return lambda flat: called(*(argument(flat) for argument in arguments))
    raise Unsupported(type(node).__name__)


def _read(kind: str, place: int, dimension: int, flat: Sequence[Any]) -> Any:
    """Returns the size with this name. Raises IndexError if the tensor has too few dimensions."""
    value = flat[place]
    if kind == "number":
        if type(value) not in (int, float, bool):
            raise Skipped
        return value
    if not isinstance(value, torch.Tensor):
        raise Skipped
    found = value.storage_offset() if kind == "offset" else getattr(value, kind)()[dimension]
    if type(found) is not int:  # a symbol
        raise Skipped
    return found


def _power(base: Any, exponent: Any) -> Any:
    if not (isinstance(exponent, int) and abs(exponent) <= 64):
        raise OverflowError
    return base**exponent


def _small(number: Any) -> Any:
    """Refuses numbers that a file could make arbitrarily long."""
    if isinstance(number, int) and number.bit_length() > _MOST_BITS:
        raise OverflowError
    return number
