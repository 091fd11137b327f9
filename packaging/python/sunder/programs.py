"""Finds sunder-cli and sunder, and runs them."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import threading
from typing import Any, Iterator, Mapping, Sequence

from .errors import SunderError, one_line

_PACKAGE = pathlib.Path(__file__).resolve().parent


def find(program: str) -> pathlib.Path:
    """The program called `sunder-cli` or `sunder`: in SUNDER_HOME, in the package, on PATH, or built in the source tree. Skips the
    commands that pip installs, which call this function."""
    home = os.environ.get("SUNDER_HOME")
    if home:
        inside = [pathlib.Path(home) / program, pathlib.Path(home) / "bin" / program]
        return _first(inside) or _missing(program, f"SUNDER_HOME is {home}, but neither this folder nor its bin contains {program}")
    on_path = [pathlib.Path(folder) / program for folder in os.get_exec_path()]
    found = _first([_PACKAGE / "bin" / program]) or _first(on_path) or _built(program)
    return found or _missing(program, f"the Python package contains no program {program}, and PATH has none")


class Received:
    """An output that is received through a pipe, to use instead of a path on the command line. Avoids disk access."""

    def __init__(self) -> None:
        self.text = ""

    def open(self) -> int:
        """Returns the write end of the pipe, for the program. The other end is read in a thread until this one is closed."""
        source, end = os.pipe()
        self._reading = threading.Thread(target=self._read, args=(source,), daemon=True)
        self._reading.start()
        return end

    def finish(self) -> None:
        self._reading.join()

    def _read(self, source: int) -> None:
        with open(source, "rb") as pipe:
            self.text = pipe.read().decode("utf-8")


Word = str | os.PathLike[str] | Received


def run(*arguments: Word) -> dict[str, Any]:
    """Runs sunder-cli with --json and returns the object that it prints. Raises its errors."""
    program = str(find("sunder-cli"))
    ends = {word: word.open() for word in arguments if isinstance(word, Received)}
    words = [f"/dev/fd/{ends[word]}" if isinstance(word, Received) else os.fspath(word) for word in arguments]
    try:
        running = subprocess.Popen(
            [program, *words, "--json"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            pass_fds=tuple(ends.values()),
        )
    finally:
        for end in ends.values():
            os.close(end)
    with running:
        try:
            printed, complained = running.communicate()
        except BaseException:
            running.kill()
            raise
    for received in ends:
        received.finish()
    try:
        said = json.loads(printed)
    except ValueError:
        said = None
    if not isinstance(said, dict):
        text = complained.strip() or f"ended with status {running.returncode} without output"
        raise SunderError(f"sunder-cli {arguments[0]}: {text}", code="io")
    if "error" in said:
        raise _error(said["error"])
    return said


def _error(said: Mapping[str, Any]) -> SunderError:
    return SunderError(one_line(str(said["message"])), code=str(said["code"]), where=said.get("where"))


def _first(candidates: Sequence[pathlib.Path]) -> pathlib.Path | None:
    return next((path for path in candidates if os.access(path, os.X_OK) and path.is_file() and not _is_command(path)), None)


def _is_command(path: pathlib.Path) -> bool:
    """Whether a file is a command that pip has made of this package's entry points, not the program."""
    try:
        with open(path, "rb") as file:
            start = file.read(1000)
    except OSError:  # can be run but not read
        return False
    return start.startswith(b"#!") and b"sunder.__main__" in start


def _built(program: str) -> pathlib.Path | None:
    """Returns the most recently built program, if this file is in a source tree."""
    built = sorted(_builds(program), key=lambda path: path.stat().st_mtime)
    return built[-1] if built else None


def _builds(program: str) -> Iterator[pathlib.Path]:
    for folder in _PACKAGE.parents:
        if (folder / "CMakePresets.json").is_file():
            yield from (path for path in folder.glob(f"build/*/bin/{program}") if os.access(path, os.X_OK))


def _missing(program: str, why: str) -> pathlib.Path:
    hint = (
        "install the wheel for this platform or the Debian package, put the program on PATH, or set SUNDER_HOME to its folder "
        "(or the folder above its bin)"
    )
    raise SunderError(f"{why}: {hint}", code="io", where={"program": program})
