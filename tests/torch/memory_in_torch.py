#!/usr/bin/env python3
"""memory_in_torch.py SUNDER_CLI [SEED...]: compares `sunder-cli memory` with PyTorch, for whole programs and for each exported part.

Resident memory and peak: torch._inductor.fx_passes.memory_estimator over values that share memory as in a run. The programs are
random chains of calls whose results are views, copies, tuples, in-place results, or unused."""
import json
import pathlib
import random
import subprocess
import sys
import tempfile

from torch_test import status_elsewhere

if __name__ == "__main__" and (status := status_elsewhere(sys.argv)) is not None:
    sys.exit(status)

import torch
import torch._inductor.fx_passes.memory_estimator as estimator
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils import _pytree as pytree

estimator.device_filter = lambda device: True
NO_CALLS = ("placeholder", "get_attr")

STEPS = {
    "relu": lambda self, x: x.relu(),
    "add_": lambda self, x: (x + 1).add_(2),
    "product": lambda self, x: x * x.sigmoid(),
    "linear": lambda self, x: self.linear(x),
    "tied": lambda self, x: x @ self.linear.weight.t() + self.offset,
    "normal": lambda self, x: self.norm(x),
    "permuted copy": lambda self, x: x.permute(1, 0, 2).reshape(x.shape[0], x.shape[1], -1),
    "reshaped view": lambda self, x: x.reshape(-1, 8).reshape(x.shape),
    "contiguous view": lambda self, x: x.contiguous() * 2,
    "contiguous copy": lambda self, x: x.transpose(0, 1).contiguous().transpose(0, 1),
    "flatten": lambda self, x: x.flatten(0, 1).unflatten(0, x.shape[:2]),
    "flattened copy": lambda self, x: x.transpose(1, 2).flatten(1).view(x.shape),
    "same type": lambda self, x: x.to(torch.float32) - 1,
    "other type": lambda self, x: x.to(torch.float64).float(),
    "dropout": lambda self, x: torch.nn.functional.dropout(x, 0.5, training=False).neg(),
    "halves": lambda self, x: torch.cat(x.chunk(2, -1)[::-1], -1),
    "split": lambda self, x: x + x.split([3, 5], -1)[0].sum(),
    "largest": lambda self, x: x + torch.topk(x, 2, dim=-1)[0].sum(),
    "statistics": lambda self, x: x - torch.var_mean(x, dim=-1, keepdim=True)[1],
    "expanded": lambda self, x: x + x[:1].expand(*x.shape),
    "unused": lambda self, x: (x.exp(), x.cos())[1],
    "unread": lambda self, x: x.neg() if torch.max(x, dim=0) else x,
    "strided": lambda self, x: x[..., ::2].repeat(1, 1, 2),
    "buffer": lambda self, x: x + self.table[:, :1],
}


class Chain(torch.nn.Module):
    def __init__(self, steps):
        super().__init__()
        self.steps = steps
        self.linear = torch.nn.Linear(8, 8)
        self.norm = torch.nn.LayerNorm(8)
        self.register_buffer("table", torch.randn(4, 4, 8).transpose(0, 1))
        self.register_buffer("unread", torch.zeros(7))
        self.offset = torch.nn.Parameter(torch.randn(1, 8))

    def forward(self, x, unread):
        earlier = [x]
        for name, at in self.steps:
            earlier.append(STEPS[name](self, earlier[-1] if at else earlier[len(earlier) // 2]))
        return earlier[-1], earlier[1].sum()


class Convolutions(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(
            torch.nn.Conv2d(3, 8, 3), torch.nn.BatchNorm2d(8), torch.nn.ReLU(inplace=True),
            torch.nn.MaxPool2d(2, return_indices=False), torch.nn.GroupNorm(2, 8), torch.nn.Flatten(), torch.nn.Linear(72, 5))

    def forward(self, x):
        return self.layers(x)


def models(seeds):
    for seed in seeds:
        draw = random.Random(seed)
        steps = [(draw.choice(list(STEPS)), draw.random() < 0.7) for _ in range(24)]
        yield f"seed {seed}", Chain(steps), (torch.randn(4, 4, 8), torch.randn(3))
    yield "every step", Chain([(name, True) for name in STEPS]), (torch.randn(4, 4, 8), torch.randn(3))
    yield "convolutions", Convolutions().eval(), (torch.randn(2, 3, 8, 8),)
    block = torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True).eval()
    yield "attention", block, (torch.randn(2, 5, 8),)


def with_values(path):
    """Returns the graph of a program with values in meta["val"] that share memory as in a run."""
    program = torch.export.load(path)
    stored = program.state_dict | program.constants
    targets = [spec.target for spec in program.graph_signature.input_specs]
    mode = FakeTensorMode(allow_non_fake_inputs=True)
    with mode, torch.no_grad():
        placeholders = [node for node in program.graph.nodes if node.op == "placeholder"]
        values = [stored.get(target, node.meta.get("val")) for node, target in zip(placeholders, targets)]
        values = [torch.empty_strided(value.shape, value.stride(), dtype=value.dtype)
                  if isinstance(value, torch.Tensor) and target not in stored else value for value, target in zip(values, targets)]
        values = pytree.tree_map_only(torch.Tensor, lambda value: mode.from_tensor(value, static_shapes=True), values)

        class Keep(torch.fx.Interpreter):
            def run_node(self, node):
                node.meta["val"] = super().run_node(node)
                return node.meta["val"]

        Keep(program.graph_module).run(*values)
    return program.graph


def peak(path):
    profile = estimator.build_memory_profile(with_values(path), lambda node: node.op not in NO_CALLS)
    return profile[0], max(profile)


def run(cli, *args):
    done = subprocess.run([cli, *map(str, args), "--json"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def figures(cli, program, folder):
    """Yields the name of each part with its figures and those of PyTorch."""
    path, tags, parts = folder / "model.pt2", folder / "tags.json", folder / "parts"
    torch.export.save(program, path)
    for part in run(cli, "memory", path)["parts"]:
        yield "whole model", part, peak(path)
    run(cli, "tag", path, "--stages", 3, "-o", tags)
    run(cli, "split", path, "--tags", tags, "-o", folder / "split.fxj", "--parts", parts)
    for part in run(cli, "memory", path, "--tags", tags)["parts"]:
        yield part["name"], part, peak(parts / f"{part['name']}.pt2")


def main():
    cli, seeds = sys.argv[1], [int(seed) for seed in sys.argv[2:]] or range(6)
    compared = failed = 0
    for name, model, inputs in models(seeds):
        program = torch.export.export(model, inputs, strict=False)
        with tempfile.TemporaryDirectory() as folder:
            for what, part, wanted in figures(cli, program, pathlib.Path(folder)):
                compared += 1
                if (part["resident"], part["peak"]) != wanted:
                    failed += 1
                    print(f"{name}, {what}: {part['resident']}, {part['peak']} at {part['peak_node']}; torch {wanted}")
    print(f"{compared} programs and parts, {failed} differ")
    sys.exit(bool(failed) or compared < 12)


if __name__ == "__main__":
    main()
