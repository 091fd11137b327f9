"""Runs the parts of a model in this folder as the whole model. Needs only PyTorch.

    python run.py [MODULE…]  runs the example inputs that were saved with the model, or prints how to call it; first
                             imports modules that register classes of inputs or outputs with PyTorch's pytree, or
                             operators (for a shared library, such as ops.so, its path)
    from run import Parts
    model = Parts()          in this folder; Parts("some/folder") for parts elsewhere
    model(x, mask=mask)      inputs and outputs are nested as in the model

Sunder overwrites this file on each export of parts to this folder.
"""

import ast
import importlib
import json
import math
import operator
import pathlib
import sys

import torch
import torch.utils._pytree as pytree


class Parts(torch.nn.Module):
    """The parts in a folder, loaded once. State of a part persists between calls."""

    def __init__(self, folder=pathlib.Path(__file__).parent):
        super().__init__()
        self.manifest = read_manifest(pathlib.Path(folder))
        check_registered(self.manifest)
        call = self.manifest["call"]
        self.in_spec, self.out_spec = pytree.treespec_loads(call["in_spec"]), pytree.treespec_loads(call["out_spec"])
        self.guards = guards_of(call, self.in_spec)
        self.parts = torch.nn.ModuleList()
        self.examples = {}
        for part in self.manifest["parts"]:
            program = torch.export.load(str(pathlib.Path(folder) / part["file"]))
            self.note_examples(part, program)
            self.parts.append(program.module())
        tie(self.parts, self.manifest.get("tied", []))

    def forward(self, *args, **kwargs):
        values = self.bound(args, kwargs)
        for part, module in zip(self.manifest["parts"], self.parts):
            try:
                given = module(*(values[value["name"]] for value in part["inputs"]))
            except Exception as error:
                raise RuntimeError(f"part {part['name']} ({part['file']}) fails: {error}") from error
            values.update(zip((value["name"] for value in part["outputs"]), given))
        wanted = self.manifest["outputs"]
        outputs = [literal(value) if "literal" in value else values[value["name"]] for value in wanted]
        return pytree.tree_unflatten(outputs, self.out_spec)

    def bound(self, args, kwargs):
        """Returns the values of the inputs by name. Constant keyword inputs may be omitted."""
        inputs = self.manifest["inputs"]
        leaves = leaves_of((args, self.completed(kwargs)), self.in_spec, "the call")
        for value, leaf in zip(inputs, leaves):
            if "literal" in value and not is_same(leaf, literal(value)):
                raise ValueError(f"{value['name']} is {leaf!r}, but the model was exported for {literal(value)!r}")
        for guard in self.guards:
            guard.check(leaves)
        return {value["name"]: leaf for value, leaf in zip(inputs, leaves)}

    def completed(self, kwargs):
        known = self.manifest["call"].get("kwargs", {})
        missing = {name: place for name, place in known.items() if name not in kwargs and isinstance(place, int)}
        inputs = self.manifest["inputs"]
        return kwargs | {name: literal(inputs[i]) for name, i in missing.items() if "literal" in inputs[i]}

    def note_examples(self, part, program):
        """Collects the example inputs that came with the model. Placeholders for missing ones are left out."""
        if program.example_inputs:
            for value, example in zip(part["inputs"], program.example_inputs[0]):
                if value.get("example") == "source":
                    self.examples.setdefault(value["name"], example)

    def example_inputs(self):
        """Returns positional and keyword arguments. None if the model lacks some of them. Inputs that no part reads are zero."""
        read = {value["name"] for part in self.manifest["parts"] for value in part["inputs"]}
        leaves = []
        for value in self.manifest["inputs"]:
            if "literal" in value:
                leaves.append(literal(value))
            elif value["name"] in self.examples:
                leaves.append(self.examples[value["name"]])
            elif value["name"] in read or value["type"] != "tensor":
                return None
            else:
                leaves.append(torch.zeros(sizes(value), dtype=getattr(torch, value["dtype"])))
        return pytree.tree_unflatten(leaves, self.in_spec)


def read_manifest(folder):
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    if manifest.get("format") != "sunder-parts" or manifest.get("version") != 1:
        raise ValueError(f"{folder / 'manifest.json'} is not a list of parts that this run.py can read")
    if not {"in_spec", "out_spec"} <= manifest.get("call", {}).keys():
        raise ValueError(f"{folder / 'manifest.json'} does not describe how the inputs of the model are nested")
    return manifest


def check_registered(manifest):
    """Raises an error that names the classes and operators that no module has registered: PyTorch cannot read parts with them."""
    classes = list(dict.fromkeys(unregistered_classes(manifest["call"])))
    used = {name: module for part in manifest["parts"] for name, module in part.get("operators", {}).items()}
    operators = {name: module for name, module in sorted(used.items()) if not is_registered(name)}
    problems, kinds, modules = [*classes], [], set()
    if classes:
        kinds.append("classes with PyTorch's pytree")
        modules.add("MODULE")
    if operators:
        libraries = ", ".join(sorted({name.split("::")[0] for name in operators}))
        problems.append(f"these operators are not registered: {', '.join(operators)} (libraries: {libraries}).")
        kinds.append("operators")
        modules |= {module or "MODULE" for module in operators.values()}
    if problems:
        hint = f"Import modules that register {' and '.join(kinds)} first: python run.py {' '.join(sorted(modules))}"
        raise RuntimeError(f"{' '.join(problems)} {hint}")


def unregistered_classes(call):
    for spec in ("in_spec", "out_spec"):
        try:
            pytree.treespec_loads(call[spec])
        except NotImplementedError as error:
            yield str(error)


def is_registered(name):
    library, _, packet = name.partition("::")
    return hasattr(getattr(torch.ops, library), packet)


def literal(value):
    return float(value["float"]) if "float" in value else value["literal"]


def is_same(a, b):
    return type(a) is type(b) and (a == b or (isinstance(a, float) and math.isnan(a) and math.isnan(b)))


def sizes(value):
    return [size if isinstance(size, int) else size.get("hint", 1) for size in value["shape"]]


def children_of(spec):
    return spec.children() if hasattr(spec, "children") else spec.children_specs


def leaves_of(value, spec, place):
    """Returns the leaves of a nested value in the order of a spec. Raises an error that names the first place with another nesting."""
    if spec.is_leaf():
        return [value]
    items, found = pytree.tree_flatten(value, is_leaf=lambda item: item is not value)
    wanted = spec.type, spec.context, len(children_of(spec))
    if spec.type is dict and type(value) is dict:
        if value.keys() != set(spec.context):
            raise TypeError(f"{place} takes {list(spec.context)}, not {list(value)}")
        items = [value[key] for key in spec.context]
    elif found.is_leaf() or (found.type, found.context, len(items)) != wanted:
        raise TypeError(f"{place} takes {words(spec)}, not {type(value).__name__ if found.is_leaf() else words(found)}")
    leaves = []
    for i, (item, child) in enumerate(zip(items, children_of(spec))):
        at = spec.context[i] if spec.type is dict else i
        leaves += leaves_of(item, child, f"{place}[{at!r}]")
    return leaves


def words(spec):
    return f"a {spec.type.__name__} of {len(children_of(spec))}"


class Unsupported(Exception):
    """A guard uses something other than sizes and numbers of inputs."""


class Guard:
    """A condition on inputs, such as L['x'].size()[0] % 2 == 0. It is evaluated by its syntax tree, never run as Python."""

    COMPUTED = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
                ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
                ast.Not: operator.not_, ast.USub: operator.neg, ast.And: all, ast.Or: any, "max": max, "min": min}

    def __init__(self, text, places):
        self.text, self.places, self.tree = text, places, ast.parse(text.strip(), mode="eval").body

    def check(self, leaves):
        try:
            holds = self.value(self.tree, leaves)
        except Unsupported:
            return
        except (ArithmeticError, IndexError):
            holds = False
        if not holds:
            raise ValueError(f"the model was exported for inputs with {self.text}")

    def value(self, node, leaves):
        parts = [value for value in ast.iter_child_nodes(node) if isinstance(value, ast.expr)]
        if isinstance(node, ast.Constant) and type(node.value) in (int, float, bool):
            return node.value
        if isinstance(node, ast.Compare):
            values = [self.value(part, leaves) for part in parts]
            return all(self.computed(type(op))(a, b) for op, a, b in zip(node.ops, values, values[1:]))
        if isinstance(node, ast.BoolOp):
            return self.computed(type(node.op))(self.value(part, leaves) for part in parts)
        if isinstance(node, (ast.BinOp, ast.UnaryOp)):
            return self.computed(type(node.op))(*(self.value(part, leaves) for part in parts))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            return self.computed(node.func.id)(*(self.value(part, leaves) for part in node.args))
        return self.read(node, leaves)

    def computed(self, key):
        if key not in self.COMPUTED:
            raise Unsupported
        return self.COMPUTED[key]

    def read(self, node, leaves):
        """A size of a tensor, or a number."""
        call = node.value if isinstance(node, ast.Subscript) else None
        if not isinstance(call, ast.Call):
            found = leaves[self.place(node)]
        elif isinstance(call.func, ast.Attribute) and call.func.attr == "size" and not call.args and not call.keywords:
            tensor, dimension = leaves[self.place(call.func.value)], key_of(node)
            if not isinstance(tensor, torch.Tensor) or type(dimension) is not int:
                raise Unsupported
            found = tensor.size()[dimension]
        else:
            raise Unsupported
        if type(found) not in (int, float, bool):  # also a symbol, while the parts are exported
            raise Unsupported
        return found

    def place(self, node):
        path = []
        while isinstance(node, (ast.Subscript, ast.Attribute)):
            path.insert(0, key_of(node))
            node = node.value
        if not isinstance(node, ast.Name) or tuple(path) not in self.places:
            raise Unsupported
        return self.places[tuple(path)]


def key_of(node):
    if isinstance(node, ast.Attribute):
        return node.attr
    if not isinstance(node.slice, ast.Constant):
        raise Unsupported
    return node.slice.value


def guards_of(call, spec):
    """Returns the guards of the export. They name inputs by parameters of the model, or by position: L['flat_args'][1]."""
    names, places, items = call.get("arg_names", []), {}, {}
    for place, (kind, key, *rest) in enumerate(paths_of(spec)):
        name = key if kind == 1 else names[key] if key < len(names) else ""
        places[("flat_args", place)] = places[(name, *rest)] = place
        base, _, number = name.rpartition("_")  # a_0 is the first of *a
        if kind == 0 and number.isdecimal():
            items[(base, int(number), *rest)] = place
    return [Guard(text, items | places) for text in call.get("guards", [])]


def paths_of(spec):
    children = children_of(spec)
    keys = spec.context if spec.type is dict else range(len(children))
    return [()] if spec.is_leaf() else [(key, *path) for key, child in zip(keys, children) for path in paths_of(child)]


def tie(parts, groups):
    """Makes each weight that several parts contain one tensor again."""
    alias = {name: group["names"][0] for group in groups for name in group["names"]}
    first = {}
    for part in parts:
        for path, module in part.named_modules():
            for name, tensor in [*module._parameters.items(), *module._buffers.items()]:
                if tensor is not None:
                    full = f"{path}.{name}".lstrip(".")
                    form = tensor.dtype, tensor.shape, tensor.stride(), tensor.storage_offset(), type(tensor)
                    setattr(module, name, first.setdefault((alias.get(full, full), form), tensor))


def described(value):
    if "literal" in value:
        return f"{value['name']}: always {literal(value)!r}"
    if value["type"] != "tensor":
        return f"{value['name']}: {value['type']}"
    shape = [size if isinstance(size, int) else size["sym"] for size in value["shape"]]
    return f"{value['name']}: {value['dtype']} {shape}"


def is_library(module):
    return module.endswith((".so", ".dylib", ".dll"))


def main(modules):
    sys.path.append("")  # modules in the current folder, too
    try:
        for module in modules:
            torch.ops.load_library(module) if is_library(module) else importlib.import_module(module)
        model = Parts()
    except (ImportError, OSError, RuntimeError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    examples = model.example_inputs()
    call = model.manifest["call"]
    print("arguments:", json.dumps(call.get("args")))
    print("keyword arguments:", json.dumps(call.get("kwargs")))
    print("the numbers are indices of these inputs:", *map(described, model.manifest["inputs"]), sep="\n  ")
    if examples is None:
        print("No example inputs came with the model: from run import Parts, and call Parts() with yours.")
        return 0
    with torch.no_grad():
        result = model(*examples[0], **examples[1])
    for value, leaf in zip(model.manifest["outputs"], pytree.tree_leaves(result)):
        name = value.get("name", "literal")
        print(name, f"{leaf.dtype} {list(leaf.shape)}" if isinstance(leaf, torch.Tensor) else repr(leaf))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
