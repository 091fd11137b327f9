"""Changes that alter meaning: writes, views and copies, random numbers, settings, dead calls, containers."""

import operator

import torch

from changes import alters
from editing import RANDOM, aten, is_inplace, name_of, writes


@alters
def write_more(e):
    """A write to a value between two calls."""
    value = e.pick(e.tensors())
    if value is None:
        return False
    behind = [node for node in e.nodes() if value in node.all_input_nodes] or [e.output()]
    place = e.rng.choice([*behind, e.output(), e.after(value)])
    e.call(place, e.rng.choice(["add_", "mul_"]), value, e.rng.choice([2.0, 0.5, 1.0, 0.0]))
    return True


@alters
def write_through_a_view(e):
    value = e.pick([value for value in e.tensors() if e.value(value).dim() > 0])
    if value is None:
        return False
    place = e.rng.choice([node for node in e.graph.nodes if node.op not in ("placeholder", "get_attr") and value in node.all_input_nodes] or [e.output()])
    e.call(place, "add_", e.call(place, "select", value, 0, 0), 1.0)
    return True


@alters
def write_left_out(e):
    node = e.pick(e.nodes(lambda node: is_inplace(node) and node.args and isinstance(node.args[0], torch.fx.Node)))
    if node is None:
        return False
    node.replace_all_uses_with(node.args[0])
    e.graph.erase_node(node)
    return True


@alters
def write_at_another_time(e):
    """Moves a write past the next call, or before the last one."""
    node = e.pick(e.nodes(writes, op="call_function") + e.nodes(writes, op="call_method"))
    if node is None:
        return False
    steps = e.rng.randrange(1, 4)
    if e.rng.random() < 0.5:
        place = node
        for _ in range(steps):
            if place.next.op != "output" and node not in place.next.all_input_nodes:
                place = place.next
        place.append(node) if place is not node else None
        return place is not node
    place = node
    for _ in range(steps):
        if place.prev.op not in ("placeholder", "root") and place.prev not in node.all_input_nodes:
            place = place.prev
    place.prepend(node) if place is not node else None
    return place is not node


@alters
def calls_in_any_order(e):
    """Swaps two consecutive calls that do not use each other."""
    pairs = [(a, a.next) for a in e.graph.nodes if a.op.startswith("call") and a.next.op.startswith("call") and a not in a.next.all_input_nodes]
    pairs = [pair for pair in pairs if any(writes(node) or name_of(node) in RANDOM for node in pair)] or pairs
    pair = e.pick(pairs)
    if pair is None:
        return False
    pair[1].append(pair[0])
    return True


@alters
def in_place_for_a_copy(e):
    """add_ instead of add: the operand changes as well."""
    names = ("add", "mul", "sub", "relu", "neg", "tanh", "sigmoid", "clamp", "masked_fill", "exp", "sin")
    node = e.pick([node for node in e.calls(*names) if node.args and isinstance(node.args[0], torch.fx.Node)])
    if node is None:
        return False
    name = f"{name_of(node)}_"
    if isinstance(node.target, torch._ops.OpOverload):
        node.target = getattr(getattr(aten, name), node.target._overloadname)
    else:
        node.op, node.target = "call_method", name
    return True


@alters
def copy_for_in_place(e):
    node = e.pick([node for node in e.nodes(is_inplace) if name_of(node) not in ("copy_", "index_copy_", "normal_", "uniform_", "fill_", "requires_grad_")])
    if node is None:
        return False
    name = name_of(node)[:-1]
    if isinstance(node.target, torch._ops.OpOverload):
        node.target = getattr(getattr(aten, name), node.target._overloadname)
    elif node.op == "call_method":
        node.target = name
    else:
        return False
    return True


@alters
def copy_put_in(e):
    edge = e.pick(e.edges() + [(e.output(), value) for value in e.output().all_input_nodes if e.is_tensor(value, floats=False)])
    if edge is None:
        return False
    user, value = edge
    e.replace(user, value, e.call(user, "clone", value))
    return True


@alters
def copy_left_out(e):
    node = e.pick([node for node in e.calls("clone", "contiguous") if isinstance(node.args[0], torch.fx.Node)])
    if node is None:
        return False
    node.replace_all_uses_with(node.args[0])
    e.graph.erase_node(node)
    return True


@alters
def view_given_out(e):
    """An output that is a view of another value instead of a copy, or a copy instead of a view."""
    values = [value for value in e.output().all_input_nodes if e.is_tensor(value, floats=False) and e.value(value).dim() > 0]
    value = e.pick(values)
    if value is None:
        return False
    name = e.rng.choice(["contiguous", "alias" if e.is_exported else "detach", "detach", "clone"])
    e.replace(e.output(), value, e.call(e.output(), name, value))
    return True


@alters
def contiguous_put_in(e):
    edge = e.pick(e.edges())
    if edge is None:
        return False
    user, value = edge
    e.replace(user, value, e.call(user, "contiguous", value))
    return True


@alters
def other_strides(e):
    """The same values in other strides: transposed, copied, and transposed back."""
    edges = e.edges(lambda user, value: e.value(value).dim() > 1)
    edges += [(e.output(), value) for value in e.output().all_input_nodes if e.is_tensor(value) and e.value(value).dim() > 1]
    edge = e.pick(edges)
    if edge is None:
        return False
    user, value = edge
    turned = e.call(user, "contiguous", e.call(user, "transpose", value, 0, 1))
    e.replace(user, value, e.call(user, "transpose", turned, 0, 1))
    return True


@alters
def detached(e):
    edge = e.pick(e.edges())
    if edge is None:
        return False
    user, value = edge
    e.replace(user, value, e.call(user, "detach", value))
    return True


@alters
def rounded_on_the_way(e):
    edge = e.pick(e.edges())
    if edge is None:
        return False
    user, value = edge
    there = e.call(user, "to", value, e.rng.choice([torch.float16, torch.bfloat16, torch.float64, torch.int64]))
    e.replace(user, value, e.call(user, "to", there, torch.float32))
    return True


@alters
def repeated_for_expanded(e):
    node = e.pick([node for node in e.calls("expand") if len(node.args) == 2 and isinstance(node.args[1], (list, tuple))])
    if node is None:
        return False
    copied = e.call(node.next, "contiguous", node)
    for user in e.users(node):
        if user is not copied:
            e.replace(user, node, copied)
    return True


@alters
def draw_more(e):
    value = e.pick([value for value in e.tensors() if value.op != "output"])
    if value is None:
        return False
    e.call(e.after(value), e.rng.choice(["rand_like", "randn_like", "bernoulli"]), value)
    return True


@alters
def draw_left_out(e):
    node = e.pick([node for node in e.calls(*RANDOM) if node.args and isinstance(node.args[0], torch.fx.Node)])
    if node is None:
        return False
    node.replace_all_uses_with(node.args[0])
    e.graph.erase_node(node)
    return True


@alters
def one_draw_for_two(e):
    """Users of one random call take the result of another one with the same shape."""
    calls = [node for node in e.calls(*RANDOM) if e.is_tensor(node)]
    pairs = [(a, b) for a in calls for b in calls if a is not b and e.value(a).shape == e.value(b).shape]
    pair = e.pick(pairs)
    if pair is None:
        return False
    first, second = sorted(pair, key=list(e.graph.nodes).index)
    second.replace_all_uses_with(first)
    return True


@alters
def call_that_fails(e):
    """An unused call that raises."""
    value = e.pick([value for value in e.tensors() if e.value(value).dim() > 0])
    if value is None:
        return False
    e.call(e.after(value), e.rng.choice(["view", "reshape", "expand"]), value, [7919])
    return True


@alters
def call_that_may_fail(e):
    """An unused call that raises for some sizes, strides, or values."""
    value = e.pick([value for value in e.tensors() if e.value(value).dim() > 0])
    if value is None:
        return False
    place, kind = e.after(value), e.rng.randrange(4)
    if kind == 0:
        e.call(place, "view", value, [-1])
    elif kind == 1:
        e.call(place, "select", value, 0, 1)
    elif kind == 2:
        e.call(place, "transpose", value, 0, 2)
    else:
        e.call(place, torch.ops.aten.linalg_cholesky.default if e.is_exported else torch.linalg.cholesky, value)
    return True


@alters
def grad_mode_off(e):
    if e.is_exported:
        return False
    place = e.pick(e.nodes())
    if place is None:
        return False
    with e.graph.inserting_before(place):
        e.graph.call_function(torch._C._set_grad_enabled, (e.rng.random() < 0.3,))
    if e.rng.random() < 0.7:
        with e.graph.inserting_before(e.output()):
            e.graph.call_function(torch._C._set_grad_enabled, (True,))
    return True


@alters
def autocast_around_calls(e):
    if e.is_exported:
        return False
    from torch.amp.autocast_mode import _enter_autocast, _exit_autocast
    nodes = e.nodes()
    if len(nodes) < 2:
        return False
    start = e.rng.randrange(len(nodes) - 1)
    with e.graph.inserting_before(nodes[start]):
        region = e.graph.call_function(_enter_autocast, ("cpu", torch.bfloat16, e.rng.random() < 0.8, None))
    with e.graph.inserting_before(e.rng.choice([*nodes[start + 1:], e.output()])):
        e.graph.call_function(_exit_autocast, (region,))
    return True


@alters
def region_changed(e):
    """Another dtype, or the other mode, of a region of autocast or of grad mode."""
    found = e.nodes(lambda node: "autocast" in name_of(node) or "set_grad" in name_of(node) or "wrap_with" in str(node.target))
    node = e.pick([node for node in found if any(isinstance(arg, (bool, torch.dtype)) for arg in node.args)])
    if node is None:
        return False
    place = e.rng.choice([i for i, arg in enumerate(node.args) if isinstance(arg, (bool, torch.dtype))])
    given = node.args[place]
    node.update_arg(place, (not given) if isinstance(given, bool) else torch.float16 if given == torch.bfloat16 else torch.bfloat16)
    return True


@alters
def assertion_left_out(e):
    node = e.pick(e.nodes(lambda node: ("assert" in name_of(node) or name_of(node).startswith("sym_constrain")) and not node.users))
    if node is None:
        return False
    e.graph.erase_node(node)
    return True


@alters
def assertion_put_in(e):
    value = e.pick(e.tensors())
    if value is None or e.value(value).numel() == 0:
        return False
    place = e.after(value)
    good = e.call(place, aten.gt.Scalar, e.call(place, aten.sum.default, value), e.rng.choice([-1e9, 0.0]))
    e.call(place, aten._assert_async.msg, good, "too small")
    return True


@alters
def container_changed(e):
    """Changes a list or dict made by a call: an item is added, removed, or moved."""
    node = e.pick([node for node in e.calls("list", "dict") if node.users])
    if node is None:
        return False
    values = [one for one in e.tensors() if one.op == "placeholder"]
    place = e.pick([user for user in e.users(node)] + [e.output()])
    kind = e.rng.randrange(4)
    with e.graph.inserting_before(place):
        if name_of(node) == "list":
            (lambda: e.graph.call_method("append", (node, values[0])), lambda: e.graph.call_method("reverse", (node,)),
             lambda: e.graph.call_function(operator.setitem, (node, 0, values[-1])), lambda: e.graph.call_method("clear", (node,)))[kind]()
        else:
            (lambda: e.graph.call_function(operator.setitem, (node, "a", values[0])), lambda: e.graph.call_method("pop", (node, "a")),
             lambda: e.graph.call_method("update", (node, {"b": values[-1]})), lambda: e.graph.call_function(operator.setitem, (node, "z", values[0])))[kind]()
    return True


@alters
def container_call_at_another_time(e):
    node = e.pick(e.calls("append", "reverse", "pop", "update", "setitem", "len", "get"))
    if node is None:
        return False
    place = e.pick([one for one in e.nodes() if one is not node and node not in one.all_input_nodes])
    order = list(e.graph.nodes)
    if place is None or any(order.index(one) > order.index(place) for one in node.all_input_nodes) or any(
            order.index(user) <= order.index(place) for user in node.users):
        return False
    place.append(node)
    return True


@alters
def container_call_left_out(e):
    node = e.pick([node for node in e.calls("append", "reverse", "pop", "update", "setitem") if not node.users])
    if node is None:
        return False
    e.graph.erase_node(node)
    return True
