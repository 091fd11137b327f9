"""Starts the programs: `python -m sunder` and the commands `sunder` and `sunder-cli` that pip installs."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from .errors import SunderError
from .programs import find


def window() -> NoReturn:
    _become("sunder")


def command_line() -> NoReturn:
    _become("sunder-cli")


def _become(name: str) -> NoReturn:
    """Replaces this process by a program. The program finds this Python, also if its environment is not activated."""
    if sys.prefix != sys.base_prefix and "CONDA_PREFIX" not in os.environ:
        os.environ.setdefault("VIRTUAL_ENV", sys.prefix)
    try:
        program = str(find(name))
        os.execv(program, [program, *sys.argv[1:]])
    except (SunderError, OSError) as error:
        sys.exit(f"{name}: {error}")


if __name__ == "__main__":
    window()
