"""Writes plain torch.fx graph modules as fx-json with all data for an exported program: values of nodes, and the bytes of weights
in an archive next to the file."""

import json
import zipfile

import fx_json
import torch


def tensor_value(tensor):
    meta = {"dtype": str(tensor.dtype).removeprefix("torch."), "shape": [size(s) for s in tensor.shape]}
    if tensor.stride is not None:
        meta["stride"] = [size(s) for s in (tensor.stride() if callable(tensor.stride) else tensor.stride)]
    meta["requires_grad"] = bool(tensor.requires_grad)
    return {"tensor": meta}


def size(number):
    return {"sym": str(number.node.expr), "hint": number.node.hint} if isinstance(number, torch.SymInt) else int(number)


def described(value):
    """Returns a nested `val`: tensors, fake or described by shape propagation, symbols, and constants."""
    if isinstance(value, (torch.Tensor, torch.fx.passes.shape_prop.TensorMetadata)):
        return tensor_value(value)
    if isinstance(value, torch.SymInt):
        return size(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        cls = type(value)
        return {"nt": [f"{cls.__module__}.{cls.__qualname__}", list(value._fields), [described(x) for x in value]]}
    if isinstance(value, (tuple, torch.Size)):
        return {"t": [described(x) for x in value]}
    if isinstance(value, list):
        return [described(x) for x in value]
    if isinstance(value, dict):
        return {"d": [[key, described(x)] for key, x in value.items()]}
    return fx_json.value(value)


def with_value(line, node):
    for key in ("val", "example_value", "tensor_meta"):
        if key in node.meta:
            line["val"] = described(node.meta[key])
            break
    return line


def tensors_of(module):
    """Yields (name, tensor, role, persistent), including aliases."""
    persistent = set(module.state_dict(keep_vars=True))
    for name, tensor in module.named_parameters(remove_duplicate=False):
        yield name, tensor, "parameter", True
    buffers = dict(module.named_buffers(remove_duplicate=False))
    for name, tensor in buffers.items():
        yield name, tensor, "buffer", name in persistent
    for node in module.graph.find_nodes(op="get_attr"):
        owner, _, last = node.target.rpartition(".")
        tensor = getattr(module.get_submodule(owner), last)
        if isinstance(tensor, torch.Tensor) and not isinstance(tensor, torch.nn.Parameter) and node.target not in buffers:
            yield node.target, tensor, "constant", False


def bytes_of(storage):
    return torch.empty(0, dtype=torch.uint8).set_(storage).numpy().tobytes()


def tensor_lines(module, archive, archive_name):
    storages, objects = {}, {}
    for name, tensor, role, persistent in tensors_of(module):
        if id(tensor) in objects:
            if name != objects[id(tensor)]:
                yield {"k": "tensor", "fqn": name, "same": objects[id(tensor)], "role": role, "persistent": persistent}
            continue
        objects[id(tensor)] = name
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in storages:
            record = f"data/weights/weight_{len(storages)}"
            storages[storage.data_ptr()] = f"s{len(storages)}"
            archive.writestr("weights/" + record, bytes_of(storage))
            crc = archive.getinfo("weights/" + record).CRC
            yield {"k": "storage", "id": storages[storage.data_ptr()], "nbytes": storage.nbytes(),
                   "at": {"file": archive_name, "record": record, "crc32": f"{crc:08x}"}}
        yield {"k": "tensor", "fqn": name, "role": role, "persistent": persistent, "requires_grad": tensor.requires_grad,
               "dtype": str(tensor.dtype).removeprefix("torch."), "shape": list(tensor.shape),
               "stride": list(tensor.stride()), "offset": tensor.storage_offset(), "device": "cpu", "layout": "strided",
               "storage": storages[storage.data_ptr()]}


def write(graph_module, path):
    """Writes PATH.fxj and PATH.weights.zip."""
    weights = path.with_suffix(".weights.zip")
    with zipfile.ZipFile(weights, "w") as archive:
        tensors = list(tensor_lines(graph_module, archive, weights.name))
    graphs = {path: module for path, module in graph_module.named_modules() if isinstance(module, torch.fx.GraphModule)}
    modules = [line for line in fx_json.module_lines(graph_module, True) if line["path"] not in graphs]
    nested = [{"k": "module", "path": path, "cls": "torch.fx.graph_module.GraphModule"} for path in graphs if path]
    drawn = [{"k": "graph", "id": f"g{i}", "module": path} for i, path in enumerate(graphs)]
    nodes = [with_value(fx_json.node_line(node, f"g{i}"), node)
             for i, module in enumerate(graphs.values()) for node in module.graph.nodes]
    lines = [fx_json.HEADER, *modules, *nested, *tensors, *drawn, *nodes, {"k": "end", "nodes": len(nodes)}]
    with open(path, "w", encoding="utf-8") as out:
        out.writelines(json.dumps(line) + "\n" for line in lines)
