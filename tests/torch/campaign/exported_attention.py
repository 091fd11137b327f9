"""Exported programs around attention: decoders with a cache, encoder and decoder, position encodings, masks."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from programs import exported


def heads(x, count):
    return x.view(x.size(0), x.size(1), count, -1).transpose(1, 2)


class Decoder(nn.Module):
    """One step of a decoder that keeps keys and values in buffers."""

    def __init__(self):
        super().__init__()
        self.qkv, self.out = nn.Linear(8, 24), nn.Linear(8, 8)
        self.norm = nn.LayerNorm(8)
        self.register_buffer("keys", torch.zeros(2, 2, 5, 4))
        self.register_buffer("values", torch.zeros(2, 2, 5, 4))

    def forward(self, x, position):
        q, k, v = (heads(part, 2) for part in self.qkv(self.norm(x)).split(8, dim=-1))
        self.keys.index_copy_(2, position, k)
        self.values.index_copy_(2, position, v)
        mask = torch.arange(5)[None, :] <= position[:, None]
        y = F.scaled_dot_product_attention(q, self.keys, self.values, attn_mask=mask)
        return x + self.out(y.transpose(1, 2).reshape(2, 1, 8)), self.keys[:, :, :2]


@exported("decoder_cache", lambda draw: (draw.floats(2, 1, 8).detach(), draw.ints(0, 5, 1)))
def decoder_cache():
    return Decoder()


class EncoderDecoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(9, 8)
        self.encoder, self.cross = nn.MultiheadAttention(8, 2, batch_first=True), nn.MultiheadAttention(8, 2, batch_first=True)
        self.feed, self.norm = nn.Sequential(nn.Linear(8, 12), nn.GELU(), nn.Linear(12, 8)), nn.LayerNorm(8)

    def forward(self, source, target):
        s = self.embed(source) * math.sqrt(8)
        s = self.norm(s + self.encoder(s, s, s, need_weights=False)[0])
        t = self.embed(target)
        t = t + self.cross(t, s, s, need_weights=False)[0]
        t = self.norm(t + self.feed(t))
        return {"logits": t @ self.embed.weight.t(), "memory": s}


@exported("encoder_decoder", lambda draw: (draw.ints(0, 9, 2, 4), draw.ints(0, 9, 2, 3)))
def encoder_decoder():
    return EncoderDecoder().eval()


class Rope(nn.Module):
    """Grouped queries, rotary positions, root mean square norm, a gated feed forward."""

    def __init__(self):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(8, 8, bias=False), nn.Linear(8, 4, bias=False), nn.Linear(8, 4, bias=False)
        self.weight = nn.Parameter(torch.ones(8))
        self.gate, self.up, self.down = (nn.Linear(a, b, bias=False) for a, b in ((8, 6), (8, 6), (6, 8)))
        self.register_buffer("frequencies", 1.0 / 10.0 ** (torch.arange(0, 4, 2) / 4))

    def turn(self, x, cos, sin):
        a, b = x[..., :2], x[..., 2:]
        return x * cos + torch.cat((-b, a), dim=-1) * sin

    def forward(self, x, positions):
        h = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.weight
        angles = positions[:, None].float() * self.frequencies
        angles = torch.cat((angles, angles), dim=-1)
        cos, sin = angles.cos(), angles.sin()
        q, k = self.turn(heads(self.q(h), 2), cos, sin), self.turn(heads(self.k(h), 1), cos, sin)
        k, v = k.expand(-1, 2, -1, -1), heads(self.v(h), 1).repeat_interleave(2, dim=1)
        scores = torch.matmul(q, k.transpose(-1, -2)) / 2.0
        probabilities = F.softmax(scores + torch.triu(torch.full((3, 3), -1e9), diagonal=1), dim=-1, dtype=torch.float32)
        y = torch.matmul(probabilities, v).transpose(1, 2).contiguous().view(2, 3, 8)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


@exported("rope_attention", lambda draw: (draw.floats(2, 3, 8), draw.ints(0, 9, 3)))
def rope_attention():
    return Rope()


@exported("rope_decomposed", lambda draw: (draw.floats(2, 3, 8), draw.ints(0, 9, 3)), then=lambda program: program.run_decompositions())
def rope_decomposed():
    return Rope()


class Alibi(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(4, 12)
        self.register_buffer("slopes", torch.tensor([0.5, 0.25]))

    def forward(self, x):
        q, k, v = self.qkv(x).view(2, 3, 3, 2, 2).permute(2, 0, 3, 1, 4).unbind(0)
        distance = torch.arange(3)[None, :] - torch.arange(3)[:, None]
        bias = self.slopes[:, None, None] * distance.abs().neg()
        a = torch.baddbmm(bias.repeat(2, 1, 1), q.reshape(4, 3, 2), k.reshape(4, 3, 2).transpose(1, 2), alpha=0.5)
        b = a.view(2, 2, 3, 3).softmax(-1) @ v
        c = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return b.flatten(2), c, F.dropout(a, 0.1, False)


@exported("alibi_attention", lambda draw: (draw.floats(2, 3, 4),))
def alibi_attention():
    return Alibi()
