"""Times PyTorch's passes and Sunder's on the same graphs, as a table:
`compare_with_torch.py [--cli PATH] [--bench PATH] [--passes NAME …] [--nodes N …] [--model FILE.pt2] [--oracle DIR]`.

Needs PyTorch. split_by_tags, split_module, partition, regions, and support run on graphs of repeated blocks with about N calls,
unflatten on the model. Times each pass alone, without reading, writing, and verifying, in two ways:

  warm  Both run the pass repeatedly in one process (Sunder's in passes_bench). The result is the least processor time of
        a run, which other processes affect little. (PyTorch's partition, regions, and support, which take seconds or minutes, run once.)
  cold  The wall time of a single run in a new sunder-cli, as it reports it, best of several processes, compared with the
        same warm time of PyTorch. Use more processes on a busy machine (--repeat).

Compares the results of the cold runs with those of PyTorch.
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
from torch._dynamo.graph_region_tracker import GraphRegionTracker
from torch.fx.experimental import accelerator_partitioner, partitioner_utils
from torch.fx.passes.infra.partitioner import CapabilityBasedPartitioner
from torch.fx.passes.operator_support import OperatorSupportBase
from torch.fx.passes.split_module import split_module
from torch.fx.passes.split_utils import split_by_tags

import torch_graphs

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = 8


def timed(run, repeat=1):
    """Returns the least processor seconds of several runs, and the last result."""
    best = None
    for _ in range(repeat):
        start = time.process_time()
        result = run()
        taken = time.process_time() - start
        best = taken if best is None else min(best, taken)
    return best, result


class Bench:
    """One pass on one graph: `theirs()` gives seconds and a result, `ours()` seconds, cold, `warm()` seconds of repeated
    runs; `verdict()` compares the results."""

    def __init__(self, options, folder):
        self.options = options
        self.folder = folder

    def run_cli(self, *arguments):
        best = None
        for _ in range(self.options.repeat):
            done = subprocess.run([self.options.cli, *arguments, "--json"], capture_output=True, text=True)
            if done.returncode != 0:
                raise SystemExit(f"sunder-cli: exit {done.returncode}: {done.stdout.strip()} {done.stderr.strip()}")
            taken = json.loads(done.stdout)["seconds"]["pass"]
            best = taken if best is None else min(best, taken)
        return best

    def run_bench(self, name, model, *arguments):
        done = subprocess.run([self.options.bench, "--json", "--passes", name, "--model", model,
                               "--repeat", str(4 * self.options.repeat), *arguments], capture_output=True, text=True)
        if done.returncode != 0 or not done.stdout.startswith("{"):
            raise SystemExit(f"passes_bench: exit {done.returncode}: {done.stdout.strip()} {done.stderr.strip()}")
        return json.loads(done.stdout)["processor"]

    def store(self, name, content):
        path = self.folder / name
        path.write_text(json.dumps(content), encoding="utf-8")
        return path

    def same_graphs(self, expected):
        if not self.options.oracle:
            return "not compared"
        return torch_graphs.same(self.options.oracle, expected, self.folder / "out.fxj")


class BlockBench(Bench):
    make = staticmethod(torch_graphs.blocks)

    def __init__(self, options, folder, calls):
        super().__init__(options, folder)
        self.gm = self.make(calls)
        self.nodes = len(self.gm.graph.nodes)
        self.repeat = options.repeat if calls <= 20_000 else 1
        torch_graphs.write(self.gm, folder / "in.fxj", self.extra)

    def extra(self, node):
        return {}


class SplitByTags(BlockBench):
    def __init__(self, options, folder, calls):
        super().__init__(options, folder, calls)
        self.order = [f"part{i}" for i in range(PARTS)]
        for node, part in torch_graphs.parts_of(self.gm, PARTS):
            node.tag = self.order[part]

    def theirs(self):
        return timed(lambda: split_by_tags(self.gm, self.order), self.repeat)

    def ours(self):
        tags = {n.name: n.tag for n in self.gm.graph.nodes if n.op.startswith("call_")}
        self.tags = self.store("tags.json", {"order": self.order, "tags": tags})
        return self.run_cli("split", self.folder / "in.fxj", "--tags", self.tags, "-o", self.folder / "out.fxj",
                            "--no-verify")

    def warm(self):
        return self.run_bench("split_by_tags", self.folder / "in.fxj", "--tags", self.tags)

    verdict = Bench.same_graphs


class SplitModule(BlockBench):
    def theirs(self):
        self.part = {n.name: part for n, part in torch_graphs.parts_of(self.gm, PARTS)}
        return timed(lambda: split_module(self.gm, None, lambda node: self.part[node.name]), self.repeat)

    def ours(self):
        file = self.store("partitions.json", self.part)
        return self.run_cli("split-module", self.folder / "in.fxj", "--partitions", file, "-o", self.folder / "out.fxj",
                            "--no-verify")

    def warm(self):
        tags = self.store("tags.json", {"order": [str(i) for i in range(PARTS)],
                                        "tags": {name: str(part) for name, part in self.part.items()}})
        return self.run_bench("split_module", self.folder / "in.fxj", "--tags", tags)

    verdict = Bench.same_graphs


class Partition(BlockBench):
    """The size_based partitioner of current PyTorch over eight devices, including the cut."""

    make = staticmethod(torch_graphs.tensor_blocks)
    bytes = 4 * torch_graphs.SIZE

    def __init__(self, options, folder, calls):
        super().__init__(options, folder, calls)
        memory = self.bytes * (self.nodes - 1) // PARTS + 4096
        self.devices = [{"name": f"dev{i}", "available_mem_bytes": memory, "logical_id": i} for i in range(PARTS)]

    def extra(self, node):
        return {} if node.op == "output" else {"size_bytes": {"output": self.bytes, "total": self.bytes}}

    def theirs(self):
        worker = accelerator_partitioner.Partitioner()
        config = partitioner_utils.PartitionerConfig([partitioner_utils.Device(**d) for d in self.devices])
        seconds, _ = timed(lambda: worker.partition_graph(self.gm, self.gm, config))
        place = {n: i for i, n in enumerate(self.gm.graph.nodes)}
        return seconds, [[[n.name for n in sorted(p.nodes, key=place.get)], p.used_mem_bytes, p.logical_device_ids]
                         for p in worker.partitions]

    def ours(self):
        self.config = self.store("config.json", {"mode": "size_based", "devices": self.devices})
        return self.run_cli("partition", self.folder / "in.fxj", "--config", self.config, "--as-upstream", "--no-verify",
                            "-o", self.folder / "out.fxj", "--result", self.folder / "result.json")

    def warm(self):
        return self.run_bench("partition_today", self.folder / "in.fxj", "--config", self.config, "--as-upstream")

    def verdict(self, expected):
        made = json.loads((self.folder / "result.json").read_text(encoding="utf-8"))["partitions"]
        return "equal" if [[p["nodes"], p["used_mem_bytes"], p["logical_device_ids"]] for p in made] == expected else "DIFFERENT"


class Regions(BlockBench):
    """The regions of PyTorch's tracker, if a call is identical to those at its position in other blocks."""

    flags = ("--as-upstream",)

    def extra(self, node):
        return {} if node not in self.keys() else {"region_key": str(self.keys()[node])}

    def keys(self):
        if not hasattr(self, "_keys"):
            calls = [n for n in self.gm.graph.nodes if n.op.startswith("call_")]
            self._keys = {n: i % 10 for i, n in enumerate(calls)}
        return self._keys

    def theirs(self):
        tracker = GraphRegionTracker()
        for node, key in self.keys().items():
            members = tracker.hash_to_duplicates[key]
            members.append(node)
            tracker.node_to_duplicates[node] = members
        seconds, found = timed(lambda: tracker.get_identical_regions(self.gm.graph))
        return seconds, [[[n.name for n in region] for region in group] for group in found]

    def ours(self):
        return self.run_cli("regions", self.folder / "in.fxj", "-o", self.folder / "regions.json", *self.flags)

    def warm(self):
        return self.run_bench("regions", self.folder / "in.fxj", *self.flags)

    def verdict(self, expected):
        made = json.loads((self.folder / "regions.json").read_text(encoding="utf-8"))
        return "equal" if [group["regions"] for group in made["groups"]] == expected else "DIFFERENT"


class CheckedRegions(Regions):
    """The same with the checks that PyTorch lacks: whether the regions may share a subgraph."""

    flags = ()

    def verdict(self, expected):
        made = json.loads((self.folder / "regions.json").read_text(encoding="utf-8"))
        return f"{len(made['rejected'])} rejected"


class Support(BlockBench):
    """CapabilityBasedPartitioner on a graph in which two of ten ops are unsupported."""

    unsupported = ("tanh", "cat")

    def theirs(self):
        class Supported(OperatorSupportBase):
            def is_node_supported(_, submodules, node):
                return node.op == "call_function" and node.target.__name__ not in self.unsupported

        partitioner = CapabilityBasedPartitioner(self.gm, Supported())
        seconds, found = timed(partitioner.propose_partitions)
        return seconds, sorted(sorted(node.name for node in one.nodes) for one in found)

    def ours(self):
        nodes = [n.name for n in self.gm.graph.nodes if n.op == "call_function" and n.target.__name__ not in self.unsupported]
        self.support = self.store("support.json", {"supported_nodes": nodes})
        return self.run_cli("support", self.folder / "in.fxj", "--support", self.support, "--method", "capability",
                            "-o", self.folder / "tags.json")

    def warm(self):
        return self.run_bench("support", self.folder / "in.fxj", "--support", self.support)

    def verdict(self, expected):
        tags = json.loads((self.folder / "tags.json").read_text(encoding="utf-8"))
        made = {tag: [] for tag in tags["order"] if "_acc_" in tag}
        for node, tag in tags["tags"].items():
            if tag in made:
                made[tag].append(node)
        return "equal" if sorted(map(sorted, made.values())) == expected else "DIFFERENT"


class Unflatten(Bench):
    def __init__(self, options, folder, _):
        super().__init__(options, folder)
        self.program = torch.export.load(options.model)
        self.nodes = len(self.program.graph.nodes)

    def theirs(self):
        return timed(lambda: torch.export.unflatten(self.program), self.options.repeat)

    def ours(self):
        return self.run_cli("unflatten", self.options.model, "-o", self.folder / "out.fxj", "--no-verify")

    def warm(self):
        return self.run_bench("unflatten", self.options.model)

    verdict = Bench.same_graphs


PASSES = {"split_by_tags": SplitByTags, "split_module": SplitModule, "partition": Partition, "regions": Regions,
          "checked_regions": CheckedRegions, "unflatten": Unflatten, "support": Support}
#: Limits for passes of PyTorch whose memory or time is quadratic in the number of nodes.
SMALLER = {"partition": 10_000, "regions": 10_000, "checked_regions": 10_000, "support": 4_000}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cli", default=str(ROOT / "build/release/bin/sunder-cli"))
    parser.add_argument("--bench", default=str(ROOT / "build/release/bench/passes_bench"))
    parser.add_argument("--passes", nargs="+", choices=list(PASSES), default=list(PASSES))
    parser.add_argument("--nodes", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--model", default=str(ROOT / "../shared/samples/models/decoder160.pt2"), help="for unflatten")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--oracle", help="folder with fxjson.py and compare.py: compare the graphs as well")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    print(f"{'':<16} {'':>8} {'PyTorch':>10} {'Sunder,':>10} {'warm':>7} {'Sunder,':>10} {'cold':>7}")
    print(f"{'pass':<16} {'nodes':>8} {'warm, s':>10} {'warm, s':>10} {'ratio':>7} {'cold, s':>10} {'ratio':>7}  results")
    for name in options.passes:
        sizes = [n for n in options.nodes if n <= SMALLER.get(name, n)] if name != "unflatten" else [0]
        for calls in sizes:
            with tempfile.TemporaryDirectory() as folder:
                bench = PASSES[name](options, pathlib.Path(folder), calls)
                theirs, expected = bench.theirs()
                cold = bench.ours()
                warm = bench.warm()
                print(f"{name:<16} {bench.nodes:>8} {theirs:>10.3f} {warm:>10.5f} {theirs / warm:>7.0f} {cold:>10.5f} "
                      f"{theirs / cold:>7.0f}  {bench.verdict(expected)}", flush=True)


if __name__ == "__main__":
    main()
