"""Graphs of repeated blocks for comparisons with PyTorch, and their fx-json."""

import importlib.util
import json
import pathlib
import subprocess
import sys

import torch
import torch.fx
from torch.fx.passes.shape_prop import _extract_tensor_metadata

SIZE = 16


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.up = torch.nn.Parameter(torch.zeros(1, SIZE))
        self.down = torch.nn.Parameter(torch.zeros(1, SIZE))


def root_of(count):
    root = torch.nn.Module()
    root.blocks = torch.nn.ModuleList(Layer() for _ in range(count))
    return root


def blocks(calls):
    """A torch.fx graph of about `calls` calls: residual layers that read parameters, with a split and its getitems."""
    count = max(1, calls // 10)
    graph = torch.fx.Graph()
    first = x = graph.placeholder("x")
    for i in range(count):
        skip = first if i % 4 == 3 else x
        up = graph.call_function(torch.mul, (x, graph.get_attr(f"blocks.{i}.up")))
        act = graph.call_function(torch.tanh, (up,))
        down = graph.call_function(torch.mul, (act, graph.get_attr(f"blocks.{i}.down")))
        total = graph.call_function(torch.add, (down, skip))
        norm = graph.call_function(torch.relu, (total,))
        halves = graph.call_function(torch.split, (norm, SIZE // 2, -1))
        a = graph.call_function(sys.modules["_operator"].getitem, (halves, 0))
        b = graph.call_function(sys.modules["_operator"].getitem, (halves, 1))
        product = graph.call_function(torch.cat, ([a, b], -1))
        x = graph.call_function(torch.add, (product, x))
    graph.output(x)
    return torch.fx.GraphModule(root_of(count), graph)


def tensor_blocks(calls):
    """The same graph with metadata, and without ops with several results, which PyTorch's partitioner does not support."""
    count = max(1, calls // 10)
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    for i in range(count):
        value = x
        for k, function in enumerate((torch.mul, torch.tanh, torch.mul, torch.add, torch.relu) * 2):
            if function is torch.mul:
                args = (value, graph.get_attr(f"blocks.{i}.{'up' if k < 5 else 'down'}"))
            else:
                args = (value, x) if function is torch.add else (value,)
            value = graph.call_function(function, args)
        x = value
    graph.output(x)
    gm = torch.fx.GraphModule(root_of(count), graph)
    meta = _extract_tensor_metadata(torch.zeros(1, SIZE))
    for node in gm.graph.nodes:
        node.meta["tensor_meta"] = meta
    return gm


def parts_of(gm, parts):
    """Returns (node, number of its part) for all calls: stretches of equal length in graph order."""
    calls = [n for n in gm.graph.nodes if n.op.startswith("call_")]
    return [(n, min(i * parts // len(calls), parts - 1)) for i, n in enumerate(calls)]


def write(gm, path, extra=lambda node: {}):
    """Returns a graph of this file as fx-json (docs/fx-json.md). `extra` returns additional keys of a node."""
    def value(v):
        if isinstance(v, torch.fx.Node):
            return {"n": v.name}
        if isinstance(v, list):
            return [value(x) for x in v]
        return v

    lines = [{"k": "fx-json", "v": [1, 0], "min": [1, 0], "producer": "torch_graphs"}, {"k": "module", "path": ""}]
    for path_, module in gm.named_modules():
        if path_:
            lines.append({"k": "module", "path": path_, "cls": torch.typename(module), "leaf": False})
    for i, (fqn, t) in enumerate(gm.named_parameters()):
        lines.append({"k": "storage", "id": f"s{i}", "nbytes": t.untyped_storage().nbytes()})
        lines.append({"k": "tensor", "fqn": fqn, "role": "parameter", "persistent": True, "requires_grad": True,
                      "dtype": "float32", "shape": list(t.shape), "stride": list(t.stride()), "offset": 0,
                      "storage": f"s{i}"})
    lines.append({"k": "graph", "id": "g0", "module": ""})
    for n in gm.graph.nodes:
        target = n.target if isinstance(n.target, str) else torch.fx.node._get_qualified_name(n.target)
        lines.append({"k": "node", "g": "g0", "name": n.name, "op": n.op, "target": target,
                      "args": [value(a) for a in n.args], "kwargs": [], **extra(n)})
    lines.append({"k": "end", "nodes": len(gm.graph.nodes)})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def same(oracle, expected, made):
    """Whether the fx-json file `made` equals PyTorch's result, according to the scripts in the folder `oracle`."""
    spec = importlib.util.spec_from_file_location("fxjson", pathlib.Path(oracle) / "fxjson.py")
    fxjson = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fxjson)
    path = made.with_name("expected.fxj")
    fxjson.dump(expected, path)
    done = subprocess.run([sys.executable, pathlib.Path(oracle) / "compare.py", path, made], capture_output=True, text=True)
    return "equal" if done.returncode == 0 else "DIFFERENT: " + done.stdout.strip()[:300]
