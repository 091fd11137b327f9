"""Finds the libraries that a program uses on this machine, and their Debian packages, to include them in a wheel."""
from __future__ import annotations

import dataclasses
import pathlib
import re
import subprocess
from collections.abc import Iterable

# Libraries of every Debian-like machine with this libc: the libc itself, and the compiler's libraries, which apt needs.
EVERYWHERE = re.compile(r"(linux-vdso|ld-linux[^/]*|lib(c|m|dl|rt|pthread|resolv|gcc_s|stdc\+\+))\.so[.\d]*")


@dataclasses.dataclass(frozen=True)
class Origin:
    """The Debian package of a file."""

    package: str
    version: str
    source: str
    license: pathlib.Path


def run(*words: str) -> str:
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(words)} ends with {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def libraries_of(files: Iterable[pathlib.Path]) -> dict[str, pathlib.Path]:
    """Returns the libraries that these files need, directly or indirectly, by the name under which they are requested."""
    found: dict[str, pathlib.Path] = {}
    for file in files:
        for line in run("ldd", str(file)).splitlines():
            name, arrow, place = line.strip().partition(" => ")
            name = pathlib.Path(name.split()[0]).name
            if EVERYWHERE.fullmatch(name):
                continue
            if not arrow or "not found" in place:
                raise SystemExit(f"{file} needs {name}, which is not installed")
            found[name] = pathlib.Path(place.split(" (")[0]).resolve()
    return found


def origin_of(file: pathlib.Path) -> Origin:
    """Returns the package of a file. If /lib is a link to /usr/lib, dpkg may know either name."""
    names = [str(file), str(file).removeprefix("/usr")]
    done = subprocess.run(["dpkg-query", "-S", *names], capture_output=True, text=True)
    if not done.stdout:
        raise SystemExit(f"{file} belongs to no Debian package, so its license is unknown")
    package = done.stdout.splitlines()[0].rpartition(": ")[0].split(", ")[0]
    version, source = run("dpkg-query", "-W", "-f", "${Version}\n${source:Package} ${source:Version}", package).split("\n")
    license = pathlib.Path("/usr/share/doc") / package.partition(":")[0] / "copyright"
    if not license.is_file():
        raise SystemExit(f"{license} is missing, the license of {file}")
    return Origin(package.partition(":")[0], version, source, license)
