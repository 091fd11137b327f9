"""Checks the facts about leaf modules: `leaf_modules_in_torch.py OPERATOR_PROBE SUNDER_CLI`

Runs every class of core/operators/data/module_classes.txt in PyTorch, in training and in evaluation, with the relevant values of
its attributes. Compares the effect of each call on its input, buffers, parameters, and the random number generator with the
table, for the module with its attributes, and without them as in old files. Then cuts plain torch.fx models with leaf modules
that write in place, as PyTorch does, and compares the verdict of sunder-cli with their results. Exit 77 (skipped) without
SUNDER_TORCH_PYTHON.
"""

import collections
import json
import pathlib
import subprocess
import sys
import tempfile

import torch_test


def probe_all(torch, fx_json, probe, cases, with_attributes, folder):
    """Returns the table's facts about a call of each module, in order."""
    lines = [fx_json.HEADER]
    nodes = [{"k": "node", "g": "g0", "name": "x", "op": "placeholder", "target": "x", "args": [], "kwargs": []}]
    for i, (module, inputs) in enumerate(cases):
        holder = torch.nn.Module()
        holder.add_module(f"m{i}", module)
        lines += [*fx_json.module_lines(holder, with_attributes), *fx_json.tensor_lines(holder, f"m{i}.")]
        nodes.append({"k": "node", "g": "g0", "name": f"n{i}", "op": "call_module", "target": f"m{i}",
                      "args": [fx_json.value(a, "x") for a in inputs], "kwargs": []})
    lines += [{"k": "graph", "id": "g0", "module": ""}, *nodes, {"k": "end", "nodes": len(nodes)}]
    path = pathlib.Path(folder) / "modules.fxj"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    run = subprocess.run([probe, str(path)], capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{probe}: {run.stderr}")
    return [json.loads(line) for line in run.stdout.splitlines()]


def own_tensors(module):
    return {"buffers": list(module.buffers()), "parameters": list(module.parameters())}


def observe_module(module, inputs):
    from observed_call import observe
    own = own_tensors(module)
    slots = [*inputs, own["buffers"], own["parameters"]]
    return observe(lambda: module(*inputs), slots), slots


def module_faults(seen, slots, said):
    """Returns contradictions to the table; a write to its own tensors counts like one to an argument."""
    from observed_call import faults
    count = len(slots) - 2
    said = dict(said)
    for offset, kind in enumerate(("buffers", "parameters")):
        if said[kind]:
            said["written"] = [*said["written"], count + offset]
        if said["tensors"]:
            said["shared"] = [*said["shared"], count + offset]
    return faults(seen, said, slots)


def check_classes(torch, fx_json, probe, folder):
    import copy
    import leaf_samples
    cases, seen = [], []
    for module, inputs in leaf_samples.instances(torch):
        for training in (True, False):
            made = copy.deepcopy(module).train(training)
            given = tuple(fx_json.cloned(value) for value in inputs)
            with torch.no_grad():
                cases.append((made, given))
                seen.append(observe_module(made, given))
    wrong = collections.defaultdict(collections.Counter)
    exact = 0
    for with_attributes in (True, False):
        said = probe_all(torch, fx_json, probe, cases, with_attributes, folder)
        for (module, _), (observed, slots), facts in zip(cases, seen, said, strict=True):
            name = fx_json.class_name(module) + ("" if with_attributes else " without attributes")
            for fault in module_faults(observed, slots, facts):
                wrong[name][fault] += 1
            if not facts["known"]:
                wrong[name]["is not known"] += 1
            written = set(observed.written) - {len(slots) - 2, len(slots) - 1}
            exact += with_attributes and set(facts["written"]) == written
    listed = set(leaf_samples.classes())
    run = {fx_json.class_name(module) for module, _ in cases}
    for name in sorted(listed - run):
        wrong[name]["is in the table, but was not run"] += 1
    for name, found in sorted(wrong.items()):
        print(f"{name}: " + "; ".join(f"{fault} ({count} times)" for fault, count in found.items()))
    print(f"{len(run)} classes run in {len(cases)} calls, {exact} of them with exactly the writes to arguments that the "
          f"table says, {len(wrong)} contradict it")
    return bool(wrong)


def main(argv):
    import torch
    import fx_json
    torch.manual_seed(0)
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        failed = check_classes(torch, fx_json, argv[1], folder)
        if len(argv) > 2:
            import leaf_models
            failed = leaf_models.check(torch, fx_json, argv[2], pathlib.Path(folder)) or failed
    return 1 if failed else 0


if __name__ == "__main__":
    status = torch_test.status_elsewhere(sys.argv)
    sys.exit(main(sys.argv) if status is None else status)
