"""Measures sunder-cli on a model of big_model.py: big_model_figures.py SUNDER-CLI MODEL [COMMAND …]

Prints one line per command: wall time, the part of it for reading, peak memory, and the peak as a multiple of the program's
memory (`program_bytes` of `info`).
"""

import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import time


def commands(model, folder):
    tags, other, stages = folder / "tags.json", folder / "out.fxj", ["--stages", "4"]
    yield "info", [model]
    yield "tag", [model, *stages, "-o", tags]
    yield "check", [model, "--tags", tags]
    yield "split", [model, "--tags", tags, "-o", other]
    yield "verify", [model, other]
    devices = folder / "devices.json"
    devices.write_text(json.dumps([{"name": f"d{i}", "available_mem_bytes": 10**11} for i in range(4)]))
    yield "partition", [model, "--devices", devices, "-o", folder / "p.fxj", "--dag", folder / "dag.json"]
    yield "unflatten", [model, "-o", folder / "u.fxj"]
    yield "regions", [model, "-o", folder / "regions.json"]
    yield "dedup", [model, "-o", folder / "d.fxj"]
    yield "convert", [model, folder / "c.fxj"]
    yield "render", [model, folder / "r.svg"]
    yield "parts", [model, "--tags", tags, "--parts", folder / "parts"]


def run(cli, name, words):
    """Returns seconds, peak bytes, and the output."""
    start = time.monotonic()
    process = subprocess.Popen([cli, "split" if name == "parts" else name, *map(str, words), "--json"], stdout=subprocess.PIPE)
    said = process.stdout.read()
    _, status, used = __import__("os").wait4(process.pid, 0)
    process.returncode = status
    process.stdout.close()
    return time.monotonic() - start, used.ru_maxrss * 1024, json.loads(said or b"{}")


def main(cli, model, *chosen):
    own = None
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory(dir=pathlib.Path(model).parent) as folder:
        for name, words in commands(model, pathlib.Path(folder)):
            if chosen and name not in chosen and name not in ("info", "tag"):
                continue
            seconds, peak, said = run(cli, name, words)
            own = said.get("program_bytes", own)
            multiple = f"{peak / own:.2f} of the program" if own else ""
            steps = ", ".join(f"{step} {taken:.1f}" for step, taken in said.get("seconds", {}).items())
            what = said.get("error", {}).get("message", "") or said.get("why", "")
            print(f"{name:10} {seconds:7.1f} s ({steps})  {peak / 1e6:7.0f} MB  {multiple}  {what}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) > 2 else 2)
