"""killed_at_any_moment.py KILLED_WINDOW SUNDER_CLI [MOMENTS]: kills the window while it paints, saves, and exports. Afterwards
the project, the exported tags, and the file of unsaved work must each be complete, equal to the state after some stroke, and no
older than the last state that the window reported. Each kill follows a different line of output and may hit any later operation."""
import json
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

NODES = 60
WINDOW, CLI = sys.argv[1:3]
MOMENTS = int(sys.argv[3]) if len(sys.argv) > 3 else 200


def model():
    val = {"tensor": {"dtype": "float32", "shape": [4], "stride": [1], "device": "cpu"}}
    lines = [{"k": "fx-json", "v": [1, 0], "min": [1, 0]}, {"k": "graph", "id": "g0", "module": ""},
             {"k": "node", "g": "g0", "name": "x", "op": "placeholder", "target": "x", "args": [], "kwargs": [], "val": val}]
    last = "x"
    for i in range(NODES):
        lines.append({"k": "node", "g": "g0", "name": f"n{i}", "op": "call_function", "target": "torch.ops.aten.relu.default",
                      "args": [{"n": last}], "kwargs": [], "val": val})
        last = f"n{i}"
    lines.append({"k": "node", "g": "g0", "name": "output", "op": "output", "target": "output", "args": [{"n": last}], "kwargs": []})
    return "".join(json.dumps(line) + "\n" for line in [*lines, {"k": "end", "nodes": NODES + 2}])


def tags_after(strokes):
    """Returns the tags after the strokes of killed_window."""
    tags = {}
    for stroke in range(1, strokes + 1):
        tags[f"n{stroke % NODES}"] = stroke // NODES % 2
    return tags


def of_project(path):
    with open(path) as file:
        project = json.load(file)
    return {node: i for i, tag in enumerate(project["tags"]) for node in tag["nodes"]}


def of_tags_file(path):
    with open(path) as file:
        whole = json.load(file)
    return {node: whole["order"].index(tag) for node, tag in whole["tags"].items()}


def check(tags, least, most, what):
    """Returns the stroke after which the tags were in this state; fails if there is none."""
    for strokes in range(most, least - 1, -1):
        if tags_after(strokes) == tags:
            return strokes
    raise AssertionError(f"{what} does not match the state after any of the strokes {least} to {most}")


def one(moment):
    chance = random.Random(moment)
    with tempfile.TemporaryDirectory() as folder:
        path = lambda name: os.path.join(folder, name)
        with open(path("m.fxj"), "w") as out:
            out.write(model())
        environment = dict(os.environ, QT_QPA_PLATFORM="offscreen", XDG_CACHE_HOME=path("cache"), XDG_CONFIG_HOME=path("config"))
        window = subprocess.Popen([WINDOW, path("m.fxj"), path("p.sunder"), folder], env=environment, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        last = {}
        lines = chance.randrange(1, 400)
        for line in window.stdout:
            what, number = line.split()
            last[what] = int(number)
            lines -= 1
            # After a line of a given kind, so that all kinds occur.
            if lines <= 0 and what == ("stroke", "saving", "saved", "exporting", "exported", "kept")[moment % 6]:
                break
        window.kill()
        for line in window.stdout.read().splitlines(): # its remaining output
            if len(line.split()) == 2 and line.split()[1].isdigit():
                last[line.split()[0]] = int(line.split()[1])
        window.wait()
        return judge(folder, path, last)


def judge(folder, path, last):
    strokes = last.get("stroke", 0) + 1 # one more stroke may not have been reported yet
    saved = last.get("saved", 0)
    if saved or os.path.exists(path("p.sunder")):
        saved = check(of_project(path("p.sunder")), saved, strokes, "the project")
        subprocess.run([CLI, "info", path("p.sunder"), "--quiet"], check=True)
    if "exported" in last:
        check(of_tags_file(path("tags.json")), last["exported"], strokes, "the tags file")
    unsaved = path("cache/sunder/sunder/unsaved")
    kept = [name for name in os.listdir(unsaved) if name.endswith(".sunder")] if os.path.isdir(unsaved) else []
    recovered = [check(of_project(os.path.join(unsaved, name)), 0, strokes, "the unsaved work") for name in kept]
    best = max([saved, *recovered])
    promised = max(saved, last.get("kept", 0))
    assert best >= promised, f"strokes up to {promised} were reported as kept, but only those up to {best} are recovered"
    assert len(kept) <= 1, kept
    return last


def main():
    with ThreadPoolExecutor(2) as pool:
        ends = list(pool.map(one, range(MOMENTS)))
    met = {what: sum(what in last for last in ends) for what in ("stroke", "kept", "saved", "exported")}
    print(f"killed at {MOMENTS} moments, after up to {max(last.get('stroke', 0) for last in ends)} strokes; lines met: {met}")
    assert all(met.values()), met


if __name__ == "__main__":
    main()
