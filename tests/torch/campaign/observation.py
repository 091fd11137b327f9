"""The behavior of a program that a caller can observe: two calls in sequence, their results, and their side effects."""

import contextlib
import dataclasses
import io
import zlib

import torch
from torch.utils import _pytree as pytree

from cases import Draw

# : Aspects that may differ between runs of equivalent programs. If only these differ, the truth is unknown.
WEAK = ("place", "layout of single elements")


@dataclasses.dataclass
class Seen:
    """One run: its error, observations by aspect, and gradients, which are compared up to rounding."""

    raises: str = ""
    aspects: dict = dataclasses.field(default_factory=dict)
    gradients: dict = dataclasses.field(default_factory=dict)
    numbers: list = dataclasses.field(default_factory=list)  # in results, inputs and state after the run


def run(subject, draw_inputs, kind, seed):
    """Runs two calls of a program on the inputs of `kind`, then restores its state."""
    kept = [(name, value, value.detach().clone(), value.requires_grad) for name, value in subject.state().items()]
    modes = _modes()
    calls = [draw_inputs(Draw(kind, seed + call)) for call in range(2)]
    seen = Seen()
    torch.manual_seed(seed)
    try:
        with contextlib.redirect_stderr(io.StringIO()), torch.set_grad_enabled(kind.grad_mode):
            results = [subject(args) for args in calls]
            after = _modes()
            seen.aspects = _aspects(kept, calls, results, after)
            seen.numbers = [leaf.detach().clone() for leaf in pytree.tree_leaves((results, calls, [one[1] for one in kept]))
                            if isinstance(leaf, torch.Tensor)]
        if kind.gradients:
            seen.gradients = _gradients(subject, calls, results)
    except Exception as error:  # a changed program may raise anything
        seen = Seen(raises=f"{type(error).__name__}: {error}".split("\n")[0])
    finally:
        _restore_modes(modes)
        for _, value, before, needs in kept:
            _put_back(value, before, needs)
    return seen


def difference(a, b):
    """Returns the first aspect in which two runs differ with a short description, or an empty string."""
    if bool(a.raises) != bool(b.raises):
        return f"only one raises: {a.raises or b.raises}"
    if a.raises:
        return ""
    weak = ""
    for aspect in a.aspects:
        if a.aspects[aspect] != b.aspects[aspect]:
            if aspect not in WEAK:
                return aspect
            weak = weak or f"weak: {aspect}"
    return _gradients_differ(a.gradients, b.gradients) or weak


def is_rounding_alone(a, b):
    """Whether two runs differ only in floating-point numbers, and only by rounding, for finite numbers."""
    if bool(a.raises) != bool(b.raises) or len(a.numbers) != len(b.numbers):
        return False
    numeric = ("contents of results", "inputs after the run", "state after the run")
    if any(a.aspects[aspect] != b.aspects[aspect] for aspect in a.aspects if aspect not in (*numeric, *WEAK)):
        return False
    return not _gradients_differ(a.gradients, b.gradients) and all(map(_are_close, a.numbers, b.numbers))


def _are_close(one, other):
    if _form(one) != _form(other):
        return False
    if _bits(one) == _bits(other):
        return True
    if one.layout != torch.strided or not one.is_floating_point() or one.element_size() < 2:
        return False
    finite = one.isfinite() & other.isfinite()
    first, second = one[finite].double(), other[finite].double()
    most = first.abs().max() if first.numel() else 0
    return bool(((first - second).abs() <= most * {8: 1e-6, 4: 1e-3, 2: 0.1}[one.element_size()]).all())


def _aspects(kept, calls, results, modes):
    leaves, structure = [], []
    for result in results:
        structure.append(_structure(result, leaves))
    given = [leaf for args in calls for leaf in pytree.tree_leaves(args)]
    held = _distinct([value for _, value, _, _ in kept])
    tensors = [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]
    inputs = [leaf for leaf in given if isinstance(leaf, torch.Tensor)]
    return {
        "structure of results": (structure, [leaf for leaf in leaves if not isinstance(leaf, torch.Tensor)].__repr__()),
        "form of results": [_form(value) for value in tensors],
        "contents of results": [_bits(value) for value in tensors],
        "strides of results": [_strides(value) for value in tensors],
        "structure of inputs": [_structure(args, []) for args in calls],
        "inputs after the run": [(_form(value), _bits(value)) for value in inputs],
        "state after the run": [(name, _form(value), _bits(value)) for name, value, before, needs in kept
                                if value.requires_grad != needs or _form(value) != _form(before) and not needs
                                or _bits(value) != _bits(before)],
        "aliases": _aliases(inputs, held, tensors),
        "random numbers": zlib.crc32(torch.get_rng_state().numpy().tobytes()),
        "modes": modes,
        "place": [value.storage_offset() if value.layout == torch.strided else 0 for value in tensors],
        "layout of single elements": [value.stride() if value.layout == torch.strided else () for value in tensors],
    }


def _structure(value, leaves):
    if isinstance(value, dict):
        return type(value).__name__, [(key, _structure(item, leaves)) for key, item in value.items()]
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [_structure(item, leaves) for item in value]
    leaves.append(value)
    return "tensor" if isinstance(value, torch.Tensor) else type(value).__name__


def _form(value):
    quantized = value.qscheme().__repr__() + repr(value.q_scale()) if value.is_quantized else ""
    return (str(value.dtype), tuple(value.shape), str(value.layout), value.requires_grad, value.is_conj(), value.is_neg(),
            quantized)


def _bits(value):
    """Returns the bytes of the elements, in order; all NaN become equal."""
    value = value.detach()
    if value.is_quantized:
        value = value.int_repr()
    if value.layout != torch.strided:
        value = value.to_dense()
    value = value.resolve_conj().resolve_neg()
    if value.is_complex():
        value = torch.view_as_real(value)
    if value.is_floating_point():
        value = torch.where(value.isnan(), torch.full_like(value, float("nan")), value)
    return value.clone(memory_format=torch.contiguous_format).reshape(-1).view(torch.uint8).numpy().tobytes() if value.numel() else b""


def _strides(value):
    if value.layout != torch.strided or value.numel() == 0:
        return ()
    return tuple(stride for size, stride in zip(value.shape, value.stride()) if size > 1)


def _distinct(tensors):
    return list({id(value): value for value in tensors}.values())


def _storage(value):
    if value.layout != torch.strided or value.numel() == 0 or not value.untyped_storage().nbytes():
        return None
    return value.untyped_storage().data_ptr()


def _aliases(inputs, held, results):
    """Returns the shared memory of results, named by the first of inputs, weights (by contents), and results that has it."""
    known = {}
    for number, value in enumerate(inputs):
        known.setdefault(_storage(value), f"input {number}")
    for value in held:
        known.setdefault(_storage(value), "weight")
    found = []
    for number, value in enumerate(results):
        storage = _storage(value)
        found.append("" if storage is None else known.setdefault(storage, f"result {number}"))
    return found


def _gradients(subject, calls, results):
    """Returns gradients of inputs and parameters by name, for fixed gradients of all floating-point results."""
    leaves = [leaf for leaf in pytree.tree_leaves(results) if isinstance(leaf, torch.Tensor)]
    ends = [leaf for leaf in leaves if leaf.requires_grad and leaf.is_floating_point()]
    starts = {f"input {i}": leaf for i, leaf in enumerate(pytree.tree_leaves(calls)) if isinstance(leaf, torch.Tensor)}
    starts |= subject.state()
    starts = {name: value for name, value in starts.items() if value.is_leaf and value.requires_grad}
    if not ends or not starts:
        return {}
    factors = [torch.linspace(0.5, 1.5, end.numel()).reshape(end.shape).to(end.dtype) for end in ends]
    try:
        found = torch.autograd.grad(ends, list(starts.values()), factors, allow_unused=True)
    except RuntimeError:
        return {"backward": "raises"}
    return {name: None if grad is None else grad.detach().clone() for name, grad in zip(starts, found)}


def _gradients_differ(a, b):
    """Returns how gradients differ that both runs have; None equals zero."""
    if ("backward" in a) != ("backward" in b):
        return "gradients: only one raises"
    for name in a.keys() & b.keys() - {"backward"}:
        one, other = ((torch.zeros(()) if grad is None else grad) for grad in (a[name], b[name]))
        if a[name] is not None and b[name] is not None and one.shape != other.shape:
            return f"gradient of {name}"
        if not torch.allclose(*torch.broadcast_tensors(one, other), rtol=1e-2, atol=1e-3, equal_nan=True):
            return f"gradient of {name}"
    return ""


def _modes():
    return (torch.is_grad_enabled(), torch.is_inference_mode_enabled(), torch.is_autocast_enabled("cpu"),
            str(torch.get_autocast_dtype("cpu")), torch.is_autocast_cache_enabled(), str(torch.get_default_dtype()),
            torch.are_deterministic_algorithms_enabled())


def _restore_modes(modes):
    torch.set_grad_enabled(modes[0])
    torch.set_autocast_enabled("cpu", modes[2])
    torch.set_autocast_dtype("cpu", torch.bfloat16 if "bfloat16" in modes[3] else torch.float16)
    torch.set_autocast_cache_enabled(modes[4])
    torch.set_default_dtype(torch.float32)
    torch.use_deterministic_algorithms(modes[6])
    torch.clear_autocast_cache()


def _put_back(value, before, needs):
    """Restores the contents of a tensor. Raises RuntimeError on failure, since all later runs would be wrong."""
    value.grad = None
    if value.grad_fn is not None:
        with contextlib.suppress(RuntimeError):
            value.detach_()
    if value.requires_grad != needs:
        value.requires_grad_(needs)
    if value.shape != before.shape:
        value.data = before.clone()
    value.data.copy_(before)
    if _bits(value) != _bits(before) or value.requires_grad != needs:
        raise RuntimeError("the state of a program cannot be restored")
