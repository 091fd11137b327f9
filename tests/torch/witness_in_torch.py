#!/usr/bin/env python3
"""witness_in_torch.py SUNDER_CLI: tests `verify --torch`: a difference that verification alone does not find, with its witness
as a file that is run again; equivalent models; conflicting options; a Python without PyTorch; a crashing run; and a signal, which
also ends the process that runs the models. Skipped without SUNDER_TORCH_PYTHON.
"""
import json
import os
import pathlib
import select
import signal
import subprocess
import sys
import tempfile
import zipfile

import torch_test

PACKAGE = pathlib.Path(__file__).resolve().parents[2] / "packaging" / "python"


class Cli:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.environment = dict(os.environ, PYTHONPATH=str(PACKAGE), OMP_NUM_THREADS="1")

    def start(self, *words):
        return subprocess.Popen([self.program, "verify", *words], cwd=self.folder, env=self.environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, *words, torch=sys.executable):
        """Returns exit status, standard output, and standard error."""
        process = self.start(*words, "--torch", torch)
        out, err = process.communicate(timeout=300)
        return process.returncode, out, err

    def json(self, *words):
        status, out, err = self.run(*words, "--json")
        assert not err, err
        return status, json.loads(out)


def write_models(folder):
    import sunder
    import torch

    class Slow(torch.nn.Module):
        def forward(self, x):
            for _ in range(200):
                x = torch.linalg.matrix_exp(x)
            return x

    models = {
        "low": lambda x: x.clamp(0, 1),
        "high": lambda x: x.clamp(0, 2),
        "sum": lambda x: x + x,
        "again": lambda x: (x + x).clone(),
    }
    for name, function in models.items():
        sunder.save(torch.fx.symbolic_trace(function), folder / f"{name}.fxj")
    sunder.save(torch.export.export(Slow(), (torch.zeros(300, 300),)), folder / "slow.fxj")


def check_differences(cli):
    status, said = cli.json("low.fxj", "high.fxj")
    assert status == 1 and said["verdict"] == "different", said
    assert said["why"].startswith("in PyTorch ") and "output of call 1: " in said["why"], said
    assert said["run"]["witness"] == "witness.zip" and said["run"]["trials"] >= 1, said
    assert said["run"]["differences"][0]["where"] == "output of call 1", said
    assert set(said["seconds"]) >= {"read", "verify", "run"}, said
    with zipfile.ZipFile(cli.folder / "witness.zip") as archive:
        assert json.loads(archive.read("witness.json"))["names"] == ["x"]
    status, out, err = cli.run("low.fxj", "high.fxj", "--replay", "witness.zip", "--witness", "again.zip")
    assert (status, err) == (1, "") and out.startswith("Not equivalent: in PyTorch "), (out, err)
    assert "  witness: again.zip\n" in out and (cli.folder / "again.zip").is_file(), out
    status, out, err = cli.run("low.fxj", "low.fxj", "--replay", "again.zip", "--witness", "none.zip")
    assert (status, err) == (0, "") and "no difference found" in out, (out, err)
    assert not (cli.folder / "none.zip").exists()


def check_no_differences(cli):
    before = json.loads(subprocess.run([cli.program, "verify", "sum.fxj", "again.fxj", "--json"], cwd=cli.folder, capture_output=True,
                                       text=True).stdout)
    status, said = cli.json("sum.fxj", "again.fxj", "--seconds", "20", "--witness", "none.zip")
    assert (said["verdict"], said.get("why")) == (before["verdict"], before.get("why")), said
    assert status == (0 if before["verdict"] == "same" else 1)
    assert "witness" not in said["run"] and not (cli.folder / "none.zip").exists(), said
    assert any("no difference found" in note for note in said["notes"]), said


def check_refusals(cli):
    for words, status, text in [
        (["low.fxj", "high.fxj", "--seconds", "0"], 2, "--seconds takes a number above 0 and up to 86400, not 0"),
        (["low.fxj", "high.fxj", "--no-weights"], 2, "--torch and --no-weights cannot be combined"),
        (["low.fxj", "high.fxj", "--witness", "high.fxj"], 2, "is used twice: as the output --witness and as B"),
        (["low.fxj", "high.fxj", "--replay", "low.fxj"], 3, "low.fxj: the file is not a witness"),
        (["low.fxj", "high.fxj", "--replay", "missing.zip"], 3, "missing.zip: cannot be read"),
        (["low.fxj", "high.fxj", "--witness", "nowhere/w.zip"], 3, "nowhere/w.zip"),
    ]:
        ended, out, err = cli.run(*words)
        assert ended == status and text in err, (words, ended, out, err)
    for python, text in [("/nonexistent/python", "could not be started"), ("/bin/false", "cannot run models")]:
        ended, out, err = cli.run("low.fxj", "high.fxj", torch=python)
        assert ended == 3 and text in err and err.startswith(f"sunder-cli: {python}: "), (python, ended, err)
    alone = subprocess.run([cli.program, "verify", "low.fxj", "high.fxj", "--seconds", "5"], cwd=cli.folder, capture_output=True, text=True)
    assert alone.returncode == 2 and "--seconds needs --torch" in alone.stderr, alone


def check_crash(cli):
    """If the process that runs the models is killed, the verdict stays, with a note."""
    process, child = started(cli, "--json")
    os.kill(child, signal.SIGSEGV)
    said = json.loads(process.communicate(timeout=60)[0])
    assert process.returncode == 0 and said["verdict"] == "same", said
    assert any("crashed" in note and "decides nothing about the models" in note for note in said["notes"]), said


def check_signal(cli):
    process, child = started(cli)
    ends = select.poll()
    ends.register(os.pidfd_open(child))
    process.terminate()
    assert process.communicate(timeout=60) == ("", "sunder-cli: interrupted by a signal\n")
    assert process.returncode == 4
    assert ends.poll(60_000), f"process {child} still runs"


def started(cli, *words):
    """Starts the command. Returns it and the id of the process that runs the models, reported by a script that replaces Python."""
    told, python = cli.folder / "told", cli.folder / "python"
    if not told.exists():
        os.mkfifo(told)
        python.write_text(f"#!/bin/sh\necho $$ > {told}\nexec {sys.executable} \"$@\"\n")
        python.chmod(0o755)
    process = cli.start("slow.fxj", "slow.fxj", "--torch", str(python), *words)
    return process, int(told.read_text())


def main():
    status = torch_test.status_elsewhere(sys.argv)
    if status is not None:
        return status
    sys.path.insert(0, str(PACKAGE))
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        write_models(folder)
        cli = Cli(os.path.abspath(sys.argv[1]), folder)
        for check in (check_differences, check_no_differences, check_refusals, check_crash, check_signal):
            check(cli)
    return 0


if __name__ == "__main__":
    sys.exit(main())
