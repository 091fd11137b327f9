"""All fields of a program saved by torch.export, and copies of programs with one changed field."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path as FilePath
from typing import Any, Iterator

from changed_values import ABSENT, UNKNOWN, Path, at, changed_values, with_value

Members = dict[str, dict[str, Any]]  #: members of an archive by name: "json", "text", or bytes as "hex"
Field = tuple[str, str, Path]  #: the type in PyTorch's schema, the name of the field, and the path of its value

#: Types in torch/_export/serde/schema.py by the fields that contain them: one, a [list], a {dict}, or a [[list]] of lists.
_SCHEMA = """
ExportedProgram: graph_module GraphModule; range_constraints {RangeConstraint}; schema_version SchemaVersion
GraphModule: graph Graph; signature GraphSignature; module_call_graph [ModuleCallEntry]; treespec_namedtuple_fields {NamedTupleDef}
Graph: inputs [Argument]; outputs [Argument]; nodes [Node]; tensor_values {TensorMeta}; sym_int_values {SymInt};\
 sym_bool_values {SymBool}; custom_obj_values {CustomObjArgument}; sym_float_values {SymFloat}
Node: inputs [NamedArgument]; outputs [Argument]
NamedArgument: arg Argument
Argument: as_tensor TensorArgument; as_tensors [TensorArgument]; as_sym_int SymIntArgument; as_sym_ints [SymIntArgument];\
 as_device Device; as_sym_bool SymBoolArgument; as_sym_bools [SymBoolArgument]; as_graph GraphArgument;\
 as_optional_tensors [OptionalTensorArgument]; as_custom_obj CustomObjArgument; as_sym_float SymFloatArgument;\
 as_sym_floats [SymFloatArgument]; as_optional_tensor OptionalTensorArgument; as_complex ComplexValue;\
 as_nested_tensors [[TensorArgument]]; as_string_to_argument {Argument}
OptionalTensorArgument: as_tensor TensorArgument
GraphArgument: graph Graph
TensorMeta: sizes [SymInt]; device Device; strides [SymInt]; storage_offset SymInt
SymInt: as_expr SymExpr
SymFloat: as_expr SymExpr
SymBool: as_expr SymExpr
SymExpr: hint SymExprHint
GraphSignature: input_specs [InputSpec]; output_specs [OutputSpec]
InputSpec: user_input UserInputSpec; parameter InputToParameterSpec; buffer InputToBufferSpec;\
 tensor_constant InputToTensorConstantSpec; custom_obj InputToCustomObjSpec; token InputTokenSpec;\
 constant_input InputToConstantInputSpec
UserInputSpec: arg Argument
InputToConstantInputSpec: value ConstantValue
InputToParameterSpec: arg TensorArgument
InputToBufferSpec: arg TensorArgument
InputToTensorConstantSpec: arg TensorArgument
InputToCustomObjSpec: arg CustomObjArgument
InputTokenSpec: arg TokenArgument
OutputSpec: user_output UserOutputSpec; loss_output LossOutputSpec; buffer_mutation BufferMutationSpec;\
 gradient_to_parameter GradientToParameterSpec; gradient_to_user_input GradientToUserInputSpec;\
 user_input_mutation UserInputMutationSpec; token OutputTokenSpec; parameter_mutation ParameterMutationSpec
UserOutputSpec: arg Argument
LossOutputSpec: arg TensorArgument
BufferMutationSpec: arg TensorArgument
ParameterMutationSpec: arg TensorArgument
GradientToParameterSpec: arg TensorArgument
GradientToUserInputSpec: arg TensorArgument
UserInputMutationSpec: arg TensorArgument
OutputTokenSpec: arg TokenArgument
ModuleCallEntry: signature ModuleCallSignature
ModuleCallSignature: inputs [Argument]; outputs [Argument]
PayloadConfig: config {PayloadMeta}
PayloadMeta: tensor_meta TensorMeta
"""
_TYPES = {
    kind: dict(field.split() for field in fields.split("; "))
    for kind, fields in (line.split(": ", 1) for line in _SCHEMA.strip().splitlines())
}
#: Tagged unions: their objects have exactly one member, the tag.
_UNIONS = frozenset("Argument SymInt SymFloat SymBool SymIntArgument SymFloatArgument SymBoolArgument SymExprHint InputSpec OutputSpec ConstantValue OptionalTensorArgument".split())
_NOT_USERS = ("p_", "b_", "c_", "token")  #: prefixes of names of inputs that are tensors of the program or tokens
_WITH_ROLES = frozenset("Argument Graph TensorMeta SymInt SymExpr SymExprHint Device".split())
_OTHERS: dict[tuple[str, str], list[Any]] = {
    ("Argument", "as_scalar_type"): [8],
    ("Argument", "as_operator"): ["_operator.mul"],
    ("TensorMeta", "dtype"): [8, 5],
    ("TensorMeta", "layout"): [1],
    ("Device", "type"): ["cuda"],
    ("Node", "target"): ["torch.ops.aten.tanh.default"],
    ("NamedArgument", "kind"): [1, 2],
    ("SymExpr", "expr_str"): ["Integer(4)", "Symbol('s78', positive=True, integer=True)"],
}
#: Defaults of omitted members.
_DEFAULTS = {
    "index": [None],
    "requires_grad": [False],
    "is_single_tensor_return": [False],
    "use_pickle": [False],
    "layout": [7],
    "storage_offset": [{"as_int": 0}],
    "device": [{"type": "cpu", "index": None}],
    "guards_code": [[]],
    "treespec_namedtuple_fields": [{}],
    "module_call_graph": [[]],
    **dict.fromkeys(("sym_int_values", "sym_float_values", "sym_bool_values", "custom_obj_values"), [{}]),
}
PROGRAM, WEIGHTS, CONSTANTS = (
    "models/model.json",
    "data/weights/model_weights_config.json",
    "data/constants/model_constants_config.json",
)


def fields_of(members: Members) -> Iterator[Field]:
    """Yields every field of the schema types in these files, and each member of the archive."""
    for name in members:
        yield "archive", "data/weights" if name.startswith("data/weights/w") else "data/constants" if "/t" in name else name, (name,)
    for name, kind in ((PROGRAM, "ExportedProgram"), (WEIGHTS, "PayloadConfig"), (CONSTANTS, "PayloadConfig")):
        if name in members:
            yield from _members(kind, members[name]["json"], (name, "json"))


def _members(kind: str, found: dict[str, Any], path: Path, role: str = "") -> Iterator[Field]:
    """`role` is the owner of the tensors and sizes inside, most of which follow from others."""
    name = f"{kind} of {role}" if role and kind in _WITH_ROLES else kind
    if kind not in _UNIONS:
        yield name, "*", path
    for key, value in found.items():
        place = (*path, key)
        yield name, key, place
        inside = _TYPES.get(kind, {}).get(key)
        if inside is None or value is None:
            continue
        for where, one in _objects(inside, value, place):
            yield from _members(inside.strip("[]{}"), one, where, _role(kind, key, where, found, role))


def _objects(inside: str, value: Any, path: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    if inside.startswith("[["):
        for i, values in enumerate(value):
            yield from _objects("[", values, (*path, i))
    elif inside.startswith("["):
        yield from (((*path, i), one) for i, one in enumerate(value))
    elif inside.startswith("{"):
        yield from (((*path, key), one) for key, one in value.items())
    else:
        yield path, value


def _role(kind: str, key: str, where: Path, found: dict[str, Any], role: str) -> str:
    if kind == "PayloadMeta":
        return "weights"
    if kind == "TensorMeta" and key in ("strides", "storage_offset"):
        return f"strides of {role}"
    if key == "graph":
        return "" if kind == "GraphModule" else "nested graphs"
    if kind == "Graph" and key in ("inputs", "outputs"):
        return "inputs" if key == "inputs" else ""
    if kind == "Graph" and key.endswith("_values"):
        names = (name for one in found["inputs"] for held in one.values() if isinstance(held, dict) for name in held.values())
        return "inputs" if not role and where[-1] in names and not str(where[-1]).startswith(_NOT_USERS) else "values"
    return role if kind != "Node" else ""


def changed(members: Members, field: Field) -> Iterator[tuple[str, Members]]:
    """Yields programs that differ only in this field, each with a description of the change."""
    kind, key, path = field
    if kind == "archive":
        yield "left out", {name: one for name, one in members.items() if name != path[0]}
        found = members[path[0]]
        if "hex" in found:
            yield "another bit", {**members, path[0]: {"hex": f"{int(found['hex'][:2], 16) ^ 4:02x}{found['hex'][2:]}"}}
        elif "text" in found:
            yield "another text", {**members, path[0]: {"text": found["text"] + "1"}}
        return
    if key == "*":
        yield "with an unknown key", with_value(members, path, {**at(members, path), UNKNOWN: 1})
        return
    inside = _TYPES.get(kind.partition(" ")[0], {}).get(key, "[")
    for said, value in changed_values(members, path, _OTHERS.get((kind.partition(" ")[0], key), [])):
        if said == "with an unknown member" and inside[0] not in "[{":
            continue  # belongs to "*" of the inner type
        is_default = value is ABSENT and at(members, path) in _DEFAULTS.get(key, [])
        yield "left out, as is its default" if is_default else said, with_value(members, path, value)


def write(members: Members, path: FilePath) -> None:
    """Writes an archive in the layout of torch.export.save."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, found in members.items():
            kind, held = next(iter(found.items()))
            data = bytes.fromhex(held) if kind == "hex" else (json.dumps(held) if kind == "json" else held).encode()
            archive.writestr(zipfile.ZipInfo(f"model/{name}"), data)
