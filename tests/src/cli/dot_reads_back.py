"""Checks that Graphviz reads the DOT files of sunder-cli: every node and edge, without warnings.

Uses random programs with hostile texts in every field (those of python_export_is_harmless.py), and the cases with nested graphs.
gvpr reads with Graphviz's library; dot parses labels as well. Skipped (exit 77) without gvpr and dot.

    dot_reads_back.py SUNDER_CLI [PROGRAMS [SEED]]
"""
import glob
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

from python_export_is_harmless import random_program

SKIPPED = 77
CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../cases")
COUNT = "BEG_G { int nodes = 0; int edges = 0; } N { nodes++; } E { edges++; } END_G { print(nodes, \" \", edges); }"


def slots(value):
    """Returns the number of nodes in an argument."""
    if isinstance(value, dict):
        if set(value) == {"n"}:
            return 1
        return sum(slots(item) for item in value.values())
    return sum(slots(item) for item in value) if isinstance(value, list) else 0


def written(cli, folder, number, lines):
    """Returns the DOT of a program with its expected numbers of nodes and edges; nothing if the program is invalid."""
    source, out = os.path.join(folder, f"{number}.fxj"), os.path.join(folder, f"{number}.dot")
    with open(source, "w", encoding="utf-8", errors="surrogatepass") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    if subprocess.run([cli, "convert", source, out, "--quiet"], capture_output=True, timeout=120).returncode != 0:
        return None
    nodes = [line for line in lines if line["k"] == "node"]
    edges = sum(slots(node["args"]) + sum(slots(pair[1]) for pair in node["kwargs"]) for node in nodes)
    return out, len(nodes), edges


def silent(command):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=600)
    if done.returncode != 0 or done.stderr.strip():
        print(f"{command[0]}: status {done.returncode}: {done.stderr.strip()[:1000]}")
        return None
    return done.stdout


def main():
    if not shutil.which("gvpr") or not shutil.which("dot"):
        print("skipped: Graphviz's gvpr and dot are not installed")
        return SKIPPED
    cli = sys.argv[1]
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    with tempfile.TemporaryDirectory() as folder:
        programs = [random_program(rng) for _ in range(int(sys.argv[2]) if len(sys.argv) > 2 else 40)]
        for path in sorted(glob.glob(os.path.join(CASES, "unflatten/*/input.fxj"))):
            with open(path, encoding="utf-8") as file:
                programs.append([json.loads(line) for line in file])
        made = [dot for number, lines in enumerate(programs) if (dot := written(cli, folder, number, lines))]
        counted = silent(["gvpr", COUNT, *[path for path, *_ in made]])
        drawn = silent(["dot", "-Tsvg", "-O", *[path for path, *_ in made]])
        if counted is None or drawn is None or len(made) < len(programs) // 4:
            return 1
        found = [tuple(map(int, line.split())) for line in counted.splitlines()]
        wrong = [(path, wanted, is_) for (path, *wanted), is_ in zip(made, found, strict=True) if tuple(wanted) != is_]
        for path, wanted, is_ in wrong[:5]:
            print(f"{path}: {wanted} nodes and edges written, but Graphviz reads {is_}")
        print(f"{len(made)} of {len(programs)} programs, {len(wrong)} wrong")
        return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
