"""Calls of graphs of exported programs. The function takes the nested inputs of the model, reads and writes state, and nests its
outputs. The graph itself is unchanged.
"""

from __future__ import annotations

import copy
import functools
import weakref
from typing import Any, Callable, Mapping, Sequence

import torch
import torch.fx
import torch.utils._pytree as pytree
from torch.fx.graph import _PyTreeCodeGen, _PyTreeInfo

from ..errors import SunderError
from .code_text import check_literal, is_name, path_text
from .flat_args import Sizes, check_constants, check_sizes, flat_inputs
from .guards import conditions, equalities, input_places
from .specs import children_of, nests_a_call

Line = dict[str, Any]
_STATE = ("parameter", "buffer", "constant")
_WRITES = ("buffer_mutation", "parameter_mutation", "input_mutation")
_CONSTANTS = (bool, int, float, str, type(None))
_set = object.__setattr__  # Node's own method updates tables of the graph


class ProgramCall:
    """A signature: the source of each placeholder, and the destination of each output."""

    def __init__(
        self,
        lines: Sequence[Line],
        in_spec: pytree.TreeSpec | None,
        out_spec: pytree.TreeSpec | None,
        objects: Mapping[str, Any],
    ) -> None:
        self.lines = list(lines)
        self.in_spec, self.out_spec = in_spec, out_spec
        self.objects = objects
        self.fixed: dict[int, Any] = {}  # flat inputs that were constants of the export, by place
        self.sizes: Sizes = ()  # of the flat inputs that are tensors
        self.guards: tuple[str, ...] = ()  # conditions on sizes and numbers of the flat inputs
        signature = next((line for line in lines if line["k"] == "sig"), None)
        call = next((line for line in lines if line["k"] == "call" and line["fqn"] == ""), {})
        self.inputs: list[Line] | None = signature["inputs"] if signature else None
        self.outputs: list[Line] | None = signature["outputs"] if signature else None
        self._names: list[str] = call.get("arg_names") or []
        self.parameters, self.call = _parameters(in_spec, self._names)

    def take_any_inputs(self) -> None:
        """Accepts inputs with any names and nesting, for an adapter."""
        self.parameters, self.call = ["*args", "**kwargs"], "(args, kwargs)"

    def fix_constants(self, graph: torch.fx.Graph, decoded: Callable[[Any], Any]) -> None:
        """Finds the inputs that were constants of the export: in the signature, otherwise in the values of the placeholders."""
        nodes = [node for node in graph.nodes if node.op == "placeholder"]
        values: list[Any] = [node.meta.get("val", node) for node in nodes]
        if self.inputs is not None:
            values = [slot if _is_input(slot) else decoded(slot["user"]) for slot in self.inputs if "user" in slot]
        self.fixed = {place: value for place, value in enumerate(values) if type(value) in _CONSTANTS}

    def fix_sizes(self, graph: torch.fx.Graph, guards: Sequence[str] = ()) -> None:
        """Finds the sizes that the export is for, in the values of the placeholders, their ranges in the lines, and the conditions that
        these sizes and the `guards` of the export state.
        """
        nodes = [node for node in graph.nodes if node.op == "placeholder"]
        if self.inputs is not None:
            nodes = [node for node, slot in zip(nodes, self.inputs) if "user" in slot]
        ranges = {line["sym"]: line for line in self.lines if line["k"] == "range"}
        sizes, numbers = [], []
        for place, node in enumerate(nodes):
            value = node.meta.get("val")
            if isinstance(value, torch.Tensor) and value.layout is torch.strided:
                sizes.append((place, tuple(_bounded(size, ranges) for size in value.shape)))
            elif isinstance(value, torch.SymInt):
                numbers.append((f"number{place}", *_bounded(value, ranges)))
        self.sizes = tuple(sizes)
        if not nests_a_call(self.in_spec):
            return
        stated = [(f"size{place}_{at}", *size) for place, dimensions in sizes for at, size in enumerate(dimensions)]
        bounds = [f"{name} {sign} {bound}" for name, _, *pair in numbers for sign, bound in zip((">=", "<="), pair) if bound is not None]
        of_guards = conditions(guards, input_places(self.in_spec, self._names)) if guards else ()
        self.guards = tuple(dict.fromkeys([*bounds, *equalities([*stated, *numbers]), *of_guards]))

    def constants(self) -> frozenset[str]:
        """Names of tensors that are constants in the signature."""
        return frozenset(slot["constant"] for slot in self.inputs or () if "constant" in slot)

    def state(self) -> list[str]:
        """Names of the parameters, buffers, and constants that the program reads or writes."""
        slots = [*(self.inputs or ()), *(self.outputs or ())]
        return [slot[kind] for slot in slots for kind in (*_STATE, *_WRITES[:2]) if kind in slot]

    def object_called(self, name: str) -> Any:
        if name not in self.objects:
            raise SunderError(f"needs the custom object {name}, which files of Sunder cannot contain")
        return self.objects[name]

    def filled(self, module: torch.nn.Module, users: Sequence[Any]) -> list[Any]:
        """Returns a value for each placeholder, from the module or the flat inputs."""
        slots, given = self.inputs or (), iter(users)
        return [next(given) if "user" in slot else self._value(module, slot) for slot in slots] or list(users)

    def _value(self, module: torch.nn.Module, slot: Line) -> Any:
        kind = next(iter(slot))
        if kind in _STATE:
            return functools.reduce(getattr, slot[kind].split("."), module)
        return torch.tensor([]) if kind == "token" else self.object_called(slot.get("object", kind))

    def results(self, module: torch.nn.Module, given: Sequence[Any], outputs: Any) -> Any:
        """Applies mutations of the program and returns its nested results. `given`: a value for each placeholder."""
        if self.outputs is None:
            return outputs if self.out_spec is None else pytree.tree_unflatten(_listed(outputs), self.out_spec)
        inputs = {slot["user"]["n"]: value for slot, value in zip(self.inputs or (), given) if _is_input(slot)}
        copies: dict[int, Any] = {}
        for slot, result in zip(self.outputs, outputs):
            kind = next((kind for kind in _WRITES if kind in slot), None)
            if kind:
                target: Any = inputs[slot[kind]] if kind == "input_mutation" else functools.reduce(getattr, slot[kind].split("."), module)
                copies[id(result)] = target.copy_(result)
        kept = [copies.get(id(result), result) for slot, result in zip(self.outputs, outputs) if _is_result(slot)]
        return tuple(kept) if self.out_spec is None else pytree.tree_unflatten(kept, self.out_spec)

    def users(self) -> int | None:
        """The number of flat inputs; None if it is the number of placeholders."""
        return None if self.inputs is None else sum("user" in slot for slot in self.inputs)

    def check(self, graph: torch.fx.Graph) -> None:
        """Checks that the signature fits the graph, since code is generated slot by slot."""
        takes = sum(node.op == "placeholder" for node in graph.nodes)
        results = _listed(next(node for node in reversed(graph.nodes) if node.op == "output").args[0])
        users = takes if (count := self.users()) is None else count
        kept = len(results) if self.outputs is None else sum(map(_is_result, self.outputs))
        for count, slots, what in ((takes, self.inputs, "inputs"), (len(results), self.outputs, "outputs")):
            if slots is not None and len(slots) != count:
                raise SunderError(f"the signature lists {len(slots)} {what}, but the graph has {count}", code="malformed")
        if any("gradient" in slot for slot in self.outputs or ()):
            self.out_spec = None  # the model's spec has no gradients, so all results are flat
        for count, spec, what in ((users, self.in_spec, "inputs"), (kept, self.out_spec, "outputs")):
            if spec is not None and spec.num_leaves != count:
                raise SunderError(f"the call nests {spec.num_leaves} {what}, but the graph has {count}", code="malformed")


def _bounded(size: Any, ranges: Mapping[str, Line]) -> tuple[Any, Any, Any]:
    """A size, or a symbol with its bounds. As in torch.export, a lower bound of up to 2 is dropped."""
    if not isinstance(size, torch.SymInt):
        return int(size), None, None
    text = str(size.node.expr)
    line = ranges.get(text, {})
    low, high = line.get("min"), line.get("max")
    return text, low if isinstance(low, int) and low > 2 else None, high if isinstance(high, int) else None


class ProgramCodeGen(_PyTreeCodeGen):
    """Generates two functions: `forward` has the parameters of the model and calls the one with the body, in which parameters
    cannot hide names of torch.
    """

    def __init__(self, program: ProgramCall) -> None:
        super().__init__(_PyTreeInfo(list(program.parameters), program.in_spec, program.out_spec))  # type: ignore[arg-type]
        self.program = program
        self._placeholders: list[torch.fx.Node] = []
        self._name: Callable[[str], str] = str
        self._flat_inputs = ""  # the name of `flat_inputs` in the code
        self._targets: dict[str, str] = {}  # by placeholder of a written input: the variable that keeps it
        self._graph: Callable[[], torch.fx.Graph | None] = lambda: None
        self._given: list[Any] = []  # a value for each placeholder, while an interpreter runs

    def belongs_to(self, graph: torch.fx.Graph) -> None:
        """Sets the graph whose inputs and outputs interpreters process."""
        self._graph = weakref.ref(graph)

    def __deepcopy__(self, memo: dict[int, Any]) -> ProgramCodeGen:
        return type(self)(copy.deepcopy(self.program, memo))

    def process_inputs(self, *inputs: Any) -> Any:
        """Prepares inputs for interpreters: the inputs of `forward`, flat inputs, or one value per placeholder."""
        graph = self._graph()
        module = graph.owning_module if graph is not None else None
        flat = pytree.arg_tree_leaves(*inputs)
        if self.program.users() in (None, len(flat)):
            if nests_a_call(self.program.in_spec):
                check_constants(flat, self.program.in_spec, self.program.fixed)
                check_sizes(flat, self.program.in_spec, self.program.sizes, self.program.guards)
            flat = flat if module is None else self.program.filled(module, flat)
        self._given = flat
        return flat

    def process_outputs(self, outputs: Any) -> Any:
        graph, given, self._given = self._graph(), self._given, []
        module = graph.owning_module if graph is not None else None
        return outputs if module is None else self.program.results(module, given, outputs)

    def _gen_python_code(self, nodes: Any, root_module: str, namespace: Any, *args: Any, **kwargs: Any) -> Any:
        self.belongs_to(nodes.graph)
        namespace.create_name(root_module, None)  # reserves the name of the module
        self._placeholders = [node for node in nodes if node.op == "placeholder"]
        self._name = lambda name: namespace.create_name(name, None)
        self._flat_inputs = self._name(flat_inputs.__name__)
        written = [slot["input_mutation"] for slot in self.program.outputs or () if "input_mutation" in slot]
        self._targets = {name: self._name("target") for name in written}
        before = [node.target for node in self._placeholders]
        try:
            for node in self._placeholders:
                _set(node, "target", repr(node))  # the name of its variable, so that PyTorch adds no second assignment
            code = super()._gen_python_code(nodes, root_module, namespace, *args, **kwargs)
            code.globals[self._flat_inputs] = flat_inputs
            return code
        finally:
            for node, target in zip(self._placeholders, before):
                _set(node, "target", target)
            self._placeholders, self._name, self._targets = [], str, {}

    def gen_fn_def(self, free_vars: list[str], maybe_return_annotation: str, **kwargs: Any) -> str:
        program, names = self.program, [repr(node) for node in self._placeholders]
        body, given = self._name("program"), self._name("given")
        while body in {parameter.lstrip("*") for parameter in program.parameters}:
            body = self._name("program")
        lines = [
            f"def {getattr(self, '_func_name', 'forward')}({', '.join(['self', *program.parameters])}):",
            f"    return {body}(self, {program.call})",
            "",
            f"def {body}(self, {given}){maybe_return_annotation}:",
            *(f"    {annotated}" for annotated in free_vars if ":" in annotated),  # in code for people to read
        ]
        users = names
        if program.inputs is not None:
            users = [name for name, slot in zip(names, program.inputs) if "user" in slot]
        if nests_a_call(program.in_spec):
            fixed = ", ".join(f"{place}: {check_literal(repr(value))}" for place, value in program.fixed.items())
            checks = ", ".join(check_literal(repr(values)) for values in (program.sizes, *([program.guards] if program.guards else [])))
            flat = f"{self._flat_inputs}(self, {given}, {{{fixed}}}, {checks})"
        else:
            flat = given if program.in_spec is None else f"fx_pytree.tree_flatten_spec({given}, self._in_spec)"
        lines.append(f"    {', '.join(users)}, = {flat}" if users else f"    {flat}")
        for name, slot in zip(names, program.inputs or ()):
            if "user" not in slot:
                lines.append(f"    {name} = {_read(slot)}")
        for node, name in zip(self._placeholders, names):
            if node.name in self._targets:
                lines.append(f"    {self._targets[node.name]} = {name}")
        return "\n".join(lines)

    def generate_output(self, output_args: Any, *args: Any, **kwargs: Any) -> str:
        show = kwargs.get("repr_fn") or repr
        results, lines, copies = _listed(output_args), [], {}
        for slot, result in zip(self.program.outputs or (), results):
            kind = next((kind for kind in _WRITES if kind in slot), None)
            if kind:
                target = self._targets[slot[kind]] if kind == "input_mutation" else path_text("self", check_literal(slot[kind]))
                copies[result] = self._name("copied")
                lines.append(f"{copies[result]} = {target}.copy_({show(result)})")
        if self.program.outputs is not None:
            results = [result for slot, result in zip(self.program.outputs, results) if _is_result(slot)]
        shown = [copies[result] if isinstance(result, torch.fx.Node) and result in copies else show(result) for result in results]
        if self.program.out_spec is not None:
            lines.append(f"return pytree.tree_unflatten([{', '.join(shown)}], self._out_spec)")
        elif self.program.outputs is not None:
            lines.append(f"return ({''.join(f'{one}, ' for one in shown)})")
        else:
            lines.append(f"return {show(output_args)}")
        return "\n".join(lines)


def program_of(module: torch.fx.GraphModule) -> ProgramCall | None:
    codegen = module.graph._codegen
    return codegen.program if isinstance(codegen, ProgramCodeGen) else None


def _parameters(spec: pytree.TreeSpec | None, given: Sequence[Any]) -> tuple[list[str], str]:
    """Returns the parameters of the function, and code that nests them by the spec. Inputs that the export got by keyword are
    keyword-only, since their order is that of the export. Keywords that cannot be parameters are passed through **.
    """
    if spec is None:
        return ["*args"], "args"
    children = children_of(spec)
    is_call = spec.type is tuple and [child.type for child in children] == [tuple, dict]
    count = len(children_of(children[0])) if is_call else len(children)
    keys = list(children[1].context) if is_call else []
    named = [key for key in keys if _can_name(key)]
    names = [name for name in given[:count] if _can_name(name) and name not in named]
    if len(set(names)) < count:
        names = [_free(f"arg_{i}", named) for i in range(count)]
    positional = "".join(f"{name}, " for name in names)
    if not is_call:
        return names, f"[{positional}]" if spec.type is list else f"({positional})"
    keywords = [f"{key!r}: {key}" for key in named]
    if len(named) == len(keys):
        return [*names, *(["*", *named] if named else [])], f"(({positional}), {{{', '.join(keywords)}}})"
    others = _free("others", [*names, *named])
    return [*names, *(["*", *named] if named else []), f"**{others}"], f"(({positional}), {{{', '.join([*keywords, f'**{others}'])}}})"


def _can_name(name: Any) -> bool:
    return isinstance(name, str) and is_name(name) and name != "self"


def _free(name: str, taken: Sequence[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _read(slot: Line) -> str:
    """Code that reads the value of a placeholder that is not an input."""
    kind = next(iter(slot))
    if kind in _STATE:
        return path_text("self", slot[kind])
    if kind == "token":
        return "torch.tensor([])"
    return f"self.graph._codegen.program.object_called({slot.get('object', kind)!r})"


def _is_input(slot: Line) -> bool:
    return isinstance(slot.get("user"), dict) and "n" in slot["user"]


def _is_result(slot: Line) -> bool:
    return not ("token" in slot or any(kind in slot for kind in _WRITES))


def _listed(results: Any) -> list[Any]:
    return list(results) if isinstance(results, (tuple, list)) else [results]
