"""What the tests that run PyTorch share: which Python has it, and silence about what it warns of."""
import logging
import os
import subprocess
import warnings

SKIPPED = 77


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
    return None
