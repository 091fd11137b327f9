"""Checks that parts have usable example inputs, and exactly the weights that they read: `part_contents_in_torch.py SUNDER_CLI
[MODEL.pt2 …]`

Cuts each model into 3 stages and exports the parts with sunder-cli. Loads each part in PyTorch. It has example inputs, with the
values of the model if the manifest states so, and runs on them. Its state dict contains what its signature names, and
run_decompositions() accepts it. Parts that run one after another give the results of the model. The parts of a small program are
also compiled by aoti_compile_and_package. Unless SUNDER_WHOLE is set, only the last part of each is decomposed or compiled. Without models: the samples of this repository, and with ../shared, models of every
container that PyTorch 2.13 reads. Exit 77 (skipped) without SUNDER_TORCH_PYTHON.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

from parts_run_in_torch import flat, run_loaded, same
from torch_test import WHOLE, status_elsewhere

ROOT = pathlib.Path(__file__).resolve().parents[2]
CASES = ("v2_6_0_transformer", "v2_6_0_aliasing", "v2_6_0_dynamic", "layout_2_8_mixed", "layout_2_8_aliasing",
         "v2_9_1_transformer", "v2_14_1_dynamic", "own_none_in_and_out", "own_nested_inputs", "own_int_and_float_inputs",
         "own_tied_weights", "own_dynamic_batch")


def models():
    cases = ROOT.parent / "shared" / "conformance" / "pt2"
    yield from sorted((ROOT / "resources" / "samples").glob("*.pt2"))
    yield from (p for p in (cases / name / "model.pt2" for name in CASES) if p.exists())


def faults(model, parts):
    import torch
    whole = torch.export.load(model)
    manifest = json.loads((parts / "manifest.json").read_text())
    given = {}
    if whole.example_inputs:
        args, kwargs = whole.example_inputs
        given = dict(zip((v["name"] for v in manifest["inputs"]), flat((args, kwargs or {}))))
    programs = [torch.export.load(parts / described["file"]) for described in manifest["parts"]]
    modules = [part.module() for part in programs]
    for described, part in zip(manifest["parts"], programs):
        path = parts / described["file"]
        wanted = {s.target for s in part.graph_signature.input_specs if s.target is not None}
        held = set(part.state_dict) | set(part.constants)
        if held != wanted:
            yield f"{path.name} holds {sorted(held ^ wanted)[:4]} and does not read them, or the other way"
        if WHOLE or part is programs[-1]:
            part.run_decompositions()
        if not given:
            continue
        if not part.example_inputs:
            yield f"{path.name} has no example inputs"
            continue
        args, kwargs = part.example_inputs
        if len(args) != len(described["inputs"]) or kwargs:
            yield f"{path.name} has {len(args)} example inputs, not {len(described['inputs'])}"
        for value, arg in zip(described["inputs"], args):
            if value["example"] == "source" and not same(arg, given[value["name"]]):
                yield f"{path.name}: the example of {value['name']} is not that of the whole"
            if value["name"] in given and value["example"] == "filler":
                yield f"{path.name}: the example of {value['name']} is not taken from the whole"
    if given:
        args, kwargs = whole.example_inputs
        wanted = flat(whole.module()(*args, **(kwargs or {})))
        actual = run_loaded(manifest, modules, list(given.values()))
        if len(actual) != len(wanted) or not all(same(a, w) for a, w in zip(actual, wanted)):
            yield "the results of the parts differ from those of the whole"
        for part, module in zip(programs, modules):
            if part.example_inputs:
                module(*(a.clone() if isinstance(a, torch.Tensor) else a for a in part.example_inputs[0]))


def compiled(cli, scratch):
    """Yields errors of a small program's parts after aoti_compile_and_package."""
    os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"  # more would be processes that import PyTorch
    quickly = {"aot_inductor.precompile_headers": False, "aot_inductor.compile_wrapper_opt_level": "O0", "cpp.simdlen": 0}
    import torch

    class Small(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = torch.nn.Linear(4, 8), torch.nn.Linear(8, 4)

        def forward(self, x):
            return self.second(torch.relu(self.first(x)))

    model, tags, parts = scratch / "small.pt2", scratch / "small.json", scratch / "small-parts"
    torch.export.save(torch.export.export(Small(), (torch.randn(3, 4),)), model)
    subprocess.run([cli, "tag", model, "--stages", "2", "-o", tags, "--quiet"], check=True)
    subprocess.run([cli, "split", model, "--tags", tags, "--parts", parts, "--quiet"], check=True)
    all_parts = json.loads((parts / "manifest.json").read_text())["parts"]
    for described in all_parts if WHOLE else all_parts[-1:]:
        part = torch.export.load(parts / described["file"])
        package = torch._inductor.aoti_compile_and_package(part, package_path=str(scratch / f"{described['file']}.package.pt2"),
                                                           inductor_configs=quickly)
        args, _ = part.example_inputs
        ours, wanted = flat(torch._inductor.aoti_load_package(package)(*args)), flat(part.module()(*args))
        if len(ours) != len(wanted) or not all(torch.allclose(a, b, atol=1e-5) for a, b in zip(ours, wanted)):
            yield f"{described['file']} has different results after compilation"


def main(argv):
    status = status_elsewhere(argv)
    if status is not None:
        return status
    chosen = [pathlib.Path(m) for m in argv[2:]] or list(models())
    failures = 0
    with tempfile.TemporaryDirectory() as scratch:
        for fault in compiled(argv[1], pathlib.Path(scratch)):
            print(f"compiled: {fault}")
            failures += 1
        for number, model in enumerate(chosen):
            name = model.stem if model.stem != "model" else model.parent.name
            tags, parts = pathlib.Path(scratch) / f"{number}.json", pathlib.Path(scratch) / f"{number}-parts"
            info = json.loads(subprocess.run([argv[1], "info", model, "--json"], check=True, capture_output=True).stdout)
            ops = sum(info["ops"][kind] for kind in ("call_function", "call_method", "call_module"))
            subprocess.run([argv[1], "tag", model, "--stages", str(min(3, ops)), "-o", tags, "--quiet"], check=True)
            done = subprocess.run([argv[1], "split", model, "--tags", tags, "--parts", parts], capture_output=True, text=True)
            if done.returncode != 0:
                print(f"{name}: {done.stderr.strip()}")
                failures += 1
                continue
            try:
                found = list(faults(model, parts))
            except Exception as e:  # noqa: BLE001 - any error of PyTorch is a failure
                found = [f"{type(e).__name__}: {str(e)[:300]}"]
            for fault in found:
                print(f"{name}: {fault}")
            print(f"{name}: {'FAILED' if found else 'as it should be'}", flush=True)
            failures += len(found)
    print(f"{len(chosen)} models, {failures} failures")
    return 1 if failures or not chosen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
