"""Compares the memory of results with core/operators/data: `aliases_in_torch.py OPERATOR_PROBE [--write]`

Runs the calls of operator_facts_in_torch.py, calls of leaf modules, and for all other operators calls generated from schemas.
After each call, writes to the result and checks the arguments, then writes to the arguments and checks the result. Fails if a
write is visible although the tables promise separate memory, or if core/operators/data/fresh_results.txt lists an operator that
did not run. `--write` generates that list: the operators whose schemas do not describe their results, and whose results never
reached an argument. Exit 77 (skipped) without SUNDER_TORCH_PYTHON.
"""

import collections
import functools
import os
import re
import signal
import sys
import time

import torch_test

os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")  # read when PyTorch is imported

SECONDS = 5  # of processor time for one operator
HEADER = """\
# Operators of PyTorch 2.13 whose results have separate memory, which their schemas cannot express: overloads without alias
# annotations none of whose sampled calls shared memory with an argument. Results of other overloads without annotations may
# share memory with every argument. Written by tests/torch/aliases_in_torch.py --write, which also checks each line in PyTorch.
"""
# Operators whose samples are not conclusive: lists and dicts hold their items, communication needs other processes, and the
# returned memory depends on whether an argument is already sparse, nested, packed, or reordered.
NOT_SHOWN = re.compile(r"^(?!aten::|prims::|quantized_decomposed::|quantized::)|sparse|nested|pack|mkldnn|_coalesce|embedding_bag")


def names_of(schema):
    return schema.name + ("." + schema.overload_name if schema.overload_name else "")


def says_nothing(schema):
    """Whether the schema permits that results share memory with arguments."""
    text = str(schema)
    if re.search(r"\bt\d?\b|tVal|Dict\(|Any|__torch__|PyObject|AnyEnum", text):
        return False
    return ("Tensor" in text.split(" -> ")[-1] and all(result.alias_info is None for result in schema.returns)
            and any("Tensor" in str(argument.type) for argument in schema.arguments))


def observed(call, args, kwargs):
    """Returns the slots that the result of a call reaches. None if it fails or returns nothing that can be checked."""
    import observed_call
    slots = [*args, *kwargs.values()]
    try:
        result = call(*args, **kwargs)
        if not observed_call.storages(observed_call.held(result)):
            return None
        return observed_call.reached(result, slots)
    except Exception:  # kernels may raise anything for a sample
        return None


def of_samples(calls):
    """Returns the number of an operator's calls that ran, and the slots that their results reached."""
    import other_operands
    found = []
    signal.setitimer(signal.ITIMER_PROF, SECONDS)  # processor time: ends the process
    for number, (_, call, args, kwargs) in enumerate(calls):
        copy = other_operands.changed((args, kwargs), lambda tensor: tensor.clone())
        reached = observed(call, *copy)
        if reached is not None:
            found.append((number, reached))
    signal.setitimer(signal.ITIMER_PROF, 0)
    return found


def made_up(overload):
    import torch
    import schema_samples
    torch.manual_seed(0)  # the numbers may decide whether a sample is valid
    found = []
    signal.setitimer(signal.ITIMER_PROF, SECONDS)  # processor time: ends the process
    for args, kwargs in schema_samples.samples(overload):
        reached = observed(overload, args, kwargs)
        if reached is not None:
            found.append((args, kwargs, reached))
        if len(found) == schema_samples.KEPT:
            break
    signal.setitimer(signal.ITIMER_PROF, 0)
    return [sorted(reached) for _, _, reached in found]


def list_of_fresh():
    import sampled_calls
    lines = (sampled_calls.DATA / "fresh_results.txt").read_text().splitlines()
    return {line for line in lines if line and not line.startswith("#")}


def write_list(names):
    import sampled_calls
    (sampled_calls.DATA / "fresh_results.txt").write_text(HEADER + "".join(name + "\n" for name in sorted(names)))


def main(argv):
    import torch
    import fx_json
    import in_a_child
    import layouts_and_forms_in_torch as promises
    import schema_samples
    start = time.monotonic()
    of_target = collections.defaultdict(list)
    for call, said in promises.record_all(argv[1])[1]:
        of_target[call[0]].append((call, said))
    with torch.no_grad():
        found = in_a_child.run_each({target: functools.partial(of_samples, [call for call, _ in calls])
                                     for target, calls in of_target.items()})
    overloads = {fx_json.target("call_function", overload): overload for overload in schema_samples.overloads()
                 if says_nothing(overload._schema)}
    rest = {target: functools.partial(made_up, overload) for target, overload in overloads.items()
            if isinstance(found.get(target, []), str) or not found.get(target)}
    with torch.no_grad():
        others = in_a_child.run_each(rest)
    wrong = collections.Counter()
    for target, calls in of_target.items():
        for number, reached in found[target] if not isinstance(found[target], str) else ():
            said = calls[number][1]
            if "tensors" in said:  # a module: the first argument represents its own tensors
                reached = {slot - 1 for slot in reached if slot or not said["tensors"]}
            unsaid = reached - set(said["shared"])
            if said["known"] and unsaid and not said["written"]:
                wrong[f"{target}: reaches argument {min(unsaid)}"] += 1
    for fault, times in sorted(wrong.items()):
        print(f"{fault} ({times} times)")
    shown, seen_sharing = set(), set()
    for target, overload in overloads.items():
        seen = [reached for _, reached in found.get(target, ()) if not isinstance(found.get(target), str)] if target not in others else others[target]
        name = names_of(overload._schema)
        if isinstance(seen, str) or not seen or NOT_SHOWN.search(name):
            continue
        (seen_sharing if any(seen) else shown).add(name)
    if "--write" in argv:
        write_list(shown)
    stated = list_of_fresh()
    print(f"{sum(len(calls) for calls in found.values() if not isinstance(calls, str))} calls of {len(found)} targets, "
          f"{sum(len(calls) for calls in others.values() if not isinstance(calls, str))} made up of {len(rest)} operators; "
          f"{len(overloads)} overloads without alias annotations: {len(shown)} never share memory with an argument, "
          f"{len(seen_sharing)} do, {len(overloads) - len(shown) - len(seen_sharing)} not shown")
    print("share memory with an argument:", *sorted(seen_sharing))
    print("listed, but not confirmed:", *(sorted(stated - shown) or ["none"]))
    print(f"{time.monotonic() - start:.0f} s")
    return 1 if wrong or stated - shown else 0


if __name__ == "__main__":
    status = torch_test.status_elsewhere(sys.argv)
    sys.exit(main(sys.argv) if status is None else status)
