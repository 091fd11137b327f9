"""Inputs for models that do not describe theirs: sizes that their leaf modules and weights suggest, then common ones."""

from __future__ import annotations

import itertools
from typing import Any, Iterator, Sequence

import torch

from .domain import Leaf, RunnableModel, Shapes, state_of

_MOST = 400
_EXTENTS = (9, 4, 8, 16, 32)  # of images and sequences
_COMMON: tuple[Any, ...] = (
    (torch.float32, (3, 4)),
    (torch.float32, (2, 3)),
    (torch.float32, (4,)),
    (torch.int64, (3,)),
    (torch.float32, (4, 4)),
    (torch.float32, (2, 3, 4)),
    (torch.int64, (2, 5)),
    (torch.float32, (3,)),
    (torch.float32, (2, 3, 8, 8)),
    (torch.float32, ()),
    (torch.bool, (3, 4)),
    (torch.float32, (5,)),
    (torch.float32, (2,)),
    (torch.float32, (1, 4)),
    2,
    0.5,
    True,
    None,
)


def guessed_inputs(a: RunnableModel, b: RunnableModel, leaves: Sequence[Leaf]) -> Iterator[tuple[list[Leaf], Shapes]]:
    """Up to 400 guesses, each for all inputs, likely ones first; those that are described keep one set of sizes."""
    known = [_known(leaf) for leaf in leaves]
    candidates = list(dict.fromkeys([*_suggested(a.module), *_suggested(b.module), *_COMMON]))
    unknown = [at for at, leaf in enumerate(leaves) if leaf.kind == "unknown"]
    alike = ((candidate,) * len(unknown) for candidate in candidates)
    places = itertools.product(range(min(len(candidates), 20 if len(unknown) < 3 else 7)), repeat=min(len(unknown), 4))
    mixed = (tuple(candidates[at] for at in one) for one in sorted(places, key=sum)) if 1 < len(unknown) < 5 else ()
    for chosen in itertools.islice(itertools.chain(alike, mixed), _MOST):
        made, shapes = list(leaves), [shape for _, shape in known]
        for at, candidate in zip(unknown, chosen):
            is_tensor = isinstance(candidate, tuple)
            made[at] = Leaf(leaves[at].name, "tensor", candidate[1], candidate[0]) if is_tensor else Leaf(leaves[at].name, "constant", candidate)
            shapes[at] = candidate[1] if is_tensor else None
        yield made, tuple(shapes)


def _known(leaf: Leaf) -> tuple[Leaf, Any]:
    """One set of sizes of a described input: 4 for each symbol."""
    if leaf.kind == "tensor":
        return leaf, tuple(size if isinstance(size, int) else 4 for size in leaf.value)
    return leaf, 4 if leaf.kind == "int" else None


def _suggested(module: torch.nn.Module) -> Iterator[tuple[torch.dtype, tuple[int, ...]]]:
    """By the classes of leaf modules, in order of the module tree; then by the last two sizes of weights."""
    for leaf in module.modules():
        size = {kind: getattr(leaf, kind, None) for kind in ("in_features", "in_channels", "num_features", "input_size", "num_channels")}
        width = next((value for value in size.values() if isinstance(value, int)), None)
        dtype = next((one.dtype for one in leaf.parameters(recurse=False) if one.dtype.is_floating_point), torch.float32)
        dimensions = next((int(digit) for digit in type(leaf).__name__ if digit in "123"), None)
        if isinstance(leaf, (torch.nn.Embedding, torch.nn.EmbeddingBag)):
            yield torch.int64, (2, 5)
        elif isinstance(leaf, torch.nn.LayerNorm):
            yield dtype, (3, *leaf.normalized_shape)
        elif width is not None and dimensions is not None and "Norm1d" not in type(leaf).__name__:
            yield from ((dtype, (2, width, *(extent,) * dimensions)) for extent in _EXTENTS)
        elif width is not None:
            yield dtype, (3, width)
            yield dtype, (2, 5, width)
        elif isinstance(leaf, torch.nn.modules.pooling._MaxPoolNd) and dimensions is not None:
            yield from ((dtype, (2, 3, *(extent,) * dimensions)) for extent in _EXTENTS)
    for tensor in itertools.islice(state_of(module).values(), 20):
        if tensor.dim() >= 1 and tensor.dtype.is_floating_point:
            yield tensor.dtype, (3, tensor.shape[-1])
            yield tensor.dtype, tuple(tensor.shape)
        if tensor.dim() >= 2 and tensor.dtype.is_floating_point:
            yield tensor.dtype, (3, tensor.shape[0])
