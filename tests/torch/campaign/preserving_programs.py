"""Changes that preserve meaning: names, order, modules around calls, weights under other names, annotations in metadata."""

import copy
import operator

import torch

from changes import preserves
from editing import RANDOM, is_fresh, is_inplace, name_of, writes

VIEWS = ("transpose", "permute", "t", "unsqueeze", "squeeze", "select", "slice", "expand", "view", "alias", "detach", "narrow")


def _is_movable(e, node):
    """Whether a call may run at another time: it is pure, and its inputs are never written."""
    plain = is_fresh(node) or name_of(node) in VIEWS
    return plain and name_of(node) not in RANDOM and all(map(e.is_quiet, node.all_input_nodes)) and e.is_quiet(node) and not _has_settings(e)


def _has_settings(e):
    return any("autocast" in name_of(node) or "set_grad" in name_of(node) for node in e.nodes())


@preserves
def nodes_renamed(e):
    count = 0
    for node in e.graph.nodes:
        if node.op not in ("placeholder", "output") and e.rng.random() < 0.5:
            node._rename(f"{e.rng.choice(['value', 'h', 'tmp'])}_{count}")
            count += 1
    return count > 0


@preserves
def call_moved_back(e):
    """Moves a pure call to just before its first user."""
    node = e.pick([node for node in e.nodes(lambda node: _is_movable(e, node)) if node.users])
    if node is None:
        return False
    place = node.next
    while node not in place.all_input_nodes:
        place = place.next
    if place is node.next:
        return False
    place.prepend(node)
    return True


@preserves
def call_moved_ahead(e):
    """Moves a pure call to just after the last of its inputs."""
    node = e.pick(e.nodes(lambda node: _is_movable(e, node)))
    if node is None:
        return False
    place = node.prev
    while place.op not in ("placeholder", "root") and place not in node.all_input_nodes:
        place = place.prev
    if place is node.prev or place.op == "root":
        return False
    while place.next.op == "placeholder":
        place = place.next
    place.append(node)
    return True


@preserves
def pure_calls_in_another_order(e):
    """Any other order of the calls of a program without writes, random numbers, or settings."""
    if any(writes(node) or name_of(node) in RANDOM or is_inplace(node) for node in e.nodes()) or _has_settings(e):
        return False
    if any(not (is_fresh(node) or name_of(node) in (*VIEWS, "getitem")) for node in e.nodes()):
        return False
    if e.nodes(op="call_module"):
        return False
    waiting = e.nodes()
    ready, order = {node for node in e.graph.nodes if not node.op.startswith("call")}, []
    while waiting:
        node = e.rng.choice([node for node in waiting if ready.issuperset(node.all_input_nodes)])
        waiting.remove(node)
        ready.add(node)
        order.append(node)
    for node in order:
        e.output().prepend(node)
    return len(order) > 2


@preserves
def notes_taken_away(e):
    """Removes stack traces and module stacks from nodes, which do not affect results."""
    for node in e.graph.nodes:
        for key in ("stack_trace", "nn_module_stack", "torch_fn", "source_fn_stack", "from_node"):
            node.meta.pop(key, None)
    return e.is_exported


@preserves
def unused_weight(e):
    if e.is_exported or not e.is_root:
        return False
    name = _new_name(e, "unused_table")
    e.owner.register_buffer(name, torch.arange(3.0))
    with e.graph.inserting_before(next(iter(e.graph.nodes))):
        e.graph.get_attr(name)
    return True


def _new_name(e, name):
    """Returns a name that is unused in the module and the exported program."""
    taken = {*(e.subject.exported.state_dict if e.is_exported else ()), *vars(e.owner), *dict(e.owner.named_children())}
    taken |= {*e.owner._parameters, *e.owner._buffers}
    return next(one for one in (name, *(f"{name}_{i}" for i in range(99))) if one not in taken)


def _weights(e):
    """Nodes of parameters and buffers that are never written."""
    if e.is_exported:
        signature = e.subject.exported.graph_signature
        written = {spec.target for spec in signature.output_specs}
        specs = zip(e.nodes(op="placeholder"), signature.input_specs)
        return [(node, spec) for node, spec in specs if spec.target in e.subject.exported.state_dict and spec.target not in written and e.is_quiet(node)]
    reads = [node for node in e.nodes(op="get_attr") if isinstance(_read(e.owner, node.target), torch.Tensor)]
    loud = {node.target for node in reads if not e.is_quiet(node)}
    once = [node for node in reads if sum(other.target == node.target for other in reads) == 1 and "." not in node.target]
    return [(node, None) for node in once if node.target not in loud]


def _read(root, path):
    for step in path.split("."):
        root = getattr(root, step)
    return root


@preserves
def weight_under_another_name(e):
    """Reads a copy of a parameter or buffer instead, with equal bytes and strides."""
    if not e.is_root:
        return False
    found = e.pick(_weights(e))
    if found is None:
        return False
    node, spec = found
    name = _new_name(e, "other_weight")
    if spec is None:
        old = _read(e.owner, node.target)
        new = torch.nn.Parameter(old.detach().clone()) if isinstance(old, torch.nn.Parameter) else old.detach().clone()
        delattr(e.owner, node.target)
        setattr(e.owner, name, new) if isinstance(new, torch.nn.Parameter) else e.owner.register_buffer(name, new)
        node.target = name
        return True
    state = e.subject.exported._state_dict
    old = state.pop(spec.target)
    state[name] = torch.nn.Parameter(old.detach().clone()) if isinstance(old, torch.nn.Parameter) else old.detach().clone()
    spec.target = name
    return True


@preserves
def weight_read_twice(e):
    """A second get_attr of the same tensor for one of its users."""
    node = e.pick([node for node in e.nodes(op="get_attr") if len(node.users) > 1 and isinstance(_read(e.owner, node.target), torch.Tensor)])
    if node is None:
        return False
    with e.graph.inserting_after(node):
        other = e.graph.node_copy(node, lambda one: one)
    e.replace(e.users(node)[-1], node, other)
    return True


@preserves
def weight_read_later(e):
    """Moves get_attr of a tensor to its first user: the tensor is the same object at all times."""
    node = e.pick([node for node in e.nodes(op="get_attr") if node.users and isinstance(_read(e.owner, node.target), torch.Tensor)])
    if node is None:
        return False
    place = node.next
    while node not in place.all_input_nodes:
        place = place.next
    if place is node.next:
        return False
    place.prepend(node)
    return True


@preserves
def calls_in_a_module(e):
    """Moves a few consecutive calls into a graph module."""
    if e.is_exported:
        return False
    calls = e.nodes(lambda node: True)
    if len(calls) < 4:
        return False
    start = e.rng.randrange(len(calls) - 2)
    chosen, node = [calls[start]], calls[start].next
    while len(chosen) < 4 and node.op in ("call_function", "call_method"):
        chosen.append(node)
        node = node.next
    given = [one for one in dict.fromkeys(x for node in chosen for x in node.all_input_nodes) if one not in chosen]
    results = [node for node in chosen if any(user not in chosen for user in node.users)]
    if not results or any("autocast" in name_of(one) or "set_grad" in name_of(one) for one in chosen):
        return False
    inner, places = torch.fx.Graph(), {}
    for one in given:
        places[one] = inner.placeholder(one.name)
    for one in chosen:
        places[one] = inner.node_copy(one, places.__getitem__)
    inner.output(places[results[0]] if len(results) == 1 else tuple(places[one] for one in results))
    name = _new_name(e, "outlined")
    e.owner.add_submodule(name, torch.fx.GraphModule(torch.nn.Module(), inner))
    with e.graph.inserting_after(chosen[-1]):
        call = e.graph.call_module(name, tuple(given))
    place = call
    for number, one in enumerate(results):
        new = call
        if len(results) > 1:
            with e.graph.inserting_after(place):
                new = place = e.graph.call_function(operator.getitem, (call, number))
        new.meta.update(one.meta)
        for user in e.users(one):
            if user not in chosen:
                user.replace_input_with(one, new)
    for one in reversed(chosen):
        if not one.users:
            e.graph.erase_node(one)
    return True





@preserves
def module_put_in_line(e):
    """Inlines the call of a graph module."""
    def graph_of(node):
        module = _read(e.owner, node.target)
        return module if isinstance(module, torch.fx.GraphModule) else None
    node = e.pick([node for node in e.nodes(op="call_module") if graph_of(node) is not None and not node.kwargs])
    if node is None:
        return False
    inner, places = graph_of(node), {}
    given = iter(node.args)
    with e.graph.inserting_before(node):
        for one in inner.graph.nodes:
            if one.op == "placeholder":
                places[one] = next(given)
            elif one.op == "output":
                result = torch.fx.node.map_arg(one.args[0], places.__getitem__)
            else:
                places[one] = e.graph.node_copy(one, places.__getitem__)
                if one.op in ("call_module", "get_attr"):
                    places[one].target = f"{node.target}.{one.target}"
        if not isinstance(result, torch.fx.Node):
            for user in e.users(node):
                if user.target is not operator.getitem:
                    return False
                user.replace_all_uses_with(result[user.args[1]])
                e.graph.erase_node(user)
        else:
            node.replace_all_uses_with(result)
    e.graph.erase_node(node)
    return True


@preserves
def leaf_module_under_another_name(e):
    """Replaces a leaf module without written state by an equal copy."""
    node = e.pick([node for node in e.nodes(op="call_module") if not isinstance(_read(e.owner, node.target), torch.fx.GraphModule) and (
        not list(_read(e.owner, node.target).buffers()))])
    if node is None:
        return False
    old, name = node.target, _new_name(e, "other_leaf")
    e.owner.add_submodule(name, copy.deepcopy(_read(e.owner, old)))
    node.target = name
    if not any(one.target == old for one in e.nodes(op="call_module")):
        e.owner.delete_submodule(old)
    return True


@preserves
def leaf_module_as_a_function(e):
    """Calls the function of a leaf module without parameters."""
    functions = {torch.nn.GELU: lambda m: (torch.nn.functional.gelu, {"approximate": m.approximate}),
                 torch.nn.ReLU: lambda m: (torch.nn.functional.relu, {"inplace": m.inplace}),
                 torch.nn.LeakyReLU: lambda m: (torch.nn.functional.leaky_relu, {"negative_slope": m.negative_slope, "inplace": m.inplace}),
                 torch.nn.Flatten: lambda m: (torch.flatten, {"start_dim": m.start_dim, "end_dim": m.end_dim}),
                 torch.nn.Dropout: lambda m: (torch.nn.functional.dropout, {"p": m.p, "training": m.training, "inplace": m.inplace})}
    node = e.pick([node for node in e.nodes(op="call_module") if type(_read(e.owner, node.target)) in functions])
    if node is None:
        return False
    module = _read(e.owner, node.target)
    node.op = "call_function"
    node.target, node.kwargs = functions[type(module)](module)
    return True
