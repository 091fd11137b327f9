"""Checks the promises in core/operators/data/rounding.txt: `rounding_in_torch.py`

Runs the calls of layouts_and_forms_in_torch.py, and leaf modules, if they have a line:

- rounds: with the same tensors in other strides, in the dtypes of the samples and in float64, a call succeeds or fails, and gives
  the same shapes and dtypes, numbers within a tolerance, and infinities and NaN in the same places. Skips calls that write,
  because tensors in other layouts are never written.
- dense: the results then have the strides of contiguous tensors, and share no memory with arguments.
- continuous: in float64, changes floating-point operands by 1e-9 of their size, starting from the numbers of the samples, and from
  zeros, halves, and ones, where functions may jump. Results change little, and whole-number results not at all.

Every name must be run for each of its promises. Exit 77 (skipped) without SUNDER_TORCH_PYTHON.
"""

import collections
import functools
import os
import sys

import torch_test

os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")  # read when PyTorch is imported

TOLERANCES = {"float64": 1e-10, "complex128": 1e-10, "float32": 1e-4, "complex64": 1e-4, "float16": 2e-2, "bfloat16": 1e-1}
STEP = 1e-9    # relative change of an operand
JUMP = 1e-5    # minimum change of a result that counts as a jump


def recorded_calls(known):
    """Yields (name, call, args, kwargs) of all samples whose names are in the table."""
    import layouts_and_forms_in_torch as promises
    import rounding_table
    for target, call, args, kwargs in promises.record_operators().calls:
        if rounding_table.name_of(target) in known:
            yield rounding_table.name_of(target), call, args, kwargs


def called(module, state, *inputs):
    import torch
    return torch.func.functional_call(module, state, inputs)


def module_calls(torch, known):
    """Modules in evaluation, with their tensors as the first operand."""
    import copy
    import leaf_samples
    import wide_samples
    for module, inputs in (*leaf_samples.instances(torch), *wide_samples.modules(torch)):
        name = type(module).__name__
        if name in known:
            module = copy.deepcopy(module).eval().requires_grad_(False)
            state = {name: tensor.detach() for name, tensor in (*module.named_parameters(), *module.named_buffers())}
            yield name, functools.partial(called, module), (state, *inputs), {}


def more_calls(torch, known):
    """Yields calls that other samples do not reach."""
    x = torch.randn
    pair = x(2, 3), x(2, 3)
    calls = (("mv", (x(3, 4), x(4))), ("dot", (x(5), x(5))), ("addbmm", (x(2, 4), x(3, 2, 5), x(3, 5, 4))),
             ("einsum", ("bij,bjk->bik", x(2, 3, 4), x(2, 4, 5))), ("pow", (x(2, 3), 3)), ("celu", pair[:1]), ("softsign", pair[:1]),
             ("glu", (x(2, 4),)), ("tile", (x(2, 3), (2, 2))), ("hstack", (pair,)), ("vstack", (pair,)),
             ("rms_norm", (x(2, 3), [3], x(3), 1e-5)), ("index_select", (x(3, 4), 0, torch.tensor([0, 2]))),
             ("where", (x(2, 3) > 0, *pair)), ("subtract", pair), ("multiply", pair), ("divide", pair), ("negative", pair[:1]),
             ("logsigmoid", pair[:1]))
    for name, args in calls:
        place = torch if hasattr(torch, name) else torch.nn.functional
        yield name, getattr(place, name), args, {}
    yield "_to_copy", torch.ops.aten._to_copy.default, (x(2, 3),), {"dtype": torch.float64}
    yield "unfold", torch.Tensor.unfold, (x(6), 0, 2, 2), {}


def floating(value, change, free=lambda place: True):
    """Returns operands with `change(tensor)` for each floating-point tensor at a place that may change."""
    import torch
    args, kwargs = value

    def one(leaf):
        is_free = isinstance(leaf, torch.Tensor) and (leaf.is_floating_point() or leaf.is_complex())
        return change(leaf.detach()) if is_free else leaf

    tree_map = torch.utils._pytree.tree_map
    return (tuple(tree_map(one, arg) if free(place) else arg for place, arg in enumerate(args)),
            {key: tree_map(one, arg) if free(None) else arg for key, arg in kwargs.items()})


def wide(tensor):
    import torch
    return tensor.to(torch.complex128 if tensor.is_complex() else torch.float64)


def copied(value):
    import other_operands
    return other_operands.changed(value, other_operands.contiguous)


def plain_tensors(value):
    """Returns the tensors in the order of other_operands."""
    import other_operands
    import torch
    return [leaf for leaf in torch.utils._pytree.tree_leaves(value) if other_operands.is_plain(leaf)]


def written(call, given):
    """Returns the numbers of the tensors that a call writes to."""
    import other_operands
    given = copied(given)
    before = [(tensor._version, tensor.clone()) for tensor in plain_tensors(given)]
    other_operands.Outcome(call, *given)
    return {number for number, ((version, content), tensor) in enumerate(zip(before, plain_tensors(given), strict=True))
            if tensor._version != version or not other_operands.hold_the_same(content, tensor)}


def results(outcome, with_given=True):
    import torch
    return torch.utils._pytree.tree_leaves((outcome.result, outcome.given) if with_given else outcome.result)


def unlike(a, b, tolerance):
    """Returns how two results differ beyond rounding, or None."""
    import torch
    if not isinstance(a, torch.Tensor) or not isinstance(b, torch.Tensor):
        if type(a) is float and type(b) is float:
            a, b = torch.tensor(a, dtype=torch.float64), torch.tensor(b, dtype=torch.float64)
            return unlike(a, b, tolerance)
        same = type(a) is type(b) and (not isinstance(a, (bool, int)) or a == b)
        return None if same else f"gives {b!r:.40} for {a!r:.40}"
    if (a.dtype, a.shape) != (b.dtype, b.shape):
        return "returns another form"
    if not (a.is_floating_point() or a.is_complex()):
        return None if torch.equal(a, b) else "returns other integers"
    a, b = wide(a), wide(b)
    scale = max(1.0, a.abs().nan_to_num(0, 0, 0).max().item()) if a.numel() else 1.0
    return None if torch.allclose(b, a, rtol=tolerance, atol=tolerance * scale, equal_nan=True) else "returns other numbers"


def tolerance_of(leaf):
    return TOLERANCES.get(str(getattr(leaf, "dtype", "")).removeprefix("torch."), 0)


def least_precise(given):
    import torch
    return max((tolerance_of(leaf) for leaf in torch.utils._pytree.tree_leaves(given) if isinstance(leaf, torch.Tensor)), default=0)


def laid_otherwise(call, given):
    """Returns pairs of operands in two layouts, with the same layout for written operands."""
    import layouts_and_forms_in_torch as promises
    import other_operands
    taken = written(call, given)
    for what, first, second in promises.pairs(*given, other_operands.LAYOUTS):
        number = what.partition(" tensor ")[2]
        if not taken or (number and int(number) not in taken):
            yield what, first, second


def rounding_faults(calls):
    """Returns the number of calls, and the number of each error."""
    import other_operands
    found, run = collections.Counter(), 0
    for line, call, args, kwargs in calls:
        for given in ((args, kwargs), floating((args, kwargs), wide)):
            for what, first, second in laid_otherwise(call, given):
                mine, other = other_operands.Outcome(call, *first), other_operands.Outcome(call, *second)
                if mine.error and other.error:
                    continue
                run += 1
                if mine.error or other.error:
                    found[f"{what}: fails: {mine.error or other.error}"] += 1
                    continue
                tolerance = max(1e-12, least_precise(first))
                wrong = [why for a, b in zip(results(mine), results(other), strict=True) if (why := unlike(a, b, tolerance))]
                found.update(f"{what}: {why}" for why in wrong[:1])
    return run, found


def dense_faults(calls):
    import other_operands
    import torch
    found, run = collections.Counter(), 0
    for line, call, args, kwargs in calls:
        if "memory_format" in kwargs:
            continue
        for what, _, second in laid_otherwise(call, (args, kwargs)):
            outcome = other_operands.Outcome(call, *second)
            taken = written(call, second)
            places = {tensor.untyped_storage().data_ptr() for number, tensor in enumerate(plain_tensors(second)) if number not in taken}
            for result in [] if outcome.error else results(outcome, False):
                run += 1
                if isinstance(result, torch.Tensor) and not result.is_contiguous():
                    found[f"{what}: strides {result.stride()} of {tuple(result.shape)}"] += 1
                if isinstance(result, torch.Tensor) and result.numel() and result.untyped_storage().data_ptr() in places:
                    found[f"{what}: shares memory with an argument"] += 1
    return run, found


def halves(tensor):
    return (tensor * 2).round() / 2 if not tensor.is_complex() else tensor


def ones(tensor):
    return tensor.sgn()


def zeros(tensor):
    return tensor * 0


def as_they_are(tensor):
    return tensor


def moved(by):
    def move(tensor):
        return tensor + by * tensor.abs().clamp_min(1e-3) if not tensor.is_complex() else tensor * (1 + by)
    return move


def jittered(tensor):
    import torch
    signs = (torch.arange(tensor.numel(), dtype=torch.float64).reshape(tensor.shape) * 7 % 3) - 1
    return tensor + STEP * signs


def jump_faults(calls):
    import other_operands
    found, run = collections.Counter(), 0
    for line, call, args, kwargs in calls:
        for start in (as_they_are, halves, ones, zeros):
            begun = floating(floating((args, kwargs), wide), start, line.is_free)
            plain = other_operands.Outcome(call, *copied(begun))
            if plain.error:
                continue
            for change in (moved(STEP), moved(-STEP), jittered):
                run += 1
                other = other_operands.Outcome(call, *floating(copied(begun), change, line.is_free))
                if other.error:
                    found[f"from {start.__name__}: fails: {other.error}"] += 1
                    continue
                wrong = [why for a, b in zip(results(plain), results(other), strict=True) if (why := unlike(a, b, JUMP))]
                found.update(f"from {start.__name__}: {why}" for why in wrong[:1])
    return run, found


def is_moderate(args, kwargs):
    """Whether all numbers are far from overflow, unlike contents of uninitialized memory."""
    tensors = [leaf for leaf in plain_tensors((args, kwargs)) if leaf.is_floating_point() or leaf.is_complex()]
    return all(bool((tensor.abs() < 1e4).all()) for tensor in tensors if tensor.element_size() > 1)


def keeps_fractions(args, kwargs):
    """Whether a call does not request a dtype that truncates numbers."""
    import torch
    dtypes = [leaf for leaf in torch.utils._pytree.tree_leaves((args, kwargs)) if isinstance(leaf, torch.dtype)]
    return all(dtype.is_floating_point or dtype.is_complex for dtype in dtypes)


def main(argv):
    import torch
    import in_a_child
    import rounding_table
    torch.manual_seed(0)
    torch.set_num_threads(1)
    known = rounding_table.lines_by_name()
    samples = list(recorded_calls(known))
    jobs = collections.defaultdict(list)
    with torch.no_grad():
        for name, call, args, kwargs in (*samples, *module_calls(torch, known), *more_calls(torch, known)):
            if name == "iadd" and not isinstance(args[0], torch.Tensor):
                continue  # a list of the call grows
            if not is_moderate(args, kwargs):
                continue
            for line in known[name]:
                for promise in line.promises:
                    if line.holds(args, kwargs) and (promise != "continuous" or keeps_fractions(args, kwargs)):
                        jobs[promise, name].append((line, call, args, kwargs))
        faults = {"rounds": rounding_faults, "continuous": jump_faults, "dense": dense_faults}
        found = in_a_child.run_each({key: functools.partial(faults[key[0]], calls) for key, calls in jobs.items()})
    wrong = {key: result for key, result in found.items() if isinstance(result, str) or result[1]}
    for (promise, name), result in sorted(wrong.items()):
        print(f"{promise}: {name}: {result if isinstance(result, str) else dict(result[1].most_common(4))}")
    run = {key for key, result in found.items() if not isinstance(result, str) and result[0]}
    missing = [f"{promise} {name}" for name, lines in known.items() for line in lines for promise in line.promises
               if (promise, name) not in run]
    total = sum(result[0] for result in found.values() if not isinstance(result, str))
    print(f"{total} calls of {len(run)} promises run, {len(wrong)} contradict the table, not run: {', '.join(missing) or 'none'}")
    return 1 if wrong or missing else 0


if __name__ == "__main__":
    status = torch_test.status_elsewhere(sys.argv)
    sys.exit(main(sys.argv) if status is None else status)
