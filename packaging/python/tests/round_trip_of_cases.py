#!/usr/bin/env python3
"""round_trip_of_cases.py FOLDER [MODULE …]: loads every fx-json below FOLDER and saves it again. The result must be the same node
for node. MODULES contain functions that the cases call, or register their operators.
"""

from __future__ import annotations

import importlib
import pathlib
import sys
import tempfile
import warnings

import graphs_of_files
import sunder


def fault_of(path: pathlib.Path, again: pathlib.Path, trust: list[str]) -> str | None:
    try:
        sunder.save(sunder.load(path, trust=trust), again, weights=False)
    except Exception as error:  # continue with the next case
        return f"{type(error).__name__}: {error}"
    return graphs_of_files.first_difference(path, again)


def main() -> int:
    folder, *trust = sys.argv[1:]
    warnings.filterwarnings("ignore")
    for module in trust:
        importlib.import_module(module)
    cases = sorted(path for path in pathlib.Path(folder).rglob("*.fxj*") if path.name.endswith((".fxj", ".fxj.gz")))
    faults = 0
    with tempfile.TemporaryDirectory() as scratch:
        for path in cases:
            fault = fault_of(path, pathlib.Path(scratch) / "again.fxj", trust)
            if fault:
                faults += 1
                print(f"{path.relative_to(folder)}: {fault:.300}", flush=True)
    print(f"{len(cases)} files, {faults} that are not the same when they come back")
    return 1 if faults or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
