"""Models whose weights are tensor subclasses, as in quantization, and models with parametrized weights."""

import torch
import torch.utils._pytree as pytree
from torch import nn
from torch.nn.utils import parametrizations, parametrize
from torch.utils._python_dispatch import return_and_correct_aliasing

REWRAPPED = (torch.ops.aten.detach.default, torch.ops.aten.clone.default, torch.ops.aten.alias.default)


class Scaled(torch.Tensor):
    """Small integers times a scale per row."""

    @staticmethod
    def __new__(cls, small, scale):
        return torch.Tensor._make_wrapper_subclass(cls, small.size(), strides=small.stride(), dtype=scale.dtype,
                                                   device=small.device, requires_grad=False)

    def __init__(self, small, scale):
        self.small, self.scale = small, scale

    def __tensor_flatten__(self):
        return ["small", "scale"], None

    @classmethod
    def __tensor_unflatten__(cls, inner, context, size, stride):
        return cls(inner["small"], inner["scale"])

    @classmethod
    def __torch_dispatch__(cls, function, types, args, kwargs=None):
        kwargs = kwargs or {}
        if function in REWRAPPED and isinstance(args[0], Scaled):
            return return_and_correct_aliasing(function, args, kwargs, cls(function(args[0].small), function(args[0].scale)))
        args, kwargs = pytree.tree_map_only(Scaled, lambda t: t.small.to(t.scale.dtype) * t.scale, (args, kwargs))
        return function(*args, **kwargs)


class ScaledInFunctions(Scaled):
    """The same, unpacked by functions that receive it: export leaves the access to its parts without a module stack."""

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        if function is nn.functional.linear:
            x, weight, bias = (*args, None)[:3]
            return nn.functional.linear(x, weight.small.to(torch.float32) * weight.scale, bias)
        with torch._C.DisableTorchFunctionSubclass():
            return function(*args, **(kwargs or {}))


def weight(cls):
    return nn.Parameter(cls(torch.arange(-8, 8, dtype=torch.int8).reshape(4, 4), torch.linspace(0.1, 0.4, 4)[:, None]),
                        requires_grad=False)


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x):
        return self.second(self.first(x).relu())


class Attributes(nn.Module):
    """Reads the parts of its weight itself."""

    def __init__(self):
        super().__init__()
        self.weight = weight(Scaled)

    def forward(self, x):
        return x @ self.weight.small.to(torch.float32) * self.weight.scale.sum()


class Net(nn.Module):
    def __init__(self, block=Pair):
        super().__init__()
        self.a, self.b = block(), block()

    def forward(self, x):
        return self.b(self.a(x))


class Upper(nn.Module):
    def forward(self, w):
        return w.triu()


def with_weights(first, last):
    net = Net()
    net.a.first.weight, net.b.second.weight = first, last
    return net


def parametrized():
    net = Net()
    parametrize.register_parametrization(net.a.first, "weight", Upper())
    parametrizations.weight_norm(net.b.second)
    return net


def models():
    """Yields name and model; each takes a float32[2, 4]."""
    torch.manual_seed(0)
    shared = weight(ScaledInFunctions)
    twice = Net()
    twice.a.first.weight = twice.a.second.weight = weight(ScaledInFunctions)
    yield "attributes", Net(Attributes)
    yield "dispatched", with_weights(weight(Scaled), weight(Scaled))
    yield "in_functions", with_weights(weight(ScaledInFunctions), weight(ScaledInFunctions))
    yield "shared_far", with_weights(shared, shared)
    yield "shared_near", twice
    yield "parametrized", parametrized()
