"""Checks that custom operators keep their order: `custom_operators_in_torch.py SUNDER_CLI`

Exports models with custom operators that write to their arguments (mutates_args), draw random numbers, or keep state. Cuts them
so that an operator and a reader of its memory are swapped, and runs both orders in PyTorch. If the outputs differ, sunder-cli
must not report that they are the same, with or without --operators. If no order changes, it must prove this, and name the
assumptions of the proof if it has no schemas. In functional programs, auto_functionalized_v2 runs the same operators on copies:
unflatten and dedup are proven with schemas, and without them the operator is named. Exit 77 (skipped) without
SUNDER_TORCH_PYTHON.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

CALLS = []


def register(torch):
    @torch.library.custom_op("sundertest::accumulate", mutates_args=("total",))
    def accumulate(x: torch.Tensor, total: torch.Tensor) -> None:
        total.add_(x.sum())

    @torch.library.custom_op("sundertest::scale_rows", mutates_args=("rows",))
    def scale_rows(rows: torch.Tensor, factor: float) -> torch.Tensor:
        rows.mul_(factor)
        return rows.sum(0)

    @scale_rows.register_fake
    def _(rows, factor):
        return rows.new_empty(rows.shape[1:])

    @torch.library.custom_op("sundertest::count", mutates_args=())
    def count(x: torch.Tensor) -> torch.Tensor:
        CALLS.append(1)
        return x + len(CALLS)

    @count.register_fake
    def _(x):
        return torch.empty_like(x)

    @torch.library.custom_op("sundertest::mix", mutates_args=())
    def mix(x: torch.Tensor) -> torch.Tensor:
        return x * 2 + 1

    @mix.register_fake
    def _(x):
        return torch.empty_like(x)

    return ["accumulate", "scale_rows", "count", "mix"]


def models(torch):
    ops = torch.ops.sundertest

    class Buffer(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("total", torch.ones(1))

        def forward(self, x):
            before = x * self.total
            ops.accumulate(x, self.total)
            return before

    class View(torch.nn.Module):
        def forward(self, x):
            y = x.clone()
            read = y.sin()
            rows = ops.scale_rows(y[1:], 0.5)
            return read, rows

    class State(torch.nn.Module):
        def forward(self, x):
            first = ops.count(x)
            second = ops.count(x.cos())
            return first, second

    class Pure(torch.nn.Module):
        def forward(self, x):
            a = x.sin()
            b = ops.mix(x)
            return a, b

    # The model, the operator that moves to the front, and whether that changes the results.
    return {"buffer": (Buffer(), "accumulate", True), "view": (View(), "scale_rows", True), "state": (State(), "cos", True),
            "pure": (Pure(), "mix", False)}


def cut(program, moved):
    """Returns tags that run the operator `moved` and its inputs before everything else."""
    nodes = [node for node in program.graph.nodes if node.op == "call_function"]
    at = [i for i, node in enumerate(nodes) if moved in str(node.target)]
    if moved == "cos":  # two calls of one operator swap places: the second and its inputs run first
        at.append(max(i for i, node in enumerate(nodes) if "count" in str(node.target)))
    first, queue = set(), [nodes[i] for i in at]
    while queue:
        node = queue.pop()
        if node in nodes and node not in first:
            first.add(node)
            queue.extend(node.all_input_nodes)
    return {"order": ["a", "b"], "tags": {node.name: "a" if node in first else "b" for node in nodes}}


def in_order(program):
    nodes = [node.name for node in program.graph.nodes if node.op == "call_function"]
    return {"order": ["a", "b"], "tags": {name: "a" if i < (len(nodes) + 1) // 2 else "b" for i, name in enumerate(nodes)}}


def split(cli, model, tags, folder, operators):
    (folder / "tags.json").write_text(json.dumps(tags))
    command = [cli, "split", str(model), "--tags", str(folder / "tags.json"), "-o", str(folder / "out.fxj"), "--json"]
    done = subprocess.run(command + (["--operators", str(operators)] if operators else []), capture_output=True, text=True)
    if done.returncode == 1:
        return {"refused": json.loads(done.stdout)["error"]["message"]}
    if done.returncode != 0:
        sys.exit(f"{command}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return json.loads(done.stdout)


def run_both(torch, program, tags, x):
    """Returns the outputs in the original order, and with the nodes of tag "a" first."""
    results = []
    for reordered in (False, True):
        CALLS.clear()
        module = program.module()
        if reordered:
            graph = module.graph
            calls = [node for node in graph.nodes if node.op == "call_function" and node.name in tags["tags"]]
            place = next(node for node in calls if tags["tags"][node.name] == "b")
            for node in [node for node in calls if tags["tags"][node.name] == "a"]:
                place.prepend(node)
            graph.lint()
            module.recompile()
        results.append([t.clone() for t in torch.utils._pytree.tree_leaves(module(x.clone()))])
    return results


def functional(torch):
    """A functional program in which operators write to an input, to buffers, to windows of a buffer, and to computed values."""
    ops = torch.ops.sundertest

    class Layer(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = torch.nn.Parameter(torch.ones(3))
            self.register_buffer("total", torch.zeros(1))
            self.register_buffer("table", torch.ones(4, 3))

        def forward(self, x, out):
            y = x * self.weight
            ops.accumulate(y, self.total)
            rows = ops.scale_rows(self.table[1:3], 0.5)
            ops.accumulate(rows, out)
            ops.scale_rows(y, 2.0)
            return ops.mix(y) + self.table.sum(0) + self.total + out

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = Layer(), Layer()

        def forward(self, x, out):
            return self.second(self.first(x, out), out)

    return torch.export.export(Net(), (torch.randn(4, 3), torch.zeros(1))).run_decompositions({})


def made_of(cli, verb, model, operators):
    out = model.with_suffix(f".{verb}.fxj")
    command = [cli, verb, str(model), "-o", str(out), "--json", *(["--operators", str(operators)] if operators else [])]
    done = subprocess.run(command, capture_output=True, text=True)
    return json.loads(done.stdout) if done.stdout else {"error": done.stderr}


def notes_on_calls(result):
    """Returns the notes of a result without that on dead ops, which is not about operators."""
    return [note for note in result.get("notes", []) if "dead ops were dropped" not in note]


def check_functional(torch, cli, folder, operators):
    """Returns the wrong verdicts on a functional program."""
    program = functional(torch)
    if "auto_functionalized_v2" not in str(program.graph):
        return ["invalid test: nothing is functionalized"]
    model = folder / "functional.pt2"
    torch.export.save(program, str(model))
    failures = []
    for verb in ("unflatten", "dedup"):
        known, unknown = (made_of(cli, verb, model, given) for given in (operators, None))
        print(f"{verb} of a functional program: verified {known.get('verified')}, without schemas {unknown.get('verified')}")
        if known.get("verified") is not True or notes_on_calls(known):
            failures.append(f"{verb}: not proven with schemas: {known}")
        if unknown.get("verified") is False:
            failures.append(f"{verb}: called different without schemas: {unknown}")
        notes = " ".join(notes_on_calls(unknown))
        if "sundertest.scale_rows" not in notes or "auto_functionalized" in notes:
            failures.append(f"{verb}: does not name the operator without a schema: {unknown}")
    return failures


def main():
    python = os.environ.get("SUNDER_TORCH_PYTHON")
    if not python:
        sys.exit(77)
    if os.path.abspath(sys.executable) != os.path.abspath(python):
        os.execv(python, [python, *sys.argv])
    import torch
    cli = sys.argv[1]
    names = register(torch)
    failures = []
    torch.manual_seed(0)
    x = torch.randn(4, 3)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        operators = folder / "operators.txt"
        # No schema describes state outside of arguments, so such operators are omitted.
        operators.write_text("# as registered by torch.library\n" + "".join(
            str(getattr(torch.ops.sundertest, name).default._schema) + "\n" for name in names if name != "count"))
        for name, (module, moved, changes) in models(torch).items():
            model = folder / f"{name}.pt2"
            program = torch.export.export(module, (x.clone(),))
            torch.export.save(program, str(model))
            tags = cut(program, moved)
            plain, other = run_both(torch, program, tags, x)
            off = max(float((a - b).abs().max()) for a, b in zip(plain, other))
            if (off > 0) != changes:
                failures.append(f"{name}: invalid test: outputs differ by {off}")
            for given in (None, operators):
                moved_result = split(cli, model, tags, folder, given)
                verdict = moved_result.get("verified")
                print(f"{name}{' with schemas' if given else ''}: off by {off:.2f}, verified {verdict}")
                if changes and verdict is True:
                    failures.append(f"{name}: called the same, but outputs differ by {off}")
                if not changes and given and verdict is not True:
                    failures.append(f"{name}: not proven with schemas: {moved_result}")
                kept = split(cli, model, in_order(program), folder, given)
                if kept.get("verified") is not True:
                    failures.append(f"{name}: not proven although the order is kept: {kept}")
                noted = any("sundertest" in note and "--operators" in note for note in kept.get("notes", []))
                if noted != (given is None or name == "state"):
                    failures.append(f"{name}: notes {kept.get('notes')} {'with' if given else 'without'} schemas")
        failures += check_functional(torch, cli, folder, operators)
    for failure in failures:
        print("FAIL", failure)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
