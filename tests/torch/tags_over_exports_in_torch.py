"""Do tags stay right over a new export? `tags_over_exports_in_torch.py SUNDER_CLI [PAIR …]`

Exports the pairs of `export_pairs.py`, tags the old one, takes the tags over with `sunder-cli tag NEW --from OLD`, and holds
every op against what is known of it. Twice: with a tag for each op, which tells how ops were matched, and with three stages of
equal numbers of ops, whose borders lie within layers, which tells what a person sees. An op that is matched by identity or by
structure has to have the right tag, or the test fails; everything else is said in the report. Columns: `right`; `open`: without
a tag, and the report asks; `new`: new and without; `given`: new, or replaced, and with the tag of what is said to stand there;
`other`: the tag of another op, which the report says is not sure. The old export stands for itself as an identity file
in every other pair. Pairs of versions are archives of PyTorch 2.6 and 2.14 in ../shared, where that is: of those only names
of parameters are known, so the modules of ops are compared. Prints a table; exit 77 (skipped) without SUNDER_TORCH_PYTHON.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
from collections import Counter

from torch_test import status_elsewhere

ROOT = pathlib.Path(__file__).resolve().parents[2]
SURE = ("identity", "structure")
STAGES = 3


def tag(cli, *words):
    done = subprocess.run([cli, "tag", *map(str, words), "--quiet"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"sunder-cli tag {' '.join(map(str, words))}: {done.returncode} {done.stderr}")


def taken_over(cli, folder, tags, as_identity):
    """The calls of the report."""
    (folder / "tags.json").write_text(json.dumps({"order": sorted(set(tags.values())), "tags": tags}))
    old = folder / "old.pt2"
    if as_identity:
        tag(cli, old, "--identity", folder / "old.json")
        old = folder / "old.json"
    tag(cli, folder / "new.pt2", "--from", old, "--tags", folder / "tags.json", "-o", folder / "out.json",
        "--report", folder / "report.json")
    report = json.loads((folder / "report.json").read_text())
    out = json.loads((folder / "out.json").read_text())["tags"]
    assert out == {call["node"]: call["tag"] for call in report["calls"] if "tag" in call}
    return report["calls"]


def stage_tags(names):
    return {name: f"stage{i * STAGES // len(names)}" for i, name in enumerate(names)}


def judge(calls, expected):
    """`expected` gives for a node the tags that are right, none where it is new, None where nobody knows."""
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


def check_pair(cli, folder, pair, truths, as_identity):
    import torch
    old, new, old_args, new_args, old_decomposed, new_decomposed = pair
    known = []
    for name, module, args, decomposed in (("old", old, old_args, old_decomposed), ("new", new, new_args, new_decomposed)):
        exported = torch.export.export(module.eval(), (args,))
        if decomposed:
            exported = exported.run_decompositions()
        torch.export.save(exported, folder / f"{name}.pt2")
        known.append(truths(module, exported))
    before, after = known
    places = {}
    for name, (place, _, _) in before.items():
        places.setdefault(place, []).append(name)
    by_key = {key: name for name, key in before.items()}
    same_ops = old_decomposed == new_decomposed

    def old_ops(node):
        if node not in after:  # what reading an archive adds to it
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


def version_pairs():
    shared = ROOT.parent / "shared" / "conformance" / "pt2"
    for old in sorted(shared.glob("v2_6_0_*/model.pt2")):
        new = shared / old.parent.name.replace("v2_6_0", "v2_14_1") / "model.pt2"
        if new.exists():
            yield old.parent.name.removeprefix("v2_6_0_"), old, new


def modules_of(cli, model, folder):
    done = subprocess.run([cli, "find", str(model), "op:call_*", "--json"], capture_output=True, text=True)
    return {node["name"]: (node["module"], node["target"]) for node in json.loads(done.stdout).get("nodes", [])}


def check_versions(cli, folder, old, new):
    """Which op is which is not known; of those whose module and operator are only there once in both it is."""
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
HEAD = f"""{'':36}{'matched by or as':>36} |{'a tag an op':>30} |{'three stages':>30}
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
    from export_pairs import pairs, truths
    torch.manual_seed(0)
    cli, wanted = argv[1], argv[2:]
    print(HEAD)
    faults = []
    with tempfile.TemporaryDirectory() as scratch:
        for number, (name, pair) in enumerate(pairs(torch).items()):
            if wanted and name not in wanted:
                continue
            folder = pathlib.Path(scratch) / str(number)
            folder.mkdir()
            ops, stages = check_pair(cli, folder, pair, truths, number % 2 == 1)
            line(name, ops, stages)
            faults += [(name, *fault) for fault in ops[1] + stages[1]]
        for name, old, new in version_pairs() if not wanted else ():
            folder = pathlib.Path(scratch) / f"version {name}"
            folder.mkdir()
            ops = check_versions(cli, folder, old, new)
            if ops:
                line(f"2.6 to 2.14: {name}", ops, None)
                faults += [(name, *fault) for fault in ops[1]]
    for name, call, right in faults[:40]:
        print(f"WRONG without mention: {name}: {call['node']} ({call['module']}) is {call['match']} of {call.get('old')}, "
              f"has {call.get('tag')}, right is {sorted(right)}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
