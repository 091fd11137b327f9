"""Behavior of a module beyond its class, fields, and tensors: hooks, methods replaced in one object, and code that differs from
that of its class or graph. Reasons are predicates that follow the name of the module.
"""

from __future__ import annotations

import types
from typing import Any, Callable, Iterator

import torch
import torch.fx
from torch.export.unflatten import InterpreterModule, InterpreterModuleDispatcher, UnflattenedModule

from .names import class_text, leads_to

_HOOKS = {"_forward_hooks": "has forward hooks", "_forward_pre_hooks": "has forward pre-hooks"}
_GRADIENT_HOOKS = {"_backward_hooks": "has backward hooks", "_backward_pre_hooks": "has backward pre-hooks"}
# : Tables of hooks, and attributes that describe them.
_HOOK_TABLES = (
    *_HOOKS,
    *_GRADIENT_HOOKS,
    "_forward_hooks_with_kwargs",
    "_forward_hooks_always_called",
    "_forward_pre_hooks_with_kwargs",
)
#: Methods that run when a module is called.
_OF_CALLS = tuple(
    "forward __call__ _call_impl _compiled_call_impl _wrapped_call_impl _slow_forward __getattr__ __getattribute__".split()
)
_RUN_GRAPHS = (UnflattenedModule, InterpreterModule, InterpreterModuleDispatcher)
_GENERATED = "<eval_with_key>"  # file names of code that torch.fx generates


def has_graph(module: torch.nn.Module) -> bool:
    return isinstance(getattr(module, "graph", None), torch.fx.Graph)


def attributes_read(root: torch.nn.Module) -> frozenset[str]:
    """Names of attributes that graphs of a model read by `getattr`."""
    graphs = (module.graph for module in root.modules() if has_graph(module))
    calls = (node.args for graph in graphs for node in graph.nodes if node.target is getattr)  # type: ignore[union-attr]
    return frozenset(args[1] for args in calls if len(args) > 1 and isinstance(args[1], str))


def hooks_of(module: torch.nn.Module) -> str | None:
    return next((reason for table, reason in _HOOKS.items() if not all(map(_is_check, getattr(module, table).values()))), None)


def gradient_hooks_of(module: torch.nn.Module) -> str | None:
    return next((reason for table, reason in _GRADIENT_HOOKS.items() if getattr(module, table, None)), None)


def carry_hooks(source: torch.nn.Module, target: torch.nn.Module) -> None:
    """Copies the hooks of a source module to a module."""
    checks = {key for table in _HOOKS for key, hook in getattr(source, table).items() if _is_check(hook)}
    for table in _HOOK_TABLES:
        getattr(target, table).update({key: hook for key, hook in getattr(source, table).items() if key not in checks})
    if source._backward_hooks:
        target._is_full_backward_hook = source._is_full_backward_hook


def _is_check(hook: Any) -> bool:
    """Whether a hook is torch.export's check of program inputs, which follows from the signature."""
    return getattr(hook, "__module__", None) == "torch.export._unlift"


def replaced_call(module: torch.nn.Module) -> str | None:
    """Why a call of a module with a graph does not run the graph."""
    if own := next((name for name in _OF_CALLS if name in vars(module)), None):
        return f"has its own {own}"
    for cls in type(module).__mro__:
        if not _is_of_torch(cls) and (name := next((name for name in _OF_CALLS[1:] if name in vars(cls)), None)):
            return f"is of a class with its own {name}"
    if isinstance(module, torch.fx.GraphModule):
        return None if _runs_generated_code(module) else "has a forward method that is not the code of its graph"
    is_known = isinstance(module, _RUN_GRAPHS) or _is_of_torch(type(module))
    return None if is_known else f"is a {class_text(type(module))}, which may not run its graph"


def other_code(module: torch.nn.Module) -> str | None:
    """Why the code of a module differs from the code that torch.fx generates for its graph."""
    codegen = getattr(module.graph, "_codegen", None)
    if codegen is not None and not all(map(_is_of_torch, type(codegen).__mro__)):
        return f"has a code generator {class_text(type(codegen))}"
    return "has code that a transformer changes" if getattr(codegen, "_body_transformer", None) else None


def replaced_method(module: torch.nn.Module) -> str | None:
    """Returns a method that an object has instead of the method of its class."""
    cls = type(module)
    for name, value in vars(module).items():
        if callable(value) and callable(getattr(cls, name, None)) and name not in module._modules:
            return f"has its own {name}"
    return None


def unknown_class(module: torch.nn.Module) -> str | None:
    """The reason why the class name of a module does not determine its results; None if it does."""
    cls = type(module)
    if not leads_to(class_text(cls), cls):
        return f"is a {class_text(cls)}, a class that cannot be found by its name"
    for name in ("forward", "__call__"):
        owner = next((one for one in cls.__mro__ if name in vars(one)), cls)
        if not _is_own(vars(owner).get(name), owner, name):
            return f"is of a class whose {name} was replaced"
    return None


def _is_own(method: Any, owner: type, name: str) -> bool:
    """Whether a method is the original one of its class."""
    if _is_of_torch(owner):
        return not isinstance(method, types.FunctionType) or _is_of_torch(method)
    if not isinstance(method, types.FunctionType):
        return True
    return method.__module__ == owner.__module__ and method.__qualname__ in _own_names(owner, name)


def _own_names(owner: type, name: str) -> Iterator[str]:
    yield f"{owner.__qualname__}.{name}"
    yield from (value.__qualname__ for value in vars(owner).values() if isinstance(value, types.FunctionType))


def _runs_generated_code(module: torch.fx.GraphModule) -> bool:
    forward = next((vars(cls)["forward"] for cls in type(module).__mro__ if "forward" in vars(cls)), None)
    if not isinstance(forward, types.FunctionType):
        return True  # a placeholder until the code is generated
    return forward.__code__.co_filename.startswith(_GENERATED) or _is_of_torch(forward)


def _is_of_torch(thing: type | Callable[..., Any]) -> bool:
    package = str(getattr(thing, "__module__", None)).partition(".")[0]
    return package in ("torch", "sunder", "builtins")


def guards_of(forward: Any) -> list[str] | None:
    """Returns the guards that a check function of torch.export tests. None for another function."""
    if not isinstance(forward, types.FunctionType):
        return None
    inner = (cell.cell_contents for cell in forward.__closure__ or ())  # a decorator for dynamo
    functions = [forward, *(one for one in inner if isinstance(one, types.FunctionType))]
    code = next((one.__code__ for one in functions if (one.__name__, one.__code__.co_filename) == ("_", "<string>")), None)
    return None if code is None else [text for text in code.co_consts if isinstance(text, str)]
