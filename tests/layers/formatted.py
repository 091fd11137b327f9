#!/usr/bin/env python3
"""Checks that clang-format does not change our C++. Exits with 77 (skipped) without clang-format 19."""
import os
import pathlib
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

TOP = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("core", "src", "tests")
AT_ONCE = 40  # files per call


def faults_of(tool, files):
    done = subprocess.run([tool, "--dry-run", "-Werror", *files], cwd=TOP, capture_output=True, text=True)
    said = [line for line in done.stderr.splitlines() if "error:" in line]
    return said or ([done.stderr.strip() or "clang-format failed"] if done.returncode else [])


def main():
    tool = shutil.which("clang-format-19")
    if tool is None:
        print("skipped: clang-format-19 is not installed")
        return 77
    files = sorted(str(path.relative_to(TOP)) for folder in FOLDERS for end in ("*.h", "*.cpp") for path in (TOP / folder).rglob(end))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda at: faults_of(tool, files[at:at + AT_ONCE]), range(0, len(files), AT_ONCE))
    faults = [fault for some in found for fault in some]
    print(*faults[:50], f"{len(files)} files, {len(faults)} places that are not formatted", sep="\n")
    if faults:
        print("run clang-format-19 -i FILE")
    return 1 if faults or not files else 0


if __name__ == "__main__":
    sys.exit(main())
