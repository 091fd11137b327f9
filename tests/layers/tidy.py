#!/usr/bin/env python3
"""Runs clang-tidy on the lines that differ from the merge base with main, or from the commit in SUNDER_TIDY_BASE. Exits with 77
(skipped) without clang-tidy 19, if main or no branch is checked out, and if more than 24 sources would be read and
SUNDER_TIDY_BASE is not set: a hundred take an hour.

usage: tidy.py BUILD_FOLDER
"""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

TOP = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("core/", "src/", "tests/")
SKIPPED = 77
MOST_SOURCES = 24  # read without SUNDER_TIDY_BASE


def git(*words):
    done = subprocess.run(["git", *words], cwd=TOP, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else None


def base_of_branch(asked):
    """Returns the merge base with `asked` or, without it, with main; and None, or the reason if there is none."""
    if asked:
        base = git("merge-base", "HEAD", asked)
        return base, None if base else f"SUNDER_TIDY_BASE={asked} does not exist or has no common ancestor with this commit"
    branch = git("symbolic-ref", "--short", "HEAD")
    if branch in (None, "main"):
        return None, f"{branch or 'no branch'} is checked out: set SUNDER_TIDY_BASE to the commit to compare with"
    base = next((found for name in ("origin/main", "main") if (found := git("merge-base", "HEAD", name))), None)
    return base, None if base else "this branch has no merge base with main"


def changed_lines(base):
    """Returns {file: [[first, last], …]} for C++ that differs from `base`, committed or not."""
    changed, file = {}, None
    for line in (git("diff", "-U0", "--diff-filter=d", base, "--", "*.h", "*.cpp") or "").splitlines():
        if line.startswith("+++ b/"):
            file = line[len("+++ b/"):]
        elif (hunk := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line)) and file.startswith(FOLDERS):
            first, count = int(hunk[1]), int(hunk[2] or 1)
            if count:
                changed.setdefault(file, []).append([first, first + count - 1])
    return changed


def own_flags(entry):
    """Returns the flags of a compile command without source, output, and precompiled headers of GCC."""
    words, flags = shlex.split(entry["command"]), []
    words = words[next(i for i, word in enumerate(words) if word.startswith("-")):]
    while words:
        word = words.pop(0)
        if word in ("-o", "-c", "-MT", "-MF"):
            words.pop(0)
        elif word == "-include" and "cmake_pch" in words[0]:
            words.pop(0)
        elif word not in ("-MD", "-Winvalid-pch", "-Werror", "-Wno-subobject-linkage") and not word.endswith(".cpp"):
            flags.append(word)
    return flags


def commands(build):
    """Returns a compile command for every source, including those in unity builds."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = pathlib.Path(entry["file"])
        sources = [file]
        if "Unity" in file.parts:
            sources = [pathlib.Path(path) for path in re.findall(r'^#include "([^"]+)"', file.read_text(), re.M)]
        for source in sources:
            if source.suffix == ".cpp":
                found.setdefault(str(source), own_flags(entry))
    return found


def sources_for(changed, known):
    """Returns the sources to check: those that changed, and for a changed header its own source or one in the same folder."""
    chosen = set()
    for file in changed:
        path = TOP / file
        beside = [str(path)] if path.suffix == ".cpp" else [str(path.with_suffix(".cpp")), *map(str, sorted(path.parent.glob("*.cpp")))]
        source = next((each for each in beside if each in known), None)
        if source is None:
            print(f"no compile command reads {file}: not checked")
        else:
            chosen.add(source)
    return sorted(chosen)


def faults_of(tool, source, flags, lines):
    done = subprocess.run([tool, "--quiet", "--line-filter=" + lines, source, "--", *flags], cwd=TOP, capture_output=True, text=True)
    found = [line for line in done.stdout.splitlines() if re.search(r": (warning|error): ", line)]
    if done.returncode and not found:
        found = [f"{source}: clang-tidy ended with {done.returncode}: {done.stderr.strip()[-400:]}"]
    print(f"{os.path.relpath(source, TOP)}: {len(found) or 'nothing'}", flush=True)
    return found


def main():
    asked = os.environ.get("SUNDER_TIDY_BASE")
    tool, (base, hindrance) = shutil.which("clang-tidy-19"), base_of_branch(asked)
    if tool is None or base is None:
        print("skipped:", hindrance or "clang-tidy-19 is not installed")
        return SKIPPED
    changed = changed_lines(base)
    known = commands(pathlib.Path(sys.argv[1]))
    sources = sources_for(changed, known)
    if len(sources) > MOST_SOURCES and not asked:
        print(f"skipped: {len(sources)} sources to read; set SUNDER_TIDY_BASE={base[:10]} to read them all")
        return SKIPPED
    lines = json.dumps([{"name": str(TOP / file), "lines": ranges} for file, ranges in sorted(changed.items())])
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = sorted({fault for some in pool.map(lambda s: faults_of(tool, s, known[s], lines), sources) for fault in some})
    print(*found, f"{len(changed)} files changed since {base[:10]}, {len(sources)} sources read, {len(found)} findings", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
