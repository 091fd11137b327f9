"""The changes of programs, by name: those that may alter what a program means, and those that preserve it."""

import dataclasses
import importlib
from typing import Callable

COLLECTIONS = ("preserving_calls", "preserving_values", "preserving_programs", "altering_calls", "altering_memory", "altering_values",
               "altering_programs", "altering_near")


@dataclasses.dataclass(frozen=True)
class Change:
    """A change: `apply` changes an Editing and says whether it found a place for that. `structural`: it edits a whole program, not
    one graph. `least` sizes of what it needs are up to it.
    """

    name: str
    alters: bool
    apply: Callable


CHANGES = {}


def load_all():
    """Imports all collections: CHANGES is complete afterwards."""
    for name in COLLECTIONS:
        importlib.import_module(name)
    return CHANGES


def alters(apply):
    """Registers a change that may alter the meaning of a program."""
    return _register(apply, True)


def preserves(apply):
    """Registers a change after which a caller sees the same in every run."""
    return _register(apply, False)


def _register(apply, does_alter):
    name = apply.__name__.replace("_", " ").strip()
    if name in CHANGES:
        raise ValueError(f"two changes are called {name!r}")
    CHANGES[name] = Change(name, does_alter, apply)
    return apply
