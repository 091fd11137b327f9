#!/usr/bin/env python3
"""Checks that tests neither sleep nor depend on clocks: they would fail on a busy machine and hide defects on a fast one. Tests
wait for conditions (tests/support/patience.h), count steps and bytes to check costs, and have time limits of at least a minute,
only to end hanging tests. Benchmarks may measure time, and so may EXCEPTIONS for their reasons.
"""
import pathlib
import re
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
BENCH = TESTS / "bench"
LEAST_LIMIT_MS = 60_000

WAITS = {
    r"\bqWait\(|\bqSleep\(|\b[mun]?sleep\(|\bnanosleep\(|\bsleep_(?:for|until)\b": "sleeps",
    r"singleShot\((?!0\b)\s*[\w']+": "sleeps",
    r"\bQTRY_\w+_WITH_TIMEOUT\b": "sets its own time limit; use the one in patience.h",
    r"\bqWaitForWindow\w+\([^,]*\);?\)": "uses Qt's limit of 5 s; pass kHangMs",
}
CLOCKS = {
    r"\bQElapsedTimer\b|\bQDeadlineTimer\b|\b(?:steady|system|high_resolution)_clock\b|\bclock_gettime\b|\bgetrusage\b"
    r"|\belapsed\(\)|\bcurrentMSecsSinceEpoch\b|\btime\.(?:time|monotonic|perf_counter|process_time)\b|\bru_[us]time\b":
        "reads a clock",
}
LIMIT = re.compile(r"\bwaitFor(?:Started|Finished|ReadyRead|Done)\(([\d'_]*)\)|\btimeout=([\d_]+)")
QT_LIMIT_MS = "30000"

EXCEPTIONS = {
    "core/layout/layered_cancel_test.cpp": "the longest time between cancellation checks as a share of the total, in processor time",
    "fuzz/watched_process.cpp": "10 s of processor time for a model of a few nodes count as hanging",
    "fuzz/fuzz_commands.cpp": "runs for a given time",
    "fuzz/fuzz_passes.cpp": "runs for a given time",
    "fuzz/fuzz_readers.cpp": "runs for a given time",
    "hostile/growth.py": "run by hand, not a test: compares processor times of two model sizes",
    "src/cli/ends_at_signals.py": "sends signals at moments spread over a run, and prints the time until the end",
    "support/patience.h": "defines the limit of all others",
    "torch/boundary_sizes_in_torch.py": "prints its duration",
    "torch/in_turn.py": "prints the processor time of every script",
    "torch/aliases_in_torch.py": "prints its duration",
    "torch/layouts_and_forms_in_torch.py": "prints its duration",
    "torch/operator_facts_in_torch.py": "stops searching for samples after a time",
    "torch/split_module_in_torch.py": "runs for a given time",
}


def stripped(text, isPython):
    """Removes comments and keeps line numbers."""
    comment = r"#[^\n]*" if isPython else r"//[^\n]*|/\*(?:.|\n)*?\*/"
    literal = r'"(?:\\.|[^"\\\n])*"'
    return re.sub(f"{literal}|{comment}", lambda m: m[0] if m[0][0] == '"' else "\n" * m[0].count("\n"), text)


def isPatient(file, seen=()):
    """Whether it includes patience.h, directly or through test headers."""
    for name in re.findall(r'#include "([^"]+)"', file.read_text(encoding="utf-8")):
        for header in (file.parent / name, TESTS / "support" / name):
            if header.name == "patience.h" or header.is_file() and header not in seen and isPatient(header, (*seen, header)):
                return True
    return False


def faultsOf(file):
    text = stripped(file.read_text(encoding="utf-8"), file.suffix == ".py")
    for number, line in enumerate(text.split("\n"), 1):
        for pattern, says in (WAITS | CLOCKS).items():
            if found := re.search(pattern, line):
                yield f"{number}: {found[0].strip()} {says}"
        for limit in LIMIT.finditer(line):
            value = int(re.sub(r"['_]", "", limit[2] or limit[1] or QT_LIMIT_MS)) * (1000 if limit[2] else 1)
            if value < LEAST_LIMIT_MS:
                yield f"{number}: {limit[0]}: too short for a busy machine"
    if re.search(r"\bQTRY_", text) and not isPatient(file):
        yield "QTRY_… uses Qt's limit of 5 s: include patience.h"


def main():
    faults, met = [], set()
    files = [file for file in sorted(TESTS.rglob("*")) if file.suffix in (".cpp", ".h", ".py") and BENCH not in file.parents]
    for file in files:
        if file == pathlib.Path(__file__).resolve():
            continue
        name = file.relative_to(TESTS).as_posix()
        found = list(faultsOf(file))
        if found and name in EXCEPTIONS:
            met.add(name)
            continue
        faults += [f"tests/{name}:{fault}" for fault in found]
    faults += [f"tests/{name} needs no exception" for name in sorted(EXCEPTIONS.keys() - met)]
    print(f"{len(files)} files", *faults, f"{len(faults)} faults", sep="\n")
    return 1 if faults or len(files) < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
