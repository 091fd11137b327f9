"""Checks that parts run at every size, for all kinds of sizes on their boundaries: `boundary_sizes_in_torch.py SUNDER_CLI [NAME
…]`

Exports small models whose values have sizes of every kind of expression, and resnet50 with dynamic height and width. Cuts each at
up to eight places (resnet50 in 2 and 5 stages), exports the parts with sunder-cli, runs them in PyTorch in the manifest's order
at several sizes, and compares every element of every output. Exit 77 (skipped) without SUNDER_TORCH_PYTHON.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import time

from torch_test import status_elsewhere

if __name__ == "__main__":
    status = status_elsewhere(sys.argv)
    if status is not None:
        sys.exit(status)

import torch
from torch import nn
from torch.export import Dim
from torch.nn import functional as F

from parts_run_in_torch import flat, load_parts, run_loaded, same


class Bottleneck(nn.Module):
    """A block of resnet50: He et al., Deep Residual Learning for Image Recognition, 2015; strides as in torchvision."""

    def __init__(self, inside, width, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inside, width, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, stride, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.conv3 = nn.Conv2d(width, 4 * width, 1, bias=False)
        self.bn3 = nn.BatchNorm2d(4 * width)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = None
        if stride != 1 or inside != 4 * width:
            self.downsample = nn.Sequential(nn.Conv2d(inside, 4 * width, 1, stride, bias=False), nn.BatchNorm2d(4 * width))

    def forward(self, x):
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.relu(self.bn2(self.conv2(y)))
        y = self.bn3(self.conv3(y))
        return self.relu(y + (x if self.downsample is None else self.downsample(x)))


class ResNet50(nn.Module):
    def __init__(self, narrow=1):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64 // narrow, 7, 2, 3, bias=False)
        self.bn1 = nn.BatchNorm2d(64 // narrow)
        self.relu = nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(3, 2, 1)
        layers, inside = [], 64 // narrow
        for width, blocks, stride in ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)):
            width //= narrow
            for i in range(blocks):
                layers.append(Bottleneck(inside, width, stride if i == 0 else 1))
                inside = 4 * width
        self.layers = nn.Sequential(*layers)
        self.fc = nn.Linear(inside, 1000 // narrow)

    def forward(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layers(x)
        return self.fc(torch.flatten(F.adaptive_avg_pool2d(x, 1), 1))


class Call(nn.Module):
    """A function as a module with one or two layers."""

    def __init__(self, function):
        super().__init__()
        self.function = function
        self.lin = nn.Linear(4, 4)
        self.conv = nn.Conv2d(3, 3, 3, 2, 1)

    def forward(self, *args):
        return self.function(self, *args)


def strided(m, x):
    x = m.conv(x).relu()
    x = m.conv(x).relu()
    y = m.conv(x)
    return m.conv(y).relu() + 1, x * 2, y.flatten(2).sin()


def two_sizes_of_one(m, x):
    a = m.conv(x)
    b = m.conv(a)
    c = F.max_pool2d(a, 3, 2, 1).exp()
    return (b + c).sin(), a.cos()


def halves(m, x):
    y = x[: x.shape[0] // 2].relu()
    z = m.lin(y)
    return z.flatten() + 1, z.sum(0)


def square(m, x):
    y = x[:, None, :] * x[None, :, :]
    z = y.reshape(-1, 4).relu()
    return m.lin(z).sin(), z.view(x.shape[0], x.shape[0], 4).sum(0)


def remainder(m, x):
    y = x.new_ones(x.shape[0] % 7 + 2, 4).relu()
    return m.lin(y).sin() + 1, y.flatten().cos()


def larger(m, x, y):
    z = x.new_ones(torch.sym_max(x.shape[0], y.shape[0]), 4)
    w = z[: torch.sym_min(x.shape[0], y.shape[0])].relu()
    return m.lin(z).sin(), m.lin(w).flatten().cos()


def products(m, x, y):
    z = (x[:, None] * y[None]).reshape(-1, 4)
    w = torch.cat([z, x]).relu()
    return m.lin(z).sin(), m.lin(w).flatten().cos()


def sums(m, x, y):
    z = torch.cat([x, y]).relu()
    w = torch.cat([z, x]).sin()
    return m.lin(z).cos(), m.lin(w).flatten()


def doubled(m, x):
    y = F.interpolate(m.conv(x), scale_factor=2.0)
    z = y.relu().flatten(2)
    return z.sin(), m.conv(y)


def scaled(m, x):
    y = F.interpolate(x, scale_factor=1.5).relu()
    return m.conv(y).sin(), y.sum(1)


def shifted(m, x):
    y = torch.cat([x, x[:1]]).relu()
    z = m.lin(y[:-3]).sin()
    return z.flatten() + 1, y.cos()


def numbers(m, x):
    n = x.shape[0] // 2
    y = x.relu()
    z = y[:n].sin()
    w = torch.arange(n * n + 1).float() + n
    return m.lin(z), w.cos(), z.new_zeros(n, 2).exp()


def checked(m, x):
    y = x[: x.shape[0] // 2].relu()
    z = y[::2].sin()
    torch._check(z.shape[0] >= 1)
    return m.lin(z) * z.shape[0], y.reshape(-1).cos()


def branches(m, x):
    y = x[: x.shape[0] // 2].relu()
    z = torch.cond(y.sum() > 1, lambda a: a[1:].sin(), lambda a: a[1:].cos(), (y,))
    return m.lin(z), y.flatten()


def counted(m, x):
    rows = torch.nonzero(x[:, 0] > 0)[:, 0]
    y = x[rows].relu()
    z = torch.cat([y, y]).sin()
    return m.lin(z), y.flatten().cos()


def transposed(m, x):
    y = m.conv(x).transpose(2, 3)[:, :, 1:, ::2].relu_()
    return y.sin(), y.contiguous().flatten(1).cos()


def quotients(m, x, y):
    z = torch.cat([x[: x.shape[0] // 2], y[: y.shape[0] // 3]]).relu()
    w = x[: 4 * (x.shape[0] // 4)].sin()
    v = w.view(4, -1).cos()
    return m.lin(z), w.flatten(), v.sum(0)


ROWS = [(lambda n: (torch.randn(n, 4),), (8, 9, 15, 40, 127))]
PAIRS = [(lambda n: (torch.randn(n, 4), torch.randn(2 * n // 3 + 3, 4)), (8, 9, 20, 31)),
         (lambda n: (torch.randn(n, 4), torch.randn(3 * n, 4)), (8, 13))]
IMAGES = [(lambda n: (torch.randn(2, 3, n, n + 9),), (40, 41, 64, 95))]
AUTO = Dim.AUTO
SMALL = {
    "strided": (strided, IMAGES, ({2: AUTO, 3: AUTO},)),
    "two_sizes_of_one": (two_sizes_of_one, IMAGES, ({2: AUTO, 3: AUTO},)),
    "doubled": (doubled, IMAGES, ({2: AUTO, 3: AUTO},)),
    "scaled": (scaled, IMAGES, ({2: AUTO, 3: AUTO},)),
    "transposed": (transposed, IMAGES, ({2: AUTO, 3: AUTO},)),
    "halves": (halves, ROWS, ({0: AUTO},)),
    "square": (square, ROWS, ({0: AUTO},)),
    "remainder": (remainder, ROWS, ({0: AUTO},)),
    "shifted": (shifted, ROWS, ({0: AUTO},)),
    "numbers": (numbers, ROWS, ({0: AUTO},)),
    "checked": (checked, ROWS, ({0: AUTO},)),
    "branches": (branches, ROWS, ({0: AUTO},)),
    "counted": (counted, ROWS, ({0: AUTO},)),
    "larger": (larger, PAIRS, ({0: AUTO}, {0: AUTO})),
    "products": (products, PAIRS, ({0: AUTO}, {0: AUTO})),
    "sums": (sums, PAIRS, ({0: AUTO}, {0: AUTO})),
    "quotients": (quotients, PAIRS, ({0: AUTO}, {0: AUTO})),
}


def cuts(cli, model, folder, stages):
    """Returns tags files: equal stages on request, otherwise the first K calls and the rest, for several K."""
    for count in stages or ("2",):
        tags = folder / f"stages{count}.json"
        subprocess.run([cli, "tag", model, "--stages", count, "-o", tags, "--quiet"], check=True)
        if stages:
            yield tags
    if stages:
        return
    made = json.loads((folder / "stages2.json").read_text())
    names = list(made["tags"])
    for k in range(1, len(names), 1 + len(names) // 8):
        tags = folder / f"first{k}.json"
        tags.write_text(json.dumps({"order": ["a", "b"], "tags": {n: "a" if i < k else "b" for i, n in enumerate(names)}}))
        yield tags


def check(cli, name, module, makers, dynamic, stages, scratch):
    torch.manual_seed(0)
    module.eval()
    make, sizes = makers[0]
    program = torch.export.export(module, make(sizes[0]), dynamic_shapes=dynamic)
    model = scratch / f"{name}.pt2"
    torch.export.save(program, model)
    whole = program.module()
    cases = []
    for make, sizes in makers:
        for size in sizes:
            inputs = make(size)
            cases.append((size, inputs, flat(whole(*[x.clone() for x in inputs]))))
    failures = tried = refused = 0
    for tags in cuts(cli, model, scratch, stages):
        parts = scratch / f"{name}-{tags.stem}"
        done = subprocess.run([cli, "split", model, "--tags", tags, "--parts", parts], capture_output=True, text=True)
        if done.returncode != 0:
            refused += 1
            if "not proven" in done.stderr or stages:
                print(f"{name}, {tags.stem}: {done.stderr.strip()}")
                failures += 1
            continue
        tried += 1
        manifest, programs = load_parts(parts)
        for size, inputs, wanted in cases:
            try:
                actual = run_loaded(manifest, programs, [x.clone() for x in inputs])
                equal = len(actual) == len(wanted) and all(same(a, w) for a, w in zip(actual, wanted))
                why = "DIFFERENT"
            except Exception as e:  # noqa: BLE001 - any error of PyTorch is a failure
                equal, why = False, f"{type(e).__name__}: {str(e)[:200]}"
            if not equal:
                print(f"{name}, {tags.stem}, {size}: {why}")
                failures += 1
    print(f"{name}: {tried} cuts at {len(cases)} sizes, {refused} cuts refused, {failures} failures", flush=True)
    return failures + (tried == 0)


def main(argv):
    chosen = argv[2:] or [*SMALL, "resnet50"]
    began = time.monotonic()
    failures = 0
    with tempfile.TemporaryDirectory() as scratch, torch.no_grad():
        for name in chosen:
            if name == "resnet50":
                module, stages = ResNet50(narrow=4), ("2", "5")
                makers = [(lambda n: (torch.randn(2, 3, n, n + 33),), (64, 65, 95, 224)),
                          (lambda n: (torch.randn(2, 3, 3 * n, n),), (77,))]
                dynamic = ({2: Dim("height", min=40, max=1024), 3: Dim("width", min=40, max=1024)},)
            else:
                function, makers, dynamic = SMALL[name]
                module, stages, dynamic = Call(function), None, (dynamic,)
            failures += check(argv[1], name, module, makers, dynamic, stages, pathlib.Path(scratch))
    print(f"{len(chosen)} models, {failures} failures, {time.monotonic() - began:.0f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
