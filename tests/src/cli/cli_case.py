"""Common base of the tests that run sunder-cli as users do. The program is the first argument of the script."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

CLI = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "sunder-cli"


def model(nodes=3, width=8):
    lines = [{"k": "fx-json", "v": [1, 0], "min": [1, 0]}, {"k": "graph", "id": "g0", "module": ""}]
    val = {"tensor": {"dtype": "float32", "shape": [width], "stride": [1], "device": "cpu"}}
    calls = [f"n{i}" for i in range(nodes)]
    last = "x"
    found = [{"k": "node", "g": "g0", "name": "x", "op": "placeholder", "target": "x", "args": [], "kwargs": [], "val": val}]
    for name in calls:
        found.append({"k": "node", "g": "g0", "name": name, "op": "call_function", "target": "torch.ops.aten.relu.default",
                      "args": [{"n": last}], "kwargs": [], "val": val})
        last = name
    found.append({"k": "node", "g": "g0", "name": "output", "op": "output", "target": "output", "args": [{"n": last}], "kwargs": []})
    text = "".join(json.dumps(line) + "\n" for line in lines + found + [{"k": "end", "nodes": len(found)}])
    return text, calls


class CliCase(unittest.TestCase):
    """Creates a folder with a model of three chained calls, tags for two and for three parts, and devices."""

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = self.temporary.name
        text, calls = model()
        self.write("in.fxj", text)
        self.write("tags.json", json.dumps({"order": ["p", "q"], "tags": {"n0": "p", "n1": "p", "n2": "q"}}))
        self.write("three.json", json.dumps({"order": ["p", "q", "r"], "tags": {"n0": "p", "n1": "q", "n2": "r"}}))
        self.write("devices.json", json.dumps([{"name": "d0", "available_mem_bytes": 80}, {"name": "d1", "available_mem_bytes": 80}]))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w") as out:
            out.write(text)

    def read(self, name):
        with open(self.path(name)) as file:
            return file.read()

    def cli(self, *words, status=0, says="", **more):
        done = subprocess.run([CLI, *words], cwd=self.folder, capture_output=True, text=True, timeout=60, **more)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertIn(says, done.stdout + done.stderr)
        return done

    def left(self):
        return sorted(os.listdir(self.folder))

    def split(self, *words, tags="tags.json", **more):
        return self.cli("split", "in.fxj", "--tags", tags, *words, **more)
