"""Checks the layouts of results that normal_forms.txt promises, for all layouts of arguments: `dense_results_in_torch.py`

Results of `laid-densely` operators are contiguous. Elements of results of `unsaved` operators are adjacent, in some order of
dimensions. No backward pass reads results of either, so they can be written. Unless `keeps-ones` names the operator, a call of
relu keeps the strides of its result, also those of dimensions of size one.

Calls each operator with tensors that are contiguous, transposed, sliced with a step, expanded, and with unusual strides for
dimensions of size one, in all combinations.
"""

import itertools
import pathlib
import sys

from torch_test import status_elsewhere

TABLE = pathlib.Path(__file__).resolve().parents[2] / "core" / "operators" / "data" / "normal_forms.txt"


def layouts(*shape):
    """Yields tensors of one shape with different memory layouts."""
    import torch
    yield torch.randn(*shape)
    if len(shape) > 1:
        order = [*range(len(shape) - 2), len(shape) - 1, len(shape) - 2]
        yield torch.randn(*[shape[i] for i in order]).permute(order)
        yield torch.randn(shape[-1], *shape[:-1]).movedim(0, -1)
    yield torch.randn(*shape[:-1], 2 * shape[-1])[..., ::2]
    yield torch.randn(*shape[:-1], 1).expand(*shape)
    yield torch.randn(1, *shape[1:]).expand(*shape)
    yield torch.randn(*[size + 1 for size in shape])[tuple(slice(1, None) for _ in shape)]
    if 1 in shape:
        dense = torch.randn(*shape)
        strides = [100 + i if size == 1 else stride for i, (size, stride) in enumerate(zip(shape, dense.stride()))]
        yield torch.randn(dense.numel()).as_strided(shape, strides)


def calls():
    """Returns, by operator name, functions of tensors and the shapes of these."""
    import torch
    aten = torch.ops.aten
    indices = [torch.tensor([[0, 2], [1, 1]]), torch.tensor([[0, 1], [2, 1]]).t(), torch.tensor([2]).expand(2, 3)]
    return {
        "linear": [(aten.linear, (3, 4), (5, 4), (5,)), (aten.linear, (2, 3, 4), (5, 4), (5,)), (aten.linear, (2, 3, 4), (5, 4)),
                   (aten.linear, (2, 2, 3, 4), (5, 4)), (aten.linear, (4,), (5, 4), (5,))],
        "mm": [(aten.mm, (3, 4), (4, 5)), (aten.mm, (1, 4), (4, 1))],
        "addmm": [(aten.addmm, (5,), (3, 4), (4, 5)), (aten.addmm, (3, 5), (3, 4), (4, 5))],
        "bmm": [(aten.bmm, (2, 3, 4), (2, 4, 5))],
        "embedding": [((lambda weight, i=i: aten.embedding(weight, i)), (3, 4)) for i in indices],
        "contiguous": [(aten.contiguous, (3, 4)), (aten.contiguous, (2, 3, 4)), (aten.contiguous, (4,))],
        "zeros": [(lambda: aten.zeros([2, 3]),)],
        "ones": [(lambda: aten.ones([2, 3]),)],
        "full": [(lambda: aten.full([2, 3], 1.0),)],
        "arange": [(lambda: aten.arange(5),), (lambda: aten.arange(1, 9, 2),)],
        "eye": [(lambda: aten.eye(3),), (lambda: aten.eye(3, 4),)],
        "linspace": [(lambda: aten.linspace(0, 1, 5),)],
        "rand": [(lambda: aten.rand([2, 3]),)],
        "randn": [(lambda: aten.randn([2, 3]),)],
        "scalar_tensor": [(lambda: aten.scalar_tensor(2.0),)],
    }


def calls_without_gaps():
    """The same for operators whose results may have other strides than those of torch.empty."""
    import torch
    aten = torch.ops.aten
    unary = "neg abs sin cos log floor ceil round erf leaky_relu hardtanh gelu silu clone".split()
    found = {name: [(getattr(aten, name), shape) for shape in [(3, 4), (2, 3, 4), (2, 3, 4, 4), (4,), (1, 3, 1, 4)]] for name in unary}
    for name, more in {"clamp": (0, 1), "clamp_min": (0,), "clamp_max": (1,)}.items():
        found[name] = [((lambda x, f=getattr(aten, name), more=more: f(x, *more)), shape) for shape in [(3, 4), (2, 3, 4)]]
    for name in ("add", "sub", "mul", "div"):
        found[name] = [(getattr(aten, name), a, b) for a, b in [((3, 4), (3, 4)), ((3, 1), (1, 4)), ((2, 3, 4), (3, 1)), ((3, 4), (4,))]]
    found["conv1d"] = [(aten.conv1d, (2, 3, 6), (4, 3, 2))]
    found["conv2d"] = [(aten.conv2d, (2, 3, 6, 6), (4, 3, 2, 2)), (aten.conv2d, (1, 3, 6, 6), (1, 3, 3, 3))]
    found["conv3d"] = [(aten.conv3d, (1, 2, 4, 4, 4), (2, 2, 2, 2, 2))]
    found["batch_norm"] = [((lambda x, m, v: aten.batch_norm(x, None, None, m.detach(), v.detach().abs(), False, 0.1, 1e-5, False)), (2, 3, 4, 4), (3,), (3,)),
                           ((lambda x, m, v: aten.batch_norm(x, None, None, m.detach(), v.detach().abs(), False, 0.1, 1e-5, False)), (1, 3, 1, 4), (3,), (3,))]
    found["layer_norm"] = [((lambda x, w: aten.layer_norm(x, [4], w)), (2, 3, 4), (4,)),
                           ((lambda x, w: aten.layer_norm(x, [4], w)), (1, 3, 1, 4), (4,))]
    return found


def has_no_gaps(tensor):
    """Whether elements are adjacent: sorted by strides, each dimension steps over exactly the previous ones."""
    step = 1
    for stride, size in sorted((stride, size) for stride, size in zip(tensor.stride(), tensor.shape) if size != 1):
        if stride != step:
            return False
        step *= size
    return True


def can_be_written(result):
    """Whether a backward pass succeeds after a write to its result."""
    try:
        result.neg_().sum().backward()
    except RuntimeError:
        return False
    return True


def main():
    status = status_elsewhere(sys.argv)
    if status is not None:
        return status
    import torch
    lines = [line.split("\t") for line in TABLE.read_text().splitlines()]
    rows = [row for row in lines if row[0] in ("laid-densely", "unsaved")]
    promised = {(row[0], name) for row in rows for name in row[1].split()}
    may_keep = {name for row in lines if row[0] == "keeps-ones" for name in row[1].split()}
    known = {"laid-densely": calls(), "unsaved": calls_without_gaps()}
    failed = [f"{name} has no call here" for rule, name in sorted(promised) if name not in known[rule]]
    count = 0
    for rule, name in sorted(promised):
        for function, *shapes in known[rule].get(name, []):
            for given in itertools.product(*(list(layouts(*shape)) for shape in shapes)):
                for gradients in (False, True):
                    result = function(*(tensor.detach().requires_grad_(gradients) for tensor in given))
                    count += 1
                    is_dense = result.is_contiguous() and (name in may_keep or result.stride() == torch.empty(result.shape).stride())
                    if name not in may_keep and torch.relu(result.detach()).stride() != result.stride():
                        failed.append(f"{name} returns other strides than relu: {result.stride()}, for {[t.stride() for t in given]}")
                    if not (is_dense if rule == "laid-densely" else has_no_gaps(result)):
                        failed.append(f"{name} gives strides {result.stride()} of strides {[t.stride() for t in given]}")
                    if result.requires_grad and name != "contiguous" and not can_be_written(result):
                        failed.append(f"a backward pass reads the result of {name}")
    for line in failed:
        print(line)
    print(f"{count} calls, {len(failed)} faults")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
