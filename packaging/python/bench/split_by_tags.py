#!/usr/bin/env python3
"""split_by_tags.py [--nodes N …]: torch's split_by_tags beside sunder's, end to end: what a script waits for, conversion to
lines and back included. Both results are run once, since sunder's makes its code then and torch's before. Prints seconds, the
least of --repeat runs, and whether the graphs are the same node for node.
"""

from __future__ import annotations

import argparse
import gc
import pathlib
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


def timed(call: Callable[[], Any], repeat: int) -> tuple[float, Any]:
    best, result = float("inf"), None
    for _ in range(repeat):
        result = None
        gc.collect()
        start = time.perf_counter()
        result = call()
        best = min(best, time.perf_counter() - start)
    return best, result


def facts(module: torch.fx.GraphModule) -> list[Any]:
    graphs = [module.graph, *(child.graph for child in module.children() if isinstance(child, torch.fx.GraphModule))]
    return [[(n.name, n.op, n.target, str(n.args), str(n.kwargs), list(n.meta)) for n in graph.nodes] for graph in graphs]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--nodes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    print(f"{'nodes':>8} {'torch':>9} {'+ first run':>12} {'sunder':>9} {'+ first run':>12} {'ratio':>6} {'with run':>9}  graphs")
    for count in options.nodes:
        module = torch_graphs.blocks(count)
        order = [f"part{i}" for i in range(PARTS)]
        for node, part in torch_graphs.parts_of(module, PARTS):
            node.tag = order[part]
        repeat = options.repeat if count < 100_000 else 1
        theirs, wanted = timed(lambda: split_utils.split_by_tags(module, order), repeat)
        ours, made = timed(lambda: sunder.split_by_tags(module, order), repeat)
        same = "same" if facts(made) == facts(wanted) else "DIFFERENT"
        x = torch.ones(1, torch_graphs.SIZE)
        their_run, ours_run = timed(lambda: wanted(x), 1)[0], timed(lambda: made(x), 1)[0]
        ratio, whole = theirs / ours, (theirs + their_run) / (ours + ours_run)
        print(f"{len(module.graph.nodes):>8} {theirs:>9.3f} {their_run:>12.3f} {ours:>9.3f} {ours_run:>12.3f} {ratio:>6.2f} "
              f"{whole:>9.2f}  {same}", flush=True)


if __name__ == "__main__":
    main()
