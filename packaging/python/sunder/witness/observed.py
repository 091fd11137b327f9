"""Observes consecutive calls of a model: results, writes, shared memory, random numbers, errors. Compares the observations of two
models.
"""

from __future__ import annotations

import contextlib
import copy
import ctypes
import dataclasses
import hashlib
import io
import warnings
from typing import Any, Iterator, Mapping, Sequence

import torch
import torch.fx
import torch.utils._pytree as pytree
from torch.fx._lazy_graph_module import _LazyGraphModule

from ..errors import SunderError, WronglyNested, one_line
from ..pipeline.comparison import Difference, difference
from .domain import RunnableModel, state_of

_PERTURB = -6  # M_PERTURB of mallopt(3): the byte that fresh memory is filled with
_REFUSALS = ("Guard failed", "Expected input at", "Trying to flatten user inputs", "Runtime assertion failed", "Tensor dtype mismatch")
_CHECKS = {"flat_inputs", "_check_input_constraints_pre_hook"}  # functions that refuse inputs
_MEMORY = ("can't allocate memory", "not enough memory", "out of memory", "Storage size calculation overflowed")
_LATER = ", after the last call"  # of a result that was seen before
_LAYOUTS = {torch.sparse_coo: ("_indices", "_values")}
_BY_ROW, _BY_COLUMN = ("crow_indices", "col_indices", "values"), ("ccol_indices", "row_indices", "values")


class Fact(str):
    """A property as text, in addition to observed values."""


@dataclasses.dataclass
class Call:
    """Flat inputs of the calls, and other settings that affect them."""

    inputs: Sequence[Sequence[Any]]  # of each call
    seed: int
    grad: bool = True


@dataclasses.dataclass
class View:
    """The observed parts of a model: the names of flat inputs, the tensors of the model, each with its name in messages, and
    whether the nesting of results counts.
    """

    names: Sequence[str]
    state: Mapping[str, str] = dataclasses.field(default_factory=dict)
    nesting: bool = True


@dataclasses.dataclass
class Run:
    """Observations by place, in order."""

    seen: dict[str, Any] = dataclasses.field(default_factory=dict)
    refused: str | None = None  # the error of a check of inputs
    broken: str | None = None  # why the run is not usable: out of memory, or something that cannot run here

    def says(self) -> bool:
        return self.refused is None and self.broken is None


def observed(model: RunnableModel, call: Call, view: View, fill: int = 0) -> Run:
    """Calls a copy of the model with copies of the inputs. `fill`: the byte in fresh memory, so that a result that depends on
    uninitialized memory differs between runs; glibc only. Cost: a copy of the model.
    """
    run = Run()
    with _as_before(call, fill):
        try:
            module, flats = _copied(model.module), copy.deepcopy([list(flat) for flat in call.inputs])
        except Exception as error:  # models may raise anything when they are copied
            run.broken = f"it cannot be copied: {_error_text(error)}"
            return run
        tensors = state_of(module)
        kept = {shown: tensors[name] for name, shown in view.state.items()}
        before = state_of(model.module)
        results: list[tuple[str, Any]] = []
        for number, flat in enumerate(flats, 1):
            try:
                args, kwargs = model.nested(flat)
                result = module(*args, **kwargs)
            except Exception as error:  # models may raise anything
                _take_error(run, error, f"call {number}")
                return run
            run.seen[f"call {number}"] = Fact("returns")
            _see_results(run, result, number, results, view.nesting)
            roots = [(f"input '{name}'", value) for name, value in zip(view.names, flat)]
            roots += [(f"'{name}'", tensor) for name, tensor in kept.items()]
            _see_memory(run, roots, results, number)
            for name, value in zip(view.names, flat):
                if isinstance(value, torch.Tensor):
                    _see(run, f"input '{name}' after call {number}", value)
            run.seen[f"random numbers after call {number}"] = Fact(hashlib.sha256(torch.get_rng_state().numpy().tobytes()).hexdigest()[:12])
            run.seen[f"global state after call {number}"] = Fact(_global_state())
        for place, value in results:
            _see(run, place + _LATER, value)
        for name, shown in view.state.items():
            _see_state(run, shown, before[name], tensors[name])
    return run


def differences(a: Run, b: Run) -> list[Difference]:
    """Returns the differences of B from A, in the order of observation. All NaN are equal, because their bits depend on the order
    of operands.
    """
    found: dict[str, Difference] = {}
    for place, value in a.seen.items():
        if place not in b.seen or (_raises(value) and _raises(b.seen[place])):
            continue
        follows = place.removeprefix("strides of ").removesuffix(_LATER)  # strides of another shape, a value that was another before
        if (follows == place or follows not in found) and (why := _why(value, b.seen[place])):
            found[place] = Difference(place, why)
    return list(found.values())


def is_stable(place: str, one: Run, other: Run) -> bool:
    """Whether two runs of one model agree in a place."""
    a, b = one.seen.get(place), other.seen.get(place)
    return place in one.seen and place in other.seen and ((_raises(a) and _raises(b)) or _why(a, b) is None)


def _raises(value: Any) -> bool:
    return isinstance(value, Fact) and value.startswith("raises ")


def matched_state(a: torch.nn.Module, b: torch.nn.Module) -> dict[str, str]:
    """Tensors that both models have, by name in A with the name in B: the same tensor, or the same name, with the path of a part
    before it or not, and the same contents.
    """
    mine, others = state_of(a), state_of(b)
    by_identity = {id(tensor): name for name, tensor in reversed(others.items())}
    by_suffix: dict[str, str | None] = {}
    for name in others:
        for suffix in _suffixes(name):
            by_suffix[suffix] = None if suffix in by_suffix else name  # None: ambiguous
    found: dict[str, str] = {}
    for name, tensor in mine.items():
        candidates = [by_identity.get(id(tensor)), name if name in others else None, by_suffix.get(name)]
        candidates += [suffix if suffix in others else None for suffix in _suffixes(name)[1:]]
        other = next((one for one in candidates if one is not None), None)
        if other is not None and other not in found.values() and _why(tensor, others[other]) is None:
            found[name] = other
    return found


def without_changing_memory(value: Any) -> dict[str, Any]:
    """A value in parts that can be compared: a tensor of another layout is its components."""
    if not isinstance(value, torch.Tensor):
        return {"": value}
    if type(value) not in (torch.Tensor, torch.nn.Parameter, torch.nn.Buffer):
        return {"": Fact(f"a {type(value).__name__}, which is not compared")}
    if value.layout is torch.strided and not value.is_quantized and not value.is_nested:
        return {"": value.detach().resolve_conj().resolve_neg().clone()}
    facts = Fact(f"{value.layout} {value.dtype} {tuple(value.shape) if not value.is_nested else 'nested'}")
    if value.is_nested:
        parts = {f" [{at}]": one.detach().clone() for at, one in enumerate(value.unbind())}
    elif value.is_quantized:
        parts = {" integers": value.int_repr(), " numbers": value.dequantize()}
    else:
        by_row = value.layout in (torch.sparse_csr, torch.sparse_bsr)
        methods = _LAYOUTS.get(value.layout, _BY_ROW if by_row else _BY_COLUMN)
        parts = {f" {name.strip('_')}": getattr(value.detach(), name)().clone() for name in methods}
    return {"": facts, **parts}


def _copied(module: torch.nn.Module) -> torch.nn.Module:
    """Returns a copy of a module with separate tensors. GraphModules keep their class with its code, which PyTorch's copies
    generate again: seconds for some thousand nodes. Copies share graphs, metadata, and specs, which calls do not change.
    """
    graphs = [one for one in module.modules() if isinstance(one, torch.fx.GraphModule)]
    memo: dict[int, Any] = {id(one): object.__new__(type(one)) for one in graphs}
    for one in graphs:
        if isinstance(one, _LazyGraphModule):
            one.real_recompile()
        specs = (value for value in vars(one).values() if isinstance(value, pytree.TreeSpec))
        memo.update({id(shared): shared for shared in (one.graph, one.meta, *specs)})
    for one in graphs:
        copied = {name: copy.deepcopy(value, memo) for name, value in vars(one).items()}
        vars(memo[id(one)]).update(copied)
    return copy.deepcopy(module, memo)


def _see(run: Run, place: str, value: Any) -> None:
    for part, content in without_changing_memory(value).items():
        run.seen[place + part] = content


def _see_results(run: Run, result: Any, number: int, results: list[tuple[str, Any]], nesting: bool) -> None:
    """Observes nesting, values, strides, and whether gradients are required."""
    with_paths, spec = pytree.tree_flatten_with_path(result)
    run.seen[f"nesting of the results of call {number}"] = Fact(one_line(str(spec)) if nesting else f"{len(with_paths)} values")
    for at, (path, value) in enumerate(with_paths):
        place = f"output{pytree.keystr(path) if nesting else f' {at}'} of call {number}"
        _see(run, place, value)
        results.append((place, value))
        if isinstance(value, torch.Tensor):
            if value.layout is torch.strided and not value.is_nested:
                run.seen[f"strides of {place}"] = Fact(_visible_strides(value))
            run.seen[f"gradients of {place}"] = Fact("required" if value.requires_grad else "not required")


def _see_memory(run: Run, roots: Sequence[tuple[str, Any]], results: Sequence[tuple[str, Any]], number: int) -> None:
    """For each result of the call, whose memory it shares: that of an input, of state, or of an earlier result."""
    first: dict[int, tuple[str, int]] = {}
    for place, value in (*roots, *results):
        if not isinstance(value, torch.Tensor) or value.layout is not torch.strided or value.is_nested or not value.numel():
            continue
        storage = value.untyped_storage()
        root, begin = first.setdefault(storage._cdata, (place, value.data_ptr()))
        if place.endswith(f" of call {number}"):
            offset = value.data_ptr() - begin
            text = "its own" if root == place else f"that of {root}" + (f" at {offset:+d} bytes" if offset else "")
            run.seen[f"memory of {place}"] = Fact(text)


def _see_state(run: Run, shown: str, before: torch.Tensor, after: torch.Tensor) -> None:
    """Observes a tensor of the model after the calls. Unchanged tensors are not kept."""
    place = f"'{shown}' after the last call"
    if _why(before, after) is None:
        run.seen[place] = Fact("as before")
    else:
        _see(run, place, after)
    if after.grad is not None:
        _see(run, f"gradient of '{shown}' after the last call", after.grad)


def _why(a: Any, b: Any) -> str | None:
    """Describes the difference in B."""
    if isinstance(a, Fact) or isinstance(b, Fact):
        a_text, b_text = (value if isinstance(value, Fact) else "another value" for value in (a, b))
        return None if a_text == b_text and type(a) is type(b) else f"{b_text} in B, {a_text} in A"
    if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor):
        return _why_tensors(a, b)
    if type(a) is type(b) and not isinstance(a, (bool, int, float, complex, str, bytes, type(None), torch.dtype, torch.device, torch.Size)):
        return None  # objects that cannot be compared
    if isinstance(a, float) and isinstance(b, float):
        return None if repr(a) == repr(b) else f"{b!r} in B, {a!r} in A"
    return f"{said.replace(' instead of ', ' in B, ')} in A" if (said := difference(b, a)) else None


def _why_tensors(a: torch.Tensor, b: torch.Tensor) -> str | None:
    plain = all(one.layout is torch.strided and not one.is_quantized and not one.is_nested for one in (a, b))
    if not plain:
        parts = without_changing_memory(a), without_changing_memory(b)
        if parts[0].keys() != parts[1].keys():
            return "another layout"
        return next((why for part in parts[0] if (why := _why(parts[0][part], parts[1][part]))), None)
    said = difference(b, a)
    if said is None or a.shape != b.shape or a.dtype != b.dtype:
        return f"{said.replace(' instead of ', ' in B, ')} in A" if said else None
    ours, theirs = (_with_one_nan(one) for one in (a, b))
    return difference(theirs, ours)


def _with_one_nan(tensor: torch.Tensor) -> torch.Tensor:
    tensor = tensor.detach().resolve_conj().resolve_neg()
    if tensor.is_complex():
        return torch.view_as_complex(_with_one_nan(torch.view_as_real(tensor)).contiguous())
    if not tensor.is_floating_point():
        return tensor
    wide = tensor if tensor.element_size() > 1 else tensor.float()  # of 8 bits, which have few operators
    return torch.where(wide != wide, torch.full_like(wide, float("nan")), wide)


def _take_error(run: Run, error: Exception, place: str) -> None:
    """Classifies an error: an input check, an error unrelated to the model, or behavior of the model."""
    text = _error_text(error)
    message = str(error)
    if isinstance(error, WronglyNested) or _CHECKS & set(_functions(error)) or any(message.startswith(start) for start in _REFUSALS):
        run.refused = text
    elif isinstance(error, (MemoryError, torch.OutOfMemoryError)) or any(words in message for words in _MEMORY):
        run.broken = f"not enough memory: {text}"
    elif isinstance(error, (SunderError, NotImplementedError, ImportError, RecursionError)):
        run.broken = text
    else:
        run.seen[place] = Fact(f"raises {text}")


def _functions(error: BaseException) -> Iterator[str]:
    """Names of the functions that an error went through."""
    trace = error.__traceback__
    while trace is not None:
        yield trace.tb_frame.f_code.co_name
        trace = trace.tb_next


def _error_text(error: Exception) -> str:
    text = one_line(str(error))
    return f"{type(error).__name__}: {text[:200]}{'…' if len(text) > 200 else ''}"


def _visible_strides(tensor: torch.Tensor) -> str:
    """Returns strides of dimensions with more than one element, which determine the location of elements."""
    if not tensor.numel():
        return "none"
    return str([stride for size, stride in zip(tensor.shape, tensor.stride()) if size > 1])


def _suffixes(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[at:]) for at in range(len(parts))]


def _global_state() -> str:
    states = {
        "grad mode": torch.is_grad_enabled(),
        "inference mode": torch.is_inference_mode_enabled(),
        "autocast": torch.is_autocast_enabled("cpu"),
        "autocast dtype": torch.get_autocast_dtype("cpu"),
        "default dtype": torch.get_default_dtype(),
        "deterministic": torch.are_deterministic_algorithms_enabled(),
    }
    return ", ".join(f"{name} {value}" for name, value in states.items())


@contextlib.contextmanager
def _as_before(call: Call, fill: int) -> Iterator[None]:
    """Sets one thread, the seed, and the grad mode of the call, and restores everything afterward."""
    threads, dtype, deterministic = torch.get_num_threads(), torch.get_default_dtype(), torch.are_deterministic_algorithms_enabled()
    autocast = torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu")
    silence = contextlib.redirect_stderr(io.StringIO())  # torch.fx prints the code of a graph that raises
    with torch.random.fork_rng(devices=[]), torch.set_grad_enabled(call.grad), warnings.catch_warnings(), silence:
        warnings.simplefilter("ignore")
        torch.set_num_threads(1)
        torch.manual_seed(call.seed)
        _fill_fresh_memory(fill)
        try:
            yield
        finally:
            _fill_fresh_memory(0)
            torch.set_num_threads(threads)
            torch.set_default_dtype(dtype)
            torch.use_deterministic_algorithms(deterministic)
            torch.set_autocast_enabled("cpu", autocast[0])
            torch.set_autocast_dtype("cpu", autocast[1])


def _fill_fresh_memory(byte: int) -> None:
    with contextlib.suppress(AttributeError, OSError):  # of other systems
        ctypes.CDLL(None).mallopt(_PERTURB, byte)
