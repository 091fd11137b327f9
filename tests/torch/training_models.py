"""Small trainable models in plain PyTorch, with inputs, for the test of training graphs."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Perceptron(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(*(nn.Sequential(nn.Linear(16, 16), nn.ReLU()) for _ in range(4)))
        self.head = nn.Linear(16, 3)

    def forward(self, x, wanted):
        return F.cross_entropy(self.head(self.layers(x)), wanted)


class Block(nn.Module):
    """Two convolutions with batch norms, whose buffers are written in a training step."""

    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.first = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.second = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.norms = nn.ModuleList(nn.BatchNorm2d(outputs) for _ in range(2))
        self.shortcut = None if inputs == outputs else nn.Conv2d(inputs, outputs, 1, stride, bias=False)

    def forward(self, x):
        beside = x if self.shortcut is None else self.shortcut(x)
        x = F.relu(self.norms[0](self.first(x)))
        return F.relu(self.norms[1](self.second(x)) + beside)


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(Block(3, 8, 1), Block(8, 8, 1), Block(8, 16, 2), Block(16, 32, 2))
        self.head = nn.Linear(32, 10)

    def forward(self, x, wanted):
        return F.cross_entropy(self.head(self.layers(x).mean((2, 3))), wanted)


class Attention(nn.Module):
    def __init__(self, width, dropout):
        super().__init__()
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))
        self.values, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask):
        query, key, value = self.values(self.norms[0](x)).chunk(3, -1)
        seen = (query @ key.transpose(-1, -2) / x.shape[-1] ** 0.5 + mask).softmax(-1) @ value
        x = x + self.dropout(self.out(seen))
        return x + self.dropout(self.down(F.gelu(self.up(self.norms[1](x)))))


class Language(nn.Module):
    """Its embedding is also its head, and it returns logits in addition to the loss."""

    def __init__(self, dropout=0.1):
        super().__init__()
        self.embedding = nn.Embedding(50, 32)
        self.register_buffer("mask", torch.full((8, 8), -1e9).triu(1))
        self.blocks = nn.ModuleList(Attention(32, dropout) for _ in range(4))
        self.norm = nn.LayerNorm(32)

    def forward(self, ids, wanted):
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, self.mask)
        logits = F.linear(self.norm(x), self.embedding.weight)
        return F.cross_entropy(logits.view(-1, 50), wanted.view(-1)), logits.detach()


def models():
    """Yields name, module in training mode, and its inputs."""
    torch.manual_seed(0)
    yield "perceptron", Perceptron().train(), (torch.randn(5, 16), torch.randint(0, 3, (5,)))
    yield "residual", Residual().train(), (torch.randn(2, 3, 16, 16), torch.randint(0, 10, (2,)))
    yield "language", Language().train(), (torch.randint(0, 50, (2, 8)), torch.randint(0, 50, (2, 8)))
