"""Recomputes the values in files for calls that changed. Files with wrong values are outside of the campaign."""

import contextlib
import io

import torch
from torch._dispatch.python import enable_python_dispatcher
from torch._guards import detect_fake_mode

#: Key of node.meta with the call that the value was made for.
CALL = "campaign_call"
# : Where PyTorch stores the value of a node: keys that sunder.save reads.
SAID = ("val", "example_value", "tensor_meta")


class Specialized(Exception):
    """A call that takes a symbolic size for a number."""


# : Initial facts about symbolic sizes, by their ShapeEnv. Queries of sizes make PyTorch assume more.
_known = {}


def _settle(mode):
    """Removes assumptions on symbolic sizes made since the first call. Returns whether there were any."""
    sizes = mode.shape_env
    known = _known.setdefault(sizes, dict(sizes.replacements))
    if sizes.replacements == known:
        return False
    sizes.replacements = dict(known)
    sizes._replacements_version_counter += 1
    sizes._update_version_counter()
    return True


def _mode_of(module):
    places = [node.meta.get("val") for node in module.graph.nodes if node.op == "placeholder"]
    mode = detect_fake_mode([value for value in places if isinstance(value, torch.Tensor)])
    return mode if mode is not None and mode.shape_env is not None else None


def evaluate(call, module):
    """What `call` makes of values without contents, as torch.export finds it out; `module` is the graph module around. Raises what
    the call raises, and Specialized.
    """
    mode = _mode_of(module)
    if mode is None:
        with torch.no_grad():
            return call()
    _settle(mode)
    try:
        with mode, enable_python_dispatcher(), torch.no_grad():
            made = call()
    finally:
        assumed = _settle(mode)
    if assumed:
        raise Specialized
    return made


def note_calls(subject):
    """Notes for every node which call its value belongs to. O(nodes)."""
    mode = _mode_of(subject.module)
    if mode is not None:
        _settle(mode)
    for module in subject.graph_modules():
        for node in module.graph.nodes:
            node.meta[CALL] = _call(node)


def refresh(subject, inputs):
    """Makes values again that are those of other calls. Values of calls that fail, and all behind them, go."""
    if subject.exported is None:
        _refresh_described(subject.module, inputs)
        return
    changed = {}
    for module in reversed(subject.graph_modules()):
        changed[id(module)] = _refresh_graph(module, changed)
    mode = _mode_of(subject.module)
    if mode is not None:
        _settle(mode)


def _call(node):
    """The call of a node; nodes by identity, so that another name is no other call."""
    return node.op, str(node.target), repr(torch.fx.node.map_arg((node.args, node.kwargs), lambda one: f"node {id(one)}"))


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
        for key in SAID:
            node.meta.pop(key, None)
        held = lambda one: children.get(one.target, one.meta.get("val")) if one.op == "get_attr" else one.meta.get("val")  # noqa: E731
        try:
            args, kwargs = torch.fx.node.map_arg((node.args, node.kwargs), held)
            node.meta["val"] = evaluate(lambda: node.target(*args, **kwargs), module)
        except Exception:  # the call fails in every run, or its value is unknown
            continue
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
