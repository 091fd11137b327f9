"""Models with regions and branches with unused results: calls of graphs without users, in exported programs."""

import torch
from torch import nn


class Rotary(nn.Module):
    """Angles of positions, computed without gradients and with lower precision."""

    def __init__(self):
        super().__init__()
        self.register_buffer("frequency", torch.arange(4.0))

    def forward(self, x):
        with torch.no_grad():
            angle = x * self.frequency
            with torch.autocast("cpu", dtype=torch.bfloat16):
                turned = angle @ angle.transpose(0, 1)
        return turned.cos()


class ConvertedRotary(nn.Module):
    """The same with conversions, which make the export assert dtypes, as in transformers."""

    def __init__(self):
        super().__init__()
        self.register_buffer("frequency", torch.arange(4.0))

    def forward(self, x):
        with torch.autocast("cpu", enabled=False):
            angle = (x * self.frequency).float()
            turned = angle @ angle.float().transpose(0, 1)
        return turned.cos().to(dtype=x.dtype)


class InRegion(nn.Module):
    """The same in a region whose result is used: its graph has unused calls."""

    def __init__(self):
        super().__init__()
        self.rotary, self.linear = Rotary(), nn.Linear(4, 4)

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            self.rotary(x)
            return self.linear(x)


class Unused(nn.Module):
    """A module whose results are unused, first and between others."""

    def __init__(self, unused):
        super().__init__()
        self.first, self.unused, self.last = nn.Linear(4, 4), unused, nn.Linear(4, 4)

    def forward(self, x):
        self.unused(x)
        y = self.first(x)
        self.unused(y)
        return self.last(y)


class Branch(nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x.sin(), lambda x: x.cos(), (x,))


class Counting(nn.Module):
    """A region without results that writes to a buffer."""

    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros(1))
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        with torch.no_grad():
            self.calls.add_(1)
        return self.linear(x)


class Asserting(nn.Module):
    """A region without results that asserts."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        with torch.no_grad():
            torch._check(x.sum().item() > 0)
        return self.linear(x)


class Drawing(nn.Module):
    """A region without results that draws random numbers before the model does."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            torch.rand_like(x) @ x.transpose(0, 1)
        return self.linear(x) * torch.rand_like(x)


def without_effects():
    yield "rotary", Unused(Rotary())
    yield "converted_rotary", Unused(ConvertedRotary())
    yield "in_region", InRegion()
    yield "branch", Unused(Branch())


def with_effects():
    yield "counting", Counting()
    yield "asserting", Asserting()
    yield "drawing", Drawing()
