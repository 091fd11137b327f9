"""Times today's size_based partitioner in PyTorch and in Sunder on the same graph:
`compare_partition_with_torch.py [--cli PATH] [--nodes N …]`.

Needs PyTorch. For each size it makes a graph of repeated blocks whose values are tensors (torch's partitioner takes
nothing else), runs both over eight devices, and says whether nodes, bytes and devices of all partitions are equal.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile
import time
import warnings

import torch
import torch.fx
from torch.fx.experimental import accelerator_partitioner, partitioner_utils
from torch.fx.passes.shape_prop import _extract_tensor_metadata

import compare_with_torch

SIZE = compare_with_torch.SIZE


def blocks(calls):
    """About `calls` calls: residual layers of ten that read two parameters of their own."""
    root = torch.nn.Module()
    count = max(1, calls // 10)
    root.blocks = torch.nn.ModuleList(compare_with_torch.Layer() for _ in range(count))
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
    gm = torch.fx.GraphModule(root, graph)
    meta = _extract_tensor_metadata(torch.zeros(1, SIZE))
    for node in gm.graph.nodes:
        node.meta["tensor_meta"] = meta
    return gm


def write(gm, path):
    compare_with_torch.write(gm, path)
    size = {"output": 4 * SIZE, "total": 4 * SIZE}
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        if line["k"] == "node" and line["op"] != "output":
            line["size_bytes"] = size
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def run_torch(gm, devices):
    worker = accelerator_partitioner.Partitioner()
    config = partitioner_utils.PartitionerConfig([partitioner_utils.Device(**d) for d in devices])
    start = time.perf_counter()
    worker.partition_graph(gm, gm, config)
    taken = time.perf_counter() - start
    place = {n: i for i, n in enumerate(gm.graph.nodes)}
    return taken, [[[n.name for n in sorted(p.nodes, key=place.get)], p.used_mem_bytes, p.logical_device_ids]
                   for p in worker.partitions]


def run_sunder(cli, folder, repeat):
    best = None
    for _ in range(repeat):
        done = subprocess.run([cli, "partition", folder / "in.fxj", "--config", folder / "config.json", "--as-upstream", "--json",
                               "--no-verify", "-o", folder / "out.fxj", "--result", folder / "result.json"],
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"sunder-cli: exit {done.returncode}: {done.stdout.strip()} {done.stderr.strip()}")
        taken = json.loads(done.stdout)["seconds"]["pass"]
        best = taken if best is None else min(best, taken)
    result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    return best, [[p["nodes"], p["used_mem_bytes"], p["logical_device_ids"]] for p in result["partitions"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cli", default=str(compare_with_torch.ROOT / "build/release/bin/sunder-cli"))
    parser.add_argument("--nodes", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    for count in options.nodes:
        gm = blocks(count)
        whole = 4 * SIZE * (len(gm.graph.nodes) - 1)
        devices = [{"name": f"dev{i}", "available_mem_bytes": whole // 8 + 4096, "logical_id": i} for i in range(8)]
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            write(gm, folder / "in.fxj")
            (folder / "config.json").write_text(json.dumps({"mode": "size_based", "devices": devices}), encoding="utf-8")
            theirs, expected = run_torch(gm, devices)
            ours, made = run_sunder(options.cli, folder, options.repeat)
        print(f"{len(gm.graph.nodes):>8} nodes, {len(made)} partitions: PyTorch {theirs:9.3f} s, Sunder {ours:9.5f} s, "
              f"{theirs / ours:8.0f} times faster; {'equal' if made == expected else 'DIFFERENT'}", flush=True)


if __name__ == "__main__":
    main()
