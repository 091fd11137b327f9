"""Checks that `costs` counts floating-point operations as torch.utils.flop_counter does: `flops_in_torch.py SUNDER_CLI [SEED…]`

Exports programs of random calls of matrix products, convolutions, attention, einsum, and recurrent layers, with operands of
every rank and layout, and models with regions and branches. Runs each node alone on meta tensors under a counter of its own.
Exit 77 (skipped) without SUNDER_TORCH_PYTHON.
"""

import json
import pathlib
import random
import subprocess
import sys
import tempfile

from torch_test import status_elsewhere

if __name__ == "__main__":
    status = status_elsewhere(sys.argv)
    if status is not None:
        sys.exit(status)

import torch
from torch.utils import _pytree as pytree
from torch.utils.flop_counter import FlopCounterMode

aten = torch.ops.aten
CALLS = 40


class Draw:
    """Draws calls with their operands. A call is a function of all operands."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.operands = []
        self.calls = []

    def size(self):
        return self.random.choice((1, 1, 2, 3, 4, 5))

    def sizes(self, least, most):
        return [self.size() for _ in range(self.random.randint(least, most))]

    def chance(self, share):
        return self.random.random() < share

    def tensor(self, *sizes):
        """Adds an operand, some of them transposed, and returns its index."""
        order = list(range(len(sizes)))
        if len(sizes) > 1 and self.chance(0.3):
            i, j = self.random.sample(order, 2)
            order[i], order[j] = order[j], order[i]
        self.operands.append(torch.randn([sizes[i] for i in order]).permute(order))
        return len(self.operands) - 1

    def call(self, function, *operands, **options):
        self.calls.append((function, operands, options))

    def linear(self):
        inner, outer = self.size(), self.size()
        x, w = self.tensor(*self.sizes(1, 3), inner), self.tensor(outer, inner)
        self.call(aten.linear.default, x, w, *([self.tensor(outer)] if self.chance(0.5) else []))

    def matmul(self):
        inner, batch = self.size(), self.sizes(0, 2)
        some = lambda: [s if self.chance(0.7) else 1 for s in batch][self.random.randint(0, len(batch)):]
        left = [inner] if self.chance(0.2) else [*some(), self.size(), inner]
        right = [inner] if self.chance(0.2) else [*some(), inner, self.size()]
        self.call(aten.matmul.default, self.tensor(*left), self.tensor(*right))

    def einsum(self):
        sizes = {label: self.size() for label in "abcdeF"}
        ellipsis = self.sizes(0, 2) if self.chance(0.4) else None
        terms, operands = [], []
        for _ in range(self.random.randint(1, 3)):
            labels = "".join(self.random.sample(list(sizes), self.random.randint(1, 3)))
            own = [sizes[label] if self.chance(0.85) else 1 for label in labels]
            front = [] if ellipsis is None else [s if self.chance(0.8) else 1 for s in ellipsis]
            terms.append(("" if ellipsis is None else "...") + labels)
            operands.append(self.tensor(*front, *own))
        used = sorted(set("".join(terms)) - {"."})
        output = "" if ellipsis is None else "..."
        output += "".join(self.random.sample(used, self.random.randint(0, len(used))))
        equation = ",".join(terms) + ("" if self.chance(0.2) else "->" + output)
        self.call(lambda *given: aten.einsum.default(equation, list(given)), *operands)

    def convolution(self):
        dims, groups = self.random.randint(1, 3), self.random.choice((1, 1, 2))
        inside, outside = groups * self.size(), groups * self.size()
        kernel = [self.random.randint(1, 3) for _ in range(dims)]
        points = [k + self.random.randint(0, 4) for k in kernel]
        stride = [self.random.randint(1, 2) for _ in range(dims)]
        x = self.tensor(*([self.size()] if self.chance(0.8) else []), inside, *points)
        none, one = [0] * dims, [1] * dims
        if self.chance(0.3):
            packet = getattr(aten, f"conv_transpose{dims}d")
            forward = packet.default if dims == 1 else packet.input
            w = self.tensor(inside, outside // groups, *kernel)
            self.call(lambda x, w: forward(x, w, None, stride, none, none, groups), x, w)
            return
        packet, w = getattr(aten, f"conv{dims}d"), self.tensor(outside, inside // groups, *kernel)
        if self.chance(0.3):
            self.call(lambda x, w: packet.padding(x, w, None, one, "same", one, groups), x, w)
        else:
            self.call(lambda x, w: packet.default(x, w, None, stride, one, one, groups), x, w)

    def attention(self):
        front, heads = self.sizes(0, 2), self.random.choice((1, 1, 2))
        length, other, size, last = (self.size() for _ in range(4))
        grouped = heads == 2 and len(front) == 2
        queries = [front[0], 2 * front[1]] if grouped else front
        shapes = (*queries, length, size), (*front, other, size), (*front, other, last)
        options = {"enable_gqa": True} if grouped else {"is_causal": True} if self.chance(0.3) else {}
        self.call(aten.scaled_dot_product_attention.default, *(self.tensor(*shape) for shape in shapes), **options)

    def recurrent(self):
        kind = self.random.choice(("lstm", "gru", "rnn_tanh"))
        inside, hidden, batch, steps = (self.size() for _ in range(4))
        layers, both, biases = self.random.randint(1, 2), self.chance(0.5), self.chance(0.6)
        projected = self.random.randint(1, hidden - 1) if kind == "lstm" and hidden > 1 and self.chance(0.3) else 0
        gates = {"lstm": 4, "gru": 3, "rnn_tanh": 1}[kind] * hidden
        state, directions, weights = projected or hidden, 2 if both else 1, []
        for layer in range(layers):
            for _ in range(directions):
                weights += [self.tensor(gates, inside if layer == 0 else state * directions), self.tensor(gates, state)]
                weights += [self.tensor(gates), self.tensor(gates)] if biases else []
                weights += [self.tensor(projected, hidden)] if projected else []
        x = self.tensor(steps, batch, inside)
        states = [self.tensor(layers * directions, batch, state)]
        states += [self.tensor(layers * directions, batch, hidden)] if kind == "lstm" else []

        def run(x, *rest):
            held = list(rest[:len(states)]) if kind == "lstm" else rest[0]
            return getattr(aten, kind).input(x, held, list(rest[len(states):]), biases, layers, 0.0, False, both, False)

        self.call(run, x, *states, *weights)

    def cell(self):
        kind = self.random.choice(("lstm", "gru", "rnn_relu"))
        inside, hidden, batch = (self.size() for _ in range(3))
        gates = {"lstm": 4, "gru": 3, "rnn_relu": 1}[kind] * hidden
        operands = [self.tensor(batch, inside), self.tensor(batch, hidden), self.tensor(batch, hidden),
                    self.tensor(gates, inside), self.tensor(gates, hidden), self.tensor(gates), self.tensor(gates)]
        packet = getattr(aten, kind + "_cell")
        self.call(lambda x, h, c, *rest: packet(x, [h, c] if kind == "lstm" else h, *rest), *operands)

    def contraction(self):
        kind = self.random.randrange(4)
        if kind == 0:
            sizes = self.sizes(3, 3)
            at = self.random.randrange(3)
            x, y = self.tensor(*sizes), self.tensor(sizes[at] if self.chance(0.8) else 1, self.size())
            self.call(lambda x, y: aten.tensordot.default(x, y, [at - 3], [0]), x, y)
        elif kind == 1:
            inner = self.size()
            self.call(aten.inner.default, self.tensor(*self.sizes(0, 2), inner), self.tensor(*self.sizes(0, 1), inner))
        elif kind == 2:
            edges = [self.random.randint(1, 8) for _ in range(self.random.randint(3, 6))]
            chain = [self.tensor(*pair) for pair in zip(edges, edges[1:])]
            self.call(lambda *given: aten.linalg_multi_dot.default(list(given)), *chain)
        else:
            size, power = self.size(), self.random.randint(0, 8)
            x = self.tensor(*self.sizes(0, 1), size, size)
            self.call(lambda x: aten.matrix_power.default(x, power), x)


class Calls(torch.nn.Module):
    def __init__(self, calls):
        super().__init__()
        self.calls = calls

    def forward(self, *operands):
        return [function(*(operands[i] for i in given), **options) for function, given, options in self.calls]


def random_calls(seed):
    draw = Draw(seed)
    kinds = (draw.linear, draw.matmul, draw.matmul, draw.einsum, draw.einsum, draw.convolution, draw.attention, draw.recurrent,
             draw.cell, draw.contraction)
    for _ in range(CALLS):
        draw.random.choice(kinds)()

    def runs(call):
        function, given, options = call
        try:
            function(*(draw.operands[i] for i in given), **options)
        except (RuntimeError, IndexError):
            return False  # PyTorch refuses these operands
        return True

    calls = [call for call in draw.calls if runs(call)]
    assert len(calls) > CALLS / 2, f"seed {seed}: only {len(calls)} calls can run"
    return Calls(calls), tuple(draw.operands)


class Regions(torch.nn.Module):
    """Calls in regions with other settings of autograd and autocast, and in branches of branches."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x):
        with torch.no_grad():
            y = self.linear(x)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            z = self.linear(x) @ y.T.to(torch.bfloat16)

        def inner(z):
            return torch.cond(z.sum() > 1, lambda z: z @ z, lambda z: z @ z @ z, (z,))

        first = torch.cond(z.sum() > 0, lambda z: inner(z @ z), lambda z: z @ z @ z @ z, (z,))
        return first, torch.cond(z.sum() > 2, lambda z: inner(z), lambda z: (z @ z).relu(), (z,))


class Counts(torch.fx.Interpreter):
    def __init__(self, module):
        super().__init__(module)
        self.flops = {}

    def run_node(self, node):
        with FlopCounterMode(display=False) as counter:
            value = super().run_node(node)
        if node.op not in ("output", "placeholder"):
            self.flops[node.name] = counter.get_total_flops()
        return value


def counted(program):
    def meta(value):
        return torch.empty_strided(value.shape, value.stride(), dtype=value.dtype, device="meta")

    values = [pytree.tree_map_only(torch.Tensor, meta, node.meta["val"])
              for node in program.graph.nodes if node.op == "placeholder"]
    counts = Counts(program.graph_module)
    with torch.no_grad():
        counts.run(*values)
    return counts.flops


def difference(cli, program, folder):
    """Returns how many nodes were compared, and a description of those that differ."""
    path = folder / "model.pt2"
    torch.export.save(program, path)
    done = subprocess.run([cli, "costs", str(path), "--json"], capture_output=True, text=True)
    if done.returncode != 0:
        return 0, [done.stdout + done.stderr]
    nodes = json.loads(done.stdout)["nodes"]
    wanted = counted(program)
    shown = {node.name: f"{node.target} {[getattr(a.meta.get('val'), 'shape', a) for a in node.all_input_nodes]}"
             for node in program.graph.nodes}
    return len(wanted), [f"{name}: {nodes.get(name, {}).get('flops')}, torch {count}: {shown[name]}"
                         for name, count in wanted.items() if nodes.get(name, {"flops": 0}).get("flops") != count]


def main():
    cli, seeds = sys.argv[1], [int(seed) for seed in sys.argv[2:]] or range(4)
    models = {f"seed {seed}": random_calls(seed) for seed in seeds}
    models["regions"] = Regions(), (torch.randn(3, 4),)
    nodes, failed = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for name, (model, operands) in models.items():
            compared, wrong = difference(cli, torch.export.export(model, operands, strict=False), pathlib.Path(folder))
            nodes += compared
            failed += bool(wrong)
            for line in wrong[:10]:
                print(f"{name}: {line}")
    print(f"{nodes} nodes of {len(models)} programs, {failed} programs differ")
    sys.exit(bool(failed) or nodes < 100)


if __name__ == "__main__":
    main()
