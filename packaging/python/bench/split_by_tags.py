#!/usr/bin/env python3
"""split_by_tags.py [--nodes N …]: compares PyTorch's split_by_tags with sunder's, end to end.

The time includes the conversion to lines and back. Both results are run once, since sunder generates code in the first run and
torch before it. The two alternate. Prints the seconds of the fastest of --repeat rounds, the median of their ratios, and whether
the graphs are the same node for node.
"""

from __future__ import annotations

import argparse
import gc
import pathlib
import statistics
import sys
import time
import warnings
from typing import Any, Callable

import torch
from torch.fx.passes import split_utils

HERE = pathlib.Path(__file__).resolve()
sys.path[:0] = [str(HERE.parents[1]), str(HERE.parents[3] / "tests" / "bench")]

import sunder  # noqa: E402
import torch_graphs  # noqa: E402

PARTS = 8


def timed(split: Callable[[], Any], x: torch.Tensor) -> tuple[float, float, Any]:
    """Returns the seconds of the split and of the first run of its result, and the result."""
    gc.collect()
    start = time.perf_counter()
    result = split()
    made = time.perf_counter()
    result(x)
    return made - start, time.perf_counter() - made, result


def facts(module: torch.fx.GraphModule) -> list[Any]:
    graphs = [module.graph, *(child.graph for child in module.children() if isinstance(child, torch.fx.GraphModule))]
    return [[(n.name, n.op, n.target, str(n.args), str(n.kwargs), list(n.meta)) for n in graph.nodes] for graph in graphs]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--nodes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    print(f"{'nodes':>8} {'torch':>9} {'+ first run':>12} {'sunder':>9} {'+ first run':>12} {'ratio':>6} {'with run':>9}  graphs")
    for count in options.nodes:
        module = torch_graphs.blocks(count)
        order = [f"part{i}" for i in range(PARTS)]
        for node, part in torch_graphs.parts_of(module, PARTS):
            node.tag = order[part]
        repeat = options.repeat if count < 100_000 else 2
        x = torch.ones(1, torch_graphs.SIZE)
        rounds = []
        for _ in range(repeat):
            wanted = timed(lambda: split_utils.split_by_tags(module, order), x)
            made = timed(lambda: sunder.split_by_tags(module, order), x)
            same = "same" if facts(made[2]) == facts(wanted[2]) else "DIFFERENT"
            rounds.append((*wanted[:2], *made[:2]))
            del wanted, made
        theirs, their_run = min((one[:2] for one in rounds), key=sum)
        ours, ours_run = min((one[2:] for one in rounds), key=sum)
        ratio = statistics.median([one[0] / one[2] for one in rounds])
        whole = statistics.median([sum(one[:2]) / sum(one[2:]) for one in rounds])
        print(f"{len(module.graph.nodes):>8} {theirs:>9.3f} {their_run:>12.3f} {ours:>9.3f} {ours_run:>12.3f} {ratio:>6.2f} "
              f"{whole:>9.2f}  {same}", flush=True)


if __name__ == "__main__":
    main()
