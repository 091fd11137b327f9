"""Compares the results of exported parts with those of the model in PyTorch: `parts_run_in_torch.py SUNDER_CLI [MODEL.pt2 …]`

Cuts each model into 2 and 5 consecutive stages, and once in the middle of a module, exports the parts with sunder-cli, runs them
in PyTorch in the manifest's order, and compares every element of every output. Without models: the samples of this repository,
and those of ../shared if it exists, each of which is cut in one of these ways, in turn, unless SUNDER_WHOLE is set. Exit 77 (skipped) without SUNDER_TORCH_PYTHON.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

from torch_test import WHOLE, status_elsewhere

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED_MODELS = ("diffusion", "encdec12", "densenet121", "experts8x8", "decoder32")


def models():
    shared = ROOT.parent / "shared" / "samples" / "models"
    yield from sorted((ROOT / "resources" / "samples").glob("*.pt2"))
    yield from (p for p in (shared / f"{name}.pt2" for name in SHARED_MODELS) if p.exists())


WAYS = ("stages2", "stages5", "odd")


def cuts(cli, model, folder):
    """Yields tags files: equal stages, and one cut at an unusual place in graph order."""
    for count in ("2", "5"):
        tags = folder / f"stages{count}.json"
        subprocess.run([cli, "tag", model, "--stages", count, "-o", tags, "--quiet"], check=True)
        yield tags
    made = json.loads((folder / "stages2.json").read_text())
    names = list(made["tags"])
    odd = folder / "odd.json"
    odd.write_text(json.dumps({"order": made["order"], "tags": {
        name: made["order"][0 if i < len(names) * 3 // 7 else 1] for i, name in enumerate(names)}}))
    yield odd


def same(a, b):
    import torch
    if isinstance(b, torch.Tensor):
        return isinstance(a, torch.Tensor) and a.dtype == b.dtype and a.shape == b.shape and \
            torch.equal(a.nan_to_num(), b.nan_to_num())
    return a == b


def flat(value):
    import torch.utils._pytree as pytree
    return pytree.tree_leaves(value)


def load_parts(folder):
    """Returns the manifest, and the module of each part."""
    import torch
    manifest = json.loads((folder / "manifest.json").read_text())
    return manifest, [torch.export.load(folder / part["file"]).module() for part in manifest["parts"]]


def run_parts(folder, inputs):
    return run_loaded(*load_parts(folder), inputs)


def run_loaded(manifest, programs, inputs):
    values = dict(zip((v["name"] for v in manifest["inputs"]), inputs))
    for part, program in zip(manifest["parts"], programs):
        out = program(*(values[v["name"]] for v in part["inputs"]))
        values.update(zip((v["name"] for v in part["outputs"]), out))
    return [v["literal"] if "literal" in v else values[v["name"]] for v in manifest["outputs"]]


def check(cli, model, ways=WAYS):
    import torch
    whole = torch.export.load(model)
    args, kwargs = whole.example_inputs
    wanted = flat(whole.module()(*args, **kwargs))
    failures = 0
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        for tags in cuts(cli, model, scratch):
            if tags.stem not in ways:
                continue
            parts = scratch / (tags.stem + "-parts")
            done = subprocess.run([cli, "split", model, "--tags", tags, "--parts", parts], capture_output=True, text=True)
            if done.returncode != 0:
                print(f"{model.name}, {tags.stem}: {done.stderr.strip()}")
                failures += 1
                continue
            actual = run_parts(parts, flat((args, kwargs)))
            equal = len(actual) == len(wanted) and all(same(a, w) for a, w in zip(actual, wanted))
            print(f"{model.name}, {tags.stem}: {'equal' if equal else 'DIFFERENT'}, {len(wanted)} outputs")
            failures += not equal
    return failures


def main(argv):
    status = status_elsewhere(argv)
    if status is not None:
        return status
    chosen = [pathlib.Path(m) for m in argv[2:]] or list(models())
    failures = 0
    for number, model in enumerate(chosen):
        is_whole = argv[2:] or ROOT in model.parents or WHOLE
        failures += check(argv[1], model, WAYS if is_whole else WAYS[number % 3:][:1])
    print(f"{len(chosen)} models, {failures} failures")
    return 1 if failures or not chosen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
