"""A part as the module of a pipeline stage."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, Callable, Collection, Iterable, Iterator, Mapping, Sequence

import torch
import torch.utils._pytree as pytree

from ..errors import SunderError
from .devices import storage_of, tensors_of
from .even_gradients import evened, number_bits, numbers_of_bits
from .manifest import Value
from .nesting import value_text
from .remaking import Recipe
from .routes import Routes

if TYPE_CHECKING:
    from .pipeline import Pipeline

Tensors = tuple[torch.Tensor, ...]


class StageModule(torch.nn.Module):
    """Runs one part. The first stage takes the inputs of the model, nested as the model takes them; every other stage takes the
    tensors that the previous stage returns. The last stage returns the tensors of the model's result, which `nested` nests. Values
    that only later stages need pass through unchanged.

    A call outside of `running()` is a trial call: PyTorch makes one to find out the sizes of what stages exchange. It computes the
    first microbatch from the same values as the real call, and leaves buffers, inputs, and random numbers as they were.
    """

    def __init__(self, pipeline: "Pipeline", number: int, routes: Routes, recipes: Sequence[Recipe]) -> None:
        super().__init__()
        self.number = number
        self.is_last = number == len(pipeline.manifest.parts) - 1
        self.incoming = routes.incoming[number]
        self.outgoing = routes.outgoing(number)
        self.part = pipeline.module_of(number)
        self.remade = torch.nn.ModuleList(recipe.module for recipe in recipes)
        #: Whether everything that is sent must be floating-point and have a gradient.
        self.evens_gradients: Callable[[], bool] = lambda: False
        #: Contents of the tensors that the trial call is given, which PyTorch makes of their sizes alone; None if they are real.
        self.trial_inputs: Sequence[torch.Tensor] | None = None
        #: Takes what the trial call returns.
        self.on_trial: Callable[[Tensors], None] = lambda results: None
        self._recipes = [(recipe.name, recipe.inputs) for recipe in recipes]
        self._pipeline = [pipeline]  # in a list, so that it is not registered as a submodule
        self._is_running = False
        self._result: tuple[list[Any], pytree.TreeSpec] | None = None  # of the last call of the last stage
        self._trial_args: tuple[list[Any], pytree.TreeSpec] | None = None  # of the first stage
        self._sent: list[str] = []  # dtypes and sizes of what the trial call returned

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Calls of the schedule are made in this context."""
        self._is_running = True
        try:
            yield
        finally:
            self._is_running = False

    def nested(self, flat: Any) -> Any:
        """The result of the last call, with these tensors in place of its own."""
        assert self._result is not None
        return _with_tensors(*self._result, (flat,) if isinstance(flat, torch.Tensor) else flat)

    def check_sizes(self, results: Sequence[torch.Tensor]) -> None:
        """Raises an error if what a stage sends has other sizes than in the trial call, which PyTorch does not notice where a message
        is shorter.
        """
        for value, tensor, expected in zip(self.outgoing, results, self._sent, strict=True):
            if value_text(tensor) != expected:
                name = self._pipeline[0].names[self.number]
                raise SunderError(
                    f"part {name} sends {value.name} as {value_text(tensor)}, but as {expected} in the first microbatch; "
                    "PyTorch exchanges tensors of fixed sizes between stages: use microbatches of one size (a batch size that is a "
                    "multiple of their number), make a new schedule for a new size, and do not cut where a size depends on data",
                    where={"part": name},
                )

    def forward(self, *args: Any, **kwargs: Any) -> Tensors:
        if not self._is_running:
            return self._trial(args, kwargs)
        return self._run(args, kwargs)

    def flatten_trial(self, args: Sequence[Any]) -> Tensors:
        """The tensors in positional inputs of the model. The trial call that follows takes these, and nests them."""
        self._trial_args = pytree.tree_flatten(tuple(args))
        return tuple(_tensors_in(args))

    def _trial(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Tensors:
        if self.trial_inputs is not None:
            for tensor, content in zip(_tensors_in(args), self.trial_inputs, strict=True):
                tensor.data.copy_(content)
            self.trial_inputs = None
        if self._trial_args is not None:
            args, self._trial_args = _with_tensors(*self._trial_args, args), None
        if self.number == 0:
            args, kwargs = pytree.tree_map_only(torch.Tensor, torch.clone, (tuple(args), dict(kwargs)))
        buffers = [(buffer, buffer.detach().clone()) for buffer in self.buffers()]
        device = self._pipeline[0].device_of(self.number)
        others = [] if device.type in ("cpu", "meta") else [device]
        with torch.random.fork_rng(others, device_type=device.type if others else "cuda"):
            results = self._run(args, kwargs)
        for buffer, before in buffers:
            buffer.data.copy_(before)  # without a new version: gradients of this call may need the buffer
        self._sent = [value_text(tensor) for tensor in results]
        self.on_trial(tuple(tensor.detach() for tensor in results))
        return results

    def _run(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Tensors:
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
        lasting = [tensor for _, _, tensor in tensors_of(self)]
        if self.number == 0:
            lasting += _tensors_in((args, kwargs))
        given = _separate(self._flat(values, evens), {storage_of(tensor) for tensor in lasting}, args)
        return evened(given, args) if evens and self.number > 0 else given

    def _flat(self, values: Mapping[str, Any], evens: bool) -> Tensors:
        pipeline = self._pipeline[0]
        if not self.is_last:
            device = pipeline.device_of(self.number)
            return tuple(_packed(values[value.name], device, evens) for value in self.outgoing)
        leaves, spec = pytree.tree_flatten(pipeline.nesting.nested_outputs(values))
        self._result = leaves, spec
        return tuple(_tensors_in(leaves))


def _tensors_in(values: Any) -> list[torch.Tensor]:
    return [leaf for leaf in pytree.tree_leaves(values) if isinstance(leaf, torch.Tensor)]


def _with_tensors(leaves: Sequence[Any], spec: pytree.TreeSpec, tensors: Iterable[torch.Tensor]) -> Any:
    """Nested values, with these tensors in place of their own."""
    others = iter(tensors)
    return pytree.tree_unflatten([next(others) if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves], spec)


def _separate(results: Tensors, lasting: Collection[int], inputs: Sequence[Any]) -> Tensors:
    """The results such that schedules can detach each in place: not views, inputs, other results, or tensors that their own operator
    saves for its backward pass. What is in memory that outlives the microbatch is copied, since it is sent while the next microbatch
    may write to it.
    """
    made: list[torch.Tensor] = []
    for tensor in results:
        if storage_of(tensor) in lasting:
            tensor = tensor.clone()
        elif tensor.requires_grad or tensor._is_view() or any(tensor is other for other in (*inputs, *made)):
            tensor = _Own.apply(tensor)  # type: ignore[no-untyped-call]
        made.append(tensor)
    return tuple(made)


def _packed(actual: Any, device: torch.device, evens: bool) -> torch.Tensor:
    """The value as it can be sent: a dense tensor. Numbers keep their bits."""
    if isinstance(actual, torch.Tensor):
        tensor = actual.to(device).resolve_conj().resolve_neg().contiguous()
    else:
        tensor = torch.tensor(actual, dtype=torch.float64 if isinstance(actual, float) else None, device=device)
    return number_bits(tensor) if evens else tensor


def _unpacked(value: Value, tensor: torch.Tensor, evens: bool) -> Any:
    if evens:
        tensor = numbers_of_bits(tensor, value.dtype or value.type)
    if value.type != "tensor":
        return tensor.item()
    return _Own.apply(tensor) if tensor.requires_grad else tensor  # type: ignore[no-untyped-call]


class _Own(torch.autograd.Function):
    """A tensor of its own in the same memory: neither a view nor a leaf, so that it can be written to and detached in place. Its
    gradient is made dense, since no backend sends others.
    """

    @staticmethod
    def forward(context: Any, tensor: torch.Tensor) -> torch.Tensor:
        return tensor.detach()

    @staticmethod
    def backward(context: Any, gradient: torch.Tensor) -> torch.Tensor:
        return gradient.contiguous()
