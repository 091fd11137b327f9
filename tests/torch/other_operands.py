"""Varies the arguments of a call: other memory layouts, or other numbers."""

import torch
from torch.utils import _pytree as pytree


def is_plain(value):
    """Whether it is a tensor whose strides can be chosen."""
    return (type(value) in (torch.Tensor, torch.nn.Parameter) and value.layout == torch.strided and value.device.type == "cpu"
            and not (value.is_quantized or value.is_nested or value.is_conj() or value.is_neg()))


def contiguous(tensor):
    return tensor.clone(memory_format=torch.contiguous_format)


def turned(tensor):
    """Makes the last dimension the outermost one."""
    order = list(reversed(range(tensor.dim())))
    return tensor.permute(order).contiguous().permute(order)


def apart(tensor):
    """Inserts gaps between the elements of the tensor, and some before them."""
    strides, step = [], 2
    for size in reversed(tensor.shape):
        strides.insert(0, step)
        step *= max(size, 1)
    made = torch.zeros(2 * tensor.numel() + 5, dtype=tensor.dtype).as_strided(tensor.shape, strides, 3)
    return made.copy_(tensor)


def repeated(tensor):
    """Replaces all rows by the first."""
    return contiguous(spread(tensor))


def spread(tensor):
    """The same, with all rows in one memory."""
    return contiguous(tensor) if tensor.dim() == 0 or 0 in tensor.shape else contiguous(tensor[:1]).expand(tensor.shape)


def coarse(tensor):
    """Uses few distinct values, so that many elements are equal."""
    return contiguous(tensor) if tensor.dtype == torch.bool else (tensor.real > 0).to(tensor.dtype)


def coarse_turned(tensor):
    return turned(coarse(tensor))


def sliced(tensor):
    """Makes the rows parts of longer ones."""
    if tensor.dim() == 0:
        return contiguous(tensor)
    wide = torch.zeros(*tensor.shape[:-1], tensor.shape[-1] + 3, dtype=tensor.dtype)
    return wide[..., 1:1 + tensor.shape[-1]].copy_(tensor)


def channels_last(tensor):
    forms = {4: torch.channels_last, 5: torch.channels_last_3d}
    return tensor.clone(memory_format=forms[tensor.dim()]) if tensor.dim() in forms else turned(tensor)


def moved(tensor):
    """The same strides, three elements later in the storage."""
    return torch.zeros(tensor.numel() + 3, dtype=tensor.dtype)[3:].view(tensor.shape).copy_(tensor)


def zeros(tensor):
    """Uses zeros of both signs, which some orders of comparison treat as equal."""
    copy = contiguous(tensor)
    if copy.is_floating_point():
        copy[copy > 0.5] = 0.0
        copy[copy < -0.5] = -0.0
    return copy


def zeros_turned(tensor):
    return turned(zeros(tensor))


# Pairs of layouts for the same values.
LAYOUTS = ((contiguous, turned), (contiguous, apart), (contiguous, sliced), (contiguous, channels_last), (repeated, spread),
           (coarse, coarse_turned), (zeros, zeros_turned))
OFFSETS = ((contiguous, moved), (zeros, lambda tensor: moved(zeros(tensor))))


def filled(number):
    def fill(tensor):
        if tensor.dtype.is_floating_point or tensor.dtype.is_complex:
            return torch.full(tensor.shape, number, dtype=torch.float64).to(tensor.dtype)
        least, most = (0, 1) if tensor.dtype == torch.bool else (torch.iinfo(tensor.dtype).min, torch.iinfo(tensor.dtype).max)
        return torch.full(tensor.shape, int(min(max(number, least), most)) if number == number else 0, dtype=tensor.dtype)
    fill.__name__ = f"filled with {number}"
    return fill


def negative(tensor):
    return ~contiguous(tensor) if tensor.dtype == torch.bool else -contiguous(tensor)


def requiring(tensor):
    """Requires gradients if the type permits. Some operators have no derivative for complex numbers."""
    copy = contiguous(tensor)
    return copy.requires_grad_() if copy.is_floating_point() else copy


VALUES = (negative, *(filled(number) for number in (0, 1, -1, 1e30, float("inf"), float("-inf"), float("nan"))))


def count(value):
    return sum(is_plain(leaf) for leaf in pytree.tree_leaves(value))


def changed(value, change, only=None, otherwise=contiguous):
    """Returns a value in which each plain tensor, or the one with number `only`, becomes `change(tensor)`, and the others `otherwise`."""
    seen = -1

    def one(leaf):
        nonlocal seen
        if not is_plain(leaf):
            return leaf.detach().clone() if isinstance(leaf, torch.Tensor) else leaf
        seen += 1
        return (change if only in (None, seen) else otherwise)(leaf.detach())

    return pytree.tree_map(one, value)


class Outcome:
    """The outcome of a call: its result and the contents of its arguments afterward, or its error."""

    def __init__(self, call, args, kwargs):
        torch.manual_seed(0)
        self.error, self.result, self.given = None, None, (args, kwargs)
        try:
            self.result = call(*args, **kwargs)
        except Exception as error:  # kernels may raise anything
            self.error = f"{type(error).__name__}: {(str(error).splitlines() or [''])[0][:100]}"

    def unlike(self, other, with_values):
        """Returns the difference from another outcome, or None. `with_values`: also compares values."""
        if self.error or other.error:
            return None if self.error and other.error else f"fails: {self.error or other.error}"
        mine, shape = pytree.tree_flatten((self.result, self.given) if with_values else self.result)
        theirs, other_shape = pytree.tree_flatten((other.result, other.given) if with_values else other.result)
        if shape != other_shape:
            return "returns another structure"
        differences = (unlike(a, b, with_values) for a, b in zip(mine, theirs))
        return next((difference for difference in differences if difference), None)


def unlike(a, b, with_values):
    if not isinstance(a, torch.Tensor) or not isinstance(b, torch.Tensor):
        plain = (bool, int, float, complex, str, torch.dtype)
        differ = with_values and isinstance(a, plain) and isinstance(b, plain) and a != b and (a == a or b == b)
        return f"gives {b} instead of {a}" if differ or type(a) is not type(b) else None
    if (a.dtype, a.shape, a.layout, a.device) != (b.dtype, b.shape, b.layout, b.device):
        return "returns a tensor of another form"
    if not with_values:
        return None if a.layout != torch.strided or a.is_nested or a.stride() == b.stride() else "returns other strides"
    return None if hold_the_same(a, b) else "returns other values"


def hold_the_same(a, b):
    """Whether they are equal bit for bit; all NaN are equal."""
    if not is_plain(a) or not is_plain(b):
        try:
            a, b = (t.dequantize() if t.is_quantized else t.resolve_conj().resolve_neg().to_dense() for t in (a, b))
        except (RuntimeError, NotImplementedError):
            return True
    a, b = a.detach(), b.detach()
    if a.is_complex():
        a, b = torch.view_as_real(a), torch.view_as_real(b)
    if not a.is_floating_point():
        return torch.equal(a, b)
    zero_signs = torch.signbit(a) == torch.signbit(b)
    return bool((((a == b) & zero_signs) | (a.isnan() & b.isnan())).all())
