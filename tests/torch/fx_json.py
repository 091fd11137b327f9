"""Writes torch.fx graph modules as fx-json, for tests of leaf modules and operators with sunder-cli."""

import json
import math

import torch
from torch.fx.node import _get_qualified_name

HEADER = {"k": "fx-json", "v": [1, 0], "min": [1, 0], "producer": "sunder tests", "torch": torch.__version__}


class NotWritten(Exception):
    """A value that fx-json cannot represent."""


def target(node_op, what):
    """Returns the target of a node in fx-json notation."""
    if node_op != "call_function":
        return what
    if isinstance(what, torch._ops.OpOverload):
        return f"torch.ops.{what.namespace}.{what._schema.name.split('::')[1]}.{what._overloadname}"
    if isinstance(what, torch._ops.OpOverloadPacket):
        return "torch.ops." + what._qualified_op_name.replace("::", ".")
    if isinstance(what, torch._ops.HigherOrderOperator):
        return f"torch.ops.higher_order.{what.name()}"
    return _get_qualified_name(what)


def value(v, tensor=None):
    """Returns a Python value as JSON, with nodes by name and all tensors as the node named `tensor`."""
    if isinstance(v, torch.fx.Node):
        return {"n": v.name}
    if tensor and isinstance(v, torch.Tensor):
        return {"n": tensor}
    if v is None or isinstance(v, (bool, str)):
        return v
    if isinstance(v, int):
        return v if -2**63 <= v < 2**63 else {"i": str(v)}
    if isinstance(v, float):
        return v if math.isfinite(v) else {"f": "nan" if math.isnan(v) else "inf" if v > 0 else "-inf"}
    if isinstance(v, complex):
        return {"c": [v.real, v.imag]}
    if isinstance(v, torch.Size):
        return {"t": [value(x, tensor) for x in v]}
    if isinstance(v, tuple) and hasattr(v, "_fields"):
        cls = type(v)
        return {"nt": [f"{cls.__module__}.{cls.__qualname__}", list(v._fields), [value(x, tensor) for x in v]]}
    if isinstance(v, tuple):
        return {"t": [value(x, tensor) for x in v]}
    if isinstance(v, list):
        return [value(x, tensor) for x in v]
    if isinstance(v, dict):
        return {"d": [[k, value(x, tensor)] for k, x in v.items()]}
    if isinstance(v, slice):
        return {"slice": [value(v.start, tensor), value(v.stop, tensor), value(v.step, tensor)]}
    if v is Ellipsis:
        return {"ellipsis": 1}
    for kind, key in ((torch.dtype, "dtype"), (torch.layout, "layout"), (torch.memory_format, "mf")):
        if isinstance(v, kind):
            return {key: str(v).removeprefix("torch.")}
    if isinstance(v, torch.device):
        return {"device": str(v)}
    if isinstance(v, torch.Generator):
        return {"repr": "torch.Generator()", "cls": "torch._C.Generator"}
    raise NotWritten(type(v).__name__)


def attributes(module):
    """Returns the module's public fields of plain types."""
    return {name: value(field) for name, field in vars(module).items()
            if not name.startswith("_") and type(field) in (bool, int, float, str, type(None))}


def class_name(module):
    return f"{type(module).__module__}.{type(module).__qualname__}"


def node_line(node, graph="g0"):
    return {"k": "node", "g": graph, "name": node.name, "op": node.op, "target": target(node.op, node.target),
            "args": [value(a) for a in node.args], "kwargs": [[k, value(a)] for k, a in node.kwargs.items()]}


def module_lines(root, with_attributes):
    seen = {}
    for path, module in root.named_modules(remove_duplicate=False):
        if path == "":
            continue
        if id(module) in seen:
            yield {"k": "module", "path": path, "same": seen[id(module)]}
            continue
        seen[id(module)] = path
        line = {"k": "module", "path": path, "cls": class_name(module), "leaf": True}
        if with_attributes:
            line["attrs"] = attributes(module)
        yield line


def cloned(v):
    """Returns the same value in separate memory."""
    return torch.utils._pytree.tree_map(lambda leaf: leaf.clone() if isinstance(leaf, torch.Tensor) else leaf, v)


def tensor_lines(root, prefix=""):
    """`prefix` makes names of storages unique if a file has the tensors of several roots."""
    seen = {}
    storages = {}
    buffers = dict(root.named_buffers(remove_duplicate=False))
    for fqn, tensor in [*root.named_parameters(remove_duplicate=False), *buffers.items()]:
        role = "buffer" if fqn in buffers else "parameter"
        if id(tensor) in seen:
            yield {"k": "tensor", "fqn": fqn, "same": seen[id(tensor)], "role": role}
            continue
        seen[id(tensor)] = fqn
        key = tensor.untyped_storage().data_ptr() or id(tensor)
        if key not in storages:
            storages[key] = f"{prefix}s{len(storages)}"
            yield {"k": "storage", "id": storages[key], "nbytes": tensor.untyped_storage().nbytes()}
        yield {"k": "tensor", "fqn": fqn, "role": role, "persistent": True, "requires_grad": tensor.requires_grad,
               "dtype": str(tensor.dtype).removeprefix("torch."), "shape": list(tensor.shape),
               "stride": list(tensor.stride()), "offset": tensor.storage_offset(), "device": "cpu",
               "layout": "strided", "storage": storages[key]}


def write(graph_module, path, with_attributes=True):
    """Writes a graph module whose modules are all leaves."""
    nodes = [node_line(node) for node in graph_module.graph.nodes]
    lines = [HEADER, *module_lines(graph_module, with_attributes), *tensor_lines(graph_module),
             {"k": "graph", "id": "g0", "module": ""}, *nodes, {"k": "end", "nodes": len(nodes)}]
    with open(path, "w") as out:
        out.writelines(json.dumps(line) + "\n" for line in lines)
