"""Exceptions."""

from __future__ import annotations

from typing import Any, Mapping


class SunderError(Exception):
    """A refused operation or an unreadable file. `code`: an error code of sunder-cli. `node`: the node that the error is about,
    if any."""

    def __init__(self, text: str, *, code: str = "refused", where: Mapping[str, Any] | None = None) -> None:
        super().__init__(text)
        self.text = text
        self.code = code
        self.where = dict(where or {})

    @property
    def node(self) -> str | None:
        """Name of the node that the error is about."""
        return self.where.get("node")

    @property
    def other(self) -> str | None:
        """Name of the other node, if two nodes conflict."""
        return self.where.get("other")

    def __str__(self) -> str:
        names = [f"{key} {one_line(str(self.where[key]))}" for key in ("file", "member", "line", "node", "other") if self.where.get(key)]
        missing = [name for name in names if name.split(" ", 1)[1] not in self.text]
        return f"{self.text} ({', '.join(missing)})" if missing else self.text


def one_line(text: str) -> str:
    """Returns text for a message: without line breaks, and with unprintable characters as escapes."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in " ".join(text.splitlines()))


class NotProven(UserWarning):
    """The result is not proven equivalent to its source."""


class NotWritten(UserWarning):
    """A file lacks information about a model, so it cannot be proven equivalent to another file."""


class WithoutWeights(UserWarning):
    """A file lacks the contents of some tensors, which are on the device "meta"."""


class PassRefused(SunderError, AssertionError, KeyError, RuntimeError):
    """Raised by functions with PyTorch's signatures; handlers for the error that PyTorch raises in the same case catch it."""


class WronglyNested(SunderError, TypeError):
    """The inputs are nested differently than the program requires."""
