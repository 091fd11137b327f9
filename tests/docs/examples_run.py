#!/usr/bin/env python3
"""examples_run.py SUNDER_CLI: runs the commands of docs/ on the files of docs/ in order, in a scratch folder with the
sample models. File contents shown on a page are compared with the file. Every key of a JSON object that a command prints or
writes to a side file must be documented.
"""
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

import pages

ORDER = ["fx-json.md", "command-line.md"]  # later pages may use files of these
MEMBERS_OF_NAMES = {"tags", "color", "node_to_latency", "node_to_partition", "partition_to_logical_devices",
                    "node_to_partitions", "targets", "ranges", "seconds", "ops", "kwargs", "dict", "rates", "results",
                    "why"}

OBJECTS_BY_NAME = {"nodes", "modules"}  # where they are objects rather than lists


def keys_of(value, into):
    """Returns the keys of all objects in it, except keys that are names of nodes and similar."""
    if isinstance(value, list):
        for item in value:
            keys_of(item, into)
    elif isinstance(value, dict):
        for key, item in value.items():
            into.add(key)
            if key in OBJECTS_BY_NAME and isinstance(item, dict):
                keys_of(list(item.values()), into)
            elif key not in MEMBERS_OF_NAMES:
                keys_of(item, into)


class Run:
    def __init__(self, cli, folder):
        self.folder = folder
        self.failures = []
        self.commands = set()
        self.keys = {}  # key → where it occurred
        (folder / "bin").mkdir()
        (folder / "bin/sunder-cli").symlink_to(cli)
        self.environment = dict(os.environ, PATH=f"{folder / 'bin'}:{os.environ['PATH']}", QT_QPA_PLATFORM="offscreen")

    def fail(self, block, text):
        self.failures.append(f"docs/{block.page}:{block.line}: {text}")

    def note_keys(self, value, where):
        met = set()
        keys_of(value, met)
        for key in met:
            self.keys.setdefault(key, where)

    def process(self, words):
        return subprocess.run(words, cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=120)

    def command(self, block, line):
        words = shlex.split(line, comments=True)
        comment = line.partition(" # exit ")[2]
        wanted = int(comment) if comment else 0
        if words[0] != "sunder-cli":
            return self.fail(block, f"runs something other than sunder-cli: {line}")
        self.commands.update({words[1], " ".join(words[1:3])})
        done = self.process(words)
        if done.returncode != wanted:
            return self.fail(block, f"{line}\n  ends with {done.returncode}, not {wanted}: {done.stderr.strip()}")
        again = self.process([*words, "--json"])
        self.note_keys(json.loads(again.stdout), line)

    def take(self, block):
        path = self.folder / block.name
        if block.role == "file":
            path.write_text(block.text, encoding="utf-8")
        elif block.role == "shows":
            if not path.exists():
                self.fail(block, f"nothing wrote {block.name}")
            elif (written := json.loads(path.read_text(encoding="utf-8"))) != json.loads(block.text):
                self.fail(block, f"{block.name} holds {json.dumps(written)}")
        elif block.language == "sh":
            for line in block.text.splitlines():
                self.command(block, line)
        elif block.language == "json":
            json.loads(block.text)


def main():
    cli = pathlib.Path(sys.argv[1]).resolve()
    order = ORDER + sorted(path.name for path in pages.DOCS.glob("*.md") if path.name not in ORDER)
    with tempfile.TemporaryDirectory() as scratch:
        run = Run(cli, pathlib.Path(scratch))
        for sample in (pages.TOP / "resources/samples").iterdir():
            shutil.copy(sample, run.folder)
        count = 0
        for page in order:
            for block in pages.blocks(page):
                run.take(block)
                count += 1
        for path in [*run.folder.glob("*.json"), *run.folder.glob("parts/manifest.json")]:
            run.note_keys(json.loads(path.read_text(encoding="utf-8")), path.name)
    page = "\n".join(pages.text_of(path.name) for path in sorted(pages.DOCS.glob("*.md")))
    for key, where in sorted(run.keys.items()):
        if f"`{key}`" not in page and f'"{key}"' not in page:
            run.failures.append(f'docs does not say what "{key}" is ({where})')
    known = pages.commands_of(subprocess.run([cli, "--help"], capture_output=True, text=True).stdout)
    for command in sorted(set(known) - run.commands):
        run.failures.append(f"docs has no example of sunder-cli {command}")
    print(f"{count} blocks", *run.failures, sep="\n")
    return 1 if run.failures else 0


if __name__ == "__main__":
    sys.exit(main())
