"""Times split_by_tags in PyTorch and in Sunder on the same graph: `compare_with_torch.py [--cli PATH] [--nodes N …]`.

Needs PyTorch (run it with a Python that has it). For each size it makes a graph of repeated blocks in torch.fx, tags it
in consecutive parts, times torch's split_by_tags, writes the graph as fx-json and times `sunder-cli split --json`, which
reports the seconds of the pass alone. Prints both and the ratio; with --oracle it also compares the two results.
"""

import argparse
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import warnings

import torch
import torch.fx
from torch.fx.passes.split_utils import split_by_tags

ROOT = pathlib.Path(__file__).resolve().parents[2]
SIZE = 16


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.up = torch.nn.Parameter(torch.zeros(1, SIZE))
        self.down = torch.nn.Parameter(torch.zeros(1, SIZE))


def blocks(calls):
    """A torch.fx graph of about `calls` calls: residual layers that read parameters, with a split and its getitems."""
    root = torch.nn.Module()
    count = max(1, calls // 10)
    root.blocks = torch.nn.ModuleList(Layer() for _ in range(count))
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
    return torch.fx.GraphModule(root, graph)


def tag(gm, parts):
    calls = [n for n in gm.graph.nodes if n.op.startswith("call_")]
    order = [f"part{i}" for i in range(parts)]
    for i, node in enumerate(calls):
        node.tag = order[min(i * parts // len(calls), parts - 1)]
    return order, {n.name: n.tag for n in calls}


def write(gm, path):
    """The graph as fx-json (spec/fx-json.md), as far as this script makes graphs."""
    def value(v):
        if isinstance(v, torch.fx.Node):
            return {"n": v.name}
        if isinstance(v, list):
            return [value(x) for x in v]
        return v

    lines = [{"k": "fx-json", "v": [1, 0], "min": [1, 0], "producer": "compare_with_torch"}, {"k": "module", "path": ""}]
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
                      "args": [value(a) for a in n.args], "kwargs": []})
    lines.append({"k": "end", "nodes": len(gm.graph.nodes)})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def seconds_of_torch(gm, order, repeat):
    best, result = None, None
    for _ in range(repeat):
        start = time.perf_counter()
        result = split_by_tags(gm, order)
        taken = time.perf_counter() - start
        best = taken if best is None else min(best, taken)
    return best, result


def seconds_of_sunder(cli, folder, repeat):
    best = None
    for _ in range(repeat):
        done = subprocess.run([cli, "split", folder / "in.fxj", "--tags", folder / "tags.json", "-o", folder / "out.fxj",
                               "--no-verify", "--json"], capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"sunder-cli: exit {done.returncode}: {done.stderr.strip()}")
        taken = json.loads(done.stdout)["seconds"]["pass"]
        best = taken if best is None else min(best, taken)
    return best


def same(oracle, expected, folder):
    spec = importlib.util.spec_from_file_location("fxjson", pathlib.Path(oracle) / "fxjson.py")
    fxjson = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fxjson)
    fxjson.dump(expected, folder / "expected.fxj")
    done = subprocess.run([sys.executable, pathlib.Path(oracle) / "compare.py", folder / "expected.fxj", folder / "out.fxj"],
                          capture_output=True, text=True)
    return "results are equal" if done.returncode == 0 else "RESULTS DIFFER: " + done.stdout.strip()[:500]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cli", default=str(ROOT / "build/release/bin/sunder-cli"))
    parser.add_argument("--nodes", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--parts", type=int, default=8)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--oracle", help="folder with fxjson.py and compare.py: compare the results as well")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    for count in options.nodes:
        gm = blocks(count)
        order, tags = tag(gm, options.parts)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            write(gm, folder / "in.fxj")
            (folder / "tags.json").write_text(json.dumps({"order": order, "tags": tags}), encoding="utf-8")
            theirs, result = seconds_of_torch(gm, order, options.repeat if count <= 20_000 else 1)
            ours = seconds_of_sunder(options.cli, folder, options.repeat)
            verdict = "; " + same(options.oracle, result, folder) if options.oracle else ""
        print(f"{len(gm.graph.nodes):>8} nodes, {options.parts} parts: PyTorch {theirs:9.3f} s, Sunder {ours:9.5f} s, "
              f"{theirs / ours:8.0f} times faster{verdict}", flush=True)


if __name__ == "__main__":
    main()
