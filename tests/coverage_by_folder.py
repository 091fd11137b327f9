#!/usr/bin/env python3
"""Measures line coverage of core/ and src/: builds the preset coverage, runs its tests, and prints lines, executed lines, and their
share for every folder, and the files below 80%.

    coverage_by_folder.py [--read] [--tests REGEX]

--read prints the counts of an earlier run; --tests runs only tests with matching names. Needs gcov, which comes with gcc.
Excludes tests that take long or contribute few lines: random ones, and those that need PyTorch or external cases. Processes
that end abnormally, such as the child that runs Graphviz, are not counted.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[1]
BUILD = TOP / "build" / "coverage"
LEAST = 80
LEFT_OUT = "^(fuzz|libfuzzer|layers|hostile|torch|conformance)-|ends_at_signals"
AT_ONCE = 8  # object files per run of gcov


def build():
    subprocess.run(["cmake", "--preset", "coverage"], cwd=TOP, check=True)
    subprocess.run(["cmake", "--build", "--preset", "coverage"], cwd=TOP, check=True)


def runTests(pattern):
    """Returns False if one of them failed."""
    for counts in BUILD.rglob("*.gcda"):
        counts.unlink()
    words = ["ctest", "--test-dir", str(BUILD), "-j", str(os.cpu_count()), "-E", LEFT_OUT, "--output-on-failure"]
    return subprocess.run(words + (["-R", pattern] if pattern else [])).returncode == 0


def countsOf(objects):
    """Returns gcov's descriptions of the sources of object files."""
    done = subprocess.run(["gcov", "--json-format", "--stdout", *objects], cwd=BUILD, capture_output=True, text=True)
    return [source for line in done.stdout.splitlines() if line.startswith("{") for source in json.loads(line)["files"]]


def linesOfFiles():
    """Returns path in the repository → line → execution count."""
    notes = [path for folder in ("core", "src") for path in sorted((BUILD / folder).rglob("*.gcno"))]
    objects = [str(path.with_suffix(".gcda") if path.with_suffix(".gcda").exists() else path) for path in notes]
    files = collections.defaultdict(lambda: collections.defaultdict(int))
    ours = {}  # name in gcov → path in the repository; None if it is not ours
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for sources in pool.map(countsOf, (objects[i:i + AT_ONCE] for i in range(0, len(objects), AT_ONCE))):
            for source in sources:
                name = source["file"]
                if name not in ours:
                    ours[name] = placeOf(name)
                if ours[name] is None:
                    continue
                lines = files[ours[name]]
                for line in source["lines"]:
                    lines[line["line_number"]] += line["count"]
    return files


def placeOf(name):
    """Resolves links in the build folder, through which headers are included."""
    path = pathlib.Path(os.path.realpath(BUILD / name))
    if TOP not in path.parents or BUILD in path.parents:
        return None
    place = path.relative_to(TOP)
    return place.as_posix() if place.parts[0] in ("core", "src") else None


def share(run, lines):
    return 100 * run / lines if lines else 100


def table(files):
    folders = collections.defaultdict(lambda: [0, 0])
    for name, lines in files.items():
        run = sum(count > 0 for count in lines.values())
        for folder in list(pathlib.PurePath(name).parents)[:-1]:
            folders[folder.as_posix()][0] += len(lines)
            folders[folder.as_posix()][1] += run
    print(f"{'folder':34} {'lines':>7} {'run':>7} {'share':>7}")
    for folder in sorted(folders, key=lambda name: name.split("/")):
        lines, run = folders[folder]
        depth = folder.count("/")
        print(f"{'  ' * depth + folder:34} {lines:7} {run:7} {share(run, lines):6.1f}%{'  below' if share(run, lines) < LEAST else ''}")
    print(f"\nfiles below {LEAST}%")
    for name, lines in sorted(files.items()):
        run = sum(count > 0 for count in lines.values())
        if share(run, len(lines)) < LEAST:
            missing = " ".join(str(line) for line, count in sorted(lines.items()) if count == 0)
            print(f"{name:58} {run:4} of {len(lines):4} {share(run, len(lines)):5.1f}%  not: {missing[:100]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--read", action="store_true")
    parser.add_argument("--tests", default="")
    options = parser.parse_args()
    good = True
    if not options.read:
        build()
        good = runTests(options.tests)
    table(linesOfFiles())
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
