"""Compares parts as separate models with the model, and with the problems of `check`: `separate_parts_in_torch.py SUNDER_CLI
[SEEDS]`

Cuts the models of separate_models.py, as exported and decomposed programs and as plain graphs, and runs `check` and `split
--parts`. Written parts run one by one with copies of all passed values, three times in a row, under the global state of a fresh
process. Their results, and inputs after the call, must equal those of the model bit for bit. Some run with one process per part.
Every refusal must be a problem of `check` with the same text, and cuts without errors of `check` must be written. Exit 77
(skipped) without SUNDER_TORCH_PYTHON.
"""

import copy
import json
import multiprocessing
import os
import pathlib
import subprocess
import sys
import tempfile

from torch_test import status_elsewhere

ROOT = pathlib.Path(__file__).resolve().parents[2]
KINDS = ("split_state", "bound_value", "cut_region")  # of problems of separate parts
OTHERS = ("hidden_order", "left_region", "backward_edge", "not_equal", "undecided")


def own(value):
    """Returns a value as received from another process."""
    import torch
    return value.detach().clone() if isinstance(value, torch.Tensor) else copy.deepcopy(value)


def load(folder, part):
    import torch
    path = folder / part["file"]
    if path.suffix == ".pt2":
        return torch.export.load(path).module()
    sys.path.insert(0, str(ROOT / "packaging" / "python"))
    import sunder
    return sunder.load(path)


def called(module, given):
    """Runs a part, which must begin and end without regions. Returns results and inputs."""
    import torch
    out = module(*given)
    assert not torch.is_autocast_enabled("cpu") and torch.is_grad_enabled(), "a part leaves global state behind"
    return [own(value) for value in out], [own(value) for value in given]


def serve(folder, part, pipe):
    import torch
    torch.set_num_threads(1)
    module = load(pathlib.Path(folder), part)
    while (given := pipe.recv()) is not None:
        pipe.send(called(module, given))


class Processes:
    """A process for each part: a fork of one that has imported torch and done nothing else."""

    def __init__(self, folder, manifest):
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["torch", "torch.export"])
        self.workers = []
        for part in manifest["parts"]:
            ours, theirs = context.Pipe()
            worker = context.Process(target=serve, args=(str(folder), part, theirs))
            worker.start()
            self.workers.append((worker, ours))

    def __call__(self, number, given):
        self.workers[number][1].send(given)
        return self.workers[number][1].recv()

    def close(self):
        for worker, pipe in self.workers:
            pipe.send(None)
            worker.join()


class Copies:
    """Runs all parts in this process, each as a separate module."""

    def __init__(self, folder, manifest):
        self.modules = [load(folder, part) for part in manifest["parts"]]

    def __call__(self, number, given):
        return called(self.modules[number], [own(value) for value in given])

    def close(self):
        pass


def run_parts(manifest, parts, leaves):
    """Returns the results. Writes of parts to inputs of the model are copied back."""
    import torch
    values = dict(zip((value["name"] for value in manifest["inputs"]), leaves))
    inputs = set(values)
    for number, part in enumerate(manifest["parts"]):
        names = [value["name"] for value in part["inputs"]]
        results, after = parts(number, [values[name] for name in names])
        with torch.no_grad():
            for name, value in zip(names, after):
                if name in inputs and isinstance(value, torch.Tensor):
                    values[name].copy_(value)
        values.update(zip((value["name"] for value in part["outputs"]), results))
    return [value["literal"] if "literal" in value else values[value["name"]] for value in manifest["outputs"]]


def same(a, b):
    import torch
    if len(a) != len(b):
        return False
    return all(torch.equal(x, y) and x.dtype == y.dtype if isinstance(x, torch.Tensor) else x == y for x, y in zip(a, b))


def three_times(call, args):
    import torch.utils._pytree as pytree
    seen = []
    for _ in range(3):
        given = copy.deepcopy(args)
        seen += [own(value) for value in pytree.tree_leaves(call(*given))] + [own(value) for value in given]
    return seen


class Trial:
    def __init__(self, cli, scratch):
        self.cli, self.scratch = cli, scratch
        self.failures = self.written = self.refused = self.needless = 0
        self.kinds = {}

    def asked(self, *arguments):
        done = subprocess.run([self.cli, *map(str, arguments), "--json"], capture_output=True, text=True)
        return done.returncode, json.loads(done.stdout)

    def fail(self, what, why):
        print(f"{what}: {why}")
        self.failures += 1

    def cut(self, what, model, tags, order, whole, args, processes=False):
        """Whether parts are written; compares them with the whole model."""
        tags_file, folder = self.scratch / "tags.json", self.scratch / "parts"
        tags_file.write_text(json.dumps({"order": order, "tags": tags}))
        subprocess.run(["rm", "-rf", folder], check=True)
        status, found = self.asked("check", model, "--tags", tags_file)
        problems = [p for p in found["problems"] if p["kind"] in KINDS + OTHERS and p["severity"] != "note"]
        for problem in problems:
            self.kinds[problem["kind"]] = self.kinds.get(problem["kind"], 0) + 1
        split, said = self.asked("split", model, "--tags", tags_file, "--parts", folder)
        if split != 0:
            self.refused += 1
            self.judge_refusal(what, said["error"]["message"], problems)
            return False
        self.written += 1
        if problems or status != 0:
            self.fail(what, f"parts are written although check reports: {[p['text'] for p in problems] or found}")
        manifest = json.loads((folder / "manifest.json").read_text())
        parts = (Processes if processes else Copies)(folder, manifest)
        try:
            wanted = three_times(whole(), args)
        except RuntimeError as error:  # the model writes to memory that it reads
            print(f"{what}: the whole fails: {str(error)[:60]}")
            parts.close()
            return True
        try:
            actual = three_times(lambda *given: run_parts(manifest, parts, list(given)), args)
        except Exception as error:
            self.fail(what, f"{type(error).__name__}: {error}")
        else:
            if not same(wanted, actual):
                self.fail(what, f"DIFFERENT on its own: {tags}")
        finally:
            parts.close()
        return True

    def judge_refusal(self, what, message, problems):
        own_problems = [p for p in problems if p["kind"] in KINDS]
        if any(message.endswith(p["text"].split(". Calls that")[0].removesuffix(".")) for p in own_problems):
            return
        if not any(p["kind"] in OTHERS for p in problems):
            self.fail(what, f"refused with \"{message}\", but check reports {[p['text'] for p in problems]}")


def forms(model, args):
    """Returns the exported program, and its decomposition if torch supports it: not if written buffers share memory."""
    import torch
    program = torch.export.export(model, copy.deepcopy(args), strict=getattr(model, "strict", False))
    yield "exported", program
    try:
        yield "decomposed", program.run_decompositions({})
    except Exception as error:
        print(f"{type(model).__name__}: run_decompositions: {type(error).__name__}")


def names_of(trial, path):
    """Returns calls in order. A file has more getitems of results than the program in memory."""
    one = trial.scratch / "one.json"
    subprocess.run([trial.cli, "tag", path, "--stages", "1", "-o", one, "--quiet"], check=True)
    return list(json.loads(one.read_text())["tags"])


def try_by_hand(trial):
    import torch
    from separate_models import BY_HAND
    torch.manual_seed(0)
    for cls, count in BY_HAND.items():
        args = tuple(torch.randn(4, 4) for _ in range(count))
        for form, program in forms(cls(), args):
            path = trial.scratch / "model.pt2"
            torch.export.save(program, path)
            names = names_of(trial, path)
            for at in range(1, len(names)):
                tags = {name: f"s{int(i >= at)}" for i, name in enumerate(names)}
                trial.cut(f"{cls.__name__} {form}, cut before {names[at]}", path, tags, ["s0", "s1"],
                          lambda: torch.export.load(path).module(), args, processes=at == len(names) // 2 and form == "exported")


def try_regions(trial):
    """Yields every cut of a graph with regions into two parts, and some into three."""
    import torch
    from separate_models import autocast_graph, overlapping_graph, random_cut
    import sunder
    module = autocast_graph()
    args = torch.randn(4, 4, requires_grad=True), torch.randn(4, 4, requires_grad=True)
    path = trial.scratch / "regions.fxj"
    sunder.save(module, path)
    names = names_of(trial, path)
    cuts = [({name: f"s{int(i >= at)}" for i, name in enumerate(names)}, ["s0", "s1"]) for at in range(1, len(names))]
    cuts += [random_cut(names, seed) for seed in range(10)]
    written = sum(trial.cut(f"regions, {tags}", path, tags, order, lambda: module, args) for tags, order in cuts)
    if written < len(names) - 1:
        trial.fail("regions", f"only {written} of {len(cuts)} cuts are written")
    overlapping = overlapping_graph()
    sunder.save(overlapping, path)
    names = names_of(trial, path)
    for at in range(1, len(names)):
        tags = {name: f"s{int(i >= at)}" for i, name in enumerate(names)}
        if trial.cut(f"overlapping regions, {tags}", path, tags, ["s0", "s1"], lambda: overlapping, args):
            trial.fail("overlapping regions", f"parts are written: {tags}")


def try_commands(trial):
    """Checks that all commands for parts refuse with the same text. Only split -o continues, because its graph shares the buffer.
    """
    import sunder
    import torch
    from separate_models import StateBackward
    program = torch.export.export(StateBackward(), (torch.randn(4, 4),))
    model, folder = trial.scratch / "model.pt2", trial.scratch / "all"
    torch.export.save(program, model)
    names = names_of(trial, model)
    part = {name: int(i > 1) for i, name in enumerate(names)}
    tags, partitions, config = (trial.scratch / f"{name}.json" for name in ("tags", "partitions", "config"))
    tags.write_text(json.dumps({"order": ["submod_0", "submod_1"], "tags": {n: f"submod_{p}" for n, p in part.items()}}))
    partitions.write_text(json.dumps(part))
    config.write_text(json.dumps({
        "mode": "aot_based", "devices": [{"name": f"d{i}", "available_mem_bytes": 1e6, "logical_id": i} for i in (0, 1)],
        "transfer_rate_bytes_per_sec": 2, "node_to_latency": {name: [0, 0] for name in names},
        "node_to_partition": part, "partition_to_logical_devices": {"0": [0], "1": [1]}}))
    said = {}
    status, found = trial.asked("check", model, "--tags", tags)
    said["check"] = [p["text"].removesuffix(".") for p in found["problems"] if p["kind"] == "split_state"]
    for command, *how in (("split", "--tags", tags), ("split-module", "--partitions", partitions), ("partition", "--config", config)):
        said[command] = [trial.asked(command, model, *how, "--parts", folder)[1]["error"]["message"]]
        if trial.asked(command, model, *how, "-o", trial.scratch / "out.fxj")[0] != 0:
            trial.fail(command, "the split graph is refused")
        status, written = trial.asked(command, model, *how, "--parts", folder, "--unproven")
        notes = [note for p in json.loads((folder / "manifest.json").read_text())["parts"] for note in p.get("notes", ())]
        if status != 0 or notes != said["check"]:
            trial.fail(command, f"--unproven: status {status}, notes {notes}")
    try:
        sunder.split(program, {name: f"submod_{number}" for name, number in part.items()}, parts=folder)
        said["sunder.split"] = []
    except sunder.SunderError as error:
        said["sunder.split"] = [error.text]
    if len({tuple(words) for words in said.values()}) != 1 or len(said["check"]) != 1:
        trial.fail("commands", said)


def try_random(trial, seeds):
    import sunder
    import torch
    from separate_models import RandomModel, random_cut
    for seed in range(seeds):
        torch.manual_seed(seed)
        args = torch.randn(4, 4), torch.randn(4, 4)
        try:
            made = list(forms(RandomModel(seed), args))
        except Exception as error:  # a program that torch.export refuses
            print(f"random {seed}: torch.export: {type(error).__name__}")
            continue
        for form, program in [*made, ("plain", made[0][1])]:
            path = trial.scratch / ("model.fxj" if form == "plain" else "model.pt2")
            if form == "plain":
                sunder.save(program.module(check_guards=False), path)
                whole = lambda: copy.deepcopy(program).module(check_guards=False)
            else:
                torch.export.save(program, path)
                whole = lambda: torch.export.load(path).module()
            names = names_of(trial, path)
            for number in range(3):
                tags, order = random_cut(names, 100 * seed + number)
                trial.cut(f"random {seed} {form}, cut {number}", path, tags, order, whole, args)


def main(argv):
    status = status_elsewhere(argv)
    if status is not None:
        return status
    import torch
    torch.set_num_threads(1)
    sys.path.insert(0, str(ROOT / "packaging" / "python"))
    os.environ.setdefault("SUNDER_HOME", str(pathlib.Path(argv[1]).resolve().parents[1]))
    with tempfile.TemporaryDirectory() as scratch:
        trial = Trial(argv[1], pathlib.Path(scratch))
        try_by_hand(trial)
        try_regions(trial)
        try_commands(trial)
        by_hand = trial.written, trial.refused
        try_random(trial, int(argv[2]) if len(argv) > 2 else 8)
    print(f"{trial.written} cuts written ({by_hand[0]} by hand), {trial.refused} refused ({by_hand[1]}), {trial.kinds}, "
          f"{trial.failures} failures")
    if min(trial.written, trial.refused, trial.kinds.get("split_state", 0)) < 20 or not by_hand[1]:
        print("too few cases of a kind")
        return 1
    return 1 if trial.failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
