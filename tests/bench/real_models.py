"""Tests Sunder on real models, one line each, as a table: `real_models.py [--only TEXT …] [--stages N] [--json FILE]`.

Needs PyTorch, a built sunder-cli, and `pip install torchvision timm transformers diffusers`. Models of missing packages are skipped
with a message.

Exports each model in a separate process, and then runs the steps of a user on it:

  nodes      of the exported program
  open       seconds of `sunder-cli info`, which reads the whole graph, including the start of the program
  split      into stages of equal size: proven equivalent by Sunder, and outputs bit for bit those of the program
  verify     the program compared with its split, including weights
  unflatten  proven, and bit for bit; Sunder's/torch's number of submodules if they differ
  dedup      groups of repeated regions / regions; proven, and bit for bit
  parts      written as .pt2 files and run by sunder.Pipeline on two devices (the processor twice): bit for bit

Each cell is "same" or a description of the outcome. The last line has totals. Exit 1 if a cell is not "same".
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings
from typing import Any

from real_model_list import MODELS
from real_model_trial import PASSES, tried

COLUMNS = ("model", "nodes", "export s", "open s", *PASSES)
LIMIT_S = 900


def in_a_process(name: str, stages: int) -> dict[str, Any]:
    """Runs `tried` in a new Python process, so that models do not affect each other."""
    command = [sys.executable, __file__, "--one", name, "--stages", str(stages)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        return {"model": name, "export s": f"not done in {LIMIT_S} s"}
    try:
        return json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        return {"model": name, "export s": f"ended with {done.returncode}: {done.stderr.strip()[-200:]}"}


def is_same(columns: dict[str, Any]) -> bool:
    return all(str(columns.get(column)).split(",")[0] == "same" for column in PASSES)


def line(cells: Any) -> str:
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", default=[""], help="models whose name has one of these texts in it")
    parser.add_argument("--stages", type=int, default=4)
    parser.add_argument("--json", type=pathlib.Path, help="the rows as JSON as well")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        warnings.simplefilter("ignore")
        with tempfile.TemporaryDirectory(prefix="sunder-real-") as folder:
            print(json.dumps(tried(options.one, pathlib.Path(folder), options.stages)))
        return 0
    return table(options)


def table(options: argparse.Namespace) -> int:
    names = [name for name in MODELS if any(text in name for text in options.only)]
    missing = {package for package in {name.split("/")[0] for name in names} if importlib.util.find_spec(package) is None}
    print(line(COLUMNS), line("---" for _ in COLUMNS), sep="\n", flush=True)
    rows = []
    for name in names:
        if name.split("/")[0] not in missing:
            rows.append(in_a_process(name, options.stages))
            print(line(rows[-1].get(column, "") for column in COLUMNS), flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    good = sum(map(is_same, rows))
    print(
        f"\n{good} of {len(rows)} models: every column is the same"
        + (f"; not installed: {', '.join(sorted(missing))}" if missing else "")
    )
    return 0 if rows and good == len(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
