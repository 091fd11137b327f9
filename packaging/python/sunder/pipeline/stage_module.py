"""A part as the module of a pipeline stage."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, Sequence

import torch
import torch.utils._pytree as pytree

from .even_gradients import evened, floats, number_bits, numbers_of_bits
from .manifest import Value
from .remaking import Recipe
from .routes import Routes

if TYPE_CHECKING:
    from .pipeline import Pipeline


class StageModule(torch.nn.Module):
    """The first stage takes the inputs of the whole, as they are nested there; others what the one before gives, as
    tensors. The last gives the tensors in the result of the whole, which `nested` nests. What a stage only hands on goes
    through it.

    A call that is not made while it is `running` is a trial: it leaves buffers and random numbers as they are, and reads
    tables at 0, since what it is given says sizes alone.
    """

    def __init__(self, pipeline: "Pipeline", number: int, routes: Routes, recipes: Sequence[Recipe]) -> None:
        super().__init__()
        self.number = number
        self.is_last = number == len(pipeline.manifest.parts) - 1
        self.incoming = routes.incoming[number]
        self.outgoing = routes.outgoing(number)
        self.part = pipeline.module_of(number)
        self.remade = torch.nn.ModuleList(recipe.module for recipe in recipes)
        #: Whether all that is sent has to float and to have a gradient.
        self.evens_gradients: Callable[[], bool] = lambda: False
        self._recipes = [(recipe.name, recipe.inputs) for recipe in recipes]
        self._pipeline = [pipeline]  # in a list: it is no module of this one
        self._is_running = False
        self._result: tuple[list[Any], pytree.TreeSpec] | None = None  # of the last call of the last stage

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Calls in here are the schedule's."""
        self._is_running = True
        try:
            yield
        finally:
            self._is_running = False

    def nested(self, flat: Any) -> Any:
        """The result of the last call, with these tensors in place of its own."""
        assert self._result is not None
        leaves, spec = self._result
        tensors = iter((flat,) if isinstance(flat, torch.Tensor) else flat)
        return pytree.tree_unflatten([next(tensors) if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves], spec)

    def forward(self, *args: Any, **kwargs: Any) -> tuple[torch.Tensor, ...]:
        if self._is_running:
            return self._run(args, kwargs)
        if self.number > 0:
            args = tuple(arg if floats(arg.dtype) else torch.zeros_like(arg) for arg in args)
        buffers = [(buffer, buffer.detach().clone()) for buffer in self.buffers()]
        with torch.random.fork_rng(devices=[]):
            result = self._run(args, kwargs)
        for buffer, before in buffers:
            buffer.data.copy_(before)  # as if nothing had been written: gradients of this call may need the buffer
        return result

    def _run(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[torch.Tensor, ...]:
        pipeline, evens = self._pipeline[0], self.evens_gradients()
        if self.number == 0:
            values = pipeline.nesting.bound(args, kwargs)
        else:
            values = {value.name: value.literal for value in pipeline.nesting.inputs if value.is_literal}
            received = zip(self.incoming, args, strict=True)
            values.update((value.name, _unpacked(value, tensor, evens)) for value, tensor in received)
        for (name, inputs), module in zip(self._recipes, self.remade):
            values[name] = module(*(values[taken] for taken in inputs))
        values.update(pipeline.call_part(self.number, values))
        given = self._flat(values, evens)
        return evened(given, args) if evens and self.number > 0 else given

    def _flat(self, values: Mapping[str, Any], evens: bool) -> tuple[torch.Tensor, ...]:
        pipeline = self._pipeline[0]
        if not self.is_last:
            device = pipeline.device_of(self.number)
            return tuple(_packed(values[value.name], device, evens) for value in self.outgoing)
        leaves, spec = pytree.tree_flatten(pipeline.nesting.nested_outputs(values))
        self._result = leaves, spec
        return tuple(leaf for leaf in leaves if isinstance(leaf, torch.Tensor))


def _packed(actual: Any, device: torch.device, evens: bool) -> torch.Tensor:
    """As it can be sent: a tensor, dense."""
    tensor = actual.to(device) if isinstance(actual, torch.Tensor) else torch.tensor(actual, device=device)
    return number_bits(tensor.contiguous()) if evens else tensor.contiguous()


def _unpacked(value: Value, tensor: torch.Tensor, evens: bool) -> Any:
    if evens:
        tensor = numbers_of_bits(tensor, value.dtype or value.type)
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
