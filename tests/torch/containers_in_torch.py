"""Checks verdicts on programs that change lists and dicts: `containers_in_torch.py [PROGRAM] [--seed S] [--count N]`

Draws programs that make lists, tuples, and dicts, change them, and read them, and changes of these programs. Runs both of each pair and
runs `sunder-cli verify` in both directions. A pair differs if values, nesting, inputs after the run, or errors do. Wrong are "same"
for a pair that differs, "different" for an equal pair, and contradicting verdicts. Programs that may raise are undecided, and so
are those that pass a list to a call that may keep it. Exit 1 if any verdict is wrong, or if less than a third of the equal pairs
are "same"; 77 (skipped) without SUNDER_TORCH_PYTHON.
"""

import argparse
import collections
import itertools
import operator
import pathlib
import random
import subprocess
import sys
import tempfile

from torch_test import status_elsewhere

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "packaging" / "python"))

KEYS = ("a", "b", "c", 1, 2)
INDICES = (0, 1, -1, 2)


class Program:
    """Instructions `(kind, target, arguments)`. An argument is a constant, a list, dict, or tuple of arguments, or a `Ref`."""

    def __init__(self, steps, results):
        self.steps, self.results = steps, results

    def module(self):
        import torch
        graph = torch.fx.Graph()
        known = [graph.placeholder("x"), graph.placeholder("y")]

        def node(argument):
            if isinstance(argument, Ref):
                return known[argument.index]
            if isinstance(argument, (list, tuple)):
                return type(argument)(node(item) for item in argument)
            return {key: node(item) for key, item in argument.items()} if isinstance(argument, dict) else argument

        for kind, target, *arguments in self.steps:
            given = tuple(node(argument) for argument in arguments)
            known.append(getattr(graph, kind)(target, given))
        graph.output(tuple(node(result) for result in self.results))
        root = torch.nn.Module()
        root.fill = filler()
        return torch.fx.GraphModule(root, graph)


class Ref:
    def __init__(self, index):
        self.index = index


def filler():
    """A module that changes a list argument."""
    import torch
    graph = torch.fx.Graph()
    items, value = graph.placeholder("items"), graph.placeholder("value")
    graph.call_method("append", (items, value))
    graph.output(graph.call_function(operator.getitem, (items, 0)))
    return torch.fx.GraphModule(torch.nn.Module(), graph)


class Draw:
    """Draws a program."""

    def __init__(self, rng):
        self.rng, self.steps = rng, []
        self.kinds = ["tensor", "tensor"]

    def add(self, result, *step):
        self.steps.append(step)
        self.kinds.append(result)

    def pick(self, *kinds):
        found = [i for i, kind in enumerate(self.kinds) if kind in kinds]
        return Ref(self.rng.choice(found)) if found else None

    def tensor(self):
        return self.pick("tensor")

    def step(self):
        import torch
        rng = self.rng
        some = self.pick("list")
        table = self.pick("dict")
        item = self.tensor() if rng.random() < 0.85 else self.pick("list", "tuple", "dict") or self.tensor()
        index, key = rng.choice(INDICES), rng.choice(KEYS)
        makers = [("tensor", "call_function", torch.sin, self.tensor()),
                  ("none", "call_method", "add_", self.tensor(), 1.5),
                  ("list", "call_function", list, [self.tensor(), self.tensor()]),
                  ("list", "call_function", list, (self.tensor(), item)),
                  ("dict", "call_function", dict, {"a": self.tensor(), key: item})]
        if some is not None:
            makers += [("none", "call_method", "append", some, item), ("none", "call_method", "extend", some, [item, self.tensor()]),
                       ("none", "call_method", "insert", some, index, item), ("none", "call_method", "reverse", some),
                       ("list", "call_function", operator.iadd, some, [item]), ("list", "call_function", operator.imul, some, 2),
                       ("none", "call_function", operator.setitem, some, index, item),
                       ("none", "call_function", operator.delitem, some, index),
                       ("any", "call_method", "pop", some), ("any", "call_method", "pop", some, index),
                       ("list", "call_method", "copy", some), ("tuple", "call_function", tuple, some),
                       ("list", "call_function", list, some), ("number", "call_function", len, some),
                       ("any", "call_function", operator.getitem, some, index),
                       ("list", "call_function", operator.getitem, some, slice(0, 2)),
                       ("list", "call_function", operator.add, some, [item]), ("tensor", "call_function", torch.cat, some),
                       ("any", "call_module", "fill", some, self.tensor()), ("none", "call_method", "clear", some),
                       ("any", "call_function", iter, some), ("none", "call_method", "append", some, some)]
        if table is not None:
            makers += [("none", "call_function", operator.setitem, table, key, item),
                       ("none", "call_method", "update", table, {key: item}), ("any", "call_method", "pop", table, key, item),
                       ("any", "call_method", "pop", table, key), ("any", "call_method", "popitem", table),
                       ("any", "call_method", "setdefault", table, key, item), ("any", "call_method", "get", table, key),
                       ("dict", "call_method", "copy", table), ("dict", "call_function", operator.ior, table, {key: item}),
                       ("number", "call_function", operator.contains, table, key), ("number", "call_function", len, table),
                       ("none", "call_function", operator.delitem, table, key), ("any", "call_function", operator.getitem, table, key),
                       ("list", "call_function", list, table), ("any", "call_method", "values", table),
                       ("none", "call_method", "clear", table), ("any", "call_method", "__len__", table)]
        maker = rng.choice(makers)
        if all(argument is not None for argument in maker):
            self.add(*maker)

    def program(self, count):
        for _ in range(count):
            self.step()
        results = [Ref(i) for i, kind in enumerate(self.kinds) if kind in ("list", "dict", "any", "number")]
        return Program(self.steps, results[-6:])


def changed(program, rng):
    """Returns the program with one change, of one step or of two adjacent steps."""
    while True:
        place, how = rng.randrange(len(program.steps)), rng.choice(("swap", "swap", "spell", "constant", "value", "value", "insert"))
        if how == "swap" and place + 1 < len(program.steps) and place + 2 not in refs(program.steps[place + 1][2:]):
            steps = list(program.steps)
            steps[place], steps[place + 1] = steps[place + 1], steps[place]
            return moved(program, steps, place, {place + 2: place + 3, place + 3: place + 2})
        if how == "insert":
            steps = program.steps[:place] + [("call_function", list, [Ref(0)])] + program.steps[place:]
            return moved(program, steps, place + 1, {i: i + 1 for i in range(place + 2, len(steps) + 2)})
        step = {"spell": spelled, "constant": other_constant, "value": other_value}.get(how, lambda *_: None)(program.steps[place], rng)
        if step is not None:
            return Program([*program.steps[:place], step, *program.steps[place + 1:]], program.results)


def moved(program, steps, place, numbers):
    """Renumbers references to results from `place` on."""
    rest = [step[:2] + tuple(renumbered(argument, numbers) for argument in step[2:]) for step in steps[place:]]
    return Program(steps[:place] + rest, [renumbered(result, numbers) for result in program.results])


def spelled(step, _):
    """Returns an equivalent spelling."""
    _, target, *given = step
    if target == "append":
        return ("call_method", "extend", given[0], [given[1]])
    if target is operator.setitem:
        return ("call_method", "__setitem__", *given)
    if target == "update":
        (key, value), = given[1].items()
        return ("call_function", operator.setitem, given[0], key, value)
    return ("call_method", "__len__", *given) if target is len else None


def other_constant(step, rng):
    kind, target, *given = step
    if len(given) < 2 or not isinstance(given[1], (int, str)):
        return None
    return (kind, target, given[0], rng.choice(KEYS + INDICES), *given[2:])


def other_value(step, rng):
    kind, target, *given = step
    return (kind, target, *given[:-1], Ref(rng.randrange(2))) if len(given) > 1 and isinstance(given[-1], Ref) else None


def renumbered(argument, numbers):
    if isinstance(argument, Ref):
        return Ref(numbers.get(argument.index, argument.index))
    if isinstance(argument, (list, tuple)):
        return type(argument)(renumbered(item, numbers) for item in argument)
    return {key: renumbered(item, numbers) for key, item in argument.items()} if isinstance(argument, dict) else argument


def refs(argument):
    if isinstance(argument, Ref):
        yield argument.index
    elif isinstance(argument, (list, tuple, dict)):
        yield from itertools.chain(*(refs(item) for item in (argument.values() if isinstance(argument, dict) else argument)))


def plain(value):
    import torch
    if isinstance(value, torch.Tensor):
        return "tensor", tuple(value.shape), value.numpy().tobytes()
    if isinstance(value, (list, tuple)):
        return type(value).__name__, tuple(plain(item) for item in value)
    if isinstance(value, dict):
        return "dict", tuple((key, plain(item)) for key, item in value.items())
    if isinstance(value, type({}.values())):
        return "values", tuple(plain(item) for item in value)
    return type(value).__name__, repr(value) if isinstance(value, (int, str, type(None))) else ""


def outcome(module):
    import torch
    torch.manual_seed(7)
    inputs = [torch.rand(3), torch.rand(3)]
    try:
        result = plain(module.forward(*inputs))
    except (AttributeError, IndexError, KeyError, RuntimeError, StopIteration, TypeError, ValueError, RecursionError):
        return "raises"
    return result, [plain(item) for item in inputs]


def verdict(cli, first, second):
    import json
    done = subprocess.run([cli, "verify", first, second, "--json"], capture_output=True, text=True, check=False)
    said = json.loads(done.stdout)
    return said.get("verdict", "error"), said.get("why") or ""


def main():
    status = status_elsewhere(sys.argv)
    if status is not None:
        return status
    import sunder
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    given = parser.parse_args()
    table, wrong, why = collections.Counter(), [], collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(pathlib.Path(folder) / name) for name in ("a.fxj", "b.fxj")]
        for number in range(given.count):
            rng = random.Random(f"{given.seed} {number}")
            original = Draw(rng).program(rng.randrange(3, 14))
            if not original.steps or not original.results:
                continue
            modules = [original.module(), changed(original, rng).module()]
            outcomes = [outcome(module) for module in modules]
            if outcomes[0] == "raises" and rng.random() < 0.9:
                continue
            for module, path in zip(modules, paths, strict=True):
                sunder.save(module, path)
            said, back = verdict(given.program, *paths), verdict(given.program, *paths[::-1])
            truth = "equal" if outcomes[0] == outcomes[1] else "differ"
            table[truth, said[0]] += 1
            if truth == "equal" and said[0] == "undecided":
                why[said[1][:160]] += 1
            wrong_words = {"equal": "different", "differ": "same"}[truth]
            if wrong_words in (said[0], back[0]) or said[0] != back[0] or said[0] == "error":
                wrong.append(f"{given.seed} {number}: {truth} in PyTorch, {said[0]} and {back[0]}: {said[1]}\n"
                             f"{modules[0].code}{modules[1].code}")
    for (truth, said), count in sorted(table.items()):
        print(f"{count:6} {truth:8} {said}")
    for words, count in why.most_common(12):
        print(f"{count:6} {words}")
    print("\n".join(wrong[:5]))
    equal = sum(count for (truth, _), count in table.items() if truth == "equal")
    print(f"{sum(table.values())} pairs, {len(wrong)} wrong verdicts")
    return 1 if wrong or 3 * table["equal", "same"] < equal else 0


if __name__ == "__main__":
    sys.exit(main())
