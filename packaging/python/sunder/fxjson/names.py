"""Qualified names of functions and classes in graphs, and the objects that a file may refer to by such a name.

Files are untrusted. They may name operators, functions of PyTorch that only compute, `math`, `operator`, and a few builtins.
Nothing is imported for a file. Objects in other packages are accepted only if the caller trusts the package.
"""

from __future__ import annotations

import builtins
import functools
import importlib
import inspect
import math
import operator
import sys
import types
from typing import Any, Callable, Sequence

import torch
from torch.fx.node import _get_qualified_name

from ..errors import SunderError

#: Libraries of operators that PyTorch registers, so that Sunder knows their schemas.
TORCHS_OWN = frozenset(
    "_c10d_functional _c10d_functional_autograd _dtensor _inductor_test _native _quantized ao aten bucketing c10d c10d_functional"
    " cplib debug_mode_ops debugprims device_mesh export flex_lib fsdp inductor inductor_prims mkl mkldnn mkldnn_prepacked onednn"
    " onnx onnx_symbolic prim prims profiler quantization quantized quantized_decomposed rngprims sparse static_runtime streams"
    " symm_mem torch_attn torch_nn".split()
)
INVOKE_SUBGRAPH = torch.ops.higher_order.invoke_subgraph
# : torch 2.6 passes the operands as one tuple, later versions one by one.
TAKES_A_TUPLE = not any(
    parameter.kind is parameter.VAR_POSITIONAL for parameter in inspect.signature(type(INVOKE_SUBGRAPH).__call__).parameters.values()
)
_BUILTINS = frozenset(
    "abs all any bool complex dict divmod float getattr int isinstance iter len list max min next pow range round slice sum tuple".split()
)
_NOT_OPERATORS = frozenset({"attrgetter", "methodcaller", "itemgetter", "call"})
# : Modules whose public functions only compute.
_MODULES = frozenset(
    {
        "torch.functional",
        "torch.nn.functional",
        "torch._C._nn",
        "torch._C._linalg",
        "torch._C._fft",
        "torch._C._special",
        "torch._C._sparse",
        "torch._C._nested",
        "torch.fft",
        "torch.linalg",
        "torch.special",
    }
)
# : Other functions that exports, dynamo, and unflattened modules call: tree functions, and setters of autocast and grad mode.
_FUNCTIONS = {
    "torch": "sym_float sym_int sym_ite sym_max sym_min sym_not sym_sqrt sym_sum _assert _check _check_is_size is_tensor"
    " _sym_acos _sym_asin _sym_atan _sym_cos _sym_cosh _sym_exp _sym_log2 _sym_sin _sym_sinh _sym_sqrt _sym_tan _sym_tanh"
    " is_grad_enabled get_default_dtype set_default_dtype use_deterministic_algorithms is_autocast_enabled numel",
    "torch._C": "_set_grad_enabled _set_default_dtype _set_deterministic_algorithms",
    "torch._C._autograd": "_saved_tensors_hooks_disable _saved_tensors_hooks_enable",
    "torch._C._functorch": "_add_batch_dim _remove_batch_dim _vmap_increment_nesting _vmap_decrement_nesting",
    "torch._functorch.predispatch": "_add_batch_dim _remove_batch_dim _vmap_increment_nesting _vmap_decrement_nesting"
    " lazy_load_decompositions _make_dual _unpack_dual _jvp_increment_nesting _jvp_decrement_nesting _unwrap_for_grad"
    " _enter_dual_level _exit_dual_level",
    "torch.amp.autocast_mode": "_enter_autocast _exit_autocast",
    "torch.autograd.grad_mode": "_enter_inference_mode _exit_inference_mode set_grad_enabled",
    "torch.fx._pytree": "tree_flatten_spec",
    "torch.fx.experimental.symbolic_shapes": "cast_symbool_to_symint_guardless",
    "torch.utils._pytree": "tree_flatten tree_unflatten",
}
_NOT_METHODS = frozenset({"__call__", "format", "format_map"})  # these call methods or read attributes by name
_FILES = frozenset({"from_file", "save", "load"})  # operators that reach for files


def text_of(function: Callable[..., Any]) -> str:
    """Returns the target of a call as written in fx-json. Contains `<locals>` or `<lambda>` if the name does not identify the
    function."""
    if isinstance(function, (torch._ops.OpOverload, torch._ops.OpOverloadPacket)):
        return f"torch.ops.{function}"
    if isinstance(function, torch._ops.HigherOrderOperator):
        return f"torch.ops.higher_order.{function.name()}"  # type: ignore[no-untyped-call]
    if getattr(function, "__module__", None) == "_operator":
        return f"_operator.{function.__name__}"
    text = _name_in_torch(function)
    if text is not None and (leads_to(text, function) or _is_native(function)):
        return text
    owner = getattr(function, "__self__", None)
    if isinstance(owner, type):  # a class method, such as `apply` of an autograd function
        return f"{class_name(owner)}.{function.__name__}"
    return _local(function.__module__, getattr(function, "__qualname__", function.__name__))


def class_text(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


def class_name(cls: type) -> str:
    """Returns the name of a class. Contains `<locals>` if it does not identify the class."""
    text = class_text(cls)
    return text if leads_to(text, cls) else _local(cls.__module__, cls.__qualname__)


def leads_to(text: str, thing: Any) -> bool:
    """Whether a qualified name identifies this object in the loaded modules."""
    parts = text.split(".")
    for i in range(len(parts) - 1, 0, -1):
        if (found := sys.modules.get(".".join(parts[:i]))) is not None:
            for name in parts[i:]:
                found = getattr(found, name, None)
            return found is thing or (type(found) is type(thing) and isinstance(found, types.MethodType) and found == thing)
    return len(parts) == 1 and getattr(builtins, text, None) is thing


def _name_in_torch(function: Callable[..., Any]) -> str | None:
    try:
        return str(_get_qualified_name(function))
    except (OSError, RuntimeError):  # a lambda whose source is not there
        if function.__name__ != "<lambda>":
            raise
        return None


def _is_native(function: Callable[..., Any]) -> bool:
    """Whether a function is part of a C module or class, which makes its name unique."""
    if isinstance(function, types.BuiltinFunctionType):
        return isinstance(function.__self__, (type, types.ModuleType))
    return isinstance(function, (types.MethodDescriptorType, types.WrapperDescriptorType))


def is_local(name: str) -> bool:
    """Whether a name does not identify its function or class."""
    return "<locals>" in name or "<lambda>" in name


def _local(module: str, name: str) -> str:
    return f"{module}.{name}" if is_local(name) else f"{module}.<locals>.{name}"


class Names:
    """Looks up names of a file. `trust` has the packages that may be imported for it."""

    def __init__(self, trust: Sequence[str] = ()) -> None:
        self._trust = tuple(trust)
        self._known: dict[str, Callable[..., Any]] = {}

    def function(self, text: str) -> Callable[..., Any]:
        found = self._known.get(text)
        if found is None:
            found = self._known[text] = self._look_up(text)
        return found

    def class_called(self, text: str) -> type | None:
        """The class of that name among those that are loaded, or of a trusted package."""
        module, _, name = text.rpartition(".")
        if self._trusts(text):
            found = self._imported(text)
        else:
            found = getattr(sys.modules.get(module or "builtins"), name, None) if module.split(".")[0] in ("", "torch") else None
        return found if isinstance(found, type) else None

    def module_class(self, text: str) -> type[torch.nn.Module] | None:
        """The class of a module that a graph calls: of torch.nn, or of a trusted package."""
        found = self.class_called(text) if text.startswith("torch.nn.modules.") or self._trusts(text) else None
        return found if found is not None and issubclass(found, torch.nn.Module) else None

    def tuple_class(self, text: str, fields: list[str]) -> type | None:
        """A named tuple with these fields."""
        found = self.class_called(text)
        is_one = found is not None and issubclass(found, tuple) and list(getattr(found, "_fields", ())) == fields
        return found if is_one else None

    def _trusts(self, text: str) -> bool:
        return any(text == package or text.startswith(package + ".") for package in self._trust)

    def _look_up(self, text: str) -> Callable[..., Any]:
        found = _operator(text) if text.startswith("torch.ops.") else _function(text)
        if found is None and self._trusts(text):
            found = self._imported(text)
        if found is None:
            if is_local(text):
                raise SunderError(f"calls {text}, whose saved name does not identify it")
            package = text.split(".")[0]
            raise SunderError(
                f"calls {text}, which is not a function of PyTorch that a file may call; "
                f'if you trust the file, load it with trust=("{package}",)'
            )
        return found

    @staticmethod
    def _imported(text: str) -> Any:
        module, _, name = text.rpartition(".")
        found, rest = None, [name]
        while module and found is None:
            try:
                found = importlib.import_module(module)
            except ModuleNotFoundError:
                module, _, name = module.rpartition(".")
                rest.insert(0, name)
        for name in rest:
            found = getattr(found, name, None)
        return found


def is_method(name: str) -> bool:
    """Whether a graph of a file may call the method with this name on a tensor or on containers that calls return."""
    if name in _NOT_METHODS:
        return False
    if name.startswith("_"):
        return isinstance(vars(operator).get(name), types.BuiltinFunctionType) and hasattr(torch.Tensor, name)
    return any(hasattr(kind, name) for kind in (torch.Tensor, list, tuple, dict, torch.Size, torch.SymInt, str))


def is_attribute(name: str) -> bool:
    """Whether a graph of a file may read this attribute of results: a property, a field, or a permitted method. Other methods
    could be passed to a function that calls them, and some write files.
    """
    return not name.startswith("_") and (name in _fields_of_results() or is_method(name) or name not in _methods())


@functools.cache
def _fields_of_results() -> frozenset[str]:
    """Fields of the named tuples that operators return; some share names with methods, such as `values`."""
    kinds = torch.return_types.all_return_types
    return frozenset(name for kind in kinds for name in vars(kind) if not callable(getattr(kind, name)))


@functools.cache
def _methods() -> frozenset[str]:
    """Names of the methods of all objects that a graph can access."""
    kinds: list[type] = [torch.Tensor, torch.nn.Parameter, torch.nn.Module, torch.fx.GraphModule, torch.fx.Graph, torch.fx.Node]
    kinds += [torch.UntypedStorage, torch.TypedStorage, torch.Size, torch.SymInt, torch.SymFloat, torch.SymBool, torch.Generator]
    kinds += [torch.dtype, torch.device, torch.utils._pytree.TreeSpec, str, bytes, int, float, complex, list, tuple, dict, set, slice]
    if numpy := sys.modules.get("numpy"):
        kinds += [numpy.ndarray, numpy.generic, numpy.dtype]
    return frozenset(name for kind in kinds for name in dir(kind) if callable(getattr(kind, name, None)))


def _operator(text: str) -> Callable[..., Any] | None:
    _, _, library, *rest = text.split(".")
    if not 1 <= len(rest) <= 2 or rest[0] in _FILES:
        return None
    try:
        found: Any = getattr(torch.ops, library)
        for name in rest:
            found = getattr(found, name)
    except (AttributeError, RuntimeError):
        raise SunderError(
            f"calls the operator {text}, which is not registered; import the library that registers it first"
        ) from None
    kinds = (torch._ops.OpOverload, torch._ops.OpOverloadPacket, torch._ops.HigherOrderOperator)
    return found if isinstance(found, kinds) else None


def _function(text: str) -> Callable[..., Any] | None:
    module, _, name = text.rpartition(".")
    found: Any = None
    if name.startswith("_" if module in ("_operator", "operator", "math") else "__") and module != "torch.Tensor":
        return None
    if not module:
        found = getattr(builtins, name) if name in _BUILTINS else None
    elif module in ("_operator", "operator"):
        found = getattr(operator, name, None) if name not in _NOT_OPERATORS else None
    elif module == "math":
        found = getattr(math, name, None)
    elif module == "torch.Tensor":
        found = getattr(torch.Tensor, name, None) if is_method(name) else None
    elif module in _MODULES:
        found = getattr(sys.modules.get(module) or _attribute(module), name, None)
    elif name in _FUNCTIONS.get(module, "").split():
        found = getattr(sys.modules.get(module) or _attribute(module), name, None)
    elif module == "torch" and name not in _FILES and hasattr(torch._C._VariableFunctions, name):
        found = getattr(torch, name, None) or getattr(torch._C._VariableFunctions, name)
    return found if callable(found) else None


def _attribute(path: str) -> Any:
    found: Any = sys.modules[path.split(".")[0]]
    for name in path.split(".")[1:]:
        found = getattr(found, name, None)
    return found
