"""Checks of text from files that torch.fx inserts into the Python code of graphs.

torch.fx writes targets, keyword argument names, and literals of a graph as text of a function, which is compiled. An attribute
path becomes `self.blocks`, or `getattr(self, "it's")` for a part that is not an identifier, without any escaping. Text is accepted if
it is rendered as the intended literal or name. Text that could end a literal, become other code, or be read as another name is
refused.
"""

from __future__ import annotations

import keyword
import re
import unicodedata
from typing import Any, Mapping

from ..errors import SunderError

#: Characters that end a double-quoted literal, its line, or the source.
_BREAKS = re.compile('["\\\\\\n\\r\\0\ud800-\udfff]')
#: torch.fx counts nodes by comments of this kind, and drops every line of the code that contains one.
_COUNTER = "# COUNTER:"
_LONGEST = 4096


def check_path(path: str) -> None:
    """Checks that an attribute path (the target of get_attr or call_module) is rendered as a read of these attributes."""
    if len(path) > _LONGEST or _COUNTER in path or not all(map(_is_rendered, path.split("."))):
        raise SunderError(f"has the target {path!r:.100}, which is not valid in generated code", code="malformed")


def check_name(name: Any, what: str) -> None:
    """Checks that something is a Python name in normalized spelling and not a keyword."""
    if not isinstance(name, str) or not is_name(name) or len(name) > _LONGEST:
        raise SunderError(f"has the {what} {name!r:.100}, which is not a valid Python name", code="malformed")


def check_keywords(arguments: Mapping[str, Any]) -> None:
    for name in arguments:
        check_name(name, "keyword argument")


def check_literal(text: str) -> str:
    """Checks that torch.fx does not treat a literal as one of its comments. Other text is safe, because literals are escaped."""
    if _COUNTER in text:
        raise SunderError(f"has the text {text!r:.100}, which makes torch.fx omit the line from its code", code="malformed")
    return text


def path_text(root: str, path: str) -> str:
    """Code that reads an attribute path, for any names."""
    for part in path.split("."):
        root = f"{root}.{part}" if is_name(part) else f"getattr({root}, {part!r})"
    return root


def is_name(text: str) -> bool:
    return text.isidentifier() and not keyword.iskeyword(text) and unicodedata.normalize("NFKC", text) == text


def _is_rendered(part: str) -> bool:
    return is_name(part) if part.isidentifier() else not _BREAKS.search(part)
