"""Calls of graphs that came from exported programs: nested inputs become placeholders, state is read and written, outputs are
nested again. The graph itself stays as it is in the file.
"""

from __future__ import annotations

from typing import Any, Mapping, Sequence

import torch
import torch.fx
import torch.utils._pytree as pytree
from torch.fx._pytree import tree_flatten_spec
from torch.fx.graph import CodeGen

from ..errors import SunderError, WronglyNested
from .flat_args import FlatArgs
from .specs import children_of

Line = dict[str, Any]
_STATE = ("parameter", "buffer", "constant")
_WRITES = ("buffer_mutation", "parameter_mutation", "input_mutation")
_FLAT = "_flat_inputs"


class ProgramCall:
    """What a signature says: where each placeholder comes from, and where each output goes."""

    def __init__(
        self,
        lines: Sequence[Line],
        in_spec: pytree.TreeSpec | None,
        out_spec: pytree.TreeSpec | None,
        objects: Mapping[str, Any],
    ) -> None:
        self.lines = list(lines)
        self.in_spec, self._out_spec = in_spec, out_spec
        self.objects = objects
        self.flat_args: FlatArgs | None = None  # of an unflattened program
        signature = next((line for line in lines if line["k"] == "sig"), None)
        call = next((line for line in lines if line["k"] == "call" and line["fqn"] == ""), {})
        self._names: list[str] = call.get("arg_names") or []
        self._inputs: list[Line] | None = signature["inputs"] if signature else None
        self._outputs: list[Line] | None = signature["outputs"] if signature else None

    def constants(self) -> frozenset[str]:
        """Names of tensors that the signature calls constants."""
        return frozenset(slot["constant"] for slot in self._inputs or () if "constant" in slot)

    def inputs(self, module: torch.nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """A value for each placeholder."""
        given = self._flattened(args, kwargs) if self.flat_args is None else self._adapted(module, args, kwargs)
        if self._inputs is None:
            return given
        wanted = sum("user" in slot for slot in self._inputs)
        if len(given) != wanted:
            raise SunderError(f"was given {len(given)} inputs, and takes {wanted}")
        users = iter(given)
        return [next(users) if "user" in slot else self._state_of(module, slot) for slot in self._inputs]

    def outputs(self, module: torch.nn.Module, flat: Sequence[Any], results: Any) -> Any:
        """Writes what the program changes, and gives the rest nested as the model has it."""
        if self._outputs is not None:
            results = self._written(module, flat, results)
        elif not isinstance(results, (tuple, list)):
            results = [results]
        return results if self._out_spec is None else pytree.tree_unflatten(list(results), self._out_spec)

    def _written(self, module: torch.nn.Module, flat: Sequence[Any], results: Sequence[Any]) -> tuple[Any, ...]:
        assert self._outputs is not None
        targets: dict[int, torch.Tensor] = {}
        for slot, result in zip(self._outputs, results):
            kind = next((kind for kind in _WRITES if kind in slot), None)
            if kind:
                target = self._input(flat, slot[kind]) if kind == "input_mutation" else _attribute(module, slot[kind])
                targets[id(result)] = target.copy_(result)
        seen = zip(self._outputs, results)
        kept = [result for slot, result in seen if not ("token" in slot or any(kind in slot for kind in _WRITES))]
        return tuple(targets.get(id(result), result) for result in kept)

    def _input(self, flat: Sequence[Any], placeholder: str) -> Any:
        assert self._inputs is not None
        for slot, value in zip(self._inputs, flat):
            user = slot.get("user")
            if isinstance(user, dict) and user.get("n") == placeholder:
                return value
        raise SunderError(f"the signature writes to the input {placeholder}, which is not there", where={"node": placeholder})

    def _state_of(self, module: torch.nn.Module, slot: Line) -> Any:
        kind = next(iter(slot))
        if kind in _STATE:
            return _attribute(module, slot[kind])
        if kind == "token":
            return torch.tensor([])
        name = slot.get("object", kind)
        if name not in self.objects:
            raise SunderError(f"needs the custom object {name}, which no file of Sunder holds", where={"node": slot.get("n")})
        return self.objects[name]

    def _flattened(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        if self.in_spec is None:
            if kwargs:
                raise SunderError("takes its inputs by position: the file does not say what they are called")
            return list(args)
        return list(tree_flatten_spec(self._nested(args, kwargs), self.in_spec))

    def _adapted(self, module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        assert self.flat_args is not None
        if self.flat_args.adapter is not None:
            return self.flat_args.take(module, args, kwargs)
        try:
            return self.flat_args.take(module, *self._nested(args, kwargs))
        except SunderError as error:
            raise error if isinstance(error, WronglyNested) else WronglyNested(error.text) from None

    def _nested(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """The inputs as the specification nests them: positional ones first, be they given by name or not."""
        spec = self.in_spec
        assert spec is not None
        children = children_of(spec)
        is_call = spec.type is tuple and [child.type for child in children] == [tuple, dict]
        count = len(children_of(children[0])) if is_call else len(children)
        keys = list(children[1].context) if is_call else []
        names = [*(self._names[:count] if len(self._names) >= count else [str(i) for i in range(count)]), *keys]
        if len(args) > len(names) or set(kwargs) - set(names[len(args) :]):
            unknown = sorted(set(kwargs) - set(names[len(args) :]))
            said = f"does not take {', '.join(unknown)}" if unknown else f"was given {len(args)} inputs"
            raise SunderError(f"{said}; its inputs are {', '.join(names)}")
        missing = [name for name in names[len(args) :] if name not in kwargs]
        if missing:
            raise SunderError(f"lacks the inputs {', '.join(missing)}; its inputs are {', '.join(names)}")
        values = [*args, *(kwargs[name] for name in names[len(args) :])]
        if not is_call:
            return values if spec.type is list else tuple(values)
        return tuple(values[:count]), dict(zip(keys, values[count:]))


class ProgramCodeGen(CodeGen):
    """Code of a graph whose placeholders are filled, and whose outputs are taken apart, by a ProgramCall."""

    def __init__(self, program: ProgramCall) -> None:
        super().__init__()
        self.program = program

    def gen_fn_def(self, free_vars: list[str], maybe_return_annotation: str, **kwargs: Any) -> str:
        names = [text.split(":")[0].split("=")[0].split("#")[0].strip() for text in free_vars if text != "self"]
        text: str = super().gen_fn_def(["self", "*args", "**kwargs"], "", **kwargs)
        text += f"\n    {_FLAT} = self.graph._codegen.program.inputs(self, args, kwargs)"
        return text + (f"\n    {', '.join(names)}, = {_FLAT}" if names else "")

    def generate_output(self, output_args: Any, *args: Any, **kwargs: Any) -> str:
        show = kwargs.get("repr_fn", repr)
        return f"return self.graph._codegen.program.outputs(self, {_FLAT}, {show(output_args)})"


def program_of(module: torch.fx.GraphModule) -> ProgramCall | None:
    codegen = module.graph._codegen
    return codegen.program if isinstance(codegen, ProgramCodeGen) else None


def _attribute(module: torch.nn.Module, fqn: str) -> Any:
    found: Any = module
    for name in fqn.split("."):
        found = getattr(found, name)
    return found
