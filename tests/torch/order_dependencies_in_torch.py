"""Checks in PyTorch that splits without problems are equivalent: `order_dependencies_in_torch.py SUNDER_CLI [SEED [GRAPHS]]`

Makes 60 random graphs (120 if SUNDER_WHOLE is set) that write in place, through chains of views, to inputs and buffers, draw random numbers, set autocast and
grad mode, assert, and print. Also exports small models that do. Tags them in ways that data edges permit, runs `sunder-cli
check`, and splits with PyTorch's split_by_tags. Runs both and compares outputs (values, form, shared memory), inputs, buffers,
printed text, the next random numbers, and the state of the program afterward. If the check finds no hidden_order and no
left_region, nothing may differ. Counts the cases in which it finds one and nothing differs. Exit 77 (skipped) without
SUNDER_TORCH_PYTHON.
"""

import collections
import contextlib
import copy
import io
import json
import pathlib
import random
import subprocess
import sys
import tempfile

from torch_test import WHOLE, status_elsewhere

if __name__ == "__main__":
    status = status_elsewhere(sys.argv)
    if status is not None:
        sys.exit(status)

import torch
from torch.fx.passes.split_utils import split_by_tags

import fx_json
from ordered_graphs import LOG, RandomGraph, exported_models

ORDER_KINDS = ("hidden_order", "left_region", "circle", "more")  # data edges alone do not form a circle of these tags


def reset():
    torch.set_grad_enabled(True)
    torch.set_default_dtype(torch.float32)
    torch.set_autocast_enabled("cpu", False)
    torch.set_autocast_dtype("cpu", torch.bfloat16)
    torch.set_autocast_cache_enabled(True)
    torch.clear_autocast_cache()
    torch.manual_seed(11)
    LOG.clear()


def observed(value, places):
    """Returns all observable facts about a value, with memory named by its first occurrence."""
    if not isinstance(value, torch.Tensor):
        return value if isinstance(value, (int, float, bool, str, type(None))) else str(value)
    with torch.no_grad():
        place = places.setdefault(value.untyped_storage().data_ptr(), len(places)) if value.numel() else -1
        data = value.detach().resolve_conj().resolve_neg().clone().contiguous().to(torch.float64).flatten()
        return (str(value.dtype), tuple(value.shape), value.stride(), value.storage_offset(), value.requires_grad, place,
                repr(data.tolist()))


def result_of(module, inputs, held):
    """Returns the results and side effects of a run, or its error."""
    reset()
    try:
        with contextlib.redirect_stderr(io.StringIO()):  # a graph module prints the place of a failure
            outputs = module(*inputs)
    except Exception as e:  # noqa: BLE001 - any error of PyTorch
        reset()
        return ("error", type(e).__name__)
    state = (torch.is_grad_enabled(), torch.is_autocast_enabled("cpu"), str(torch.get_autocast_dtype("cpu")),
             str(torch.get_default_dtype()))
    torch.set_grad_enabled(True)
    torch.set_autocast_enabled("cpu", False)
    torch.set_default_dtype(torch.float32)
    places = {}
    seen = {"inputs": [observed(x, places) for x in inputs], "held": [observed(x, places) for x in held],
            "outputs": [observed(x, places) for x in torch.utils._pytree.tree_leaves(outputs)],
            "log": list(LOG), "state": state, "drawn": torch.rand(1).item()}
    reset()
    return seen


def run(graph_module, inputs, tags=None, order=()):
    module, inputs = copy.deepcopy((graph_module, inputs))
    held = [*module.parameters(), *module.buffers()]
    if tags:
        for node in module.graph.nodes:
            if node.op.startswith("call_"):
                node.tag = tags[node.name]
        module = split_by_tags(module, list(order))
    return result_of(module, inputs, held)


def taggings(calls, rng, count):
    """Yields tags that data edges permit: mostly in order with a few exceptions, or arbitrary."""
    for _ in range(count):
        stages = rng.randrange(2, 5)
        style = rng.random()
        cuts = sorted(rng.randrange(stages) for _ in calls)
        odd = 1.0 if style < 0.3 else 0.15 if style < 0.7 else 1.5 / len(calls)
        wanted = [rng.randrange(stages) if rng.random() < odd else cut for cut in cuts]
        if style > 0.5:  # an early call moves its inputs forward
            lowest = dict(zip(calls, wanted))
            for node in reversed(calls):
                lowest[node] = min([lowest[node], *(lowest[user] for user in node.users if user in lowest)])
            wanted = [lowest[node] for node in calls]
        place = {}
        for node, at in zip(calls, wanted):
            place[node] = max([at, *(place[x] for x in node.all_input_nodes if x in place)])
        yield {node.name: f"s{at}" for node, at in place.items()}


def check(cli, model, tags, order, folder):
    """Returns the problems of order reported by sunder-cli."""
    path = folder / "tags.json"
    path.write_text(json.dumps({"order": list(order), "tags": tags}))
    done = subprocess.run([cli, "check", model, "--tags", path, "--json"], capture_output=True, text=True)
    said = json.loads(done.stdout)
    if "problems" not in said:
        sys.exit(f"{done.args}: {done.stdout}{done.stderr}")
    backward = [p for p in said["problems"] if p["kind"] == "backward_edge"]
    return [p for p in said["problems"] if p["kind"] in ORDER_KINDS], backward


def different(one, other):
    if isinstance(one, tuple) or isinstance(other, tuple):
        return None if one == other else f"{str(one)[:60]} != {str(other)[:60]}"
    for key in one:
        if one[key] != other[key]:
            if isinstance(one[key], list) and len(one[key]) == len(other[key]):
                i = next(i for i, (a, b) in enumerate(zip(one[key], other[key])) if a != b)
                return f"{key} {i}: {one[key][i]} != {other[key][i]}"
            return f"{key}: {one[key]} != {other[key]}"
    return None


class Tally:
    def __init__(self):
        self.kinds = collections.Counter()
        self.alarms = collections.Counter()
        self.wrong = 0

    def note(self, name, graph, tags, found, why):
        if not found:
            self.kinds["right" if why is None else "MISSED"] += 1
            if why is not None:
                self.wrong += 1
                print(f"{name}: nothing found, but {why}\n{graph}\n{tags}", flush=True)
            return
        self.kinds["found" if why is not None else "alarm"] += 1
        if why is None:
            targets = {node.name: str(fx_json.target(node.op, node.target)) for node in graph.nodes}
            for kind in {(p["kind"], *(targets.get(n, "?") for n in p["nodes"])) for p in found} if len(found) == 1 else ():
                self.alarms[kind] += 1


def try_tags(cli, name, model, graph_module, inputs, rng, count, folder, tally):
    calls = [node for node in graph_module.graph.nodes if node.op.startswith("call_")]
    if not calls:
        return
    whole = run(graph_module, inputs)
    if isinstance(whole, tuple) or different(whole, run(graph_module, inputs)):  # exposes uninitialized memory
        tally.kinds["not run"] += 1
        return
    for tags in taggings(calls, rng, count):
        order = sorted(set(tags.values()))
        found, backward = check(cli, model, tags, order, folder)
        if backward:
            print(f"{name}: data edges allow these tags, but {backward[0]['text']}")
            tally.wrong += 1
            continue
        tally.note(name, graph_module.graph, tags, found, different(whole, run(graph_module, inputs, tags, order)))


def main(argv):
    cli = str(pathlib.Path(argv[1]).resolve())
    seed, count = (int(x) for x in (argv[2:] + ["1", "120" if WHOLE else "60"][len(argv) - 2:])[:2])
    tally = Tally()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for name, program, inputs in exported_models():
            model = folder / f"{name}.pt2"
            torch.export.save(program, model)
            module = program.module(check_guards=False)
            module.graph.set_codegen(torch.fx.graph.CodeGen())
            module.recompile()
            try_tags(cli, name, model, module, inputs, random.Random(name), 25, folder, tally)
        print(f"exported: {dict(tally.kinds)}", flush=True)
        for seed in range(seed, seed + count):
            made = RandomGraph(seed)
            module, inputs = made.make(random.Random(seed).randrange(4, 16))
            model = folder / "graph.fxj"
            fx_json.write(module, model)
            try_tags(cli, f"seed {seed}", model, module, inputs, made.rng, 5, folder, tally)
    for kind, count in tally.alarms.most_common(40):
        print(f"{count:5} times the only problem, without a difference: {' '.join(kind)}")
    print(dict(tally.kinds))
    return 1 if tally.wrong or not tally.kinds["right"] or not tally.kinds["found"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
