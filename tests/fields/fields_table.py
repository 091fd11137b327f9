"""core/verify/fields.txt: all fields of a program, and whether the verifier compares them."""

from __future__ import annotations

import pathlib
from typing import NamedTuple

TABLE = pathlib.Path(__file__).resolve().parents[2] / "core" / "verify" / "fields.txt"
VERDICTS = frozenset(("compared", "irrelevant", "refused"))


class Row(NamedTuple):
    verdict: str  #: "compared", "irrelevant", or "refused" (files with another value are not read)
    reason: str


def rows(area: str) -> dict[tuple[str, str], Row]:
    """Returns the rows of an area by type and field. Raises ValueError for malformed or duplicate rows, and for irrelevant ones without
    a reason."""
    found: dict[tuple[str, str], Row] = {}
    for number, line in enumerate(TABLE.read_text(encoding="utf-8").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        cells = line.split("\t")
        if len(cells) not in (4, 5) or cells[3] not in VERDICTS or (cells[3] == "irrelevant") != (len(cells) == 5):
            raise ValueError(f"{TABLE.name}:{number}: expected AREA, TYPE, FIELD, VERDICT, and a reason if irrelevant: {line!r}")
        if cells[0] != area:
            continue
        if (cells[1], cells[2]) in found:
            raise ValueError(f"{TABLE.name}:{number}: has the row {cells[1]} {cells[2]} twice")
        found[cells[1], cells[2]] = Row(cells[3], cells[4] if len(cells) == 5 else "")
    return found
