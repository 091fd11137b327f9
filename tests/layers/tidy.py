#!/usr/bin/env python3
"""What clang-tidy says of the lines that this branch changed: those that differ from where it left main, or what SUNDER_TIDY_BASE
names. Exit status 77, "skipped", where there is no clang-tidy 19, where main itself or no branch is checked out, and where more
than 24 sources would be read and SUNDER_TIDY_BASE does not ask for it: a hundred take an hour.

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
MOST_SOURCES = 24  # that are read without being asked to


def git(*words):
    done = subprocess.run(["git", *words], cwd=TOP, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else None


def base_of_branch(asked):
    """Where the branch left `asked`, or main when nothing is asked for; and None, or why there is none."""
    if asked:
        base = git("merge-base", "HEAD", asked)
        return base, None if base else f"SUNDER_TIDY_BASE={asked} names no commit that this one comes from"
    branch = git("symbolic-ref", "--short", "HEAD")
    if branch in (None, "main"):
        return None, f"{branch or 'no branch'} is checked out: SUNDER_TIDY_BASE says what to compare with"
    base = next((found for name in ("origin/main", "main") if (found := git("merge-base", "HEAD", name))), None)
    return base, None if base else "there is no main that this branch left"


def changed_lines(base):
    """{file: [[first, last], …]} of C++ that differs from `base`, committed or not."""
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
    """Flags of a compile command without source, output and what only GCC reads: its precompiled headers."""
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
    """A compile command for every source, also where several are compiled at once."""
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
    """The sources to look at: those that changed, and for a header that changed its own or one beside it."""
    chosen = set()
    for file in changed:
        path = TOP / file
        beside = [str(path)] if path.suffix == ".cpp" else [str(path.with_suffix(".cpp")), *map(str, sorted(path.parent.glob("*.cpp")))]
        source = next((each for each in beside if each in known), None)
        if source is None:
            print(f"no compile command reads {file}: not looked at")
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
        print("skipped:", hindrance or "there is no clang-tidy-19")
        return SKIPPED
    changed = changed_lines(base)
    known = commands(pathlib.Path(sys.argv[1]))
    sources = sources_for(changed, known)
    if len(sources) > MOST_SOURCES and not asked:
        print(f"skipped: {len(sources)} sources to read; SUNDER_TIDY_BASE={base[:10]} reads them all")
        return SKIPPED
    lines = json.dumps([{"name": str(TOP / file), "lines": ranges} for file, ranges in sorted(changed.items())])
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = sorted({fault for some in pool.map(lambda s: faults_of(tool, s, known[s], lines), sources) for fault in some})
    print(*found, f"{len(changed)} files changed since {base[:10]}, {len(sources)} sources read, {len(found)} findings", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
