"""Exported programs with control flow, regions, and symbolic sizes."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.export import Dim

from programs import exported


class Cond(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(4, 4))

    def forward(self, x, flag):
        def yes(x):
            return (x @ self.w).sin() + 1, x * 2

        def no(x):
            return (x - 1).cos() * 0.5, x + x

        a, b = torch.cond(flag, yes, no, (x,))
        return a.relu(), b.sum(0)


@exported("cond", lambda draw: (draw.floats(3, 4), draw.bools()))
def cond():
    return Cond()


class WhileLoop(nn.Module):
    def forward(self, x):
        from torch._higher_order_ops.while_loop import while_loop

        def goes_on(i, x):
            return i < 3

        def body(i, x):
            return i + 1, (x * 0.5 + i).sin()

        i, y = while_loop(goes_on, body, (torch.tensor(0), x + 1))
        return y * 2, i


@exported("while_loop", lambda draw: (draw.floats(3, 4).detach(),))
def while_loop():
    return WhileLoop()


class Map(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(4, 2))

    def forward(self, xs, y):
        from torch._higher_order_ops.map import map as over
        return over(lambda x, y: torch.tanh(x + y * 2) @ self.w.detach(), xs, y) - 1


@exported("map", lambda draw: (draw.floats(3, 2, 4).detach(), draw.floats(4).detach()))
def mapped():
    return Map()


class Regions(nn.Module):
    def __init__(self):
        super().__init__()
        self.w, self.v = nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            a = self.w(x)
            b = self.v(a.relu())
        with torch.no_grad():
            c = torch.sigmoid(self.w(x)) * 2
        return b.float() - c, a, c


@exported("regions", lambda draw: (draw.floats(3, 4),))
def regions():
    return Regions()


class Sizes(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.head = nn.Embedding(9, 4), nn.Linear(4, 3)

    def forward(self, tokens, mask):
        batch, length = tokens.shape
        h = self.embed(tokens) + torch.arange(length)[None, :, None] * 0.1
        causal = torch.full((length, length), float("-inf")).triu(1)
        scores = h @ h.transpose(1, 2) / 2.0 + causal
        scores = scores.masked_fill(mask[:, None, :] == 0, -1e4)
        out = self.head((scores.softmax(-1) @ h).reshape(batch * length, 4))
        return out.view(batch, length, 3), tokens[:, 1:], h.new_zeros(batch, length * 2)


@exported("symbolic_sizes", lambda draw: (draw.ints(0, 9, draw.size(1, 2, 3), draw.size(3, 4, 5)),
                                          draw.ints(0, 2, draw.size(1, 2, 3), draw.size(3, 4, 5))),
          dynamic=lambda: ({0: Dim("b", min=1, max=8), 1: Dim("s", min=3, max=16)},) * 2)
def symbolic_sizes():
    return Sizes()


class Ragged(nn.Module):
    def forward(self, x, y):
        n = x.shape[0]
        z = torch.cat([x, y], 0)
        first, second = z[:n], z[n:]
        padded = F.pad(first, (0, 0, 0, 2))
        torch._check(n > 0)
        return first * n, second.sum(0, keepdim=True), padded[: n + 1], z.view(-1)[::2]


@exported("symbolic_slices", lambda draw: (draw.floats(draw.size(1, 3, 4), 4), draw.floats(draw.size(2, 5, 3), 4)),
          dynamic=lambda: ({0: Dim("n", min=1, max=9)}, {0: Dim("m", min=2, max=9)}))
def symbolic_slices():
    return Ragged()


class Assertions(nn.Module):
    def forward(self, x, index):
        k = index.max().item()
        torch._check(k >= 0)
        torch._check(k < 4)
        y = x * k
        return y, torch.zeros(k + 1) + 1


@exported("assertions", lambda draw: (draw.floats(3, 4), draw.ints(0, 4, 3)))
def assertions():
    return Assertions()
