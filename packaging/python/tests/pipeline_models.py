"""Small models for the tests of parts: a decoder like Llama, whose mask and rotary tables skip stages."""

import torch
from torch import nn

VOCABULARY = 61
WIDTH = 16
HEADS = 2


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH, bias=False)
        self.out = nn.Linear(WIDTH, WIDTH, bias=False)

    def forward(self, x, mask, cos, sin):
        batch, length, _ = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        scores = rotated(q, cos, sin) @ rotated(k, cos, sin).transpose(-1, -2) + mask
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).reshape(batch, length, WIDTH))


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(WIDTH)
        self.attention = Attention()
        wide = 2 * WIDTH
        self.feed = nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, wide), nn.SiLU(), nn.Linear(wide, WIDTH))

    def forward(self, x, mask, cos, sin):
        x = x + self.attention(self.norm(x), mask, cos, sin)
        return x + self.feed(x)


class Decoder(nn.Module):
    """Keyword and nested inputs, an input that is None, tied weights, a buffer that counts calls, a dict of outputs."""

    def __init__(self, layers=4):
        super().__init__()
        self.embed = nn.Embedding(VOCABULARY, WIDTH)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))
        self.norm = nn.LayerNorm(WIDTH)
        self.head = nn.Linear(WIDTH, VOCABULARY, bias=False)
        self.head.weight = self.embed.weight
        self.register_buffer("frequencies", 1.0 / 100.0 ** torch.linspace(0, 1, WIDTH // HEADS // 2), persistent=False)
        self.register_buffer("calls", torch.zeros((), dtype=torch.int64))

    def forward(self, tokens, *, attention_mask, options, cache=None):
        batch, length = tokens.shape
        angles = torch.arange(length, device=tokens.device)[:, None] * self.frequencies
        angles = torch.cat([angles, angles], -1)
        cos, sin = angles.cos(), angles.sin()
        causal = torch.full((length, length), -1e9).triu(1)
        mask = causal + (1.0 - attention_mask.to(torch.float32))[:, None, None, :] * -1e9
        x = self.embed(tokens) * options["scale"]
        first = x
        for layer in self.layers:
            x = layer(x, mask, cos, sin)
        self.calls.add_(1)
        logits = self.head(self.norm(x) + options["bias"][0])
        return {"logits": logits, "states": (first, x), "cache": cache, "calls": self.calls.clone()}


def rotated(x, cos, sin):
    a, b = x.chunk(2, -1)
    return x * cos + torch.cat([-b, a], -1) * sin


def decoder_inputs(batch=2, length=6, seed=0):
    """Arguments and keyword arguments of a Decoder."""
    made = torch.Generator().manual_seed(seed)
    tokens = torch.randint(0, VOCABULARY, (batch, length), generator=made)
    mask = torch.ones(batch, length, dtype=torch.int64)
    mask[0, -1] = 0
    options = {"scale": torch.rand((), generator=made), "bias": [torch.randn(WIDTH, generator=made)]}
    return (tokens,), {"attention_mask": mask, "options": options, "cache": None}


def exported_decoder(layers=4):
    torch.manual_seed(0)
    args, kwargs = decoder_inputs()
    return torch.export.export(Decoder(layers), args, kwargs)


class Batched(nn.Module):
    """A model with dynamic batch size: sizes, a product of sizes, a mask, and rotary tables skip stages. The result has a view, an
    input, and a value twice; the head is tied to the embedding, and a buffer counts calls.
    """

    def __init__(self, layers):
        super().__init__()
        self.embed = nn.Embedding(VOCABULARY, WIDTH)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))
        self.gates = nn.ModuleList(nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.ReLU(inplace=True)) for _ in range(layers))
        self.head = nn.Linear(WIDTH, VOCABULARY, bias=False)
        self.head.weight = self.embed.weight
        self.register_buffer("frequencies", 1.0 / 100.0 ** torch.linspace(0, 1, WIDTH // HEADS // 2), persistent=False)
        self.register_buffer("calls", torch.zeros((), dtype=torch.int64))

    def forward(self, tokens, *, attention_mask):
        batch, length = tokens.shape
        rows = batch * length
        angles = torch.arange(length)[:, None] * self.frequencies
        angles = torch.cat([angles, angles], -1)
        cos, sin = angles.cos(), angles.sin()
        mask = torch.full((length, length), -1e9).triu(1) + (1.0 - attention_mask.to(torch.float32))[:, None, None, :] * -1e9
        x = first = self.embed(tokens)
        for layer, gate in zip(self.layers, self.gates):
            x = layer(x, mask, cos, sin)
            x = (x.reshape(rows, WIDTH) + gate(x).view(rows, WIDTH)).view(batch, length, WIDTH)
        self.calls.add_(1)
        return {"logits": self.head(x), "turned": x.transpose(1, 2), "states": [first, first], "mask": attention_mask}


def batched_inputs(batch, seed):
    """Arguments and keyword arguments of a Batched."""
    (tokens,), kwargs = decoder_inputs(batch, seed=seed)
    return (tokens,), {"attention_mask": kwargs["attention_mask"]}


def exported_batched(layers, batch, is_dynamic):
    torch.manual_seed(0)
    args, kwargs = batched_inputs(batch, 0)
    size = torch.export.Dim("batch", min=1, max=64)
    shapes = {"tokens": {0: size}, "attention_mask": {0: size}} if is_dynamic else None
    return torch.export.export(Batched(layers), args, kwargs, dynamic_shapes=shapes)
