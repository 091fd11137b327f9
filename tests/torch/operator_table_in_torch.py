"""Checks the table of operators against PyTorch: `operator_table_in_torch.py`

Generates core/operators/data/torch_operators.txt again, compares, and imports the modules of registering_modules.txt one by one.
Exit 77 (skipped) without SUNDER_TORCH_PYTHON.
"""

import difflib
import importlib
import pathlib
import sys

import torch_test

ROOT = pathlib.Path(__file__).resolve().parents[2]


def registered():
    """Namespaces and names of all operators."""
    import torch
    return {tuple(schema.name.split("::")) for schema in torch._C._jit_get_all_schemas()}


def faults_of_modules(operator_table):
    """Returns differences between registering_modules.txt and PyTorch. Call it before anything else is imported."""
    import torch
    torch.export.load(ROOT / "resources" / "samples" / "transformer.pt2")
    before = registered()
    lines = (operator_table.DATA / "registering_modules.txt").read_text().splitlines()
    listed = dict(line.split("\t") for line in lines if not line.startswith("#"))
    faults = [f"{library} is registered without {listed[library]}" for library, _ in sorted(before) if library in listed]
    for library, module in listed.items():
        importlib.import_module(module)
        if library not in {other for other, _ in registered()}:
            faults.append(f"{module} does not register {library}")
    for module in operator_table.REGISTERING:
        importlib.import_module(module)
    known = {library for library, _ in before} | set(listed)  # inductor registers more of prims, not used in exports
    return faults + [f"{library} is missing" for library in sorted({library for library, _ in registered()} - known)]


def main():
    sys.path.insert(0, str(ROOT / "packaging" / "python"))
    import operator_table
    faults = faults_of_modules(operator_table)
    for fault in faults:
        print(fault)
    written = (operator_table.DATA / "torch_operators.txt").read_text().splitlines()
    made = operator_table.text().splitlines()
    differences = list(difflib.unified_diff(written, made, "in the repository", "from PyTorch", n=0, lineterm=""))
    for line in differences[:40]:
        print(line)
    kept = sum(not line.startswith("#") for line in made)
    dropped = [line for line in (operator_table.DATA / "dropped_operators.txt").read_text().splitlines()
               if not line.startswith("#")]
    keys = {line.split("(")[0] for line in made}
    again = [line for line in dropped if line.split("(")[0] in keys]
    print(f"{kept} overloads, {len(differences)} lines differ; {len(dropped)} of older versions, {len(again)} not dropped")
    return 1 if differences or again or faults else 0


if __name__ == "__main__":
    elsewhere = torch_test.status_elsewhere(sys.argv)
    sys.exit(main() if elsewhere is None else elsewhere)
