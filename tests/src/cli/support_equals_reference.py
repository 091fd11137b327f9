"""Tags random graphs by support, and compares the tags, refusals, and reports with the reference of ../shared:
support_equals_reference.py CLI ORACLE_FOLDER [--count N] [--seed N] [--nodes N]"""
import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

TENSOR = {"tensor": {"dtype": "float32", "shape": [4, 8], "stride": [8, 1], "device": "cpu"}}
VALUES = [  # value and type of a node
    {"val": TENSOR},
    {"val": {"tensor": {"dtype": "int64", "shape": [3], "stride": [1], "device": "cpu"}}, "out_type": "torch.Tensor"},
    {"out_type": "torch.Tensor"},
    {"out_type": "int"},
    {"val": 3},
    {"val": {"t": [TENSOR, 2]}, "out_type": "tuple"},
    {},
]


def random_graph(rng, count):
    """Lines of a graph of functions, methods, and modules, and the names of its calls."""
    has_values, near = rng.choice([True, True, False]), rng.choice([3, 6, 12, 1000])
    odd, indexed = rng.choice([0.05, 0.3, 0.7]), rng.choice([0, 0.1, 0.3])
    lines = [{"k": "module", "path": "", "cls": "torch.fx.graph_module.GraphModule"}]
    lines += [{"k": "module", "path": f"m{i}", "cls": f"pkg.Class{i % 2}", "leaf": True} for i in range(3)]
    if rng.random() < 0.3:
        lines.append({"k": "module", "path": "again", "same": "m0"})
    paths = [line["path"] for line in lines[1:]]
    lines.append({"k": "graph", "id": "g0", "module": ""})
    values, nodes, calls = [], [], []

    def add(name, op, target, args, **more):
        nodes.append({"k": "node", "g": "g0", "name": name, "op": op, "target": target, "args": args, "kwargs": [], **more})
        values.append(name)

    for i in range(rng.randint(1, 3)):
        add(f"x{i}", "placeholder", f"x{i}", [], **(VALUES[rng.choice([0, 0, 1, 3])] if has_values else {}))
    for i in range(count):
        inputs = [{"n": rng.choice(values[-near:])} for _ in range(rng.choice([1, 1, 1, 2, 2, 3]))]
        if rng.random() < 0.03:
            inputs = []
        if rng.random() < 0.2 and inputs:
            inputs = [inputs[0], [{"n": rng.choice(values)}]]
        kind, name = rng.random(), f"n{i}"
        meta = {} if not has_values else VALUES[0] if rng.random() > odd else rng.choice(VALUES)
        if kind < indexed:
            add(name, "call_function", "_operator.getitem", [{"n": rng.choice(values[-near:])},
                                                             {"n": rng.choice(values[-near:])} if rng.random() < 0.4 else 0], **meta)
        elif kind < 0.8:
            target = rng.choice(["torch.relu", "torch.add", "torch.sin", "torch.ops.aten.view", "torch.topk"])
            add(name, "call_function", target, inputs, **meta)
        elif kind < 0.9:
            add(name, "call_method", rng.choice(["size", "relu"]), inputs, **meta)
        else:
            add(name, "call_module", rng.choice(paths), inputs, **meta)
        calls.append(name)
    reads = {arg["n"] for node in nodes for arg in names_in(node["args"])}
    ends = [name for name in values if name not in reads] or values[-1:]
    add("output", "output", "output", [{"t": [{"n": name} for name in ends]}])
    return [{"k": "fx-json", "v": [1, 0], "min": [1, 0]}, *lines, *nodes, {"k": "end", "nodes": len(nodes)}], calls


def names_in(args):
    for arg in args:
        yield from names_in(arg) if isinstance(arg, list) else [arg] if isinstance(arg, dict) and "n" in arg else []


def random_support(rng, calls):
    targets = ["torch.relu", "torch.add", "torch.sin", "torch.ops.aten.view", "torch.topk", "_operator.getitem", "size", "relu",
               "pkg.Class0", "pkg.Class1"]
    share = rng.choice([0.3, 0.6, 0.8, 1])
    rules = {}
    if rng.random() < 0.6:
        rules["supported"] = [t for t in targets if rng.random() < share] + (["*"] if rng.random() < 0.1 else [])
    if rng.random() < 0.4 or not rules:
        rules["supported_nodes"] = [n for n in calls if rng.random() < share]
    if rng.random() < 0.3:
        rules["unsupported_nodes"] = [n for n in calls if rng.random() < 0.1]
    if rng.random() < 0.2:
        rules["declined_input_dtypes"] = [rng.choice(["int64", {"type": "int"}])]
    if rng.random() < 0.2:
        rules["dtypes"] = {rng.choice(targets): {"args": [rng.choice([None, ["float32"], [{"type": "int"}, "int64"]])] * 2}}
    return rules


def random_options(rng, method):
    chance = lambda share=0.3: rng.random() < share
    functions = ["torch.relu", "torch.sin", "torch.ops.aten.view", "_operator.getitem"]
    if method == "capability":
        made = {"skip_horizontal_fusion": chance(), "allows_single_node_partition": chance(0.6),
                "remove_bookend_non_compute_ops": chance(), "non_compute_ops": [f for f in functions if chance()],
                "allowed_single_node_partition_ops": [f for f in functions if chance()]}
    else:
        made = {"min_acc_module_size": rng.choice([1, 1, 2, 3]), "skip_fusion": chance(0.2), "allow_non_tensor": chance(),
                "max_acc_splits": rng.choice([-1, -1, 4]), "move_non_tensor_nodes_on_boundary": chance(0.4)}
    return {"method": method, **{k: v for k, v in made.items() if chance(0.7)}}


class Trial:
    def __init__(self, cli, folder, reference, table):
        self.cli, self.folder, self.reference, self.table = cli, folder, reference, table

    def run(self, seed, count):
        """Returns what differs."""
        rng = random.Random(seed)
        lines, calls = random_graph(rng, rng.randint(1, count))
        method = rng.choice(["capability", "splitter"])
        rules, options = random_support(rng, calls), random_options(rng, method)
        self.put("input.fxj", "\n".join(map(json.dumps, lines)) + "\n")
        self.put("support.json", json.dumps(rules))
        self.put("options.json", json.dumps(options))
        graph = self.reference.Graph(self.folder / "input.fxj")
        for as_upstream in (False, True):
            more = {"as_upstream": True} if as_upstream else {}
            try:
                expected = getattr(self.reference, method)(graph, self.reference.Support(graph, rules, as_upstream), options | more)
            except self.reference.Refusal as refusal:
                expected = refusal
            wants_report = not as_upstream and seed % 5 == 0
            found = self.tags(method, ["--as-upstream"] if as_upstream else [], wants_report)
            if isinstance(expected, self.reference.Refusal):
                if found[0] != 1 or any(f"'{name}'" not in found[2] for name in expected.nodes):
                    return f"expected {expected.kind} {expected.nodes}, got {found}"
            elif found[0] != 0 or found[1] != expected:
                return f"as_upstream={as_upstream}: expected {expected}, got {found}"
            elif wants_report:
                try:
                    self.table.check_report(self.table.Case(self.folder), json.loads((self.folder / "report.json").read_text()))
                except self.table.Difference as difference:
                    return f"report: {difference}"
        return None

    def put(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")

    def tags(self, method, flags, wants_report):
        out = self.folder / "tags.json"
        out.unlink(missing_ok=True)
        report = ["--report", self.folder / "report.json"] if wants_report else []
        done = subprocess.run([self.cli, "support", self.folder / "input.fxj", "--support", self.folder / "support.json", "--method", method,
                               "--support-options", self.folder / "options.json", "-o", out, *report, *flags],
                              capture_output=True, text=True, timeout=600)
        written = json.loads(out.read_text()) if out.exists() else None
        return done.returncode, written and {key: written[key] for key in ("order", "tags")}, done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cli")
    parser.add_argument("oracle")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--nodes", type=int, default=40)
    args = parser.parse_args()
    sys.path.insert(0, args.oracle)
    import support_reference
    import support_table
    differences = 0
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(args.cli, pathlib.Path(folder), support_reference, support_table)
        for seed in range(args.seed, args.seed + args.count):
            if difference := trial.run(seed, args.nodes):
                differences += 1
                print(f"seed {seed}: {difference[:1500]}")
    print(f"{args.count} graphs, {differences} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
