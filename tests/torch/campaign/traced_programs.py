"""Plain torch.fx programs: leaf modules, Python functions and methods, containers, settings, random numbers."""

import operator

import torch
import torch.nn.functional as F
from torch import nn

from programs import traced


class LeafCnn(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, padding=1)
        self.norm = nn.BatchNorm2d(4)
        self.act = nn.ReLU(inplace=True)
        self.pool = nn.MaxPool2d(2)
        self.drop = nn.Dropout(0.25)
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(16, 5), nn.LayerNorm(5), nn.GELU(), nn.Linear(5, 2))

    def forward(self, x):
        y = self.pool(self.act(self.norm(self.conv(x))))
        z = self.head(self.drop(y))
        return z, y.mean((2, 3)).clamp(min=0.0)


@traced("leaf_cnn", lambda draw: (draw.floats(2, 3, 4, 4),))
def leaf_cnn():
    return LeafCnn().eval()


@traced("leaf_cnn_training", lambda draw: (draw.floats(2, 3, 4, 4),))
def leaf_cnn_training():
    return LeafCnn().train()


class Methods(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(4, 4))
        self.register_buffer("seen", torch.zeros(4))

    def forward(self, x, y):
        a = x.matmul(self.w).add(y)
        b = a.view(a.size(0), 2, 2).transpose(1, 2).reshape(a.shape[0], -1)
        c = b.softmax(-1).mul(x).sub(0.5)
        first, second = c.chunk(2, -1)
        d = torch.cat([second, first], 1).masked_fill(x.gt(1.0), 0.0)
        e = d.unsqueeze(1).expand(-1, 3, -1).sum(1) / 3
        self.seen.add_(e.detach().mean(0))
        return e.float(), d.narrow(1, 1, 2).contiguous(), b[:, 1:3]


@traced("methods", lambda draw: (draw.floats(draw.size(1, 3, 4), 4), draw.floats(4)))
def methods():
    return Methods()


def record_containers():
    """A graph in which calls create and change lists and dicts, as captured by dynamo."""
    graph = torch.fx.Graph()
    x, y = graph.placeholder("x"), graph.placeholder("y")
    call, method = graph.call_function, graph.call_method
    product = call(torch.mul, (x, y))
    rows = call(list, ([y, product],))
    method("append", (rows, call(torch.sin, (x,))))
    method("reverse", (rows,))
    stacked = call(torch.stack, (rows,))
    table = call(dict, (), {"a": product, "b": stacked})
    call(operator.setitem, (table, "c", call(operator.add, (x, 1.0))))
    last = method("pop", (rows,))
    count = call(len, (rows,))
    scaled = call(operator.mul, (last, count))
    item = call(operator.getitem, (table, "b"))
    part = call(operator.getitem, (item, (slice(0, 2, None), Ellipsis)))
    graph.output({"table": table, "rows": [scaled, part], "pair": (count, method("get", (table, "c")))})
    return torch.fx.GraphModule(nn.Module(), graph)


@traced("containers", lambda draw: (draw.floats(2, 3), draw.floats(2, 3)))
def containers():
    return record_containers()


class Functions(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(6, 4))
        self.b = nn.Parameter(torch.randn(6))
        self.table = nn.Parameter(torch.randn(7, 4))

    def forward(self, x, index):
        h = F.linear(x, self.w, self.b)
        h = F.relu(h)
        h = F.dropout(h, 0.5, False)
        h = F.layer_norm(h, (6,))
        e = F.embedding(index, self.table)
        s = F.softmax(e, dim=-1)
        p = F.pad(s, (1, 1), value=0.0)
        n = F.normalize(p, dim=-1)
        q = F.silu(n) + h
        return torch.sum(q, dim=1, keepdim=True), torch.where(q > 0, q, -q), F.gelu(h, approximate="none")


@traced("functions", lambda draw: (draw.floats(3, 4), draw.ints(0, 7, 3)))
def functions():
    return Functions()


@traced("functions_described", lambda draw: (draw.floats(3, 4), draw.ints(0, 7, 3)), described=True)
def functions_described():
    return Functions()


class Writes(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("cache", torch.zeros(4, 3))
        self.register_buffer("steps", torch.zeros((), dtype=torch.int64))
        self.scale = nn.Parameter(torch.ones(3))

    def forward(self, x, y):
        self.steps.add_(1)
        row = x * self.scale.detach()
        self.cache[1:3].copy_(row[:2])
        view = self.cache.view(-1)
        view.narrow(0, 0, 3).mul_(0.5)
        y.add_(row.sum())
        out = torch.empty_like(y)
        torch.add(y, 1.0, out=out)
        z = out.clone()
        z.clamp_(-1.0, 1.0)
        z.t().mul_(2)
        return z, self.cache.sum(0), y, self.steps * 1


@traced("writes", lambda draw: (draw.floats(2, 3).detach(), draw.floats(3, 3).detach()))
def writes():
    return Writes()


def record_indexed_writes():
    """Assignments to items of tensors, as captured by dynamo; torch.fx does not trace them."""
    graph, root = torch.fx.Graph(), nn.Module()
    root.register_buffer("cache", torch.zeros(4, 3))
    x, row = graph.placeholder("x"), graph.placeholder("row")
    call = graph.call_function
    cache = graph.get_attr("cache")
    call(operator.setitem, (cache, slice(1, 3, None), call(operator.mul, (x, 2.0))))
    first = call(operator.getitem, (cache, 1))
    call(operator.setitem, (first, 0, 5.0))
    mask = call(operator.gt, (x, 0.5))
    copy = graph.call_method("clone", (x,))
    call(operator.setitem, (copy, mask, 0.0))
    call(operator.setitem, (cache, (slice(None, None, None), 2), call(torch.sin, (row,))))
    total = call(operator.iadd, (copy, call(operator.getitem, (cache, slice(0, 2, None)))))
    graph.output((total, call(torch.sum, (cache, 0)), call(operator.getitem, (x, (Ellipsis, 0)))))
    return torch.fx.GraphModule(root, graph)


@traced("indexed_writes", lambda draw: (draw.floats(2, 3).detach(), draw.floats(4).detach()))
def indexed_writes():
    return record_indexed_writes()


class Random(nn.Module):
    def forward(self, x):
        noise = torch.rand_like(x)
        a = F.dropout(x + noise, 0.5, True)
        b = torch.bernoulli(torch.sigmoid(x))
        c = torch.randn(3, 2)
        d = torch.randint(0, 5, (3,)).to(x.dtype)
        return a * b + (c @ x[:2]), d.unsqueeze(1) * x, torch.zeros_like(x).uniform_(0, 1)


@traced("random", lambda draw: (draw.floats(3, 4),))
def random():
    return Random()


class Settings(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(4, 4))
        self.v = nn.Parameter(torch.randn(4, 4))

    def forward(self, x):
        a = x @ self.w
        with torch.no_grad():
            b = torch.tanh(a @ self.v)
            c = b * 2
        with torch.autocast("cpu", dtype=torch.bfloat16):
            d = torch.matmul(a, self.v)
            e = torch.matmul(d.float(), self.w)
        f = e.float() + c
        return f.relu(), d, b


def record_settings():
    """The regions of Settings as calls of torch.fx: symbolic_trace does not see them."""
    from torch.amp.autocast_mode import _enter_autocast, _exit_autocast
    graph, root = torch.fx.Graph(), Settings()
    x = graph.placeholder("x")
    call = graph.call_function
    w, v = graph.get_attr("w"), graph.get_attr("v")
    a = call(torch.matmul, (x, w))
    call(torch._C._set_grad_enabled, (False,))
    b = call(torch.tanh, (call(torch.matmul, (a, v)),))
    c = call(torch.mul, (b, 2))
    call(torch._C._set_grad_enabled, (True,))
    region = call(_enter_autocast, ("cpu", torch.bfloat16, True, True))
    d = call(torch.matmul, (a, v))
    e = call(torch.matmul, (graph.call_method("float", (d,)), w))
    call(_exit_autocast, (region,))
    f = call(torch.add, (graph.call_method("float", (e,)), c))
    graph.output((call(torch.relu, (f,)), d, b))
    return torch.fx.GraphModule(root, graph)


@traced("settings", lambda draw: (draw.floats(3, 4),))
def settings():
    return record_settings()


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(4, 8), nn.Linear(8, 4)
        self.norm = nn.LayerNorm(4)

    def forward(self, x, y):
        h = self.norm(x)
        return x + self.down(torch.relu(self.up(h))) * y, h


class Nested(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = torch.fx.symbolic_trace(Block()), torch.fx.symbolic_trace(Block())

    def forward(self, x, y):
        a, h = self.first(x, y)
        b, g = self.second(a, torch.sigmoid(y))
        c, _ = self.second(b, y)
        return c, h - g


class _Outer(torch.fx.Tracer):
    def is_leaf_module(self, module, name):
        return isinstance(module, torch.fx.GraphModule) or super().is_leaf_module(module, name)


@traced("nested", lambda draw: (draw.floats(3, 4), draw.floats(3, 4)))
def nested():
    root = Nested()
    return torch.fx.GraphModule(root, _Outer().trace(root))


class Sizes(nn.Module):
    def forward(self, x, y):
        n, d = x.size(0), x.shape[1]
        half = d // 2
        a = x[:, :half] * (half + 1)
        b = x[:, half:half * 2]
        scale = d ** -0.5
        c = torch.arange(n).to(x.dtype).view(n, 1) + torch.full((n, half), scale)
        m = torch.ones((n, n)).triu(1).bool()
        scores = (x @ x.transpose(0, 1) * scale).masked_fill(m, -1e9)
        return a - b + c, scores.softmax(-1) @ x, y.expand(n, d).reshape(n * d), getattr(x, "ndim") + n


@traced("sizes", lambda draw: (draw.floats(draw.size(1, 3, 5), 6), draw.floats(6)))
def sizes():
    return Sizes()


class SmallTransformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, 0.0, batch_first=True)
        self.gru = nn.GRU(8, 4, batch_first=True)
        self.embed = nn.Embedding(11, 8, padding_idx=0)
        self.act = nn.LeakyReLU(0.1)
        self.fold = nn.Sequential(nn.Conv1d(4, 4, 3, padding=1, groups=2), nn.InstanceNorm1d(4), nn.AdaptiveAvgPool1d(2))

    def forward(self, tokens):
        h = self.layer(self.embed(tokens))
        states, last = self.gru(self.act(h))
        return self.fold(states.transpose(1, 2)), last


@traced("leaf_transformer", lambda draw: (draw.ints(0, 11, 2, 5),))
def leaf_transformer():
    return SmallTransformer().eval()


class Integers(nn.Module):
    def forward(self, x, index):
        values, places = torch.sort(x, dim=-1, descending=True)
        top = torch.topk(x, 2, dim=-1)
        picked = torch.gather(x, 1, index)
        counts = torch.bincount(index.reshape(-1), minlength=6)
        added = torch.zeros(3, 6).scatter_add(1, index, picked)
        parity = (index % 2).eq(0) & (index >= 1) | (index < 4)
        shifted = (index // 2 + 1) ** 2 - torch.div(index, 3, rounding_mode="floor")
        return values, places.roll(1, -1), top.values * 2, counts.cumsum(0), added, parity, torch.bitwise_xor(shifted, 1), top[1].max()


@traced("integers", lambda draw: (draw.floats(3, 6), draw.ints(0, 6, 3, 6)))
def integers():
    return Integers()


class Elementwise(nn.Module):
    def forward(self, x, y):
        a = torch.maximum(x, y) - torch.minimum(x, y)
        b = torch.exp(-x.abs()) + torch.log1p(y * y)
        c = torch.atan2(x, y).sqrt()
        d = torch.addcmul(a, b, c, value=0.5)
        e = torch.lerp(a, d, 0.25).round()
        f = x.double().sin().to(torch.float32) + y.half().to(torch.float32)
        g = torch.clamp(x, -1, 1).sign() * y.floor().neg().reciprocal()
        return torch.nan_to_num(a * 2 + b), e, torch.rsub(f, 1), torch.stack((c, g), dim=-1).flatten(1), (x != y).logical_not().any(-1)


@traced("elementwise", lambda draw: (draw.floats(3, 4), draw.floats(3, 4)))
def elementwise():
    return Elementwise()
