#!/usr/bin/env python3
"""What the window does in one place only: messages are boxes of its own (src/dialogs/message_dialog.h), not Qt's, whose buttons
say "Yes"; names are shortened by src/text/elided_name.h, which keeps the end in which they differ.
"""
import pathlib
import re
import sys

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "src"
# What is asked for, what to write in its place, and where it may stand.
ONLY = [
    (re.compile(r"\bQ(MessageBox|ErrorMessage)\b"), "a MessageDialog", set()),
    (re.compile(r"\belidedText\(|\bsetTextElideMode\("), "elidedName() or elidedWords()", {"text/elided_name.cpp"}),
]


def faults_in(path):
    name = path.relative_to(SOURCES).as_posix()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        for pattern, wanted, places in ONLY:
            if pattern.search(line) and name not in places:
                yield f"src/{name}:{number}: {pattern.search(line)[0]}: write {wanted}"


def main():
    faults = [fault for path in sorted(SOURCES.rglob("*")) if path.suffix in (".h", ".cpp") for fault in faults_in(path)]
    print(*faults, f"{len(faults)} faults", sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
