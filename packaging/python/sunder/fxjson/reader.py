"""Lines of fx-json as a graph module that runs. One pass over the file, linear in nodes."""

from __future__ import annotations

import json
import pathlib
import warnings
from typing import Any, Iterable, Mapping, Sequence

import torch
import torch.fx
from torch.fx.passes.graph_manipulation import size_bytes
from torch.fx.graph import CodeGen
from torch.fx.node import map_arg

from ..errors import NotWritten, SunderError, WithoutWeights, one_line
from .code_text import check_keywords, check_name, check_path
from .collector import without_collector
from .guards import guards_of_errors
from .lean_lines import CALLS
from .lent import KEY, Lent
from .marks import without_number
from .modules_in import ModulesIn
from .names import INVOKE_SUBGRAPH, TAKES_A_TUPLE, Names, is_attribute, is_method
from .node_meta import FORWARD_STACK, GUARDS, KEPT, PLACE, training_notes
from .program_call import ProgramCall, ProgramCodeGen, program_of
from .region_calls import call_regions
from .root_name import keep_root_name
from .specs import spec_of_text
from .symbols import Symbols
from .tensor_facts import empty_quantized
from .values_in import ValuesIn
from .weights_in import WeightsIn
from .words_in import WordsIn

VERSION = [1, 0]
LENT_VERSION = [1, 1]  # with copies of lent nodes
_set = object.__setattr__  # Node's own looks the node up in tables of ops and targets, which do not change here
_OPS = frozenset({"placeholder", "get_attr", "call_function", "call_method", "call_module", "output"})
_MOST_PARTS = 128  # of a path
_OF_VALUES = {"tensor", "sym", "obj", "n", "graph", "const"}  # words that are not literals

Line = dict[str, Any]


class Reader:
    """Reads one file. With `lent`, objects lent by the source are returned. `weights`: tensors by name that the file lacks."""

    def __init__(
        self,
        folder: pathlib.Path,
        trust: Sequence[str] = (),
        lent: Lent | None = None,
        weights: Mapping[str, torch.Tensor] | None = None,
        objects: Mapping[str, Any] | None = None,
        codegen: CodeGen | None = None,
        graph_module: type[torch.fx.GraphModule] = torch.fx.GraphModule,
    ) -> None:
        self._lent = lent
        self._weights = dict(weights or {})
        self._objects = dict(objects or {})
        self._archives = WeightsIn(folder)
        self._codegen = codegen
        self._names = Names(trust)
        self._symbols = Symbols()
        self._words = WordsIn(self._names, self._symbols, lent)
        self._values = ValuesIn(self._words, self._symbols)
        self._modules = ModulesIn(self._words, self._names, lent, graph_module)
        self._graphs: dict[str, torch.fx.Graph] = {}
        self._env: dict[str, dict[str, torch.fx.Node]] = {}
        self._owners: dict[str, str | None] = {}
        self._users: list[tuple[str, str, list[str]]] = []
        self._specs: list[tuple[str, torch.fx.Node, Any]] = []
        self._attributes: list[tuple[str, torch.fx.Node, Any]] = []  # literals that get_attr nodes read
        self._strings: dict[Any, str] = {None: ""}
        self._stacks: dict[Any, dict[str, tuple[str, str]]] = {None: {}}
        self._early: list[tuple[torch.fx.Node, Line]] = []  # nodes that precede their stacks
        self._copies: dict[str, dict[torch.fx.Node, torch.fx.Node]] = {}  # by graph: the last copy of each lent node
        self._lines: dict[str, list[Line]] = {kind: [] for kind in ("storage", "tensor", "module", "sig", "call", "range")}
        self._nodes = 0
        self._end: int | None = None
        self._guards: list[str] = []  # of the exported program from which the file was made

    def read(self, texts: Iterable[str]) -> torch.fx.GraphModule:
        return self._read((number, text) for number, text in enumerate(texts, 1) if text.strip())

    def read_whole(self, text: str) -> torch.fx.GraphModule:
        """Reads a text in memory, whose lines are parsed at once: output of sunder-cli, which is trusted to be well-formed."""
        return self._read(enumerate(json.loads("[" + text.rstrip().replace("\n", ",") + "]"), 1))

    @without_collector
    def _read(self, lines: Iterable[tuple[int, Any]]) -> torch.fx.GraphModule:
        """`lines`: numbered, as text or parsed."""
        for number, line in lines:
            try:
                self._take(json.loads(line) if isinstance(line, str) else line, number)
            except SunderError as error:
                raise SunderError(error.text, code=error.code, where={**error.where, "line": number}) from None
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                said = f"line {number} is not a line of fx-json: {type(error).__name__}: {error}"
                raise SunderError(said, code="malformed", where={"line": number}) from None
        if self._end is None:
            raise SunderError("ends without an end line: it is truncated", code="malformed")
        try:
            return self._assembled()
        finally:
            self._archives.close()

    def _take(self, line: Line, number: int) -> None:
        kind = line["k"]
        if number == 1 or kind == "fx-json":
            _check_header(line, number, VERSION if self._lent is None else LENT_VERSION)
            self._guards = _guards(line)
        elif kind == "node":
            self._take_node(line)
        elif kind == "copies":
            self._take_copies(line)
        elif kind in self._lines:
            self._lines[kind].append(line)
        elif kind == "graph":
            graph = torch.fx.Graph()
            self._graphs[line["id"]], self._env[line["id"]], self._owners[line["id"]] = graph, {}, line["module"]
            self._copies[line["id"]] = {}
        elif kind == "str":
            self._strings[line["id"]] = line["s"]
        elif kind == "stack":
            self._stacks[line["id"]] = {key: (path, cls) for key, path, cls in line["mods"]}
        elif kind == "end":
            self._end = line["nodes"]
            if self._end != self._nodes:
                raise SunderError(f"has {self._nodes} nodes, but its end line says {self._end}", code="malformed")

    def _take_node(self, line: Line) -> None:
        name = line["name"]
        try:
            self._make_node(line, name)
        except SunderError as error:
            raise SunderError(f"the node {name} {error.text}", code=error.code, where={**error.where, "node": name}) from None

    def _make_node(self, line: Line, name: str) -> None:
        graph, env, op, target = self._graphs[line["g"]], self._env[line["g"]], line["op"], line["target"]
        if op == "call_function":
            target = self._words.function(target)
        else:
            _check_target(op, target, self._lent is not None)
        args = tuple(self._words.value(line["args"], env))
        if target is INVOKE_SUBGRAPH and TAKES_A_TUPLE and not isinstance(args[2], tuple):
            args = (*args[:2], args[2:])
        kwargs = {key: self._words.value(value, env) for key, value in line["kwargs"]}
        if self._lent is None:
            check_keywords(kwargs)
            if target is getattr:
                _check_attribute(args)
        node = graph.create_node(op, target, None, None, name)
        _set(node, "args", args)  # create_node would look through arguments for symbols, one by one
        if kwargs:
            _set(node, "kwargs", kwargs)
        if node.name != name:
            _rename(node, name)
        env[name] = node
        self._nodes += 1
        self._take_meta(line, node)

    def _take_copies(self, line: Line) -> None:
        """Copies lent nodes; nodes in their arguments are replaced by their last copies."""
        if self._lent is None:
            raise SunderError("has copies of nodes from another file", code="unsupported")
        graph, env, made = self._graphs[line["g"]], self._env[line["g"]], self._copies[line["g"]]
        nodes, find = self._lent.root, made.__getitem__
        for position in line["of"]:
            source = nodes[position]
            name = source.name
            node = graph.create_node(source.op, source.target, None, None, name, source.type)
            _set(node, "args", map_arg(source.args, find))  # create_node would look through arguments for symbols, one by one
            if source.kwargs:
                _set(node, "kwargs", map_arg(source.kwargs, find))
            if node.name != name:
                _rename(node, name)
            node.meta.update(source.meta)
            if source.op in CALLS and isinstance(tag := getattr(source, "tag", None), str):
                _set(node, "tag", tag)
            made[source] = env[name] = node
        self._nodes += len(line["of"])

    def _take_meta(self, line: Line, node: torch.fx.Node) -> None:
        notes = line.get("meta") or {}
        if self._lent is not None:
            number = notes.get(KEY)
            source = self._lent.nodes[number] if number is not None else None
            if source is not None:
                node.meta.update(source.meta)
                if "type" in line:
                    node.type = source.type
                self._copies[line["g"]][source] = node
        else:
            self._take_facts(line, node, notes)
        if _is_spec(line):
            self._specs.append((line["g"], node, self._words.value(line["val"], {})))
        if "tag" in line:
            _set(node, "tag", line["tag"])
        if "users" in line:
            self._users.append((line["g"], line["name"], line["users"]))

    def _take_facts(self, line: Line, node: torch.fx.Node, notes: Line) -> None:
        kept = {key: line[key] for key in KEPT if key in line}
        if "type" in line:
            node.type = self._words.class_called(line["type"])
            if node.type is None:
                kept["type"] = line["type"]
        if line.get("mods") in self._stacks and line.get("trace") in self._strings:
            _take_texts(line, node, self._stacks, self._strings)
        else:
            self._early.append((node, line))
        if "out_type" in line and (kind := self._words.class_called(line["out_type"])):
            node.meta["type"] = kind
        if "size_bytes" in line:
            node.size_bytes = size_bytes(line["size_bytes"]["output"], line["size_bytes"]["total"])
        if "custom" in notes:
            node.meta["custom"] = notes["custom"]
        node.meta.update(training := training_notes(notes))
        if others := {key: value for key, value in notes.items() if key not in (*training, "custom", FORWARD_STACK)}:
            kept["meta"] = others
        if "val" in line and not _is_spec(line) and not self._take_attribute(line, node):
            self._values.put(line, node.meta, kept)
        if kept:
            node.meta[PLACE] = kept

    def _take_attribute(self, line: Line, node: torch.fx.Node) -> bool:
        """Whether a node reads a literal value, which becomes an attribute of the module."""
        if line["op"] != "get_attr" or "val_from" in line or not _is_literal(line["val"]):
            return False
        try:
            self._attributes.append((line["g"], node, self._words.value(line["val"], {})))
        except SunderError:  # a function of a package that is not trusted
            return False
        return True

    # ---- building the result -------------------------------------------------------------------------

    def _assembled(self) -> torch.fx.GraphModule:
        for graph, name, users in self._users:
            _order_users(self._env[graph][name], [self._env[graph][user] for user in users if user in self._env[graph]])
        for key, made in self._graphs.items():
            if made.nodes and next(iter(reversed(made.nodes))).op == "placeholder":  # PyTorch generates no code for such a graph
                raise SunderError(f"the graph {key} has only inputs", code="malformed")
        for node, line in self._early:
            _take_texts(line, node, self._stacks, self._strings)
        self._modules.build(self._lines["module"], self._graphs, self._owners, bool(self._lines["sig"]))
        self._read_tensors()
        root = self._modules.root()
        self._set_codegen()
        keep_root_name(self._graphs.values())
        call_regions(self._graphs.values())
        self._symbols.bound(self._lines["range"])
        self._modules.finish()
        for graph, node, spec in self._specs:
            self._modules.add_spec(self._graphs[graph], str(node.target), spec)
        for graph, node, value in self._attributes:
            self._modules.add_attribute(self._graphs[graph], str(node.target), value)
        if self._lent is not None and self._lent.attributes:
            self._add_lent_attributes(self._lent.attributes)
        if self._lent is None:
            for made in self._graphs.values():
                self._modules.check_reads(made)
            self._modules.check_reads(root.graph, program.state() if (program := program_of(root)) else ())
        if self._guards:
            root.meta[GUARDS] = self._guards
        return root

    def _add_lent_attributes(self, lent: Mapping[torch.fx.Node, Any]) -> None:
        for key, copies in self._copies.items():
            for source, node in copies.items():
                if source in lent:
                    self._modules.add_attribute(self._graphs[key], str(node.target), lent[source])

    def _set_codegen(self) -> None:
        """The root of a program flattens its inputs, reads state, and nests its outputs."""
        lines = [*self._lines["sig"], *self._lines["call"], *self._lines["range"]]
        call = next((line for line in self._lines["call"] if line["fqn"] == ""), {})
        root = next(name for name, path in self._owners.items() if path == "")
        if not self._lines["sig"] and call.get("in_spec") is None:
            if self._codegen is not None:
                self._graphs[root].set_codegen(self._codegen)
            return
        in_spec, out_spec = self._spec(call.get("in_spec")), self._spec(call.get("out_spec"))
        program = ProgramCall(lines, in_spec, out_spec, self._objects)
        program.check(self._graphs[root])
        program.fix_constants(self._graphs[root], lambda value: self._words.value(value, {}))
        checked = (guard for line in self._lines["module"] for guard in guards_of_errors(line.get("guards")))
        program.fix_sizes(self._graphs[root], [*self._guards, *checked])
        self._graphs[root].set_codegen(ProgramCodeGen(program))

    def _spec(self, text: str | None) -> Any:
        if text and self._lent is not None and text.startswith(KEY):
            return self._lent.borrowed(text)
        return spec_of_text(text) if text else None

    def _read_tensors(self) -> None:
        storages = {line["id"]: line for line in self._lines["storage"]}
        memory: dict[str, torch.UntypedStorage | None] = {}
        missing: list[str] = []
        roles: dict[str, str] = {}
        unknown = set(self._weights)
        for line in self._lines["tensor"]:
            fqn = line["fqn"]
            if fqn.count(".") > _MOST_PARTS:
                raise SunderError(f"a tensor's name has {fqn.count('.')} parts", code="malformed")
            if line.get("same") is not None:
                tensor = self._modules.tensor_at(line["same"])
                role = line.get("role") or roles.get(line["same"], "buffer")
                if tensor is None:
                    raise SunderError(f"the tensor {fqn} is the same as {line['same']}, which does not precede it", code="malformed")
            else:
                role = line["role"]
                tensor = self._tensor(line, storages, memory, missing)
            roles[fqn] = role
            unknown.discard(fqn)
            self._modules.add_tensor(line, tensor, role)
        if unknown:
            raise SunderError(f"has no tensors named {_listed(sorted(map(str, unknown)))}, which weights=… names", code="usage")
        if missing:
            names = _listed(missing)
            warnings.warn(f"the file lacks the contents of {names}: pass them as weights=…", WithoutWeights, stacklevel=5)

    def _tensor(
        self, line: Line, storages: Mapping[str, Line], memory: dict[str, torch.UntypedStorage | None], missing: list[str]
    ) -> torch.Tensor:
        if self._lent is not None and KEY in line:
            return self._lent.tensors[line[KEY]]
        if line["fqn"] in self._weights:
            return _given(line, self._weights[line["fqn"]])
        if isinstance(unknown := line.get("unknown"), str):
            said = f"the tensor {line['fqn']!r:.200} is loaded as a plain tensor; when it was saved, it {without_number(unknown):.500}"
            warnings.warn(one_line(said), NotWritten, stacklevel=6)
        dtype, key = getattr(torch, line["dtype"]), line.get("storage")
        if key is not None and key not in memory:
            memory[key] = self._archives.storage(storages[key])
        storage = memory.get(key) if key is not None else None
        shape, stride = self._sizes(line["shape"]), self._sizes(line["stride"]) if "stride" in line else None
        if storage is None:
            missing.append(line["fqn"])
            return torch.empty_strided(shape, stride, dtype=dtype, device="meta") if stride else torch.empty(shape, dtype=dtype, device="meta")
        try:
            empty = empty_quantized(line["quantizer"], dtype, shape) if "quantizer" in line else torch.empty(0, dtype=dtype)
            made = empty.set_(storage, line.get("offset") or 0, shape, stride or ())
        except SunderError as error:
            raise SunderError(f"the tensor {line['fqn']} {error.text}", code=error.code) from None
        except (RuntimeError, TypeError) as error:
            raise SunderError(f"the tensor {line['fqn']} does not fit its storage: {error}", code="malformed") from None
        device = line.get("device") or "cpu"
        return made if device == "cpu" else made.to(device)

    def _sizes(self, sizes: Sequence[Any]) -> list[int]:
        if not all(isinstance(size, int) for size in sizes):
            raise SunderError("a stored tensor has a size that is not a number", code="malformed")
        return list(sizes)


def _given(line: Line, tensor: Any) -> torch.Tensor:
    """Returns the tensor that the caller passes for a name, checked against the file."""
    if not isinstance(tensor, torch.Tensor):
        raise SunderError(f"weights=… has a {type(tensor).__name__} for {line['fqn']!r}, not a tensor", code="usage")
    found, wanted = (str(tensor.dtype).removeprefix("torch."), list(tensor.shape)), (line["dtype"], list(line["shape"]))
    if found != wanted:
        said = f"weights=… has {found[0]} {found[1]} for {line['fqn']!r}, which is {wanted[0]} {wanted[1]} in the file"
        raise SunderError(said, code="usage")
    return tensor


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} others" if len(names) > 3 else "")


def _is_spec(line: Line) -> bool:
    """Whether a node reads a tree spec, as in unflattened modules."""
    val = line.get("val")
    return line["op"] == "get_attr" and isinstance(val, dict) and val.get("cls") == "torch.utils._pytree.TreeSpec"


def _is_literal(value: Any) -> bool:
    """Whether a value in a file is the attribute that a node reads, not a description of it."""
    if isinstance(value, dict):
        return not _OF_VALUES & value.keys() and all(map(_is_literal, value.values()))
    return not isinstance(value, list) or all(map(_is_literal, value))


def _check_header(line: Line, number: int, version: list[int]) -> None:
    if number != 1 or line["k"] != "fx-json":
        raise SunderError("is not fx-json: its first line is not a header", code="malformed")
    if list(line.get("min") or version) > version:
        raise SunderError(f"needs a reader of fx-json {'.'.join(map(str, line['min']))}; this one reads 1.0", code="unsupported")


def _guards(header: Line) -> list[str]:
    """The guards of an exported program that a header states. They are kept as text, and never run as Python."""
    guards = (header.get("exported_program") or {}).get("guards_code") or []
    if not isinstance(guards, list) or not all(isinstance(guard, str) for guard in guards):
        raise SunderError("has guards that are not text", code="malformed")
    return guards


def _check_target(op: str, target: Any, is_lent: bool) -> None:
    """Checks a target, which becomes text of a Python program."""
    if op not in _OPS or not isinstance(target, str):
        raise SunderError(f"has the op {op!r}", code="malformed")
    if is_lent:
        return
    if op == "call_method" and not is_method(target):
        raise SunderError(f"calls the method {target:.100}, which a file may not call")
    if op == "placeholder":
        check_name(target.removeprefix("*").removeprefix("*"), "target")
    elif op in ("get_attr", "call_module"):
        check_path(target)


def _check_attribute(args: Sequence[Any]) -> None:
    """Checks that getattr reads an attribute with a constant, permitted name."""
    name = args[1] if len(args) > 1 else None
    if not isinstance(name, str) or not is_attribute(name):
        raise SunderError(f"reads the attribute {name!r:.100}, which a file may not read")
    check_name(name, "attribute")


def _take_texts(line: Line, node: torch.fx.Node, stacks: Mapping[Any, Any], strings: Mapping[Any, str]) -> None:
    """Sets the module stack and the trace of a node from the lines that it refers to."""
    for key, texts in (("mods", stacks), ("trace", strings)):
        if line.get(key) is not None and line[key] not in texts:
            raise SunderError(f"the node {node.name} has {key} {line[key]}, which no line defines", code="malformed")
    if line.get("mods") is not None:
        is_forward = (line.get("meta") or {}).get(FORWARD_STACK) is True
        node.meta[FORWARD_STACK if is_forward else "nn_module_stack"] = dict(stacks[line["mods"]])
    if line.get("trace") is not None:
        node.meta["stack_trace"] = strings[line["trace"]]


def _rename(node: torch.fx.Node, name: str) -> None:
    if not name.isidentifier():
        raise SunderError(f"has the name {name!r:.100}, which is not a valid Python name", code="malformed")
    node.name = name
    node.graph._graph_namespace._rename_object(node, name)


def _order_users(node: torch.fx.Node, users: list[torch.fx.Node]) -> None:
    """Orders users as in the file. Users that it does not list come last."""
    known = dict.fromkeys(user for user in users if user in node.users)
    known.update(dict.fromkeys(node.users))
    node.users.clear()
    node.users.update(known)
