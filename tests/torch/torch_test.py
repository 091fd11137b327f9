"""Shared by tests that run PyTorch: finds the Python, and suppresses warnings."""
import logging
import os
import subprocess
import typing
import warnings

SKIPPED = 77


def remembered(hints_of):
    """`hints_of`, a function like typing.get_type_hints, that looks once at every class."""
    known = {}

    def ask(asked, globalns=None, localns=None, include_extras=False):
        key = (asked, id(globalns), id(localns), include_extras)
        if key not in known:  # with the names, so that their ids stay theirs
            known[key] = hints_of(asked, globalns, localns, include_extras), globalns, localns
        return known[key][0]

    return ask


def status_elsewhere(argv):
    """The exit status where the test does not run in this Python: it is skipped, or runs in the one that has PyTorch.
    None where it runs here."""
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
    # torch.export.load asks for the hints of the same few classes at every value, a third of its time.
    typing.get_type_hints = remembered(typing.get_type_hints)
    return None
