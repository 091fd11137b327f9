"""Exports the sample models that Sunder includes, with tags for each: `python make_samples.py [FOLDER]`.

Needs PyTorch 2.9 or later. Writes NAME.pt2 (under 1 MB each) and NAME.tags.json into FOLDER, by default resources/samples of this
repository. Weights come from a fixed seed, so two runs of one PyTorch give equal models.
"""

import json
import pathlib
import re
import sys

import torch
from torch import nn
from torch.nn import functional as F

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.q_proj = nn.Linear(width, width, bias=False)
        self.k_proj = nn.Linear(width, width, bias=False)
        self.v_proj = nn.Linear(width, width, bias=False)
        self.o_proj = nn.Linear(width, width, bias=False)

    def split_heads(self, x):
        batch, length, width = x.shape
        return x.view(batch, length, self.heads, width // self.heads).transpose(1, 2)

    def forward(self, x, mask):
        q, k, v = (self.split_heads(p(x)) for p in (self.q_proj, self.k_proj, self.v_proj))
        scores = torch.matmul(q, k.transpose(-1, -2)) / q.shape[-1] ** 0.5 + mask
        mixed = torch.matmul(scores.softmax(-1), v).transpose(1, 2)
        return self.o_proj(mixed.reshape(x.shape))


class FeedForward(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)

    def forward(self, x):
        return self.down(F.gelu(self.up(x)))


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.attention_norm = nn.LayerNorm(width)
        self.attention = Attention(width, heads)
        self.feed_forward_norm = nn.LayerNorm(width)
        self.feed_forward = FeedForward(width)

    def forward(self, x, mask):
        x = x + self.attention(self.attention_norm(x), mask)
        return x + self.feed_forward(self.feed_forward_norm(x))


class Transformer(nn.Module):
    """A small causal transformer with tied token embedding and head."""

    def __init__(self, words=96, width=32, heads=4, blocks=6, length=32):
        super().__init__()
        self.tokens = nn.Embedding(words, width)
        self.positions = nn.Embedding(length, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(blocks))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, words, bias=False)
        self.head.weight = self.tokens.weight

    def forward(self, tokens):
        length = tokens.shape[1]
        at = torch.arange(length, device=tokens.device)
        mask = torch.full((length, length), float("-inf")).triu(1)
        x = self.tokens(tokens) + self.positions(at)
        for block in self.blocks:
            x = block(x, mask)
        return self.head(self.norm(x))


class ResidualBlock(nn.Module):
    def __init__(self, inner, outer, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inner, outer, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outer)
        self.conv2 = nn.Conv2d(outer, outer, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outer)
        self.shortcut = nn.Conv2d(inner, outer, 1, stride, bias=False) if inner != outer or stride != 1 else nn.Identity()

    def forward(self, x):
        y = self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x)))))
        return F.relu(y + self.shortcut(x))


class ResidualCnn(nn.Module):
    """A residual image classifier in four stages."""

    def __init__(self, widths=(8, 16, 32, 48), classes=10):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, widths[0], 3, padding=1, bias=False), nn.BatchNorm2d(widths[0]), nn.ReLU())
        inner, stages = widths[0], []
        for i, outer in enumerate(widths):
            stages.append(nn.Sequential(ResidualBlock(inner, outer, 1 if i == 0 else 2), ResidualBlock(outer, outer, 1)))
            inner = outer
        self.stages = nn.ModuleList(stages)
        self.classifier = nn.Linear(inner, classes)

    def forward(self, image):
        x = self.stem(image)
        for stage in self.stages:
            x = stage(x)
        return self.classifier(F.adaptive_avg_pool2d(x, 1).flatten(1))


class DoubleConv(nn.Module):
    def __init__(self, inner, outer):
        super().__init__()
        self.first = nn.Conv2d(inner, outer, 3, padding=1)
        self.norm = nn.GroupNorm(4, outer)
        self.second = nn.Conv2d(outer, outer, 3, padding=1)

    def forward(self, x):
        return F.silu(self.second(F.silu(self.norm(self.first(x)))))


class UNet(nn.Module):
    """An encoder and a decoder with a skip connection at each level."""

    def __init__(self, widths=(8, 16, 32), classes=4):
        super().__init__()
        self.down = nn.ModuleList(DoubleConv(a, b) for a, b in zip((3, *widths), widths))
        self.middle = DoubleConv(widths[-1], 2 * widths[-1])
        above = (*widths[1:], 2 * widths[-1])
        self.up = nn.ModuleList(DoubleConv(a + b, b) for a, b in reversed(list(zip(above, widths))))
        self.out = nn.Conv2d(widths[0], classes, 1)

    def forward(self, image):
        x, skips = image, []
        for block in self.down:
            x = block(x)
            skips.append(x)
            x = F.max_pool2d(x, 2)
        x = self.middle(x)
        for block in self.up:
            x = F.interpolate(x, scale_factor=2.0, mode="nearest")
            x = block(torch.cat([x, skips.pop()], 1))
        return self.out(x)


def module_of(node):
    """Path of the innermost module that a node comes from."""
    stack = node.meta.get("nn_module_stack") or {}
    return list(stack.values())[-1][0] if stack else ""


def tags_by_module(program, order, tag_of_path):
    """Returns tags in execution order. A node gets the tag of its module, or else of the previous node."""
    tags, current = {}, order[0]
    for node in program.graph.nodes:
        if not node.op.startswith("call_"):
            continue
        wanted = tag_of_path(module_of(node))
        if wanted is not None and order.index(wanted) >= order.index(current):
            current = wanted
        tags[node.name] = current
    return {"order": order, "tags": tags}


def without_places(program):
    """Shortens file names in stack traces to import paths, without folders of the exporting machine."""
    for node in program.graph.nodes:
        if trace := node.meta.get("stack_trace"):
            node.meta["stack_trace"] = re.sub(r'File "[^"]*?/(?:site-packages/)?(torch/[^"]*|[^"/]*)"', r'File "\1"', trace)
    return program


def transformer():
    def tag(path):
        if path.startswith("blocks."):
            return "lower" if int(path.split(".")[1]) < 3 else "upper"
        return {"tokens": "embed", "positions": "embed", "norm": "head", "head": "head"}.get(path)

    return Transformer(), (torch.randint(0, 96, (2, 16)),), ["embed", "lower", "upper", "head"], tag


def residual_cnn():
    def tag(path):
        if path.startswith("stages."):
            return "early" if int(path.split(".")[1]) < 2 else "late"
        return "head" if path == "classifier" else None

    return ResidualCnn(), (torch.randn(2, 3, 32, 32),), ["early", "late", "head"], tag


def unet():
    def tag(path):
        return {"down": "encoder", "middle": "middle", "up": "decoder", "out": "decoder"}.get(path.split(".")[0])

    return UNet(), (torch.randn(1, 3, 32, 32),), ["encoder", "middle", "decoder"], tag


def main(argv):
    folder = pathlib.Path(argv[1]) if len(argv) > 1 else ROOT / "resources" / "samples"
    folder.mkdir(parents=True, exist_ok=True)
    for make in (transformer, residual_cnn, unet):
        torch.manual_seed(0)
        model, inputs, order, tag = make()
        program = without_places(torch.export.export(model.eval(), inputs))
        path = folder / f"{make.__name__}.pt2"
        torch.export.save(program, path)
        tags = tags_by_module(program, order, tag)
        (folder / f"{make.__name__}.tags.json").write_text(json.dumps(tags, indent=1) + "\n", encoding="utf-8")
        calls = len(tags["tags"])
        print(f"{path.name}: {path.stat().st_size:,} bytes, {calls} calls in {len(order)} tags")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
