"""The part of releases_in_torch.py that runs in other releases of PyTorch, from 2.5 on. Needs no other file of the tests.

`release_worker.py export FOLDER`: exports the models below and prints the names of those that this release exports.
`release_worker.py check WHOLE.pt2 PARTS`: runs both on the example inputs of the whole and compares every element."""
import json
import logging
import pathlib
import sys
import warnings

import torch
from torch import nn
from torch.utils import _pytree as pytree


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inner = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width)

    def forward(self, x, mask=None):
        batch, length, width = x.shape
        heads = self.inner(x).view(batch, length, 4, width // 4).transpose(1, 2)
        mixed = nn.functional.scaled_dot_product_attention(heads, heads, heads, attn_mask=mask)
        return self.norm(x + mixed.transpose(1, 2).reshape(batch, length, width))


class Texts(nn.Module):
    """Tied weights, a keyword, a dict of outputs."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(11, 16)
        self.blocks = nn.ModuleList([Block(16) for _ in range(3)])
        self.head = nn.Linear(16, 11, bias=False)
        self.head.weight = self.embed.weight

    def forward(self, ids, mask=None):
        x = self.embed(ids)
        for block in self.blocks:
            x = block(x, mask)
        return {"logits": self.head(x), "last": x}


class Pictures(nn.Module):
    """Several results, infinities, a non-persistent buffer, None among the outputs."""

    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(3, 8, 3, padding=1)
        self.norm = nn.BatchNorm2d(8)
        self.second = nn.Conv2d(8, 8, 3)
        self.register_buffer("scale", torch.full((1,), 1.5), persistent=False)

    def forward(self, x):
        y = torch.relu(self.norm(self.first(x)))
        front, back = y.split(4, 1)
        most, where = torch.max(y, 1)
        z = self.second(torch.cat([back, front], 1)) * self.scale
        return z.masked_fill(z < float("-inf"), float("inf")), where, (most, None)


class Branches(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 4)

    def forward(self, x):
        y = self.inner(x)
        return torch.cond(y.sum() > 0, lambda t: t.sin(), lambda t: t.cos(), (y,)) + 1


class Sizes(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x):
        return self.b(torch.relu(self.a(x)) + 1)


def cases():
    rows = {0: torch.export.Dim("rows", min=1, max=64)}
    ids = torch.randint(0, 11, (2, 5))
    yield "texts", Texts(), (ids,), {"mask": torch.ones(5, 5, dtype=torch.bool)}, None
    yield "pictures", Pictures().eval(), (torch.randn(2, 3, 6, 6),), {}, None
    yield "learning", Pictures().train(), (torch.randn(2, 3, 6, 6),), {}, None
    yield "branches", Branches(), (torch.randn(3, 4),), {}, None
    yield "sizes", Sizes(), (torch.randn(3, 4),), {}, {"x": rows}


def export(folder):
    torch.manual_seed(0)
    for name, model, args, kwargs, sizes in cases():
        program = torch.export.export(model, args, kwargs, dynamic_shapes=sizes)
        torch.export.save(program, pathlib.Path(folder) / f"{name}.pt2")
        print(name)


def same(a, b):
    if not isinstance(b, torch.Tensor):
        return type(a) is type(b) and a == b
    return isinstance(a, torch.Tensor) and a.dtype == b.dtype and a.shape == b.shape and \
        torch.equal(a.nan_to_num(), b.nan_to_num())


def check(whole, folder):
    folder = pathlib.Path(folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    program = torch.export.load(whole)
    args, kwargs = program.example_inputs
    values = dict(zip((value["name"] for value in manifest["inputs"]), pytree.tree_leaves((args, kwargs))))
    for part in manifest["parts"]:
        run = torch.export.load(folder / part["file"]).module()
        values.update(zip((value["name"] for value in part["outputs"]),
                          run(*(values[value["name"]] for value in part["inputs"]))))
    found = [value["literal"] if "literal" in value else values[value["name"]] for value in manifest["outputs"]]
    wanted = pytree.tree_leaves(program.module()(*args, **kwargs))
    if len(found) != len(wanted) or not all(map(same, found, wanted)):
        sys.exit("the parts compute different results")


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    logging.disable(logging.ERROR)
    {"export": export, "check": check}[sys.argv[1]](*sys.argv[2:])
