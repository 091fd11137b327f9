"""Exports a small model as model.pt2, before or after a change: export.py main|branch MODEL.pt2

The change adds `adapter`, removes `gate`, renames `neck` to `bridge`, and widens the second block. The .fxj files here are these
exports without weights: `sunder-cli convert MODEL.pt2 main.fxj`.
"""
import sys

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, hidden)
        self.down = nn.Linear(hidden, width)

    def forward(self, x):
        return x + self.down(torch.relu(self.up(self.norm(x))))


class Gate(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.score = nn.Linear(width, 1)

    def forward(self, x):
        return x * torch.sigmoid(self.score(x))


class Model(nn.Module):
    def __init__(self, changed, width=256):
        super().__init__()
        self.stem = nn.Linear(64, width)
        self.blocks = nn.ModuleList(Block(width, hidden) for hidden in (512, 2048 if changed else 512, 768, 1024))
        if changed:
            self.adapter = nn.Sequential(nn.Linear(width, 32), nn.GELU(), nn.Linear(32, width))
            self.bridge = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.Tanh())
        else:
            self.gate = Gate(width)
            self.neck = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.Tanh())
        self.changed = changed
        self.head = nn.Linear(width, 10)

    def forward(self, x):
        x = self.stem(x)
        for block in self.blocks[:2]:
            x = block(x)
        x = x + self.adapter(x) if self.changed else self.gate(x)
        for block in self.blocks[2:]:
            x = block(x)
        return self.head(self.bridge(x) if self.changed else self.neck(x))


if __name__ == "__main__":
    torch.manual_seed(0)
    model = Model(changed=sys.argv[1] == "branch").eval()
    torch.export.save(torch.export.export(model, (torch.randn(512, 64),)), sys.argv[2])
