#!/usr/bin/env python3
"""Checks the include layering: the compiler must find exactly the headers that a folder may include.

usage: includes_across.py BUILD_FOLDER
"""
import json
import os
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# The folders that each folder may include from, in addition to itself.
CORE = {
    "support": [],
    "ir": ["support"],
    "operators": ["support", "ir"],
    "analysis": ["support", "ir", "operators"],
    "io": ["support", "ir", "operators", "analysis"],
    "layout": ["support", "ir", "operators", "analysis"],
    "verify": ["support", "ir", "operators", "analysis"],
    "tagging": ["support", "ir", "operators", "analysis", "verify"],
    "passes": ["support", "ir", "operators", "analysis", "verify"],
    "parts": ["support", "ir", "operators", "analysis", "io", "verify", "passes"],
}
WINDOW = {
    "text": [],
    "diagnostics": [],
    "jobs": ["diagnostics"],
    "canvas": ["text"],
    "document": ["jobs", "diagnostics", "text"],
    "models": ["document", "canvas", "jobs", "diagnostics", "text"],
    "export": ["document", "canvas", "jobs", "diagnostics", "text"],
    "panels": ["models", "document", "canvas", "jobs", "diagnostics", "text"],
    "panes": ["models", "document", "canvas", "jobs", "diagnostics", "text"],
    "dialogs": ["export", "models", "document", "canvas", "jobs", "diagnostics", "text"],
    "cli": [],
    "draw": ["cli", "canvas", "text"],
}
QT = "QtCore/qglobal.h"


def header_of(tree, folder):
    return next(iter(sorted((ROOT / tree / folder).rglob("*.h")))).relative_to(ROOT / tree).as_posix()


def commands_by_folder(build):
    """Returns one compile command per folder, whose flags define the include path."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = pathlib.Path(entry["file"])
        if "Unity" in file.parts:  # library named after the folder
            name = next(part for part in file.parts if part.endswith(".dir"))[len("sunder-"):-len(".dir")]
            found.setdefault({"commands": "cli"}.get(name, name), entry)
        elif file.is_relative_to(ROOT / "core") or file.is_relative_to(ROOT / "src"):
            parts = file.relative_to(ROOT).parts
            if len(parts) > 2 and not file.name.startswith("main."):
                found.setdefault(parts[1], entry)
    return found


def found_by(entry, headers):
    """Returns those of `headers` that can be included with the include path of a compile command."""
    given = shlex.split(entry["command"])
    if os.path.basename(given[0]) == "ccache":
        given = given[1:]
    folders = []
    for at, word in enumerate(given):
        if word.startswith("-I"):
            folders.append(word)
        elif word == "-isystem":
            folders += [word, given[at + 1]]
    asked = "".join(f'#if __has_include("{header}")\nfound {header}\n#endif\n' for header in headers)
    done = subprocess.run([given[0], "-x", "c++", "-std=c++20", "-E", "-P", *folders, "-"], input=asked, cwd=entry["directory"],
                          capture_output=True, text=True, check=True)
    return {line.removeprefix("found ") for line in done.stdout.splitlines() if line.startswith("found ")}


def main():
    commands = commands_by_folder(pathlib.Path(sys.argv[1]))
    headers = {folder: header_of("core", folder) for folder in CORE}
    window = "app" in commands
    if window:
        headers |= {folder: header_of("src", folder) for folder in WINDOW}
    faults = []
    for folder in CORE | (WINDOW if window else {}):
        if folder not in commands:
            faults.append(f"no file of {folder} is compiled")
            continue
        allowed = {folder, *CORE[folder]} if folder in CORE else {folder, *WINDOW[folder], *CORE}
        found = found_by(commands[folder], [*headers.values(), QT])
        for other, header in headers.items():
            if (header in found) != (other in allowed):
                faults.append(f"{folder} {'does not find' if other in allowed else 'finds'} \"{header}\"")
        if (QT in found) != (folder in WINDOW):
            faults.append(f"{folder} {'finds' if QT in found else 'does not find'} Qt")
    for fault in faults:
        print(fault)
    print(f"{len(headers)} folders, {len(faults)} faults")
    return 1 if faults or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
