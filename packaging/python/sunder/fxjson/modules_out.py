"""The module tree of a model and its tensors, as lines of fx-json."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import torch
import torch.utils._pytree as pytree
from torch.export.graph_signature import InputKind
from torch.export.unflatten import InterpreterModuleDispatcher

from ..errors import SunderError
from .behavior import (
    attributes_read,
    gradient_hooks_of,
    guards_of,
    has_graph,
    hooks_of,
    other_code,
    replaced_call,
    replaced_method,
    unknown_class,
)
from .fields import OF_MODULES, fields_of, plain_fields
from .lent import KEY, Lent
from .literals import Literals
from .marks import Marks
from .names import class_text
from .program_call import program_of
from .tensor_facts import facts, is_lazy, lent_facts, read_attribute, resolved, subclass, lost_gradients
from .unrunnable import Dispatcher, Unrunnable
from .weights_out import WeightsOut
from .words_out import WordsOut, quoted

if TYPE_CHECKING:
    from .writer import Writer

_ROLES = {InputKind.PARAMETER: "parameter", InputKind.BUFFER: "buffer"}
_DISPATCHERS = (Dispatcher, InterpreterModuleDispatcher)
_GUARDS = "torch.export._unlift.GuardsFn"
_ABSENT = object()
_OF_HOLDERS = OF_MODULES | {"training"}


class ModulesOut:
    def __init__(self, writer: Writer, words: WordsOut, weights: WeightsOut | None, lent: Lent | None, marks: Marks) -> None:
        self._writer = writer
        self._words = words
        self._literals = Literals(words)
        self._marks = marks
        self._weights = weights
        self._lent = lent
        self._modules: dict[int, str] = {}
        self._tensors: dict[int, tuple[str, bool]] = {}
        self._named: set[tuple[str, int]] = set()
        self._storages: dict[int, str] = {}
        self._lazy: dict[int, str] = {}  # by memory: a tensor that is its conjugate or negative
        self._kept: list[object] = []
        self._fqns: set[str] = set()  # of tensors
        self._attributes: dict[torch.fx.Node, Any] = {}  # values of get_attr nodes without a line of their own
        self._attributes_read: frozenset[str] = frozenset()
        self._is_program = False
        self._constants: frozenset[str] = frozenset()  # buffers of a program's module that are constants of the program

    def tree(self, root: torch.nn.Module) -> None:
        """Writes every module of the tree under each of its paths, with its tensors and graphs, except the graph of the root."""
        self._modules[id(root)] = ""
        self._attributes_read = attributes_read(root)
        program = program_of(root) if isinstance(root, torch.fx.GraphModule) else None
        self._constants = program.constants() if program else frozenset()
        self._line("module", path="", cls=_class_of(root), **self._unknown(root, "", _why_not_its_graph(root)))
        self._children(root, "", False)

    def program(self, program: torch.export.ExportedProgram) -> None:
        """Writes every tensor of an exported program, used or not."""
        self._line("module", path="", cls="torch.export.exported_program.ExportedProgram")
        self._modules[id(program.graph_module)] = ""
        self._is_program = True
        signature = program.graph_signature
        roles = {spec.target: _ROLES.get(spec.kind, "constant") for spec in signature.input_specs if spec.target is not None}
        passing = set(signature.non_persistent_buffers)
        for fqn, tensor in program.state_dict.items():
            kind = "parameter" if isinstance(tensor, torch.nn.Parameter) else "buffer"
            self._tensor(fqn, tensor, roles.get(fqn, kind), True)
        for fqn, tensor in program.constants.items():
            if isinstance(tensor, torch.Tensor):
                self._tensor(fqn, tensor, roles.get(fqn, "constant"), fqn not in passing)

    def nested_graphs(self, module: torch.nn.Module, prefix: str = "") -> None:
        """Graphs that a graph of an exported program reads: branches of control flow, bodies of regions."""
        for name, child in module._modules.items():
            if isinstance(child, torch.fx.GraphModule) and id(child) not in self._modules:
                path = self._modules[id(child)] = prefix + name
                unknown = self._unknown(child, path, _why_not_its_graph(child))
                self._line("module", path=path, cls="torch.fx.graph_module.GraphModule", **unknown)
                self._writer.graph(child.graph, path, child)
                self.nested_graphs(child, path + ".")

    def find_attributes(self, graph: torch.fx.Graph, owner: torch.nn.Module) -> None:
        """Finds the values of get_attr nodes that have no line of their own: numbers, text, tree specs, other objects."""
        path = self._modules.get(id(owner))
        prefix = f"{path}." if path else ""
        for node in graph.nodes:
            if node.op != "get_attr" or (path is not None and prefix + node.target in self._fqns):
                continue
            found = self._without_line(owner, str(node.target))
            if found is not _ABSENT:
                self._attributes[node] = found
                if self._lent is not None and not isinstance(found, torch.Tensor):
                    self._lent.attributes[node] = found

    def attribute(self, node: torch.fx.Node) -> str | None:
        """Returns the value of a get_attr node that has no line of its own: a literal or a mark. Lent objects other than tree
        specs have no text.
        """
        found = self._attributes.get(node, _ABSENT)
        if found is _ABSENT:
            return None
        if self._lent is not None:
            return self._words.text(found) if isinstance(found, pytree.TreeSpec) else None
        try:
            return self._literals.literal(found)
        except SunderError:
            cls = class_text(type(found))
        said = f"the attribute {str(node.target)!r} that the node {node.name!r} reads is saved as unknown: it is a {cls}"
        return json.dumps({"obj": self._marks.mark(found, str(node.target), said), "cls": cls}, ensure_ascii=False)

    def _without_line(self, owner: torch.nn.Module, target: str) -> Any:
        """The attribute at a path. _ABSENT if there is none, or if it is a tensor or a module of the model."""
        holder, found, is_below = None, owner, True
        for name in target.split("."):
            holder = found
            try:
                found = getattr(holder, name)
            except Exception:  # also of properties
                return _ABSENT
            is_below = is_below and isinstance(holder, torch.nn.Module) and holder._modules.get(name, _ABSENT) is found
        if isinstance(found, torch.Tensor) and isinstance(holder, torch.nn.Module) and not self._is_program:
            tables = holder._parameters, holder._buffers, {} if name.startswith("__") else vars(holder)
            return _ABSENT if any(table.get(name) is found for table in tables) else found
        return _ABSENT if is_below and found is not None else found

    def _children(self, module: torch.nn.Module, prefix: str, is_below_leaf: bool) -> None:
        """The tensors of a module, and the modules below it. `is_below_leaf`: it is a leaf, or a part of one."""
        self._own_tensors(module, prefix)
        for name, child in module._modules.items():
            if child is None:
                continue
            path = prefix + name
            if id(child) in self._modules:
                self._line("module", path=path, same=self._modules[id(child)])
                continue
            self._modules[id(child)] = path
            if type(child) is torch.nn.Module and vars(child).keys() == _OF_HOLDERS:
                self._writer.line(f'{{"k":"module","path":{quoted(path)},"cls":{quoted(_class_of(child))},"leaf":false}}')
                said: dict[str, Any] = {}
            else:
                said = self._kind(child, path, is_below_leaf)
                self._line("module", path=path, cls=_class_of(child), **said)
            self._children(child, path + ".", is_below_leaf or said.get("leaf", False))
            if has_graph(child) and "leaf" not in said:
                self._writer.graph(child.graph, path, child)  # type: ignore[arg-type]

    def _kind(self, module: torch.nn.Module, path: str, is_below_leaf: bool) -> dict[str, Any]:
        """Returns the members of a `module` line except path and class."""
        runs_graphs = isinstance(module, _DISPATCHERS) or has_graph(module)
        if runs_graphs and not self._is_lent_whole(module, is_below_leaf):
            unknown = self._unknown(module, path, _why_not_its_graph(module))
            if has_graph(module):
                return unknown
            return {"calls": [self._writer.graph(call.graph, None, call) for call in module.call_modules()], **unknown}  # type: ignore[operator]
        if isinstance(module, Unrunnable):
            return {**module.line, **self._unknown(module, path, hooks_of(module))}
        if type(module) is torch.nn.Module and not is_below_leaf and "forward" not in vars(module):
            return {"leaf": False}
        said: dict[str, Any] = {"leaf": type(module) is not torch.nn.Module or self._lent is not None, "attrs": plain_fields(module)}
        if self._lent is not None:
            said[KEY] = len(self._lent.modules)
            self._lent.modules.append(module)
            return said
        why = self._add_fields(module, said)
        return {**said, **self._unknown(module, path, why)}

    def _is_lent_whole(self, module: torch.nn.Module, is_below_leaf: bool) -> bool:
        """Whether a module with graphs is lent as a leaf: it does more than run its graph, or it is part of a leaf. A dispatcher
        is lent with its submodules.
        """
        if self._lent is None or is_below_leaf:
            return self._lent is not None
        below = module.modules() if isinstance(module, _DISPATCHERS) else [module]
        return any(_why_not_its_graph(one) or gradient_hooks_of(one) for one in below if isinstance(one, _DISPATCHERS) or has_graph(one))

    def _add_fields(self, module: torch.nn.Module, said: dict[str, Any]) -> str | None:
        """Adds all data of a leaf module. Otherwise returns the reason why it is unknown."""
        if class_text(type(module)) == _GUARDS and (guards := guards_of(vars(module).get("forward"))) is not None:
            said["guards"] = guards
            return hooks_of(module)
        why = hooks_of(module) or replaced_method(module) or unknown_class(module) or self._special_tensor(module)
        if why is None:
            try:
                said["fields"] = fields_of(module, self._literals)
            except SunderError as error:
                why = error.text
        tables: dict[str, dict[str, Any]] = {
            "no_parameters": module._parameters,
            "no_buffers": module._buffers,
            "no_modules": module._modules,
        }
        said.update({key: absent for key, table in tables.items() if (absent := [name for name, one in table.items() if one is None])})
        return why

    def _special_tensor(self, module: torch.nn.Module) -> str | None:
        tables = module._parameters, module._buffers, vars(module)
        tensors = [(name, one) for table in tables for name, one in table.items() if isinstance(one, torch.Tensor)]
        return next((f"has a tensor {name} that {why}" for name, one in tensors if (why := subclass(one))), None)

    def _unknown(self, module: torch.nn.Module, path: str, why: str | None) -> dict[str, str]:
        """Returns the member `unknown` of a `module` line, with a warning. Empty if the line is complete."""
        why = why or gradient_hooks_of(module)
        if why is None or self._lent is not None:
            return {}
        name = f"the module {path!r}" if path else "the model"
        return {"unknown": self._marks.mark(module, why, f"{name} is saved as unknown: it {why}")}

    def _own_tensors(self, module: torch.nn.Module, prefix: str) -> None:
        if isinstance(module, _DISPATCHERS):
            for call in module.call_modules():
                self._own_tensors(call, prefix)
            return
        for name, parameter in module._parameters.items():
            if parameter is not None:
                self._tensor(prefix + name, parameter, "parameter", True)
        for name, buffer in module._buffers.items():
            if buffer is not None:
                is_constant = prefix + name in self._constants
                persistent = is_constant or name not in module._non_persistent_buffers_set
                self._tensor(prefix + name, buffer, "constant" if is_constant else "buffer", persistent)
        for name, value in vars(module).items():
            if isinstance(value, torch.Tensor) and not name.startswith("__"):
                self._tensor(prefix + name, value, "constant", True)

    def _tensor(self, fqn: str, tensor: torch.Tensor, role: str, persistent: bool) -> None:
        if (fqn, id(tensor)) in self._named:
            return
        self._named.add((fqn, id(tensor)))
        self._fqns.add(fqn)
        if id(tensor) in self._tensors:
            first, was = self._tensors[id(tensor)]
            self._line("tensor", fqn=fqn, same=first, role=role, **({} if persistent == was else {"persistent": persistent}))
            return
        self._tensors[id(tensor)] = fqn, persistent
        self._kept.append(tensor)
        if torch.nn.parameter.is_lazy(tensor):
            raise SunderError(f"the tensor {fqn} is not initialized; call the model once", where={"tensor": fqn})
        words, layout, requires_grad = self._words, tensor.layout, "true" if tensor.requires_grad else "false"
        if self._lent is None:
            more, tensor = self._facts(fqn, tensor)
        else:
            more = f'{lent_facts(tensor)},"{KEY}":{len(self._lent.tensors)}'
            self._lent.tensors.append(tensor)
        text = (
            f'{{"k":"tensor","fqn":{quoted(fqn)},"role":"{role}","persistent":{"true" if persistent else "false"},'
            f'"requires_grad":{requires_grad},"dtype":{words.dtype(tensor.dtype)},'
            f'"shape":{words.items(tensor.shape)}'
        )
        if layout is torch.strided:
            text += f',"stride":{words.items(tensor.stride())},"offset":{tensor.storage_offset()},"storage":"{self._storage(fqn, tensor)}"'
        elif self._weights is not None:
            raise SunderError(f"the tensor {fqn} is {layout}; only strided tensors are written", where={"tensor": fqn})
        self._writer.line(f'{text},"device":"{tensor.device}","layout":"{str(layout).removeprefix("torch.")}"{more}}}')

    def _facts(self, fqn: str, tensor: torch.Tensor) -> tuple[str, torch.Tensor]:
        """Returns the members of a tensor's line except its memory, and the tensor whose memory is written for it."""
        more = facts(fqn, tensor)
        why = subclass(tensor) or lost_gradients(tensor) or read_attribute(tensor, self._attributes_read)
        if why is not None:
            more += f',"unknown":{quoted(self._marks.mark(tensor, why, f"the tensor {fqn!r} is saved as unknown: it {why}"))}'
        if tensor.layout is not torch.strided:
            return more, tensor
        key = self._words.storage_key(tensor)
        if (lazy := fqn if is_lazy(tensor) else self._lazy.get(key)) and (key in self._storages or key in self._lazy):
            said = f"the tensor {lazy} is the conjugate or negative of another tensor in the same memory; give it separate memory"
            raise SunderError(f"{said}: resolve_conj(), resolve_neg()", where={"tensor": lazy})
        if not is_lazy(tensor):
            return more, tensor
        self._lazy[key] = fqn
        self._kept.append(tensor := resolved(tensor))
        return more, tensor

    def _storage(self, fqn: str, tensor: torch.Tensor) -> str:
        key = self._words.storage_key(tensor)
        if key not in self._storages:
            self._storages[key] = f"s{len(self._storages)}"
            storage = tensor.untyped_storage()
            place = f',"at":{json.dumps(self._weights.add(fqn, storage), ensure_ascii=False)}' if self._weights else ""
            self._writer.line(f'{{"k":"storage","id":"{self._storages[key]}","nbytes":{storage.nbytes()}{place}}}')
        return self._storages[key]

    def _line(self, kind: str, **members: Any) -> None:
        self._writer.line(json.dumps({"k": kind, **members}, ensure_ascii=False, allow_nan=False))


def _why_not_its_graph(module: torch.nn.Module) -> str | None:
    """Why a call of a module with graphs does not compute what its graphs describe."""
    return hooks_of(module) or replaced_call(module) or (other_code(module) if has_graph(module) else None)


def _class_of(module: torch.nn.Module) -> str:
    """Returns the class of a module. For a graph module, which has a generated class, the class of its source or file."""
    said = module.__dict__.get("_fx_json_class")
    if isinstance(said, str):
        return said
    return class_text(torch.fx.GraphModule if isinstance(module, torch.fx.GraphModule) else type(module))
