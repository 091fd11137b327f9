"""What goes wrong, as exceptions."""

from __future__ import annotations

from typing import Any, Mapping


class SunderError(Exception):
    """Something was refused or cannot be read. `code` is one of sunder-cli's, `node` the node that it is about, if any."""

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
        """Name of the other node, where two do not go together."""
        return self.where.get("other")

    def __str__(self) -> str:
        names = [f"{key} {one_line(str(self.where[key]))}" for key in ("file", "member", "line", "node", "other") if self.where.get(key)]
        missing = [name for name in names if name.split(" ", 1)[1] not in self.text]
        return f"{self.text} ({', '.join(missing)})" if missing else self.text


def one_line(text: str) -> str:
    """Text for a message: without line breaks, and with characters that are not printed as escapes."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in " ".join(text.splitlines()))


class NotProven(UserWarning):
    """A result that is not proven to compute what its source computes."""


class NotWritten(UserWarning):
    """What a file does not say of a model, so that another file cannot be known to be equal in this."""


class WithoutWeights(UserWarning):
    """A file that does not hold the contents of some tensors: they are on the device "meta"."""


class PassRefused(SunderError, AssertionError, KeyError, RuntimeError):
    """Raised by functions with PyTorch's signatures; handlers for the error that PyTorch raises in the same case catch it."""


class WronglyNested(SunderError, TypeError):
    """The nesting of inputs is not the one that the program takes."""
