"""Checks regions and branches with unused results: `dead_regions_in_torch.py SUNDER_CLI`

torch.export.unflatten drops all calls of graphs without users. `sunder-cli unflatten` drops those without effects, with the same
result. It keeps those that write, assert, or draw random numbers, and its result is verified; with --as-upstream it drops them.
Compares exported and decomposed programs. Exit 77 (skipped) without SUNDER_TORCH_PYTHON or ../shared/oracle.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

from torch_test import SKIPPED, status_elsewhere

SHARED = pathlib.Path(__file__).resolve().parents[3] / "shared"


def programs(models):
    """Name and program of every model, exported and decomposed."""
    import torch
    for name, model in models:
        program = torch.export.export(model, (torch.ones(2, 4),))
        yield name, program
        yield f"{name}_decomposed", program.run_decompositions({})


def difference(cli, program, folder, *options):
    """Returns the first differences between the results of Sunder and PyTorch, and whether the result is verified."""
    import compare
    import fxjson
    import make_unflatten
    make_unflatten.settle(program)
    source, out, expected = folder / "in.fxj", folder / "ours.fxj", folder / "theirs.fxj"
    fxjson.dump(program, source)
    done = subprocess.run([cli, "unflatten", source, "-o", out, "--json", *options], capture_output=True, text=True, check=True)
    fxjson.dump(make_unflatten.unflatten(program), expected)
    return list(compare.differences(compare.load(expected), compare.load(out)))[:3], json.loads(done.stdout)["verified"]


def problems(cli, program, folder, has_effects):
    """Returns the errors of the result for a program."""
    found, is_verified = difference(cli, program, folder)
    if not is_verified:
        yield "the result is not verified"
    if bool(found) != has_effects:
        yield f"differs from PyTorch: {found}" if found else "is the result of PyTorch, which drops the region"
    found, _ = difference(cli, program, folder, "--as-upstream")
    if found:
        yield f"differs as upstream: {found}"


def main(argv):
    if not (SHARED / "oracle" / "compare.py").exists():
        print("skipped: no ../shared/oracle")
        return SKIPPED
    status = status_elsewhere(argv)
    if status is not None:
        return status
    sys.path.insert(0, str(SHARED / "oracle"))
    import dead_region_models as models
    failures = count = 0
    for made, has_effects in ((models.without_effects(), False), (models.with_effects(), True)):
        for name, program in programs(made):
            count += 1
            with tempfile.TemporaryDirectory() as folder:
                is_dropped = has_effects and not name.endswith("_decomposed")  # decomposed programs have no regions
                wrong = list(problems(argv[1], program, pathlib.Path(folder), is_dropped))
            print(f"{name}: {'; '.join(wrong) or 'as it should be'}")
            failures += bool(wrong)
    print(f"{count} programs, {failures} failures")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
