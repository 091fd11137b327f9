"""What files say of the values of nodes, made again for calls that changed: a file that lies is outside of the campaign."""

import contextlib
import io

import torch
from torch._guards import detect_fake_mode

#: Key of node.meta with the call that the value was made for.
CALL = "campaign_call"


def note_calls(subject):
    """Notes for every node which call its value belongs to. O(nodes)."""
    for module in subject.graph_modules():
        for node in module.graph.nodes:
            node.meta[CALL] = _call(node)


def refresh(subject, inputs):
    """Makes values again that are those of other calls. Values of calls that fail, and all behind them, go."""
    modules = subject.graph_modules()
    if subject.exported is None:
        _refresh_described(subject.module, inputs)
        return
    values = [node.meta["val"] for node in modules[0].graph.nodes if node.op == "placeholder" and "val" in node.meta]
    mode = detect_fake_mode([value for value in values if isinstance(value, torch.Tensor)])
    changed = {}
    with mode or contextlib.nullcontext(), torch.no_grad():
        for module in reversed(modules):
            changed[id(module)] = _refresh_graph(module, changed)


def _call(node):
    return node.op, str(node.target), repr(node.args), repr(node.kwargs)


def _refresh_graph(module, changed):
    """Whether anything in the graph is another call than before."""
    dirty = set()
    children = dict(module.named_modules())
    for node in module.graph.nodes:
        if node.op in ("placeholder", "output"):
            continue
        if node.op == "get_attr":
            if changed.get(id(children.get(node.target))):
                dirty.add(node)
            continue
        if node.meta.get(CALL) == _call(node) and not any(one in dirty for one in node.all_input_nodes):
            continue
        dirty.add(node)
        held = lambda one: children.get(one.target, one.meta.get("val")) if one.op == "get_attr" else one.meta.get("val")  # noqa: E731
        try:
            args, kwargs = torch.fx.node.map_arg((node.args, node.kwargs), held)
            node.meta["val"] = node.target(*args, **kwargs)
        except Exception:  # the call fails in every run, or nothing says what it makes
            node.meta.pop("val", None)
    return bool(dirty)


def _refresh_described(module, inputs):
    if not any("tensor_meta" in node.meta for node in module.graph.nodes):
        return
    from torch.fx.passes.shape_prop import ShapeProp
    for node in module.graph.nodes:
        node.meta.pop("tensor_meta", None)
    # ShapeProp prints what fails; behind such a call nothing is described.
    with contextlib.redirect_stderr(io.StringIO()), contextlib.suppress(Exception):
        ShapeProp(module).propagate(*inputs)
