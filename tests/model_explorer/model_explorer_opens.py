"""Checks that Model Explorer opens exported drawings: `model_explorer_opens.py SUNDER_CLI [MODEL …]`

SUNDER_MODEL_EXPLORER_PYTHON is a Python with the package ai-edge-model-explorer. The test is skipped (exit 77) without it or
without Node.js. Models are tagged and written as .json. The files must match the package's data classes field by field, and its
web worker, which reads graphs in the browser, must return every node, group, and edge.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
HERE = pathlib.Path(__file__).resolve().parent
CASES = HERE.parent / "cases"
MODELS = [HERE.parents[1] / "resources" / "samples" / "transformer.pt2", CASES / "pt2" / "own_symbols" / "model.pt2",
          CASES / "pt2" / "v2_14_1_while_loop" / "model.pt2", CASES / "pt2" / "own_effect_tokens_with_results_functional" / "model.pt2"]


def fits_its_classes(written: pathlib.Path, tags: pathlib.Path) -> None:
    import dacite
    from model_explorer.graph_builder import GraphCollection
    from model_explorer.node_data_builder import GraphNodeData
    strict = dacite.Config(strict=True, check_types=False)  # declared as numbers, but displayed as text
    dacite.from_dict(GraphCollection, json.loads(written.read_text()), strict)
    for data in json.loads(tags.read_text()).values():
        dacite.from_dict(GraphNodeData, data, strict)


def groups_of(graph: dict) -> set[str]:
    groups = set()
    for node in graph["nodes"]:
        parts = node["namespace"].split("/") if node["namespace"] else []
        groups |= {"/".join(parts[:i + 1]) for i in range(len(parts))}
    return groups


def faults(graph: dict, opened: dict, ids: set[str]) -> list[str]:
    found = []
    nodes = [node["id"] for node in graph["nodes"]]
    edges = sorted([edge["sourceNodeId"], node["id"]] for node in graph["nodes"] for edge in node["incomingEdges"])
    if sorted(opened["nodes"]) != sorted(nodes):
        found.append(f"{len(nodes)} nodes are written, {len(opened['nodes'])} are shown")
    if sorted(opened["edges"]) != edges:
        found.append(f"{len(edges)} edges are written, {len(opened['edges'])} are shown")
    if set(opened["groups"]) != groups_of(graph):
        found.append(f"groups differ: {sorted(set(opened['groups']) ^ groups_of(graph))[:5]}")
    if opened["attrs"] != sum(len(node["attrs"]) for node in graph["nodes"]):
        found.append("not all attributes are shown")
    found += [f"{node['id']} leads to {other}, which is not a graph" for node in graph["nodes"] for other in node["subgraphIds"]
              if other not in ids]
    unknown = set(graph["groupNodeAttributes"]) - groups_of(graph)
    return found + [f"attributes of {sorted(unknown)[:5]}, which are not groups"] * bool(unknown)


def check(cli: str, web_app: pathlib.Path, model: pathlib.Path, folder: pathlib.Path) -> list[str]:
    tags, written = folder / "tags.json", folder / "model.json"
    subprocess.run([cli, "tag", model, "--stages", "2", "-o", tags, "--quiet"], check=True)
    done = subprocess.run([cli, "convert", model, written, "--tags", tags, "--json"], check=True, capture_output=True, text=True)
    beside = [path for path in folder.iterdir() if path not in (tags, written)]
    fits_its_classes(written, beside[0])
    collection = json.loads(written.read_text())
    worker = subprocess.run(["node", HERE / "opened.js", web_app, written], check=True, capture_output=True, text=True)
    opened = [json.loads(line) for line in worker.stdout.splitlines()]
    ids = {graph["id"] for graph in collection["graphs"]}
    found = [fault for graph, shown in zip(collection["graphs"], opened, strict=True) for fault in faults(graph, shown, ids)]
    count = sum(len(graph["nodes"]) for graph in collection["graphs"])
    if count != json.loads(done.stdout)["nodes"]:
        found.append(f"{count} nodes are written, the model has {json.loads(done.stdout)['nodes']}")
    main = {node["id"] for node in collection["graphs"][0]["nodes"]}
    data = json.loads(beside[0].read_text())["main"]["results"]
    return found + [f"tag of {name}, which is not a node" for name in data if name not in main]


def main(argv: list[str]) -> int:
    python = os.environ.get("SUNDER_MODEL_EXPLORER_PYTHON")
    if not python or not shutil.which("node"):
        print("skipped: SUNDER_MODEL_EXPLORER_PYTHON does not name a Python with ai-edge-model-explorer, or Node.js is not installed")
        return SKIPPED
    try:
        import model_explorer
    except ImportError:
        return subprocess.run([python, *argv]).returncode
    web_app = pathlib.Path(model_explorer.__file__).parent / "web_app"
    models = [pathlib.Path(path) for path in argv[2:]] or [model for model in MODELS if model.exists()]
    failures = 0
    for model in models:
        with tempfile.TemporaryDirectory() as folder:
            found = check(argv[1], web_app, model, pathlib.Path(folder))
        print(f"{model.parent.name}/{model.name}: {'opens' if not found else '; '.join(found)}")
        failures += bool(found)
    return 1 if failures or not models else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
