"""Checks the facts about operators: `operator_facts_in_torch.py OPERATOR_PROBE`

Runs the samples of PyTorch's own tests (torch.testing._internal): as function, method, in place, with out=, as operator of
torch.ops, and every operator that they call, backward included. Also runs the functions and methods in
core/operators/data/by_hand.txt. Uses small tensors, and compares the effect of each call with the facts about this call. Fails if
a call wrote, returned memory of an argument, or drew random numbers and the tables do not state so, or if they promise a view or
an argument itself and the result was neither. Exit 77 (skipped) without SUNDER_TORCH_PYTHON.
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

import torch_test

os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")  # read when PyTorch is imported

SAMPLES = 6         # per operator
OF_AN_OVERLOAD = 8  # nested calls per overload
SECONDS = 2.0       # for one operator, after its first sample


class Calls:
    """Records calls that were run, for comparison with the tables at the end."""

    def __init__(self, fx_json):
        self.fx_json = fx_json
        self.lines = []
        self.seen = []
        self.not_run = collections.Counter()
        self.reasons = {}

    def run(self, op, target, call, args, kwargs, quiet=False):
        """Observes one call. Returns None if PyTorch refuses it."""
        from observed_call import observe
        slots = [*args, *kwargs.values()]
        name = f"n{len(self.lines)}"
        try:
            line = {"k": "node", "g": "g0", "name": name, "op": op, "target": target,
                    "args": [self.fx_json.value(a, "x") for a in args],
                    "kwargs": [[k, self.fx_json.value(a, "x")] for k, a in kwargs.items()]}
        except self.fx_json.NotWritten as error:
            return self.refuse(target, f"an argument is a {error}", quiet)
        try:
            seen = observe(lambda: call(*args, **kwargs), slots)
        except Exception as error:  # kernels may raise anything for a sample
            return self.refuse(target, f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}", quiet)
        self.lines.append(line)
        self.seen.append((target, seen, slots))
        return seen

    def refuse(self, target, reason, quiet):
        if not quiet:
            self.not_run[target] += 1
            self.reasons.setdefault(target, reason)

    def compare(self, probe, folder):
        """Prints contradictions to the tables. Returns the number of affected targets."""
        from observed_call import faults
        path = pathlib.Path(folder) / "calls.fxj"
        nodes = [{"k": "node", "g": "g0", "name": "x", "op": "placeholder", "target": "x", "args": [], "kwargs": []},
                 *self.lines]
        lines = [self.fx_json.HEADER, {"k": "graph", "id": "g0", "module": ""}, *nodes, {"k": "end", "nodes": len(nodes)}]
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        run = subprocess.run([probe, str(path)], capture_output=True, text=True)
        if run.returncode:
            sys.exit(f"{probe}: {run.stderr}")
        wrong = collections.defaultdict(list)
        unknown = set()
        for text, line, (target, seen, slots) in zip(run.stdout.splitlines(), self.lines, self.seen, strict=True):
            said = json.loads(text)
            if not said["known"]:
                unknown.add(target)
            for fault in faults(seen, said, slots):
                wrong[target].append((fault, line))
        for target, found in sorted(wrong.items()):
            kinds = collections.Counter(fault for fault, _ in found)
            print(f"{target}: " + "; ".join(f"{fault} ({count} times)" for fault, count in kinds.items()))
            print(f"    {json.dumps(found[0][1]['args'])[:160]} {json.dumps(found[0][1]['kwargs'])[:120]}")
        run_targets = {target for target, _, _ in self.seen}
        print(f"{len(run_targets)} targets run in {len(self.lines)} calls, {len(run_targets & unknown)} of them unknown "
              f"to the tables, {len(self.not_run.keys() - run_targets)} not runnable, {len(wrong)} contradict the tables")
        return wrong, run_targets, unknown


def clone(torch, value):
    """Returns the same value in separate memory; tensors that share memory still do."""
    return torch.utils._pytree.tree_map(
        lambda leaf: leaf.detach().clone() if isinstance(leaf, torch.Tensor) else leaf, value)


class Underneath:
    """Observes every operator that runs while it is active."""

    def __init__(self, torch, calls):
        from torch.utils._python_dispatch import TorchDispatchMode
        counts = collections.Counter()

        class Mode(TorchDispatchMode):
            def __torch_dispatch__(self, func, types, args=(), kwargs=None):
                kwargs = kwargs or {}
                counts[func] += 1
                if counts[func] > OF_AN_OVERLOAD:
                    return func(*args, **kwargs)
                target = calls.fx_json.target("call_function", func)
                seen = calls.run("call_function", target, func, args, kwargs, quiet=True)
                return seen.result if seen is not None else func(*args, **kwargs)

        self.mode = Mode


def dtype_of(torch, op):
    for dtype in (torch.float32, torch.float64, torch.complex64, torch.int64, torch.bool):
        if dtype in op.dtypes:
            return dtype
    return next(iter(op.dtypes), None)


def resolved(torch, packet, args, kwargs):
    """Returns the overload that a packet would call, or None."""
    try:
        name = torch._C._jit_resolve_packet(packet._qualified_op_name, *args, **kwargs)
    except Exception:
        return None
    return getattr(packet, name or "default", None)


def function_of(torch, calls, op):
    """Returns the function of the samples, and its name in torch.fx. PyTorch's tests wrap some functions to set a seed first."""
    for found in (op.op, functools.reduce(lambda at, name: getattr(at, name, None), op.name.split("."), torch)):
        try:
            target = calls.fx_json.target("call_function", found)
        except (RuntimeError, AttributeError):
            continue
        if "<" not in target and "torch.testing" not in target:
            return found, target
    return None, None


def run_variants(torch, calls, op, sample, mode):
    args = (sample.input, *sample.args)
    function, target = function_of(torch, calls, op)
    copied = clone(torch, (args, sample.kwargs))
    if target:
        seen = calls.run("call_function", target, function, *copied)
    elif hasattr(torch.Tensor, op.name):
        name = op.name
        seen = calls.run("call_method", name, lambda self, *a, **k: getattr(self, name)(*a, **k), *copied)
    else:
        calls.refuse(f"a wrapper for {op.name}", "it has no unique name", False)
        seen = None
    with mode():
        try:
            op.op(*clone(torch, args), **clone(torch, sample.kwargs))
        except Exception:
            pass
    for variant in (op.method_variant, op.inplace_variant):
        name = getattr(variant, "__name__", "<")
        if variant is not None and isinstance(sample.input, torch.Tensor) and hasattr(torch.Tensor, name):
            inputs, kwargs = clone(torch, (args, sample.kwargs))
            calls.run("call_method", name, lambda self, *a, **k: getattr(self, name)(*a, **k), inputs, kwargs,
                      quiet=variant is op.inplace_variant)
    for name in {op.aten_name, op.name.replace(".", "_"), op.aten_name + "_"} - {None, ""}:
        packet = getattr(torch.ops.aten, name, None)
        inputs, kwargs = clone(torch, (args, sample.kwargs))
        overload = packet and resolved(torch, packet, inputs, kwargs)
        if overload is not None:
            calls.run("call_function", calls.fx_json.target("call_function", overload), overload, inputs, kwargs, quiet=True)
    if seen is not None and op.supports_out and target:
        for fresh in (torch.empty_like, lambda t: torch.empty(0, dtype=t.dtype)):
            out = torch.utils._pytree.tree_map(fresh, seen.result)
            out = tuple(out) if isinstance(out, tuple) else out
            if not all(isinstance(t, torch.Tensor) for t in torch.utils._pytree.tree_leaves(out)):
                break
            inputs, kwargs = clone(torch, (args, sample.kwargs))
            calls.run("call_function", target, function, inputs, {**kwargs, "out": out}, quiet=True)
            packet = getattr(torch.ops.aten, op.aten_name or "", None)
            if packet and isinstance(out, torch.Tensor):
                inputs, kwargs = clone(torch, (args, sample.kwargs))
                kwargs["out"] = clone(torch, out)
                overload = resolved(torch, packet, inputs, kwargs)
                if overload is not None:
                    calls.run("call_function", calls.fx_json.target("call_function", overload), overload, inputs, kwargs,
                              quiet=True)


def run_backward(torch, op, dtype, mode):
    """The operators that compute gradients."""
    if not op.supports_autograd or not (dtype.is_floating_point or dtype.is_complex):
        return
    for sample in op.sample_inputs("cpu", dtype, requires_grad=True):
        with mode():
            try:
                result = op(sample.input, *sample.args, **sample.kwargs)
                total = sum(r.abs().sum() for r in torch.utils._pytree.tree_leaves(result)
                            if isinstance(r, torch.Tensor) and r.requires_grad)
                if isinstance(total, torch.Tensor):
                    total.backward()
            except Exception:
                pass
        return


def run_samples(torch, calls):
    """Yields the samples of PyTorch's tests."""
    from torch.testing._internal import common_methods_invocations as invocations, common_utils
    common_utils.extract_test_fn = lambda: None  # it searches the sources of all callers for a test at every sample, in vain
    mode = Underneath(torch, calls).mode
    for op in invocations.op_db:
        dtype = dtype_of(torch, op)
        if dtype is None:
            calls.refuse(op.name, "no dtype is supported on the CPU", False)
            continue
        start = time.monotonic()
        try:
            samples = op.sample_inputs("cpu", dtype, requires_grad=False)
            for i, sample in enumerate(samples):
                if i and (i >= SAMPLES or time.monotonic() - start > SECONDS):
                    break
                run_variants(torch, calls, op, sample, mode)
            run_backward(torch, op, dtype, mode)
        except Exception as error:
            calls.refuse(op.name, f"its samples: {type(error).__name__}", False)
    return mode


def run_optimizers(torch, mode):
    """The operators that write to lists of parameters."""
    optimizers = torch.optim
    for make in (optimizers.Adam, optimizers.AdamW, optimizers.SGD, optimizers.Adagrad, optimizers.Adamax, optimizers.NAdam,
                 optimizers.RAdam, optimizers.RMSprop, optimizers.Rprop, optimizers.Adadelta, optimizers.ASGD):
        for options in ({"fused": True}, {"foreach": True}, {"foreach": False}, {"foreach": True, "maximize": True}):
            parameters = [torch.randn(3, requires_grad=True), torch.randn(2, 2, requires_grad=True)]
            try:
                optimizer = make(parameters, lr=0.1, **options)
            except (TypeError, RuntimeError):
                continue
            for parameter in parameters:
                parameter.grad = torch.randn_like(parameter)
            with mode():
                try:
                    optimizer.step()
                except Exception:
                    pass


def main(argv):
    import torch
    import fx_json
    import operator_samples
    import sampled_calls
    start = time.monotonic()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    calls = Calls(fx_json)
    with torch.no_grad():
        operator_samples.run(torch, calls)
    mode = run_samples(torch, calls)
    run_optimizers(torch, mode)
    with tempfile.TemporaryDirectory() as folder:
        wrong, run_targets, unknown = calls.compare(argv[1], folder)
    by_hand = set(sampled_calls.lines_by_hand())
    missing = {target for target in by_hand if not sampled_calls.reached(target, run_targets)}
    print(f"of {len(by_hand)} lines by hand {len(by_hand) - len(missing)} run, {len(missing)} not")
    if "--not-run" in argv:
        for target in sorted(calls.not_run.keys() - run_targets):
            print(f"not run: {target}: {calls.reasons[target]}")
        print("unknown:", *sorted(unknown))
        print("hand-written lines not run:", *sorted(missing))
    print(f"{time.monotonic() - start:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    status = torch_test.status_elsewhere(sys.argv)
    sys.exit(main(sys.argv) if status is None else status)
