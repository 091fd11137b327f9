"""Exported programs of random calls: many operators and arguments that the other programs lack."""

import random

import torch
import torch.nn.functional as F
from torch import nn

from programs import exported

CALLS = 12  # of each program


def _dim(rng, x, more=0):
    return rng.randrange(-x.dim() - more, x.dim() + more)


def _number(rng):
    return rng.choice([-1.0, 0.5, 2, 3, 1, 0.0, 2.5, -2])


#: Calls of one tensor of floating-point numbers with at least one dimension. Each takes the generator and the tensor.
OF_ONE = [
    lambda r, x: x.sum(_dim(r, x), keepdim=r.random() < 0.5),
    lambda r, x: x.mean([_dim(r, x)], keepdim=r.random() < 0.5),
    lambda r, x: x.amax(_dim(r, x), keepdim=True),
    lambda r, x: x.max(_dim(r, x))[r.randrange(2)] * 1.0,
    lambda r, x: x.std(_dim(r, x), correction=r.randrange(2), keepdim=True),
    lambda r, x: torch.logsumexp(x, _dim(r, x), keepdim=True),
    lambda r, x: x.norm(dim=_dim(r, x), keepdim=True),
    lambda r, x: x.cumsum(_dim(r, x)),
    lambda r, x: x.cumprod(_dim(r, x)),
    lambda r, x: x.softmax(_dim(r, x)),
    lambda r, x: F.log_softmax(x, dim=_dim(r, x)),
    lambda r, x: x.sort(_dim(r, x), descending=r.random() < 0.5)[0],
    lambda r, x: x.topk(1, _dim(r, x), largest=r.random() < 0.5)[0],
    lambda r, x: x.argmax(_dim(r, x), keepdim=True).to(x.dtype),
    lambda r, x: x.roll(r.choice([1, -1, 2]), _dim(r, x)),
    lambda r, x: x.flip([_dim(r, x)]),
    lambda r, x: x.unsqueeze(_dim(r, x, 0)),
    lambda r, x: x.squeeze(_dim(r, x)),
    lambda r, x: x.transpose(_dim(r, x), _dim(r, x)),
    lambda r, x: x.movedim(0, -1),
    lambda r, x: x.flatten(r.choice([0, -1])),
    lambda r, x: x.narrow(_dim(r, x), 0, 1),
    lambda r, x: x.select(_dim(r, x), r.choice([0, -1])),
    lambda r, x: x[..., :: r.choice([1, 2])],
    lambda r, x: x[r.choice([0, -1]):],
    lambda r, x: x.unbind(_dim(r, x))[0],
    lambda r, x: x.chunk(2, _dim(r, x))[0],
    lambda r, x: x.expand(2, *x.shape),
    lambda r, x: x.repeat(2, *[1] * x.dim()),
    lambda r, x: x.repeat_interleave(2, dim=_dim(r, x)),
    lambda r, x: F.pad(x, (1, r.choice([0, 1])), value=r.choice([0.0, 1.0])),
    lambda r, x: x.unfold(_dim(r, x), 1, 1),
    lambda r, x: x.clamp(min=-1.0, max=_number(r)),
    lambda r, x: x.clamp_min(_number(r)),
    lambda r, x: F.leaky_relu(x, r.choice([0.1, 0.01])),
    lambda r, x: F.elu(x, alpha=r.choice([1.0, 0.5])),
    lambda r, x: F.hardtanh(x, -1.0, 1.0),
    lambda r, x: F.softplus(x, beta=r.choice([1.0, 2.0])),
    lambda r, x: F.gelu(x, approximate=r.choice(["none", "tanh"])),
    lambda r, x: F.layer_norm(x, x.shape[-1:], eps=r.choice([1e-5, 1e-3])),
    lambda r, x: x.pow(r.choice([2, 3, 0.5, 2.0])),
    lambda r, x: r.choice([2, 2.0]) ** x,
    lambda r, x: x.remainder(r.choice([2, 1.5])),
    lambda r, x: torch.div(x, _number(r) or 1, rounding_mode=r.choice([None, "floor", "trunc"])),
    lambda r, x: _number(r) - x,
    lambda r, x: x + _number(r),
    lambda r, x: x * _number(r),
    lambda r, x: torch.sub(x, _number(r), alpha=r.choice([1, 2])),
    lambda r, x: x.to(torch.float64).to(x.dtype),
    lambda r, x: x.to(r.choice([torch.float16, torch.bfloat16])).to(torch.float32),
    lambda r, x: x.to(torch.float32),
    lambda r, x: x.round(decimals=r.choice([0, 1])),
    lambda r, x: x.trunc().sign(),
    lambda r, x: x.isnan().logical_not().to(x.dtype),
    lambda r, x: (x > _number(r)).float(),
    lambda r, x: x.masked_fill(x < 0, _number(r)),
    lambda r, x: torch.where(x > 0, x, _number(r)),
    lambda r, x: x.nan_to_num(0.0).to(torch.int64).float(),
    lambda r, x: (x.nan_to_num(0.0).clamp(-9, 9).to(torch.int32) // 2 + r.choice([1, 2])).float(),
    lambda r, x: x.clone().mul_(_number(r)),
    lambda r, x: x.clone().add_(1.0).clamp_(min=-1.0),
    lambda r, x: x.clone().fill_(_number(r)),
    lambda r, x: x.contiguous(),
    lambda r, x: x.detach(),
    lambda r, x: x.triu(r.choice([0, 1])) if x.dim() > 1 else x.sin(),
    lambda r, x: x.diagonal(0, -2, -1) if x.dim() > 1 else x.cos(),
    lambda r, x: x.mT if x.dim() > 1 else x.tanh(),
    lambda r, x: x.reshape(-1, x.shape[0]),
    lambda r, x: x.reshape(*x.shape, 1).squeeze(-1),
    lambda r, x: x.index_select(_dim(r, x), torch.tensor([0])),
    lambda r, x: torch.gather(x, -1, torch.zeros_like(x, dtype=torch.int64)),
    lambda r, x: x + torch.arange(x.shape[-1]),
    lambda r, x: x * torch.full((x.shape[-1],), _number(r)),
    lambda r, x: x + torch.ones(1, dtype=torch.float64).to(x.dtype),
    lambda r, x: F.dropout(x, 0.5, False),
    lambda r, x: F.normalize(x, dim=_dim(r, x)),
    lambda r, x: F.glu(torch.cat([x, x], -1), -1),
    lambda r, x: torch.var_mean(x, dim=_dim(r, x), correction=0, keepdim=True)[r.randrange(2)],
    lambda r, x: torch.linspace(0, 1, x.shape[-1]) - x,
    lambda r, x: x.split(1, _dim(r, x))[0],
]
#: Calls of two tensors of one shape.
OF_TWO = [
    lambda r, x, y: x + y, lambda r, x, y: x * y, lambda r, x, y: torch.add(x, y, alpha=_number(r)), lambda r, x, y: torch.rsub(x, y),
    lambda r, x, y: torch.maximum(x, y), lambda r, x, y: torch.fmin(x, y), lambda r, x, y: (x == y).float(), lambda r, x, y: (x <= y).float(),
    lambda r, x, y: torch.lerp(x, y, 0.5), lambda r, x, y: torch.addcmul(x, x, y, value=2), lambda r, x, y: torch.hypot(x, y),
    lambda r, x, y: torch.atan2(x, y), lambda r, x, y: torch.stack([x, y], r.choice([0, -1])), lambda r, x, y: torch.cat([x, y], _dim(r, x)),
    lambda r, x, y: torch.logical_xor(x > 0, y > 0).float(), lambda r, x, y: x.clone().copy_(y), lambda r, x, y: x @ y.mT if x.dim() > 1 else x.dot(y),
    lambda r, x, y: torch.where(x > y, x, y), lambda r, x, y: x.copysign(y), lambda r, x, y: torch.outer(x.flatten(), y.flatten()),
    lambda r, x, y: x.clone().sub_(y), lambda r, x, y: F.linear(x, y) if x.dim() == 2 else x - y, lambda r, x, y: torch.heaviside(x, y),
]


class Drawn(nn.Module):
    """Calls that a generator draws. Only calls whose results are of moderate size go on."""

    def __init__(self, seed):
        super().__init__()
        self.seed = seed
        self.w = nn.Parameter(torch.randn(3, 4))
        self.register_buffer("table", torch.randn(3, 4))

    def forward(self, x, y):
        rng = random.Random(self.seed)
        values = [x, y, self.w, self.table]
        for _ in range(CALLS):
            first = rng.choice(values)
            same = [one for one in values if one.shape == first.shape]
            made = rng.choice(OF_ONE)(rng, first) if rng.random() < 0.7 else rng.choice(OF_TWO)(rng, first, rng.choice(same))
            if made.dim() and 0 < made.numel() < 200:
                values.append(made)
        return tuple(values[-4:])


def register(count):
    """Registers that many programs. Every fifth is decomposed into core operators."""
    for seed in range(count):
        then = (lambda program: program.run_decompositions()) if seed % 5 == 4 else None
        exported(f"drawn_{seed}", lambda draw: (draw.floats(3, 4), draw.floats(3, 4)), then=then)(lambda seed=seed: Drawn(seed))
