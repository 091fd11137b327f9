"""Checks the promises in core/operators/data: `operator_promises_in_torch.py OPERATOR_PROBE`

Runs the three tests of the same recorded calls one after another, so that the calls are recorded once: layouts_and_forms_in_torch.py,
aliases_in_torch.py, and rounding_in_torch.py, which also run alone. Exit 77 (skipped) without SUNDER_TORCH_PYTHON.
"""

import sys

import torch_test


def main(argv):
    import aliases_in_torch
    import layouts_and_forms_in_torch
    import rounding_in_torch
    failed = 0
    for test in (layouts_and_forms_in_torch, aliases_in_torch, rounding_in_torch):
        print(f"== {test.__name__}", flush=True)
        failed |= test.main(argv)
    return failed


if __name__ == "__main__":
    status = torch_test.status_elsewhere(sys.argv)
    sys.exit(main(sys.argv) if status is None else status)
