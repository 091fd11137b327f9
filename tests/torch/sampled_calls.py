"""Calls that run in PyTorch, and the lines of core/operators/data/by_hand.txt that they reach."""

import functools
import pathlib

DATA = pathlib.Path(__file__).resolve().parents[2] / "core" / "operators" / "data"


def lines_by_hand():
    """Returns the targets of the list, except whole libraries."""
    for line in (DATA / "by_hand.txt").read_text().splitlines():
        if line and not line.startswith("#") and not line.split("\t")[0].endswith(".*"):
            yield line.split("\t")[0]


def reached(target, run_targets):
    """Whether a line of the list was run: a packet by any of its overloads, a method by its name."""
    if target.startswith("Tensor."):
        return target.removeprefix("Tensor.") in run_targets
    return target in run_targets or (target.startswith("torch.ops.")
                                     and any(found.startswith(target + ".") for found in run_targets))


def method_of(name, self, *args, **kwargs):
    return getattr(self, name)(*args, **kwargs)


class Samples:
    def __init__(self, torch, calls):
        self.torch, self.calls = torch, calls

    def function(self, function, *args, **kwargs):
        self.named(self.calls.fx_json.target("call_function", function), function, *args, **kwargs)

    def named(self, target, function, *args, **kwargs):
        self.calls.run("call_function", target, function, args, kwargs)

    def method(self, name, *args, **kwargs):
        self.calls.run("call_method", name, functools.partial(method_of, name), args, kwargs)

    def aten(self, name, *args, **kwargs):
        """Returns the overload of an ATen packet that fits."""
        packet = getattr(self.torch.ops.aten, name)
        overload = self.torch._C._jit_resolve_packet("aten::" + name, *args, **kwargs)
        self.function(getattr(packet, overload or "default"), *args, **kwargs)


def x(*shape):
    import torch
    return torch.randn(*shape or (2, 3))
