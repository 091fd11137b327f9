"""Inputs inside the domain of a program: plain, special values, other strides, edge sizes."""

import dataclasses

import torch

SPECIAL = (float("nan"), float("inf"), float("-inf"), -0.0, 0.0, 1e-40, 3e38, -1.0, 1.0)


@dataclasses.dataclass(frozen=True)
class Kind:
    """Options for drawing inputs. `gradients`: floating-point inputs require gradients and results are differentiated."""

    name: str
    special: bool = False
    strided: bool = False
    edge: int = 0  # sizes of symbolic dimensions: 0 in the middle, -1 the least, 1 another one
    gradients: bool = False
    grad_mode: bool = True
    scale: float = 1.0


KINDS = (
    Kind("plain"),
    Kind("strided", strided=True, grad_mode=False),
    Kind("special", special=True, grad_mode=False, edge=1),
    Kind("least sizes", edge=-1),
    Kind("other strides, other sizes", edge=1, strided=True, special=True),
    Kind("large", scale=50.0, edge=1),
    Kind("gradients", gradients=True),
)


class Draw:
    """Draws the inputs of one run: the same for the same kind, number of the run, and seed."""

    def __init__(self, kind, seed):
        self.kind = kind
        self.generator = torch.Generator().manual_seed(seed)
        self._count = 0

    def size(self, least, middle, other):
        """A symbolic size: its least value, one in the middle, or another one."""
        return (middle, other, least)[self.kind.edge]

    def floats(self, *shape, dtype=torch.float32):
        values = torch.randn(shape, generator=self.generator, dtype=torch.float32) * self.kind.scale
        if self.kind.special and values.numel():
            flat = values.reshape(-1)
            count = max(1, flat.numel() // 4)
            places = torch.randint(flat.numel(), (count,), generator=self.generator)
            which = torch.randint(len(SPECIAL), (count,), generator=self.generator)
            flat[places] = torch.tensor(SPECIAL)[which]
        values = self._laid_out(values.to(dtype))
        return values.requires_grad_() if self.kind.gradients and values.is_floating_point() else values

    def positive(self, *shape):
        """Probabilities or scales, always greater than zero."""
        return self._laid_out(torch.rand(shape, generator=self.generator) + 0.25)

    def ints(self, low, high, *shape, dtype=torch.int64):
        return self._laid_out(torch.randint(low, high, shape, generator=self.generator).to(dtype))

    def bools(self, *shape):
        return self._laid_out(torch.rand(shape, generator=self.generator) > 0.5)

    def complexes(self, *shape):
        return torch.complex(self.floats(*shape).detach(), self.floats(*shape).detach())

    def _laid_out(self, values):
        """The same values in other strides: transposed, every second element of a larger memory, or unchanged."""
        self._count += 1
        if not self.kind.strided or values.dim() == 0:
            return values
        if values.dim() >= 2 and self._count % 3:
            return values.transpose(-1, -2).contiguous().transpose(-1, -2)
        wide = torch.zeros((*values.shape, 2), dtype=values.dtype)
        wide[..., 0] = values
        return wide[..., 0]
