"""Compares the seconds of the cost model with measured ones on the CPU, as a table: `cost_model_on_cpu.py [--models NAME …]
[--repeats N] [--statistic median|min] [--threads N]`.

Needs PyTorch, a built sunder-cli (SUNDER_HOME), and `pip install torchvision timm transformers`. Models of missing packages are
skipped.

The device of the cost model is this CPU as measured: the rate of a large float32 matrix product and the bandwidth of a large copy,
both with efficiency 1, and the launch time of a small addition. Per model: the rank correlation (Spearman's rho) of the seconds over the
calls, the same over the calls that have work (floating-point operations or bytes), and the ratio of both sums. Per kind of
operator: its share of the measured seconds, and the ratio of measured and modeled seconds (median, and the tenth and ninetieth
percentile). Other processes distort the seconds, above all those of several threads: prefer an idle machine, or --statistic min.
"""

from __future__ import annotations

import argparse
import collections
import math
import pathlib
import statistics
import sys
import time
import warnings
from typing import Any, Callable, Sequence

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "packaging/python"))

import real_model_list  # noqa: E402
import sunder  # noqa: E402

MODELS = ("torch/Transformer", "torchvision/resnet50", "torchvision/mobilenet_v2", "torchvision/densenet121", "torchvision/vit_b_32",
          "torchvision/swin_t", "timm/gmlp_s16_224", "timm/poolformer_s12", "transformers/Llama", "transformers/Bert")


def best(run: Callable[[], Any], times: int) -> float:
    """The least seconds of a run."""
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def this_cpu() -> dict[str, Any]:
    """This CPU as a device of DEVICES.json."""
    size = 1024
    square = torch.rand(size, size)
    source, target, one = torch.rand(1 << 25), torch.empty(1 << 25), torch.rand(1)
    with torch.no_grad():
        rate = 2 * size**3 / best(lambda: square @ square, 60)
        bandwidth = 2 * 4 * source.numel() / best(lambda: target.copy_(source), 40)
        launch = best(lambda: one + one, 2000)
    return {"name": "this CPU", "available_mem_bytes": 0, "rates": {"float32": rate}, "memory_bandwidth_bytes_per_s": bandwidth,
            "compute_efficiency": 1, "memory_efficiency": 1, "launch_seconds": launch}


def ranks(values: Sequence[float]) -> list[float]:
    """The rank of each value; equal values have the mean of their ranks."""
    order = sorted(range(len(values)), key=values.__getitem__)
    result = [0.0] * len(values)
    first = 0
    while first < len(order):
        last = first
        while last + 1 < len(order) and values[order[last + 1]] == values[order[first]]:
            last += 1
        for place in order[first : last + 1]:
            result[place] = (first + last) / 2
        first = last + 1
    return result


def rank_correlation(a: Sequence[float], b: Sequence[float]) -> float:
    try:
        return statistics.correlation(ranks(a), ranks(b))
    except statistics.StatisticsError:  # fewer than two different values
        return math.nan


def kind_of(node: torch.fx.Node) -> str:
    target = str(node.target)
    return ".".join(target.split(".")[:2]) if target.startswith("aten.") else getattr(node.target, "__name__", target)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", nargs="*", default=MODELS)
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--statistic", choices=("median", "min"), default="median")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    warnings.simplefilter("ignore")
    statistic = statistics.median if options.statistic == "median" else min
    device = this_cpu()
    print(f"{device['rates']['float32'] / 1e9:.1f} GFLOP/s, {device['memory_bandwidth_bytes_per_s'] / 1e9:.1f} GB/s, "
          f"{device['launch_seconds'] * 1e6:.2f} µs per call; {options.threads} thread(s), "
          f"{options.statistic} of up to {options.repeats} runs")
    print("\n| Model | calls | rho | rho, calls with work | measured ms | model ms | model / measured |\n|---|--:|--:|--:|--:|--:|--:|")
    kinds: dict[str, list[tuple[float, float]]] = collections.defaultdict(list)
    for name in options.models:
        try:
            made = real_model_list.MODELS[name]()
        except ModuleNotFoundError as error:
            print(f"| {name} | skipped: {error} |")
            continue
        with torch.no_grad():
            program = torch.export.export(made.module.eval(), made.args, dict(made.kwargs))
        profile = sunder.profile(program, made.args, dict(made.kwargs), repeats=options.repeats)
        costs = sunder.costs(program, devices=[device])
        rows = []
        for node in program.graph.nodes:
            cost = costs.nodes.get(node.name)
            if cost is None or cost.seconds is None or node.name not in profile.runs:
                continue
            has_work = bool(cost.flops or cost.bytes_read or cost.bytes_written)
            rows.append((statistic(profile.runs[node.name]), cost.seconds, has_work))
            kinds[kind_of(node)].append(rows[-1][:2])
        measured, modeled = ([row[i] for row in rows] for i in (0, 1))
        working = [row for row in rows if row[2]]
        rho, rho_working = rank_correlation(measured, modeled), rank_correlation(*([row[i] for row in working] for i in (0, 1)))
        print(f"| {name} | {len(rows)} | {rho:.2f} | {rho_working:.2f} | {sum(measured) * 1e3:.2f} | {sum(modeled) * 1e3:.2f} "
              f"| {sum(modeled) / sum(measured):.2f} |", flush=True)
    total = sum(pair[0] for pairs in kinds.values() for pair in pairs)
    print("\n| Operator | calls | share of seconds | measured / model | 10 % to 90 % |\n|---|--:|--:|--:|--:|")
    for kind, pairs in sorted(kinds.items(), key=lambda item: -sum(pair[0] for pair in item[1])):
        share = sum(pair[0] for pair in pairs) / total
        if share < 0.002:
            continue
        ratios = sorted(a / b for a, b in pairs)
        low, high = (ratios[round(at * (len(ratios) - 1))] for at in (0.1, 0.9))
        print(f"| {kind} | {len(pairs)} | {share:.1%} | {statistics.median(ratios):.2f} | {low:.2f} to {high:.2f} |")


if __name__ == "__main__":
    main()
