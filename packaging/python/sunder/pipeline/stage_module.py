"""A part as the module of a pipeline stage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, Sequence

import torch

from .manifest import Value
from .remaking import Recipe
from .routes import Routes

if TYPE_CHECKING:
    from .pipeline import Pipeline


class StageModule(torch.nn.Module):
    """The first stage takes the inputs of the whole, as they are nested there; others what the one before gives, as
    tensors. The last gives the result of the whole. What a stage only hands on goes through it.
    """

    def __init__(self, pipeline: "Pipeline", number: int, routes: Routes, recipes: Sequence[Recipe]) -> None:
        super().__init__()
        self.number = number
        self.is_last = number == len(pipeline.manifest.parts) - 1
        self.incoming = routes.incoming[number]
        self.outgoing = routes.outgoing(number)
        self.part = pipeline.module_of(number)
        self.remade = torch.nn.ModuleList(recipe.module for recipe in recipes)
        self._recipes = [(recipe.name, recipe.inputs) for recipe in recipes]
        self._pipeline = [pipeline]  # in a list: it is no module of this one

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        pipeline = self._pipeline[0]
        if self.number == 0:
            values = pipeline.nesting.bound(args, kwargs)
        else:
            values = {value.name: value.literal for value in pipeline.nesting.inputs if value.is_literal}
            received = zip(self.incoming, args, strict=True)
            values.update((value.name, _unpacked(value, tensor)) for value, tensor in received)
        for (name, inputs), module in zip(self._recipes, self.remade):
            values[name] = module(*(values[taken] for taken in inputs))
        values.update(pipeline.call_part(self.number, values))
        if self.is_last:
            return pipeline.nesting.nested_outputs(values)
        device = pipeline.device_of(self.number)
        return tuple(_packed(value, values, device) for value in self.outgoing)


def _packed(value: Value, values: Mapping[str, Any], device: torch.device) -> torch.Tensor:
    """As it can be sent: a tensor, dense."""
    actual = values[value.name]
    if not isinstance(actual, torch.Tensor):
        return torch.tensor(actual, device=device)
    return actual.to(device).contiguous()


def _unpacked(value: Value, tensor: torch.Tensor) -> Any:
    if value.type != "tensor":
        return tensor.item()
    return _DenseGradient.apply(tensor) if tensor.requires_grad else tensor  # type: ignore[no-untyped-call]


class _DenseGradient(torch.autograd.Function):
    """The tensor itself. Its gradient, which is sent back, is made dense: no backend sends others."""

    @staticmethod
    def forward(context: Any, tensor: torch.Tensor) -> torch.Tensor:
        return tensor.view_as(tensor)

    @staticmethod
    def backward(context: Any, gradient: torch.Tensor) -> torch.Tensor:
        return gradient.contiguous()
