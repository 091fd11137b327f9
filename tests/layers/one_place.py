#!/usr/bin/env python3
"""Checks that the window uses its own helpers: src/dialogs/message_dialog.h for messages instead of Qt's boxes with "Yes" buttons,
and src/text/elided_name.h to shorten names, since it keeps their distinguishing ends.
"""
import pathlib
import re
import sys

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "src"
# Pattern, replacement, and files in which it is permitted.
ONLY = [
    (re.compile(r"\bQ(MessageBox|ErrorMessage)\b"), "a MessageDialog", set()),
    (re.compile(r"\belidedText\(|\bsetTextElideMode\("), "elidedName() or elidedWords()", {"text/elided_name.cpp"}),
]


def faults_in(path):
    name = path.relative_to(SOURCES).as_posix()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        for pattern, wanted, places in ONLY:
            if pattern.search(line) and name not in places:
                yield f"src/{name}:{number}: {pattern.search(line)[0]}: use {wanted}"


def main():
    faults = [fault for path in sorted(SOURCES.rglob("*")) if path.suffix in (".h", ".cpp") for fault in faults_in(path)]
    print(*faults, f"{len(faults)} faults", sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
