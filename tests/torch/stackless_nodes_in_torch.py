"""Checks nodes without a module stack: `stackless_nodes_in_torch.py SUNDER_CLI`

torch.export creates such nodes when it flattens tensor subclasses, when functionalization makes a view of an output, and when a
cache is built from inputs; passes insert them. torch.export.unflatten refuses them, and so does `sunder-cli unflatten
--as-upstream`, with PyTorch's message. Without the option, they belong to the root, and the result is verified. For programs that
torch.export.unflatten accepts, both results are the same. In all other cases, such nodes belong to the modules of their readers.
Exit 77 (skipped) without SUNDER_TORCH_PYTHON or ../shared/oracle.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

from torch_test import SKIPPED, status_elsewhere

SHARED = pathlib.Path(__file__).resolve().parents[3] / "shared"
TAKES = "access_subclass_inner_tensor"
HOOK = "_empty_nn_module_stack_from_metadata_hook"


def exported():
    """Yields name and program of every model: exported, exported strictly, and decomposed."""
    import torch
    from subclass_models import models
    for name, model in models():
        for strict in (False, True):
            program = torch.export.export(model, (torch.ones(2, 4),), strict=strict)
            yield f"{name}{'_strict' if strict else ''}", program
            if not strict:
                yield f"{name}_decomposed", program.run_decompositions({})


def inserted():
    """Yields programs with an inserted node: without a stack, with the stack of PyTorch's own hook, and unused."""
    import torch
    from subclass_models import Net
    for name, stack, is_read in (("no_stack", None, True), ("hook", {HOOK: (HOOK, HOOK)}, True), ("no_stack_dead", None, False)):
        program = torch.export.export(Net(), (torch.ones(2, 4),))
        made = next(node for node in program.graph.nodes if node.op == "call_function")
        with program.graph.inserting_after(made):
            glue = program.graph.call_function(torch.ops.aten.neg.default, (made,))
        glue.meta["val"] = made.meta["val"]
        if stack is not None:
            glue.meta["nn_module_stack"] = stack
        if is_read:
            made.replace_all_uses_with(glue, delete_user_cb=lambda user: user is not glue)
        program.graph_module.recompile()
        yield f"inserted_{name}", program


def functional():
    """Yields programs whose functionalization creates nodes without a module: views of outputs, and buffers set to inputs."""
    import torch

    class Views(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.first = torch.nn.Linear(4, 4)
            self.act = torch.nn.ReLU(inplace=True)

        def forward(self, x):
            self.act(x)
            y = self.first(x)
            return y.mul_(2), y[0], x[1]

    class Swap(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.first = torch.nn.Linear(4, 4)
            self.register_buffer("old", torch.zeros(2, 4))
            self.register_buffer("older", torch.ones(2, 4))

        def forward(self, x):
            before = self.older.clone()
            self.older.copy_(self.old)
            self.old.copy_(x)
            return self.first(x) + self.older - before, self.old

    for cls in (Views, Swap):
        yield cls.__name__.lower(), torch.export.export(cls(), (torch.ones(2, 4),)).run_decompositions({})


def unflattened(cli, program, path):
    """Returns the difference from PyTorch for a saved program, or an empty result."""
    import torch
    import compare
    import fxjson
    import make_unflatten
    out, expected = path.with_suffix(".ours.fxj"), path.with_suffix(".theirs.fxj")
    done = subprocess.run([cli, "unflatten", path, "-o", out, "--json"], capture_output=True, text=True)
    loaded = torch.export.load(path)
    make_unflatten.settle(loaded)
    try:
        fxjson.dump(make_unflatten.unflatten(loaded), expected, with_tensors=False)
    except Exception as e:
        said = f'PyTorch fails here with "{type(e).__name__}: {e}"' if type(e) is ValueError else "PyTorch fails here"
        theirs = subprocess.run([cli, "unflatten", path, "-o", out, "--as-upstream"], capture_output=True, text=True)
        if theirs.returncode != 1 or said not in theirs.stderr:
            return f"{said}; Sunder with --as-upstream: {theirs.stdout}{theirs.stderr}"
        isVerified = done.returncode == 0 and json.loads(done.stdout)["verified"] is True
        return None if isVerified else f"not verified: {done.stdout}{done.stderr}"
    if done.returncode != 0:
        return f"PyTorch succeeds, Sunder reports: {done.stderr}"
    found = [d for d in compare.differences(compare.load(expected), compare.load(out)) if not d[0].startswith("tensor ")]
    return str(found[:3]) if found else None


def misplaced(cli, path):
    """Returns nodes that are not in the module or stage of their readers, according to searches and to automatic stages."""
    import torch
    loaded = torch.export.load(path)
    tags = path.with_suffix(".tags.json")
    subprocess.run([cli, "tag", path, "--stages", "2", "--by", "nodes", "-o", tags, "--quiet"], check=True)
    stage = json.loads(tags.read_text())["tags"]
    for node in loaded.graph.nodes:
        if TAKES not in node.name or node.meta["nn_module_stack"]:
            continue
        paths = [list(v[0] for v in user.meta["nn_module_stack"].values()) for user in node.users]
        common = [path for path in paths[0] if all(path in other for other in paths)][-1]
        done = subprocess.run([cli, "find", path, f"name:{node.name}", "--json"], capture_output=True, text=True, check=True)
        where = json.loads(done.stdout)["nodes"][0]["module"]
        if where != common:
            yield f"{node.name} is in {where!r}, its readers in {common!r}"
        if stage[node.name] != min(stage[user.name] for user in node.users):
            yield f"{node.name} is in {stage[node.name]}, its first reader is not"


def main(argv):
    if not (SHARED / "oracle" / "compare.py").exists():
        print("skipped: no ../shared/oracle")
        return SKIPPED
    status = status_elsewhere(argv)
    if status is not None:
        return status
    import torch
    sys.path.insert(0, str(SHARED / "oracle"))
    failures = count = 0
    for programs in (exported, inserted, functional):
        for name, program in programs():
            count += 1
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / f"{name}.pt2"
                torch.export.save(program, path)
                wrong = [w for w in (unflattened(argv[1], program, path), *misplaced(argv[1], path)) if w]
            print(f"{name}: {'; '.join(wrong) or 'as it should be'}")
            failures += bool(wrong)
    print(f"{count} programs, {failures} failures")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
