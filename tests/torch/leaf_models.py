"""Plain torch.fx models whose leaf modules write in place, draw random numbers, or keep state, cut by PyTorch and by
sunder-cli. Cuts that sunder-cli proves must be equivalent in PyTorch with real calls of the leaf modules."""

import collections
import copy
import json
import random
import subprocess

MODELS = 80
CUTS = 4  # of each model


def scribble_class(torch):
    class Scribble(torch.nn.Module):
        """A leaf of an unknown class: writes to its input and returns it."""

        def forward(self, x):
            return x.mul_(2.0)

    return Scribble


class ModelMaker:
    """A graph of calls of leaf modules and functions on tensors of one shape."""

    def __init__(self, torch, seed):
        self.torch, self.rng = torch, random.Random(seed)
        nn = torch.nn
        flag = lambda: self.rng.random() < 0.5  # noqa: E731
        torch.manual_seed(seed)
        leaves = {"linear": nn.Linear(4, 4), "norm": nn.LayerNorm(4), "relu": nn.ReLU(inplace=flag()),
                  "act": nn.Hardtanh(-0.5, 0.5, inplace=flag()), "silu": nn.SiLU(inplace=flag()),
                  "drop": nn.Dropout(0.5, inplace=flag()), "bn": nn.BatchNorm1d(4), "same": nn.Identity(),
                  "flat": nn.Flatten(), "rrelu": nn.RReLU(inplace=flag()), "softmax": nn.Softmax(dim=self.rng.choice((0, 1)))}
        if self.rng.random() < 0.2:
            leaves["scribble"] = scribble_class(torch)()
        self.root = nn.Module()
        for name in self.rng.sample(sorted(leaves), self.rng.randint(3, 6)):
            self.root.add_module(name, leaves[name].train(flag()))
        self.graph = torch.fx.Graph()
        self.values = [self.graph.placeholder("x")]

    def make(self):
        torch, rng = self.torch, self.rng
        names = [name for name, _ in self.root.named_children()]
        for _ in range(rng.randint(3, 8)):
            kind = rng.random()
            value = rng.choice(self.values[-3:])
            if kind < 0.55:
                node = self.graph.call_module(rng.choice(names), (value,))
            elif kind < 0.85:
                function = rng.choice((torch.sin, torch.relu, torch.ops.aten.neg.default, torch.add))
                node = self.graph.call_function(function, (value, rng.choice(self.values)) if function is torch.add else (value,))
            elif kind < 0.92:
                node = self.graph.call_method("mul_", (value, 0.5))
            elif "bn" in names:
                node = self.graph.call_function(torch.add, (value, self.graph.get_attr("bn.running_mean")))
            else:
                continue
            self.values.append(node)
        chosen = rng.sample(self.values, min(len(self.values), rng.randint(1, 3)))
        self.graph.output(tuple([self.values[-1], *chosen]))
        return torch.fx.GraphModule(self.root, self.graph)


def computed(torch, model):
    """Returns the outputs, then the contents of the input and the buffers."""
    model = copy.deepcopy(model)
    torch.manual_seed(3)
    x = torch.randn(3, 4)
    with torch.no_grad():
        outputs = model(x)
    return [*outputs, x, torch.get_rng_state(), *(b for _, b in sorted(model.named_buffers(), key=lambda pair: pair[0].split(".")[-1]))]


def equal(torch, first, second):
    return len(first) == len(second) and all(torch.equal(a, b) for a, b in zip(first, second))


def cut_by_torch(torch, model, parts):
    from torch.fx.passes.split_module import split_module
    model = copy.deepcopy(model)
    return split_module(model, model, lambda node: parts[node.name], keep_original_order=False)


def cut_by_sunder(cli, folder, parts, with_attributes):
    """Returns the verdict on the cut, or None if it is refused."""
    (folder / "parts.json").write_text(json.dumps(parts))
    run = subprocess.run([cli, "split-module", str(folder / f"model{int(with_attributes)}.fxj"), "--partitions",
                          str(folder / "parts.json"), "-o", str(folder / "out.fxj"), "--json"], capture_output=True, text=True)
    if run.returncode not in (0, 1):
        return None, run.stdout + run.stderr
    said = json.loads(run.stdout)
    return said.get("verified") is True, json.dumps(said)[:600]


def random_parts(model, rng):
    count = rng.randint(2, 3)
    return {node.name: rng.randrange(count) for node in model.graph.nodes if node.op not in ("placeholder", "output")}


def check(torch, fx_json, cli, folder):
    counts = collections.Counter()
    failed = False
    for seed in range(MODELS):
        model = ModelMaker(torch, seed).make()
        for with_attributes in (True, False):
            fx_json.write(model, folder / f"model{int(with_attributes)}.fxj", with_attributes)
        expected = computed(torch, model)
        rng = random.Random(seed)
        for _ in range(CUTS):
            parts = random_parts(model, rng)
            try:
                cut = cut_by_torch(torch, model, parts)
            except (RuntimeError, ValueError):
                counts["refused by PyTorch"] += 1
                continue
            same = equal(torch, expected, computed(torch, cut))
            for with_attributes in (True, False):
                verified, said = cut_by_sunder(cli, folder, parts, with_attributes)
                kind = "with attributes" if with_attributes else "without"
                if verified is None:
                    counts[f"{kind}: refused"] += 1
                    continue
                counts[f"{kind}: {'the same' if same else 'not the same'}, {'proven' if verified else 'not proven'}"] += 1
                if verified and not same:
                    failed = True
                    print(f"model {seed}, {kind}: proven, but PyTorch computes a different result\n{model.graph}\n{parts}\n{said}")
    for what, count in sorted(counts.items()):
        print(f"{count:5} {what}")
    return failed
