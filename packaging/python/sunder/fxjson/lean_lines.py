"""Nodes of a lent graph as short lines of fx-json, with only the data that determines the result of a pass. Values, module
stacks, and traces return with the nodes.
"""

from __future__ import annotations

from typing import Any, Iterator

import torch.fx

from .lent import KEY, Lent
from .words_out import WordsOut, quoted

CALLS = frozenset({"call_function", "call_method", "call_module"})


def lean_lines(graph: torch.fx.Graph, name: str, words: WordsOut, lent: Lent) -> Iterator[str]:
    """Yields a line for each node of the graph, which has the id `name` in the file."""
    targets: dict[Any, str] = {}
    number = len(lent.nodes)
    lent.nodes.extend(graph.nodes)
    place = {node: i for i, node in enumerate(graph.nodes)}
    for node in place:
        op, target = node.op, node.target
        said = targets.get(target) if op == "call_function" else quoted(str(target))
        if said is None:
            said = targets[target] = _function(target, words)
        text = (
            f'{{"k":"node","g":"{name}","name":"{node.name}","op":"{op}","target":{said},"args":[{_values(node.args, words)}],'
            f'"kwargs":{words.keywords(node.kwargs) if node.kwargs else "[]"}'
        )
        if node.type is not None:
            text += f',"type":{quoted(torch.fx.node._type_repr(node.type))}'
        if op in CALLS and isinstance(tag := getattr(node, "tag", None), str):
            text += f',"tag":{quoted(tag)}'
        if len(node.users) > 1:
            places = [place[user] for user in node.users]
            if places != sorted(places):
                text += f',"users":[{",".join([quoted(user.name) for user in node.users])}]'
        yield f'{text},"meta":{{"{KEY}":{number}}}}}'
        number += 1


def _values(values: tuple[Any, ...], words: WordsOut) -> str:
    return ",".join([f'{{"n":"{v.name}"}}' if type(v) is torch.fx.Node else words.text(v) for v in values])


def _function(target: Any, words: WordsOut) -> str:
    """The target of a call, and the name that torch.fx derives from it if that differs."""
    text = words.function(target)
    name = getattr(target, "__name__", None)
    return f'{quoted(text)},"fn":{quoted(name)}' if isinstance(name, str) and name != text.rsplit(".", 1)[-1] else quoted(text)
