"""Exported programs: convolutions, recurrence, experts, quantization, complex numbers, joint graphs, custom operators."""

import torch
import torch.nn.functional as F
from torch import nn

from programs import exported


class Cnn(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.norm = nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4)
        self.conv2 = nn.Conv2d(4, 4, 3, stride=2, padding=1, groups=2, bias=False)
        self.head = nn.Linear(4, 3)
        self.register_buffer("calls", torch.zeros(2))

    def forward(self, x):
        y = self.norm(self.conv1(x)).relu_()
        y = y + self.conv2(F.interpolate(y, scale_factor=2.0)).relu_().mul_(0.5)
        self.calls.add_(1)
        z = F.dropout(F.adaptive_avg_pool2d(F.max_pool2d(y, 2), 1).flatten(1), 0.25, self.training)
        return self.head(z), y.mean((2, 3))


@exported("cnn_inference", lambda draw: (draw.floats(2, 3, 4, 4),))
def cnn_inference():
    return Cnn().eval()


@exported("cnn_training", lambda draw: (draw.floats(2, 3, 4, 4),))
def cnn_training():
    return Cnn().train()


@exported("cnn_decomposed", lambda draw: (draw.floats(2, 3, 4, 4),), then=lambda program: program.run_decompositions())
def cnn_decomposed():
    return Cnn().train()


class Unet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down, self.middle, self.up = nn.Conv2d(2, 4, 3, padding=1), nn.Conv2d(4, 4, 3, padding=1), nn.ConvTranspose2d(4, 4, 2, 2)
        self.out, self.norm = nn.Conv2d(8, 2, 1), nn.GroupNorm(2, 4)

    def forward(self, x, time):
        a = F.silu(self.norm(self.down(x)))
        b = F.silu(self.middle(F.avg_pool2d(a, 2)) + torch.sin(time)[:, None, None, None])
        c = self.up(b)
        d = self.out(torch.cat([c, a], dim=1))
        return x - 0.1 * d, F.pad(d, (0, 1, 0, 1))[:, :, 1:, 1:]


@exported("unet", lambda draw: (draw.floats(2, 2, 4, 4), draw.floats(2)))
def unet():
    return Unet()


class Lstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm, self.cell, self.head = nn.LSTM(4, 3, batch_first=True), nn.LSTMCell(3, 3), nn.Linear(3, 2)

    def forward(self, x, state):
        y, (h, c) = self.lstm(x, state)
        h2, c2 = self.cell(y[:, -1], (h[0], c[0]))
        gates = torch.sigmoid(self.head(h2)).chunk(2, -1)
        return {"y": y, "state": (h2.unsqueeze(0), c2.unsqueeze(0)), "gates": list(gates)}


@exported("lstm", lambda draw: (draw.floats(2, 3, 4), (draw.floats(1, 2, 3), draw.floats(1, 2, 3))))
def lstm():
    return Lstm()


class Experts(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(4, 3, bias=False)
        self.up, self.down = nn.Parameter(torch.randn(3, 4, 5)), nn.Parameter(torch.randn(3, 5, 4))

    def forward(self, x):
        weights = self.gate(x).softmax(-1)
        top, index = weights.topk(2, dim=-1)
        top = top / top.sum(-1, keepdim=True)
        mask = F.one_hot(index, 3).permute(2, 1, 0)
        hidden = torch.einsum("nd,edh->enh", x, self.up).relu()
        outs = torch.bmm(hidden, self.down)
        gates = (mask.to(x.dtype) * top.t().unsqueeze(0)).sum(1)
        result = torch.zeros_like(x)
        result.index_add_(0, torch.arange(x.size(0)), (outs * gates.unsqueeze(-1)).sum(0))
        return result, mask.sum((1, 2)), index


@exported("experts", lambda draw: (draw.floats(5, 4),))
def experts():
    return Experts()


class Quantized(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("weight", torch.randint(-127, 127, (3, 4), dtype=torch.int8))
        self.register_buffer("scale", torch.tensor(0.02))
        self.bias = nn.Parameter(torch.zeros(3))

    def forward(self, x):
        q = torch.clamp(torch.round(x / 0.05) + 3, -128, 127).to(torch.int8)
        d = (q.to(torch.float32) - 3) * 0.05
        w = self.weight.to(torch.float32) * self.scale
        y = F.linear(d, w, self.bias)
        z = torch.fake_quantize_per_tensor_affine(y, 0.1, 2, 0, 255)
        observed = torch.aminmax(z)
        return z, q, observed.max - observed.min, (q.to(torch.int32) >> 1) & 15


@exported("quantized", lambda draw: (draw.floats(2, 4),))
def quantized():
    return Quantized()


class Complex(nn.Module):
    def __init__(self):
        super().__init__()
        self.filter = nn.Parameter(torch.randn(3, dtype=torch.complex64))

    def forward(self, x, z):
        f = torch.fft.rfft(x, dim=-1)
        g = f * self.filter * torch.view_as_complex(z)
        y = torch.fft.irfft(g.conj(), n=4)
        rotated = torch.polar(torch.ones_like(x), x) * 2
        return y, torch.view_as_real(g), rotated.real, rotated.imag.neg(), g.abs().sum(-1)


@exported("complex", lambda draw: (draw.floats(2, 4), draw.floats(2, 3, 2).contiguous()))
def complex_numbers():
    return Complex()


class Loss(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down, self.norm = nn.Linear(4, 6), nn.Linear(6, 3), nn.LayerNorm(4)

    def forward(self, x, target):
        logits = self.down(torch.tanh(self.up(self.norm(x))))
        return F.cross_entropy(logits, target)


def joint(program):
    from torch.export.experimental import _export_forward_backward
    return _export_forward_backward(program)


@exported("joint_loss", lambda draw: (draw.floats(3, 4).detach(), draw.ints(0, 3, 3)), then=joint)
def joint_loss():
    return Loss()


class ConvLoss(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(2, 3, 3, padding=1)

    def forward(self, x):
        return (self.conv(x).relu() * 0.5).square().mean()


@exported("joint_conv", lambda draw: (draw.floats(2, 2, 5).detach(),), then=joint)
def joint_conv():
    return ConvLoss()


@torch.library.custom_op("campaign::accumulate", mutates_args=("total",))
def accumulate(x: torch.Tensor, total: torch.Tensor) -> torch.Tensor:
    total.add_(x.sum())
    return total * 2


@accumulate.register_fake
def _(x, total):
    return torch.empty_like(total)


@torch.library.custom_op("campaign::mix", mutates_args=())
def mix(x: torch.Tensor, y: torch.Tensor, factor: float = 0.5) -> torch.Tensor:
    return x * factor + y


@mix.register_fake
def _(x, y, factor=0.5):
    return torch.empty_like(x)


LIBRARY = torch.library.Library("campaign", "FRAGMENT")
LIBRARY.define("head(Tensor(a) x, int n) -> Tensor(a)")
LIBRARY.impl("head", lambda x, n: x[:n], "CompositeExplicitAutograd")
LIBRARY.impl("head", lambda x, n: x[:n], "Meta")


class Custom(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(3))

    def forward(self, x, y):
        ops = torch.ops.campaign
        a = ops.mix(x, y, 0.25)
        b = ops.accumulate(a, self.total)
        c = a.clone()
        ops.head(c, 1).add_(1)
        d = ops.mix(c.sin(), y)
        return d + b, self.total * 1, ops.head(d, 2).cos()


@exported("custom_operators", lambda draw: (draw.floats(2, 3).detach(), draw.floats(2, 3).detach()))
def custom_operators():
    return Custom()


class RandomNumbers(nn.Module):
    def forward(self, x):
        noise = torch.rand_like(x) - torch.randn(3, 4)
        kept = F.dropout(x + noise, 0.5, True)
        mask = torch.bernoulli(torch.full_like(x, 0.5)).bool()
        order = torch.randperm(4)
        return torch.where(mask, kept, x)[:, order], torch.zeros(3).normal_(0, 1)


@exported("random_numbers", lambda draw: (draw.floats(3, 4),))
def random_numbers():
    return RandomNumbers()


class InputWrites(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("running", torch.ones(4))

    def forward(self, x, table):
        row = table["rows"][1]
        row.mul_(2)
        table["rows"].narrow(1, 0, 2).add_(x[:, :2])
        self.running.mul_(0.9).add_(table["rows"].mean(0), alpha=0.1)
        y = x.clone()
        y[:, 0] = 0.0
        y.masked_fill_(y > 1, 1.0)
        return [y * self.running, (row + 0, {"rows": table["rows"].cumsum(0)})]


@exported("input_writes", lambda draw: (draw.floats(3, 4).detach(), {"rows": draw.floats(3, 4).detach()}))
def input_writes():
    return InputWrites()


@exported("input_writes_decomposed", lambda draw: (draw.floats(3, 4).detach(), {"rows": draw.floats(3, 4).detach()}),
          then=lambda program: program.run_decompositions())
def input_writes_decomposed():
    return InputWrites()
