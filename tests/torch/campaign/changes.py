"""The changes of programs by name: those that may alter the meaning of a program, and those that preserve it."""

import dataclasses
import importlib
from typing import Callable

COLLECTIONS = ("preserving_calls", "preserving_values", "preserving_programs", "altering_calls", "altering_memory", "altering_values",
               "altering_programs", "altering_near")


@dataclasses.dataclass(frozen=True)
class Change:
    """A change. `apply` changes an Editing and returns whether it found a place. `structural`: it edits a whole program, not one
    graph. `least`: the smallest sizes of operands that it needs.
    """

    name: str
    alters: bool
    apply: Callable


CHANGES = {}


def load_all():
    """Imports all collections: CHANGES is complete afterward."""
    for name in COLLECTIONS:
        importlib.import_module(name)
    return CHANGES


def alters(apply):
    """Registers a change that may alter the meaning of a program."""
    return _register(apply, True)


def preserves(apply):
    """Registers a change that a caller cannot observe in any run."""
    return _register(apply, False)


def _register(apply, does_alter):
    name = apply.__name__.replace("_", " ").strip()
    if name in CHANGES:
        raise ValueError(f"two changes have the name {name!r}")
    CHANGES[name] = Change(name, does_alter, apply)
    return apply
