"""Reads packaging/changelog, the only place with the version, date, news, and maintainer of Sunder. It has the format of Debian
changelogs, newest entry first."""
from __future__ import annotations

import dataclasses
import datetime
import email.utils
import pathlib
import re

PLACE = pathlib.Path(__file__).resolve().parents[1] / "changelog"


@dataclasses.dataclass(frozen=True)
class Release:
    version: str
    when: datetime.datetime
    maintainer: str
    changes: tuple[str, ...]

    @property
    def day(self) -> str:
        return self.when.date().isoformat()


def read_changelog(path: pathlib.Path = PLACE) -> list[Release]:
    """Returns all entries. Raises an error that names the first invalid line."""
    releases: list[Release] = []
    version, changes = "", []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if head := re.fullmatch(r"sunder \(([^)\s]+)\) [\w-]+; urgency=\w+", line):
            version, changes = head[1], []
        elif line.startswith("  * ") and version:
            changes.append(line[4:].strip())
        elif line.startswith("    ") and changes:
            changes[-1] += " " + line.strip()
        elif (end := re.fullmatch(r" -- (.+ <\S+>)  (.+)", line)) and version:
            releases.append(Release(version, email.utils.parsedate_to_datetime(end[2]), end[1], tuple(changes)))
            version = ""
        elif line.strip():
            raise SystemExit(f"{path}:{number}: not a line of a changelog: {line}")
    if version or not releases:
        raise SystemExit(f"{path}: the last entry does not end with ' -- NAME <ADDRESS>  DATE'")
    return releases
