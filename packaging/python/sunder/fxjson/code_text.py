"""What a file may put into the Python code that torch.fx makes of its graphs.

torch.fx writes targets, names of keyword arguments and literals of a graph as text of a function, which is compiled. An attribute
path becomes `self.blocks`, or `getattr(self, "it's")` for a part that is no identifier: nothing in it is escaped. Whatever is
rendered as the literal or the name that the file means is accepted; what could end a literal, become other code, or be read
otherwise than it is written is refused.
"""

from __future__ import annotations

import keyword
import re
import unicodedata
from typing import Any, Mapping

from ..errors import SunderError

#: What ends a literal between double quotes, or the line or the source that it stands in.
_BREAKS = re.compile('["\\\\\\n\\r\\0\ud800-\udfff]')
#: torch.fx counts nodes by comments of this kind, and drops every line of the code that contains one.
_COUNTER = "# COUNTER:"
_LONGEST = 4096


def check_path(path: str) -> None:
    """Whether a path of attributes, the target of get_attr or call_module, is rendered as a read of these attributes."""
    if len(path) > _LONGEST or _COUNTER in path or not all(map(_is_rendered, path.split("."))):
        raise SunderError(f"has the target {path!r:.100}, which cannot stand in a program", code="malformed")


def check_name(name: Any, what: str) -> None:
    """Whether something is a name of Python that stands for itself: no keyword, and spelled as Python normalizes names."""
    if not isinstance(name, str) or not is_name(name) or len(name) > _LONGEST:
        raise SunderError(f"has the {what} {name!r:.100}, which is no name in Python", code="malformed")


def check_keywords(arguments: Mapping[str, Any]) -> None:
    for name in arguments:
        check_name(name, "keyword argument")


def check_literal(text: str) -> str:
    """Literals are escaped, and may be anything but what torch.fx takes for a comment of its own."""
    if _COUNTER in text:
        raise SunderError(f"has the text {text!r:.100}, with which torch.fx would leave the line out of its code", code="malformed")
    return text


def path_text(root: str, path: str) -> str:
    """Code that reads a path of attributes, for any names."""
    for part in path.split("."):
        root = f"{root}.{part}" if is_name(part) else f"getattr({root}, {part!r})"
    return root


def is_name(text: str) -> bool:
    return text.isidentifier() and not keyword.iskeyword(text) and unicodedata.normalize("NFKC", text) == text


def _is_rendered(part: str) -> bool:
    return is_name(part) if part.isidentifier() else not _BREAKS.search(part)
