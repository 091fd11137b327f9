"""Checks the promises in core/operators/data: `layouts_and_forms_in_torch.py OPERATOR_PROBE`

Runs the calls of operator_facts_in_torch.py, and leaf modules, again with small tensors, and compares them with the tables:

- ignores-layout, and queries without sees-layout: the call gives the same bits, and succeeds or fails, for all layouts of its
  tensors: transposed, with gaps and an offset, sliced, channels last, rows in one place. ignores-real-layout: the same if no
  tensor is complex. ignores-offset: the same if only the storage offset differs. Views without sees-layout give the same if
  they succeed. Strides of results are not compared, because code that depends on them does not ignore layouts.
- fails-by-form, and queries without sees-layout: success and the form of the result do not depend on the numbers in tensors, nor
  on whether gradients are recorded.
- keeps-gradients: called without keywords, all returned tensors require gradients if one floating-point argument does, and
  have the same numbers as without gradients.

Skips calls that write or draw random numbers, to which the promises do not apply. Fails if PyTorch contradicts a promise, if a line
with one of these words is not run, or if too few calls run. Exit 77 (skipped) without SUNDER_TORCH_PYTHON.
"""

import collections
import functools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import types

import torch_test

os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")  # read when PyTorch is imported

OF_A_TARGET = 24 if torch_test.WHOLE else 6  # calls of one operator or function to run again


class Recorded:
    """Runs calls and records those that succeed, with their arguments."""

    def __init__(self, fx_json):
        self.fx_json = fx_json
        self.lines, self.calls = [], []
        self.of_target = collections.Counter()
        self.not_run = set()

    def run(self, op, target, call, args, kwargs, quiet=False):
        import other_operands
        try:
            line = {"k": "node", "g": "g0", "name": f"n{len(self.lines)}", "op": op, "target": target,
                    "args": [self.fx_json.value(a, "x") for a in args],
                    "kwargs": [[k, self.fx_json.value(a, "x")] for k, a in kwargs.items()]}
            given = other_operands.changed((args, kwargs), lambda tensor: tensor.clone())
            result = call(*args, **kwargs)
        except Exception as error:  # a value that fx-json cannot represent, or any error of a kernel
            return self.refuse(target, str(error), quiet)
        if self.of_target[target] < OF_A_TARGET:
            self.of_target[target] += 1
            self.lines.append(line)
            self.calls.append((target, method(target) if op == "call_method" else call, *given))
        return types.SimpleNamespace(result=result)

    def refuse(self, target, reason, quiet):
        self.not_run.add(target)


def method(name):
    import sampled_calls
    return functools.partial(sampled_calls.method_of, name)


@functools.cache
def record_operators():
    """The calls of samples, as Recorded. Tests that run in one process share them, and change copies of their tensors only."""
    import torch
    import fx_json
    import operator_facts_in_torch
    import operator_samples
    import promise_samples
    import wide_samples
    import torch.ao.quantization.fx._decomposed  # noqa: F401 registers operators
    calls = Recorded(fx_json)
    with torch.no_grad():
        wide_samples.run(torch, calls)
        promise_samples.run(torch, calls)
        operator_samples.run(torch, calls)
    operator_facts_in_torch.run_samples(torch, calls)
    return calls


def probed(fx_json, probe, lines, folder):
    """Returns the table's facts about each call."""
    path = pathlib.Path(folder) / "calls.fxj"
    nodes = [{"k": "node", "g": "g0", "name": "x", "op": "placeholder", "target": "x", "args": [], "kwargs": []}, *lines]
    path.write_text("".join(json.dumps(line) + "\n" for line in [
        fx_json.HEADER, {"k": "graph", "id": "g0", "module": ""}, *nodes, {"k": "end", "nodes": len(nodes)}]))
    run = subprocess.run([probe, str(path)], capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{probe}: {run.stderr}")
    return [json.loads(line) for line in run.stdout.splitlines()]


@functools.cache
def record_all(probe):
    """Returns the calls of samples, as Recorded; and all calls, those of leaf modules included, with the table's facts about each."""
    import torch
    import fx_json
    torch.manual_seed(0)
    torch.set_num_threads(1)
    recorded = record_operators()
    with tempfile.TemporaryDirectory() as folder:
        saids = probed(fx_json, probe, recorded.lines, folder)
        modules = list(record_modules(torch, fx_json, probe, folder))
    return recorded, [*zip(recorded.calls, saids, strict=True), *modules]


def record_modules(torch, fx_json, probe, folder):
    """Records calls of leaf modules, with their tensors as arguments, and the table's facts about each."""
    import copy
    import leaf_modules_in_torch
    import leaf_samples
    import wide_samples
    cases = [(copy.deepcopy(module).train(training), inputs)
             for module, inputs in (*leaf_samples.instances(torch), *wide_samples.modules(torch)) for training in (True, False)]

    def called(module, state, *inputs):
        return torch.func.functional_call(module, state, inputs)

    said = leaf_modules_in_torch.probe_all(torch, fx_json, probe, cases, True, folder)
    for (module, inputs), facts in zip(cases, said, strict=True):
        state = {name: tensor.detach() for name, tensor in (*module.named_parameters(), *module.named_buffers())}
        call = functools.partial(called, module.requires_grad_(False))
        yield (fx_json.class_name(module), call, (state, *inputs), {}), facts


def pairs(args, kwargs, changes):
    """Yields variants of the arguments: all tensors changed and, if there are several, only one of them."""
    import other_operands
    tensors = other_operands.count((args, kwargs))
    for before, after in changes:
        for only in (None, *range(min(tensors, 5) if tensors > 1 else 0)):
            first = other_operands.changed((args, kwargs), before)
            second = other_operands.changed((args, kwargs), after, only, before)
            yield f"{after.__name__}{'' if only is None else f' tensor {only}'}", first, second


def differences(calls, changes, with_values):
    """Counts calls with different outcomes, by changed property and by kind of outcome."""
    import other_operands
    found, run = collections.Counter(), set()
    for number, (_, call, args, kwargs) in enumerate(calls):
        for what, first, second in pairs(args, kwargs, changes):
            mine = other_operands.Outcome(call, *first)
            if mine.error:
                continue
            run.add(number)
            difference = mine.unlike(other_operands.Outcome(call, *second), with_values)
            found.update([f"{what}: {difference}"] if difference else [])
    return len(run), found


def layout_faults(torch, calls):
    import other_operands
    with torch.no_grad():
        return differences(calls, other_operands.LAYOUTS, True)


def offset_faults(torch, calls):
    import other_operands
    with torch.no_grad():
        return differences(calls, other_operands.OFFSETS, True)


def view_faults(torch, calls):
    """Some views are impossible in other layouts."""
    run, found = layout_faults(torch, calls)
    return run, collections.Counter({fault: times for fault, times in found.items() if ": fails: " not in fault})


def form_faults(torch, calls):
    import other_operands
    changes = [(other_operands.contiguous, change) for change in other_operands.VALUES]
    with torch.no_grad():
        run, found = differences(calls, changes, False)
    with torch.enable_grad():
        found.update(differences(calls, [(other_operands.contiguous, other_operands.requiring)], False)[1])
    return run, found


def gradient_faults(torch, calls):
    """Returns results without gradients although an argument requires them, and results whose numbers then differ."""
    import other_operands
    found, run = collections.Counter(), 0
    for _, call, args, kwargs in calls:
        for only in range(other_operands.count((args, kwargs))):
            given = other_operands.changed((args, kwargs), other_operands.requiring, only)
            if not any(tensor.requires_grad for tensor in tensors_in(torch, given)):
                continue
            with torch.enable_grad():
                outcome = other_operands.Outcome(call, *given)
            if outcome.error:
                continue
            run += 1
            results = tensors_in(torch, outcome.result)
            if not results or not all(result.requires_grad for result in results):
                found[f"tensor {only} requires gradients, its result does not"] += 1
            plain = other_operands.Outcome(call, *other_operands.changed((args, kwargs), other_operands.contiguous))
            if plain.error or not all(map(same_bits, tensors_in(torch, plain.result), results)):
                found[f"if tensor {only} requires gradients, it returns other numbers"] += 1
    return run, found


def same_bits(a, b):
    import torch
    return torch.allclose(a.detach(), b.detach(), rtol=0, atol=0, equal_nan=True)


def tensors_in(torch, value):
    return [leaf for leaf in torch.utils._pytree.tree_leaves(value) if isinstance(leaf, torch.Tensor)]


def is_plain(said):
    return said["known"] and not (said["written"] or said["reshaped"] or said["random"] or said.get("buffers") or said.get("parameters"))


def ignores_layout(call, said):
    return is_plain(said) and (said["ignores_layout"] or (said["query"] and not said["sees_layout"]))


def ignores_real_layout(call, said):
    import torch
    real = not any(tensor.is_complex() for tensor in tensors_in(torch, call[2:]))
    return is_plain(said) and said["ignores_real_layout"] and not said["ignores_layout"] and real


def ignores_offset(call, said):
    return is_plain(said) and said["ignores_offset"]


def is_logical_view(call, said):
    return is_plain(said) and said["result"] == "view" and not said["sees_layout"] and not said["ignores_layout"]


def fails_by_form(call, said):
    return is_plain(said) and said["fails_by_form"]


def keeps_gradients(call, said):
    return is_plain(said) and said["keeps_gradients"] and not call[3]


# Each property, its calls, the function that runs them, and the minimum numbers of targets, of calls, and of calls with SUNDER_WHOLE.
QUESTIONS = (
    ("layouts", ignores_layout, layout_faults, 285, 1000, 1900),
    ("layouts of real numbers", ignores_real_layout, layout_faults, 15, 60, 80),
    ("offsets", ignores_offset, offset_faults, 390, 1450, 2800),
    ("views", is_logical_view, view_faults, 60, 170, 220),
    ("forms", fails_by_form, form_faults, 425, 1500, 2050),
    ("gradients", keeps_gradients, gradient_faults, 94, 430, 750),
)


def ask(torch, calls, name, wanted, faults, least_targets, least_calls, least_calls_of_all):
    """Prints contradictions. Returns the targets that were run, and whether there were none."""
    import in_a_child
    import other_operands
    by_target = collections.defaultdict(list)
    without_tensors = set()  # nothing to check without tensors
    for call, said in calls:
        if wanted(call, said) and other_operands.count(call[2:]):
            by_target[call[0]].append(call)
        elif wanted(call, said):
            without_tensors.add(call[0])
    found = in_a_child.run_each({target: functools.partial(faults, torch, of_it) for target, of_it in by_target.items()})
    found = {target: (0, {result: 1}) if isinstance(result, str) else result for target, result in found.items()}
    wrong = {target: faults for target, (_, faults) in found.items() if faults}
    for target, faults_of_it in sorted(wrong.items()):
        print(f"{name}: {target}: " + "; ".join(f"{fault} ({times} times)" for fault, times in faults_of_it.items())[:400])
    run = {target for target, (times, _) in found.items() if times}
    total = sum(times for times, _ in found.values())
    print(f"{name}: {len(run)} targets run in {total} calls, {len(found) - len(run)} not runnable this way, "
          f"{len(wrong)} contradict the tables")
    enough = len(run) >= least_targets and total >= (least_calls_of_all if torch_test.WHOLE else least_calls)
    if not enough:
        print(f"{name}: too few calls were run")
    return run | without_tensors, not wrong and enough


def lines_with(word):
    """Returns targets in the hand-written lists that have the word."""
    import sampled_calls
    for name in ("by_hand.txt", "module_classes.txt"):
        for line in (sampled_calls.DATA / name).read_text().splitlines():
            if not line.startswith("#") and any(fact.split("?")[0] == word for fact in line.split("\t")[1:2] for fact in fact.split(" ")):
                yield line.split("\t")[0]


def main(argv):
    import torch
    import sampled_calls
    start = time.monotonic()
    recorded, calls = record_all(argv[1])
    well, run = True, {}
    for question in QUESTIONS:
        run[question[0]], fine = ask(torch, calls, *question)
        well = well and fine
    for name, word in (("layouts", "ignores-layout"), ("layouts of real numbers", "ignores-real-layout"),
                       ("offsets", "ignores-offset"), ("forms", "fails-by-form"), ("gradients", "keeps-gradients")):
        stated = list(lines_with(word))
        missing = [target for target in stated if not sampled_calls.reached(target, run[name])]
        print(f"{word}: {len(stated)} lines, not run:", *(missing or ["none"]))
        well = well and not missing
    print(f"{len(recorded.not_run - recorded.of_target.keys())} targets not runnable at all; {time.monotonic() - start:.0f} s")
    return 0 if well else 1


if __name__ == "__main__":
    status = torch_test.status_elsewhere(sys.argv)
    sys.exit(main(sys.argv) if status is None else status)
