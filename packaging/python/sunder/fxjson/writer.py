"""Graph modules and exported programs as lines of fx-json: one pass over every graph, linear in nodes."""

from __future__ import annotations

import json
import re
import warnings
from typing import Any, Iterator, Sequence, TextIO

import torch
import torch.fx

from ..errors import SunderError
from .collector import without_collector
from .lean_lines import lean_lines
from .lent import KEY, Lent
from .marks import Marks, script_of_process
from .modules_out import ModulesOut
from .names import class_text, leads_to
from .node_meta import FORWARD_STACK, GUARDS, KEPT, VALUES, kept_of, kept_value_of, training_notes
from .program_call import program_of
from .signature_out import nesting_lines, program_lines
from .weights_out import WeightsOut
from .words_out import WordsOut, quoted

Model = torch.fx.GraphModule | torch.export.ExportedProgram


# : Functions and classes of the running script that affect the computation.
_OF_SCRIPT = re.compile(r'"(?:target|fn|cls)": ?"__main__\.|"(?:nt|classes)": ?\["__main__\.')


class Writer:
    """Writes one model. Without `weights`, the contents of tensors are not referenced; with `lent`, they are returned as objects.
    `lean`: write only the data of lent nodes that determines the result of a pass. `order`: the order of the tags on nodes.
    `marks`: marks for missing information, if the file is compared with another file of this process.
    """

    def __init__(
        self,
        out: TextIO,
        weights: WeightsOut | None = None,
        lent: Lent | None = None,
        values: bool = True,
        lean: bool = False,
        order: Sequence[str] = (),
        marks: Marks | None = None,
    ) -> None:
        self._out = out
        self._lent = lent
        self._words = WordsOut(lent)
        self._values = WordsOut(values=True)
        self._marks = marks or Marks()
        self._with_values = values
        self._lean = lean
        self._order = list(order)
        self._modules = ModulesOut(self, self._words, weights, lent, self._marks)
        self._stacks: dict[Any, int] = {}
        self._strings: dict[str, int] = {}
        self._graphs: dict[int, str] = {}
        self._nodes = 0
        self._not_written: set[str] = set()
        self._names_script = False  # whether a line calls a function or class of the running script

    @without_collector
    def write(self, model: Model) -> None:
        version = torch.__version__.split("+")[0]
        if isinstance(model, torch.export.ExportedProgram):
            guards = getattr(model, "_guards_code", None)
        else:
            guards = model.meta.get(GUARDS)
        checks = f',"exported_program":{json.dumps({"guards_code": guards}, ensure_ascii=False)}' if guards else ""
        self.line(f'{{"k":"fx-json","v":[1,0],"min":[1,0],"producer":"sunder for Python","torch":"{version}"{checks}}}')
        if isinstance(model, torch.export.ExportedProgram):
            self._modules.program(model)
            self.graph(model.graph, "", model.graph_module)
            self._modules.nested_graphs(model.graph_module)
            lines = program_lines(model, self._words, self._lent)
        else:
            self._modules.tree(model)
            self.graph(model.graph, "", model)
            lines = self._kept_lines(model)
        for line in lines:
            if "g" in line:
                line = {**line, "g": self._graphs[id(model.graph)]}
            self.line(json.dumps(line, ensure_ascii=False))
        if self._order:
            self.line(json.dumps({"k": "tags", "order": self._order}))
        if self._names_script:
            self.line(json.dumps({"k": "script", "sha256": script_of_process()}))
        self.line(f'{{"k":"end","nodes":{self._nodes}}}')
        if self._not_written:
            warnings.warn(f'meta["custom"] has values under {", ".join(sorted(self._not_written))} that are not JSON and were not written')

    def write_graph(self, graph: torch.fx.Graph) -> None:
        """Writes a graph without its module."""
        self.line('{"k":"fx-json","v":[1,0],"min":[1,0],"producer":"sunder for Python"}')
        self.graph(graph, "")
        self.line(f'{{"k":"end","nodes":{self._nodes}}}')

    def custom_operators(self) -> str:
        """Returns schemas of custom operators, one per line. Empty if there are none."""
        return "".join(f"{schema}\n" for schema in sorted(self._words.schemas))

    def line(self, text: str) -> None:
        if '"__main__.' in text and self._lent is None:
            self._names_script = self._names_script or _OF_SCRIPT.search(text) is not None
        self._out.write(text + "\n")

    def omissions(self) -> list[str]:
        """Returns a warning for each piece of information that the file lacks."""
        local = [f"the function {name} is saved as unknown: it cannot be found by its name" for name in self._words.locals]
        return [] if self._lent is not None else [*self._marks.said, *local]

    def graph(self, graph: torch.fx.Graph, module: str | None, owner: torch.nn.Module | None = None) -> str:
        """Writes a graph, once, and returns its id. `owner`: the module that its get_attr nodes read."""
        if id(graph) in self._graphs:
            return self._graphs[id(graph)]
        name = self._graphs[id(graph)] = f"g{len(self._graphs)}"
        self.line(f'{{"k":"graph","id":"{name}","module":{"null" if module is None else quoted(module)}}}')
        if self._lent is not None and module == "":
            self._lent.root = list(graph.nodes)
        if owner is not None:
            self._modules.find_attributes(graph, owner)
        if self._lent is not None and self._lean:
            self._out.write("".join([line + "\n" for line in lean_lines(graph, name, self._words, self._lent)]))
            self._nodes += len(graph.nodes)
            return name
        place = {node: i for i, node in enumerate(graph.nodes)}
        for node in place:
            try:
                self._node(name, node, place)
            except SunderError as error:
                raise SunderError(f"the node {node.name} {error.text}", where={"node": node.name}) from None
        return name

    def _node(self, graph: str, node: torch.fx.Node, place: dict[torch.fx.Node, int]) -> None:
        parts = [f'{{"k":"node","g":"{graph}","name":"{node.name}","op":"{node.op}"']
        if node.op == "call_function":
            text = self._words.function(node.target)  # type: ignore[arg-type]
            parts.append(f'"target":{quoted(text)}')
            name = getattr(node.target, "__name__", None)
            if isinstance(name, str) and name != text.rsplit(".", 1)[-1]:
                parts.append(f'"fn":{quoted(name)}')
        else:
            parts.append(f'"target":{quoted(str(node.target))}')
        parts.append(f'"args":{self._words.items(node.args)},"kwargs":{self._words.keywords(node.kwargs)}')
        if self._words.bases:
            parts.append(f'"classes":{json.dumps([self._class_of(value) for value in self._words.bases], ensure_ascii=False)}')
            self._words.bases.clear()
        parts.extend(self._facts(node))
        users = [place[user] for user in node.users]
        if any(users[i] > users[i + 1] for i in range(len(users) - 1)):
            parts.append(f'"users":{json.dumps([user.name for user in node.users])}')
        self._nodes += 1
        self.line(",".join(parts) + "}")

    def _class_of(self, value: Any) -> str:
        """Returns the class of a value that is written as a number, text, list, or dict, with a mark if the name does not
        identify it."""
        kind = type(value)
        name = class_text(kind)
        warning = f"a value is saved without the additions of its class {name}"
        if not leads_to(name, kind):
            return self._marks.mark(kind, name, warning)
        return self._marks.mark(value, name, warning) if getattr(value, "__dict__", None) else name

    def _facts(self, node: torch.fx.Node) -> Iterator[str]:
        """Returns data about a node in addition to the call, from its metadata and attributes."""
        meta, kept = node.meta, kept_of(node)
        if node.type is not None:
            yield f'"type":{quoted(torch.fx.node._type_repr(node.type))}'
        elif "type" in kept:
            yield f'"type":{quoted(kept["type"])}'
        if self._with_values:
            yield from self._value(node)
        stack = meta.get("nn_module_stack") or meta.get(FORWARD_STACK)
        if stack:
            yield f'"mods":{self._stack(stack)}'
        trace = meta.get("stack_trace")
        if isinstance(trace, str):
            yield f'"trace":{self._string(trace)}'
        tag = getattr(node, "tag", None)
        if isinstance(tag, str):
            yield f'"tag":{quoted(tag)}'
        size = getattr(node, "size_bytes", None)
        if size is not None:
            yield f'"size_bytes":{{"output":{int(size.output_size)},"total":{int(size.total_size)}}}'
        kind = meta.get("type")
        if isinstance(kind, type):
            yield f'"out_type":{quoted(torch.fx.node._type_repr(kind))}'
        yield from (f'"{key}":{json.dumps(kept[key], ensure_ascii=False)}' for key in KEPT if key in kept)
        notes = self._notes(node, kept)
        if notes:
            yield f'"meta":{notes}'

    def _value(self, node: torch.fx.Node) -> Iterator[str]:
        """Returns `val`: the non-tensor value of a get_attr node, the value from a file, or the value in the metadata."""
        if node.op == "get_attr" and (text := self._modules.attribute(node)):
            yield f'"val":{text}'
            return
        if kept := kept_value_of(node):
            yield f'"val":{json.dumps(self._values.kept(kept["val"]), ensure_ascii=False)}'
            if "val_from" in kept:
                yield f'"val_from":{quoted(kept["val_from"])}'
            return
        key = next((key for key in VALUES if key in node.meta), None)
        if key is None:
            return
        try:
            text = self._values.text(node.meta[key])
        except SunderError:  # custom objects and the like have no representation
            return
        yield f'"val":{text}'
        if key != "val":
            yield f'"val_from":"{key}"'

    def _notes(self, node: torch.fx.Node, kept: dict[str, Any]) -> str:
        """Returns the member `meta`. Empty if there is none."""
        notes = {**(kept["meta"] if "meta" in kept else {}), **training_notes(node.meta)}
        if node.meta.get(FORWARD_STACK) and not node.meta.get("nn_module_stack"):
            notes[FORWARD_STACK] = True
        custom = node.meta.get("custom")
        if isinstance(custom, dict) and custom:
            notes["custom"] = {key: value for key, value in custom.items() if self._is_json(key, value)}
        if self._lent is None:
            return json.dumps(notes, ensure_ascii=False) if notes else ""
        number = len(self._lent.nodes)
        self._lent.nodes.append(node)
        return json.dumps({**notes, KEY: number}, ensure_ascii=False) if notes else f'{{"{KEY}":{number}}}'

    def _is_json(self, key: Any, value: Any) -> bool:
        try:
            json.dumps({key: value}, allow_nan=False)
        except (TypeError, ValueError):
            self._not_written.add(str(key))
            return False
        return isinstance(key, str)

    def _stack(self, stack: dict[str, Any]) -> int:
        key = tuple(stack.items())
        number = self._stacks.get(key)
        if number is None:
            number = self._stacks[key] = len(self._stacks)
            frames = [[k, path, cls if isinstance(cls, str) else _class_name(cls)] for k, (path, cls) in stack.items()]
            self.line(f'{{"k":"stack","id":{number},"mods":{json.dumps(frames, ensure_ascii=False)}}}')
        return number

    def _string(self, text: str) -> int:
        number = self._strings.get(text)
        if number is None:
            number = self._strings[text] = len(self._strings)
            self.line(f'{{"k":"str","id":{number},"s":{quoted(text)}}}')
        return number

    def _kept_lines(self, model: torch.fx.GraphModule) -> Iterator[dict[str, Any]]:
        """Returns the signature of a program from a file, or the nesting of inputs and outputs of a graph module."""
        program = program_of(model)
        if program is not None:
            yield from program.lines
        elif self._lent is None:
            yield from nesting_lines(model, self._words)


def _class_name(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"
