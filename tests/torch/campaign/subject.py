"""A program of the campaign: a graph module or an exported program that can be copied, changed, and run."""

import copy

import torch
from torch.export.graph_signature import ConstantArgument, InputKind, OutputKind
from torch.utils import _pytree as pytree

#: Key of node.meta with an example of the value of a node of a plain graph. Nothing writes it into files.
EXAMPLE = "campaign_example"

STATE_OUTPUTS = (OutputKind.BUFFER_MUTATION, OutputKind.PARAMETER_MUTATION)


def copied(module):
    """A graph module with copies of all its graphs; parameters and leaf modules are shared. O(nodes)."""
    graph = torch.fx.Graph(tracer_cls=module.graph._tracer_cls)
    graph._codegen = copy.copy(module.graph._codegen)
    places = {}
    result = graph.graph_copy(module.graph, places)
    last = next(reversed(module.graph.nodes))
    graph.output(result).meta.update(last.meta)
    for node, other in places.items():
        other.name, other.meta = node.name, dict(node.meta)
    new = torch.fx.GraphModule(module, graph)
    for name, child in module.named_modules():
        if name and isinstance(child, torch.fx.GraphModule) and _owner(module, name) is module:
            _put(new, name, copied(child))
    new.train(module.training) if module.training != new.training else None
    return new


def _owner(root, path):
    """The innermost graph module around the module at `path`."""
    found, module = root, root
    for step in path.split(".")[:-1]:
        module = getattr(module, step)
        found = module if isinstance(module, torch.fx.GraphModule) else found
    return found


def _put(root, path, module):
    *steps, last = path.split(".")
    for step in steps:
        if not hasattr(root, step):
            return  # no node reads it
        root = getattr(root, step)
    if hasattr(root, last):
        setattr(root, last, module)


class Subject:
    """A program: `module` is its graph module, `exported` the exported program or None."""

    def __init__(self, program):
        self.exported = program if isinstance(program, torch.export.ExportedProgram) else None
        self.module = self.exported.graph_module if self.exported else program

    @property
    def program(self):
        """The program that is saved and verified."""
        return self.exported or self.module

    def copy(self):
        """Returns a copy with separate graphs and tensor tables that shares tensors and leaf modules. O(nodes)."""
        module = copied(self.module)
        if self.exported is None:
            return Subject(module)
        new = copy.copy(self.exported)
        new._graph_module = module
        new._graph_signature = copy.deepcopy(self.exported.graph_signature)
        new._state_dict = dict(self.exported.state_dict)
        new._constants = dict(self.exported.constants)
        new._range_constraints = dict(self.exported.range_constraints)
        new._module_call_graph = [copy.copy(entry) for entry in self.exported.module_call_graph]
        new._module_call_graph[0].signature = copy.copy(new._module_call_graph[0].signature)
        return Subject(new)

    def finish(self):
        """Makes code and signature follow the changed graph. Raises RuntimeError if the graph is malformed."""
        for child in self.module.modules():
            if isinstance(child, torch.fx.GraphModule):
                child.graph.lint()
                child.recompile()
        if self.exported is None:
            return
        nodes = list(self.module.graph.nodes)
        signature = self.exported.graph_signature
        root = self.exported.module_call_graph[0].signature
        places = [node for node in nodes if node.op == "placeholder"]
        _name(signature.input_specs, places)
        _name(signature.output_specs, nodes[-1].args[0])
        root.inputs = [spec.arg for spec in signature.input_specs if spec.kind is InputKind.USER_INPUT]
        user = (OutputKind.USER_OUTPUT, OutputKind.LOSS_OUTPUT)
        root.outputs = [spec.arg for spec in signature.output_specs if spec.kind in user]

    def state(self):
        """Parameters, buffers, and constants by name."""
        if self.exported is not None:
            tensors = {**self.exported.state_dict, **self.exported.constants}
            return {name: value for name, value in tensors.items() if isinstance(value, torch.Tensor)}
        found = dict(self.module.named_parameters(remove_duplicate=False))
        found.update(self.module.named_buffers(remove_duplicate=False))
        for name, child in self.module.named_modules():
            for key, value in vars(child).items():
                if isinstance(value, torch.Tensor):
                    found[f"{name}.{key}".strip(".")] = value
        return found

    def graph_modules(self):
        """Graph modules that are called, root first."""
        return [child for child in self.module.modules() if isinstance(child, torch.fx.GraphModule)]

    def __call__(self, args):
        """Runs the program once like a caller and returns the nested results."""
        if self.exported is None:
            return self.module.forward(*args)
        given, held = pytree.tree_leaves(args), self.exported
        leaves = iter(given)
        values = [next(leaves) if spec.kind is InputKind.USER_INPUT
                  else held.constants[spec.target] if spec.target in held.constants
                  else held.state_dict[spec.target] for spec in held.graph_signature.input_specs]
        self._check_domain(values)
        results, user = self.module.forward(*values), []
        for spec, result in zip(held.graph_signature.output_specs, results, strict=True):
            if spec.kind in STATE_OUTPUTS:
                self._place(spec.target).copy_(result)
            elif spec.kind is OutputKind.USER_INPUT_MUTATION:
                self._input(spec.target, values).copy_(result)
            else:
                user.append(result)
        nesting = held.module_call_graph[0].signature.out_spec
        return pytree.tree_unflatten(user, nesting) if nesting.num_leaves == len(user) else user

    def _place(self, name):
        return self.exported.state_dict[name] if name in self.exported.state_dict else self.exported.constants[name]

    def _input(self, name, values):
        names = [spec.arg.name for spec in self.exported.graph_signature.input_specs]
        return values[names.index(name)]

    def _check_domain(self, values):
        """Raises ValueError for sizes, dtypes, and constants that the program was not exported for."""
        sizes = {}
        places = (node for node in self.module.graph.nodes if node.op == "placeholder")
        for node, value, spec in zip(places, values, self.exported.graph_signature.input_specs, strict=True):
            wanted = node.meta.get("val")
            if isinstance(spec.arg, ConstantArgument) and spec.kind is InputKind.USER_INPUT:
                if value != spec.arg.value:
                    raise ValueError("another constant")
            elif spec.kind is InputKind.USER_INPUT and isinstance(wanted, torch.Tensor) and isinstance(value, torch.Tensor):
                if wanted.dtype != value.dtype or wanted.dim() != value.dim():
                    raise ValueError("another dtype or number of dimensions")
                for expected, size in zip(wanted.shape, value.shape, strict=True):
                    if isinstance(expected, int) and expected != size:
                        raise ValueError("another size")
                    if not isinstance(expected, int) and expected.node.expr.is_symbol:
                        known = sizes.setdefault(expected.node.expr, size)
                        bounds = self.exported.range_constraints.get(expected.node.expr)
                        if known != size or bounds is not None and not bounds.lower <= size <= bounds.upper:
                            raise ValueError("a size outside of its range")


def _name(specs, values):
    """Updates specs to the names of their nodes."""
    for spec, node in zip(specs, values, strict=True):
        if isinstance(node, torch.fx.Node) and hasattr(spec.arg, "name"):
            spec.arg = copy.copy(spec.arg)
            spec.arg.name = node.name
