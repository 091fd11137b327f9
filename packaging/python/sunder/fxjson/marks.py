"""Marks for information that a file lacks. Two marks are equal only if they refer to one object, so two files with different such
objects never compare equal.
"""

from __future__ import annotations

import functools
import hashlib
import pathlib
import secrets
import sys
from typing import Any


class Marks:
    """Marks of one file, or of several that are compared with each other."""

    def __init__(self) -> None:
        self.said: list[str] = []  # a warning each
        self._numbers: dict[int, tuple[Any, str]] = {}  # with the objects, which the keys are addresses of

    def mark(self, thing: Any, text: str, warning: str) -> str:
        """The text, with a number that no other object has in any file."""
        if id(thing) not in self._numbers:
            self._numbers[id(thing)] = thing, secrets.token_hex(16)
        if warning not in self.said:
            self.said.append(warning)
        return f"{text} #{self._numbers[id(thing)][1]}"


@functools.cache
def script_of_process() -> str:
    """Returns the SHA-256 of the running script, which distinguishes its functions and classes from those of other scripts.
    Without a script file, returns a number that is unique to this process.
    """
    try:
        return hashlib.sha256(pathlib.Path(str(sys.modules["__main__"].__file__)).read_bytes()).hexdigest()
    except (AttributeError, OSError):
        return secrets.token_hex(32)


def without_number(mark: str) -> str:
    """The text of a mark, for a message."""
    return mark.rpartition(" #")[0] or mark
