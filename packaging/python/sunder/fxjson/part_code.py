"""Generates the Python code of plain graphs, several times as fast as torch.fx and with the same text.

Covers calls of functions of PyTorch and of operators, methods, modules, attributes, and arguments of plain types. `python_code`
returns None for all other graphs, and for all graphs if this PyTorch generates code in another form: on first use, the code of a
sample is compared with that of torch.fx.
"""

from __future__ import annotations

import builtins
import dataclasses
import functools
import keyword
import sys
from typing import Any, Callable

import torch
import torch.fx
from torch.fx.graph import CodeGen

_PLAIN = frozenset({int, float, bool, type(None), str, complex, torch.dtype, torch.device, torch.layout, torch.memory_format})
_TYPES = frozenset({int, float, bool, str})
_NAMES_OF_TYPES = {kind.__name__ for kind in _TYPES}
_RESERVED = frozenset(dir(builtins)) | frozenset(keyword.kwlist) | {"self", "torch", "wrap"}


class _NotPlain(Exception):
    """The graph has something that only torch.fx can write."""


def python_code(graph: torch.fx.Graph) -> Any:
    """Returns the same as `graph.python_code("self")`, or None."""
    if type(graph._codegen) is not CodeGen or graph._codegen._body_transformer is not None:
        return None
    template = _template()
    return _written(graph, template) if template is not None else None


def _written(graph: torch.fx.Graph, template: Any) -> Any:
    names = {node.name for node in graph.nodes}
    if not (names.isdisjoint(_RESERVED) and names.isdisjoint(template.globals) and len(names) == len(graph.nodes)):
        return None
    if not all(name.isascii() and name.isidentifier() for name in names):
        return None
    try:
        parameters, lines, numbers = _body(graph)
    except (_NotPlain, TypeError):  # an unhashable target
        return None
    prologue = graph._codegen.gen_fn_def(parameters, "")
    text = "\n\n\n" + prologue + "\n    " + "\n    ".join(lines) + "\n    "
    first = prologue.count("\n") + 1
    places = {first + i: number for i, number in enumerate([*numbers, numbers[-1]])}
    named = {node.type.__name__: node.type for node in graph.nodes if node.type in _TYPES}
    return dataclasses.replace(template, src=text, globals={**template.globals, **named}, _lineno_map=places)


def _body(graph: torch.fx.Graph) -> tuple[list[str], list[str], list[int]]:
    """Returns parameters, lines, and the node number of each line."""
    parameters, lines, numbers = [], [], []
    last = _last_uses(graph)
    for number, node in enumerate(graph.nodes):
        if node.meta.get("is_wrapped"):
            raise _NotPlain
        if node.op == "placeholder":
            if node.args:
                raise _NotPlain
            parameters.append(f"{node.target}{_type(node)}")
            raw = node.target.replace("*", "")
            if raw == node.name:
                continue
            line = f"{node.name} = {raw}"
        elif node.op == "output":
            if node.type is not None:
                raise _NotPlain
            line = f"return {_value(node.args[0])}"
        else:
            free = last.get(node, ())
            if not node.users:
                free = [*free, node.name]
            line = _statement(node)
            if free:
                line += f";  {' = '.join(free)} = None"
        lines.append(line)
        numbers.append(number)
    if not lines or node.op != "output":
        raise _NotPlain
    return parameters, lines, numbers


def _last_uses(graph: torch.fx.Graph) -> dict[torch.fx.Node, list[str]]:
    """Returns, for each node, the names of the values that it is the last to use."""
    seen: set[torch.fx.Node] = set()
    last: dict[torch.fx.Node, list[str]] = {}
    for node in reversed(graph.nodes):
        for value in node.all_input_nodes:
            if value not in seen:
                seen.add(value)
                last.setdefault(node, []).append(value.name)
    return last


def _statement(node: torch.fx.Node) -> str:
    op, args = node.op, node.args
    result = f"{node.name}{_type(node)}" if node.type is not None else node.name
    if op == "call_function":
        name, form, writes = _function(node.target)
        if form is not None:
            said = form.format(*map(_value, args))
            return f"{said};  {result} = {_value(args[0])}" if writes else f"{result} = {said}"
        return f"{result} = {name}({_arguments(args, node.kwargs)})"
    if op == "call_method":
        return f"{result} = {_path(_value(args[0]), str(node.target))}({_arguments(args[1:], node.kwargs)})"
    if op == "call_module":
        return f"{result} = {_path('self', str(node.target))}({_arguments(args, node.kwargs)})"
    return f"{result} = {_path('self', str(node.target))}"


def _type(node: torch.fx.Node) -> str:
    """The type annotation of a variable."""
    kind = node.type
    if kind is None:
        return ""
    if kind in _TYPES:
        return f" : {kind.__name__}"
    if not isinstance(kind, type) or hasattr(kind, "__origin__"):
        raise _NotPlain
    return f" : {_function(kind)[0]}"


def _arguments(args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    said = [_value(value) for value in args]
    if kwargs:
        said.extend([f"{key} = {_value(value)}" for key, value in kwargs.items()])
    return ", ".join(said)


def _value(value: Any) -> str:
    kind = type(value)
    if kind is torch.fx.Node:
        name: str = value.name
        return name
    if kind in _PLAIN:
        return repr(value)
    if isinstance(value, list):
        return f"[{', '.join([_value(item) for item in value])}]"
    if kind is tuple:
        return f"({_value(value[0])},)" if len(value) == 1 else f"({', '.join([_value(item) for item in value])})"
    if kind is slice:
        return f"slice({_value(value.start)}, {_value(value.stop)}, {_value(value.step)})"
    raise _NotPlain


def _path(base: str, target: str) -> str:
    for name in target.split("."):
        base = f"{base}.{name}" if name.isidentifier() else f'getattr({base}, "{name}")'
    return base


@functools.lru_cache(maxsize=4096)
def _function(target: Callable[..., Any]) -> tuple[str, str | None, bool]:
    """Returns the name of a function, its format as a Python operator, if any, and whether that writes to its operand."""
    name = getattr(target, "__name__", "")
    if getattr(target, "__module__", "") == "_operator":
        for table, writes in ((torch.fx.graph.magic_methods, False), (torch.fx.graph.inplace_methods, True)):
            if name in table:
                return "", table[name], writes
    if getattr(builtins, name, None) is target or not torch.fx.graph._is_from_torch(target):
        raise _NotPlain
    return torch.fx.node._get_qualified_name(target), None, False


@functools.lru_cache(maxsize=1)
def _template() -> Any:
    """The code of a sample from torch.fx, whose text is replaced; None if this file generates different code for it."""
    graph = _sample()
    theirs = graph.python_code("self")
    kept = {name: value for name, value in theirs.globals.items() if name not in _NAMES_OF_TYPES}
    template = dataclasses.replace(theirs, globals=kept)
    try:
        ours = _written(graph, template)
    except (AttributeError, TypeError):  # a PyTorch with other internals
        return None
    return template if ours == theirs else None


def _sample() -> torch.fx.Graph:
    operator = sys.modules["_operator"]
    graph = torch.fx.Graph()
    x, rest = graph.placeholder("x", type_expr=torch.Tensor), graph.placeholder("*rest")
    x.meta["note"] = 1  # shown by some settings of torch.fx
    late = graph.create_node("placeholder", "given", name="late")
    weight = graph.create_node("get_attr", "layers.0.weight")
    total = graph.call_function(torch.add, (x, weight), {"alpha": 2})
    graph.call_function(torch.ops.aten.add.Tensor, (total, 1.5))
    item = graph.call_function(operator.getitem, (rest, (slice(None, 2, None), 0, None)))
    more = graph.call_function(operator.iadd, (item, -1))
    graph.create_node("call_method", "size", (more, 0), type_expr=int)
    view = graph.call_method("view", (more, [total, -1], ("a'b", True)), {"dtype": torch.float16})
    called = graph.call_module("layers.0.norm", (view, (late,), torch.device("cpu")))
    picked = graph.call_function(torch.nn.functional.relu, ([called, []], ()), {"out": float("inf")})
    graph.output(({"a": picked}["a"], [called, None]))
    return graph
