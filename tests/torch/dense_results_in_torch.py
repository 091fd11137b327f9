"""Do results of the operators that normal_forms.txt calls `laid-densely` lie without gaps, however arguments lie?
`dense_results_in_torch.py`

Calls each operator with tensors that are contiguous, transposed, sliced with a step, and expanded, in all combinations.
"""

import itertools
import pathlib
import sys

from torch_test import status_elsewhere

TABLE = pathlib.Path(__file__).resolve().parents[2] / "core" / "operators" / "data" / "normal_forms.txt"


def layouts(*shape):
    """Tensors of one shape that lie in memory in different ways."""
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


def calls():
    """Of each operator by name: functions of tensors, and the shapes of these."""
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


def main():
    status = status_elsewhere(sys.argv)
    if status is not None:
        return status
    import torch
    rows = [line.split("\t") for line in TABLE.read_text().splitlines() if line.startswith("laid-densely\t")]
    promised = {name for row in rows for name in row[1].split()}
    known = calls()
    failed = [f"{name} has no call here" for name in sorted(promised - set(known))]
    count = 0
    for name in sorted(promised & set(known)):
        for function, *shapes in known[name]:
            for given in itertools.product(*(list(layouts(*shape)) for shape in shapes)):
                for gradients in (False, True):
                    result = function(*(tensor.detach().requires_grad_(gradients) for tensor in given))
                    count += 1
                    if not result.is_contiguous() or result.stride() != torch.empty(result.shape).stride():
                        failed.append(f"{name} gives strides {result.stride()} of strides {[t.stride() for t in given]}")
    for line in failed:
        print(line)
    print(f"{count} calls, {len(failed)} faults")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
