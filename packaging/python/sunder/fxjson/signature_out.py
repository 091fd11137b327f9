"""Signature, call graph, and ranges of exported programs, as lines of fx-json."""

from __future__ import annotations

import json
import math
from typing import Any, Callable, Iterator

import sympy
import torch
import torch.utils._pytree as pytree
from sympy.logic.boolalg import BooleanAtom
from torch.export.graph_signature import ConstantArgument, InputKind, InputSpec, OutputKind, OutputSpec
from torch.fx.graph import _PyTreeCodeGen
from torch.utils._sympy.numbers import int_oo

from ..errors import SunderError
from .lent import Lent
from .words_out import WordsOut

_INPUTS = {InputKind.PARAMETER: "parameter", InputKind.CONSTANT_TENSOR: "constant", InputKind.CUSTOM_OBJ: "object"}
_OUTPUTS = {
    "BUFFER_MUTATION": "buffer_mutation",
    "PARAMETER_MUTATION": "parameter_mutation",
    "USER_INPUT_MUTATION": "input_mutation",
    "GRADIENT_TO_PARAMETER": "gradient",
    "GRADIENT_TO_USER_INPUT": "gradient",
}

Line = dict[str, Any]


def program_lines(program: torch.export.ExportedProgram, words: WordsOut, lent: Lent | None = None) -> Iterator[Line]:
    signature = program.graph_signature
    inputs = [_input(spec, words) for spec in signature.input_specs]
    custom = next((slot for slot in inputs if "object" in slot), None)
    if custom is not None and lent is None:
        said = f"the program has the custom object {custom['object']}, which fx-json cannot represent; save it as .pt2"
        raise SunderError(said, where={"node": custom["n"]})
    outputs = [_output(spec, words) for spec in signature.output_specs]
    yield {"k": "sig", "g": "", "inputs": inputs, "outputs": outputs}
    for entry in program.module_call_graph:
        line: Line = {"k": "call", "fqn": entry.fqn}
        if entry.signature is not None:
            line["in_spec"] = _spec_text(entry.signature.in_spec, lent)
            line["out_spec"] = _spec_text(entry.signature.out_spec, lent)
            line["arg_names"] = entry.signature.forward_arg_names
            line["inputs"] = [_argument(value, words) for value in entry.signature.inputs]
            line["outputs"] = [_argument(value, words) for value in entry.signature.outputs]
        yield line
    yield from range_lines(program)


def range_lines(program: torch.export.ExportedProgram) -> Iterator[Line]:
    for symbol, bounds in program.range_constraints.items():
        yield {"k": "range", "sym": str(symbol), "min": _bound(bounds.lower, math.floor), "max": _bound(bounds.upper, math.ceil)}


def nesting_lines(module: torch.fx.GraphModule, words: WordsOut) -> Iterator[Line]:
    """Returns lines for the nesting of inputs and outputs of a graph module, if its code nests them."""
    codegen = module.graph._codegen
    if not isinstance(codegen, _PyTreeCodeGen):
        return
    info = codegen.pytree_info
    result = next(node for node in reversed(module.graph.nodes) if node.op == "output").args[0]
    yield {
        "k": "call",
        "fqn": "",
        "in_spec": _spec_text(info.in_spec),
        "out_spec": _spec_text(info.out_spec),
        "arg_names": [name for name in info.orig_args if name != "self"],
        "inputs": [{"n": node.name} for node in module.graph.nodes if node.op == "placeholder"],
        "outputs": json.loads(words.items(result if isinstance(result, (list, tuple)) else [result])),
    }


def _spec_text(spec: pytree.TreeSpec | None, lent: Lent | None = None) -> str | None:
    if spec is None:
        return None
    try:
        return pytree.treespec_dumps(spec)
    except NotImplementedError as error:
        if lent is not None:
            return lent.object_text(spec)
        raise SunderError(f"inputs or outputs are nested in a class that PyTorch's pytree cannot serialize: {error}") from None


def _argument(argument: Any, words: WordsOut) -> Any:
    if isinstance(argument, ConstantArgument):
        return json.loads(words.text(argument.value))
    return {"n": argument.name}


def _input(spec: InputSpec, words: WordsOut) -> Line:
    name = getattr(spec.arg, "name", None)
    if spec.kind is InputKind.USER_INPUT:
        return {"user": _argument(spec.arg, words)}
    if spec.kind is InputKind.BUFFER:
        return {"buffer": spec.target, "n": name, "persistent": bool(spec.persistent)}
    if spec.kind is InputKind.TOKEN:
        return {"token": True, "n": name}
    return {_INPUTS[spec.kind]: spec.target, "n": name}


def _output(spec: OutputSpec, words: WordsOut) -> Line:
    if spec.kind is OutputKind.USER_OUTPUT:
        return {"user": _argument(spec.arg, words)}
    if spec.kind is OutputKind.LOSS_OUTPUT:
        return {"loss": _argument(spec.arg, words)}
    name = getattr(spec.arg, "name", None)
    if spec.kind.name == "TOKEN":
        return {"token": True, "n": name}
    return {_OUTPUTS[spec.kind.name]: spec.target, "n": name}


def _bound(bound: Any, outward: Callable[[Any], int]) -> int | None:
    """A bound as a 64-bit integer, with floats rounded outward; None if it is infinite or too large."""
    if isinstance(bound, BooleanAtom):
        return int(bool(bound))
    if bound in (sympy.oo, -sympy.oo, int_oo, -int_oo):
        return None
    number = int(outward(bound))
    return number if -(1 << 63) <= number < 1 << 63 else None
