#!/usr/bin/env python3
"""python_package_in_torch.py SUNDER_CLI [ARGUMENT…]: runs the tests of the Python package (packaging/python/tests) under
pytest in the Python with PyTorch; further arguments are passed to pytest. Skipped without PyTorch or pytest.
"""
import os
import pathlib
import subprocess
import sys

import torch_test

PACKAGE = pathlib.Path(__file__).resolve().parents[2] / "packaging" / "python"


def main():
    status = torch_test.status_elsewhere(sys.argv)
    if status is not None:
        return status
    try:
        import pytest  # noqa: F401
    except ImportError:
        print(f"skipped: {sys.executable} has no pytest")
        return torch_test.SKIPPED
    environment = dict(os.environ, SUNDER_HOME=str(pathlib.Path(sys.argv[1]).resolve().parent), QT_QPA_PLATFORM="offscreen")
    return subprocess.run([sys.executable, "-m", "pytest", "-q", *sys.argv[2:]], cwd=PACKAGE, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
