"""Which other releases of PyTorch there are beside that of the tests."""
import os
import pathlib
import subprocess
import sys


def other_pytorchs():
    """Virtual environments beside that of the tests: version and Python."""
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "sunder"
    for python in sorted(cache.glob("torch-*/bin/python")):
        version = python.parents[1].name.removeprefix("torch-")
        done = subprocess.run([python, "-c", "import torch; print(torch.__version__)"], capture_output=True, text=True)
        if done.returncode == 0 and done.stdout.startswith(version) and pathlib.Path(sys.prefix) != python.parents[1]:
            yield version, python
