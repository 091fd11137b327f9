#!/usr/bin/env python3
"""Changes each field of files, one at a time, and checks the verdict against core/verify/fields.txt: "same" for irrelevant fields,
and another verdict in both directions for compared ones. Usage: fields_are_compared.py VERDICT_PROBE
"""

from __future__ import annotations

import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile
import zlib
from typing import Any, Callable, Iterator

import exported_fields
import fields_table
import fx_json_fields
from harmless_changes import may_be_same

CASES = pathlib.Path(__file__).resolve().parents[1] / "cases" / "fields"
IO = pathlib.Path(__file__).resolve().parents[2] / "core" / "io"
_NAMES = re.compile(r"std::array<std::string_view, [^>]*> k(?:\w*Names|Kinds|Tags|Known) *(?:= *)?{([^}]*)}|Field kFields\[\] = {(.*?)};", re.S)
_NOT_KEYS = {""}
MOST = 4  #: maximum number of changed places of a field in a file
RECORDS = [bytes(range(32)), bytes(range(16)), b"\1\2\0\0"]  #: weights of the fx-json files


#: Fields without a sample: programs with custom objects are always undecided (cases/fields/undecided), and PyTorch exports no
#: programs with the others.
WITHOUT_SAMPLE = {
    ("fx-json", "input", "object"),
    *(("pt2", kind, key) for kind, keys in (
        ("Argument", "as_custom_obj"),
        ("CustomObjArgument", "name class_fqn"),
        ("InputSpec", "custom_obj"),
        ("InputToCustomObjSpec", "arg custom_obj_name"),
        ("SymExprHint", "as_bool"),
        ("SymFloat", "as_float"),
        ("SymBool", "as_expr as_bool"),
        ("SymBoolArgument", "as_name"),
    ) for key in keys.split()),
}  # fmt: skip


class Verifier:
    """Verdicts from one process."""

    def __init__(self, probe: str) -> None:
        self._process = subprocess.Popen([probe], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def verdict(self, a: pathlib.Path, b: pathlib.Path) -> tuple[str, str]:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(f"{a}\t{b}\n")
        self._process.stdin.flush()
        said = self._process.stdout.readline().rstrip("\n")
        if not said:
            raise SystemExit(f"{self._process.args} ended with {self._process.wait()} at {a} {b}")
        verdict, _, why = said.partition("\t")
        return verdict, why

    def close(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait()


class Sample:
    """A file, its fields, and the function that writes it."""

    def __init__(self, area: str, name: str, suffix: str, files: Any, kind: Any, write: Callable[[Any, pathlib.Path], None]) -> None:
        self.area, self.name, self.suffix, self.files, self.kind, self.write = area, name, suffix, files, kind, write


def write_weights(records: list[bytes], text: str, folder: pathlib.Path, name: str) -> pathlib.Path:
    """Writes records, and a file with this text that has its weights in them."""
    with zipfile.ZipFile(folder / f"{name}.weights", "w") as weights:
        for i, record in enumerate(records):
            weights.writestr(zipfile.ZipInfo(f"data/weights/weight_{i}"), record)
            text = text.replace(f"CRC{i}", f"{zlib.crc32(record):08x}")
    path = folder / f"{name}.fxj"
    path.write_text(text.replace("plain.weights", f"{name}.weights"), encoding="utf-8")
    return path


def samples(folder: pathlib.Path) -> Iterator[Sample]:
    for path in sorted(CASES.glob("*.fxj")):
        made = write_weights(RECORDS, path.read_text(encoding="utf-8"), folder, "plain")
        lines = [json.loads(line) for line in made.read_text(encoding="utf-8").splitlines()]
        yield Sample("fx-json", path.name, ".fxj", lines, fx_json_fields, lambda lines, to: to.write_text(fx_json_fields.text_of(lines)))
    for path in sorted(CASES.glob("*.json")):
        yield Sample("pt2", path.name, ".pt2", json.loads(path.read_text(encoding="utf-8")), exported_fields, exported_fields.write)


def check(sample: Sample, rows: Any, seen: set[tuple[str, str]], verifier: Verifier, folder: pathlib.Path) -> Iterator[str]:
    base = folder / f"{sample.name}{sample.suffix}"
    sample.write(sample.files, base)
    verdict, why = verifier.verdict(base, base)
    if verdict != "same":
        yield f"{sample.name}: differs from itself: {verdict}: {why}"
        return
    places: collections.Counter[tuple[str, str]] = collections.Counter()
    for field in sample.kind.fields_of(sample.files):
        row, places[field[:2]] = rows.get(field[:2]), places[field[:2]] + 1
        seen.add(field[:2])
        if row is None or places[field[:2]] > MOST:
            continue
        for said, files in sample.kind.changed(sample.files, field):
            path = folder / f"changed{sample.suffix}"
            path.unlink(missing_ok=True)
            sample.write(files, path)
            (there, why), (back, _) = verifier.verdict(base, path), verifier.verdict(path, base)
            name = f"{sample.name}: {' '.join(field[:2])}, {said}, at {field[2]}"
            if there != back:
                yield f"{name}: {there} in one direction, {back} in the other"
            if there == "refused":
                continue
            expects_same = row.verdict == "irrelevant" or said.endswith("as is its default")
            if row.verdict == "refused" and not said.endswith("as is its default"):
                yield f"{name}: {there}, expected that the file is not read"
            elif expects_same and there != "same":
                yield f"{name}: {there}, expected same: {why}"
            elif not expects_same and there == "same" and not may_be_same(sample.area, *field[:2], said, field[2]):
                yield f"{name}: same, expected another verdict"


def check_weights(verifier: Verifier, folder: pathlib.Path) -> Iterator[str]:
    """Changes the first and last bytes of each record. They matter even if no tensor covers them, since a program may read the whole
    memory."""
    text = (CASES / "plain.fxj").read_text(encoding="utf-8")
    base = folder / "plain.fxj.fxj"
    for number, record in enumerate(RECORDS):
        for place in (0, len(record) - 1):
            records = [*RECORDS]
            records[number] = record[:place] + bytes([record[place] ^ 1]) + record[place + 1 :]
            path = write_weights(records, text, folder, "other")
            found = verifier.verdict(base, path)[0], verifier.verdict(path, base)[0]
            if "same" in found or found[0] != found[1]:
                yield f"plain.fxj: another byte {place} of record {number}: {found}, expected another verdict"


def keys_read(area: str) -> set[str]:
    """Returns the keys in the tables of names of the readers in core/io."""
    folders = {"fx-json": ["fx_json"], "pt2": ["exported_program", "pt2/pt2_reader.cpp"]}[area]
    paths = [path for name in folders for path in ([IO / name] if name.endswith(".cpp") else sorted((IO / name).glob("*.cpp")))]
    tables = [table for path in paths for tables in _NAMES.findall(path.read_text(encoding="utf-8")) for table in tables]
    return {key for table in tables for key in re.findall(r'"([^"]*)"', table)} - _NOT_KEYS


def main() -> int:
    verifier, faults = Verifier(sys.argv[1]), []
    seen: dict[str, set[tuple[str, str]]] = collections.defaultdict(set)
    tables = {area: fields_table.rows(area) for area in ("fx-json", "pt2")}
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for sample in samples(folder):
            faults += check(sample, tables[sample.area], seen[sample.area], verifier, folder)
        faults += check_weights(verifier, folder)
        for path in sorted((CASES / "undecided").iterdir()):
            if (found := verifier.verdict(path, path)[0]) != "undecided":
                faults.append(f"{path.name}: {found}, expected undecided")
    verifier.close()
    for area, table in tables.items():
        known = {key for _, key in table}
        faults += [f"{area}: the key {key}, which core/io reads, has no row in {fields_table.TABLE.name}" for key in sorted(keys_read(area) - known)]
        faults += [f"{area}: the field {' '.join(field)} has no row in {fields_table.TABLE.name}" for field in sorted(seen[area] - set(table))]
        faults += [f"{area}: no file has the field {' '.join(field)}" for field in sorted(set(table) - seen[area]) if (area, *field) not in WITHOUT_SAMPLE]
    print(*faults, f"{len(faults)} faults", sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
