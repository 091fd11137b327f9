"""The module tree of a file: graph modules, containers, leaf modules recreated from their fields, and tensors."""

from __future__ import annotations

import warnings
from typing import Any, Mapping, Sequence

import torch
import torch.fx

from ..errors import NotWritten, SunderError, one_line
from .lent import KEY, Lent
from .marks import without_number
from .names import Names
from .region_calls import region_class, region_paths
from .unrunnable import Dispatcher, Unguarded, Unrunnable
from .words_in import WordsIn

Line = Mapping[str, Any]
_PLAIN = "torch.nn.modules.module.Module"
_RESERVED = frozenset(dir(torch.fx.GraphModule)) | frozenset(vars(torch.nn.Module()))
_ABSENT = object()
#: Attributes that PyTorch itself adds to modules and graph modules.
_OF_MODULES = _RESERVED | frozenset(vars(torch.fx.GraphModule(torch.nn.Module(), torch.fx.Graph()))) | {"_in_spec", "_out_spec"}
#: Attributes that a GraphModule assigns together with its graph.
_SET_BY_GRAPHS = frozenset({"graph", "_graph", "_code", "_lineno_map", "_prologue_start", "_in_spec", "_out_spec"})
# : Leaf modules that `attrs` of an older file describes completely, because their constructors take plain values only.
_BY_ATTRIBUTES = ("activation", "dropout", "linear", "batchnorm", "sparse")

_TENSORS_OF_LEAVES = ("weight", "bias", "running_mean", "running_var", "num_batches_tracked")


class ModulesIn:
    def __init__(self, words: WordsIn, names: Names, lent: Lent | None, graph_module: type[torch.fx.GraphModule]) -> None:
        self._words = words
        self._names = names
        self._lent = lent
        self._graph_module = graph_module
        self._at: dict[str, torch.nn.Module] = {}
        self._lent_paths: set[str] = set()
        self._to_finish: list[tuple[torch.nn.Module, dict[str, Any]]] = []

    def build(
        self, lines: Sequence[Line], graphs: Mapping[str, torch.fx.Graph], owners: Mapping[str, str | None], is_program: bool
    ) -> None:
        """Creates all modules. `finish` sets the graphs once everything they read exists. A program has a signature."""
        self._is_program = is_program
        self._graphs = dict(graphs)
        self._graph_at = {path: name for name, path in owners.items() if path is not None}
        if "" not in self._graph_at:
            raise SunderError("has no root graph", code="malformed")
        self._regions = region_paths({path: self._graphs[name] for path, name in self._graph_at.items()})
        self._at[""] = self._with_graph("", _class_of(lines, ""))
        for line in lines:
            if line["path"] in self._graph_at:
                _warn_of_unknown(line["path"], line)
            if line["path"]:
                self._take(line)
        for path in self._graph_at:
            if path not in self._at:
                self._put(path, self._with_graph(path, None))

    def root(self) -> torch.fx.GraphModule:
        root = self._at[""]
        assert isinstance(root, torch.fx.GraphModule)
        return root

    def add_tensor(self, line: Line, tensor: torch.Tensor, role: str) -> None:
        path, _, name = line["fqn"].rpartition(".")
        owner = self._holder(path)
        if path in self._lent_paths:
            return
        _check_member(owner, name)
        if role == "constant" and self._is_program:  # as in PyTorch's module of a program, so that it is copied and moved
            owner._buffers[name] = tensor
            owner._non_persistent_buffers_set.add(name)
        elif role == "constant":
            if name in _RESERVED or name.startswith("__"):
                raise SunderError(f"the tensor {line['fqn']} has the name of an attribute that every module has", code="malformed")
            for module in [owner, *(owner.call_modules() if isinstance(owner, Dispatcher) else [])]:
                module.__dict__[name] = tensor
        elif role == "parameter":
            is_one = isinstance(tensor, torch.nn.Parameter)
            owner._parameters[name] = tensor if is_one else torch.nn.Parameter(tensor, bool(line.get("requires_grad")))  # type: ignore[assignment]
        else:
            owner._buffers[name] = tensor
            if line.get("persistent") is False:
                owner._non_persistent_buffers_set.add(name)

    def tensor_at(self, fqn: str) -> torch.Tensor | None:
        """The tensor object of that name, as the module has it."""
        path, _, name = fqn.rpartition(".")
        owner = self._holder(path)
        for table in (owner._parameters, owner._buffers, owner.__dict__):
            if isinstance(found := table.get(name), torch.Tensor):
                return found
        return None

    def finish(self) -> None:
        """Sets the fields of leaf modules and the lists that they derive from their tensors, then the graphs."""
        for module, fields in self._to_finish:
            module.__dict__.update(fields)
            for name in _TENSORS_OF_LEAVES:
                if type(module) is not torch.nn.Module and not hasattr(module, name):  # older files omit attributes that are None
                    module._parameters[name] = None
            if isinstance(module, torch.nn.RNNBase):
                module._init_flat_weights()
        for path, name in self._graph_at.items():
            self._set_graph(self._at[path], name)

    def add_spec(self, graph: torch.fx.Graph, name: str, spec: Any) -> None:
        """Adds a tree spec that a get_attr of the graph reads."""
        owner = graph.owning_module
        if owner is None:
            return
        if self._lent is None and ("." in name or hasattr(owner, name)):
            raise SunderError(f"the tree spec {name!r:.100} has a name that is taken", code="malformed")
        owner.__dict__[name] = spec

    def add_attribute(self, graph: torch.fx.Graph, target: str, value: Any) -> None:
        """Adds the value of a get_attr node that is neither a tensor nor a module, unless the module has it."""
        *path, name = target.split(".")
        owner: torch.nn.Module | None = graph.owning_module
        for part in path:
            if owner is not None and not hasattr(owner, part):
                owner._modules[part] = torch.nn.Module()
            owner = owner._modules.get(part) if owner is not None else None
        if owner is not None and not hasattr(owner, name) and not name.startswith("__"):
            owner.__dict__[name] = value

    def check_reads(self, graph: torch.fx.Graph, state: Sequence[str] = ()) -> None:
        """Checks that the code of a graph reads only attributes from the file. Python attributes, such as methods of modules,
        would take precedence. `state`: additional names that are read.
        """
        for node in graph.nodes:
            if node.op in ("get_attr", "call_module"):
                self._check_read(graph.owning_module, node.target, node.name)
        for fqn in state:
            self._check_read(graph.owning_module, fqn, None)

    def _check_read(self, module: Any, path: str, node: str | None) -> None:
        for part in path.split("."):
            found = _of_file(module, part)
            if found is _ABSENT and not hasattr(module, part) and not part.startswith("_"):
                return  # missing from the file; calling the graph reports it
            if found is _ABSENT or getattr(module, part, _ABSENT) is not found:
                said = f"{path!r:.100} is read, but {part!r:.100} is an attribute of PyTorch's modules, not of the file"
                raise SunderError(f"the node {node}: {said}" if node else said, where={"node": node} if node else None)
            module = found

    def _set_graph(self, module: torch.nn.Module, name: str) -> None:
        try:
            module.graph = self._graphs[name]  # type: ignore[assignment]
        except (SyntaxError, ValueError, IndexError) as error:  # a method call on a number, two inputs with one name
            raise SunderError(f"torch.fx cannot generate code for the graph {name}: {error}", code="malformed") from None

    def _take(self, line: Line) -> None:
        path = line["path"]
        parent, _, name = path.rpartition(".")
        if parent in self._lent_paths:  # part of a lent module
            self._lent_paths.add(path)
            self._at[path] = self._holder(parent)._modules.get(name) or torch.nn.Module()
        elif line.get("same") is not None:
            if line["same"] not in self._at:
                raise SunderError(f"the module {path} is the same as {line['same']}, which does not precede it", code="malformed")
            if line["same"] in self._lent_paths:
                self._lent_paths.add(path)
            self._put(path, self._at[line["same"]])
        else:
            self._put(path, self._made(path, line))

    def _made(self, path: str, line: Line) -> torch.nn.Module:
        cls = line.get("cls")
        if self._lent is not None and KEY in line:
            self._lent_paths.add(path)
            return self._lent.modules[line[KEY]]
        if path in self._graph_at:
            return self._with_graph(path, cls)
        if line.get("calls") is not None:
            _warn_of_unknown(path, line)
            return self._dispatcher(line["calls"], cls)
        if cls in (None, _PLAIN) and not line.get("leaf") and "unknown" not in line:
            return self._holder_made(line)
        return self._leaf(path, line)

    def _holder_made(self, line: Line) -> torch.nn.Module:
        """Creates a container module, or a plain module with fields below a leaf."""
        made = torch.nn.Module()
        if fields := self._fields(line):
            self._to_finish.append((made, fields))
        return made

    def _leaf(self, path: str, line: Line) -> torch.nn.Module:
        fields = self._fields(line) if "unknown" not in line or "fields" in line else None
        if fields is not None:
            _warn_of_unknown(path, line)
        cls = self._names.module_class(line.get("cls") or "")
        if cls is None or fields is None:
            kind = Unguarded if line.get("cls") == "torch.export._unlift.GuardsFn" else Unrunnable
            kept = {key: value for key, value in line.items() if key not in ("k", "path", "cls")}
            return _called(kind(path, kept), line.get("cls"))
        module = cls.__new__(cls)
        torch.nn.Module.__init__(module)
        for key, table in (("no_parameters", module._parameters), ("no_buffers", module._buffers), ("no_modules", module._modules)):
            table.update(dict.fromkeys(line.get(key) or ()))
        self._to_finish.append((module, fields))
        return module

    def _fields(self, line: Line) -> dict[str, Any] | None:
        """Returns the fields of a module. None if the line lacks a field that its class needs."""
        if "fields" in line:
            try:
                return {name: self._words.value(value, {}) for name, value in line["fields"].items() if _is_field(name)}
            except SunderError as error:
                raise SunderError(f"the module {line['path']} {error.text}", code=error.code, where=error.where) from None
        cls = self._names.module_class(line.get("cls") or "")
        attributes = line.get("attrs")
        if cls is None or attributes is None or cls.__module__.rpartition(".")[2] not in _BY_ATTRIBUTES:
            return None
        if cls is torch.nn.MultiheadAttention or not set(getattr(cls, "__constants__", ())) <= set(attributes):
            return None
        return {name: value for name, value in attributes.items() if _is_field(name)}

    def _with_graph(self, path: str, cls: str | None) -> torch.nn.Module:
        graph_module = region_class(self._graph_module) if path in self._regions else self._graph_module  # type: ignore[arg-type]
        made = graph_module(torch.nn.Module(), torch.fx.Graph())
        return _called(made, cls) if cls not in (None, "torch.fx.graph_module.GraphModule") else made

    def _dispatcher(self, names: list[str], cls: str | None) -> torch.nn.Module:
        calls = {name: self._graph_module(torch.nn.Module(), torch.fx.Graph()) for name in names}  # a graph may be called again
        made = Dispatcher([calls[name] for name in names])
        for name, call in calls.items():
            for table in ("_modules", "_parameters", "_buffers", "_non_persistent_buffers_set"):
                call.__dict__[table] = made.__dict__[table]
            self._set_graph(call, name)
        return _called(made, cls)

    def _put(self, path: str, module: torch.nn.Module) -> None:
        parent, _, name = path.rpartition(".")
        if not name:
            raise SunderError(f"the module path {path!r} has an empty part", code="malformed")
        if parent not in self._lent_paths:
            _check_member(self._holder(parent), name)
            self._holder(parent)._modules[name] = module
        self._at[path] = module

    def _holder(self, path: str) -> torch.nn.Module:
        """Returns the module at a path. Creates a container if the file does not list it."""
        if path not in self._at:
            parent, _, name = path.rpartition(".")
            found = self._holder(parent)._modules.get(name)  # below another name of the same module
            self._at[path] = found if found is not None else torch.nn.Module()
            if found is None:
                self._put(path, self._at[path])
        return self._at[path]


def _warn_of_unknown(path: str, line: Line) -> None:
    """Warns about missing information on a module, and about omitted attributes."""
    if isinstance(unknown := line.get("unknown"), str):
        name = f"the module {path!r:.200}" if path else "the model"
        said = f"{name} is loaded without unknown parts; when it was saved, it {without_number(unknown):.500}"
        warnings.warn(one_line(said), NotWritten, stacklevel=7)


def _check_member(owner: torch.nn.Module, name: str) -> None:
    """Checks that a module or tensor does not replace an attribute that graph modules set."""
    if isinstance(owner, torch.fx.GraphModule) and name in _SET_BY_GRAPHS:
        raise SunderError(f"has a module or tensor named {name!r}, which is an attribute of PyTorch's graph modules", code="malformed")


def _of_file(module: Any, name: str) -> Any:
    """The module, tensor, or field of that name from the file."""
    if not isinstance(module, torch.nn.Module):
        return _ABSENT
    for table in (module._modules, module._parameters, module._buffers):
        if name in table:
            return table[name]
    return _ABSENT if name in _OF_MODULES else vars(module).get(name, _ABSENT)


def _is_field(name: str) -> bool:
    return not name.startswith("__") and name not in _RESERVED - {"training"}


def _class_of(lines: Sequence[Line], path: str) -> str | None:
    return next((line.get("cls") for line in lines if line["path"] == path), None)


def _called(module: torch.nn.Module, cls: str | None) -> torch.nn.Module:
    """Stores the class in the file, to write it again."""
    module.__dict__["_fx_json_class"] = cls
    return module
