#!/usr/bin/env python3
"""Checks that the top folder of the repository contains exactly the intended entries. Considers files tracked by git or, outside a
checkout, all files of the folder except build/ and other entries of .gitignore.
"""
import pathlib
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
WANTED = {"CMakeLists.txt", "CMakePresets.json", "CONTRIBUTING.md", "LICENSE", "README.md",
          "core", "docs", "packaging", "resources", "src", "tests", "ui"}
NOT_OURS = {"build", "sunder-out", "__pycache__"}


def names():
    def git(*words):
        return subprocess.run(["git", "-C", str(TOP), *words], capture_output=True, text=True)

    top = git("rev-parse", "--show-toplevel")
    if top.returncode == 0 and pathlib.Path(top.stdout.strip()).resolve() == TOP:
        return {line.split("/")[0] for line in git("ls-files").stdout.splitlines()}
    return {path.name for path in TOP.iterdir() if not path.name.endswith(".user")} - NOT_OURS


def main():
    there = {name for name in names() if not name.startswith(".")}
    faults = [f"{name} does not belong in the top folder" for name in sorted(there - WANTED)]
    faults += [f"{name} is missing in the top folder" for name in sorted(WANTED - there)]
    print(*faults, f"{len(faults)} faults", sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
