"""Checks tags that are transferred to a new export: `tags_over_exports_in_torch.py SUNDER_CLI [PAIR …]`

Exports the pairs of `export_pairs.py`, tags the old export, transfers the tags with `sunder-cli transfer NEW --from OLD`, and compares
every op with its known counterpart. Does so twice: with a tag for each op, which shows how ops were matched, and with three stages
of equal numbers of ops, whose boundaries are within layers, which shows the result for users. Fails if an op that is matched by
identity or structure has a wrong tag. The report covers all other ops. Columns:

- `right`: correct tag
- `open`: without a tag, and the report asks
- `new`: new and without a tag
- `given`: new or replaced, with the tag of the reported counterpart
- `other`: the tag of another op, which the report marks as uncertain

In every other pair, an identity file replaces the old export. Runs half of the pairs unless SUNDER_WHOLE is set. Pairs of versions are archives of PyTorch 2.6, 2.9, and 2.14 in
../shared, if it exists. For these, only names of parameters are known, so the modules of ops are compared. Other installed releases
of PyTorch (~/.cache/sunder/torch-VERSION) also export the old model of every pair. Prints a table. Exit 77 (skipped) without
SUNDER_TORCH_PYTHON.
"""

import functools
import io
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile
from collections import Counter

from other_releases import other_pytorchs
from torch_test import WHOLE, status_elsewhere

ROOT = pathlib.Path(__file__).resolve().parents[2]
SURE = ("identity", "structure")
STAGES = 3


def transfer(cli, *words):
    done = subprocess.run([cli, "transfer", *map(str, words), "--quiet"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"sunder-cli transfer {' '.join(map(str, words))}: {done.returncode} {done.stderr}")


def taken_over(cli, folder, tags, as_identity):
    """Returns the calls in the report."""
    (folder / "tags.json").write_text(json.dumps({"order": sorted(set(tags.values())), "tags": tags}))
    old = folder / "old.pt2"
    if as_identity:
        transfer(cli, old, "--identity", folder / "old.json")
        old = folder / "old.json"
    transfer(cli, folder / "new.pt2", "--from", old, "--tags", folder / "tags.json", "-o", folder / "out.json",
        "--report", folder / "report.json")
    report = json.loads((folder / "report.json").read_text())
    out = json.loads((folder / "out.json").read_text())["tags"]
    assert out == {call["node"]: call["tag"] for call in report["calls"] if "tag" in call}
    return report["calls"]


def stage_tags(names):
    return {name: f"stage{i * STAGES // len(names)}" for i, name in enumerate(names)}


def judge(calls, expected):
    """`expected` returns the correct tags of a node: empty for a new node, None if unknown."""
    counts, faults = Counter(), []
    for call in calls:
        right = expected(call["node"])
        if right is None:
            continue
        got = call.get("tag")
        counts[call["match"]] += 1
        if got in right:
            counts["right"] += 1
        elif got is None:
            counts["open" if right else "new"] += 1
        else:
            counts["other" if right else "given"] += 1
        if call["match"] in SURE and got not in right:
            faults.append((call, right))
    return counts, faults


def tuples(value):
    return tuple(map(tuples, value)) if isinstance(value, list) else value


@functools.cache
def saved(module, args, decomposed):
    """Returns an export as a file, and the identities of its ops."""
    import torch
    from export_pairs import exported, truths
    program, file = exported(torch, module, args, decomposed), io.BytesIO()
    torch.export.save(program, file)
    return file.getvalue(), truths(module, program)


def check_pair(cli, folder, pair, as_identity, made=None):
    """`made` is the old model exported by another PyTorch, without its file extension."""
    old, new, old_args, new_args, old_decomposed, new_decomposed = pair
    known = []
    for name, module, args, decomposed in (("old", old, old_args, old_decomposed), ("new", new, new_args, new_decomposed)):
        if made is not None and name == "old":
            (folder / "old.pt2").write_bytes(made.with_suffix(".pt2").read_bytes())
            ops = json.loads(made.with_suffix(".json").read_text())
            known.append({node: tuples(what) for node, what in ops.items()})
            continue
        content, ops = saved(module, args, decomposed)
        (folder / f"{name}.pt2").write_bytes(content)
        known.append(ops)
    before, after = known
    places = {}
    for name, (place, _, _) in before.items():
        places.setdefault(place, []).append(name)
    by_key = {key: name for name, key in before.items()}
    same_ops = old_decomposed == new_decomposed

    def old_ops(node):
        if node not in after:  # added by reading an archive
            return None
        place = after[node][0]
        if same_ops:
            return [by_key[after[node]]] if after[node] in by_key else []
        return places.get(place, [])

    rows = []
    for tags in ({name: name for name in before}, stage_tags(list(before))):
        calls = taken_over(cli, folder, tags, as_identity)
        found = {call["node"]: old_ops(call["node"]) for call in calls}
        rows.append(judge(calls, lambda node: None if found[node] is None else {tags[name] for name in found[node]}))
    return rows


VERSIONS = ("2.6.0", "2.9.1", "2.14.1")


def version_pairs():
    shared = ROOT.parent / "shared" / "conformance" / "pt2"
    for before, after in itertools.combinations(VERSIONS, 2):
        prefix = f"v{before.replace('.', '_')}_"
        for old in sorted(shared.glob(f"{prefix}*/model.pt2")):
            new = shared / old.parent.name.replace(prefix, f"v{after.replace('.', '_')}_") / "model.pt2"
            if new.exists():
                yield f"{before} to {after}: {old.parent.name.removeprefix(prefix)}", old, new


def modules_of(cli, model, folder):
    done = subprocess.run([cli, "find", str(model), "op:call_*", "--json"], capture_output=True, text=True)
    return {node["name"]: (node["module"], node["target"]) for node in json.loads(done.stdout).get("nodes", [])}


def check_versions(cli, folder, old, new):
    """Compares ops without known correspondence: pairs ops whose module and operator occur only once in both."""
    (folder / "old.pt2").write_bytes(old.read_bytes())
    (folder / "new.pt2").write_bytes(new.read_bytes())
    before, after = modules_of(cli, old, folder), modules_of(cli, new, folder)
    if not before or not after:
        return None
    once = {key for key, count in Counter(before.values()).items() if count == 1}
    once &= {key for key, count in Counter(after.values()).items() if count == 1}
    by_key = {key: name for name, key in before.items() if key in once}
    calls = taken_over(cli, folder, {name: name for name in before}, False)
    known = [call for call in calls if after.get(call["node"]) in once]
    return judge(known, lambda node: {by_key[after[node]]})


MATCHES = ("identity", "structure", "moved", "in_place", "undecided", "added")
ANSWERS = ("right", "open", "new", "given", "other")
HEAD = f"""{'':36}{'matched by or as':>36} |{'one tag per op':>30} |{'three stages':>30}
{'pair':36}{'ident':>6}{'struc':>6}{'moved':>6}{'place':>6}{'undec':>6}{'new':>6} |""" \
    + " |".join("".join(f"{word:>6}" for word in ANSWERS) for _ in "12")


def line(name, ops, stages):
    print(f"{name:36}" + "".join(f"{ops[0][kind]:6}" for kind in MATCHES) + " |"
          + " |".join("".join(f"{rows[0][kind]:6}" for kind in ANSWERS) for rows in (ops, stages) if rows), flush=True)


def main(argv):
    status = status_elsewhere(argv)
    if status is not None:
        return status
    import torch
    from export_pairs import pairs
    torch.manual_seed(0)
    cli, wanted = argv[1], argv[2:]
    print(HEAD)
    faults = []
    with tempfile.TemporaryDirectory() as scratch:
        made = pairs(torch)
        olds = {"": None}
        for version, python in other_pytorchs():
            olds[f"{version}: "] = pathlib.Path(scratch) / version
            olds[f"{version}: "].mkdir()
            subprocess.run([python, pathlib.Path(__file__).with_name("export_pairs.py"), olds[f"{version}: "]], check=True)
        for (by, olds_by), (number, (name, pair)) in itertools.product(olds.items(), enumerate(made.items())):
            if name not in wanted if wanted else number % 4 > 1 and not WHOLE:
                continue
            folder = pathlib.Path(scratch) / f"{by.strip(': ')} pair {number}"
            folder.mkdir()
            ops, stages = check_pair(cli, folder, pair, number % 2 == 1, olds_by and olds_by / str(number))
            line(by + name, ops, stages)
            faults += [(by + name, *fault) for fault in ops[1] + stages[1]]
        for name, old, new in version_pairs() if not wanted else ():
            folder = pathlib.Path(scratch) / f"version {name.replace(':', '')}"
            folder.mkdir()
            ops = check_versions(cli, folder, old, new)
            if ops:
                line(name, ops, None)
                faults += [(name, *fault) for fault in ops[1]]
    for name, call, right in faults[:40]:
        print(f"WRONG without a warning: {name}: {call['node']} ({call['module']}) is {call['match']} of {call.get('old')}, "
              f"has {call.get('tag')}, right is {sorted(right)}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
