"""Checks that written files load in the releases of PyTorch for which they are written: `releases_in_torch.py SUNDER_CLI`

Uses the virtual environments ~/.cache/sunder/torch-VERSION next to that of the tests (`packaging/python/torch-environment 2.6.0`
makes one). For each release, its exports are cut into three parts without a target release, and checked in it and, from 2.6 on,
in the current release, which must read both. Exports of the current release are converted and cut with --target-torch and checked
in it. Compares every element of every output. Exit 77 (skipped) without other releases.
"""
import pathlib
import subprocess
import sys
import tempfile

from other_releases import other_pytorchs
from torch_test import SKIPPED, status_elsewhere

WORKER = pathlib.Path(__file__).with_name("release_worker.py")
# PyTorch 2.6 and later write a branch with one result in a form that older releases cannot run: the model itself fails there.
FOR_ONE_RELEASE = {"branches"}
OLDEST_THAT_TODAY_READS = (2, 6)


def work(python, *arguments):
    return subprocess.run([python, WORKER, *arguments], capture_output=True, text=True)


def exported(python, folder):
    folder.mkdir()
    done = work(python, "export", folder)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    return done.stdout.split()


def cut(cli, model, folder, *options):
    """Returns the folder of its three parts."""
    tags = folder / "tags.json"
    subprocess.run([cli, "tag", model, "--stages", "3", "--by", "nodes", "-o", tags, "--quiet"], check=True)
    parts = folder / "parts"
    subprocess.run([cli, "split", model, "--tags", tags, "--parts", parts, "--quiet", *options], check=True)
    return parts


def verdict(python, whole, parts):
    done = work(python, "check", whole, parts)
    return "" if done.returncode == 0 else done.stderr.strip().splitlines()[-1]


def of_that_release(cli, version, python, folder):
    """Known errors of a release with its own files: model, PyTorch, message."""
    readers = [(version, python)]
    if tuple(map(int, version.split(".")[:2])) >= OLDEST_THAT_TODAY_READS:
        readers.append(("today's", sys.executable))
    for name in exported(python, folder / "own"):
        place = pathlib.Path(tempfile.mkdtemp(dir=folder))
        whole = folder / "own" / f"{name}.pt2"
        parts = cut(cli, whole, place)
        for reader, runs in readers[:1] if name in FOR_ONE_RELEASE else readers:
            yield name, reader, verdict(runs, whole, parts)


def for_that_release(cli, version, python, names, folder):
    """Returns errors of files of the current release that are written for that one."""
    for name in names:
        place = pathlib.Path(tempfile.mkdtemp(dir=folder))
        whole = place / "whole.pt2"
        subprocess.run([cli, "convert", folder.parent / "today" / f"{name}.pt2", whole, "--quiet", "--target-torch", version],
                       check=True)
        yield f"{name} of today's", version, verdict(python, whole, cut(cli, whole, place, "--target-torch", version))


def main():
    if (status := status_elsewhere(sys.argv)) is not None:
        return status
    others = list(other_pytorchs())
    if not others:
        print("skipped: no other release of PyTorch found; packaging/python/torch-environment 2.6.0 installs one")
        return SKIPPED
    cli, checks, failures = sys.argv[1], 0, 0
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        names = exported(sys.executable, scratch / "today")
        for version, python in others:
            folder = scratch / version
            folder.mkdir()
            for name, reader, wrong in (*of_that_release(cli, version, python, folder),
                                        *for_that_release(cli, version, python, names, folder)):
                checks += 1
                failures += bool(wrong)
                if wrong:
                    print(f"{version}: {name} in {reader}: {wrong}")
    print(f"{checks} cuts, written by and for {', '.join(version for version, _ in others)}; {failures} wrong")
    return 1 if failures or not checks else 0


if __name__ == "__main__":
    sys.exit(main())
