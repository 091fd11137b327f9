"""Verdicts of Sunder on a pair: writes both programs and runs `sunder-cli verify` in both directions."""

import dataclasses
import json
import os
import pathlib
import re
import shutil
import subprocess
import warnings

import sunder
import torch


class NotWritten(Exception):
    """A program that the package refuses to save, with its message."""


@dataclasses.dataclass
class StoredPair:
    """The data that a tally needs about a pair."""
    program: str
    cause: str
    kinds: list
    truth: str
    witness: str
    preserves: bool
    is_rounding: bool = False


def stored(folder):
    """Yields pairs written by Verifier.store(): the pair, its number, its two files, and whether it has operator schemas."""
    for place in sorted(folder.iterdir(), key=lambda place: [int(word) for word in place.name.split("-")]):
        if not (place / "pair.json").exists():
            continue
        told = json.loads((place / "pair.json").read_text())
        files = [place / name for name in told.pop("files")]
        yield StoredPair(**told.pop("pair")), told["number"], files, told["with_operators"]


class Verifier:
    """Writes programs to a folder and runs sunder-cli. Originals are written only once."""

    def __init__(self, cli, folder):
        self.cli, self.folder = cli, pathlib.Path(folder)
        self._originals = {}

    def files(self, pair, as_pt2):
        """The files of a pair: fx-json, or archives of torch.export."""
        suffix = "pt2" if as_pt2 and pair.original.exported is not None else "fxj"
        key = pair.program, suffix
        if key not in self._originals:
            self._originals[key] = self._save(pair.original, self.folder / f"{pair.program}.{suffix}")
        try:
            return self._originals[key], self._save(pair.changed, self.folder / f"changed.{suffix}")
        except NotWritten:
            if suffix == "fxj":
                raise
            return self.files(pair, False)

    def _save(self, subject, path):
        for old in self.folder.glob(f"{path.stem}.operators.txt"):
            old.unlink()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                if path.suffix == ".pt2":
                    torch.export.save(subject.exported, path)
                else:
                    sunder.save(subject.program, path)
        except Exception as error:  # PyTorch raises many types for programs that it cannot write
            raise NotWritten(f"{type(error).__name__}: {error}".split("\n")[0]) from error
        return path

    def verdicts(self, a, b, with_operators):
        """Returns the verdicts on A and B, and on B and A, from two concurrent runs."""
        schemas = [path for path in (one.with_name(f"{one.stem}.operators.txt") for one in (a, b)) if path.exists()]
        options = ["--operators", schemas[0]] if with_operators and schemas else []
        running = [subprocess.Popen([self.cli, "verify", *files, "--json", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                   for files in ((a, b), (b, a))]
        return tuple(_said(process.returncode, *texts) for process, texts in [(one, one.communicate()) for one in running])

    def store(self, pair, number, files, with_operators, folder):
        """Writes the files of a pair and its observations, for stored()."""
        folder.mkdir(parents=True, exist_ok=True)
        for file in files:
            for path in self.folder.glob(f"{file.stem}.*"):
                shutil.copy(path, folder)
        told = {field.name: getattr(pair, field.name) for field in dataclasses.fields(StoredPair)}
        (folder / "pair.json").write_text(json.dumps({"pair": told | {"kinds": list(pair.kinds), "witness": str(pair.witness)}, "number": number,
                                                      "files": [file.name for file in files], "with_operators": with_operators}))

    def keep(self, pair, said, folder):
        """Copies the files of a pair and the verdicts to a folder for inspection."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, subject in (("a", pair.original), ("b", pair.changed)):
            path = folder / f"{name}.fxj"
            self._save(subject, path)
            (folder / f"{name}.txt").write_text(_readable(subject))
        (folder / "found.json").write_text(json.dumps({
            "program": pair.program, "changes": pair.kinds, "truth": pair.truth, "witness": pair.witness, "said": said}, indent=1))


def _said(status, printed, complained):
    try:
        said = json.loads(printed)
    except ValueError:
        said = {"error": {"message": f"status {status}: {complained.strip()}"}}
    return said if "verdict" in said else {"verdict": "error", "why": said.get("error", {}).get("message", "")}


def _readable(subject):
    return "\n\n".join(module.code for module in subject.graph_modules())


def plain(why):
    """Returns a reason without names of nodes and values, for counting."""
    why = re.sub(r"\(in [^)]*\)", "", why)
    why = re.sub(r"[\w./]*\w_\d+\b", "N", why)
    why = re.sub(r"-?\d[\d.e+-]*", "#", why)
    return why[:160]


def found_cli(given):
    """Returns the given program, or the one that the package finds."""
    if given:
        home = pathlib.Path(given).resolve().parent
        os.environ["SUNDER_HOME"] = str(home)
        return given
    from sunder import programs
    return str(programs.find("sunder-cli"))

