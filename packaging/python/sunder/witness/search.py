"""Searches inputs for which two models differ, and updates the verdict."""

from __future__ import annotations

import dataclasses
import itertools
import time
from typing import Any, Iterator, Mapping, Sequence

import torch
import torch.fx

from ..errors import SunderError
from ..exchange import Model
from ..pipeline.comparison import Difference
from .archive import Witness
from .domain import Leaf, RunnableModel, Shapes, common
from .guesses import guessed_inputs
from .observed import Call, Run, View, differences, is_stable, matched_state, observed
from .rounding import beyond_rounding
from .values import Integers, Recipe, inputs_of

ROUNDED = "same_up_to_rounding"  # the verdict that a difference of rounding does not contradict
SECONDS = 60.0  # default time limit
_FILLS = (0x55, 0xAA)  # of fresh memory, in the first run and in its repetition
_BITS = Integers(0, 1)  # valid as an index into anything that is not empty
_MOST_SIZES = 10  # sets of sizes
# : Style, layout, grad mode, whether inputs require gradients. The first three are tried for all sizes, the others for two.
_MIXES = (
    ("normal", "contiguous", True, False),
    ("special", "contiguous", True, False),
    ("halves", "transposed", True, False),
    ("normal", "sliced", True, False),
    ("normal", "contiguous", True, True),
    ("large", "contiguous", False, False),
    ("normal", "reversed", True, False),
    ("zeros", "contiguous", True, False),
    ("positive", "expanded", True, False),
    ("special", "transposed", False, False),
    ("halves", "contiguous", False, False),
    ("special", "expanded", True, True),
)
# : Operators whose results are as large as a number in a tensor. They get no large numbers.
_BY_NUMBERS = ("item", "tolist", "local_scalar", "repeat_interleave", "bincount", "one_hot", "arange", "full", "zeros", "ones", "histc")


@dataclasses.dataclass
class Outcome:
    """The result of a search. `trials`: the number of inputs on which both models ran. `why_not`: why the models could not run.
    """

    trials: int = 0
    raising: int = 0  # those of them on which both raise an error
    witness: Witness | None = None
    why_not: str | None = None
    domain: str | None = None  # how the domains differ: an input that one model refuses
    notes: list[str] = dataclasses.field(default_factory=list)

    def note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)


def search(
    a: Model, b: Model, seconds: float = SECONDS, model_a: str | None = None, model_b: str | None = None, *, rounding: bool = False
) -> Outcome:
    """Runs both models on up to 50 inputs, twice each, for about `seconds` after loading; the time is checked between runs.
    Models that cannot be loaded or run are reported in `why_not`, not as an error. `rounding`: numbers may differ by rounding.
    """
    outcome = Outcome()
    try:
        first, second = _loaded(a, model_a, "A"), _loaded(b, model_b, "B")
        _Search(first, second, time.monotonic() + seconds, outcome, rounding).run()
    except SunderError as error:
        outcome.why_not = str(error)
    return outcome


def replayed(
    witness: Witness, a: Model, b: Model, model_a: str | None, model_b: str | None, *, rounding: bool = False
) -> tuple[Difference, ...]:
    first, second = _loaded(a, model_a, "A"), _loaded(b, model_b, "B")
    for name, model in (("A", first), ("B", second)):
        if len(model.leaves) != len(witness.names):
            raise SunderError(f"the witness is for models with {len(witness.names)} inputs, but {name} has {len(model.leaves)}", code="usage")
    outcome = Outcome()
    found = _Search(first, second, float("inf"), outcome, rounding).compared(witness.calls, witness.names)
    if found is None:
        raise SunderError(f"the models cannot be run on the inputs of the witness: {'; '.join(outcome.notes)}")
    return found


def judged(said: Mapping[str, Any], outcome: Outcome) -> dict[str, Any]:
    """Returns the verdict `said` by sunder-cli, updated by a run. A run never makes models the same."""
    notes = list(said.get("notes", ()))
    result = dict(said)
    where = f"in PyTorch {torch.__version__}"
    if outcome.witness is not None:
        result["verdict"] = "different"
        if said["verdict"] != "different":
            result["why"] = f"{where}, {outcome.witness.why}"
            notes.append(f"inputs: {outcome.witness.about['inputs']}")
        else:
            notes.append(f"{where}, {outcome.witness.why}")
        if said["verdict"] == "same":
            notes.insert(0, "BUG IN SUNDER: verification found these models the same. Please report this with the witness.")
    elif outcome.domain is not None:
        notes.append(f"{where}, {outcome.domain}. This is a difference of domain, not a witness of different results")
        if said["verdict"] in ("same", ROUNDED):
            result["verdict"] = "undecided"
            result["why"] = f"the models do not accept the same inputs: {outcome.domain}"
            notes.insert(0, "BUG IN SUNDER: verification found these models the same, with the same domain. Please report this.")
    if result["verdict"] != ROUNDED:
        result.pop("rounding", None)
    if outcome.why_not is not None:
        notes.append(f"the models could not be run in PyTorch: {outcome.why_not}")
    elif outcome.witness is None:
        beyond = " beyond rounding" if said["verdict"] == ROUNDED else ""
        notes.append(f"run {where} on {outcome.trials} sets of inputs: no difference{beyond} found")
    result["notes"] = [*notes, *outcome.notes]
    result["run"] = {"torch": torch.__version__, "trials": outcome.trials}
    if outcome.why_not is not None:
        result["run"]["why_not"] = outcome.why_not
    if outcome.witness is not None:
        result["run"]["differences"] = [{"where": one.what, "why": one.why} for one in outcome.witness.differences]
    return result


class _Search:
    def __init__(self, a: RunnableModel, b: RunnableModel, deadline: float, outcome: Outcome, rounding: bool) -> None:
        self._a, self._b = a, b
        self._rounding = rounding
        self._deadline = deadline
        self._outcome = outcome
        matched = matched_state(a.module, b.module)
        self._states = ({name: name for name in matched}, {other: name for name, other in matched.items()})
        self._guessed = a.guessed and b.guessed
        self._left_out = "the time limit ended the search"  # why the last inputs that were left out were
        self._grad = True  # False for models that raise errors while gradients are enabled, as writes to parameters do

    def run(self) -> None:
        leaves = common(self._a, self._b)
        choices = self._guesses(leaves) if any(leaf.kind == "unknown" for leaf in leaves) else [(leaves, shapes) for shapes in self._sizes()]
        if not choices:
            raise SunderError("found no inputs that the models accept" + (", which the models do not describe" if self._guessed else ""))
        self._grad = any(self._returns(*choices[0], _BITS, True)) or not any(self._returns(*choices[0], _BITS, False))
        if self._guessed:
            self._outcome.note("the models do not describe their inputs, so inputs were guessed")
        for number, (leaves, recipe) in enumerate(self._plan(choices)):
            if self._is_late():
                self._outcome.note("the time limit ended the search")
                break
            inputs = [inputs_of(leaves, recipe, 2 * number + call) for call in range(2)]
            names = tuple(leaf.name for leaf in leaves)
            calls = Call(inputs, number, recipe.grad)
            if found := self.compared(calls, names):
                self._outcome.witness = Witness(found, names, calls, {"inputs": recipe.text(leaves), "guessed": self._guessed})
                return
        if not self._outcome.trials:
            raise SunderError(f"no run completed: {self._left_out}")
        if self._outcome.raising == self._outcome.trials:
            self._outcome.note("both models raise an error on all inputs")

    def compared(self, calls: Call, names: Sequence[str]) -> tuple[Difference, ...] | None:
        """Returns differences that persist when both models run again. None if these inputs are not conclusive."""
        a, b = (self._observed(side, calls, names, _FILLS[0]) for side in range(2))
        if not self._says(a, b):
            return None
        self._outcome.trials += 1
        self._outcome.raising += "call 1" in a.seen and a.seen["call 1"] != "returns" != b.seen["call 1"]
        if not (found := self._differences(a, b)):
            return ()
        again_b, again_a = (self._observed(side, calls, names, _FILLS[1]) for side in (1, 0))
        lasting = {one.what for one in self._differences(again_a, again_b)}
        stable = tuple(one for one in found if one.what in lasting and is_stable(one.what, a, again_a) and is_stable(one.what, b, again_b))
        if not stable:
            self._outcome.note("the results of the models change between runs; such differences are not a witness")
        return stable

    def _differences(self, a: Run, b: Run) -> list[Difference]:
        found = differences(a, b)
        return beyond_rounding(found, a, b) if self._rounding else found

    def _observed(self, side: int, calls: Call, names: Sequence[str], fill: int) -> Run:
        view = View(names, self._states[side], self._a.nests_results == self._b.nests_results)
        return observed((self._a, self._b)[side], calls, view, fill)

    def _says(self, a: Run, b: Run) -> bool:
        for name, run in (("A", a), ("B", b)):
            if run.broken is not None:
                self._outcome.note(f"some inputs were skipped because {name} could not run on them: {run.broken}")
        if a.says() and b.says():
            return True
        self._left_out = a.broken or b.broken or a.refused or b.refused or ""
        if (a.refused is None) != (b.refused is None) and a.broken is None and b.broken is None:
            name, other = ("A", "B") if a.refused is not None else ("B", "A")
            self._outcome.domain = self._outcome.domain or f"{name} refuses inputs that {other} accepts ({a.refused or b.refused})"
        return False

    def _is_late(self) -> bool:
        return time.monotonic() > self._deadline

    def _sizes(self) -> list[Shapes]:
        """Sizes that are in both domains, as each of the models suggests them in turn."""
        found: list[Shapes] = []
        suggested = (self._suggested(self._a), self._suggested(self._b))
        for shapes in itertools.chain.from_iterable(itertools.zip_longest(*suggested)):
            if shapes is not None and shapes not in found and self._a.takes(shapes) and self._b.takes(shapes):
                found.append(shapes)
                if len(found) == _MOST_SIZES:
                    break
        return found

    @staticmethod
    def _suggested(model: RunnableModel) -> Iterator[Shapes]:
        if any(leaf.kind == "unknown" for leaf in model.leaves):
            return
        for assignment in model.assignments():
            if (shapes := model.shapes(assignment)) is not None:
                yield shapes

    def _guesses(self, leaves: Sequence[Leaf]) -> list[tuple[list[Leaf], Shapes]]:
        """Returns guessed inputs that both models accept without an error, or else that one of them accepts."""
        half = (self._deadline + time.monotonic()) / 2
        for grad in (True, False):
            both: list[Any] = []
            either: list[Any] = []
            for guess in guessed_inputs(self._a, self._b, leaves):
                if time.monotonic() > half or len(both) == 4:
                    break
                if any(returns := self._returns(*guess, _BITS, grad)):
                    (both if all(returns) else either).append(guess)
            if both or either:
                break
        return both or either[:4]

    def _returns(self, leaves: Sequence[Leaf], shapes: Shapes, integers: Integers, grad: bool) -> list[bool]:
        calls = Call([inputs_of(leaves, Recipe(shapes, integers=integers), 0)], 0, grad)
        names = [leaf.name for leaf in leaves]
        return [self._observed(side, calls, names, 0).seen.get("call 1") == "returns" for side in range(2)]

    def _plan(self, choices: Sequence[tuple[list[Leaf], Shapes]]) -> Iterator[tuple[list[Leaf], Recipe]]:
        ranges = self._integers(*choices[0])
        for number, (style, layout, grad, requires_grad) in enumerate(_MIXES):
            for at, (leaves, shapes) in enumerate(choices[: _MOST_SIZES if number < 3 else 2]):
                integers = ranges[(number + at) % len(ranges)]
                yield leaves, Recipe(shapes, style, layout, integers, grad and self._grad, requires_grad and self._grad)

    def _integers(self, leaves: Sequence[Leaf], shapes: Shapes) -> list[Integers]:
        """Returns ranges for integer tensors. Ranges that both models accept come first, because an index may have an upper
        limit."""
        usual = [_BITS]
        dtypes = {leaf.dtype for leaf in leaves if leaf.kind == "tensor" and leaf.dtype is not None}
        if not any(dtype is not torch.bool and not dtype.is_floating_point and not dtype.is_complex for dtype in dtypes):
            return usual
        tensors = [*self._a.module.state_dict().values(), *self._b.module.state_dict().values()]
        sizes = {size for one in tensors if isinstance(one, torch.Tensor) for size in one.shape}
        sizes |= {size for shape in shapes if isinstance(shape, tuple) for size in shape}
        candidates = [*usual, Integers(-3, 3), *(Integers(0, size - 1) for size in sorted(sizes)[-6:] if size > 2)]
        candidates += [Integers(-size, size - 1) for size in sorted(sizes)[-2:]]
        if not self._makes_by_numbers():
            candidates.append(Integers(-3, 3, edges=True))
        both: list[Integers] = []
        either: list[Integers] = []
        for integers in candidates:
            returns = self._returns(leaves, shapes, integers, self._grad) if not self._is_late() else [False]
            (both if all(returns) else either if any(returns) else []).append(integers)
        return [*both, *either] or usual

    def _makes_by_numbers(self) -> bool:
        found = (getattr(one, "graph", None) for model in (self._a, self._b) for one in model.module.modules())
        graphs = (graph for graph in found if isinstance(graph, torch.fx.Graph))
        return any(word in str(node.target) for graph in graphs for node in graph.nodes for word in _BY_NUMBERS)


def _loaded(model: Model, name: str | None, letter: str) -> RunnableModel:
    try:
        return RunnableModel(model, name)
    except SunderError as error:
        raise SunderError(f"{letter} {error.text}" if error.text.startswith(("is ", "has ", "cannot ")) else f"{letter}: {error.text}",
                          code=error.code, where=error.where) from None
