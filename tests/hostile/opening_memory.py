"""Checks that opening a model takes at most three times the memory of its program: opening_memory.py SUNDER-CLI

Compares a large model with a small one, as .pt2 and as fx-json, to subtract the memory of every process. `program_bytes` of
`info` is the memory of the program alone. The weights, much larger than the limit, are holes in a sparse file."""
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "bench"))
import big_model  # noqa: E402

SMALL, LARGE, GIGABYTES, MOST = 2_000, 60_000, 2.0, 3.0


def opened(cli, path):
    """Returns (peak bytes, bytes of the program)."""
    said = json.loads(subprocess.run([cli, "info", path, "--json"], capture_output=True, check=True).stdout)
    return said["peak_bytes"], said["program_bytes"]


def main(cli):
    findings = 0
    with tempfile.TemporaryDirectory() as folder:
        for size in (SMALL, LARGE):
            big_model.main(f"{folder}/{size}", size, GIGABYTES)
        for name in ("big.pt2", "big.fxj"):
            small, large = (opened(cli, f"{folder}/{size}/{name}") for size in (SMALL, LARGE))
            peak, program = (after - before for before, after in zip(small, large))
            print(f"{name}: {peak / 1e6:.1f} MB at the peak for {program / 1e6:.1f} MB of program, {peak / program:.2f} times")
            findings += not 0 < peak <= MOST * program
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
