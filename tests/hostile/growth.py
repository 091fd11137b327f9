"""Checks that the time of sunder-cli grows linearly with the model: growth.py SUNDER-CLI [SHAPE…]

Runs every command on every shape at two sizes and compares processor times; quadratic growth is a finding. Nested graphs with more
calls than could ever run must end within bounds of time and memory."""
import json
import os
import resource
import subprocess
import sys
import tempfile
import zipfile

import shapes

# For a size factor of 8, linear growth gives 8, n log n 10, and quadratic growth 64.
SMALL, LARGE, MOST = 1_000, 8_000, 26
# Shorter times are not worth checking.
SECONDS = 1.0
NESTED_SECONDS, NESTED_MEGABYTES = 20, 1_500
DEPTHS = {"calls_itself": 2, "given_root": 10, "stick_of_graphs": 5_000}


def commands(path, side, out):
    yield ["info", path]
    for suffix in ("fxj", "dot", "json", "py"):
        yield ["convert", path, out + "." + suffix]
    yield ["tag", path, "--stages", "3", "-o", out]
    yield ["check", path, "--tags", side["tags"]]
    yield ["check", path, "--tags", side["tags"], "--repair", "1", "-o", out]
    yield ["split", path, "--tags", side["tags"], "-o", out]
    yield ["split", path, "--tags", side["tags"], "-o", out, "--parts", out + ".parts"]
    yield ["compare", path, side["tags"], side["tags"]]
    yield ["split-module", path, "--partitions", side["partitions"], "-o", out]
    yield ["move-non-tensor", path, "--subgraphs", side["subgraphs"], "-o", out]
    yield ["partition", path, "--devices", side["devices"], "-o", out, "--dag", out + ".dag"]
    yield ["partition", path, "--config", side["config"], "-o", out, "--dag", out + ".dag"]
    yield ["regions", path, "-o", out]
    yield ["dedup", path, "-o", out]
    yield ["verify", path, path]
    yield ["render", path, out + ".svg"]


def side_files(model, folder):
    """Two parts: the first and the second half of the calls."""
    calls = [json.loads(line)["name"] for line in model.lines if '"g":"g0"' in line and '"op":"call_' in line]
    half = (len(calls) + 1) // 2
    number = {name: int(i >= half) for i, name in enumerate(calls)}
    devices = [{"name": f"d{i}", "available_mem_bytes": 10**9} for i in range(2)]
    contents = {"tags": {"order": ["t0", "t1"], "tags": {name: f"t{part}" for name, part in number.items()}},
                "partitions": number,
                "subgraphs": [{"is_acc": True, "nodes": calls[:half]}, {"is_acc": False, "nodes": calls[half:]}],
                "devices": devices,
                "config": {"mode": "size_based", "devices": devices}}
    paths = {}
    for name, value in contents.items():
        paths[name] = os.path.join(folder, name + ".json")
        with open(paths[name], "w") as file:
            json.dump(value, file)
    return paths


def limit():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (90, 90))


def run(cli, words):
    """Returns processor seconds, peak megabytes, exit status, and messages."""
    process = subprocess.Popen([cli, *words, "--json"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=limit)
    said = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stdout.close()
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, process.returncode, said.decode(errors="replace")


def model_at(shape, size, folder):
    model = shape(size)
    os.makedirs(folder)
    path = os.path.join(folder, "in.fxj")
    with open(path, "wb") as file:
        file.write(model.bytes())
    return list(commands(path, side_files(model, folder), os.path.join(folder, "out")))


def check_growth(cli, shape, folder):
    findings = 0
    pairs = zip(model_at(shape, SMALL, folder + "/small"), model_at(shape, LARGE, folder + "/large"))
    for small, large in pairs:
        first, second = run(cli, small), run(cli, large)
        ratio = second[0] / max(first[0], 0.05)
        bad = second[0] > SECONDS and ratio > MOST or not 0 <= second[2] <= 3 or not 0 <= first[2] <= 3
        if bad:
            findings += 1
            print(f"{shape.__name__}: {' '.join(large[:1] + large[2:])}: {first[0]:.2f} s for {SMALL}, {second[0]:.2f} s for "
                  f"{LARGE}, {second[1]:.0f} MB, exit {second[2]}: {second[3][:200]}", flush=True)
    return findings


def check_nested(cli, shape, folder):
    findings = 0
    for words in model_at(shape, DEPTHS.get(shape.__name__, 30), folder):
        seconds, megabytes, status, said = run(cli, words)
        if seconds > NESTED_SECONDS or megabytes > NESTED_MEGABYTES or not 0 <= status <= 3:
            findings += 1
            print(f"{shape.__name__}: {' '.join(words)}: {seconds:.1f} s, {megabytes:.0f} MB, exit {status}: {said[:200]}",
                  flush=True)
    return findings


def archive(members, folder):
    """A small model among many unused members."""
    path = f"{folder}/{members}.pt2"
    cases = os.path.join(os.path.dirname(__file__), "..", "cases", "pt2", "own_none_in_and_out", "model.pt2")
    with zipfile.ZipFile(cases) as source, zipfile.ZipFile(path, "w") as made:
        for name in source.namelist():
            made.writestr(name, source.read(name))
        root = source.namelist()[0].split("/")[0]
        for i in range(members):
            made.writestr(zipfile.ZipInfo(f"{root}/data/weights/weight_x{i}"), b"")
    return path


def check_members(cli, folder):
    """Checks that only the directory of an archive is read: 160,000 members take a second or two, 8 times as long as 20,000."""
    first, second = (run(cli, ["info", archive(members, folder)]) for members in (20_000, 160_000))
    ratio = second[0] / max(first[0], 0.05)
    if second[2] != 0 or second[0] > 3 or second[0] > SECONDS and ratio > MOST:
        print(f"archive of 160,000 members: {second[0]:.2f} s, of 20,000: {first[0]:.2f} s: {second[3][:200]}")
        return 1
    return 0


def main():
    cli, names = sys.argv[1], sys.argv[2:]
    findings = 0
    for check, all_shapes in ((check_nested, shapes.NESTED), (check_growth, shapes.GROWING)):
        for shape in all_shapes:
            if not names or shape.__name__ in names:
                with tempfile.TemporaryDirectory() as folder:
                    findings += check(cli, shape, folder + "/files")
                print(f"{shape.__name__} done", flush=True)
    if not names:
        with tempfile.TemporaryDirectory() as folder:
            findings += check_members(cli, folder)
    print(f"{findings} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
