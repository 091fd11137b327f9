"""Models whose parts may diverge as separate copies: written state, views passed between parts, autocast and grad mode regions, and
effects. Hand-written and random."""

import random

import torch


class StateBackward(torch.nn.Module):
    """An early op reads memory that a later one writes."""

    def __init__(self):
        super().__init__()
        self.register_buffer("seen", torch.zeros(4))

    def forward(self, x):
        y = torch.relu(x + self.seen)
        self.seen.add_(y.sum(0))
        return y * 2


class StateForward(StateBackward):
    """A late op reads memory that an earlier one wrote."""

    def forward(self, x):
        y = torch.relu(x)
        self.seen.add_(y.sum(0))
        return torch.sigmoid(y * 2) + self.seen


class TiedState(torch.nn.Module):
    """Two names of one memory, one written."""

    def __init__(self):
        super().__init__()
        self.register_buffer("memory", torch.zeros(8))
        self.register_buffer("first", self.memory[:4])

    def forward(self, x):
        y = torch.relu(x + self.first)
        self.memory.add_(y.sum())
        return y * 2


class WrittenInput(torch.nn.Module):
    def forward(self, x, y):
        a = x * 2
        x.add_(1)
        return torch.relu(a + y) + x


class ViewOfInput(torch.nn.Module):
    """A view of an input is created in one part and written in another."""

    def forward(self, x):
        v = x.view(-1)
        y = torch.relu(x) + 1
        v.mul_(2)
        return y * x


class LateWrite(torch.nn.Module):
    """A result of the model is written after its computation."""

    def forward(self, x):
        y = torch.relu(x)
        z = y.sum(0)
        y.add_(1)
        return y.view(-1)[:3], z * 2


class SkippedWrite(torch.nn.Module):
    """A value that two later parts read; the first of them writes to it."""

    def forward(self, x):
        y = torch.relu(x)
        v = y.t()
        a = torch.sigmoid(x)
        v.add_(a.t())
        return torch.tanh(a) + y


class NumberOfWritten(torch.nn.Module):
    """A number that is taken from memory before it is written."""

    def forward(self, x):
        y = torch.relu(x)
        n = y.max().item()
        y.mul_(3)
        return torch.sigmoid(y) * n


class Effects(torch.nn.Module):
    def forward(self, x):
        torch.ops.aten._assert_async.msg(x.sum() == x.sum(), "nan")
        y = torch.relu(x)
        torch.ops.aten._print("")
        z = torch.sigmoid(y)
        torch.ops.aten._print("")
        return z * 2


class Normed(torch.nn.Module):
    """Running statistics, read and written by one op."""

    def __init__(self):
        super().__init__()
        self.lin, self.norm, self.out = torch.nn.Linear(4, 4), torch.nn.BatchNorm1d(4), torch.nn.Linear(4, 4)

    def forward(self, x):
        return self.out(torch.relu(self.norm(self.lin(x))))


@torch.compiler.nested_compile_region
def repeated(x):
    return x.sin() * 2


class Repeated(torch.nn.Module):
    """One graph, called twice in one part or in two."""

    strict = True  # otherwise export inlines the graph

    def forward(self, x):
        return repeated(torch.relu(repeated(x).cos())) + 1


class ReshapedSlice(torch.nn.Module):
    """A call that copies only for some layouts: with a copy of its argument it would not, and its result is written."""

    def forward(self, x):
        part = torch.relu(x)[:, 1:3]
        flat = part.reshape(-1)
        flat.mul_(2)
        return flat, part + 1


class AroundSlice(torch.nn.Module):
    """A call reads memory outside its argument."""

    def forward(self, x):
        return torch.as_strided(torch.relu(x)[:, 1:3], (2, 4), (4, 1)) * 2


class NormInRegion(torch.nn.Module):
    """A nested graph writes to two of its inputs and returns separate memory."""

    def __init__(self):
        super().__init__()
        self.lin, self.norm = torch.nn.Linear(4, 4), torch.nn.BatchNorm1d(4)

    def forward(self, x):
        with torch.autocast("cpu", torch.bfloat16):
            y = self.norm(self.lin(x).float())
        return self.lin(torch.sigmoid(y))


#: Number of arguments of each.
BY_HAND = {
    StateBackward: 1, StateForward: 1, TiedState: 1, WrittenInput: 2, ViewOfInput: 1, LateWrite: 1, SkippedWrite: 1,
    NumberOfWritten: 1, Effects: 1, Normed: 1, Repeated: 1, ReshapedSlice: 1, AroundSlice: 1, NormInRegion: 1,
}


def autocast_graph():
    """A plain graph with autocast and grad mode regions, separate and nested."""
    graph = torch.fx.Graph()
    x, w = graph.placeholder("x"), graph.placeholder("w")
    set_grad = torch._C._set_grad_enabled
    enter, leave = torch.amp.autocast_mode._enter_autocast, torch.amp.autocast_mode._exit_autocast
    graph.call_function(set_grad, (False,))
    region = graph.call_function(enter, ("cpu", torch.bfloat16, True, None))
    y = graph.call_function(torch.matmul, (x, w))
    y = graph.call_function(torch.matmul, (y, w))
    graph.call_function(leave, (region,))
    y = graph.call_method("float", (y,))
    graph.call_function(set_grad, (True,))
    z = graph.call_function(torch.matmul, (y, w))
    region = graph.call_function(enter, ("cpu", torch.bfloat16, True, None))
    u = graph.call_method("relu", (graph.call_function(torch.matmul, (z, w)),))
    v = graph.call_function(torch.matmul, (u, w))
    graph.call_function(leave, (region,))
    graph.output((graph.call_method("float", (v,)), z))
    return torch.fx.GraphModule(torch.nn.Module(), graph)


def overlapping_graph():
    """A plain graph with overlapping autocast regions: leaving the later one restores the first."""
    graph = torch.fx.Graph()
    x, w = graph.placeholder("x"), graph.placeholder("w")
    enter, leave = torch.amp.autocast_mode._enter_autocast, torch.amp.autocast_mode._exit_autocast
    first = graph.call_function(enter, ("cpu", torch.bfloat16, True, None))
    second = graph.call_function(enter, ("cpu", torch.float16, True, None))
    y = graph.call_function(torch.matmul, (x, w))
    graph.call_function(leave, (first,))
    graph.call_function(leave, (second,))
    z = graph.call_function(torch.matmul, (x, w))
    graph.output((y, z))
    return torch.fx.GraphModule(torch.nn.Module(), graph)


class RandomModel(torch.nn.Module):
    """Random steps on a list of 4×4 tensors: inputs, buffers (two of them sharing memory), and results of earlier steps."""

    def __init__(self, seed):
        super().__init__()
        self.register_buffer("a", torch.arange(16.0).view(4, 4) / 8)
        self.register_buffer("b", torch.ones(2, 4, 4))
        self.register_buffer("c", self.b[1])
        self.weight = torch.nn.Parameter(torch.full((4, 4), 0.25))
        choice = random.Random(seed)
        kinds = ["add", "mul", "relu", "tanh", "t", "view", "half"] + ["add_", "mul_", "write_half", "scale"] * (seed % 3)
        self.steps = []
        for i in range(choice.randint(5, 11)):
            known = 6 + i
            self.steps.append((choice.choice(kinds), choice.randrange(known), choice.randrange(known)))
        self.results = [choice.randrange(6, 6 + len(self.steps)) for _ in range(2)]

    def forward(self, x, y):
        values = [x, y, self.a, self.b[0], self.c, self.weight * 1]
        for kind, i, j in self.steps:
            values.append(self.step(kind, values[i], values[j]))
        return tuple(values[i] * 1 if i % 2 else values[i] for i in self.results)

    @staticmethod
    def step(kind, u, v):
        if kind == "t":
            return u.t()
        if kind == "view":
            return u.reshape(-1).view(4, 4)
        if kind == "half":
            return torch.cat([u[:2], v[2:]])
        if kind == "add_":
            return u.add_(v)
        if kind == "mul_":
            return u.mul_(0.5)
        if kind == "write_half":
            u[1:3].add_(v[:2])
            return u
        if kind == "scale":
            return v * u.max().item()
        return {"add": torch.add, "mul": torch.mul, "relu": lambda p, q: torch.relu(p), "tanh": lambda p, q: torch.tanh(p)}[kind](u, v)


def random_cut(names, seed):
    """Consecutive parts, some with single ops tagged like a neighbor."""
    choice = random.Random(seed)
    count = min(choice.randint(2, 4), len(names))
    places = sorted(choice.sample(range(1, len(names)), count - 1))
    part = [sum(at >= place for place in places) for at in range(len(names))]
    for at in range(len(part)):
        if choice.random() < 0.08:
            part[at] = max(0, min(count - 1, part[at] + choice.choice((-1, 1))))
    return {name: f"s{number}" for name, number in zip(names, part)}, [f"s{number}" for number in range(count)]
