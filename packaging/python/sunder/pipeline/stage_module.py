"""A part as the module of a pipeline stage."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Mapping, Sequence

import torch
import torch.utils._pytree as pytree

from ..errors import SunderError
from .crossing import Crossing, Form, Tensors, form_of, packed, separate, size_text, unpacked
from .devices import storage_of, tensors_of
from .even_gradients import evened
from .memories import Memories, Memory, version_of
from .remaking import Recipe
from .routes import Routes

if TYPE_CHECKING:
    from .pipeline import Pipeline


class StageModule(torch.nn.Module):
    """Runs one part. The first stage takes the inputs of the model, nested as the model takes them; every other stage takes the
    tensors that the previous stage returns. The last stage returns the tensors of the model's result, which `nested` nests. Values
    that only later stages need pass through unchanged.

    A call outside of `running()` is a trial call: PyTorch makes one to determine the sizes of exchanged values. It computes the
    first microbatch from the same values as the real call, and leaves buffers, inputs, and random numbers unchanged.
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
        #: The results of the trial call of the previous stage; set before the trial call of this one.
        self.received = Crossing(())
        #: Receives the results of the trial call.
        self.on_trial: Callable[[Crossing], None] = lambda results: None
        self._recipes = [(recipe.name, recipe.inputs) for recipe in recipes]
        self._pipeline = [pipeline]  # in a list, so that it is not registered as a submodule
        self._is_running = False
        self._forms: list[Form] = []  # of results of the trial call
        self._sizes: tuple[list[str], list[str]] = [], []  # of results of the trial call and of the last call
        self._result: tuple[list[Any], pytree.TreeSpec] | None = None  # of the last call of the last stage
        self._trial_args: tuple[list[Any], pytree.TreeSpec] | None = None  # of the first stage

    @property
    def name(self) -> str:
        return self._pipeline[0].names[self.number]

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """The context for calls of the schedule."""
        self._is_running = True
        try:
            yield
        finally:
            self._is_running = False

    def nested(self, flat: Any) -> Any:
        """The result of the last call, with its tensors replaced by these."""
        assert self._result is not None
        return _with_tensors(*self._result, (flat,) if isinstance(flat, torch.Tensor) else flat)

    def check_sizes(self) -> None:
        """Raises an error if the last call returned other sizes than the trial call. PyTorch does not notice if a message is shorter
        than the tensor that receives it.
        """
        for value, expected, actual in zip(self.outgoing, *self._sizes, strict=True):
            if expected != actual:
                raise SunderError(
                    f"part '{self.name}' sends '{value.name}' as {actual}, but sent {expected} in the first microbatch; stages of "
                    "torch.distributed.pipelining exchange tensors of fixed sizes: use a batch size that is a multiple of the number "
                    "of microbatches, make a new schedule for other sizes, and do not cut at a value whose size depends on data",
                    where={"part": self.name},
                )

    def flatten_trial(self, args: Sequence[Any]) -> Tensors:
        """The tensors in positional inputs of the model. The trial call that follows takes these, and nests them."""
        self._trial_args = pytree.tree_flatten(tuple(args))
        return tuple(_tensors_in(args))

    def forward(self, *args: Any, **kwargs: Any) -> Tensors:
        if not self._is_running:
            return self._trial(args, kwargs)
        values = self._values(args, kwargs)
        values.update(self._pipeline[0].call_part(self.number, values))
        return self._results(values, args, kwargs)

    def _trial(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Tensors:
        for tensor, content in zip(_tensors_in(args), self.received.contents):
            tensor.data.copy_(content)
        self.received.contents, self._forms = (), []
        if self._trial_args is not None:
            args, self._trial_args = _with_tensors(*self._trial_args, args), None
        if self.number == 0:
            args, kwargs = pytree.tree_map_only(torch.Tensor, torch.clone, (tuple(args), dict(kwargs)))
        buffers = [(buffer, buffer.detach().clone(), version_of(buffer)) for buffer in self.buffers()]
        device = self._pipeline[0].device_of(self.number)
        others = [] if device.type in ("cpu", "meta") else [device]
        with torch.random.fork_rng(others, device_type=device.type if others else "cuda"):
            values = self._values(args, kwargs)
            memories = self._memories(values)
            values.update(self._pipeline[0].call_part(self.number, values))
            results = self._results(values, args, kwargs)
        written = [buffer for buffer, _, version in buffers if version_of(buffer) != version]
        for buffer, before, _ in buffers:
            buffer.data.copy_(before)  # without a new version: gradients of this call may need the buffer
        self._check_state(written)
        if self.number > 0:
            incoming = [value.name for value in self.incoming]
            memories.check_writes(self.name, values, incoming, [name for name, _ in self._recipes])
        memories.add(values)
        self._sizes = self._sizes[1], []
        self.on_trial(Crossing([tensor.detach() for tensor in results], self._forms, memories.of([v.name for v in self.outgoing])))
        return results

    def _check_state(self, written: Sequence[torch.Tensor]) -> None:
        """Raises an error if the part writes to a buffer that another part has a copy of."""
        for name, buffer in self.part.named_buffers(remove_duplicate=False):
            others = [part for part in self._pipeline[0].manifest.holders.get(name, ()) if part != self.name]
            if others and any(buffer is other for other in written):
                said = f"'{name}' is written by part '{self.name}' and read by part '{others[0]}', which does not see the change"
                raise SunderError(f"{said}; put both in one part", where={"part": self.name})

    def _memories(self, given: Mapping[str, Any]) -> Memories:
        known = dict(self.received.memories)
        if self.number == 0:
            known = {name: Memory(name, "an input of the model") for name, value in given.items() if isinstance(value, torch.Tensor)}
        kept = f"a weight or buffer of part '{self.name}'"
        state = {storage_of(tensor): Memory(name, kept) for _, name, tensor in tensors_of(self.part)}
        state |= {storage_of(tensor): Memory(name, kept) for name, tensor in (*self.part.named_parameters(), *self.part.named_buffers())}
        return Memories(given, known, state)

    def _values(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """The inputs of the stage, by name, including recomputed values."""
        pipeline, evens = self._pipeline[0], self.evens_gradients()
        if self.number == 0:
            return pipeline.nesting.bound(args, kwargs)
        values = {value.name: value.literal for value in pipeline.nesting.inputs if value.is_literal}
        received = zip(self.incoming, args, self.received.forms, strict=True)
        values.update((value.name, unpacked(tensor, form, evens)) for value, tensor, form in received)
        for (name, inputs), module in zip(self._recipes, self.remade):
            values[name] = module(*(values[taken] for taken in inputs))
        return values

    def _results(self, values: Mapping[str, Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Tensors:
        """The results of the stage, from its values and arguments."""
        pipeline, evens = self._pipeline[0], self.evens_gradients()
        if self.is_last:
            leaves, spec = self._result = pytree.tree_flatten(pipeline.nesting.nested_outputs(values))
            flat = _tensors_in(leaves)
        else:
            device, sent = pipeline.device_of(self.number), {value.name: values[value.name] for value in self.outgoing}
            self._forms = self._forms or [form_of(value, self.name, name) for name, value in sent.items()]
            flat = [packed(value, device, form, evens) for value, form in zip(sent.values(), self._forms, strict=True)]
            self._sizes = self._sizes[0], [size_text(value) for value in sent.values()]
        lasting = [tensor for _, _, tensor in tensors_of(self)]
        if self.number == 0:
            lasting += _tensors_in((args, kwargs))
        given = separate(flat, {storage_of(tensor) for tensor in lasting}, args)
        return evened(given, args) if evens and self.number > 0 else given


def _tensors_in(values: Any) -> list[torch.Tensor]:
    return [leaf for leaf in pytree.tree_leaves(values) if isinstance(leaf, torch.Tensor)]


def _with_tensors(leaves: Sequence[Any], spec: pytree.TreeSpec, tensors: Iterable[torch.Tensor]) -> Any:
    """Nested values, with their tensors replaced by these."""
    others = iter(tensors)
    return pytree.tree_unflatten([next(others) if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves], spec)
