"""Checks that PyTorch runs Sunder's exports as documented: `exports_in_torch.py SUNDER_CLI [MODEL.pt2 …]`

Tags each model in three stages, and writes it as .py and .pt2, and its split as .pt2. Then checks in PyTorch: the split of the
.py is, by oracle/compare.py, the split of `sunder-cli split`; Model.forward() of the .py gives the results of the program; so do
both .pt2, and they load with every tag in node.meta["custom"], from which split_by_tags makes the same split. A traced module
goes through .py with its own modules inserted. run() of the .py of conformance cases gives the results of the program's module.
Without models: the samples of this repository and of ../shared. Exit 77 (skipped) without SUNDER_TORCH_PYTHON or
../shared/oracle.
"""

import contextlib
import importlib.util
import io
import json
import pathlib
import subprocess
import sys
import tempfile

from torch_test import SKIPPED, status_elsewhere

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
# Nested inputs and outputs, keywords, None, mutations, control flow, symbolic sizes.
PYTHON_CASES = ("own_nested_inputs", "own_none_in_and_out", "own_input_mutation_functional", "own_output_kinds_functional",
                "own_buffer_mutation_functional", "own_cond_nested_two", "own_while_loop_in_submodule", "own_dynamic_batch",
                "own_unbacked_between_modules")
SHARED_MODELS = ("diffusion", "encdec12", "densenet121", "experts8x8")


def models():
    yield from sorted((ROOT / "resources" / "samples").glob("*.pt2"))
    yield from (p for p in (SHARED / "samples" / "models" / f"{name}.pt2" for name in SHARED_MODELS) if p.exists())


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command[:2]))}: {done.stderr.strip()}")


def imported(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def same_split(gm, expected, folder, name):
    """Whether the graph module matches the fx-json file, which has no tensors for an exported program."""
    sys.path.insert(0, str(SHARED / "oracle"))
    import compare
    import fxjson
    fxjson.dump(gm, folder / name, with_tensors=False)
    theirs = compare.load(folder / name)
    ours = compare.load(expected)
    found = [d for d in compare.differences(theirs, ours) if not d[0].startswith("tensor ")]
    for difference in found[:5]:
        print("   ", difference)
    return not found


def equal(a, b):
    import torch
    import torch.utils._pytree as pytree
    a, b = pytree.tree_leaves(a), pytree.tree_leaves(b)
    return len(a) == len(b) and all(
        torch.equal(x.nan_to_num(), y.nan_to_num()) if isinstance(y, torch.Tensor) else x == y for x, y in zip(a, b))


def check(cli, model, folder):
    import torch
    import torch.utils._pytree as pytree
    from torch.fx.passes.split_utils import split_by_tags
    tags = folder / "tags.json"
    run(cli, "tag", model, "--stages", 3, "-o", tags)
    run(cli, "split", model, "--tags", tags, "-o", folder / "split.fxj", "--no-verify")
    run(cli, "convert", model, folder / "code.py", "--tags", tags)
    run(cli, "convert", model, folder / "tagged.pt2", "--tags", tags)
    program = torch.export.load(model)
    code = imported(folder / "code.py")
    yield "split by the script", same_split(code.split(program.graph_module), folder / "split.fxj", folder, "script.fxj")
    inputs = pytree.tree_leaves(program.example_inputs)
    with torch.no_grad():
        given = code.arguments(program, *inputs)
        yield "forward of the script", equal(code.Model()(*given), program.graph_module(*given))
    wanted = json.loads(tags.read_text())
    run(cli, "convert", folder / "split.fxj", folder / "split.pt2")
    for name in ("tagged.pt2", "split.pt2"):
        tagged = torch.export.load(folder / name)
        calls = [n for n in tagged.graph.nodes if n.op.startswith("call_")]
        yield f"tags in {name}", all(n.meta["custom"]["tag"] == wanted["tags"][n.name] for n in calls)
        with torch.no_grad():
            yield f"values of {name}", equal(tagged.graph_module(*given), program.graph_module(*given))
        for node in calls:
            node.tag = node.meta["custom"]["tag"]
        split = split_by_tags(tagged.graph_module, wanted["order"])
        yield f"split by {name}", same_split(split, folder / "split.fxj", folder, "pt2.fxj")


def runs(cli, model, folder):
    """Checks that run() of the .py gives the results of the program's module for nested inputs, with the same side effects."""
    import torch
    import torch.utils._pytree as pytree

    def copied(tree):
        return pytree.tree_map(lambda leaf: leaf.detach().clone() if isinstance(leaf, torch.Tensor) else leaf, tree)

    def given(what):
        program = torch.export.load(model)
        args, kwargs = copied(program.example_inputs)
        torch.manual_seed(0)
        with torch.no_grad(), contextlib.redirect_stdout(io.StringIO()):
            result = what(program, *args, **kwargs)
        return result, (args, kwargs), program.state_dict, program.constants

    run(cli, "convert", model, folder / "code.py")
    code = imported(folder / "code.py")
    ours = given(lambda program, *args, **kwargs: code.run(code.Model(), program, *args, **kwargs))
    theirs = given(lambda program, *args, **kwargs: program.module(check_guards=False)(*args, **kwargs))
    return pytree.tree_structure(ours[0]) == pytree.tree_structure(theirs[0]) and equal(ours, theirs)


def traced(folder, cli):
    """Checks a traced module with leaf modules: the Python code of its split with these modules inserted."""
    import torch
    sys.path.insert(0, str(SHARED / "oracle"))
    import fxjson

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = torch.nn.Conv2d(3, 4, 3)
            self.mlp = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.GELU(), torch.nn.Linear(8, 4))
            self.scale = torch.nn.Parameter(torch.randn(4))
            self.register_buffer("shift", torch.randn(4))

        def forward(self, x):
            x = self.conv(x).relu().mean((2, 3))
            return self.mlp(x) * self.scale + self.shift[None, 0:4], x.shape[0]

    gm = torch.fx.symbolic_trace(Net())
    x = torch.randn(2, 3, 8, 8)
    fxjson.dump(gm, folder / "net.fxj")
    calls = [n.name for n in gm.graph.nodes if n.op.startswith("call_")]
    tags = {name: "front" if i < 4 else "back" for i, name in enumerate(calls)}
    (folder / "net.json").write_text(json.dumps({"order": ["front", "back"], "tags": tags}))
    run(cli, "convert", folder / "net.fxj", folder / "net.py", "--tags", folder / "net.json")
    run(cli, "split", folder / "net.fxj", "--tags", folder / "net.json", "-o", folder / "net_split.fxj", "--no-verify")
    run(cli, "convert", folder / "net_split.fxj", folder / "net_split.py")
    wanted = gm(x)
    for name in ("net", "net_split"):
        code = imported(folder / f"{name}.py")
        yield f"forward of {name}.py", equal(code.take(code.Model(), gm)(x), wanted)
    parts = imported(folder / "net.py").split(gm)
    yield "split by net.py", same_split(parts, folder / "net_split.fxj", folder, "net_parts.fxj") and equal(parts(x), wanted)


def main(argv):
    if not (SHARED / "oracle" / "compare.py").exists():
        print("skipped: no ../shared/oracle")
        return SKIPPED
    status = status_elsewhere(argv)
    if status is not None:
        return status
    chosen = [pathlib.Path(m) for m in argv[2:]] or list(models())
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for what, is_right in traced(pathlib.Path(folder), argv[1]):
            print(f"a traced module, {what}: {'as it should be' if is_right else 'WRONG'}")
            failures += not is_right
    for model in chosen:
        with tempfile.TemporaryDirectory() as folder:
            for what, is_right in check(argv[1], model, pathlib.Path(folder)):
                print(f"{model.name}, {what}: {'as it should be' if is_right else 'WRONG'}")
                failures += not is_right
    for case in () if argv[2:] else PYTHON_CASES:
        model = SHARED / "conformance" / "pt2" / case / "model.pt2"
        if model.exists():
            with tempfile.TemporaryDirectory() as folder:
                is_right = runs(argv[1], model, pathlib.Path(folder))
            print(f"{case}, run() of the script: {'as it should be' if is_right else 'WRONG'}")
            failures += not is_right
    print(f"{len(chosen)} models, {failures} failures")
    return 1 if failures or not chosen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
