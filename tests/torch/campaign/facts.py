"""Recomputes the values in files for changed calls. Files with wrong values are outside the scope of the campaign."""

import contextlib
import io

import torch
from torch._dispatch.python import enable_python_dispatcher
from torch._guards import detect_fake_mode

#: Key in node.meta of the call that the value belongs to.
CALL = "campaign_call"
# : Where PyTorch stores the value of a node: keys that sunder.save reads.
SAID = ("val", "example_value", "tensor_meta")


class Specialized(Exception):
    """A call that specializes a symbolic size to a number."""


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
    """Returns the result of `call` on values without contents, computed as in torch.export; `module` is the enclosing graph module.
    Raises the errors of the call, and Specialized.
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
    """Records for every node the call that its value belongs to. O(nodes)."""
    mode = _mode_of(subject.module)
    if mode is not None:
        _settle(mode)
    for module in subject.graph_modules():
        for node in module.graph.nodes:
            node.meta[CALL] = _call(node)


def refresh(subject, inputs):
    """Recomputes values of changed calls. Removes values of failing calls and of all later ones."""
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
    """Returns the call of a node. Nodes are identified by object, so that a renaming is not a change."""
    return node.op, str(node.target), repr(torch.fx.node.map_arg((node.args, node.kwargs), lambda one: f"node {id(one)}"))


def _refresh_graph(module, changed):
    """Whether any call in the graph has changed."""
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
    # ShapeProp prints failures; values after a failing call have no description.
    with contextlib.redirect_stderr(io.StringIO()), contextlib.suppress(Exception):
        ShapeProp(module).propagate(*inputs)
