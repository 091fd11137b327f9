"""Checks texts and drawings of sunder-cli: names in files cannot control a terminal, pictures are valid XML, and Graphviz reads DOT.

    texts_are_harmless.py SUNDER_CLI
"""
import json
import re
import subprocess
import sys
import unittest

from cli_case import CliCase, model


class Texts(CliCase):
    def test_names_cannot_steer_a_terminal(self):
        text, calls = model()
        evil = "n\\u001b[31m\\u009b2J\\u202e\\u0007\\r\\nproven\\u2028"
        self.write("evil.fxj", text.replace('"n1"', f'"{evil}"'))
        def isClean(done):
            for c in done.stdout + done.stderr:
                self.assertTrue(c == "\n" or c >= " " and not "\x7f" <= c <= "\x9f" and c not in "\u202e\u2028", ascii(done.stdout + done.stderr))
        isClean(self.cli("split", "evil.fxj", "--tags", "tags.json", "-o", "o.fxj", status=1))
        isClean(self.cli("tag", "evil.fxj", "--stages", "2", "-o", "t.json", "--json"))
        isClean(self.cli("verify", "evil.fxj", "in.fxj", "--json"))
        isClean(self.cli("verify", "evil.fxj", "in.fxj"))
        isClean(self.cli("info", "no\x1b[31m\u202esuch", status=3))
        self.write("evil.json", json.dumps({"order": ["p"], "tags": {json.loads(f'"{evil}"'): "p"}}))
        done = self.split("-o", "o.fxj", tags="evil.json", status=1)
        isClean(done)
        self.assertEqual(done.stderr.count("\n"), 1)
        isClean(self.split("-o", "o.fxj", "--json", tags="evil.json", status=1))
        for name in ("out.svg", "out.dot"):
            self.cli("convert", "evil.fxj", name)
            for c in self.read(name):
                self.assertTrue(c in "\n" or c >= " " and not "\x7f" <= c <= "\x9f" and c not in "\u202e\u2028", ascii(c))
        import xml.dom.minidom
        xml.dom.minidom.parse(self.path("out.svg"))

    def test_names_are_text_in_markdown(self):
        evil = "a`|b</td><img src=x onerror=1> [l](http://e.vil) @octocat #1 **b** www.e.vil \\\\| $x$ ``` <!--"
        self.assertTrue(evil)
        text, calls = model()
        name = json.dumps(evil)[1:-1]
        self.write("evil.fxj", text.replace('"n1"', f'"{name}"'))
        self.write("t.json", json.dumps({"order": [evil, "q"], "tags": {"n0": evil, "n2": "q"}}))
        self.cli("project", "evil.fxj", "--tags", "t.json", "-o", "p.sunder")
        self.write("evil.fxj", text.replace('"n1"', f'"{name}2"').replace('"n2"', '"n3"'))
        self.cli("check", "p.sunder", "--changed-source", "--markdown", "r.md", status=1)
        report = self.read("r.md")
        self.assertIn("octocat", report)
        report = re.sub(r"^    .*\n", "", report, flags=re.M)  # commands have no names from files
        for line in report.splitlines():
            if line.startswith("|"):
                self.assertIn(line.count("|"), (3, 5, 6, 8), line)  # the cells of the tables, no more
        text = re.sub(r"<code>([a-z0-9 ]|&#[0-9]+;|[^\x00-\x7f])*</code>|`[^`\n|<>&$\\\\]+`", "", report, flags=re.I)
        text = re.sub(r"^</?details>$|^<summary>[\w :,]+</summary>$", "", text, flags=re.M)
        for mark in ("<", "`", "[", "](", "http", "www.", "@", "**", "\\", "$", "octocat"):
            self.assertNotIn(mark, text)

    def test_a_long_report_ends_in_time(self):
        name = "< " * 200
        text, calls = model(nodes=30)
        order = [f"{name}{i}" for i in range(30)]
        for call in calls:
            text = text.replace(f'"{call}"', f'"{name}{call}"')
        self.write("long.fxj", text)
        self.write("t.json", json.dumps({"order": order[::-1], "tags": {f"{name}{call}": tag for call, tag in zip(calls, order)}}))
        self.cli("check", "long.fxj", "--tags", "t.json", "--markdown", "r.md", status=1)
        report = self.read("r.md")
        self.assertLess(len(report), 60_000)
        self.assertIn("its end was left out", report)

    def test_graphviz_reads_the_dot_without_a_warning(self):
        self.cli("convert", "in.fxj", "out.dot")
        self.write("layout.py", LAYOUT)
        done = subprocess.run([sys.executable, self.path("layout.py"), self.path("out.dot")], capture_output=True, text=True)
        if done.returncode == 77:
            self.skipTest("Graphviz's libraries are not installed")
        self.assertEqual((done.returncode, done.stderr, done.stdout), (0, "", "5 [8]\n"))


# Uses Graphviz as a library, which the program needs anyway. Warnings go to standard error.
LAYOUT = """
import ctypes, sys
try:
    cgraph, gvc = (ctypes.CDLL(name) for name in ("libcgraph.so.6", "libgvc.so.6"))
except OSError:
    sys.exit(77)
for name in ("agmemread", "agnode"):
    getattr(cgraph, name).restype = ctypes.c_void_p
cgraph.agget.restype = ctypes.c_char_p
gvc.gvContext.restype = ctypes.c_void_p
graph = ctypes.c_void_p(cgraph.agmemread(open(sys.argv[1], "rb").read()))
status = gvc.gvLayout(ctypes.c_void_p(gvc.gvContext()), graph, b"dot")
node = ctypes.c_void_p(cgraph.agnode(graph, b"n0", 0))
print(cgraph.agnnodes(graph), cgraph.agget(node, b"tensor_shape").decode())
sys.exit(status)
"""


if __name__ == "__main__":
    unittest.main()
