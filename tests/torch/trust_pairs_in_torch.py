"""Checks the pairs of tests/cases/verify_trust in PyTorch: `trust_pairs_in_torch.py`

Runs both programs of each pair on the same inputs. Pairs of pairs.txt and rules_broken.txt must differ: an output, or an input
after the run, in shape, dtype, or an element, or only one raises. Pairs of spellings.txt and rules.txt must both run without such
a difference; for rules.txt, strides must be equal as well.
"""

import builtins
import operator
import pathlib
import re
import sys

from torch_test import status_elsewhere

CASES = pathlib.Path(__file__).resolve().parents[1] / "cases" / "verify_trust"

DTYPES = ("float8_e4m3fn", "float16", "float32", "float64", "int64")


class Methods:
    def __getattr__(self, name):
        return lambda self_, *args, **kwargs: getattr(self_, name)(*args, **kwargs)


class Text:
    """Parses a program in the notation of tests/core/verify/program_text.h."""

    def __init__(self, text):
        import torch
        self.graphs = {}
        self.lines = []
        self.base = {"torch": torch, "aten": torch.ops.aten, "_operator": operator, "builtins": builtins, "method": Methods(),
                     "sparse_coo": torch.sparse_coo, **{name: getattr(torch, name) for name in DTYPES}}
        lines, name = self.lines, None
        for line in (part.strip() for part in text.split(";")):
            if line.startswith("graph "):
                name, lines = line[6:], []
            elif line == "end":
                self.graphs[name], lines = lines, self.lines
            elif line:
                lines.append(line)

    def run(self, lines, args):
        import types
        names = dict(self.base)
        callables = {name: (lambda body: lambda *given: self.run(body, list(given)))(body) for name, body in self.graphs.items()}
        names["module"] = types.SimpleNamespace(**callables)
        args = list(args)
        for line in lines:
            if line.startswith("return "):
                return eval(line[7:], names)
            name, what = line.split(" = ", 1)
            what = re.sub(r" : \[.*$", "", what)
            if what.startswith("input"):
                names[name] = args.pop(0)
            elif what.startswith("attr "):
                names[name] = callables[what[5:]]
            else:
                names[name] = eval(what, names)

    def inputs(self):
        import torch
        torch.manual_seed(3)
        made = []
        for line in self.lines:
            given = line.split(" = ", 1)[-1]
            if given == "input True":
                made.append(torch.tensor(True))
            elif given.startswith("input"):
                shape, _, dtype = given[5:].partition("]")
                made.append(torch.randn(eval(shape.strip() + "]" if shape.strip() else "[4]")).to(getattr(torch, dtype.strip() or "float32")))
        return made


def outcome(text):
    program = Text(text)
    inputs = program.inputs()
    try:
        results = program.run(program.lines, inputs)
    except (AttributeError, RuntimeError, IndexError, TypeError) as raised:
        return "raises", [str(raised).split("\n")[0]]
    return "runs", [*(results if isinstance(results, (tuple, list)) else [results]), *inputs]


def differ(a, b):
    import torch
    if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor):
        return a.shape != b.shape or a.dtype != b.dtype or not torch.equal(a, b)
    return a != b


def lie_otherwise(a, b):
    return getattr(a, "stride", tuple)() != getattr(b, "stride", tuple)()


def pairs(name):
    lines = [line for line in (CASES / name).read_text().splitlines() if line and not line.startswith("#")]
    return list(zip(lines[::3], lines[1::3], lines[2::3], strict=True))


def main():
    status = status_elsewhere(sys.argv)
    if status is not None:
        return status
    failed = 0
    apart = pairs("pairs.txt") + pairs("rules_broken.txt")
    alike = pairs("spellings.txt") + pairs("rules.txt")
    rules = {name for name, *_ in pairs("rules.txt")}
    for name, first, second in apart:
        a, b = outcome(first), outcome(second)
        ok = a[0] != b[0] or (a[0] == "runs" and any(map(differ, a[1], b[1])))
        failed += not ok
        print("differ" if ok else "NO DIFFERENCE", name, "" if ok else (a, b))
    for name, first, second in alike:
        a, b = outcome(first), outcome(second)
        ok = a[0] == b[0] == "runs" and len(a[1]) == len(b[1]) and not any(map(differ, a[1], b[1]))
        ok = ok and not (name in rules and any(map(lie_otherwise, a[1], b[1])))
        failed += not ok
        print("the same" if ok else "A DIFFERENCE", name, "" if ok else (a, b))
    print(f"{len(apart)} pairs that differ, {len(alike)} that do not, {failed} with an unexpected result")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
