"""python -m sunder.running PARTS [MODULE…]: runs exported parts for the window, or for a script in another language.

Writes a JSON object per line to standard output: {"step": TEXT, "share": 0 … 1} for progress, and at the end the result, with
`outputs`, `parts`, `costs` (as in COSTS.json), `agreement`, `equal`, `whole_seconds`, `device`, `inputs`, and `notes`; or `error`,
with its `code`, `message`, and `where`. Output of models goes to standard error.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import json
import os
import sys
from typing import Any, TextIO

import torch

from ..errors import SunderError, one_line
from .results import PartsRun
from .run import run_parts


def result_of(run: PartsRun) -> dict[str, Any]:
    """The result as JSON."""
    said = dataclasses.asdict(run)
    for part in said["parts"]:
        del part["nodes"], part["runs"]
    for output in said["outputs"]:
        for key in ("largest", "relative"):  # JSON has no infinity
            output[key] = "infinite" if output[key] == float("inf") else output[key]
    return {**said, "costs": run.costs(), "torch": torch.__version__}


def main() -> int:
    arguments = argparse.ArgumentParser(prog="python -m sunder.running", description="Run exported parts against the whole model.")
    arguments.add_argument("parts", help="folder with manifest.json")
    arguments.add_argument("modules", nargs="*", metavar="MODULE", help="module to import first, which registers classes or operators")
    arguments.add_argument("--model", help="model to compare with; default: the file that the parts were cut from")
    arguments.add_argument("--device", help="device of all parts; default: that of their files")
    arguments.add_argument("--warmup", type=int, default=2)
    arguments.add_argument("--repeats", type=int, default=10)
    given = arguments.parse_args()
    with _own_output() as lines:
        def say(**line: Any) -> None:
            lines.write(json.dumps(line, allow_nan=False) + "\n")
            lines.flush()

        try:
            for module in given.modules:
                _import(module)
            run = run_parts(given.model, parts=given.parts, device=given.device, warmup=given.warmup, repeats=given.repeats,
                            progress=lambda step, share: say(step=step, share=share))
            say(**result_of(run))
        except SunderError as error:
            say(error={"code": error.code, "message": error.text, "where": error.where})
            return 1
        except MemoryError:
            say(error={"code": "io", "message": "there is not enough memory", "where": {}})
            return 1
    return 0


def _import(module: str) -> None:
    try:
        importlib.import_module(module)
    except Exception as error:  # modules may raise anything
        raise SunderError(f"module {module!r} cannot be imported: {type(error).__name__}: {one_line(str(error))}", code="usage") from error


def _own_output() -> TextIO:
    """Standard output for this program alone: what models print goes to standard error."""
    own = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return own


if __name__ == "__main__":
    sys.exit(main())
