"""Pairs of a program and a changed form of it, and the truth about each: the observed behavior of both in PyTorch."""

import dataclasses
import random

import changes
import facts
import programs
from cases import KINDS
from editing import Editing
from observation import difference, is_rounding_alone, run

#: Number of calls per kind of input; their seeds are the same in every run.
SEED = 11


@dataclasses.dataclass
class Pair:
    """A program and its changed form. `truth`: "differ" with a `witness`, "equal", or "unknown" if no difference was seen after a
    change that may alter, or only differences that do not count. `preserves`: all changes preserve meaning. `is_rounding`: the
    pair differs, but no run showed more than rounding.
    """

    program: str
    original: object
    changed: object
    kinds: tuple
    truth: str
    preserves: bool
    witness: str = ""
    is_rounding: bool = False

    @property
    def cause(self):
        return " + ".join(self.kinds)


class Source:
    """Makes pairs of the named programs and changes, by default of all. `drawn`: the number of programs of random_programs.py.
    Programs are built, and originals run, on first use.
    """

    def __init__(self, names=(), only=(), drawn=0):
        self.programs = [one for name, one in programs.load_all(drawn).items() if not names or name in names]
        known = changes.load_all().values()
        self.altering = [one for one in known if one.alters and (not only or one.name in only)]
        self.preserving = [one for one in known if not one.alters and (not only or one.name in only)]
        self._built = {}

    def pair(self, seed, number):
        """Returns the pair with that number, the same one in every run. None if no change fits."""
        rng = random.Random(f"{seed}/{number}")
        program = rng.choice(self.programs)
        original, seen = self._original(program)
        wanted = self._wanted(rng)
        for _ in range(12):
            subject = original.copy()
            facts.note_calls(subject)
            kinds = _change(subject, wanted, rng)
            if kinds:
                break
        else:
            return None
        try:
            subject.finish()
            facts.refresh(subject, programs.example(program.inputs))
        except Exception:  # an invalid graph: a use before its value
            return None
        preserves = not any(one.alters for one in kinds)
        pair = Pair(program.name, original, subject, tuple(one.name for one in kinds), "equal" if preserves else "unknown", preserves)
        self._judge(pair, program, seen)
        return pair

    def _wanted(self, rng):
        """Lists of changes to choose from, one for each change to make."""
        count = rng.choices((1, 2, 3), (0.8, 0.15, 0.05))[0]
        if not self.altering or self.preserving and rng.random() < 0.5:
            return [self.preserving] * count
        return [self.altering] + [self.preserving or self.altering] * (count - 1)

    def _original(self, program):
        if program.name not in self._built:
            subject = program.build()
            self._built[program.name] = subject, [run(subject, program.inputs, kind, SEED) for kind in KINDS]
        return self._built[program.name]

    def _judge(self, pair, program, seen):
        for kind, before in zip(KINDS, seen, strict=True):
            after = run(pair.changed, program.inputs, kind, SEED)
            found = difference(before, after)
            if found.startswith("weak") and pair.truth != "differ":
                pair.truth, pair.witness = "unknown", f"{kind.name}: {found}"
            elif found and not found.startswith("weak"):
                pair.truth, pair.witness, pair.is_rounding = "differ", f"{kind.name}: {found}", is_rounding_alone(before, after)
                if not pair.is_rounding:
                    return


def _change(subject, wanted, rng):
    """Makes one change of each list. Returns the changes, or nothing if none fits or one breaks the graph."""
    made = []
    for choices in wanted:
        for change in rng.sample(choices, min(len(choices), 25)):
            try:
                if change.apply(Editing(subject, rng)):
                    made.append(change)
                    break
            except Exception as error:
                problems.append((change.name, error))
                return ()
    return made


#: Changes that raised: faults of the campaign itself.
problems = []
