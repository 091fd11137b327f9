"""Weights that are one in the model and lie in several parts."""

from __future__ import annotations

from typing import Any, Mapping

import torch


class Ties:
    """Makes weights of one name, or of names that the model tied, one tensor again wherever they are on one device."""

    def __init__(self, aliases: Mapping[str, str]) -> None:
        self._aliases = aliases
        self._first: dict[tuple[Any, ...], torch.Tensor] = {}

    def tie(self, module: torch.nn.Module) -> None:
        for path, owner in module.named_modules():
            for name, tensor in [*owner._parameters.items(), *owner._buffers.items()]:
                if tensor is not None:
                    setattr(
                        owner, name, self._first.setdefault(self._key(f"{path}.{name}".lstrip("."), tensor), tensor)
                    )

    def _key(self, name: str, tensor: torch.Tensor) -> tuple[Any, ...]:
        form = tensor.dtype, tensor.shape, tensor.stride(), tensor.storage_offset(), type(tensor)
        return self._aliases.get(name, name), tensor.device, form
