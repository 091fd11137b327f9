"""The lines of core/operators/data/rounding.txt, and their calls."""

import pathlib

TABLE = pathlib.Path(__file__).resolve().parents[2] / "core" / "operators" / "data" / "rounding.txt"
PROMISES = ("rounds", "continuous", "dense")
LIBRARIES = ("", "torch", "torch.ops.aten", "torch.nn.functional", "_operator", "operator", "torch.Tensor", "torch._C._nn", "torch.functional")
MISSING = object()


class Line:
    """A line of the table: names, promises, and conditions with their values."""

    def __init__(self, text):
        names, promises, *conditions = text.split("\t")
        self.names, self.promises = names.split(" "), promises.split(" ")
        self.conditions = dict(word.partition("=")[::2] for word in " ".join(conditions).split())

    def holds(self, args, kwargs):
        """Whether the promises hold for a call. Ignores `positive` for modules, whose first arguments are their tensors."""
        import torch
        rest = (*args[1:], *kwargs.values())
        for word, value in self.conditions.items():
            if word == "constants" and any(isinstance(leaf, torch.Tensor) for leaf in _leaves(rest)):
                return False
            if word == "no-dtype" and any(isinstance(leaf, torch.dtype) for leaf in _leaves(rest)):
                return False
            if word == "most" and len(args) > int(value) or word == "without" and value in kwargs:
                return False
            if word == "off" and _operand(args, kwargs, None, int(value)) is not False:
                return False
            if word == "least" and len(args) < int(value):
                return False
            if word == "whole" and not _is_whole(_operand(args, kwargs, None, int(value))):
                return False
            if word == "positive":
                name, place = value.split("@")
                found = _operand(args, kwargs, name, int(place))
                if found is not MISSING and not (isinstance(found, (int, float)) and found > 0):
                    return False
        return True

    def is_free(self, place):
        """Whether the operand at a place may change; keywords have no place."""
        return not (("rest-fixed" in self.conditions and place != 0) or ("first-fixed" in self.conditions and place == 0))


def _leaves(value):
    import torch
    return torch.utils._pytree.tree_leaves(value)


def _is_whole(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0 and value == int(value)


def _operand(args, kwargs, name, place):
    return args[place] if place < len(args) else kwargs.get(name, MISSING)


def lines():
    return [Line(text) for text in TABLE.read_text().splitlines() if text and not text.startswith("#")]


def name_of(target):
    """Returns the name of a target in the table, or None if it is not from PyTorch."""
    parts = target.split(".")
    if target.startswith("torch.ops.aten."):
        library, name = "torch.ops.aten", parts[3]
    else:
        library, name = ".".join(parts[:-1]), parts[-1]
    if library not in LIBRARIES and not library.startswith("torch.nn.modules."):
        return None
    if name.startswith("__") and name.endswith("__") and len(name) > 4:
        return name[2:-2]
    return name.removesuffix("_")


def lines_by_name():
    found = {}
    for line in lines():
        for name in line.names:
            found.setdefault(name, []).append(line)
    return found
