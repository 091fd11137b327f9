"""Shared by tests that run PyTorch: finds the Python, and suppresses warnings."""
import logging
import os
import subprocess
import typing
import warnings

SKIPPED = 77
WHOLE = bool(os.environ.get("SUNDER_WHOLE"))  # run all combinations, which takes long


def remembered(hints_of):
    """Returns a version of `hints_of` (like typing.get_type_hints) that caches the hints of every class."""
    known = {}

    def ask(asked, globalns=None, localns=None, include_extras=False):
        key = (asked, id(globalns), id(localns), include_extras)
        if key not in known:  # keeps the objects alive, so that their ids stay unique
            known[key] = hints_of(asked, globalns, localns, include_extras), globalns, localns
        return known[key][0]

    return ask


def status_elsewhere(argv):
    """Returns the exit status if the test does not run in this Python: it is skipped, or runs in the Python with PyTorch.
    Returns None if it runs here."""
    python = os.environ.get("SUNDER_TORCH_PYTHON")
    if not python:
        print("skipped: SUNDER_TORCH_PYTHON does not name a Python with PyTorch")
        return SKIPPED
    try:
        import torch  # noqa: F401
    except ImportError:
        return subprocess.run([python, *argv]).returncode
    warnings.filterwarnings("ignore")
    logging.disable(logging.ERROR)
    # torch.export.load queries the hints of the same few classes for every value, which takes a third of its time.
    typing.get_type_hints = remembered(typing.get_type_hints)
    # It also seeds devices, and where there are none it records the call, which takes 0.7 ms; tests call it 100,000 times.
    torch.manual_seed = torch.random.manual_seed = lambda seed: torch.default_generator.manual_seed(int(seed))
    return None
