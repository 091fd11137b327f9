"""The module tree of a model and its tensors, as lines of fx-json."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import torch
import torch.utils._pytree as pytree
from torch.export.graph_signature import InputKind
from torch.export.unflatten import InterpreterModuleDispatcher

from ..errors import SunderError
from .fields import described, fields_of, plain_fields
from .lent import KEY, Lent
from .names import class_text
from .program_call import program_of
from .unrunnable import Dispatcher, Unrunnable
from .weights_out import WeightsOut
from .words_out import WordsOut, quoted

if TYPE_CHECKING:
    from .writer import Writer

_ROLES = {InputKind.PARAMETER: "parameter", InputKind.BUFFER: "buffer"}


class ModulesOut:
    def __init__(self, writer: Writer, words: WordsOut, weights: WeightsOut | None, lent: Lent | None) -> None:
        self._writer = writer
        self._words = words
        self._weights = weights
        self._lent = lent
        self._modules: dict[int, str] = {}
        self._tensors: dict[int, tuple[str, bool]] = {}
        self._named: set[tuple[str, int]] = set()
        self._storages: dict[int, str] = {}
        self._kept: list[object] = []
        self._constants: frozenset[str] = frozenset()  # buffers of a program's module that are constants of the program

    def tree(self, root: torch.nn.Module) -> None:
        """Every module of the tree under each of its paths, with tensors and graphs of its own, but not the root's graph."""
        self._modules[id(root)] = ""
        program = program_of(root) if isinstance(root, torch.fx.GraphModule) else None
        self._constants = program.constants() if program else frozenset()
        self._line("module", path="", cls=_class_of(root))
        self._children(root, "")

    def program(self, program: torch.export.ExportedProgram) -> None:
        """Every tensor that an exported program holds, whether its graph uses it or not."""
        self._line("module", path="", cls="torch.export.exported_program.ExportedProgram")
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
                self._line("module", path=path, cls="torch.fx.graph_module.GraphModule")
                self._writer.graph(child.graph, path)
                self.nested_graphs(child, path + ".")

    def spec_of(self, node: torch.fx.Node) -> str | None:
        """The tree spec that a get_attr of an unflattened module reads."""
        found = getattr(node.graph.owning_module, str(node.target), None) if "." not in str(node.target) else None
        return self._words.text(found) if isinstance(found, pytree.TreeSpec) else None

    def _children(self, module: torch.nn.Module, prefix: str) -> None:
        self._own_tensors(module, prefix)
        for name, child in module._modules.items():
            if child is None:
                continue
            path = prefix + name
            if id(child) in self._modules:
                self._line("module", path=path, same=self._modules[id(child)])
                continue
            self._modules[id(child)] = path
            if type(child) is torch.nn.Module:
                self._writer.line(f'{{"k":"module","path":{quoted(path)},"cls":{quoted(_class_of(child))},"leaf":false}}')
            else:
                self._line("module", path=path, cls=_class_of(child), **self._kind(child, path))
            self._children(child, path + ".")
            if isinstance(getattr(child, "graph", None), torch.fx.Graph):
                self._writer.graph(child.graph, path)  # type: ignore[arg-type]

    def _kind(self, module: torch.nn.Module, path: str) -> dict[str, Any]:
        """What a `module` line says beside path and class."""
        if isinstance(module, (Dispatcher, InterpreterModuleDispatcher)):
            return {"calls": [self._writer.graph(call.graph, None) for call in module.call_modules()]}
        if isinstance(getattr(module, "graph", None), torch.fx.Graph):
            return {}
        if isinstance(module, Unrunnable):
            return module.line
        said: dict[str, Any] = {"leaf": True, "attrs": plain_fields(module)}
        if self._lent is not None:
            said[KEY] = len(self._lent.modules)
            self._lent.modules.append(module)
        elif described(module) and (fields := fields_of(module, self._words, path)) is not None:
            said["fields"] = fields
            for key, table in (("no_parameters", module._parameters), ("no_buffers", module._buffers)):
                if absent := [name for name, tensor in table.items() if tensor is None]:
                    said[key] = absent
        return said

    def _own_tensors(self, module: torch.nn.Module, prefix: str) -> None:
        if isinstance(module, (Dispatcher, InterpreterModuleDispatcher)):
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
        if id(tensor) in self._tensors:
            first, was = self._tensors[id(tensor)]
            self._line("tensor", fqn=fqn, same=first, role=role, **({} if persistent == was else {"persistent": persistent}))
            return
        self._tensors[id(tensor)] = fqn, persistent
        self._kept.append(tensor)
        words, layout = self._words, tensor.layout
        text = (
            f'{{"k":"tensor","fqn":{quoted(fqn)},"role":"{role}","persistent":{"true" if persistent else "false"},'
            f'"requires_grad":{"true" if tensor.requires_grad else "false"},"dtype":{words.dtype(tensor.dtype)},'
            f'"shape":{words.items(tensor.shape)}'
        )
        if layout is torch.strided:
            text += f',"stride":{words.items(tensor.stride())},"offset":{tensor.storage_offset()},"storage":"{self._storage(fqn, tensor)}"'
        elif self._weights is not None:
            raise SunderError(f"the tensor {fqn} is {layout}; only strided tensors are written", where={"tensor": fqn})
        text += f',"device":"{tensor.device}","layout":"{str(layout).removeprefix("torch.")}"'
        if self._lent is not None:
            text += f',"{KEY}":{len(self._lent.tensors)}'
            self._lent.tensors.append(tensor)
        self._writer.line(text + "}")

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


def _class_of(module: torch.nn.Module) -> str:
    """Every graph module has a class of its own; the one that it was made from is meant, or the one that its file said."""
    said = module.__dict__.get("_fx_json_class")
    if isinstance(said, str):
        return said
    return class_text(torch.fx.GraphModule if isinstance(module, torch.fx.GraphModule) else type(module))
