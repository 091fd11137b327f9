"""Alternative values for a member of a JSON value."""

from __future__ import annotations

from typing import Any, Iterator

Path = tuple[Any, ...]  #: keys and positions, outermost first

UNKNOWN = "zz"  #: a key unknown to all versions
ABSENT = object()  #: used as a value: removes the member


def at(root: Any, path: Path) -> Any:
    for step in path:
        root = root[step]
    return root


def with_value(root: Any, path: Path, value: Any) -> Any:
    """Returns a copy in which one member has another value. Shares the unchanged parts."""
    if not path:
        return value
    step, rest = path[0], path[1:]
    if not rest and value is ABSENT:
        if isinstance(root, dict):
            return {key: one for key, one in root.items() if key != step}
        return [one for i, one in enumerate(root) if i != step]
    made = dict(root) if isinstance(root, dict) else list(root)
    made[step] = with_value(root[step], rest, value)
    return made


def changed_values(root: Any, path: Path, others: list[Any]) -> Iterator[tuple[str, Any]]:
    """Yields descriptions of changes with the new values for a place: removal, those of `others` that differ, and changes by the
    kind of the value.
    """
    value = at(root, path)
    yield "left out", ABSENT
    for other in others:
        if other != value:
            yield f"{other!r:.60}", other
    if isinstance(value, bool):
        yield "negated", not value
    elif isinstance(value, (int, float)):
        yield "one more", value + 1
    elif isinstance(value, str):
        if not others:
            yield "another text", value + "_"
    elif value is None:
        yield "a number", 1
    elif isinstance(value, list):
        yield from _changed_list(value)
    elif isinstance(value, dict):
        yield "with an unknown member", {**value, UNKNOWN: 1}
        if value:
            yield "without its first member", dict(list(value.items())[1:])


def _changed_list(value: list[Any]) -> Iterator[tuple[str, Any]]:
    if value != value[::-1]:
        yield "reversed", value[::-1]
    yield "longer", [*value, value[-1] if value else 1]
    if value:
        yield "shorter", value[:-1]
