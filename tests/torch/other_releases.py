"""Finds installed releases of PyTorch other than that of the tests."""
import os
import pathlib
import subprocess
import sys


def other_pytorchs():
    """Returns other virtual environments: version and Python."""
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "sunder"
    for python in sorted(cache.glob("torch-*/bin/python")):
        version = python.parents[1].name.removeprefix("torch-")
        done = subprocess.run([python, "-c", "import torch; print(torch.__version__)"], capture_output=True, text=True)
        if done.returncode == 0 and done.stdout.startswith(version) and pathlib.Path(sys.prefix) != python.parents[1]:
            yield version, python
