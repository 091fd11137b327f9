"""Compares parts exported by the window with the model in PyTorch: `exported_parts_in_torch.py MODEL.pt2 FOLDER`

Runs both on the model's sample inputs and compares every element of every output. Used by tests of the window, which skip it
without PyTorch.
"""

import pathlib
import sys

from parts_run_in_torch import flat, run_parts, same


def main(argv):
    import torch
    whole = torch.export.load(argv[1])
    args, kwargs = whole.example_inputs
    wanted = flat(whole.module()(*args, **kwargs))
    actual = run_parts(pathlib.Path(argv[2]), flat((args, kwargs)))
    equal = len(actual) == len(wanted) and all(same(a, w) for a, w in zip(actual, wanted))
    print(f"{'equal' if equal else 'DIFFERENT'}, {len(wanted)} outputs")
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv))
