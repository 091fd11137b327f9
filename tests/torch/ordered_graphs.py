"""Graphs and models with order dependencies that no value shows, for order_dependencies_in_torch.py."""

import operator
import random

import torch
from torch.nn import functional as F

LOG = []


def note(x):
    """An unknown function with a visible effect."""
    LOG.append(float(x.detach().sum()))
    return x * 2


def say(*words):
    LOG.append([float(w.detach().sum()) if isinstance(w, torch.Tensor) else w for w in words])


class Holder(torch.nn.Module):
    """Tensors that graphs read (two with shared memory, and a parameter), and modules with side effects."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(5)
        self.register_buffer("b", torch.randn(4, 4))
        self.register_buffer("other", torch.randn(4, 4))
        self.register_buffer("part", self.b[1:3])
        self.register_buffer("at", torch.tensor([2, 0]))
        self.register_buffer("mean", torch.zeros(4))
        self.register_buffer("var", torch.ones(4))
        self.p = torch.nn.Parameter(torch.randn(4, 4))
        self.drop = torch.nn.Dropout(0.5)
        self.norm = torch.nn.BatchNorm1d(4)
        self.relu = torch.nn.ReLU(inplace=True)
        self.same = torch.nn.Identity()
        self.linear = torch.nn.Linear(4, 4)
        self.flat = torch.nn.Flatten(0)


def one(make):
    return lambda g: (make, (g.tensor(),), {})


def method(name, *rest, **keywords):
    return lambda g: (name, (g.tensor(), *rest), keywords)


def with_two(what):
    return lambda g: (what, (g.tensor(), g.tensor()), {})


PURE = [one(torch.sin), one(torch.cos), with_two(torch.add), with_two(torch.mul), with_two(torch.matmul), with_two(operator.add),
        method("sum"), method("clone"), one(torch.relu), lambda g: (torch.cat, ([g.tensor(), g.tensor()],), {}),
        lambda g: (torch.where, (g.tensor(), g.tensor(), g.tensor()), {}), with_two(torch.nn.functional.linear),
        lambda g: (torch.ops.aten.add.Tensor, (g.tensor(), g.tensor()), {}), method("max"), method("gt", 0),
        lambda g: (torch.index_select, (g.tensor(), 0, g.held("at")), {}), one(torch.ones_like), method("new_zeros", (4, 4)),
        method("sum", 0), with_two("matmul"), with_two(operator.matmul), method("requires_grad_", True)]
VIEWS = [method("view", -1), method("view", 4, 4), method("t"), method("transpose", 0, 1), method("detach"), method("unsqueeze", 0),
         method("squeeze", 0), method("narrow", 0, 1, 2), method("select", 0, 1), method("expand", 4, 4), method("reshape", 4, 4),
         method("reshape", -1), method("contiguous"), method("flatten"), method("to", torch.float32), method("float"),
         method("chunk", 2), method("unbind", 0), method("split", 2), method("diagonal"), method("view_as", 0),
         method("permute", 1, 0), method("as_strided", (2, 2), (1, 2)), method("unfold", 0, 2, 1), method("type", torch.float32),
         lambda g: (operator.getitem, (g.tensor(), slice(1, 3)), {}), lambda g: (operator.getitem, (g.tensor(), 0), {}),
         lambda g: (operator.getitem, (g.tensor(), (slice(None), 1)), {}), lambda g: (operator.getitem, (g.tensor(), g.held("at")), {}),
         lambda g: (operator.getitem, (g.tuple(), g.rng.randrange(2)), {}), lambda g: (operator.getitem, (g.tuple(), 0), {}),
         with_two(torch.broadcast_tensors), with_two("expand_as"), with_two("view_as"), with_two("type_as"), one(torch.atleast_2d),
         lambda g: (F.dropout, (g.tensor(), 0.5, False), {}), lambda g: (F.dropout, (g.tensor(), 0.0, True), {}), one(torch.real),
         lambda g: (getattr, (g.tensor(), g.rng.choice(("T", "mT", "data", "real", "H"))), {}), one(torch.Tensor.detach),
         lambda g: (torch.ops.aten.view.default, (g.tensor(), [4, 4]), {}), one(torch.ops.aten.alias.default),
         lambda g: (torch.ops.aten.slice.Tensor, (g.tensor(), 0, 0, 2), {}), with_two(torch.meshgrid), one(torch.ravel)]
WRITES = [with_two("add_"), with_two("mul_"), with_two("copy_"), method("zero_"), method("fill_", 2.0), method("relu_"),
          with_two(operator.iadd), with_two(operator.imul), lambda g: (F.relu, (g.tensor(), True), {}), one(torch.relu_),
          lambda g: (F.relu, (g.tensor(),), {"inplace": True}), lambda g: (operator.setitem, (g.tensor(), 0, 3.0), {}),
          lambda g: (operator.setitem, (g.tensor(), slice(0, 2), g.tensor()), {}), method("clamp_", 0.0),
          lambda g: (operator.setitem, (g.tensor(), g.held("at"), 1.5), {}), method("t_"), method("transpose_", 0, 1),
          lambda g: ("index_put_", (g.tensor(), (g.held("at"),), g.tensor()), {}), method("unsqueeze_", 0), method("squeeze_"),
          lambda g: (torch.index_put_, (g.tensor(), (g.held("at"),), g.tensor()), {}), method("detach_"),
          lambda g: ("index_add_", (g.tensor(), 0, g.held("at"), g.tensor()), {}), method("fill_diagonal_", 1.0),
          lambda g: ("index_fill_", (g.tensor(), 0, g.held("at"), 7.0), {}), with_two("masked_scatter_"),
          lambda g: ("masked_fill_", (g.tensor(), g.tensor(), 9.0), {}), lambda g: ("addcmul_", (g.tensor(), g.tensor(), g.tensor()), {}),
          lambda g: (torch.add, (g.tensor(), g.tensor()), {"out": g.tensor()}), lambda g: (torch.sin, (g.tensor(),), {"out": g.tensor()}),
          lambda g: (torch.cat, ([g.tensor(), g.tensor()],), {"out": g.tensor()}), with_two("set_"), with_two("resize_as_"),
          lambda g: (torch.matmul, (g.tensor(), g.tensor()), {"out": g.tensor()}), method("resize_", 2, 2),
          lambda g: (F.batch_norm, (g.tensor(), g.held("mean"), g.held("var"), None, None, True), {}),
          lambda g: (torch._foreach_add_, ([g.tensor(), g.tensor()], 1.0), {}), lambda g: (torch.ops.aten.add_.Tensor, (g.tensor(), g.tensor()), {}),
          lambda g: (torch.ops.aten.copy_.default, (g.tensor(), g.tensor()), {}),
          lambda g: (F.embedding, (g.held("at"), g.tensor()), {"max_norm": 0.5}), lambda g: (torch.ops.aten.mul.out, (g.tensor(), g.tensor()), {"out": g.tensor()}),
          lambda g: (torch._foreach_mul_, ([g.tensor()], [g.tensor()]), {}), lambda g: (F.hardtanh, (g.tensor(), -1.0, 1.0, True), {}),
          lambda g: (F.dropout, (g.tensor(), 0.5, False, True), {}), lambda g: (F.leaky_relu, (g.tensor(), 0.1, True), {})]
RANDOM = [lambda g: (F.dropout, (g.tensor(), 0.5, True), {}), lambda g: (F.dropout, (g.tensor(), 0.5, True, True), {}),
          one(torch.rand_like), lambda g: (torch.rand, (4, 4), {}), one("bernoulli_"), one("normal_"), method("uniform_", 0, 1),
          one(torch.randn_like), lambda g: (torch.randperm, (4,), {}), lambda g: (torch.manual_seed, (3,), {}),
          lambda g: (F.rrelu, (g.tensor(), 0.1, 0.3, True), {}), lambda g: (torch.ops.aten.dropout.default, (g.tensor(), 0.5, True), {}),
          method("random_", 5), method("exponential_"), lambda g: (torch.normal, (g.tensor(), 1.0), {}),
          lambda g: (F.gumbel_softmax, (g.tensor(),), {}), lambda g: (F.alpha_dropout, (g.tensor(), 0.5, True), {}),
          lambda g: (F.scaled_dot_product_attention, (g.tensor(), g.tensor(), g.tensor(), None, 0.5), {}),
          lambda g: (torch.randint, (0, 9, (3,)), {})]
EFFECTS = [one(note), lambda g: (say, ("now", g.tensor()), {}), lambda g: (torch._assert, (True, "fine"), {}),
           lambda g: (torch.set_default_dtype, (g.rng.choice((torch.float64, torch.float32)),), {})]
MODULES = ("drop", "norm", "relu", "same", "linear", "flat")
FORMS = ("requires_grad", "shape", "dtype", "is_leaf", "ndim")


class RandomGraph:
    """Runs each call when it is added, so that the graph runs and its values are known."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.root = Holder()
        self.graph = torch.fx.Graph()
        self.open = []
        self.nodes, self.values = [], {}
        self.live = Holder()
        self.inputs = [torch.randn(4, 4), torch.randn(4, 4)]

    def chance(self, p):
        return self.rng.random() < p

    def tensor(self):
        tensors = [n for n in self.nodes if isinstance(self.values[n], torch.Tensor)]
        recent = tensors[-4:] if self.chance(0.5) else tensors
        return self.rng.choice(recent)

    def tuple(self):
        return self.rng.choice([n for n in self.nodes if isinstance(self.values[n], (tuple, list))])

    def held(self, name):
        found = next((n for n in self.graph.nodes if n.op == "get_attr" and n.target == name), None)
        if found is None or self.chance(0.2):
            found = self.graph.get_attr(name)
            self.values[found] = getattr(self.live, name)
        return found

    def add(self, op, target, args, kwargs):
        """Adds a call and runs it. Returns whether it succeeded."""
        def value(a):
            return torch.fx.node.map_arg(a, lambda n: self.values[n])
        try:
            given, named = value(args), value(kwargs)
            if op == "call_function":
                result = target(*given, **named)
            elif op == "call_method":
                result = getattr(given[0], target)(*given[1:], **named)
            else:
                result = getattr(self.live, target)(*given, **named)
        except Exception:  # noqa: BLE001 - PyTorch refuses it: try something else
            return False
        if isinstance(result, torch.Tensor) and (result.numel() > 256 or result.is_complex()):
            return False
        node = self.graph.create_node(op, target, args, kwargs)
        self.values[node] = result
        self.nodes.append(node)
        return True

    def state(self):
        what = self.rng.randrange(4)
        if what == 0:
            return self.add("call_function", torch._C._set_grad_enabled, (self.chance(0.5),), {})
        if what == 1 and len(self.open) < 2:
            done = self.add("call_function", torch.amp.autocast_mode._enter_autocast,
                            ("cpu", torch.bfloat16, self.chance(0.8), None), {})
            self.open.append(self.nodes[-1])
            return done
        return self.leave()

    def leave(self):
        return bool(self.open) and self.add("call_function", torch.amp.autocast_mode._exit_autocast, (self.open.pop(),), {})

    def call(self, theme):
        roll = self.rng.random()
        if roll < 0.06:
            return self.add("call_module", self.rng.choice(MODULES), (self.tensor(),), {})
        if roll < 0.09:
            return self.add("call_function", getattr, (self.tensor(), self.rng.choice(FORMS)), {})
        if theme == "state" and roll < 0.35:
            return self.state()
        kinds = {"memory": (PURE, VIEWS, VIEWS, WRITES, WRITES), "random": (PURE, RANDOM, WRITES), "state": (PURE, PURE, VIEWS, WRITES),
                 "all": (PURE, VIEWS, WRITES, RANDOM, EFFECTS)}[theme]
        try:
            target, args, kwargs = self.rng.choice(self.rng.choice(kinds))(self)
        except IndexError:  # there is no tuple
            return False
        return self.add("call_method" if isinstance(target, str) else "call_function", target, args, kwargs)

    def make(self, size):
        for i, name in enumerate(("x", "y")):
            node = self.graph.placeholder(name)
            self.values[node] = self.inputs[i].clone()
            self.nodes.append(node)
        for name in self.rng.sample(("b", "other", "part", "p"), 3):
            self.nodes.append(self.graph.get_attr(name))
            self.values[self.nodes[-1]] = getattr(self.live, name)
        theme = self.rng.choice(("memory", "memory", "random", "state", "all"))
        made = 0
        for _ in range(10 * size):
            made += self.call(theme)
            if made >= size:
                break
        while self.open:
            self.leave()
        shown = [n for n in self.nodes if isinstance(self.values[n], torch.Tensor) or self.values[n].__class__ in (int, bool)]
        if self.chance(0.5):
            shown = self.rng.sample(shown, min(3, len(shown)))
        self.graph.output(tuple(n for n in shown if n.op != "get_attr"))
        return torch.fx.GraphModule(self.root, self.graph), self.inputs


def rolling(m, x):
    old = m.b[0:1].clone()
    m.b[:-1].copy_(m.b[1:].clone())
    m.b[-1].copy_(x[0])
    return old + 1, m.b.sum(0), x.sin()


def through_views(m, x):
    y = x.clone()
    rows = y[1:3]
    column = rows.t()[0]
    read = y.sum()
    column.add_(1)
    after = rows.cos()
    y.view(-1)[::2].mul_(3)
    return read, after, column * 2, y


def puts(m, x):
    y = x * 2
    a = y.sin()
    y[m.at] = x[:2]
    b = y.cos()
    y.index_put_((m.at,), x[2:], accumulate=True)
    return a, b, y


def counted(m, x):
    m.mean.add_(1)
    a = x * m.mean
    m.mean.mul_(2)
    return a, m.mean + 0, x + m.var


def drawn(m, x):
    a = F.dropout(x, 0.5, True)
    b = torch.rand_like(x)
    c = torch.bernoulli(torch.sigmoid(x))
    return a, b + 1, c, x.sin()


def regions(m, x):
    a = x @ m.p
    with torch.no_grad():
        b = x @ m.p
    with torch.autocast("cpu", torch.bfloat16):
        c = x @ m.p
        d = m.linear(x)
    return a, b, c, d, x @ x


def to_inputs(m, x):
    a = x.sin()
    x.add_(1)
    b = x.cos()
    x[0].zero_()
    return a, b, x.view(-1)


def normed(m, x):
    a = m.norm(x)
    b = m.norm(a)
    return a.sin(), b, m.drop(b), m.relu(b + 1)


def swapped(m, x):
    a = m.b.clone()
    m.b.copy_(m.other)
    m.other.copy_(a)
    return m.b * x, m.other + x


def checked(m, x):
    torch._assert_async((x.sum() < 1e9), "too large")
    a = x.sin()
    torch._assert_async((a.sum() < 1e9), "too large")
    return a, x.relu()


class Call(Holder):
    def __init__(self, function):
        super().__init__()
        del self._buffers["part"]
        self.function = function

    def forward(self, x):
        return self.function(self, x)


def exported_models():
    """Yields name, exported program, and inputs of each."""
    for function in (rolling, through_views, puts, counted, drawn, regions, to_inputs, normed, swapped, checked):
        inputs = [torch.randn(4, 4)]
        yield function.__name__, torch.export.export(Call(function).train(), tuple(x.clone() for x in inputs)), inputs
